# Sums the last lines `N passed, N failed, N skipped` of all test programs in the logs of `meson test`, and prints why cases
# were skipped or failed. A program that ends badly, or without such a line, has failed; so has a run without any test.
function close_test()
{
    if (name == "")
        return
    ok = result ~ /^exit status (0|77)$/
    if (!summed || (!ok && !faults)) {
        failed++
        print "FAIL " build "/" name ": " (ok ? "no last line" : result)
    }
    name = ""
}
FNR == 1      { close_test(); build = FILENAME; sub(/\/.*/, "", build) }
/^test: /     { close_test(); name = $NF; summed = faults = 0; result = "no result" }
/^result: /   { result = $0; sub(/^result: */, "", result) }
/^(skip|FAIL) / { what = $1; sub(/^(skip|FAIL) */, ""); print what " " build "/" (name == "" ? "" : name ": ") $0 }
/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
    passed += $1
    failed += $3
    skipped += $5
    faults = $3
    summed = 1
}
END {
    close_test()
    if (passed + failed + skipped == 0)
        print "no test ran"
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
}
