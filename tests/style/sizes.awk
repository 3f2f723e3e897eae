# Prints the functions and files of C that are beyond a reader's limits. Arguments: C files.
#   function: more than 60 lines between its braces is said, more than 80 is a fault; at most 8 parameters
#   file: at most 800 lines
# A function is what stands at brace depth 0, has no `=` and ends in `)` before its `{`. Comments, texts and
# preprocessor lines do not count as code, but their lines do.
function fault(why)
{
    print FILENAME ":" why
    faults++
}

# The line without comments, character constants and the insides of texts; in_comment carries over lines.
function code_of(line,    out, c, two, quote)
{
    out = ""
    while (line != "") {
        two = substr(line, 1, 2)
        if (in_comment) {
            c = index(line, "*/")
            if (c == 0)
                return out
            in_comment = 0
            line = substr(line, c + 2)
        } else if (two == "/*") {
            in_comment = 1
            line = substr(line, 3)
        } else if (two == "//") {
            return out
        } else if (substr(line, 1, 1) ~ /["']/) {
            quote = substr(line, 1, 1)
            line = substr(line, 2)
            while (line != "" && substr(line, 1, 1) != quote)
                line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
            line = substr(line, 2)
        } else {
            c = match(line, /[\/"']/)
            c = c > 1 ? c - 1 : c == 1 ? 1 : length(line)
            out = out substr(line, 1, c)
            line = substr(line, c + 1)
        }
    }
    return out
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
    if (lines > 80)
        fault(first ": " name " has " lines " lines; at most 80")
    else if (lines > 60)
        print "note: " FILENAME ":" first ": " name " has " lines " lines; 60 is what a reader likes"
}

function finish_file()
{
    if (last > 800)
        print file ":" last ": the file has " last " lines; at most 800"
    if (last > 800)
        faults++
}

FNR == 1 {
    finish_file()
    depth = in_comment = in_directive = 0
    head = name = ""
    file = FILENAME
}
{
    last = FNR
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
