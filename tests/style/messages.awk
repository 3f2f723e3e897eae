# Finds messages in a table of a page (| `message` | ..) that no source says, word for word: awk -f messages.awk PAGE.md SOURCES
FILENAME ~ /\.md$/ {
    if (/^\| `/) {
        split($0, part, "`")
        place[part[2]] = FILENAME ":" FNR
        n++
    }
    next
}

FNR == 1 { look() }
{ text = text $0 "\n" }

# Which of the messages the file says that was read
function look(    message)
{
    gsub(/"[ \n]*"/, "", text) # texts that stand one behind the other are one
    for (message in place)
        if (index(text, message))
            delete place[message]
    text = ""
}

END {
    look()
    for (message in place) {
        print place[message] ": no source says: " message
        faults++
    }
    print "note: " n " messages"
    exit faults > 0 || n == 0
}
