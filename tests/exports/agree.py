"""The files that `saltus export` writes of one motion, held against each other and against what rigid bodies do. They
are read here by nothing of ours, and made with the rate of the motion's own rows.

    python3 agree.py FOLDER NAME [--root JOINT]

NAME.npz are the rows of the result (whole periods), NAME_gains.csv its gains, NAME_mjlab.npz, NAME_isaac.npz,
NAME_states.sto and what goes with it, NAME_mot.mot, NAME.bvh, and, where the model has a free joint, NAME_unitree.csv.
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "signals"))
from numpy_rules import load, need  # noqa: E402

worst = {}


def near(what, a, b, tolerance):
    error = abs(a - b)
    worst[what] = max(worst.get(what, 0), error)
    need(error <= tolerance, "%s: %.9g and %.9g differ by more than %g" % (what, a, b, tolerance))


def row(array, *at):
    """The numbers of array[at]"""
    size = 1
    for n in array.shape[len(at):]:
        size *= n
    k = 0
    for i, n in zip(at, array.shape):
        k = k * n + i
    return array.values[k * size:(k + 1) * size]


# ---- rotations ----

def matrix(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transpose(a):
    return [[a[j][i] for j in range(3)] for i in range(3)]


def apply(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def about(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    m = [[float(a == b) for b in range(3)] for a in range(3)]
    m[i][i] = m[j][j] = c
    m[i][j], m[j][i] = -s, s
    return m


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


# ---- the clips ----

def check_clip(rows, clip):
    h, T = rows["timestep"].values[0], len(rows["time"].values)
    need(clip["fps"].shape == (1,) and abs(clip["fps"].values[0] * h - 1) < 1e-6, "fps")
    bodies, joints = clip["body_names"].values, clip["joint_names"].values
    need("world" not in bodies and len(bodies) == len(rows["body_names"].values) - 1, "bodies")
    need(clip["joint_pos"].shape == (T, len(joints)) and clip["body_quat_w"].shape == (T, len(bodies), 4), "shapes")
    at = [rows["body_names"].values.index(name) for name in bodies]
    place = [rows["qpos_names"].values.index(name) for name in joints]
    dof = [rows["dof_names"].values.index(name) for name in joints]
    for name in ("joint_pos", "joint_vel", "body_pos_w", "body_quat_w", "body_lin_vel_w", "body_ang_vel_w"):
        need(clip[name].descr == "<f4" and clip[name].shape[0] == T, name)
    for t in range(T):
        for i, b in enumerate(at):
            for a, x in zip(row(clip["body_pos_w"], t, i), row(rows["xpos"], t, b)):
                near("body_pos_w", a, x, 1e-6 * (1 + abs(x)))
            quat, theirs = row(clip["body_quat_w"], t, i), row(rows["xquat"], t, b)
            near("body_quat_w", abs(sum(a * x for a, x in zip(quat, theirs))), 1, 1e-6)
        q, v = row(clip["joint_pos"], t), row(clip["joint_vel"], t)
        for i, j in enumerate(place):
            near("joint_pos", q[i], row(rows["qpos"], t)[j], 1e-6 * (1 + abs(q[i])))
            if 0 < t < T - 1:
                mean = (row(rows["qpos"], t + 1)[j] - row(rows["qpos"], t - 1)[j]) / (2 * h)
                near("joint_vel", v[i], mean, 1e-5 * (1 + abs(mean)))
        step = min(t, T - 2)
        for i, j in enumerate(dof):
            torque = row(rows["qfrc_actuator"], step)[j]
            near("joint_torque", row(clip["joint_torque"], t)[i], torque, 1e-6 * (1 + abs(torque)))
    check_contacts(rows, clip, at)


def check_contacts(rows, clip, at):
    """Newton's third law, and flags where there is force"""
    geoms, T = {}, len(rows["time"].values)
    for t in range(T - 1):
        total = [0, 0, 0]
        for k in range(rows["contact_offset"].values[t], rows["contact_offset"].values[t + 1]):
            frame, force = row(rows["contact_frame"], k), row(rows["contact_force"], k)
            geoms.setdefault(row(rows["contact_geom"], k)[0], 0)
            for i in range(3):
                total[i] += sum(frame[3 * a + i] * force[a] for a in range(3))
        for i in range(3):  # all contacts are with the floor, which is geom1, and nothing presses on the world
            sum_ = sum(row(clip["contact_force_w"], t, b)[i] for b in range(len(at)))
            near("contact_force_w", sum_, total[i], 1e-5 * (1 + abs(total[i])))
        for b in range(len(at)):
            if row(clip["contact"], t)[b]:
                need(row(clip["contact_force_w"], t, b)[2] > 0, "contact without force")
    need(len(geoms) == 1, "the contacts are not all with the floor")
    need(any(clip["contact"].values) and not all(clip["contact"].values), "flags of contact")


