#!/bin/sh
# The rules of the house that a script can check, each shown to fail on a bad sample first.
# usage: style.sh ROOT SCRATCH_DIR
set -u
cd "$1" || exit 1
scratch=$2
style=$PWD/tests/style
public=
. "$style/../verdict.sh"

sources() {
    find base signals optim physics mjcf invdyn problems guide runs exports identify sweeps pages cli tests bench -name '*.[ch]' ! -path "*/samples/*" | LC_ALL=C sort
}

# The public header of each room, ROOM/ROOM.h, and the headers of the room that it includes.
public_headers() {
    for room in base signals optim physics mjcf invdyn problems guide runs exports identify sweeps pages; do
        echo "$room/$room.h"
    done | awk 'function put(header,    room, line, part) {
             if (seen[header]++)
                 return
             print header
             room = header
             sub(/\/.*/, "/", room)
             while ((getline line < header) > 0)
                 if (line ~ /^#include "/ && split(line, part, "\"") && index(part[2], room) == 1)
                     put(part[2])
             close(header)
         }
         { put($0) }'
}

# Every word of the house, in the order in which names.awk wants files.
by_kind() {
    public_headers
    sources | grep '\.h$' | grep -vxF "$(public_headers)"
    sources | grep '\.c$'
}

# run AWK_SCRIPT FILE...
run() {
    LC_ALL=C awk -v public="$public" -f "$style/code.awk" -f "$style/$@"
}

# Fails for folders with more than 60 of the files that stand at the input.
crowded() {
    sed 's|/[^/]*$||' | sort | uniq -c | awk '$1 > 60 { print $2 ": " $1 " files of C; at most 60"; bad = 1 } END { exit bad }'
}

# finds AWK_SCRIPT FILE...: in samples, the script names exactly the lines that say `fault`
finds() {
    script=$1
    shift
    (cd "$style/samples" && grep -nH fault "$@" | cut -d: -f1,2 | sort) >"$scratch/expected"
    (cd "$style/samples" && run "$script" "$@" | grep -v '^note' | cut -d: -f1,2 | sort) >"$scratch/found"
    [ -s "$scratch/expected" ] && cmp "$scratch/expected" "$scratch/found"
}

# words FOLDER: forbidden words in its files
words() {
    grep -rnIE -f "$style/words.txt" --exclude-dir=.git --exclude=.git --exclude-dir=.cache --exclude-dir='build*' \
        --exclude-dir='*.saltus' "$1"
    [ $? -eq 1 ]
}

mkdir -p "$scratch/words"
finds includes.awk base/includes.c cli/includes.c optim/includes.c physics/includes.c
verdict "includes: bad samples are found" $?
run includes.awk $(sources)
verdict "includes: the table of the house" $?

finds sizes.awk base/sizes.c
verdict "sizes: bad samples are found" $?
awk 'BEGIN { for (i = 0; i < 701; i++) print "" }' >"$scratch/long.c"
! run sizes.awk "$scratch/long.c" >/dev/null
verdict "sizes: a long file is found" $?
run sizes.awk $(sources)
verdict "sizes: functions and files" $?

! { yes tests/room/test.c | head -61 | crowded; } >/dev/null && yes tests/room/test.c | head -60 | crowded
verdict "sizes: a folder of 61 files is found" $?
sources | crowded
verdict "sizes: folders" $?

public=optim/optim.h
finds names.awk optim/optim.h optim/names.h physics/names.h physics/names_two.h tests/names.h tests/names_two.h optim/names.c
verdict "names: bad samples are found" $?
public=$(public_headers)
run names.awk $(by_kind)
verdict "names: one word, one meaning" $?

