"""Arrays of the library as numpy arrays that share its memory."""

import ctypes

import numpy as np

KINDS = {"d": (ctypes.c_double, np.float64), "i": (ctypes.c_int, np.int32), "f": (ctypes.c_float, np.float32),
         "c": (ctypes.c_char, np.dtype("S1"))}


def view(owner, address, shape, kind="d"):
    """A read-only array of that shape; it keeps `owner` alive, whose memory it is."""
    ctype, dtype = KINDS[kind]
    n = int(np.prod(shape))
    if n == 0 or not address:
        return np.empty(shape, dtype)
    memory = (ctype * n).from_address(address)
    memory._owner = owner
    array = np.frombuffer(memory, dtype).reshape(shape)
    array.flags.writeable = False
    return array


def as_rows(array, ncol, name):
    """A C-contiguous array [n x ncol] of doubles; a single row is allowed."""
    rows = np.ascontiguousarray(array, dtype=np.float64)
    rows = rows.reshape(1, -1) if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] != ncol:
        raise ValueError(f"{name} has the shape {np.shape(array)}; expected [n x {ncol}]")
    return rows
