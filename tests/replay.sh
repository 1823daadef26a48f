#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks of `kvpool replay`: its exit codes, its counts, and that all pools agree on a trace.
# Speaks TAP. The published trace is looked for beside this repository and skipped if not there.
set -u
cd "$(dirname "$0")/.."

subcommand=replay
sample=tests/data/sample.jsonl
trace=../shared/data/traces/mooncake_conversation_trace.jsonl
. tests/tap.sh

skip() {
  number=$((number + 1))
  echo "ok $number # SKIP $1: $trace is not here"
}

# gives COUNTS ARGUMENTS...: replay agrees, and its numbers are COUNTS, in the order of --json:
# requests skipped lookups hits evictions retired moved grown divergences operations.
gives() {
  local counts=$1 found
  shift
  found=$("$kvpool" replay "$@" --json 2>&1 | tail -n 1 | grep -oE ': [0-9]+' |
    tr -d ': ' | head -n 10 | paste -sd' ')
  [ "$found" = "$counts" ] && return
  echo "# replay $*"
  echo "#   gave     $found"
  echo "#   expected $counts"
  return 1
}

# A trace whose line 2 is bad.
bad_line() {
  head -n 1 "$sample" >"$scratch/bad.jsonl"
  printf '%s\n' "$2" >>"$scratch/bad.jsonl"
  exits 3 "$scratch/bad.jsonl:2: expected" "$scratch/bad.jsonl"
  say "a trace with $1 is refused with its line, exit 3"
}

exits 2 'expected one TRACE' && exits 2 'expected one TRACE' "$sample" "$sample"
say "one trace is asked for, else exit 2"
exits 2 'unrecognized option' "$sample" --frobnicate
say "an unknown option is exit 2"
exits 2 '--blocks' "$sample" --blocks 12x && exits 2 '--blocks' "$sample" --blocks -1 &&
  exits 2 '--blocks' "$sample" --blocks 99999999999999999999 &&
  exits 2 '--concurrency' "$sample" --concurrency 0 &&
  exits 2 '--max-blocks' "$sample" --blocks 10 --max-blocks 9 &&
  exits 2 '--block-bytes' "$sample" --block-bytes 6 &&
  exits 2 '--device' "$sample" --device abacus
say "a number or a name outside its range is exit 2"
exits 2 '--resize' "$sample" --resize 5 && exits 2 '--resize' "$sample" --resize 5:3 &&
  exits 2 '--resize' "$sample" --resize every:0:3
say "a resize plan that is none is exit 2"
exits 3 'no-such-file' no-such-file && exits 3 "$scratch:1" "$scratch"
say "a file that cannot be read is exit 3"

bad_line "text" 'what is this'
bad_line "half an object" '{"hash_ids": [1, 2'
bad_line "an empty line" ''
bad_line "another JSON value" '[1, 2]'
bad_line "no hash_ids" '{"timestamp": 1}'
bad_line "hash_ids that are no array" '{"hash_ids": 7}'
bad_line "a negative id" '{"hash_ids": [1, -2]}'
bad_line "an id that is a fraction" '{"hash_ids": [1, 2.5]}'
bad_line "an id beyond 64 bits" '{"hash_ids": [99999999999999999999]}'
bad_line "a timestamp that is text" '{"timestamp": "now", "hash_ids": [1]}'
bad_line "a key twice" '{"hash_ids": [1], "hash_ids": [2]}'
bad_line "brackets without end" "$(printf '[%.0s' {1..100000})"

"$kvpool" replay "$sample" --json | tail -n 1 |
  grep -qx "{$(printf '"%s": [0-9.e-]*, ' requests skipped lookups hits evictions retired moved \
    grown divergences operations)\"seconds\": [0-9.e-]*}"
say "--json ends with one object of the promised keys"
head -c 3000 /dev/urandom >"$scratch/noise" && exits 3 "$scratch/noise:1" "$scratch/noise"
say "noise is refused, exit 3"
: >"$scratch/empty" && gives '0 0 0 0 0 0 0 0 0 0' "$scratch/empty" --device host
say "an empty trace is a trace"
printf '{"hash_ids": []}\n{"hash_ids": [5]}' >"$scratch/small" &&
  gives '2 0 1 0 0 0 0 0 0 4' "$scratch/small" --blocks 1 --device host
say "an empty request and a last line without its newline are fine"
printf '{"hash_ids": [%s 7]}\n' "$(printf '%d, ' {1..200000})" >"$scratch/long" &&
  gives '1 1 0 0 0 0 0 0 0 0' "$scratch/long" --blocks 100 --resize 1:-5
say "a request longer than the pool is skipped, and so is its step of the plan"

python3 tests/data/generate.py | cmp -s - "$sample"
say "the sample trace is what its generator writes"
sample_counts='300 0 2455 1078 10930 198 129 168 0 51824'
moving_counts='300 0 2682 1072 11056 1200 582 1050 0 53936'
for pools in '--device none' '--device host --model' '--device opencl'; do
  gives "$sample_counts" "$sample" --blocks 600 --resize every:20:150 $pools &&
    gives "$moving_counts" "$sample" --blocks 600 --resize every:20:150 --concurrency 4 $pools
  say "the sample trace, with resizing, gives the known counts ($pools)"
done

for bug in device reference; do
  kvpool=build/canary/$bug exits 1 'divergence at request' "$sample" --blocks 600 \
    --resize every:20:150 --concurrency 4 --device host
  say "a bug planted in the $bug is a divergence, exit 1"
done

while read -r blocks counts; do
  claim="the published trace gives the known counts at $blocks blocks"
  [ -f "$trace" ] || { skip "$claim"; continue; }
  gives "12031 0 $counts" "$trace" --blocks "$blocks"
  say "$claim"
done <<'END'
2000 55289 15665 270835 0 0 0 0 1208495
20000 189877 83035 185465 0 0 0 0 1343083
100000 233611 104924 83576 0 0 0 0 1386817
END
whole_counts='12031 0 70919 23502 260961 30000 130 30000 0 1254185'
for pools in '--device none' '--device host' '--device opencl'; do
  claim="the published trace gives the known counts with resizing ($pools)"
  [ -f "$trace" ] || { skip "$claim"; continue; }
  gives "$whole_counts" "$trace" --blocks 4000 --resize every:100:500 $pools
  say "$claim"
done

first_counts='2000 0 8585 2204 51480 909 645 909 0 227553'
for pools in '--device host --model' '--device opencl'; do
  claim="2,000 requests of the published trace agree, with resizing ($pools)"
  [ -f "$trace" ] || { skip "$claim"; continue; }
  gives "$first_counts" "$trace" --blocks 1000 --resize every:100:125 --limit 2000 $pools
  say "$claim"
done
echo "1..$number"
