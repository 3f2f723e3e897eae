"""Sweeps: one problem under many settings, solved by the command `saltus`, and their tables (docs/sweeps.md)."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
from typing import Any, Callable, Iterator, Optional, Sequence, Union
from xml.etree import ElementTree

import numpy as np

from ._command import run, start
from ._library import Error, text_of
from .problem import element_xml, problem_xml
from .reading import load
from .result import Result

Path = Union[str, "os.PathLike[str]"]

LOOK = 0.5  # s between two looks at the folder
DONE, SOME_FAILED, INTERRUPTED = 0, 6, 130  # exit codes of the command
TOLD = ("cells", "done", "physical", "unsolved", "failed", "running", "waiting", "rate", "left")
TEXTS = ("status", "reason", "kind", "motion")  # also where all are missing
MORE = ("point", "repeat", "kind", "exit_code", "motion")  # columns beside those that the sweep asks for


# ---- tables ----


def _column(name: str, values: list) -> np.ndarray:
    """Numbers if all are, NaN for one that is missing; else texts, '' for one that is missing."""
    if name in TEXTS or any(isinstance(value, str) for value in values):
        return np.array(["" if value is None else text_of(value) for value in values])
    return np.array([np.nan if value is None else value for value in values], dtype=float)


class SweepTable(dict):
    """The table of a sweep's folder, finished or not: {column: array [rows]}, a row for each cell, in the order of the
    grid. A column of numbers is float64, NaN where there is none; another one has texts, '' where there is none.

    folder  the folder of the sweep
    where   conditions that rows must satisfy: "speed>=1.5 mass<50"
    best    the best repeat of each point alone

    Columns are the axes, `status`, those that the sweep asks for (or cost and terms), and `point`, `repeat`, `kind`,
    `exit_code`, `motion` (the file of the cell's result): see docs/table.md. Units are those of the settings and
    figures.
    """

    def __init__(self, folder: Path, where: Optional[str] = None, best: bool = False):
        self.folder = os.path.abspath(folder)
        self.exit_code: Optional[int] = None  # of the run that made it; None: it was not run here
        choice = (["--where", where] if where else []) + (["--best"] if best else [])
        rows = json.loads(run(["table", self.folder, "--format", "json", "--columns", "+" + ",".join(MORE), *choice],
                              allowed=(DONE, SOME_FAILED)))
        super().__init__({name: _column(name, [row[name] for row in rows]) for name in (rows[0] if rows else MORE)})
        self.nrow = len(rows)

    def __repr__(self) -> str:
        return f"<saltus.SweepTable: {self.nrow} rows, columns {', '.join(self)}>"

    @property
    def is_complete(self) -> bool:
        """No row is a cell that is still to be solved."""
        return not np.any(self["status"] == "waiting")

    def lowest(self, column: str = "cost") -> int:
        """The row with the lowest number in a column, of those whose motion is physical and converged."""
        values = np.where((self["kind"] == "physical") & ~np.isnan(self[column]), self[column], np.inf)
        if not np.isfinite(values).any():
            raise Error(2, f"no row has a physical motion and a number in the column {column!r}")
        return int(np.argmin(values))

    def load(self, row: int) -> Result:
        """The Result of the cell of a row."""
        path = str(self["motion"][row])
        if not path:
            raise Error(3, f"row {row} has no motion: its status is '{self['status'][row]}'"
                           f"{_because(self, row)}")
        return load(path)


def _because(table: SweepTable, row: int) -> str:
    reason = str(table["reason"][row]) if "reason" in table else ""
    return f" ({reason})" if reason else ", or the sweep does not keep it"


# ---- the sweep's file ----


def _values_text(values: Sequence) -> str:
    texts = [text_of(value) for value in values]
    return "; ".join(texts) + ";" if any(" " in text for text in texts) else " ".join(texts)


def _axis(name: str, axis: Union[Sequence, dict]) -> dict:
    content = {"path": name, "values": axis} if not isinstance(axis, dict) else dict(axis)
    if isinstance(content.get("values"), str) or len(content.get("values", [0])) == 0:
        raise ValueError(f"axis {name!r} has the values {content['values']!r}; expected a list of at least one value")
    if "values" in content:
        content["values"] = _values_text(content["values"])
    return {"name": name, **content}


def _sweep_xml(name: str, problem: str, axes: dict, elements: dict) -> str:
    content: dict[str, Any] = {"name": name, "problem": problem, "axis": [_axis(*item) for item in axes.items()]}
    return element_xml("sweep", {**content, **{key: value for key, value in elements.items() if value is not None}})


@contextlib.contextmanager
def _file(text: str) -> Iterator[str]:
    # in the present folder, since that is where the paths of a dict begin
    with tempfile.NamedTemporaryFile("w", dir=".", prefix="sweep-", suffix=".xml") as file:
        file.write(text)
        file.flush()
        yield file.name


@contextlib.contextmanager
def _sweep_file(problem: Union[Path, dict], axes: Optional[dict], name: Optional[str],
                elements: dict) -> Iterator[tuple]:
    """Its path, and the name of the sweep."""
    if axes is None:
        if isinstance(problem, dict) or name or any(value is not None for value in elements.values()):
            raise ValueError("axes are missing: give a dict {path: values}, or else the path of a sweep file alone, "
                             "which says itself what varies")
        yield os.fspath(problem), _name_in(problem)
        return
    with contextlib.ExitStack() as stack:
        if isinstance(problem, dict):
            name = name or problem.get("name", "problem")
            problem = stack.enter_context(_file(problem_xml({"name": name, **problem})))
        name = name or _name_in(problem)
        yield stack.enter_context(_file(_sweep_xml(name, os.path.abspath(problem), axes, elements))), name


def _name_in(path: Path) -> str:
    """The name that a file gives itself; what is wrong with the file, the command says."""
    with contextlib.suppress(OSError, ElementTree.ParseError, StopIteration):
        _, root = next(iter(ElementTree.iterparse(path, events=("start",))))
        if "name" in root.attrib:
            return root.attrib["name"]
    return os.path.splitext(os.path.basename(path))[0]


# ---- running it ----


def _status(folder: str) -> Optional[dict]:
    """How far it is; None: it has no plan yet."""
    if not os.path.exists(os.path.join(folder, "plan.tsv")):
        return None
    said = json.loads(run(["sweep", "--status", folder, "--json"], allowed=(DONE, SOME_FAILED)))
    return {key: said[key] for key in TOLD}


class _Watch:
    """A running sweep: it is told of, and ended in order whatever happens here."""

    def __init__(self, child: subprocess.Popen, folder: str, progress: Optional[Callable]):
        self.child, self.folder, self.progress, self.stopped = child, folder, progress, False

    def tell(self) -> None:
        told = _status(self.folder) if self.progress is not None and not self.stopped else None
        if told is not None and self.progress(told) is False:
            self.stop()

    def stop(self) -> None:
        self.stopped = True
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)

    def wait(self) -> int:
        try:
            while self.child.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.child.wait(LOOK)
                self.tell()
            return self.child.returncode
        except BaseException as fault:
            self.stop()
            self.finish()
            if isinstance(fault, KeyboardInterrupt):
                raise KeyboardInterrupt(self.how_to_go_on()) from None
            raise

    def finish(self) -> None:
        while self.child.poll() is None:
            try:
                self.child.wait()
            except KeyboardInterrupt:  # asked twice: it ends at once
                self.child.send_signal(signal.SIGINT)

    def how_to_go_on(self) -> str:
        told = None
        with contextlib.suppress(Error):  # that it was interrupted is what matters
            told = _status(self.folder)
        done = "" if told is None else f"{told['done']} of {told['cells']} cells are finished; "
        return f"{done}call saltus.sweep again with the same arguments to continue in '{self.folder}'"


def sweep(problem: Union[Path, dict], axes: Optional[dict] = None, folder: Optional[Path] = None,
          name: Optional[str] = None, settings: Optional[dict] = None, repeat: Union[int, dict, None] = None,
          continuation: Union[dict, list, None] = None, skip: Optional[list] = None, limit: Optional[dict] = None,
          columns: Optional[Sequence[str]] = None, progress: Optional[Callable[[dict], Any]] = None,
          workers: Optional[int] = None, threads: Optional[int] = None, compat: Optional[str] = None) -> SweepTable:
    """Solves a problem under many settings and returns the table of all cells. It runs the command `saltus`: the one
    beside the library, else the one on the PATH; SALTUS_COMMAND names another.

    problem       the path of a sweep file, without axes; else a problem: the path of its file, or a dict
    axes          {path: [values]}, all combinations of which are solved, the last axis varying fastest; or {name: dict},
                  the attributes of <axis>: {"speed": {"path": "travel/speed", "range": [0.5, 3], "count": 6}}
    folder        where it is kept, NAME.sweep if None. What is there already is not solved again.
    name          of the sweep; None: that of the problem
    settings      {path: value} of all cells, as `--set`
    repeat        cells at each point, with different seeds; or a dict, the attributes of <repeat>
    continuation, skip, limit   the attributes of these elements, in dicts or lists of dicts
    columns       figures of the table: ["cost", "speed"]
    progress      called about twice a second with a dict: cells, done, physical, unsolved, failed, running,
                  waiting, rate (1/s), left (s); where it returns False the sweep stops
    workers       cells at the same time; threads: of all cells together; None: as many as there are cores
    compat        "3.12", "2.2.2": the behaviour of that version of MuJoCo instead of 3.14

    Cells without a solution are rows of the table, too: see its status. Ctrl-C (KeyboardInterrupt) ends the sweep in
    order; the same call continues it. Faults of the files raise Error with all messages.
    """
    elements = {"repeat": {"count": repeat} if isinstance(repeat, int) else repeat, "continuation": continuation,
                "skip": skip, "limit": limit, "column": columns and [{"figure": figure} for figure in columns]}
    with _sweep_file(problem, axes, name, elements) as (path, sweep_name):
        place = os.path.abspath(folder if folder is not None else f"{sweep_name}.sweep")
        words = ["sweep", path, "-o", place, "-q"]
        for key, value in (settings or {}).items():
            words += ["--set", f"{key}={text_of(value)}"]
        for option, value in (("-j", workers), ("--threads", threads), ("--compat", compat)):
            words += [option, str(value)] if value is not None else []
        code = start(words, lambda child: _Watch(child, place, progress).wait(),
                     allowed=(DONE, SOME_FAILED, INTERRUPTED))
    table = SweepTable(place)
    table.exit_code = code
    return table
