#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replays a corpus, then fuzzes. Usage: fuzz/check.sh TARGET CORPUS SECONDS LIBFUZZER-FLAG...
set -u
target=$1 corpus=$2 seconds=$3
shift 3
name="fuzz-check: $(basename "$target")"
log=$target.check.log

run()
{
  what=$1
  shift
  if ! KVP_FUZZ_STATISTICS=1 "$@" >"$log" 2>&1; then
    echo "$name: $what failed:"
    tail -n 60 "$log"
    exit 1
  fi
}

inputs=$(find "$corpus" -type f | wc -l)
[ "$inputs" -gt 0 ] || { echo "$name: no input in $corpus"; exit 1; }
run "the corpus" "$target" -runs=0 "$@" "$corpus"
echo "$name: $inputs inputs of the corpus agree"

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
run "fuzzing" "$target" "$@" -max_total_time="$seconds" -artifact_prefix=build/fuzz/ "$found" \
  "$corpus"
speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
echo "$name: no divergence in $seconds s, $speed executions a second"
grep '^executions' "$log"
