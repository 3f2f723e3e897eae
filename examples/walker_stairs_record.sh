#!/bin/sh
# walker_stairs_record.sh SALTUS > walker_stairs.csv: a walk of 2.4 m on level ground, from rest to rest, lifted by the height of the stairs, whose
# risers are made .8 m long: with s(t) = t^2 (3 - 2 t), t = (x - x_k)/.8 + 1/2 within 0 .. 1,
#
#     z + .06 (s_1 + s_2 + s_3)
set -eu
cd "$(dirname "$0")"
saltus=${1:-../build/cli/saltus}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
sed 's#nstep="120"#nstep="90"#; s#\.\./models/walker_stairs#level#; s#qpos="2.4 [.0-9]*#qpos="2.4 -.01715#; s#<init .*/>#<init key="stand" nstart="4" noise=".1"/>#' walker_stairs.xml \
    > "$folder/level_problem.xml"
sed '/<geom name="stairs"/d' ../models/walker_stairs.xml > "$folder/level.xml"
"$saltus" solve "$folder/level_problem.xml" --threads 1 -q -o "$folder/walk"
"$saltus" export "$folder/walk" --to csv | LC_ALL=C awk -F, '
function s(x,    t) { t = x / .8 + .5; t = t < 0 ? 0 : t > 1 ? 1 : t; return t * t * (3 - 2 * t) }
NR == 1 { print "time,qpos0,qpos1,qpos2,qpos3,qpos4,qpos5,qpos6,qpos7,qpos8"; for (i = 1; i <= NF; i++) at[$i] = i; next }
{
    x = $(at["qpos0"])
    printf "%.4f,%.4f,%.4f", $1, x, $(at["qpos1"]) + .06 * (s(x - .7) + s(x - 1.5) + s(x - 2.3))
    for (k = 2; k < 9; k++)
        printf ",%.4f", $(at["qpos" k])
    print ""
}'
