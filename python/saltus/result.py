"""A motion that was found: what `saltus solve` stores in result.h5."""

import contextlib
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_void_p
from typing import NamedTuple

import numpy as np

from ._library import Err, FigureStruct, check, library, text_from
from ._views import view
from .model import Model
from .plots import draw

JOINT_WIDTH = {0: 7, 1: 4, 2: 1, 3: 1}  # numbers in qpos of a free joint, ball, slide, hinge

ARRAYS = ["time", "qpos", "qvel", "qacc", "qfrc_inverse", "qfrc_actuator", "qfrc_passive", "qfrc_constraint",
          "qfrc_unactuated", "ctrl", "act", "sensordata", "xpos", "xquat", "contact_pos", "contact_frame",
          "contact_dist", "contact_force", "contact_slip"]


class Finding(NamedTuple):
    """A sentence of the diagnosis. level 2: why it is no solution or not as asked; 1: look at it; 0: good to know.
    value, time: NaN where there is none."""

    level: int
    kind: str
    what: str
    value: float
    time: float
    text: str


class Result:
    """A motion. Rows t = 0 .. nstep of

    time [T], qpos [T x nq], qvel, qacc, qfrc_inverse, qfrc_actuator, qfrc_passive, qfrc_constraint,
    qfrc_unactuated [T x nv], ctrl [T x nu], act, sensordata, xpos [T x 3 nbody], xquat [T x 4 nbody]

    and of its K contacts contact_pos [K x 3], contact_frame [K x 9], contact_dist [K], contact_force [K x 6],
    contact_slip [K]. All are read-only views of the library's memory. Of the last row forces, qacc and ctrl are NaN.
    """

    def __init__(self, pointer):
        self._pointer, self._threads = pointer, None  # threads that solved it; None: it was read

    def __del__(self):
        library.sal_result_free(self._pointer)

    def __dir__(self):
        return [*super().__dir__(), *ARRAYS]

    def __getattr__(self, name):
        if name not in ARRAYS:
            raise AttributeError(f"a result has no {name!r}; its arrays are {', '.join(ARRAYS)}")
        nrow, ncol = c_int(), c_int()
        address = library.sal_result_array(self._pointer, name.encode(), byref(nrow), byref(ncol))
        shape = (nrow.value,) if name in ("time", "contact_dist", "contact_slip") else (nrow.value, ncol.value)
        return view(self, address, shape)

    def __repr__(self):
        return f"<saltus.Result: {self.status}, {self.nstep} steps, cost {self.cost:.6g}>"

    # ---- what was found ----

    @property
    def status(self):
        """'converged', 'infeasible', 'interrupted', ..: how the search ended."""
        return library.sal_result_status(self._pointer).decode()

    @property
    def exit_code(self):
        """0: converged, physical and as asked; 1: stopped before, or not as asked; 4: infeasible; 130: interrupted."""
        return library.sal_result_exit_code(self._pointer)

    @property
    def is_physical(self):
        """All forces come from actuators and contacts, and all constraints hold."""
        return library.sal_result_violation(self._pointer) <= 1

    @property
    def is_as_asked(self):
        """Physical, and what the problem requires; None: it was not judged."""
        return {1: True, 0: False}.get(library.sal_result_as_asked(self._pointer))

    @property
    def cost(self):
        """Sum of all terms."""
        return library.sal_result_cost(self._pointer)

    @property
    def weight(self):
        """Of the moving mass, N."""
        return library.sal_result_weight(self._pointer)

    @property
    def nstep(self):
        """Steps; arrays over time have one row more."""
        return library.sal_result_nstep(self._pointer)

    @property
    def timestep(self):
        """s"""
        return float(self.time[1] - self.time[0])

    @property
    def model(self):
        """The Model in which the motion moves."""
        return Model._borrow(library.sal_result_model(self._pointer), self)

    @property
    def findings(self):
        """The diagnosis, the most serious first."""
        n = c_int()
        found = library.sal_result_findings(self._pointer, byref(n))
        return [Finding(f.level, f.kind.decode(), f.what.decode(errors="replace"), f.value, f.time,
                        f.text.decode(errors="replace"))
                for f in found[:n.value]]

    @property
    def figures(self):
        """{name: value} of all figures that `saltus info` shows: speed, slip, peak loads, ..; NaN: makes no sense here."""
        figures, n, err = POINTER(FigureStruct)(), c_int(), Err()
        check(library.sal_result_figures(self._pointer, byref(figures), byref(n), byref(err)), err)
        found = {f.name.decode(): f.value for f in figures[:n.value]}
        library.sal_free(figures)
        return found

    # ---- parts of it ----

    def joint(self, name):
        """Positions of a joint over time: [T] of a slide (m) or hinge (rad), [T x 4] of a ball, [T x 7] of a free joint."""
        model = self.model
        j = model.find("joint", name)
        first = model.jnt_qposadr[j]
        width = JOINT_WIDTH[model.jnt_type[j]]
        return self.qpos[:, first] if width == 1 else self.qpos[:, first:first + width]

    def control(self, name):
        """The control of an actuator over time [T]; the last is NaN."""
        return self.ctrl[:, self.model.find("actuator", name)]

    @property
    def contact_geom(self):
        """The two geoms of each contact [K x 2]."""
        return self._contacts()[0]

    @property
    def contact_offset(self):
        """The contacts of row t are contact_offset[t] .. contact_offset[t+1] - 1 [T + 1]."""
        return self._contacts()[1]

    def _contacts(self):
        offset = c_void_p()
        geom = library.sal_result_contacts(self._pointer, byref(offset))
        offsets = view(self, offset.value, (self.nstep + 2,), "i")
        return view(self, geom, (int(offsets[-1]), 2), "i"), offsets

    def contact_forces(self):
        """Sum of the contact forces on each geom in world axes, N: [nstep x ngeom x 3]."""
        geom, offset = self._contacts()
        total = np.zeros((self.nstep, self.model.count("geom"), 3))
        for t in range(self.nstep):
            for k in range(offset[t], offset[t + 1]):
                world = self.contact_frame[k].reshape(3, 3).T @ self.contact_force[k, :3]
                total[t, geom[k, 1]] += world
                total[t, geom[k, 0]] -= world
        return total

    # ---- out ----

    def write(self, path):
        """Stores it as `saltus solve` does, for all verbs of the command: in a file whose name ends in .h5, or in a
        folder, as result.h5 and, if it was solved here, run.json (arguments, threads, seconds, host)."""
        path = os.fspath(path)
        if os.fsdecode(path).endswith(".h5"):
            self._write_file(path)
        else:
            self._write_folder(os.fsdecode(path))

    def _write_file(self, path):
        err = Err()
        check(library.sal_result_write(self._pointer, os.fsencode(path), byref(err)), err)

    def _write_folder(self, folder):
        os.makedirs(folder, exist_ok=True)
        run = os.path.join(folder, "run.json")
        with contextlib.suppress(FileNotFoundError):
            os.remove(run)  # that of another result
        self._write_file(os.path.join(folder, "result.h5"))
        if self._threads is not None:
            with open(run + ".new", "wb") as file:
                file.write(self._run_json())
            os.replace(run + ".new", run)

    def _run_json(self):
        arguments = [os.fsencode(word) for word in sys.argv]
        return text_from(library.sal_result_run_json, self._pointer, len(arguments),
                         (c_char_p * len(arguments))(*arguments), self._threads)

    def mjcf(self):
        """The model in which the motion moves, as `saltus export --to mjcf` writes it: one MJCF file."""
        return self.model.mjcf()

    def plot(self, *panels):
        """A matplotlib figure over time with these panels, one above the other: 'positions', 'velocities' (of slides and
        hinges), 'controls', 'actuators', 'unactuated' (forces on them), 'contacts' (vertical forces on geoms). None:
        positions and controls."""
        return draw(self, panels or ("positions", "controls"))
