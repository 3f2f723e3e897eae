#!/bin/sh
# Makes the recordings of identify_*.xml: what each model does by the forward dynamics, moved by known controls and a small force that nothing
# explains, and measured a little off. From the root of the project, after a build: examples/identify_record.sh [build]
set -e
mkdir -p examples/identify
for name in pendulum arm box finger quadruped; do
    "${1:-build}"/tests/identify/identify_record $name examples/identify
done
