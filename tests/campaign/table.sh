#!/bin/sh
# Writes the table between the two marks of docs/reliability.md: parts.txt says what the parts are, TALLY how much was
# tried, and findings.txt, which is written by hand, what was found and mended.
# usage: table.sh TALLY PAGE
here=$(dirname "$(readlink -f "$0")")
awk -F '\t' -v findings="$here/findings.txt" -v tally="$1" '
    function thousands(n,  s) {
        s = sprintf("%d", n)
        while (match(s, /[0-9][0-9][0-9][0-9]($|,)/))
            s = substr(s, 1, RSTART) "," substr(s, RSTART + 1)
        return s
    }
    function table(  i, p, runs) {
        print ""
        print "| what is tried | how many | time, h | found | mended | last at commit |"
        print "|---|---|---|---|---|---|"
        for (i = 1; i <= n; i++) {
            p = part[i]
            runs = (seen[p] > 0) ? " (" seen[p] " in its runs)" : ""
            printf("| %s | %s %s | %.2f | %d%s | %d | %s |\n", title[p], thousands(tried[p]), unit[p], time[p] / 3600,
                found[p], runs, mended[p], at[p] == "" ? "-" : at[p])
        }
        print ""
        print "What was found:"
        print ""
        for (i = 1; i <= nfinding; i++)
            print finding[i]
        print ""
    }
    FILENAME ~ /parts\.txt$/ { part[++n] = $1; title[$1] = $2; unit[$1] = $3; next }
    FILENAME == tally { tried[$1] = $2; seen[$1] = $3; time[$1] = $4; at[$1] = $5; next }
    FILENAME == findings {
        found[$1]++
        mended[$1] += $2 != ""
        finding[++nfinding] = "- " $3 " " ($2 == "" ? "Not mended yet." : "Mended in " $2 ".")
        next
    }
    /^<!-- campaign -->$/ { print; table(); skipping = 1; next }
    /^<!-- end of the campaign -->$/ { skipping = 0 }
    !skipping { print }
' "$here/parts.txt" "$1" "$here/findings.txt" "$2" >"$2.new" && mv "$2.new" "$2"
