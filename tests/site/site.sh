#!/bin/sh
# Makes the site: every page of docs/ is in it and in its list of pages, and no link leads nowhere.
# usage: site.sh ROOT SCRATCH_DIR
set -u
cd "$1" || exit 1
scratch=$2
. tests/verdict.sh
if ! command -v pandoc >/dev/null; then
    echo "skip all: pandoc is not there"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
mkdir -p "$scratch"

sh site/site.sh "$scratch/site" >"$scratch/said"
made=$?
cat "$scratch/said"
verdict "site: every link leads somewhere" "$made"

lacking=0
for page in docs/*.md; do
    html=$(echo "$page" | sed 's/README\.md$/index.md/; s/\.md$/.html/')
    [ -s "$scratch/site/$html" ] || { echo "  no page $html"; lacking=1; }
    [ "$page" = docs/README.md ] || grep -q "<li><a href=\"$html\"" "$scratch/site/index.html" ||
        { echo "  $html is not in the list of pages"; lacking=1; }
done
verdict "site: every page of docs/ is there, and in the list" "$lacking"

# Three faults, of three kinds
rm -rf "$scratch/broken"
mkdir "$scratch/broken"
echo '<p id="here"><a href="#here">good</a> <a href="#there">1</a> <a href="b.html">2</a> <img src="../site/page.css">' \
    >"$scratch/broken/a.html"
! python3 site/check.py "$scratch/broken" >"$scratch/said"
[ $? -eq 0 ] && [ "$(grep -c '^a.html:1: there is no' "$scratch/said")" -eq 3 ]
verdict "site: links that lead nowhere are found" $?

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
