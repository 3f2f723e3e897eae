#!/bin/sh
# The manual pages: one for each verb, with all of its options and exit codes; examples that the verbs understand; and
# no complaint of the programs that show such pages.
# usage: manual.sh SALTUS FOLDER_OF_PAGES
set -u
saltus=$1 pages=$2
. "$(dirname "$0")/../verdict.sh"
skipped=0

verbs=$("$saltus" help | awk '/^  [a-z]/ { print $1 }')

# text PAGE: as it is read
text() {
    groff -man -Tascii -P-cbou "$1"
}

status=0
for verb in $verbs; do
    [ -s "$pages/saltus-$verb.1" ] || { echo "no page of $verb" && status=1; }
done
[ "$(find "$pages" -name '*.1' | wc -l)" -eq $(($(echo "$verbs" | wc -w) + 1)) ] && [ -n "$verbs" ] || status=1
verdict "a page for each verb, and one for the command" $status

# Options as in `help`; what is said in an example after `saltus VERB` are options of that verb.
status=0
for verb in $verbs; do
    options=$("$saltus" help "$verb" | awk '/^  -/ { print $1 }')
    for option in $options; do
        sed 's/\\-/-/g' "$pages/saltus-$verb.1" | grep -qxF -e ".TP" -e "\\fB$option\\fR" ||
            { echo "$verb: no $option" && status=1; }
    done
    [ -n "$options" ] || status=1
done
verdict "all options" $status

status=0
for verb in $verbs; do
    "$saltus" help "$verb" | sed -n '/^for example:/,/^$/p' | tr '&|' '\n\n' | sed -n 's/.*saltus \([a-z].*\)/\1/p' |
        while read -r name words; do
            for word in $words; do
                case $word in
                -?*) "$saltus" help "$name" | grep -q "^  $word " || echo "$verb: $name does not take $word" ;;
                esac
            done
        done | grep . && status=1
    "$saltus" help "$verb" | sed -n '/^for example:/,/^$/p' | grep -q "^  .*saltus $verb" || status=1
done
verdict "the examples use options that are there" $status

if command -v groff >/dev/null; then
    for page in "$pages"/*.1; do
        groff -ww -man -Tascii "$page" 2>&1 >/dev/null
    done | grep .
    verdict "groff does not complain" $((! $?))
    text "$pages/saltus-solve.1" | grep -q '^ *--threads N' && text "$pages/saltus-solve.1" | grep -q '^ *130 ' &&
        text "$pages/saltus-table.1" | grep -q 'saltus table speeds.sweep --where speed>=1 --sort cost'
    verdict "what groff shows" $?
else
    echo "skip groff is not there"
    skipped=$((skipped + 2))
fi
if command -v mandoc >/dev/null; then
    mandoc -Tlint "$pages"/*.1
    verdict "mandoc does not complain" $?
else
    echo "skip mandoc is not there"
    skipped=$((skipped + 1))
fi
"$saltus" manual sovle 2>&1 | grep -q "unknown verb 'sovle'; did you mean 'solve'?"
verdict "an unknown verb" $?

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
