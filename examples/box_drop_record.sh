#!/bin/sh
# box_drop_record.sh SALTUS > box_drop.csv: where a camera saw the corners of a falling box, each coordinate off by a normal deviate of 2.5 mm.
#
# The motion is simulated; of its table the columns behind ctrl are the 24 readings. The noise is that of a generator of its own, x' = 48271 x mod
# (2^31 - 1), so that every awk makes the same.
set -eu
cd "$(dirname "$0")"
"${1:-../build/cli/saltus}" simulate ../models/parcel.xml --key drop --time 1 | LC_ALL=C awk -F, '
function uniform() { x = (48271 * x) % 2147483647; return x / 2147483647 }
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
BEGIN { x = 1 }
NR == 1 {
    for (i = 1; i <= NF; i++)
        if ($i == "sensordata0")
            first = i
    printf "time"
    for (i = 0; i < 24; i++)
        printf ",corner%d%s", int(i / 3), substr("xyz", i % 3 + 1, 1)
    printf "\n"
    next
}
{
    printf "%.3f", $1
    for (i = 0; i < 24; i++)
        printf ",%.5f", $(first + i) + 0.0025 * normal()
    printf "\n"
}'
