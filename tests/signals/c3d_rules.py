"""Reads the force plates of a C3D file by the user guide of the format, with the standard library alone, and by way of
the centre of pressure, which the program does not need.

    python3 c3d_rules.py FILE FRAME...     for each frame (from 0) and plate of type 2 on which there is more than 50 N:
                                           frame plate fx fy fz  px py pz  tz, in N, mm and N mm, axes of the file
"""
import struct
import sys


def parameters(b):
    at, group, found = (b[0] - 1) * 512 + 4, {}, []
    while b[at] != 0:
        length, number = abs(struct.unpack_from("b", b, at)[0]), struct.unpack_from("b", b, at + 1)[0]
        name = b[at + 2:at + 2 + length].decode()
        i = at + 2 + length
        step = struct.unpack_from("<H", b, i)[0]
        if number < 0:
            group[-number] = name
        else:
            kind, ndim = struct.unpack_from("b", b, i + 2)[0], b[i + 3]
            count, data = 1, i + 4 + ndim
            for d in b[i + 4:data]:
                count *= d
            form = {-1: "%ds", 1: "%dB", 2: "%dh", 4: "%df"}[kind] % count
            found.append((number, name, struct.unpack_from("<" + form, b, data)))
        if step == 0:
            break
        at = i + step
    return {group[n] + ":" + name: value for n, name, value in found}


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def main(path, frames):
    b = open(path, "rb").read()
    p = parameters(b)
    npoint, nword = struct.unpack_from("<2H", b, 2)
    per_frame, block = struct.unpack_from("<H", b, 18)[0], struct.unpack_from("<H", b, 16)[0]
    nchannel = nword // per_frame
    assert p["POINT:SCALE"][0] < 0 and tuple(p["FORCE_PLATFORM:ZERO"]) in ((0, 0), (1, 0))

    def sample(at, channel):
        frame, part = divmod(at, per_frame)
        where = (block - 1) * 512 + frame * 4 * (4 * npoint + nword) + 4 * (4 * npoint + part * nchannel + channel)
        raw = struct.unpack_from("<f", b, where)[0]
        return (raw - p["ANALOG:OFFSET"][channel]) * p["ANALOG:SCALE"][channel] * p["ANALOG:GEN_SCALE"][0]

    for frame in frames:
        at, half = frame * per_frame, per_frame // 2
        for plate in range(p["FORCE_PLATFORM:USED"][0]):
            assert p["FORCE_PLATFORM:TYPE"][plate] == 2 and per_frame % 2 == 0
            channels = [c - 1 for c in p["FORCE_PLATFORM:CHANNEL"][6 * plate:6 * plate + 6]]
            # the mean of two sums, each a sample short at one end
            v = [(sum(sample(at + k, c) for k in range(-half, half)) + sum(sample(at + k, c) for k in range(-half + 1, half + 1)))
                 / (2 * per_frame) for c in channels]
            if abs(v[2]) < 50:
                continue
            corner = [p["FORCE_PLATFORM:CORNERS"][12 * plate + 3 * k:12 * plate + 3 * k + 3] for k in range(4)]
            middle = [sum(c[i] for c in corner) / 4 for i in range(3)]
            side = [[q - r for q, r in zip(corner[0], corner[1])], [q - r for q, r in zip(corner[1], corner[2])]]
            x, y = ([e / sum(f * f for f in s) ** .5 for e in s] for s in side)
            z = cross(x, y)
            depth = abs(p["FORCE_PLATFORM:ORIGIN"][3 * plate + 2])
            # forces at (px, py, -depth) of where it measures: M = p x F + (0, 0, tz)
            px = (-v[4] - depth * v[0]) / v[2]
            py = (v[3] - depth * v[1]) / v[2]
            tz = v[5] - px * v[1] + py * v[0]
            world = [v[0] * x[i] + v[1] * y[i] + v[2] * z[i] for i in range(3)]
            point = [middle[i] + px * x[i] + py * y[i] for i in range(3)]
            print(frame, plate + 1, *world, *point, tz * z[2])


if __name__ == "__main__":
    main(sys.argv[1], [int(a) for a in sys.argv[2:]])
