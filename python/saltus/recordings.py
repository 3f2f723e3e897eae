"""Recordings become problems, markers become models of persons, and motions become files of other programs, by the
command `saltus` (docs/command.md, docs/tracking.md, docs/people.md, docs/exports.md)."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._command import BADINPUT, run, tell
from ._library import Error, text_of
from .result import Result

Path = Union[str, "os.PathLike[str]"]

PREFIX = "saltus: "
SWEEP_FILES = ("problem.xml", "sweep.xml", "low/problem.xml", "low/sweep.xml")  # in their folder


class Written(os.PathLike):
    """A file that was written: may stand wherever a path may.

    path  the file
    said  lines: what was found in the recording, what was left out, warnings
    """

    def __init__(self, path: Path, said: str):
        self.path = os.fspath(path)
        self.said = tuple(line.removeprefix(PREFIX) for line in said.splitlines() if line.strip())

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<saltus.Written {self.path!r}: {len(self.said)} lines said>"


def _options(**values: object) -> list[str]:
    """What is given, as options of the command; True is one without a value."""
    words: list[str] = []
    for name, value in values.items():
        if value is True:
            words += ["--" + name.replace("_", "-")]
        elif value is not None and value is not False:
            words += ["--" + name.replace("_", "-"), os.fspath(value) if isinstance(value, os.PathLike) else text_of(value)]
    return words


@contextlib.contextmanager
def _replacing(*paths: str) -> Iterator[None]:
    """Files of these names are out of the way meanwhile; after an error they are back."""
    kept = [path for path in paths if os.path.lexists(path)]
    for path in kept:
        os.replace(path, path + ".before")
    try:
        yield
    except BaseException:
        for path in kept:
            os.replace(path + ".before", path)
        raise
    for path in kept:
        os.remove(path + ".before")


def _write(verb: str, files: Sequence[Path], to: Path, options: Sequence[str]) -> Written:
    _, said = tell([verb, *map(os.fspath, files), "-o", os.fspath(to), *options])
    return Written(to, said)


def _file_with(arrays: Mapping[str, Any], to: Path) -> str:
    """The path of an npz with these arrays beside the problem `to`, which reads them there."""
    path = os.path.splitext(os.fspath(to))[0] + "_clip.npz"
    np.savez(path, **arrays)
    return path


def follow(clip: Union[Path, Mapping[str, Any]], to: Path, *, robot: Optional[Path] = None, person: Optional[Path] = None,
           rate: Optional[float] = None, timestep: Union[float, str, None] = None, name: Optional[str] = None,
           format: Optional[str] = None, sweep: bool = False, overwrite: bool = False) -> Written:
    """Writes the problem `to` in which a robot, or a person, follows a recording, as `saltus follow` does.

    clip           a file; or a dict of arrays, such as {"fps": 30, "root_pos": [n x 3], "root_rot": [n x 4],
                   "dof_pos": [n x joints]}, which are written beside `to`, as TO_clip.npz
    robot, person  the model, MJCF or URDF; of a person that of `saltus.person`
    rate           frames per second, of a recording without times
    timestep       s, of the motion, or "model": that of the model; without it some 11 ms
    name           which of several recordings in a file of Python
    format         of the recording, where the ending of its name does not say it
    sweep          `clip` is a folder, or a file of several recordings; `to` is a folder: the file that is written
                   is the sweep in it, for saltus.sweep (recordings in which not only feet are on the floor have
                   one of their own, in `to`/low, if there are others)
    overwrite      a problem that is there, which may have been edited, is replaced; else that is an error

    The columns, units, quaternion and floor that were found are in `said`: read them.
    """
    if (robot is None) == (person is None):
        raise Error(BADINPUT, "give either robot= or person=: the model that follows the recording")
    file = _file_with(clip, to) if isinstance(clip, Mapping) else clip
    there = [os.path.join(to, each) for each in SWEEP_FILES] if sweep else [os.fspath(to)]
    with _replacing(*(there if overwrite else [])):
        written = _write("follow", [file], to, _options(robot=robot, person=person, rate=rate, timestep=timestep,
                                                        clip=name, format=format, sweep=sweep))
    return Written(os.path.join(written.path, "sweep.xml"), "\n".join(written.said)) if sweep else written


def person(markers: Union[Path, Sequence[Path]], to: Path, *, mass: float, static: Optional[Path] = None,
           height: Optional[float] = None, names: Optional[Path] = None, overwrite: bool = False) -> Written:
    """Writes the model `to` of the person who wore the markers, as `saltus person` does.

    markers    a recording (.trc, .c3d), or several
    mass       kg
    static     markers while the person stands still
    height     m, where it is known
    names      a table of two columns: a marker, and what it is
    overwrite  a model that is there is replaced; else that is an error
    """
    files = [markers] if isinstance(markers, (str, os.PathLike)) else list(markers)
    with _replacing(*([os.fspath(to)] if overwrite else [])):
        return _write("person", files, to, _options(mass=mass, static=static, height=height, markers=names))


@contextlib.contextmanager
def _file_of(motion: Union[Result, Path]) -> Iterator[str]:
    """The path of a result; of a Result that of a file which is there meanwhile."""
    if not isinstance(motion, Result):
        yield os.fspath(motion)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "motion.h5")
        motion.write(path)
        yield path


def compare(motion: Union[Result, Path]) -> Optional[dict[str, Any]]:
    """The recording beside the motion that follows it, as `solve` and `info` show them: "recorded" and "found", each with
    root_unexplained (of the weight), depth, hover (m), slip (m/s), load_most (of the limit) and where these are largest;
    deviations in m and rad; what no controls can do, in words. None: the motion follows no recording.
    """
    with _file_of(motion) as path:
        return json.loads(run(["info", path, "--json"])).get("recording")


def export(motion: Union[Result, Path], to: Path, format: str, *, rate: Optional[float] = None,
           cycles: Optional[int] = None, gains: bool = False) -> Written:
    """Writes a motion in the format of another program, as `saltus export` does: "mjlab", "unitree", "mot", "gltf", ..

    motion  a Result, or the path of one
    rate    frames per second
    cycles  whole periods of a cycle
    gains   also the feedback that holds the motion
    """
    with _file_of(motion) as path:
        return _write("export", [path], to, _options(to=format, rate=rate, cycles=cycles, gains=gains))