def check_isaac(clip, isaac):
    """The same numbers in another order, with velocities of centres of mass"""
    for kind, arrays in (("body_names", ("body_pos_w", "body_quat_w", "body_ang_vel_w", "contact_force_w")),
                         ("joint_names", ("joint_pos", "joint_vel", "joint_torque"))):
        names, theirs = clip[kind].values, isaac[kind].values
        need(sorted(names) == sorted(theirs), kind)
        for name in arrays:
            for t in range(clip[name].shape[0]):
                for i, n in enumerate(theirs):
                    j = names.index(n)
                    size = len(row(clip[name], t)) // len(names)
                    need(row(isaac[name], t)[i * size:(i + 1) * size] == row(clip[name], t)[j * size:(j + 1) * size], name)
    need(isaac["body_lin_vel_w"].values != clip["body_lin_vel_w"].values, "velocities of centres of mass")
    return isaac["body_names"].values


def check_gains(path, rows, clip):
    """Those of both files of arrays are the gains of the table that `--to gains` writes."""
    with open(path) as file:
        names = file.readline().rstrip("\n").split(",")
        first = names.index("gain0_0")
        table = [[float(cell) for cell in line.split(",")[first:]] for line in file]
    T, nu, n = rows["gain"].shape
    need(len(table) == T and names[-1] == "gain%d_%d" % (nu - 1, n - 1), "the shape of gains")
    need(clip["gain"].shape == (T + 1, nu, n), "the shape of gains in a clip")
    for t in range(T):
        scale = max(abs(x) for x in table[t])
        for a, b, c in zip(row(rows["gain"], t), table[t], row(clip["gain"], t)):
            near("gain", a, b, 0)
            near("gain in a clip", c, b, 1e-7 * scale)


# ---- Unitree ----

def check_unitree(path, rows, clip, root):
    at = rows["qpos_names"].values.index(root + ":0")
    with open(path) as lines:
        for t, line in enumerate(lines):
            x = [float(cell) for cell in line.split(",")]
            q = row(rows["qpos"], t)[at:at + 7]
            need(len(x) == 7 + len(clip["joint_names"].values), "columns of Unitree's table")
            for a, b in zip(x, q[:3] + q[4:] + q[3:4] + row(clip["joint_pos"], t)):
                near("unitree", a, b, 1e-6 * (1 + abs(b)))
    need(t + 1 == len(rows["time"].values), "rows of Unitree's table")


# ---- OpenSim ----

def storage(path):
    with open(path) as file:
        lines = file.read().split("\n")
    end = lines.index("endheader")
    head = dict(line.split("=") for line in lines[:end] if "=" in line)
    names = lines[end + 1].split("\t")
    data = [[float(cell) for cell in line.split("\t")] for line in lines[end + 2:] if line]
    need(int(head["nRows"]) == len(data) and int(head["nColumns"]) == len(names), path + ": counts")
    need(head["inDegrees"] == "no" and head["DataType"] == "double" and names[0] == "time", path + ": header")
    need(all(len(line) == len(names) for line in data) and len(set(names)) == len(names), path + ": columns")
    return [dict(zip(names, line)) for line in data]


UP = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]  # axes of the model to OpenSim's


def euler(a):
    return product(product(about(0, a[0]), about(1, a[1])), about(2, a[2]))


