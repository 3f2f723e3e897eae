# Prints every row of a table of a page that names a file which is not there, or words that it does not hold:
#   | .. | `folder/file.c` | `words`, `others` | .. |        files are paths from the root, where this runs
function fault(why)
{
    print FILENAME ":" FNR ": " why
    faults++
}

function text_of(path,    line, text)
{
    if (!(path in content)) {
        text = ""
        while ((getline line < path) > 0)
            text = text line "\n"
        close(path)
        content[path] = text
    }
    return content[path]
}

/^\|/ {
    n = split($0, cell, "|")
    for (i = 2; i < n; i++) {
        path = cell[i]
        if (path !~ /^ `[a-z0-9_]+\/[a-z0-9_\/]*\.[a-z]+` $/)
            continue
        gsub(/[ `]/, "", path)
        rows++
        if (text_of(path) == "")
            fault("there is no file " path)
        m = split(cell[i + 1], word, "`")
        if (m < 3)
            fault("no words to look for in " path)
        for (k = 2; k <= m; k += 2)
            if (text_of(path) != "" && index(text_of(path), word[k]) == 0)
                fault(path " does not say '" word[k] "'")
        next
    }
}
END {
    if (rows == 0)
        fault("no row names a file")
    exit faults > 0
}
