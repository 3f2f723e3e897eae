#!/bin/sh
# Runs pytest, with a last line as all test programs have it.
#     pytest.sh LIBRARY PACKAGE TESTS
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy, pytest' 2>/dev/null && break
    python=
done
if [ -z "$python" ]; then
    echo "skip all: python3 with numpy and pytest is not there"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
SALTUS_LIBRARY=$1 PYTHONPATH=$2 PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider "$3" >pytest.log 2>&1
code=$?
cat pytest.log
awk -v code=$code '
    function number(word) { return match($0, "[0-9]+ " word) ? substr($0, RSTART) + 0 : 0 }
    { passed = number("passed"); failed = number("failed") + number("error"); skipped = number("skipped") }
    END {
        if (code != 0 && failed == 0)
            failed = 1
        print passed " passed, " failed " failed, " skipped " skipped"
    }' pytest.log
exit $code
