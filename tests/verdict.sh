# Sourced by tests that are scripts: counts its cases.
passed=0
failed=0

# verdict NAME STATUS: one case
verdict() {
    if [ "$2" -eq 0 ]; then
        echo "ok   $1"
        passed=$((passed + 1))
    else
        echo "FAIL $1"
        failed=$((failed + 1))
    fi
}
