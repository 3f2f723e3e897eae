# Prints equations in pages that GitHub or ./dev site would not show as mathematics. Arguments: pages in Markdown. They are
# written so that Markdown changes nothing in them:
#     ```math            a block of TeX
#     $`x_t`$            TeX in a line; in a table without a bar, which would end the cell
# Faults: $$ and $x$; signs in TeX that are not ASCII; brackets that do not match; macros that GitHub does not allow; an
# equation in a block of code.
function fault(why)
{
    print FILENAME ":" FNR ": " why
    faults++
}

# What stands out of balance in TeX: braces, \begin and \end, \left and \right
function unbalanced(tex)
{
    return gsub(/{/, "", tex) != gsub(/}/, "", tex) || gsub(/\\begin/, "", tex) != gsub(/\\end/, "", tex) ||
        gsub(/\\left[^a-z]/, "", tex) != gsub(/\\right[^a-z]/, "", tex)
}

function check_tex(tex)
{
    equations++
    if (tex ~ /[^\1-\177]/)
        fault("not ASCII, but TeX must be: " tex)
    if (tex ~ /\\(operatorname|newcommand|def|href|require)/)
        fault("a macro that GitHub does not allow; write \\text{..}: " tex)
    if (unbalanced(tex))
        fault("brackets do not match: " tex)
}

# Equations in a line, which are then taken out of it; then code is, and what is left of $
function check_line(text,    tex)
{
    while (match(text, /\$`[^`]*`\$/)) {
        tex = substr(text, RSTART + 2, RLENGTH - 4)
        check_tex(tex)
        if (text ~ /^\|/ && tex ~ /\|/)
            fault("a bar in a table ends the cell, write \\lvert: " tex)
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    }
    gsub(/`[^`]*`/, "", text)
    if (text ~ /\$/)
        fault("write $`x`$, not $x$ or $$")
}

FNR == 1 { code = math = 0 }
/^ *```/ {
    if (math)
        check_tex(block)
    math = !code && /^ *```math$/
    code = !code
    block = ""
    next
}
math { block = block $0 " "; next }
code || /^     *[^-*0-9 |]/ {
    if ($0 ~ /Σ|√|⊕|⊖|⁻¹|½|ᵀ|ᵢ|₀|_t / && $0 ~ /=/)
        fault("an equation in a block of code; write ```math")
    next
}
{ check_line($0) }

END {
    if (!equations)
        fault("no equation")
    exit faults > 0
}
