#!/bin/sh
# The rules of the house that a script can check, each shown to fail on a bad sample first.
# usage: style.sh ROOT SCRATCH_DIR
set -u
cd "$1" || exit 1
scratch=$2
style=$PWD/tests/style
. "$style/../verdict.sh"

sources() {
    find base signals optim physics mjcf invdyn problems identify sweeps pages cli tests bench -name '*.[ch]' ! -path "*/samples/*" | LC_ALL=C sort
}

# finds AWK_SCRIPT FILE...: in a sample, the script names exactly the lines that say `fault`
finds() {
    script=$style/$1
    shift
    (cd "$style/samples" && grep -nH fault "$@" | cut -d: -f1,2 | sort) >"$scratch/expected"
    (cd "$style/samples" && awk -f "$script" "$@" | grep -v '^note' | cut -d: -f1,2 | sort) >"$scratch/found"
    [ -s "$scratch/expected" ] && cmp "$scratch/expected" "$scratch/found"
}

# words FOLDER: forbidden words in its files
words() {
    grep -rnIE -f "$style/words.txt" --exclude-dir=.git --exclude-dir=.cache --exclude-dir='build*' \
        --exclude-dir='*.saltus' "$1"
    [ $? -eq 1 ]
}

mkdir -p "$scratch/words"
finds includes.awk base/includes.c cli/includes.c optim/includes.c physics/includes.c
verdict "includes: bad samples are found" $?
sources | xargs awk -f "$style"/includes.awk
verdict "includes: the table of the house" $?

finds sizes.awk base/sizes.c
verdict "sizes: bad samples are found" $?
awk 'BEGIN { for (i = 0; i < 801; i++) print "" }' >"$scratch/long.c"
! awk -f "$style"/sizes.awk "$scratch/long.c" >/dev/null
verdict "sizes: a long file is found" $?
sources | xargs awk -f "$style"/sizes.awk
verdict "sizes: functions and files" $?

printf 'see /wo%s/main\n' rk >"$scratch/words/sample.txt"
! (cd "$scratch/words" && words .) >/dev/null
verdict "words: a bad sample is found" $?
words .
verdict "words: nothing of the machine it was written on" $?

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
