#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each target has a planted bug, which fuzzing from nothing must find within 60 s, as a
# divergence. Usage: fuzz/canary.sh TARGET... LIBFUZZER-FLAG...
set -u
targets=
while [ "${1#-}" = "$1" ]; do
  targets="$targets $1"
  shift
done
failed=0
for target in $targets; do
  folder=$(dirname "$target")
  start=$(date +%s)
  "$target" "$@" -max_total_time=60 -artifact_prefix="$folder/" >"$folder/canary.log" 2>&1
  status=$?
  seconds=$(($(date +%s) - start))
  story=$(grep '^divergence' "$folder/canary.log")
  if [ "$status" -ne 0 ] && [ -n "$story" ]; then
    echo "fuzz-canaries: $(basename "$folder") found in $seconds s: $story"
  else
    echo "fuzz-canaries: $(basename "$folder") not found in $seconds s (exit $status)"
    tail -n 20 "$folder/canary.log"
    failed=1
  fi
done
exit $failed
