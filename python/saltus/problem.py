"""Problems, from a file or built in code, and their solution."""

import os
import tempfile
import threading
import time
from ctypes import byref, c_void_p
from typing import Any, Callable, Optional, Union
from xml.sax.saxutils import quoteattr

from ._library import (ClockFunction, Diag, Err, Error, ProblemOptions, ProgressFunction, Request, Watch, check,
                       library, mujoco_version, settings_array, text_of)
from .functions import Functions
from .identification import Identification
from .reading import result_of


def element_xml(name, content, indent=""):
    """An element as text: dicts in it are elements, lists of dicts several of one name, all else attributes."""
    attributes, children = [], []
    for key, value in content.items():
        if isinstance(value, dict):
            children.append((key, value))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(part, dict) for part in value):
            children += [(key, part) for part in value]
        else:
            attributes.append(f" {key}={quoteattr(text_of(value))}")
    head = f"{indent}<{name}{''.join(attributes)}"
    if not children:
        return f"{head}/>\n"
    return f"{head}>\n{''.join(element_xml(*child, indent + '  ') for child in children)}{indent}</{name}>\n"


def problem_xml(problem):
    """The text of a problem file (docs/problem_file.md) from a dict: dicts are elements, lists of dicts are several
    elements of one name, all else is an attribute; numbers are written exactly, lists with blanks between. The path of
    the model may stand for its element.

        {"model": "models/walker.xml", "time": {"nstep": 20, "duration": 0.5},
         "cost": {"term": [{"name": "effort", "ctrl": "all", "weight": 1}]}}
    """
    content = dict(problem)
    if isinstance(content.get("model"), (str, os.PathLike)):
        content["model"] = {"file": os.fspath(content["model"])}
    return element_xml("problem", content)


def _read(path, settings, version, functions):
    request, diag, err = Request(), Diag(), Err()
    array, n = settings_array(settings)
    options = ProblemOptions(array, n, version, None, None, functions.array, functions.n)
    status = library.sal_request_read(byref(request), os.fsencode(path), byref(options), byref(diag), byref(err))
    check(status, err, diag)
    return request


def _read_any(problem, settings, version, functions):
    if not isinstance(problem, dict):
        return _read(problem, settings, version, functions)
    # in the present folder, since that is where the paths of a dict begin
    with tempfile.NamedTemporaryFile("w", dir=".", prefix="problem-", suffix=".xml") as file:
        file.write(problem_xml({"name": "problem", **problem}))
        file.flush()
        return _read(file.name, settings, version, functions)


class _Solve:
    """A solve in a thread of its own: the caller's waits, and can be interrupted."""

    def __init__(self, request, threads, progress, functions):
        self.request, self.threads, self.progress, self.functions = request, threads, progress, functions
        self.result, self.err, self.status, self.fault, self.stop = c_void_p(), Err(), None, None, False

    def tell(self, _, start, progress):
        if self.progress is not None and not self.stop:
            p = progress.contents
            try:
                self.stop = self.progress({"start": start, "linearisation": p.linearisation, "phase": p.phase.decode(),
                                           "softness": p.softness, "cost": p.cost, "violation": p.violation}) is False
            except BaseException as fault:  # no exception passes through C
                self.fault, self.stop = fault, True
        return not self.stop and self.functions.fault is None

    def run(self):
        watch = Watch(progress=ProgressFunction(self.tell), clock=ClockFunction(time.perf_counter))
        self.status = library.sal_request_solve(byref(self.result), byref(self.request), self.threads, byref(watch),
                                                byref(self.err))

    def wait(self):
        thread = threading.Thread(target=self.run)
        thread.start()
        while thread.is_alive():
            try:
                thread.join(0.1)
            except KeyboardInterrupt:
                self.stop = True


def _solve(problem, settings, progress, threads, compat, wanted, functions=None):
    version = mujoco_version(compat)
    functions = Functions(functions)
    request = _read_any(problem, settings, version, functions)
    try:
        wanted(request)
        solving = _Solve(request, threads or os.cpu_count() or 1, progress, functions)
        solving.wait()
    finally:
        library.sal_request_clear(byref(request))
    fault = solving.fault or functions.fault
    if fault is not None:
        library.sal_result_free(solving.result)
        raise fault
    check(solving.status, solving.err)
    result = result_of(solving.result)
    result._threads = solving.threads
    return result


def solve(problem, settings=None, progress=None, threads=None, compat=None, functions=None):
    """Solves a problem: path of a problem file, or a dict (see problem_xml). Returns a Result, whatever its status; of a
    problem with <estimate> an Identification.

    settings  {path: value} as `--set`: {"cost/term[effort]/weight": 2}
    progress  called after each linearisation with a dict: start, linearisation, phase, softness, cost, violation;
              where it returns False the search stops. Starts run beside each other and call it by turns.
    threads   at most so many; None: all. The result does not depend on it.
    functions {name: (n, f)} for the <function> elements of the problem (docs/functions.md): f(step, x) returns n
              residuals of the numbers x [nx] of its inputs at that instant, or (residuals, Jacobian [n x nx]). What f
              raises ends the search and is raised here.

    Ctrl-C ends the search: the result is the best motion so far, its status 'interrupted'. Faults of the files raise
    Error with all messages.
    """
    return _solve(problem, settings, progress, threads, compat, lambda request: None, functions)


def _refuse_motion(request):
    if not request.identification:
        raise Error(2, "this problem asks for a motion, not for parameters: it has no <estimate>; solve it with "
                       "saltus.solve, or add <data>, <parameter> and <estimate> (docs/identification.md)")


def identify(problem: Union[str, os.PathLike, dict], settings: Optional[dict] = None,
             progress: Optional[Callable[[dict], Any]] = None, threads: Optional[int] = None,
             compat: Optional[str] = None) -> Identification:
    """Estimates parameters of a mechanism from recordings: a problem with <data>, <parameter> and <estimate>, as
    `saltus solve` does it. Arguments are those of solve, and so are Ctrl-C and errors; a problem without <estimate>
    raises Error. Returns an Identification, whatever its status: see its is_converged.

        found = saltus.identify("examples/identify_pendulum.xml")
        print(found["mass"].value, found["mass"].se)
    """
    return _solve(problem, settings, progress, threads, compat, _refuse_motion)
