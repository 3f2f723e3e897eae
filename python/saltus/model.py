"""A mechanism, and its dynamics in many states at once."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_char, c_int, c_void_p
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._library import Diag, Err, LoadOptions, States, check, library, mujoco_version, settings_array, text_from
from ._views import as_rows, view

# kinds of objects, as sal_object in <saltus/physics.h> numbers them
OBJECTS = {"body": 0, "joint": 2, "geom": 3, "site": 4, "camera": 5, "equality": 6, "tendon": 7, "actuator": 8,
           "sensor": 9, "key": 10}


class State(NamedTuple):
    """Where a mechanism is: qpos [nq] or [n x nq], qvel [nv] or [n x nv], act [na] or [n x na]."""

    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray


class Model:
    """A compiled MJCF (or URDF) model.

    source    path of the file, or the text of an MJCF model
    settings  {path: value} that replace numbers of the file, as `--set` does: {"option/timestep": 0.005}
    compat    "3.12", "2.2.2": the behaviour of that version of MuJoCo instead of 3.14

    All arrays of <saltus/physics.h> are attributes with MuJoCo's names, read-only and without a copy:
    `model.body_mass` [nbody], `model.jnt_range` [njnt x 2].
    """

    def __init__(self, source, settings=None, compat=None):
        version = mujoco_version(compat)
        pointer, diag, err = c_void_p(), Diag(), Err()
        array, n = settings_array(settings)
        options = LoadOptions(version, array, n, None, False)
        if isinstance(source, str) and source.lstrip().startswith("<"):
            text = source.encode()
            status = library.sal_model_parse(byref(pointer), b"model.xml", text, len(text), byref(options),
                                             byref(diag), byref(err))
        else:
            status = library.sal_model_load(byref(pointer), os.fsencode(source), byref(options), byref(diag),
                                            byref(err))
        check(status, err, diag)
        self._pointer, self._owner = pointer, None

    @classmethod
    def _borrow(cls, pointer, owner):
        model = cls.__new__(cls)
        model._pointer, model._owner = c_void_p(pointer), owner
        return model

    def __del__(self):
        if getattr(self, "_owner", self) is None:
            library.sal_model_free(self._pointer)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        kind, nrow, ncol = c_char(), c_int(), c_int()
        address = library.sal_model_array(self._pointer, name.encode(), byref(kind), byref(nrow), byref(ncol))
        if not address:
            raise AttributeError(f"a model has no array {name!r}; see <saltus/physics.h>, SAL_MODEL_ARRAYS")
        shape = (nrow.value,) if ncol.value == 1 else (nrow.value, ncol.value)
        return view(self, address, shape, kind.value.decode())

    # ---- sizes and names ----

    @property
    def nq(self):
        """Numbers of a configuration."""
        return len(self.qpos0)

    @property
    def nv(self):
        """Degrees of freedom."""
        return len(self.dof_bodyid)

    @property
    def nu(self):
        """Actuators."""
        return self.count("actuator")

    @property
    def na(self) -> int:
        """Activations, of actuators that have some."""
        return int(np.sum(self.actuator_actnum))

    @property
    def nbody(self):
        """Bodies, the world among them."""
        return self.count("body")

    def count(self, kind):
        """How many objects of a kind there are: 'body', 'joint', 'geom', 'actuator', .."""
        return library.sal_model_count(self._pointer, OBJECTS[kind])

    def names(self, kind):
        """The names of all objects of a kind, '' for one without."""
        return [library.sal_model_name(self._pointer, OBJECTS[kind], i).decode() for i in range(self.count(kind))]

    def find(self, kind, name):
        """The number of the object of that name; KeyError: there is none."""
        i = library.sal_model_find(self._pointer, OBJECTS[kind], name.encode())
        if i < 0:
            known = ", ".join(word for word in self.names(kind) if word)
            raise KeyError(f"there is no {kind} {name!r}; there are: {known or 'none'}")
        return i

    def mjcf(self) -> str:
        """It as the text of one MJCF file, which loads alone in MuJoCo and moves the same."""
        return text_from(library.sal_model_write, self._pointer).decode()

    # ---- configurations ----

    def add(self, qpos: ArrayLike, tangent: ArrayLike) -> np.ndarray:
        """`qpos` [n x nq] moved along `tangent` [n x nv] (m, rad) for one unit of time: quaternions turn about their own
        axes (mj_integratePos)."""
        q, v = as_rows(qpos, self.nq, "qpos"), as_rows(tangent, self.nv, "tangent")
        moved = np.empty((_same_length(qpos=q, tangent=v), self.nq))
        for to, begin, along in zip(moved, q, v):
            library.sal_integrate_pos(self._pointer, to.ctypes.data, begin.ctypes.data, along.ctypes.data, 1)
        return moved[0] if np.ndim(qpos) == 1 else moved

    def difference(self, first: ArrayLike, second: ArrayLike) -> np.ndarray:
        """The tangent vector [n x nv] (m, rad) that leads from configurations `first` [n x nq] to `second`, the short way
        (mj_differentiatePos): add(first, difference(first, second)) is second."""
        q1, q2 = as_rows(first, self.nq, "first"), as_rows(second, self.nq, "second")
        between = np.empty((_same_length(first=q1, second=q2), self.nv))
        for to, begin, end in zip(between, q1, q2):
            library.sal_differentiate_pos(self._pointer, to.ctypes.data, 1, begin.ctypes.data, end.ctypes.data)
        return between[0] if np.ndim(first) == 1 else between

    # ---- dynamics of n states ----

    def _call(self, function, states, threads):
        err = Err()
        check(function(self._pointer, byref(states), threads or os.cpu_count() or 1, byref(err)), err)

    def inverse(self, qpos, qvel, qacc, derivatives=False, threads=None):
        """The forces [n x nv] that give accelerations `qacc` [n x nv] at `qpos` [n x nq], `qvel` [n x nv],
        contacts included (mj_inverse); N on slides, N m on hinges.

        derivatives  also their exact derivatives by qpos (in the tangent space), qvel and qacc:
                     (forces, Dq, Dv, Da), the last three [n x nv x nv]
        threads      at most so many; None: all. The numbers do not depend on it.
        """
        q, v, a = as_rows(qpos, self.nq, "qpos"), as_rows(qvel, self.nv, "qvel"), as_rows(qacc, self.nv, "qacc")
        n = _same_length(qpos=q, qvel=v, qacc=a)
        out = [np.empty((n, self.nv))] + [np.empty((n, self.nv, self.nv)) for _ in range(3 if derivatives else 0)]
        states = States(n, q.ctypes.data, v.ctypes.data, a.ctypes.data, None, *[x.ctypes.data for x in out])
        self._call(library.sal_states_inverse, states, threads)
        out = [x[0] for x in out] if np.ndim(qpos) == 1 else out
        return tuple(out) if derivatives else out[0]

    def forward(self, qpos: ArrayLike, qvel: ArrayLike, ctrl: Optional[ArrayLike] = None,
                threads: Optional[int] = None, act: Optional[ArrayLike] = None) -> np.ndarray:
        """The accelerations [n x nv] at `qpos` [n x nq], `qvel` [n x nv] under controls `ctrl` [n x nu] and activations
        `act` [n x na] (mj_forward); None: zero. Every state is solved from the same start, so that no row depends on
        another."""
        n, states, _kept = self._driven(qpos, qvel, ctrl, act)
        qacc = np.empty((n, self.nv))
        states.qacc = qacc.ctypes.data
        self._call(library.sal_states_forward, states, threads)
        return qacc[0] if np.ndim(qpos) == 1 else qacc

    def step(self, qpos: ArrayLike, qvel: ArrayLike, ctrl: Optional[ArrayLike] = None, act: Optional[ArrayLike] = None,
             threads: Optional[int] = None) -> State:
        """The State one time step later (mj_step): option/timestep, by the model's integrator. Arguments are those of
        forward."""
        n, states, _kept = self._driven(qpos, qvel, ctrl, act)
        after = State(np.empty((n, self.nq)), np.empty((n, self.nv)), np.empty((n, self.na)))
        states.qpos_next, states.qvel_next, states.act_next = (x.ctypes.data for x in after)
        self._call(library.sal_states_step, states, threads)
        return State(*(x[0] for x in after)) if np.ndim(qpos) == 1 else after

    def _driven(self, qpos, qvel, ctrl, act):
        """(n, States, the arrays that it points to)"""
        given = {"qpos": (qpos, self.nq), "qvel": (qvel, self.nv), "ctrl": (ctrl, self.nu), "act": (act, self.na)}
        rows = {name: as_rows(array, ncol, name) for name, (array, ncol) in given.items() if array is not None}
        n = _same_length(**rows)
        return n, States(n, **{name: array.ctypes.data for name, array in rows.items()}), rows


def _same_length(**arrays):
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError("arrays have different numbers of rows: "
                         + ", ".join(f"{name} {n}" for name, n in lengths.items()))
    return next(iter(lengths.values()))


assert ctypes.sizeof(States) == 104
