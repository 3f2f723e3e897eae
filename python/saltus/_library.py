"""The shared library: where it is, its structs and the types of its functions (the headers
<saltus/base.h>, physics.h, mjcf.h, invdyn.h, problems.h, identify.h), and its errors."""

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int,
                    c_size_t, c_void_p)


class Error(RuntimeError):
    """What the library refuses: its message, and the code of <saltus/base.h> (2: bad input, 3: a path,
    6: a number is not finite, ..)."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


# ---- structs ----


class Err(Structure):
    _fields_ = [("code", c_int), ("message", c_char * 512)]


class Text(Structure):
    _fields_ = [("data", c_char_p), ("length", c_size_t), ("capacity", c_size_t), ("failed", c_bool)]


class Diag(Structure):
    _fields_ = [("text", Text), ("first", c_char * 400), ("nerror", c_int), ("nwarning", c_int),
                ("nrepeated", c_int)]


class Setting(Structure):
    _fields_ = [("path", c_char_p), ("value", c_char_p)]


class LoadOptions(Structure):
    _fields_ = [("mujoco", c_int), ("setting", POINTER(Setting)), ("nsetting", c_int),
                ("place", c_void_p), ("advise", c_bool)]


FunctionCall = CFUNCTYPE(c_bool, c_void_p, c_int, POINTER(c_double), c_int, POINTER(c_double), POINTER(c_double))


class Function(Structure):
    _fields_ = [("name", c_char_p), ("n", c_int), ("call", FunctionCall), ("user", c_void_p)]


class ProblemOptions(Structure):
    _fields_ = [("setting", POINTER(Setting)), ("nsetting", c_int), ("mujoco", c_int),
                ("start", c_char_p), ("start_folder", c_char_p), ("function", POINTER(Function)),
                ("nfunction", c_int)]


class Request(Structure):
    _fields_ = [("motion", c_void_p), ("identification", c_void_p)]


class Progress(Structure):
    _fields_ = [("linearisation", c_int), ("phase", c_char_p), ("softness", c_double), ("cost", c_double),
                ("violation", c_double), ("step", c_double), ("damping", c_double)]


ProgressFunction = CFUNCTYPE(c_bool, c_void_p, c_int, POINTER(Progress))
ClockFunction = CFUNCTYPE(c_double)


class Watch(Structure):
    _fields_ = [("progress", ProgressFunction), ("user", c_void_p), ("log", c_void_p), ("clock", ClockFunction),
                ("checkpoint", c_char_p), ("resume", c_bool), ("ranks", c_void_p),
                ("checkpoint_after", c_double), ("checkpoint_unsynced", c_bool)]


class FindingStruct(Structure):
    _fields_ = [("level", c_int), ("kind", c_char * 24), ("what", c_char * 64), ("value", c_double),
                ("time", c_double), ("text", c_char * 512)]


class FigureStruct(Structure):
    _fields_ = [("name", c_char * 80), ("unit", c_char * 16), ("value", c_double)]


class States(Structure):
    _fields_ = [("n", c_int)] + [(name, c_void_p) for name in
                                 ("qpos", "qvel", "qacc", "ctrl", "qfrc_inverse", "Dq", "Dv", "Da", "act",
                                  "qpos_next", "qvel_next", "act_next")]


# ---- functions: name, result, arguments ----

FUNCTIONS = [
    ("sal_diag_clear", None, [POINTER(Diag)]),
    ("sal_free", None, [c_void_p]),
    ("sal_text_clear", None, [POINTER(Text)]),
    ("sal_model_load", c_int, [POINTER(c_void_p), c_char_p, POINTER(LoadOptions), POINTER(Diag), POINTER(Err)]),
    ("sal_model_parse", c_int, [POINTER(c_void_p), c_char_p, c_char_p, c_size_t, POINTER(LoadOptions),
                                POINTER(Diag), POINTER(Err)]),
    ("sal_model_free", None, [c_void_p]),
    ("sal_model_write", c_int, [c_void_p, POINTER(Text), POINTER(Err)]),
    ("sal_model_array", c_void_p, [c_void_p, c_char_p, POINTER(c_char), POINTER(c_int), POINTER(c_int)]),
    ("sal_model_count", c_int, [c_void_p, c_int]),
    ("sal_model_find", c_int, [c_void_p, c_int, c_char_p]),
    ("sal_model_name", c_char_p, [c_void_p, c_int, c_int]),
    ("sal_integrate_pos", None, [c_void_p, c_void_p, c_void_p, c_void_p, c_double]),
    ("sal_differentiate_pos", None, [c_void_p, c_void_p, c_double, c_void_p, c_void_p]),
    ("sal_states_inverse", c_int, [c_void_p, POINTER(States), c_int, POINTER(Err)]),
    ("sal_states_forward", c_int, [c_void_p, POINTER(States), c_int, POINTER(Err)]),
    ("sal_states_step", c_int, [c_void_p, POINTER(States), c_int, POINTER(Err)]),
    ("sal_request_read", c_int, [POINTER(Request), c_char_p, POINTER(ProblemOptions), POINTER(Diag), POINTER(Err)]),
    ("sal_request_clear", None, [POINTER(Request)]),
    ("sal_request_solve", c_int, [POINTER(c_void_p), POINTER(Request), c_int, POINTER(Watch), POINTER(Err)]),
    ("sal_request_read_result", c_int, [POINTER(c_void_p), c_char_p, POINTER(Err)]),
    ("sal_result_free", None, [c_void_p]),
    ("sal_result_write", c_int, [c_void_p, c_char_p, POINTER(Err)]),
    ("sal_result_run_json", c_int, [c_void_p, c_int, POINTER(c_char_p), c_int, POINTER(Text), POINTER(Err)]),
    ("sal_result_status", c_char_p, [c_void_p]),
    ("sal_result_exit_code", c_int, [c_void_p]),
    ("sal_result_as_asked", c_int, [c_void_p]),
    ("sal_result_finished", c_int, [c_void_p]),
    ("sal_result_model", c_void_p, [c_void_p]),
    ("sal_result_nstep", c_int, [c_void_p]),
    ("sal_result_cost", c_double, [c_void_p]),
    ("sal_result_weight", c_double, [c_void_p]),
    ("sal_result_violation", c_double, [c_void_p]),
    ("sal_result_array", c_void_p, [c_void_p, c_char_p, POINTER(c_int), POINTER(c_int)]),
    ("sal_result_contacts", c_void_p, [c_void_p, POINTER(c_void_p)]),
    ("sal_result_findings", POINTER(FindingStruct), [c_void_p, POINTER(c_int)]),
    ("sal_result_figures", c_int, [c_void_p, POINTER(POINTER(FigureStruct)), POINTER(c_int), POINTER(Err)]),
]


def _place():
    """What SALTUS_LIBRARY says, else the library beside this file (of a wheel), else what the loader finds."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsaltus.so.0")
    return os.environ.get("SALTUS_LIBRARY", beside if os.path.exists(beside) else "libsaltus.so.0")


