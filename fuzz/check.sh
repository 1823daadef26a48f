#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replays the corpus, then fuzzes for 30 s. Usage: fuzz/check.sh TARGET LIBFUZZER-FLAG...
set -u
target=$1
shift
log=build/fuzz/check.log

run()
{
  what=$1
  shift
  if ! KVP_FUZZ_STATISTICS=1 "$@" >"$log" 2>&1; then
    echo "fuzz-check: $what failed:"
    tail -n 60 "$log"
    exit 1
  fi
}

inputs=$(find fuzz/corpus -type f | wc -l)
[ "$inputs" -gt 0 ] || { echo "fuzz-check: no input in fuzz/corpus"; exit 1; }
run "the corpus" "$target" -runs=0 "$@" fuzz/corpus
echo "fuzz-check: $inputs inputs of the corpus agree"

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
run "fuzzing" "$target" "$@" -max_total_time=30 -artifact_prefix=build/fuzz/ "$found" fuzz/corpus
speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
echo "fuzz-check: no divergence in 30 s, $speed executions a second"
grep '^executions' "$log"
