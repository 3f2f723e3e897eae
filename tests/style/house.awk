# Draws the table of includes.awk as floors: awk -f includes.awk -f house.awk
# The list of rooms below is from the bottom up; what the table lets a room include that is not below it is named as such.
# Of each room: its floor (one above the highest room that it may include), what it is, and the rooms that it stands on directly: those that
# it may include and does not reach through another one.
function reaches(room, target)
{
    return index(below[room], " " target " ") > 0 && place[target] < place[room]
}

# 1 for a room that includes nothing of ours.
function floor_of(room,    target, part, n, i, most)
{
    if (room in floor)
        return floor[room]
    n = split(below[room], part, " ")
    for (i = 1; i <= n; i++)
        if (reaches(room, part[i]) && floor_of(part[i]) > most)
            most = floor[part[i]]
    return floor[room] = most + 1
}

# The first i - 1 words
function below_of(part, i,    k, text)
{
    for (k = 1; k < i; k++)
        text = text part[k] " "
    return text
}

# The rooms in below[room] that no other of them includes, in the order of the table.
function stands_on(room,    part, n, i, k, hidden, list)
{
    n = split(below[room], part, " ")
    for (i = 1; i <= n; i++) {
        hidden = !reaches(room, part[i]) || index(" " below_of(part, i), " " part[i] " ") > 0
        for (k = 1; k <= n; k++)
            hidden = hidden || (reaches(room, part[k]) && reaches(part[k], part[i]))
        if (!hidden)
            list = list (list == "" ? "" : ", ") part[i]
    }
    for (i = 1; i <= n; i++)
        if (!reaches(room, part[i]) && part[i] != room)
            list = list ", and up to " part[i]
    return list
}

BEGIN {
    drawing = 1
    n = split("base status, memory, vectors, XML|signals files of recorded numbers|optim sparse least squares|optim/joint members that share variables|" \
        "physics one mechanism at one instant|physics/abreast several instants side by side|physics/laws which force a contact exerts|physics/solvers forward solvers of contacts|physics/mass the mass matrix|physics/actuation what actuators exert|physics/implicit implicit integration|physics/collision where geoms touch|physics/sensors what sensors read|" \
        "physics/deriv exact derivatives|mjcf model files|mjcf/urdf robots as URDF says them|invdyn the forces of a motion|problems from a problem to residuals|" \
        "problems/language the words of problem files|problems/result what was found|problems/recordings recorded motion as data|" \
        "problems/read problem files|problems/solve solving|people models of people from markers|guide help for authors of problems|runs simulation and replay|exports motions for other programs|identify parameters from recordings|sweeps many solves|" \
        "pages pages for the browser|cli the command|cli/sweep sweeps while they run", line, "|")
    for (i = 1; i <= n; i++) {
        rooms[i] = substr(line[i], 1, index(line[i], " ") - 1)
        says[i] = substr(line[i], index(line[i], " ") + 1)
        known[rooms[i]] = place[rooms[i]] = i
    }
    for (i = 1; i <= n; i++)
        if (floor_of(rooms[i]) > top)
            top = floor[rooms[i]]
    for (name in below)
        if (!(name in known) && name != "tests" && name != "bench") {
            print "house.awk does not know the room " name
            exit 1
        }
    printf "%-5s  %-20s  %-32s  %s\n", "floor", "room", "what it knows about", "stands on"
    for (k = top; k >= 1; k--)
        for (i = n; i >= 1; i--)
            if (floor_of(rooms[i]) == k) {
                list = stands_on(rooms[i])
                printf "%5d  %-20s  %-32s  %s\n", k, rooms[i], says[i], list == "" ? "-" : "-> " list
            }
    exit
}
