# A public header as it is installed: the other headers of its room are put in where they are included, each once;
# of other rooms "physics/physics.h" becomes <saltus/physics.h>.
function put(path,    line, part, folder)
{
    folder = path
    sub(/\/[^\/]*$/, "", folder)
    sub(/.*\//, "", folder)
    while ((getline line < path) > 0) {
        if (line !~ /^#include "/) {
            print line
            continue
        }
        split(line, part, "\"")
        if (index(part[2], folder "/") != 1)
            print as_installed(part[2])
        else if (!seen[part[2]]++)
            put(root "/" part[2])
    }
    close(path)
}

function as_installed(header)
{
    sub(/.*\//, "", header)
    return "#include <saltus/" header ">"
}

BEGIN {
    put(ARGV[1])
}
