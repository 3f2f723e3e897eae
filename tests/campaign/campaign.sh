#!/usr/bin/env bash
# Tries saltus for some time, two parts at a time, and adds what was tried to tests/campaign/tally.txt. Then the table of
# docs/reliability.md is written anew. Logs, and what breaks something, stay in CACHE; so do the fuzzers' inputs, with
# which the next run goes on. Exit code 1 if anything was found.
# usage: campaign.sh HOURS BUILD SANITIZED_BUILD CACHE
set -u
hours=$1 build=$2 sanitized=$3 cache=$4
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$(dirname "$here")")
tally=${CAMPAIGN_TALLY:-$here/tally.txt} page=${CAMPAIGN_PAGE:-$root/docs/reliability.md}
commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
seconds=$(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')
((seconds >= 10)) || { echo "campaign: HOURS must be at least 0.003; it is $hours" >&2; exit 2; }
mkdir -p "$cache"/{log,found,corpus,scratch}
: >"$cache/run.txt"
export SALTUS_ROOT=$root SALTUS_BUILD=$build
export ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=8 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
[[ -d /dev/shm && -w /dev/shm ]] && export TMPDIR=/dev/shm # files of fuzzers need no disk

# counted PART TRIED FOUND SECONDS
counted() {
    printf '%s\t%s\t%s\t%s\n' "$@" >>"$cache/run.txt"
    printf 'campaign: %-18s %12s tried, %s found, %s s\n' "$@"
}

# How many a part has tried in all earlier runs: the next begins behind them.
before() { awk -F '\t' -v part="$1" '$1 == part { n = $2 } END { print n + 0 }' "$tally" 2>/dev/null || echo 0; }

# The last number behind WORD in a log
last() { awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) n = $(i + 1) } END { print n + 0 }' "$2"; }

# ---- the parts: each is given its seconds ----------------------------------------------------------------------------

seeds_of() {
    local name=$1 mutants=$build/tests/test-fuzz-test_${1}_mutants corpus=$cache/corpus/$1
    mkdir -p "$corpus"
    [[ -x $mutants ]] && FUZZ_SEEDS=$corpus "$mutants" >/dev/null 2>&1
    case $name in
    xml | problem) printf '%s\n' "$root/models" "$root/examples" ;;
    model) printf '%s\n' "$root/models" "$root/examples" "$root/tests/mjcf/urdf" ;;
    hfield) printf '%s\n' "$root/tests/mjcf/hfields" ;;
    result) [[ -f $corpus/solved ]] || {
        "$build/cli/saltus" solve "$root/examples/pendulum_quick.xml" --set time/nstep=4 --set solver/maxiter=20 -q \
            -o "$cache/scratch/seed" >/dev/null 2>&1
        cp "$cache/scratch/seed/result.h5" "$corpus/solved"
    } ;;
    esac
}

fuzz() {
    local fuzzer=$1 time=$2 name=${1##*/fuzz_} found=0 length=4096 leaks=1 log begin=$SECONDS seeds
    log=$cache/log/fuzz_$name.log
    mapfile -t seeds < <(seeds_of "$name")
    [[ $name != result ]] || { length=200000 leaks=0; } # libhdf5 leaks on broken files
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=$leaks "$fuzzer" -max_total_time="$time" -timeout=30 -rss_limit_mb=3000 -max_len=$length -verbosity=0 -print_final_stats=1 \
        -detect_leaks=$leaks -artifact_prefix="$cache/found/fuzz_$name-" \
        "$cache/corpus/$name" "${seeds[@]}" >"$log" 2>&1 || found=1
    counted "fuzz_$name" "$(last stat::number_of_executed_units: "$log")" $found $((SECONDS - begin))
}

models() {
    local log=$cache/log/models.log begin=$SECONDS found=0 seed
    [[ -x $sanitized/tests/fuzz/many-models ]] || return 0
    seed=$(($(before models) + 1))
    timeout -s INT $(($1 + 1)) "$sanitized/tests/fuzz/many-models" 1000000000 $seed "$cache/scratch/last-model.xml" >"$log" 2>&1
    case $? in 124 | 130) ;; *) found=1 && cp "$cache/scratch/last-model.xml" "$cache/found/model-$seed.xml" ;; esac
    counted models "$(awk '$2 == "models," { n = $1 } END { print n + 0 }' "$log")" $found $((SECONDS - begin))
}

