# Prints every table of a page whose head has a cell without a word: who hears the page read would not know what stands in
# that column. Arguments: pages in Markdown.
FNR == 1 { line = "" }
/^\|[-:| ]+\|$/ && line ~ /^\|/ {
    tables++
    if (line ~ /\| *\|/) {
        print FILENAME ":" FNR - 1 ": a column without a name: " line
        faults++
    }
}
{ line = $0 }
END {
    if (!tables)
        print "no table"
    exit faults > 0 || !tables
}
