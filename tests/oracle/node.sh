#!/bin/sh
# Runs a test program under node, or says that it is skipped.
if ! command -v node >/dev/null; then
    echo "skip all: node is not there"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
exec node "$@"
