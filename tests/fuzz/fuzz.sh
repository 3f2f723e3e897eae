#!/bin/sh
# Runs one fuzzer for a while from our own files as seeds; what breaks it is left in the scratch folder.
# usage: fuzz.sh FUZZER SCRATCH_DIR ROOT
set -u
fuzzer=$1 scratch=$2 root=$3
name=$(basename "$fuzzer")
mkdir -p "$scratch/$name"
case $name in
fuzz_hfield) set -- "$root/tests/mjcf/hfields" ;;
fuzz_model) set -- "$root/models" "$root/examples" "$root/tests/mjcf/urdf" ;;
*) set -- "$root/models" "$root/examples" ;;
esac
if "$fuzzer" -max_total_time=20 -timeout=10 -rss_limit_mb=2048 -max_len=65536 -verbosity=0 \
    -artifact_prefix="$scratch/$name-" "$scratch/$name" "$@" >"$scratch/$name.log" 2>&1; then
    echo "ok   $name"
    echo "1 passed, 0 failed, 0 skipped"
else
    tail -n 50 "$scratch/$name.log"
    for input in "$scratch/$name"-*; do # small enough for a log: base64 -d | gunzip
        if [ -f "$input" ] && [ "$(wc -c <"$input")" -le 16384 ]; then
            echo "$input:"
            gzip -9c "$input" | base64
        fi
    done
    echo "FAIL $name: see $scratch/$name-*"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
