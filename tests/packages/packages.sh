#!/bin/sh
# Makes a Debian package and a wheel, unpacks both into a scratch folder, and uses what is there.
# usage: packages.sh ROOT SCRATCH_DIR COMPILER...
set -u
root=$1 scratch=$2
shift 2 # "$@" is the compiler
. "$root/tests/verdict.sh"
if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
    echo "skip all: dpkg-dev is not there"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi

build=$scratch/build
mkdir -p "$scratch"
rm -rf "$scratch/out" "$scratch/tree" "$scratch/python" "$scratch/home"
mkdir -p "$scratch/out" "$scratch/home"
{
    [ -f "$build/build.ninja" ] || CC="$*" meson setup "$build" "$root" -Dprefix=/usr -Dtests=false -Ddefault_library=shared -Dstrip=true
} >"$scratch/log" 2>&1 && ninja -C "$build" >>"$scratch/log" 2>&1
verdict "compiles as users install it" $?

# ---- the Debian package ----

deb=$(bash "$root/packages/deb.sh" "$root" "$build" "$scratch/out") && [ -s "$deb" ]
verdict "a Debian package" $?
first=$(sha256sum <"$deb")
bash "$root/packages/deb.sh" "$root" "$build" "$scratch/out" >/dev/null && [ "$(sha256sum <"$deb")" = "$first" ]
verdict "made again it is the same to the byte" $?

dpkg-deb -c "$deb" >"$scratch/files"
status=0
for file in /usr/bin/saltus '/usr/lib/.*/libsaltus.so.0 -> .*' /usr/include/saltus/identify.h '/usr/lib/.*/pkgconfig/saltus.pc' \
    /usr/share/man/man1/saltus.1.gz /usr/share/man/man1/saltus-solve.1.gz /usr/share/bash-completion/completions/saltus \
    /usr/share/zsh/vendor-completions/_saltus /usr/share/fish/vendor_completions.d/saltus.fish \
    /usr/share/doc/saltus/copyright /usr/share/doc/saltus/docs/command.md /usr/share/saltus/examples/walker_walk.xml \
    /usr/share/saltus/models/walker.xml; do
    grep -q " \.$file\$" "$scratch/files" || { echo "no $file" && status=1; }
done
verdict "what is in it" $status
! grep -v ' root/root ' "$scratch/files"
verdict "all of it belongs to root" $?
dpkg-deb -I "$deb" >"$scratch/control"
for library in libc6 libcholmod libhdf5 libmxml libopenblas libpng libqhull libzip; do
    grep -q "^ Depends:.*$library" "$scratch/control" || { echo "does not depend on $library" && status=1; }
done
grep -q "^ Version: $(sed -n 's/^Version: //p' "$build/meson-private/saltus.pc")\$" "$scratch/control" || status=1
verdict "its version, and what it depends on" $status
dpkg-deb -R "$deb" "$scratch/tree" && (cd "$scratch/tree" && md5sum --quiet -c DEBIAN/md5sums)
verdict "its sums" $?
! grep -rlF -e "$root/" -e "$scratch" "$scratch/tree"
verdict "nothing in it names the folder where it was built" $?

tree=$scratch/tree
library=$(dirname "$(find "$tree/usr/lib" -name libsaltus.so.0)")
saltus() {
    LD_LIBRARY_PATH=$library "$tree/usr/bin/saltus" "$@"
}
saltus --version | head -1 | grep -q "^saltus " &&
    saltus solve -q "$tree/usr/share/saltus/examples/pendulum_swingup.xml" -o "$scratch/out/swingup.saltus" &&
    saltus report "$scratch/out/swingup.saltus" -o "$scratch/out/page.html" && [ -s "$scratch/out/page.html" ]
verdict "the command solves an example of the package" $?

mkdir -p "$scratch/pkgconfig"
sed "s|^prefix=|prefix=$tree|" "$library/pkgconfig/saltus.pc" >"$scratch/pkgconfig/saltus.pc"
# without what others installed: the package brings all that a program needs
# shellcheck disable=SC2046 # a list of flags
"$@" -std=c17 -Wall -Wextra -Werror "$root/tests/install/program.c" -o "$scratch/out/program" \
    $(PKG_CONFIG_LIBDIR=$scratch/pkgconfig pkg-config --cflags --libs saltus) &&
    LD_LIBRARY_PATH=$library "$scratch/out/program" "$tree/usr/share/saltus/examples/pendulum_swingup.xml" "$scratch/out/program.h5"
verdict "a program in C" $?

# ---- the wheel ----

python=
for name in python3 /usr/bin/python3; do
    "$name" -c 'import numpy' 2>/dev/null && python=$name && break
done
if [ -z "$python" ]; then
    echo "skip the wheel: python3 with numpy is not there"
    echo "$passed passed, $failed failed, 2 skipped"
    [ "$failed" -eq 0 ]
    exit
fi
version=$(sed -n 's/^ Version: //p' "$scratch/control")
wheel=$("$python" "$root/packages/wheel.py" "$root" "$library/libsaltus.so.$version" "$version" "$scratch/out") && [ -s "$wheel" ]
verdict "a wheel" $?

# By pip where it is there; a wheel that is unpacked on the path of Python is as good.
HOME=$scratch/home "$python" -m pip --version >/dev/null 2>&1 &&
    HOME=$scratch/home "$python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-index --no-deps \
        --target "$scratch/python" "$wheel" || "$python" -m zipfile -e "$wheel" "$scratch/python"
(
    unset SALTUS_LIBRARY
    cd "$scratch/out" && PYTHONPATH=$scratch/python PYTHONDONTWRITEBYTECODE=1 "$python" - "$scratch/python" "$root" "$version" <<'END'
import importlib.metadata
import pathlib
import sys

import saltus

assert pathlib.Path(saltus.__file__).is_relative_to(sys.argv[1]), saltus.__file__
assert importlib.metadata.version("saltus") == sys.argv[3]
maps = pathlib.Path("/proc/self/maps").read_text()
assert sys.argv[1] + "/saltus/libsaltus.so.0" in maps, "another library was loaded"
result = saltus.solve(sys.argv[2] + "/examples/pendulum_swingup.xml")
assert result.status == "converged", result.status
END
)
verdict "Python solves with what is in the wheel" $?

echo "skip the package in a bare Debian: ./dev package tries it"
echo "$passed passed, $failed failed, 1 skipped"
[ "$failed" -eq 0 ]
