#!/bin/sh
# Installs into a scratch folder and uses what is there: headers, pkg-config file, shared and static library, command.
# usage: install.sh BUILD_DIR SCRATCH_DIR COMPILER...
set -u
here=$(dirname "$0")
root=$here/../..
build=$1
scratch=$2
shift 2 # "$@" is the compiler
. "$here/../verdict.sh"

rm -rf "$scratch"
mkdir -p "$scratch"
DESTDIR=$scratch/root meson install -C "$build" --no-rebuild --quiet
verdict "installs" $?

# The file names the final place; move it to the scratch folder.
pc=$(find "$scratch/root" -name saltus.pc)
lib=$(dirname "$(dirname "$pc")")
prefix=$(sed -n 's/^prefix=//p' "$pc")
mkdir -p "$scratch/pkgconfig"
sed "s|^prefix=|prefix=$scratch/root|" "$pc" >"$scratch/pkgconfig/saltus.pc"
export PKG_CONFIG_PATH="$scratch/pkgconfig"
strict="-std=c17 -Wall -Wextra -Wpedantic -Werror"

# shellcheck disable=SC2046,SC2086 # lists of flags
{
    "$@" $strict "$here/program.c" -o "$scratch/program" $(pkg-config --cflags --libs saltus) &&
        LD_LIBRARY_PATH=$lib "$scratch/program"
    verdict "a program with the shared library" $?

    "$@" $strict "$here/program.c" -o "$scratch/program-static" $(pkg-config --cflags saltus) "$lib/libsaltus.a" \
        $(pkg-config --libs $(pkg-config --print-requires-private saltus)) $(sed -n 's/^Libs.private: //p' "$pc") -lm &&
        "$scratch/program-static"
    verdict "a program with the static library" $?

    for example in balance:models/pendulum.xml landing:models/walker.xml gaits:examples/walker_gait.xml align:; do
        name=${example%:*}
        input=${example#*:}
        "$@" $strict "$root/examples/c/$name.c" -o "$scratch/$name" $(pkg-config --cflags --libs saltus) -lm &&
            LD_LIBRARY_PATH=$lib "$scratch/$name" ${input:+"$root/$input"}
        verdict "examples/c/$name.c" $?
    done

    compiler=$(command -v c++ || command -v g++ || command -v clang++)
    "$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ "$here/program.cpp" -o "$scratch/program-cpp" \
        $(pkg-config --cflags --libs saltus) && LD_LIBRARY_PATH=$lib "$scratch/program-cpp"
    verdict "a C++17 program" $?

    status=0
    for header in "$scratch/root$prefix"/include/saltus/*.h; do
        echo "#include <saltus/$(basename "$header")>" |
            "$@" $strict -fsyntax-only $(pkg-config --cflags saltus) -x c - || status=1
    done
    verdict "every header stands alone" $status
}

"$scratch/root$prefix/bin/saltus" --version
verdict "the command" $?

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
