#!/bin/sh
# A short campaign: its parts start, the table is written, and a finding is told by the exit code.
# usage: test_campaign.sh ROOT BUILD SCRATCH
root=$1 build=$2 scratch=$3
passed=0 failed=0
rm -rf "$scratch"
mkdir -p "$scratch/sanitized/tests"

check() {
    if [ "$2" = yes ]; then
        passed=$((passed + 1)) && echo "ok   $1"
    else
        failed=$((failed + 1)) && echo "FAIL $1"
    fi
}

# Instead of a fuzzer, which a sanitized build has: a script with its last words and its exit code.
fuzzer() {
    printf '#!/bin/sh\necho stat::number_of_executed_units: %s\nexit %s\n' "$1" "$2" >"$scratch/sanitized/tests/fuzz_arguments"
    chmod +x "$scratch/sanitized/tests/fuzz_arguments"
}

campaign() {
    export CAMPAIGN_ONLY
    CAMPAIGN_TALLY=$scratch/tally.txt CAMPAIGN_PAGE=$scratch/page.md \
        bash "$root/tests/campaign/campaign.sh" "$1" "$build" "$scratch/sanitized" "$scratch/cache" >"$scratch/log" 2>&1
}

counts() { awk -F '\t' -v part="$1" '$1 == part { print $2 }' "$scratch/tally.txt"; }
is() { [ "$@" ] && echo yes || echo no; }

printf 'before\n<!-- campaign -->\nold\n<!-- end of the campaign -->\nafter\n' >"$scratch/page.md"
fuzzer 12345 0
CAMPAIGN_ONLY="problems threads kills"
campaign 0.003
code=$?
cat "$scratch/log"
check "nothing is found" "$(is $code -eq 0)"
for part in problems threads kills; do
    check "$part were tried" "$(is "$(counts $part)" -gt 0)"
done
check "the page has the table" "$(is "$(grep -c '^| any words as a command line (sanitized) | 12,345 inputs |' "$scratch/page.md")" -eq 1)"
check "the rest of the page is as before" "$(is "$(grep -cx 'before\|after' "$scratch/page.md")" -eq 2)"
check "the old table is gone" "$(is "$(grep -cx old "$scratch/page.md")" -eq 0)"

tried=$(counts problems)
fuzzer 5 1
CAMPAIGN_ONLY=problems
campaign 0.003
check "a finding is told" "$(is $? -eq 1)"
check "which part has found it" "$(is "$(grep -c 'found: fuzz_arguments' "$scratch/log")" -eq 1)"
check "counts are added up" "$(is "$(counts fuzz_arguments)" -eq 12350)"
check "the problems go on" "$(is "$(counts problems)" -gt "$tried")"
campaign 0
check "no time is refused" "$(is $? -eq 2)"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
