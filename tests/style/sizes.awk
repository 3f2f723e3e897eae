# Prints the functions and files of C that are beyond a reader's limits. Arguments: C files.
#   function: at most 60 lines between its braces and 8 parameters
#   file: at most 700 lines
#   line: at most 100 characters, comments included
# A function is what stands at brace depth 0, has no `=` and ends in `)` before its `{`. Comments, texts and
# preprocessor lines do not count as code, but their lines do. Needs code.awk.
function fault(why)
{
    print FILENAME ":" why
    faults++
}

# Number of parameters in `int name(int a, int (*b)(int, int))`: the commas at depth 1, plus one.
function parameters(text,    i, c, nest, commas, inside)
{
    for (i = index(text, "("); i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(")
            nest++
        else if (c == ")" && --nest == 0)
            break
        else if (c == "," && nest == 1)
            commas++
        if (nest >= 1 && c != "(")
            inside = inside c
    }
    gsub(/[ \t]/, "", inside)
    return inside == "" || inside == "void" ? 0 : commas + 1
}

function opened(    flat)
{
    if (depth++ > 0)
        return
    flat = head
    sub(/[ \t]+$/, "", flat)
    name = ""
    if (flat ~ /\)$/ && flat !~ /=/) {
        name = flat
        sub(/[ \t]*\(.*/, "", name)
        sub(/.*[ \t*]/, "", name)
        count = parameters(flat)
        if (count > 8)
            fault(FNR ": " name " has " count " parameters; at most 8")
    }
    first = FNR
}

function closed(    lines)
{
    head = ""
    if (--depth > 0 || name == "")
        return
    lines = FNR - first - 1
    if (lines > 60)
        fault(first ": " name " has " lines " lines; at most 60")
}

function finish_file()
{
    if (last > 700)
        print file ":" last ": the file has " last " lines; at most 700"
    if (last > 700)
        faults++
}

# Characters of a line in UTF-8: the bytes that do not go on with one.
function characters(line)
{
    gsub(/[\200-\277]/, "", line)
    return length(line)
}

FNR == 1 {
    finish_file()
    depth = in_comment = in_directive = 0
    head = name = ""
    file = FILENAME
}
{
    last = FNR
    if (characters($0) > 100)
        fault(FNR ": a line of " characters($0) " characters; at most 100")
    code = code_of($0)
    directive = in_directive || code ~ /^[ \t]*#/
    in_directive = directive && code ~ /\\$/
    if (directive)
        next
    while (match(code, /[{};]/)) {
        c = substr(code, RSTART, 1)
        if (depth == 0)
            head = head substr(code, 1, RSTART - 1)
        code = substr(code, RSTART + 1)
        if (c == "{")
            opened()
        else if (c == "}")
            closed()
        else if (depth == 0)
            head = ""
    }
    if (depth == 0)
        head = head code " "
}
END {
    finish_file()
    exit faults > 0
}
