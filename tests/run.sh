#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every check, goes on after one that fails, and ends with `N passed, N failed`.
# Arguments: the test programs. `make check` calls it.
set -u

make=${MAKE:-make}
logs=build/check
passed=0 failed=0
failures=() skipped=()
mkdir -p "$logs"

# run NAME COMMAND...: its output goes to the terminal and to a log; answers its exit status.
run() {
  local name=$1
  shift
  echo "== $name"
  "$@" 2>&1 | tee "$logs/${name//[^a-zA-Z0-9]/-}.log"
  return "${PIPESTATUS[0]}"
}

fail() {
  failed=$((failed + 1))
  failures+=("$1")
}

# A check that is one: it passes or fails by its exit status.
one() {
  if run "$@"; then
    passed=$((passed + 1))
  else
    fail "$1"
  fi
}

# A program that speaks TAP: each `ok` and `not ok` counts, and there must be as many as planned.
each() {
  local name=$1 status=0 log planned seen=0 bad=0 line
  run "$@" || status=$?
  log=$logs/${name//[^a-zA-Z0-9]/-}.log
  while read -r line; do
    seen=$((seen + 1))
    case $line in
    *'# SKIP'*) skipped+=("$name: $line") ;;
    ok*) passed=$((passed + 1)) ;;
    *)
      bad=$((bad + 1))
      fail "$name: $line"
      ;;
    esac
  done < <(grep -aE '^(not )?ok ' "$log")
  planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$log" | paste -sd+ | sum_of)
  if [ "$planned" -eq 0 ] || [ "$planned" -ne "$seen" ]; then
    fail "$name: $planned tests planned, $seen seen, exit status $status"
  elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
    fail "$name: exit status $status"
  fi
}

# The value of a sum like 3+4; 0 of nothing.
sum_of() {
  local sum
  read -r sum || sum=0
  echo $((sum))
}

export CMOCKA_MESSAGE_OUTPUT=TAP
mkdir -p "${POCL_CACHE_DIR:=build/pocl}"
export POCL_CACHE_DIR

# A kernel or a pool that does not end must not stop the rest.
for program in "$@"; do
  each "$program" timeout 600 "$program"
done
each tests/replay.sh tests/replay.sh
each tests/fuzz.sh tests/fuzz.sh
for target in device-lint stand-in nets stress-check prove fuzz-check fuzz-canaries; do
  one "$target" "$make" --no-print-directory "$target"
done

echo
for line in ${skipped[@]+"${skipped[@]}"}; do echo "skipped: $line"; done
for line in ${failures[@]+"${failures[@]}"}; do echo "failed: $line"; done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
