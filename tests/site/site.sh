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

pages() {
    find "$scratch/site" -name '*.html' -exec cat {} +
}
written=$(cat README.md SECURITY.md docs/*.md | grep -o '^ *```math$\|\$`' | wc -l)
shown=$(pages | grep -o '<math ' | wc -l)
echo "  $written equations, $shown shown"
[ "$written" -gt 100 ] && [ "$written" -eq "$shown" ] && ! pages | grep -n '\$<code>\|class="math'
verdict "site: every equation is MathML" $?
pandoc_equation() {
    printf '%s\n' "$1" | pandoc --from gfm --to html5 --lua-filter site/equations.lua 2>"$scratch/said"
}
! pandoc_equation 'a $`\frac{1`$ b' && grep -q 'cannot read this TeX' "$scratch/said"
verdict "site: TeX that cannot be read is found" $?
pandoc_equation 'a $`f(x) = \left( \frac{g(x)}{2} \right)`$ b' >"$scratch/equation.html"
[ "$(grep -o 'stretchy="false"' "$scratch/equation.html" | wc -l)" -eq 4 ] && [ "$(grep -o 'stretchy="true"' "$scratch/equation.html" | wc -l)" -eq 2 ]
verdict "site: brackets grow around what is high" $?

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