def check_rotation(root, states, rows, t, mean):
    """The angles are those of the root; turned on by their rates for a moment, they turn it as the motion does."""
    a = [states["%s_r%s/value" % (root, axis)] for axis in "xyz"]
    rate = [states["%s_r%s/speed" % (root, axis)] for axis in "xyz"]
    at = rows["qpos_names"].values.index(root + ":3")
    there = product(product(UP, matrix(row(rows["qpos"], t)[at:at + 4])), transpose(UP))
    here = euler(a)
    for i in range(3):
        for j in range(3):
            near("angles of OpenSim", here[i][j], there[i][j], 1e-9)
    e = 1e-6
    spin = product(transpose(euler([x - e * v for x, v in zip(a, rate)])), euler([x + e * v for x, v in zip(a, rate)]))
    w = apply(UP, mean)
    for k, (i, j) in enumerate([(2, 1), (0, 2), (1, 0)]):
        near("rates of OpenSim", (spin[i][j] - spin[j][i]) / (4 * e), w[k], 1e-8 * (1 + abs(w[k])))


def check_states(folder, name, rows, root):
    states, moments = storage("%s/%s_states.sto" % (folder, name)), storage("%s/%s_states_moments.sto" % (folder, name))
    coordinates = storage("%s/%s_mot.mot" % (folder, name))
    T = len(rows["time"].values)
    need(len(states) == len(moments) == len(coordinates) == T, "rows of OpenSim's tables")
    for t in range(T):
        near("time", states[t]["time"], t * rows["timestep"].values[0], 1e-9)
        for key, value in coordinates[t].items():
            near("coordinates", value, states[t][key if key == "time" else key + "/value"], 0)
        if t == T - 1:
            continue
        mean = None
        if t > 0:
            mean = [(a + b) / 2 for a, b in zip(row(rows["qvel"], t), row(rows["qvel"], t + 1))]
            check_power(states[t], moments[t], rows, t, mean)
            if root:
                at = rows["dof_names"].values.index(root + ":3")
                check_rotation(root, states[t], rows, t, mean[at:at + 3])


def check_power(states, moments, rows, t, mean):
    """Moments times speeds is power, in any coordinates."""
    power = scale = 0
    for key, value in moments.items():
        if key != "time":
            power += value * states[key.rsplit("_", 1)[0] + "/speed"]
    ours = 0
    for f, g, v in zip(row(rows["qfrc_inverse"], t), row(rows["qfrc_passive"], t), mean):
        ours += (f + g) * v
        scale += abs((f + g) * v)
    near("power", power, ours, 1e-8 * (1 + scale))


def check_forces(folder, name, rows):
    forces = storage("%s/%s_states_forces.mot" % (folder, name))
    bodies = [key[:-len("_ground_force_vx")] for key in forces[0] if key.endswith("_ground_force_vx")]
    need(len(bodies) > 0, "nothing stands on the ground")
    total = 0
    for t in range(len(forces) - 1):
        mine, theirs = [0] * 6, [0] * 6
        for body in bodies:
            F, p, M = ([forces[t]["%s_ground_%s%s" % (body, what, axis)] for axis in "xyz"]
                       for what in ("force_v", "force_p", "torque_"))
            lever = cross(p, F)
            for i in range(3):
                mine[i] += F[i]
                mine[3 + i] += lever[i] + M[i]
            if F[1] > 1:
                need(abs(p[1]) < 0.02, "the centre of pressure is not at the floor")
                near("free moment", abs(M[0]) + abs(M[2]), 0, 1e-7 * (1 + abs(F[1])))
            total += F[1]
        for k in range(rows["contact_offset"].values[t], rows["contact_offset"].values[t + 1]):
            frame, f, x = (row(rows["contact_" + key], k) for key in ("frame", "force", "pos"))
            F, M = ([sum(frame[3 * a + i] * f[b + a] for a in range(3)) for i in range(3)] for b in (0, 3))
            lever = cross(x, F)
            for i in range(3):
                theirs[i] += apply(UP, F)[i]
                theirs[3 + i] += apply(UP, [a + b for a, b in zip(lever, M)])[i]
        for a, b in zip(mine, theirs):
            near("ground forces", a, b, 1e-7 * (1 + sum(abs(x) for x in theirs)))
    return total / (len(forces) - 1)


