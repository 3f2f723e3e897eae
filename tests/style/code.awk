# Reading C line by line, for the scripts beside this one: awk -f code.awk -f SCRIPT FILE...

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
