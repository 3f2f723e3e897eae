#!/bin/sh
# walker_follow_record.sh SALTUS > walker_follow.csv: what instruments saw of a man who walks: markers at hip, knees and ankles, each coordinate off
# by a normal deviate of 3 mm, and three angles (of the trunk and of both ankles), off by 10 mrad.
#
# The walk is walker_walk, solved here: half a cycle, which is followed by its mirror image. Places follow from its angles and the lengths of
# ../models/walker.xml. The noise is that of a generator of its own, x' = 48271 x mod (2^31 - 1), so that every awk makes the same.
set -eu
cd "$(dirname "$0")"
saltus=${1:-../build/cli/saltus}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
"$saltus" solve walker_walk.xml --threads 1 -q -o "$folder/walk"
"$saltus" export "$folder/walk" --to csv | LC_ALL=C awk -F, '
function uniform() { x = (48271 * x) % 2147483647; return x / 2147483647 }
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
function place(px, py, pz) { printf ",%.4f,%.4f,%.4f", px + .003 * normal(), py + .003 * normal(), pz + .003 * normal() }
function leg(hip, knee, y,    a, b) { # the thigh leans by a, the shank by b
    a = lean - hip
    b = a - knee
    place(x0 - .4244 * sin(a), y, z0 - .4244 * cos(a))
    place(x0 - .4244 * sin(a) - .4362 * sin(b), y, z0 - .4244 * cos(a) - .4362 * cos(b))
}
function sample(t, along, lean, lh, lk, la, rh, rk, ra) {
    x0 = along
    printf "%.3f", t
    place(x0, 0, z0)
    leg(lh, lk, .085)
    leg(rh, rk, -.085)
    printf ",%.4f,%.4f,%.4f\n", lean + .01 * normal(), la + .01 * normal(), ra + .01 * normal()
}
BEGIN {
    x = 1
    n = 0
    print "time,hip_x,hip_y,hip_z,left_knee_x,left_knee_y,left_knee_z,left_ankle_x,left_ankle_y,left_ankle_z," \
          "right_knee_x,right_knee_y,right_knee_z,right_ankle_x,right_ankle_y,right_ankle_z,trunk,left_foot,right_foot"
}
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
    for (k = 0; k < 9; k++)
        q[n, k] = $(at["qpos" k])
    t[n++] = $1
}
END {
    for (k = 0; k < 2 * n - 1; k++) {
        j = k < n ? k : k - n + 1
        z0 = .9286 + q[j, 1]
        lean = q[j, 2]
        if (k < n)
            sample(t[j], q[j, 0], lean, q[j, 3], q[j, 4], q[j, 5], q[j, 6], q[j, 7], q[j, 8])
        else
            sample(t[n - 1] + t[j], q[j, 0] + q[n - 1, 0] - q[0, 0], lean, q[j, 6], q[j, 7], q[j, 8], q[j, 3], q[j, 4], q[j, 5])
    }
}'
