#!/usr/bin/env python3
"""Makes a wheel of the package saltus with the shared library in it (binary distribution format, PEP 427).

    wheel.py SOURCE_DIR LIBRARY VERSION OUTPUT_DIR

The library asks for the libraries of the system that it was built on, which no wheel for all systems of Linux may: so the
platform is that of this machine, and METADATA names what is needed."""

import base64
import hashlib
import pathlib
import subprocess
import sys
import sysconfig
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file: the same sources give the same wheel

METADATA = """\
Metadata-Version: 2.1
Name: saltus
Version: {version}
Summary: Trajectory optimization through contact
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: plot
Requires-Dist: matplotlib; extra == "plot"
{external}Description-Content-Type: text/markdown

This wheel contains the shared library of saltus. It needs these libraries of the system:
{needed}.
On Debian 12 the package saltus (saltus_{version}_*.deb) brings them; without it:

    {install}

"""


def needed_by(library):
    """The names of the shared libraries that the library asks for."""
    lines = subprocess.run(["objdump", "-p", library], check=True, capture_output=True, text=True).stdout.splitlines()
    return [words[1] for words in map(str.split, lines) if len(words) == 2 and words[0] == "NEEDED"]


def packages_of(library, names):
    """The Debian packages that hold them here; none where this is no Debian."""
    found = set()
    lines = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout.splitlines()
    paths = {line.split()[0]: line.split()[2] for line in lines if "=> /" in line}
    for name in names:
        path = pathlib.Path(paths.get(name, "/nonexistent")).resolve()
        for form in {str(path), str(path).removeprefix("/usr")}:  # /lib is a link to /usr/lib
            try:
                answer = subprocess.run(["dpkg-query", "-S", form], capture_output=True, text=True)
            except FileNotFoundError:
                return []
            if answer.returncode == 0:
                found.add(answer.stdout.split(":")[0])
    return sorted(found)


def metadata(source, library, version):
    names = needed_by(library)
    packages = packages_of(library, names)
    external = "".join(f"Requires-External: {name}\n" for name in names)
    install = "apt-get install " + " ".join(packages) if packages else "(install them as your system does)"
    head = METADATA.format(version=version, external=external, needed=", ".join(names), install=install)
    return head + (source / "docs" / "python.md").read_text(encoding="utf-8")


def main(source, library, version, output):
    source = pathlib.Path(source)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag, info = f"py3-none-{platform}", f"saltus-{version}.dist-info"
    files = {f"saltus/{path.name}": path.read_bytes() for path in sorted((source / "python" / "saltus").glob("*.py"))}
    files["saltus/libsaltus.so.0"] = pathlib.Path(library).read_bytes()
    files[f"{info}/METADATA"] = metadata(source, library, version).encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: saltus\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    files[f"{info}/LICENSE"] = (source / "LICENSE").read_bytes()
    files[f"{info}/licences.md"] = (source / "docs" / "licences.md").read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path = pathlib.Path(output) / f"saltus-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(path.resolve())


if __name__ == "__main__":
    main(*sys.argv[1:])