mechanisms() {
    local log=$cache/log/mechanisms.log begin=$SECONDS from found=0 tried=0
    [[ -f $root/tests/oracle/random.mjs && -d ${SALTUS_ORACLE:-$root/.cache/oracle}/node_modules ]] || return 0
    : >"$log"
    while ((SECONDS - begin < $1)); do
        from=$(($(before mechanisms) + tried + 1))
        node "$root/tests/oracle/random.mjs" --from $from --count 40 >>"$log" 2>&1 || found=$((found + 1))
        tail -n 1 "$log" | grep -q '^{' || break
        tried=$((tried + 40))
    done
    counted mechanisms $tried $found $((SECONDS - begin))
}

problems() {
    local log=$cache/log/problems.log begin=$SECONDS
    "$build/tests/campaign/random-problems" 1000000 $(($(before problems) + 1)) "$cache/found" "$1" >"$log" 2>&1
    counted problems "$(last problems "$log")" $(($(last wrong "$log") + $(last crash "$log") + $(last hang "$log"))) \
        $((SECONDS - begin))
}

threads() {
    local log=$cache/log/threads.log begin=$SECONDS
    "$build/tests/campaign/random-problems" 1000000 $((1000000 + $(before threads))) "$cache/scratch" "$1" threads >"$log" 2>&1
    counted threads "$(last problems "$log")" "$(last wrong "$log")" $((SECONDS - begin))
}

kills() {
    local log=$cache/log/kills.log begin=$SECONDS
    "$build/tests/campaign/kills" "$1" $(($(before kills) + 1)) >"$log" 2>&1
    counted kills "$(last kills "$log")" "$(last found "$log")" $((SECONDS - begin))
}

allocations() {
    local log=$cache/log/allocations.log begin=$SECONDS found=0 rounds=$(($1 / 3 + 2)) program=$build/tests/scarce/fail_allocations
    [[ -x $program ]] || return 0
    timeout $((20 * $1 + 100)) "$program" ours $rounds >"$log" 2>&1 || found=1
    counted allocations "$(grep -o '"tried": *[0-9]*' "$log" | tail -n 1 | tr -dc 0-9)" $found $((SECONDS - begin))
}

# ---- two lanes ---------------------------------------------------------------------------------------------------------

first_lane() {
    local fuzzers=("$sanitized"/tests/fuzz_*) runs=() f
    for f in "${fuzzers[@]}"; do
        [[ -f $f && -x $f ]] && runs+=("$f")
    done
    for f in "${runs[@]}"; do
        fuzz "$f" $((seconds / ${#runs[@]} + 1))
    done
}

# CAMPAIGN_ONLY: names of the parts that are wanted; all without it
share() { [[ -n ${CAMPAIGN_ONLY:-} && " $CAMPAIGN_ONLY " != *" $1 "* ]] || "$1" $((seconds * $2 / 100)); }

second_lane() {
    share problems 40
    share threads 10
    share models 15
    share mechanisms 15
    share kills 15
    share allocations 5
}

first_lane &
second_lane
wait

awk -F '\t' -v OFS='\t' -v commit="$commit" '
    !($1 in tried) { order[++n] = $1 }
    { tried[$1] += $2; found[$1] += $3; time[$1] += $4; at[$1] = FILENAME ~ /run\.txt$/ ? commit : $5 }
    END { for (i = 1; i <= n; i++) print order[i], tried[order[i]], found[order[i]], time[order[i]], at[order[i]] }
' "$([[ -f $tally ]] && echo "$tally" || echo /dev/null)" "$cache/run.txt" >"$cache/tally.new" && cp "$cache/tally.new" "$tally"
sh "$here/table.sh" "$tally" "$page"
awk -F '\t' -v cache="$cache" '
    { tried += $2; found += $3; if ($3 > 0) where = where " " $1 }
    END {
        say = (found > 0) ? ":" where " (see " cache "/log and " cache "/found)" : ""
        printf("campaign: %d parts, %d tried, %d found%s\n", NR, tried, found, say)
        exit found > 0
    }' "$cache/run.txt"
