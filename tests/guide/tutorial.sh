#!/bin/sh
# Follows docs/tutorial.md to the letter, in a folder of its own: its files are written, its commands
# run, and what they print is compared with what the page says. A line ".." of the page stands for
# any lines. The last digits of a number depend on the processor (by OpenBLAS), and so do what is only
# rounding, and the step where that is largest.
#
# usage: tutorial.sh ROOT BUILD
set -eu
root=$1
PATH=$2/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/here" "$work/steps"

# steps/NN.sh and what is expected of it, steps/NN.txt; files go to here/
awk -v here="$work/here" -v steps="$work/steps" '
    /^```/ && out != "" { close(out); out = ""; next }
    /^```sh$/           { out = sprintf("%s/%02d.sh", steps, ++n); next }
    /^```text$/         { out = sprintf("%s/%02d.txt", steps, n); next }
    /^```xml /          { out = here "/" $2; next }
    /^```/              { out = "/dev/null"; next }
    out != ""           { print > out }
' "$root/docs/tutorial.md"

# Whether the lines of $1 are those of $2, in order
compare() {
    awk -v expected="$1" '
        function is_number(x) { return x ~ /^[-+]?[0-9]*[.]?[0-9]+(e[-+]?[0-9]+)?$/ }
        function size(x) { return x < 0 ? -x : x }
        function near(x, y) {
            return is_number(x) && is_number(y) && \
                   (size(x - y) <= 1e-9 * size(x) || size(x) < 1e-9 && size(y) < 1e-9)
        }
        function alike(a, b,  i, n, x, y) {
            if (a ~ /largest error/) {
                sub(/ [(]step .*/, "", a)
                sub(/ [(]step .*/, "", b)
            }
            n = split(a, x, /[ ,]+/)
            if (split(b, y, /[ ,]+/) != n) return 0
            for (i = 1; i <= n; i++) if (x[i] != y[i] && !near(x[i], y[i])) return 0
            return 1
        }
        { line[++n] = $0 }
        END {
            at = 1
            while ((getline want < expected) > 0) {
                if (want == "..") { skip = 1; continue }
                while (skip && at <= n && !alike(want, line[at])) at++
                if (at > n || !alike(want, line[at])) {
                    print "     expected: " want
                    print "     found:    " (at > n ? "nothing more" : line[at])
                    exit 1
                }
                at++
                skip = 0
            }
            if (!skip && at <= n) {
                print "     more than the page says: " line[at]
                exit 1
            }
        }
    ' "$2"
}

passed=0
failed=0
cd "$work/here"
for step in "$work"/steps/*.sh; do
    name=${step%.sh}
    [ -f "$name.txt" ] || : > "$name.txt"
    good=1
    sh -e "$step" > "$name.out" 2>&1 || good=0
    if grep -q . "$name.txt"; then
        compare "$name.txt" "$name.out" || good=0
    fi
    if [ $good = 1 ]; then
        echo "ok   $(head -1 "$step")"
        passed=$((passed + 1))
    else
        cat "$step" "$name.out"
        echo "FAIL $(head -1 "$step")"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ] && [ $passed -ge 15 ]