page=docs/developing.md
# The page with the drawing of the house as it is now, between the lines that begin and end it.
drawn() {
    run includes.awk -f "$style/house.awk" >"$scratch/house.txt" &&
        awk -v house="$scratch/house.txt" '
            /^<!-- end of the house -->/ { on = 0 }
            !on { print }
            /^<!-- the house -->/ { on = 1; print "```text"; while ((getline line < house) > 0) print line; print "```" }' "$page"
}
drawn >"$scratch/page.md"
[ "${SALTUS_UPDATE:-0}" = 1 ] && cp "$scratch/page.md" "$page"
[ "$(grep -c -- '->' "$scratch/house.txt")" -gt 9 ] && cmp "$page" "$scratch/page.md"
verdict "house: its drawing in $page (SALTUS_UPDATE=1 draws it anew)" $?
(cd "$style/samples" && ! run places.awk places.md >"$scratch/found")
[ "$(grep -c . "$scratch/found")" -eq 3 ]
verdict "places: bad samples are found" $?
run places.awk "$page" docs/concepts.md
verdict "places: files and words that $page and docs/concepts.md name" $?

(cd "$style/samples" && ! run files.awk files.md >"$scratch/found")
[ "$(grep -c . "$scratch/found")" -eq 3 ]
verdict "files: bad samples are found" $?
run files.awk README.md docs/*.md
verdict "files: what pages name is there" $?

(cd "$style/samples" && ! run math.awk math.md >"$scratch/found")
[ "$(grep -c '^math.md:' "$scratch/found")" -eq 7 ]
verdict "math: bad samples are found" $?
run math.awk README.md SECURITY.md docs/*.md
verdict "math: equations of pages are shown as mathematics" $?
(cd "$style/samples" && ! run heads.awk heads.md >"$scratch/found")
[ "$(grep -c '^heads.md:' "$scratch/found")" -eq 2 ]
verdict "heads: bad samples are found" $?
run heads.awk README.md SECURITY.md docs/*.md
verdict "heads: every column of a table has a name" $?

printf 'see /wo%s/main\n' rk >"$scratch/words/sample.txt"
! (cd "$scratch/words" && words .) >/dev/null
verdict "words: a bad sample is found" $?
words .
verdict "words: nothing of the machine it was written on" $?

printf 'sal_fail(err, SAL_BADINPUT, "the %%s is about nothing");\n' >"$scratch/phrases.c"
grep -nF -f "$style/phrases.txt" "$scratch/phrases.c" >/dev/null
verdict "phrases: a bad sample is found" $?
! sources | grep -v '^tests/' | xargs grep -nF -f "$style/phrases.txt"
verdict "phrases: no riddles in messages" $?

# What tests expect with SAYS is said by the product: also by tests that only the slow suite runs.
mkdir -p "$scratch/says/tests"
printf 'print("%%s is %%d m deep in %%s");\n' >"$scratch/says/product.c"
printf 'SAYS(out, "it is 3 m deep in it");\nSAYS(out, "it is 3 m beneath a box");\n' >"$scratch/says/tests/a.c"
(cd "$scratch/says" && ! LC_ALL=C awk -f "$style/says.awk" product.c tests/a.c >found; [ "$(grep -c 'does not say' found)" -eq 1 ] && grep -q '^tests/a.c:2: ' found)
verdict "says: a text that no one says is found" $?
LC_ALL=C awk -f "$style/says.awk" $(sources | grep -v '^bench/')
verdict "says: tests expect what the product says" $?
printf '| `is 3 m deep` | why | help |\n| `print` | why | help |\n' >"$scratch/says/page.md"
(cd "$scratch/says" && ! LC_ALL=C awk -f "$style/messages.awk" page.md product.c >found; grep -q '^page.md:1: no source says: is 3 m deep' found && [ "$(grep -c says found)" -eq 1 ])
verdict "messages: one that no one says is found" $?
LC_ALL=C awk -f "$style/messages.awk" docs/troubleshooting.md $(sources | grep -v '^bench/\|^tests/') python/saltus/*.py
verdict "messages: those of docs/troubleshooting.md are the product's" $?

tasks() {
    LC_ALL=C awk -f "$style/tasks.awk" "$1"
}
# In the sample, each of five tasks fails for another reason, and one link leads to no heading.
(cd "$style/samples/tasks" && ! tasks list.txt) >"$scratch/found"
cut -d: -f1 "$scratch/found" | sort | cmp - "$style/samples/tasks/found.txt"
verdict "tasks: bad samples are found" $?
tasks "$style/tasks.txt"
verdict "tasks: README.md leads to what people come for" $?

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
