#!/bin/sh
# README.md, SECURITY.md and the pages of docs/ as a site: pages in HTML that need no server. Runs in the root.
# usage: site.sh FOLDER
set -eu
out=$1
rm -rf "$out"
mkdir -p "$out/docs"
cp site/page.css "$out/"
# Brackets, roots and sums grow with what they hold only in a font that is made for mathematics; not every reader has one.
font=/usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf # Debian: fonts-stix
if [ -f "$font" ]; then
    cp "$font" "$out/math.otf"
    cp /usr/share/doc/fonts-stix/copyright "$out/math.otf.licence.txt"
fi
cp -r docs/robots docs/hero docs/contact_models "$out/docs/"

# make PAGE: README.md becomes index.html
make() {
    case $1 in
    docs/*) root=../ ;;
    *) root= ;;
    esac
    to=$out/$(echo "$1" | sed 's/README\.md$/index.md/; s/\.md$/.html/')
    pandoc --from gfm --to html5 --template site/page.html --lua-filter site/equations.lua \
        --lua-filter site/page.lua --no-highlight --fail-if-warnings --toc --toc-depth 3 \
        --variable root="$root" --variable nav="$(LC_ALL=C awk -v page="$1" -v root="$root" -f site/nav.awk docs/README.md)" \
        --output "$to" "$1"
}

for page in README.md SECURITY.md docs/*.md; do
    make "$page"
done
python3 site/check.py "$out"
