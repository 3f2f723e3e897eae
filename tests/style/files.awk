# Prints every file that a page names and that is not there. Arguments: pages in Markdown; this runs in the root.
#   `folder/file.ext`          a path from the root; NAME, *, and what is built are passed over
#   `build/bench/program`      has its source in bench/program.c
#   [words](page.md#place)     beside the page that names it
function there(path,    line, found)
{
    if (!(path in known)) {
        found = (getline line < path) >= 0
        close(path)
        known[path] = found
    }
    return known[path]
}

function fault(path)
{
    print FILENAME ":" FNR ": there is no file " path
    faults++
}

{
    n = split($0, part, "`")
    for (i = 2; i < n; i += 2) {
        path = part[i]
        if (path ~ /^build\/bench\/[a-z0-9_]+$/) {
            sub(/^build\//, "", path)
            path = path ".c"
        }
        if (path !~ /^[a-z_]+\/[A-Za-z0-9_.\/-]+\.[a-z0-9]+$/ || path ~ /NAME|^build/)
            continue
        paths++
        if (!there(path))
            fault(path)
    }
    rest = $0
    while (match(rest, /\]\([^)]*\)/)) {
        path = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/#.*/, "", path)
        if (path == "" || path ~ /^[a-z]+:/)
            continue
        folder = FILENAME
        if (!sub(/\/[^\/]*$/, "/", folder))
            folder = ""
        paths++
        if (!there(folder path))
            fault(folder path)
    }
}
END {
    if (paths == 0) {
        print "no page names a file"
        faults++
    }
    exit faults > 0
}
