#!/bin/sh
# What bash, zsh and fish complete, in the shells themselves.
# usage: completion.sh SALTUS SCRATCH_DIR
set -u
saltus=$(readlink -f "$1") scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../verdict.sh"
skipped=0
rm -rf "$scratch" "$scratch-home"
mkdir -p "$scratch/sub" "$scratch/functions"
cd "$scratch" || exit 1
touch walk.xml 'two words.xml' walk.h5 clip.csv note.txt
"$saltus" completion bash >saltus.bash && "$saltus" completion zsh >functions/_saltus &&
    "$saltus" completion fish >saltus.fish
verdict "is written" $?
"$saltus" completion csh 2>said
[ $? -eq 2 ] && grep -q "the shell must be bash, zsh or fish; it is 'csh'" said
verdict "an unknown shell" $?

# offers SHELL EXPECTED WORD...: the words that are offered for the last one are those
offers() {
    shell=$1 expected=$2
    shift 2
    found=$("$shell"_offers "$@" | LC_ALL=C sort | paste -sd' ' -)
    [ "$found" = "$expected" ]
    verdict "$shell: saltus $*: $expected" $?
    [ "$found" = "$expected" ] || echo "     found: $found"
}

bash_offers() {
    bash -c 'source ./saltus.bash
        COMP_WORDS=(saltus "$@") COMP_CWORD=$#
        eval "$(complete -p saltus | sed "s/.*-F \([a-z_]*\) .*/\1/")"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# Folders end with a slash there, and descriptions follow after a tab.
fish_offers() {
    line=saltus
    for word in "$@"; do
        line="$line $word"
    done
    HOME=$scratch-home XDG_CONFIG_HOME=$scratch-home XDG_DATA_HOME=$scratch-home fish --no-config -c "source saltus.fish; complete -C '$line'" |
        sed 's/\t.*//; s,/$,,'
}

each_shell() {
    offers "$1" "solve" so
    offers "$1" "--threads" solve --thr
    offers "$1" "functions sub two words.xml walk.xml" solve ""
    offers "$1" "walk.xml" solve walk
    offers "$1" "functions sub" table ""
    offers "$1" "walk.h5" report wa
    offers "$1" "clip.csv" import cl
    offers "$1" "gains gltf" export walk.h5 --to g
    offers "$1" "jump" new robot.xml --task ju
    offers "$1" "hold linear" simulate m.xml --interpolate ""
    offers "$1" "convex" simulate m.xml --contact-model conv
    offers "$1" "csv json md" table sub --format ""
    offers "$1" "bash fish zsh" completion ""
    offers "$1" "note.txt" solve walk.xml -o no
    offers "$1" "sliding" explain slid
    offers "$1" "" solve walk.xml --threads ""
}

each_shell bash
for verb in $("$saltus" help | awk '/^  [a-z]/ { print $1 }'); do
    bash_offers "$verb" - | LC_ALL=C sort >found
    "$saltus" help "$verb" | awk '/^  -/ { print $1 }' | LC_ALL=C sort >expected
    [ -s expected ] && cmp -s found expected || echo "$verb"
done >differ
[ ! -s differ ]
verdict "bash: all options of all verbs" $?

if command -v fish >/dev/null; then
    each_shell fish
else
    echo "skip fish is not there"
    skipped=$((skipped + 1))
fi

# Only a terminal makes zsh complete.
if command -v zsh >/dev/null; then
    for case in 'so|saltus solve ' 'solve --thr|saltus solve --threads ' 'solve wa|saltus solve walk.xml ' \
        'report wa|saltus report walk.h5 ' 'export walk.h5 --to gl|saltus export walk.h5 --to gltf '; do
        zsh -f "$here/completion.zsh" "$scratch/functions" "saltus ${case%|*}" "${case#*|}"
        verdict "zsh: ${case#*|}" $?
    done
else
    echo "skip zsh is not there"
    skipped=$((skipped + 1))
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
