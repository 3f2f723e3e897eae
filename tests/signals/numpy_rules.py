"""Reads an .npz by the rules of NumPy's format (numpy.lib.format, version 1.0), with the standard library alone; where
NumPy itself is there, it has to read the same.

    arrays = load(path)                  {name: Array(descr, shape, values)}, values flat and by rows
    python3 numpy_rules.py FILE          shows them; exit code 1 and a reason where a rule is broken
"""
import ast
import struct
import sys
import zipfile
from collections import namedtuple

Array = namedtuple("Array", "descr shape values")


def need(truth, what):
    if not truth:
        raise SystemExit("numpy_rules: " + what)


def numbers(descr, data, n):
    kinds = {"<f8": "d", "<f4": "f", "<i8": "q", "|u1": "B"}
    if descr[:2] == "<U":
        width = 4 * int(descr[2:])
        need(len(data) == n * width, "words of %d bytes, %d are there" % (n * width, len(data)))
        return [data[i * width:(i + 1) * width].decode("utf-32-le").rstrip("\0") for i in range(n)]
    need(descr in kinds, "type " + descr)
    form = "<%d%s" % (n, kinds[descr])
    need(len(data) == struct.calcsize(form), "%s wants %d bytes, %d are there" % (descr, struct.calcsize(form), len(data)))
    return list(struct.unpack(form, data))


def array(name, bytes_):
    need(bytes_[:6] == b"\x93NUMPY", name + ": magic")
    need(bytes_[6:8] == b"\1\0", name + ": version")
    length = struct.unpack("<H", bytes_[8:10])[0]
    need((10 + length) % 64 == 0, name + ": the numbers do not begin at a multiple of 64")
    text = bytes_[10:10 + length].decode("latin1")
    need(text[-1] == "\n", name + ": the header does not end with a line feed")
    header = ast.literal_eval(text)
    need(sorted(header) == ["descr", "fortran_order", "shape"], name + ": keys")
    need(header["fortran_order"] is False, name + ": order")
    shape = header["shape"]
    need(isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape), name + ": shape")
    n = 1
    for size in shape:
        n *= size
    return Array(header["descr"], shape, numbers(header["descr"], bytes_[10 + length:], n))


def load(path):
    found = {}
    with zipfile.ZipFile(path) as archive:
        need(archive.testzip() is None, "checksum")
        for info in archive.infolist():
            need(info.filename.endswith(".npy"), info.filename)
            need(info.date_time[:3] == (1980, 1, 1), info.filename + ": its date is %s" % (info.date_time,))
            found[info.filename[:-4]] = array(info.filename, archive.read(info))
    try:
        import numpy
    except ImportError:
        return found
    with numpy.load(path, allow_pickle=False) as theirs:
        need(sorted(theirs.files) == sorted(found), "names that NumPy reads")
        for name, ours in found.items():
            same = theirs[name]
            need(same.dtype.str == ours.descr and same.shape == ours.shape, name + ": NumPy's type and shape")
            need(numpy.array_equal(same.ravel(), numpy.array(ours.values, dtype=same.dtype), equal_nan=same.dtype.kind == "f"),
                 name + ": NumPy's values")
    return found


if __name__ == "__main__":
    for key, a in load(sys.argv[1]).items():
        print(key, a.descr, a.shape, a.values)
