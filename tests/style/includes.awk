# Prints every #include that breaks the table of the house. Arguments: C files, as paths from the root.
#   - a folder includes only the folders below it, and of them only their public header (physics/physics.h)
#   - only problems/ joins invdyn and optim in one file
#   - headers of ours are reached by their path from the root
#   - one file each for mxml, CHOLMOD, HDF5 and MPI; no oracle in the product
# Tests and bench may include everything, private headers too: they look into the stages; the bench also what the tests measure with.
BEGIN {
    below["base"] = ""
    below["physics"] = below["optim"] = " base "
    below["invdyn"] = " base physics "
    below["problems"] = " base physics invdyn optim "
    below["cli"] = " base physics invdyn optim problems "
    below["tests"] = below["cli"] "cli "
    below["bench"] = below["tests"] "tests "
    library["mxml.h"] = "mxml"
    library["cholmod.h"] = library["suitesparse/cholmod.h"] = "CHOLMOD"
    library["hdf5.h"] = library["H5public.h"] = "HDF5"
    library["mpi.h"] = "MPI"
    library["mujoco/mujoco.h"] = "MuJoCo"
    most["mxml"] = most["CHOLMOD"] = most["HDF5"] = most["MPI"] = 1
}

function fault(why)
{
    print FILENAME ":" FNR ": " why
    faults++
}

function ours(header,    parts, target)
{
    if (split(header, parts, "/") < 2 || header ~ /\.\./) {
        fault("\"" header "\" is not a path from the root")
        return
    }
    target = parts[1]
    if (target == folder)
        return
    if (index(below[folder], " " target " ") == 0) {
        fault(folder "/ may not include " target "/")
        return
    }
    if (folder != "tests" && folder != "bench" && header != target "/" target ".h")
        fault("\"" header "\" is private to " target "/")
    joined[FILENAME, target] = 1
    if (folder == "cli" && target ~ /invdyn|optim/ && joined[FILENAME, "invdyn"] && joined[FILENAME, "optim"])
        fault("only problems/ joins invdyn and optim")
}

function others(header,    name)
{
    name = library[header]
    if (name != "" && folder != "tests" && folder != "bench" && ++used[name] > most[name])
        fault(most[name] ? "a second file that includes " name : "the product may not include " name)
}

FNR == 1 {
    folder = FILENAME
    sub(/\/.*/, "", folder)
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    ours(part[2])
}
/^[ \t]*#[ \t]*include[ \t]*</ {
    header = $0
    sub(/^[^<]*</, "", header)
    sub(/>.*/, "", header)
    others(header)
}
END {
    for (name in most)
        if (!used[name]) {
            print "no file includes " name
            faults++
        }
    exit faults > 0
}
