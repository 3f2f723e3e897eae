# Prints every name that is against "one word, one meaning in the whole house". Needs code.awk:
#   awk -v public="optim/optim.h .." -f code.awk -f names.awk FILE...
# public: the public headers of the rooms. Files are paths from the root: these headers, then all others, then .c files.
# It looks at what is declared outside functions: the types, enumerators, macros, functions and variables of headers,
# and those functions and variables of .c files that are not static.
#   - a name of a private header bears its room's prefix (prefix[] below); those of public headers bear sal_, and so do those of base/
#   - what a .c file gives to the linker bears its room's prefix, or sal_ if a public header of the room declares it
#   - tests and bench have no prefix, and no sal_ of their own
#   - no name has two meanings: a type here, a function or a number there; two types, or two macros, in two headers
BEGIN {
    prefix["base"] = "sal"
    prefix["signals"] = "sig"
    prefix["optim"] = "opt"
    prefix["physics"] = "phy"
    prefix["mjcf"] = "mjcf|spec|mesh"
    prefix["invdyn"] = "inv"
    prefix["problems"] = "prb"
    prefix["guide"] = "gde"
    prefix["runs"] = "run"
    prefix["exports"] = "exp"
    prefix["identify"] = "idn"
    prefix["sweeps"] = "swp"
    prefix["pages"] = "page"
    prefix["cli"] = "cli"
    n = split(public, path, " ")
    for (i = 1; i <= n; i++)
        is_public[path[i]] = 1
}

function fault(why)
{
    print FILENAME ":" FNR ": " why
    faults++
}

# Whether a name bears one of these prefixes, in small or capital letters.
function bears(name, prefixes)
{
    return name ~ ("^(" prefixes ")_") || name ~ ("^(" toupper(prefixes) ")_")
}

function check_prefix(name, kind)
{
    if (!(room in prefix)) {
        if (bears(name, "sal"))
            fault(kind " " name ": sal_ is the product's")
        return
    }
    if (in_header && is_public[FILENAME]) {
        if (!bears(name, "sal"))
            fault(kind " " name " of a public header must begin with sal_")
    } else if (!bears(name, prefix[room]) && !(name in public_in && public_in[name] == room) && name != "main") {
        fault(kind " " name " must begin with " prefix[room] "_")
    }
}

# struct sal_x in a public header: what the room's own headers then define.
function note_structs(code)
{
    while (match(code, /struct sal_[a-z0-9_]+/)) {
        public_in[substr(code, RSTART + 7, RLENGTH - 7)] = room
        code = substr(code, RSTART + RLENGTH)
    }
}

# A name that is declared here. whole: it is the definition of a type, which can stand only once.
function declared(name, kind, whole)
{
    if (name == "")
        return
    if (in_header && is_public[FILENAME])
        public_in[name] = room
    check_prefix(name, kind)
    if (name in meaning && meaning[name] != kind)
        fault(name " is a " kind " here, and a " meaning[name] " in " where[name])
    else if (whole && name in defined_in && defined_in[name] != FILENAME)
        fault(kind " " name " is another in " defined_in[name])
    if (!(name in meaning)) {
        meaning[name] = kind
        where[name] = FILENAME
    }
    if (whole)
        defined_in[name] = FILENAME
}

# The last word of a text, without what stands in brackets behind it.
function last_word(text)
{
    gsub(/\[[^\]]*\]/, "", text)
    sub(/[^A-Za-z0-9_]+$/, "", text)
    sub(/.*[^A-Za-z0-9_]/, "", text)
    return text
}

# A, B = 1, LIST(X): the first words between commas, without those that are called.
function enumerators(text,    i, n, part)
{
    while (gsub(/\([^()]*\)/, "@", text))
        ;
    n = split(text, part, ",")
    for (i = 1; i <= n; i++) {
        sub(/=.*/, "", part[i])
        gsub(/[ \t]/, "", part[i])
        if (part[i] ~ /^[A-Za-z_0-9]+$/)
            declared(part[i], "constant", 1)
    }
}

# What stands between two ends of statements outside functions; body: what was in its braces.
function statement(text, body,    name, tag, kind, i, n, part)
{
    gsub(/SAL_API|SAL_BEGIN_C|SAL_END_C|SAL_CLONES|SAL_PRINTF\([^)]*\)|_Thread_local|__attribute__.*/, "", text)
    gsub(/[ \t]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    if (text == "" || text ~ /^extern "|^[A-Z0-9_]+ ?\(/) # LIST(X) makes names that are not seen here
        return
    if (!in_header && text ~ /^(typedef|struct|enum|union) .*(@|$)|(^| )static / && text !~ /^struct .*\(/)
        return
    if (text ~ /^(typedef )?enum/)
        enumerators(body)
    if (text ~ /^typedef/) {
        if (text ~ /\(\*/) {
            name = text
            sub(/.*\(\* ?/, "", name)
            sub(/[^A-Za-z0-9_].*/, "", name)
        } else {
            name = text
            sub(/\(.*/, "", name) # the type of a function
            name = last_word(name)
        }
        declared(name, "type", body != "" || text !~ /^typedef (struct|enum|union) /)
        return
    }
    if (text ~ /^(struct|enum|union) ?[A-Za-z0-9_]* ?(@|$)/) {
        tag = text
        sub(/^(struct|enum|union) ?/, "", tag)
        sub(/[^A-Za-z0-9_].*/, "", tag)
        if (tag != "")
            declared(tag, "type", body != "")
        return
    }
    if (text ~ /^[^=]*\(/) {
        sub(/\(.*/, "", text)
        declared(last_word(text), "function", 0)
        return
    }
    kind = text ~ /^(extern|static) |=/ || !in_header ? "variable" : "function" # by the type of a function: sal_hook a, b;
    n = split(text, part, ",")
    for (i = 1; i <= n; i++) {
        sub(/=.*/, "", part[i])
        declared(last_word(part[i]), kind, 0)
    }
}

FNR == 1 {
    depth = in_comment = in_directive = 0
    head = body = ""
    room = FILENAME
    sub(/\/.*/, "", room)
    in_header = FILENAME ~ /\.h$/
}
{
    code = code_of($0)
    if (in_header && is_public[FILENAME])
        note_structs(code)
    directive = in_directive || code ~ /^[ \t]*#/
    if (in_header && !in_directive && code ~ /^[ \t]*#[ \t]*define / && code !~ /_H[ \t]*$/) {
        name = code
        sub(/^[ \t]*#[ \t]*define[ \t]+/, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
        declared(name, "macro", 1)
    }
    in_directive = directive && $0 ~ /\\$/
    if (directive)
        next
    while (match(code, /[{};]/)) {
        c = substr(code, RSTART, 1)
        if (depth == 0)
            head = head substr(code, 1, RSTART - 1)
        else
            body = body substr(code, 1, RSTART - 1) (c == ";" ? ";" : "")
        code = substr(code, RSTART + 1)
        if (c == "{") {
            if (depth++ == 0)
                head = head "@"
        } else if (c == "}") {
            if (--depth == 0 && head ~ /\) ?@$/ && head !~ /=/) { # a function ends without ;
                statement(head, body)
                head = body = ""
            }
        } else if (depth == 0) {
            statement(head, body)
            head = body = ""
        }
    }
    if (depth == 0)
        head = head code " "
    else
        body = body code " "
}
END {
    exit faults > 0
}