def _open():
    place = _place()
    try:
        lib = ctypes.CDLL(place)
    except OSError as error:
        raise ImportError(f"cannot load the library of saltus ({error}); install it (meson install -C build), "
                          "or set SALTUS_LIBRARY to the path of libsaltus.so") from None
    for name, result, arguments in FUNCTIONS:
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    if hasattr(lib, "openblas_set_num_threads"):
        lib.openblas_set_num_threads(1)  # threads are the library's own, and sums keep their order
    return lib


library = _open()


# ---- calls ----


def check(status, err, diag=None):
    """Raises what a call reports: all faults of a file at once where there is a diag, which is cleared."""
    all_faults = diag is not None and diag.nerror > 0
    # names of a recording that is not UTF-8 are quoted as they stand
    text = (diag.text.data if all_faults else err.message).decode(errors="replace")
    if diag is not None:
        library.sal_diag_clear(byref(diag))
    if status != 0:
        raise Error(status, text.rstrip())


def text_from(function, *arguments):
    """The bytes that a function writes which ends with (sal_text *out, sal_err *err)."""
    text, err = Text(), Err()
    try:
        check(function(*arguments, byref(text), byref(err)), err)
        return text.data or b""
    finally:
        library.sal_text_clear(byref(text))


def mujoco_version(compat):
    """The number of sal_mujoco that `compat` names; None: the default."""
    names = ("3.14", "3.12", "2.2.2")
    if compat is not None and compat not in names:
        raise ValueError(f"compat is {compat!r}; expected None, '3.14', '3.12' or '2.2.2'")
    return 0 if compat is None else names.index(compat)


def settings_array(settings):
    """{path: value} as the C array that `--set path=value` makes; values are text, numbers or lists of them."""
    items = [(path.encode(), text_of(value).encode()) for path, value in (settings or {}).items()]
    return (Setting * max(len(items), 1))(*[Setting(path, value) for path, value in items]), len(items)


def text_of(value):
    """A value as it stands in an attribute: numbers exactly, lists with blanks between."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if hasattr(value, "__iter__"):
        return " ".join(text_of(part) for part in value)
    return repr(value.item() if hasattr(value, "item") else value)
