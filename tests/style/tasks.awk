# Prints every task of a list that a reader of README.md is not led to by three links. Argument: the list; this runs in
# the root. A line of it:
#   task | docs/page.md#heading | words ; other words
# Led to means: one follows links of the text, and the last of at most three is to that heading. The part of the page
# under the heading, up to the next one that is not deeper, has to hold the words. Links to headings that are not there
# are printed, too.
#   page[..]          the pages in the order in which one comes to them, README.md first
#   links[page]       how many links one follows to the page
#   links[page#place] the same for one of its headings
#   part[page#place]  the text under a heading
BEGIN {
    FS = " \\| "
    enter("README.md", 0)
    for (k = 1; k <= npage; k++)
        read_page(page[k])
    for (k = 1; k <= nplace; k++)
        if (!(place[k] in part))
            fault(source[place[k]] ": there is no heading " place[k])
}

function fault(why)
{
    print why
    faults++
}

function enter(name, n)
{
    if (!(name in links)) {
        links[name] = n
        page[++npage] = name
    }
}

# The name that a heading has in links to it: that of GitHub
function place_of(heading,    name, n)
{
    name = tolower(heading)
    gsub(/[^a-z0-9_ -]/, "", name)
    gsub(/ /, "-", name)
    n = seen[FILE, name]++
    return n ? name "-" n : name
}

# A heading ends the parts that are not above it, and begins one.
function begin_part(line,    level, k)
{
    level = match(line, /[^#]/) - 1
    for (k = level; k <= 6; k++)
        open[k] = ""
    open[level] = FILE "#" place_of(substr(line, level + 2))
    part[open[level]] = ""
    if (level == 1) {
        open[1] = FILE # all of the page
        part[FILE] = ""
    }
}

# Follows the links of a paragraph: only to pages of ours
function follow(text,    to, folder)
{
    while (match(text, /\]\([^)]*\)/)) {
        to = substr(text, RSTART + 2, RLENGTH - 3)
        text = substr(text, RSTART + RLENGTH)
        if (to ~ /^[a-z]+:/ || to !~ /(^|\.md)(#|$)/)
            continue
        folder = FILE
        if (!sub(/[^\/]*$/, "", folder))
            folder = ""
        to = to ~ /^#/ ? FILE to : folder to
        while (sub(/[^\/]+\/\.\.\//, "", to))
            ;
        if (to ~ /#/ && !(to in links)) {
            links[to] = links[FILE] + 1
            source[to] = FILE
            place[++nplace] = to
        }
        sub(/#.*/, "", to)
        enter(to, links[FILE] + 1)
    }
}

function read_page(name,    line, code, k)
{
    FILE = name
    while ((getline line < name) > 0) {
        if (line ~ /^```/)
            code = !code
        else if (!code && line ~ /^#+ /)
            begin_part(line)
        for (k = 1; k <= 6; k++)
            if (open[k] != "")
                part[open[k]] = part[open[k]] " " line
        if (!code && line !~ /^    /) {
            gsub(/`[^`]*`/, "", line)
            follow(line)
        }
    }
    close(name)
    for (k = 1; k <= 6; k++)
        open[k] = ""
}

/^#/ || /^$/ { next }
{
    tasks++
    if (!($2 in part)) {
        fault("\"" $1 "\": there is no heading " $2)
        next
    }
    if (!($2 in links) || links[$2] > 3)
        fault("\"" $1 "\": no three links lead from README.md to " $2)
    n = split($3, words, " ; ")
    if (n == 0)
        fault("\"" $1 "\": no words to look for under " $2)
    text = part[$2]
    gsub(/[ \t]+/, " ", text)
    for (k = 1; k <= n; k++)
        if (index(text, words[k]) == 0)
            fault("\"" $1 "\": " $2 " does not say: " words[k])
}

END {
    if (tasks == 0)
        fault("the list has no task")
    exit faults > 0
}
