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
problem=$root/examples/pendulum_swingup.xml
include=$scratch/root$prefix/include/saltus
strict="-std=c17 -Wall -Wextra -Wpedantic -Werror"

# shellcheck disable=SC2046,SC2086 # lists of flags
{
    "$@" $strict "$here/program.c" -o "$scratch/program" $(pkg-config --cflags --libs saltus) &&
        LD_LIBRARY_PATH=$lib "$scratch/program" "$problem" "$scratch/result.h5"
    verdict "a program with the shared library" $?

    # in the order of pkg-config --static: what others need comes after them
    "$@" $strict "$here/program.c" -o "$scratch/program-static" $(pkg-config --cflags saltus) "$lib/libsaltus.a" \
        $(sed -n 's/^Libs.private: //p' "$pc") $(pkg-config --libs $(pkg-config --print-requires-private saltus)) -lm &&
        "$scratch/program-static" "$problem" "$scratch/result.h5"
    verdict "a program with the static library" $?

    for example in balance:models/pendulum.xml landing:models/walker.xml gaits:examples/walker_gait.xml \
        own_cost:examples/c/own_cost.xml align:; do
        name=${example%:*}
        input=${example#*:}
        "$@" $strict "$root/examples/c/$name.c" -o "$scratch/$name" $(pkg-config --cflags --libs saltus) -lm &&
            LD_LIBRARY_PATH=$lib "$scratch/$name" ${input:+"$root/$input"}
        verdict "examples/c/$name.c" $?
    done

    compiler=$(command -v c++ || command -v g++ || command -v clang++)
    "$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ "$here/program.cpp" -o "$scratch/program-cpp" \
        $(pkg-config --cflags --libs saltus) && LD_LIBRARY_PATH=$lib "$scratch/program-cpp" "$problem"
    verdict "a C++17 program" $?

    status=0
    for header in "$include"/*.h; do
        echo "#include <saltus/$(basename "$header")>" |
            "$@" $strict -fsyntax-only $(pkg-config --cflags saltus) -x c - || status=1
    done
    verdict "every header stands alone" $status

    # Users know these types as pointers only.
    for type in sal_problem sal_result sal_identification; do
        code="#include <saltus/identify.h>
extern char size[sizeof($type"
        echo "$code *)];" | "$@" $strict -fsyntax-only $(pkg-config --cflags saltus) -x c - &&
            ! echo "$code)];" | "$@" $strict -fsyntax-only $(pkg-config --cflags saltus) -x c - 2>"$scratch/opaque.txt" &&
            grep -q "incomplete type.*$type" "$scratch/opaque.txt"
        verdict "$type is opaque" $?
    done
}

"$scratch/root$prefix/bin/saltus" --version
verdict "the command" $?

share=$scratch/root$prefix/share
[ -s "$share/man/man1/saltus.1" ] && [ -s "$share/man/man1/saltus-solve.1" ]
verdict "manual pages" $?
[ -s "$share/bash-completion/completions/saltus" ] && [ -s "$share/zsh/site-functions/_saltus" ] &&
    [ -s "$share/fish/vendor_completions.d/saltus.fish" ]
verdict "completion for three shells" $?

echo base identify invdyn mjcf optim physics problems | tr ' ' '\n' | sed 's/$/.h/' >"$scratch/listed.txt"
(cd "$scratch/root$prefix/include" && find . -type f | sed 's|^./saltus/||' | LC_ALL=C sort) >"$scratch/headers.txt"
diff "$scratch/listed.txt" "$scratch/headers.txt"
verdict "the headers that are listed here are installed, and no others" $?

# The functions that the shared library exports are those that these headers declare.
nm -D --defined-only "$lib/libsaltus.so" | sed 's/.* //; s/@.*//' | grep '^sal_' | LC_ALL=C sort -u >"$scratch/exported.txt"
sed -n 's/^SAL_API.*[ *]\(sal_[a-z0-9_]*\)(.*/\1/p' "$include"/*.h | LC_ALL=C sort -u >"$scratch/declared.txt"
[ -s "$scratch/exported.txt" ] && diff "$scratch/exported.txt" "$scratch/declared.txt"
verdict "the shared library exports what the headers declare" $?

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
