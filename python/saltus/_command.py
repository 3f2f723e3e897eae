"""The command `saltus`, for what the library does not do itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Callable, Iterator, Sequence

from ._library import Error, library

BADINPUT, BADPATH, INTERNAL = 2, 3, 9  # of sal_status
CODES = {3: BADINPUT, 5: BADPATH}  # from exit codes of the command

# The library's folder, as long as a relative path still means it; None: the loader found it.
BESIDE = os.path.dirname(os.path.abspath(library._name)) if os.sep in library._name else None


def _places() -> Iterator[str]:
    """Where it is: as SALTUS_COMMAND says; beside the library, in a build and as installed; on the PATH."""
    if "SALTUS_COMMAND" in os.environ:
        yield os.environ["SALTUS_COMMAND"]
        return
    if BESIDE is not None:
        for way in ("cli", "../bin", "../../bin"):  # build/cli; lib/, lib/x86_64-linux-gnu/
            yield os.path.normpath(os.path.join(BESIDE, way, "saltus"))
    yield shutil.which("saltus") or ""


def find() -> str:
    """Its path. Error: it is not there."""
    places = list(_places())
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    looked = ", ".join(place for place in places if place)
    raise Error(BADPATH, f"sweeps, recordings and exports need the command saltus, which is not there (looked for: "
                         f"{looked + ', ' if looked else ''}the PATH); install it (meson install -C build), or set "
                         "SALTUS_COMMAND to its path")


def _check(code: int, said: str, allowed: Sequence[int]) -> None:
    if code not in allowed:
        text = said.strip() or f"the command saltus ended with exit code {code}"
        raise Error(CODES.get(code, INTERNAL), text)


def tell(words: Sequence[str], allowed: Sequence[int] = (0,)) -> tuple[str, str]:
    """What it writes to standard output, and what it says. Error, with that: it ends with another exit code."""
    done = subprocess.run([find(), *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          errors="replace")  # names of a recording may be in another code
    _check(done.returncode, done.stderr, allowed)
    return done.stdout, done.stderr


def run(words: Sequence[str], allowed: Sequence[int] = (0,)) -> str:
    """What it writes to standard output."""
    return tell(words, allowed)[0]


def start(words: Sequence[str], watch: Callable[[subprocess.Popen], int], allowed: Sequence[int] = (0,)) -> int:
    """Its exit code, which `watch` waits for. It has a session of its own: Ctrl-C reaches this process alone, which
    then says to it what to do."""
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen([find(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                                 start_new_session=True)
        code = watch(child)
        said.seek(0)
        _check(code, said.read(), allowed)
        return code
