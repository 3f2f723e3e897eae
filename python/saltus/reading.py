"""Results from files, each as what it is."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import Union

from ._identified import identified_in
from ._library import Err, check, library
from .identification import Identification
from .result import Result


def result_of(pointer: c_void_p) -> Result:
    """The Result at that pointer, which it owns from now on; an Identification if it is one."""
    return Result(pointer) if identified_in(pointer) is None else Identification(pointer)


def load(path: Union[str, os.PathLike[str]]) -> Result:
    """The Result in a file result.h5, or in the folder that holds one; an Identification if parameters were
    identified."""
    path = os.fspath(path)
    if os.path.isdir(path):
        path = os.path.join(path, "result.h5")
    pointer, err = c_void_p(), Err()
    check(library.sal_request_read_result(byref(pointer), os.fsencode(path), byref(err)), err)
    return result_of(pointer)
