# Finds words that a test expects with SAYS(text, "...") and that the product does not say any more: awk -f says.awk
# FILES_OF_THE_PRODUCT TESTS. Only words that stand side by side are looked at, in runs between numbers, names in
# quotes, paths and the like; a run must stand in a text of the product, or be cut where a conversion (%s, %d) stands there.
{ text[FILENAME] = text[FILENAME] $0 "\n" }

# The texts in quotes at the beginning of s, as one; `rest` is what follows them.
function joined(s,    all)
{
    all = ""
    while (match(s, /^[ \n]*"([^"\\]|\\.)*"/)) {
        all = all substr(s, index(s, "\"") + 1, RLENGTH - index(s, "\""))
        s = substr(s, RLENGTH + 1)
    }
    rest = s
    gsub(/\\n/, "\n", all)
    gsub(/\\"/, "\"", all)
    return all
}

# All texts of a file of the product, one after the other, with ~ for conversions.
function texts(s,    all, one)
{
    gsub(/\\\n/, "\n", s)
    all = ""
    while (match(s, /"|\/\*|'"'/)) {
        s = substr(s, RSTART)
        if (substr(s, 1, 2) == "/*") {
            s = substr(s, index(s, "*/") + 2)
            continue
        }
        if (substr(s, 1, 1) != "\"") {
            s = substr(s, 4)
            continue
        }
        one = joined(s)
        gsub(/%[-+ #0]*[0-9.*]*[hlz]*[a-zA-Z]/, "~", one)
        all = all "~" one "~\n"
        s = rest
    }
    return all
}

# Whether the product says words a..b of `word`; cut where a conversion is.
function said(a, b,    i, left)
{
    left = word[a]
    for (i = a + 1; i <= b; i++)
        left = left " " word[i]
    if (index(product, left))
        return 1
    left = ""
    for (i = a; i < b; i++) {
        left = left (i > a ? " " : "") word[i]
        if ((i == a || index(product, left)) && (i == b - 1 || said(i + 1, b)) &&
            (index(product, left " ~") || index(product, left "~") || index(product, "~ " word[i + 1]) || index(product, "~" word[i + 1])))
            return 1
    }
    return 0
}

function judge(file, line, text,    n, token, plain, i, k, count, words)
{
    gsub(/  +|\n/, " | ", text)
    gsub(/(error|warning|usage|limit|crashed):/, "|", text)
    gsub(/No such file or directory|No space left on device|Resource temporarily unavailable|Segmentation fault|Aborted/, "|", text)
    n = split(text " |", token, / /)
    count = 0
    for (i = 1; i <= n; i++) {
        plain = token[i] ~ /^[A-Za-z-]+[,;:.]?$/ && token[i] !~ /^[pqf]?[wxyz]:?$/
        if (plain)
            word[++count] = token[i]
        if (!plain || token[i] ~ /[,;:.]$/) {
            if (count > 1) {
                runs++
                sub(/[,;:.]$/, "", word[count])
                if (!said(1, count)) {
                    words = word[1]
                    for (k = 2; k <= count; k++)
                        words = words " " word[k]
                    print file ":" line ": the product does not say: " words
                    faults++
                }
            }
            count = 0
        }
    }
}

END {
    for (file in text)
        if (file !~ /^tests\//)
            product = product texts(text[file])
    for (file in text) {
        s = text[file]
        line = 1
        while (file ~ /^tests\// && match(s, /SAYS\([A-Za-z_.]*,[ \n]*"/)) {
            before = substr(s, 1, RSTART + RLENGTH - 2)
            line += gsub(/\n/, "\n", before)
            s = substr(s, RSTART + RLENGTH - 1)
            judge(file, line, joined(s))
        }
    }
    print "note: " runs " runs of words"
    exit faults > 0
}