# ---- BVH ----

def read_bvh(path):
    with open(path) as file:
        words = file.read().split()
    joints, stack, k = [], [], 1
    need(words[0] == "HIERARCHY", "HIERARCHY")
    while words[k] != "MOTION":
        if words[k] in ("ROOT", "JOINT", "End"):
            need((words[k] == "ROOT") == (not stack), "the tree")
            joints.append({"name": words[k + 1], "parent": stack[-1] if stack else -1, "channels": [], "end": words[k] == "End"})
            stack.append(len(joints) - 1)
            need(words[k + 2] == "{", "{")
            k += 3
        elif words[k] == "OFFSET":
            joints[stack[-1]]["offset"] = [float(x) for x in words[k + 1:k + 4]]
            k += 4
        elif words[k] == "CHANNELS":
            n = int(words[k + 1])
            joints[stack[-1]]["channels"] = words[k + 2:k + 2 + n]
            k += 2 + n
        else:
            need(words[k] == "}", "the word " + words[k])
            stack.pop()
            k += 1
    need(words[k + 1] == "Frames:" and words[k + 3:k + 5] == ["Frame", "Time:"], "the motion")
    n, data = int(words[k + 2]), [float(x) for x in words[k + 6:]]
    width = sum(len(j["channels"]) for j in joints)
    need(len(data) == n * width, "numbers of the motion")
    return joints, float(words[k + 5]), [data[i * width:(i + 1) * width] for i in range(n)]


AXES = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]  # axes of the model to those of a BVH


def check_bvh(path, rows):
    joints, step, frames = read_bvh(path)
    near("frame time", step, rows["timestep"].values[0], 1e-9)
    need(len(frames) == len(rows["time"].values), "frames")
    for t, numbers in enumerate(frames):
        numbers, pose = iter(numbers), []
        for j in joints:
            place, turn = list(j["offset"]), about(0, 0)
            for channel in j["channels"]:
                axis, value = "XYZ".index(channel[0]), next(numbers)
                if channel.endswith("position"):
                    need(j["offset"] == [0, 0, 0], "an offset beside channels of a place")
                    place[axis] += value
                else:
                    turn = product(turn, about(axis, math.radians(value)))
            if j["parent"] >= 0:
                x, R = pose[j["parent"]]
                place, turn = [a + b for a, b in zip(x, apply(R, place))], product(R, turn)
            pose.append((place, turn))
            if j["end"]:
                continue
            b = rows["body_names"].values.index(j["name"])
            for a, x in zip(place, apply(AXES, row(rows["xpos"], t, b))):
                near("bvh places", a, x, 1e-6)
            theirs = product(product(AXES, matrix(row(rows["xquat"], t, b))), transpose(AXES))
            for i in range(3):
                for k in range(3):
                    near("bvh rotations", turn[i][k], theirs[i][k], 1e-7)
    return [j["name"] for j in joints if not j["end"]]


def main():
    folder, name = sys.argv[1:3]
    root = sys.argv[4] if len(sys.argv) > 4 else None
    rows, clip, isaac = (load("%s/%s%s.npz" % (folder, name, part)) for part in ("", "_mjlab", "_isaac"))
    check_clip(rows, clip)
    order = check_isaac(clip, isaac)
    check_gains("%s/%s_gains.csv" % (folder, name), rows, clip)
    if root:
        check_unitree("%s/%s_unitree.csv" % (folder, name), rows, clip, root)
    check_states(folder, name, rows, root)
    mean = check_forces(folder, name, rows)
    check_bvh("%s/%s.bvh" % (folder, name), rows)
    print("frames %d" % len(rows["time"].values))
    print("mean vertical force %.9g" % mean)
    print("level by level: " + " ".join(order))
    for what, error in worst.items():
        print("%-20s %.2g" % (what, error))


main()
