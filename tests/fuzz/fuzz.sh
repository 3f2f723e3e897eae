#!/bin/sh
# Runs one fuzzer for a while from our own files as seeds; what breaks it is left in the scratch folder.
# usage: fuzz.sh FUZZER SCRATCH_DIR ROOT
set -u
name=$(basename "$1")
mkdir -p "$2/$name"
if "$1" -max_total_time=20 -timeout=10 -rss_limit_mb=2048 -max_len=65536 -verbosity=0 \
    -artifact_prefix="$2/$name-" "$2/$name" "$3/models" "$3/examples" >"$2/$name.log" 2>&1; then
    echo "ok   $name"
    echo "1 passed, 0 failed, 0 skipped"
else
    tail -n 50 "$2/$name.log"
    for input in "$2/$name"-*; do # small enough for a log: base64 -d | gunzip
        if [ -f "$input" ] && [ "$(wc -c <"$input")" -le 16384 ]; then
            echo "$input:"
            gzip -9c "$input" | base64
        fi
    done
    echo "FAIL $name: see $2/$name-*"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
