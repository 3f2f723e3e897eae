# The list of pages, in HTML, from docs/README.md: its lists, each after the heading or the line that ends with `:`.
# Variables: page, that of which the list is made; root, the way from it to the folder of the site.
# Names are the first headings of the pages.
function first_heading(file,    line)
{
    while ((getline line < file) > 0)
        if (line ~ /^# /)
            break
    close(file)
    gsub(/^# |`/, "", line)
    gsub(/&/, "\\&amp;", line)
    gsub(/</, "\\&lt;", line)
    gsub(/>/, "\\&gt;", line)
    return line
}

function item(file, place, name,    to)
{
    to = file
    sub(/README\.md$/, "index.md", to)
    sub(/\.md$/, ".html", to)
    printf "<li><a href=\"%s%s%s\"%s>%s</a></li>\n", root, to, place, file == page && place == "" ? " aria-current=\"page\"" : "", name
}

function end_list()
{
    if (listed)
        print "</ul>"
    listed = 0
}

/^## .*developers/ || /^[A-Z].*:$/ {
    end_list()
    title = $0
    gsub(/^## |:$/, "", title)
    print "<h2>" title "</h2>"
}
/^- \[/ {
    if (!listed)
        print "<ul>"
    listed = 1
    match($0, /\]\([^)]*\)/)
    name = substr($0, 4, RSTART - 4)
    file = "docs/" substr($0, RSTART + 2, RLENGTH - 3)
    sub(/^docs\/\.\.\//, "", file)
    place = file
    if (!sub(/^[^#]*/, "", place) || place == "")
        name = first_heading(file)
    else
        name = toupper(substr(name, 1, 1)) substr(name, 2)
    sub(/#.*/, "", file)
    item(file, place, name)
}
END { end_list() }
