# Prints every #include that breaks the table of the house. Arguments: C files, as paths from the root.
#   - a room includes only itself and the rooms listed for it in `below`; a folder within a room is a room of its own here
#   - of another top folder only its public header (physics/physics.h), or a header that is `open` to the rooms above it
#   - only problems/ and the rooms above it join invdyn and optim in one file
#   - headers of ours are reached by their path from the root
#   - one file each for mxml, LAPACK, CHOLMOD, HDF5, libpng and MPI; no oracle in the product
# Tests and bench may include everything, private headers too: they look into the stages; the bench also what the tests measure with.
BEGIN {
    below["base"] = ""
    below["signals"] = below["optim"] = below["physics"] = " base "
    below["optim/joint"] = " base optim "
    below["physics/actuation"] = below["physics/collision"] = below["physics/implicit"] = below["physics/laws"] = below["physics/mass"] = " base physics "
    below["physics/sensors"] = " base physics physics/collision "
    below["physics/solvers"] = " base physics physics/laws "
    below["physics/deriv"] = " base physics physics/implicit physics/collision physics/sensors "
    below["mjcf"] = below["physics/abreast"] = below["physics/deriv"] "physics/deriv "
    below["mjcf/urdf"] = below["mjcf"] "mjcf "
    below["invdyn"] = " base physics physics/abreast "
    below["problems"] = " base signals optim physics physics/abreast mjcf invdyn "
    below["problems/result"] = below["problems/language"] = below["problems"] "problems "
    below["problems/recordings"] = below["problems/result"] "problems/result problems/language "
    below["problems/read"] = below["problems/recordings"] "problems/recordings "
    below["problems/solve"] = below["problems/read"] "problems/read "
    below["people"] = below["mjcf"] "mjcf signals optim "
    below["guide"] = below["problems/solve"] "problems/solve people "
    below["runs"] = below["guide"] "guide "
    below["exports"] = below["runs"] "runs "
    below["identify"] = below["runs"] "runs "
    below["sweeps"] = below["identify"] "identify "
    below["pages"] = below["sweeps"] "sweeps exports "
    below["cli"] = below["pages"] "pages "
    below["cli/sweep"] = below["cli"] "cli "
    below["tests"] = below["cli/sweep"] "cli/sweep optim/joint physics/abreast physics/actuation physics/solvers physics/laws physics/mass physics/implicit physics/collision physics/sensors physics/deriv "
    below["cli/sweep"] = below["cli"] "cli "
    below["bench"] = below["tests"] "tests "
    # private headers that rooms above may include
    open["base"] = " dense.h house.h lapack.h watch.h "
    open["signals"] = " cell.h condition.h csv.h h5.h npz_write.h table.h "
    open["physics"] = " abreast/abreast.h compiling.h "
    open["problems"] = " problem.h floor.h integrator.h transcribe.h language/contact_choice.h language/grammar.h language/reader.h recordings/belt.h recordings/data.h recordings/read_states.h root.h states.h touch.h " \
        "recordings/track.h read/known_model.h result/diagnose.h result/gait.h result/part.h result/result.h result/result_store.h solve/checkpoint.h solve/fingerprint.h "
    open["identify"] = " request.h "
    open["runs"] = " gains.h unfolded.h "
    open["sweeps"] = " folder.h "
    library["mxml.h"] = "mxml"
    library["lapacke.h"] = "LAPACK"
    library["cholmod.h"] = library["suitesparse/cholmod.h"] = "CHOLMOD"
    library["matio.h"] = "libmatio"
    library["hdf5.h"] = library["H5public.h"] = "HDF5"
    library["mpi.h"] = "MPI"
    library["png.h"] = "libpng"
    library["mujoco/mujoco.h"] = "MuJoCo"
    most["mxml"] = most["LAPACK"] = most["CHOLMOD"] = most["MPI"] = most["libpng"] = most["libmatio"] = 1
    most["HDF5"] = 2 # files of our own, and those of others
}

function fault(why)
{
    print FILENAME ":" FNR ": " why
    faults++
}

# The room of a path: its folder where that is in the table, else its top folder.
function room_of(path,    folder)
{
    folder = path
    sub(/\/[^\/]*$/, "", folder)
    if (folder in below)
        return folder
    sub(/\/.*/, "", folder)
    return folder
}

function top_of(path)
{
    sub(/\/.*/, "", path)
    return path
}

function ours(header,    target, top)
{
    if (header !~ /\// || header ~ /\.\./) {
        fault("\"" header "\" is not a path from the root")
        return
    }
    target = room_of(header)
    if (target == room)
        return
    if (index(below[room], " " target " ") == 0) {
        fault(room "/ may not include " target "/")
        return
    }
    top = top_of(header)
    if (top != top_of(room) && room != "tests" && room != "bench" && header != top "/" top ".h" &&
        index(open[top], " " substr(header, length(top) + 2) " ") == 0)
        fault("\"" header "\" is private to " top "/")
    joined[FILENAME, target] = 1
    if (room == "cli" && target ~ /invdyn|optim/ && joined[FILENAME, "invdyn"] && joined[FILENAME, "optim"])
        fault("only problems/ joins invdyn and optim")
}

function others(header,    name)
{
    name = library[header]
    if (name != "" && room != "tests" && room != "bench" && ++used[name] > most[name])
        fault(most[name] ? "a second file that includes " name : "the product may not include " name)
}

FNR == 1 {
    room = room_of(FILENAME)
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
    if (drawing) # house.awk
        exit
    for (name in most)
        if (!used[name]) {
            print "no file includes " name
            faults++
        }
    exit faults > 0
}
