#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Nets: replays the corpus under every checker, then kernels with a planted fault, which each
# checker that claims to catch such a fault must catch; then the device suite, whose programs are
# the arguments, under sanitizers. `make nets` builds what this runs.
set -u
corpus=fuzz/corpus # of the pool's target
builds=build/fuzz
logs=build/fuzz/nets
orders='1 2 3 4 5 6 7 8'
failed=0
mkdir -p "$logs"

# So that a corpus is never empty by mistake.
count_inputs() {
  inputs=$(find "$corpus" -type f | wc -l)
  [ "$inputs" -gt 0 ] || { echo "nets: no input in $corpus"; exit 1; }
}
count_inputs

# The nets: each replays the corpus with the driver of a build, and fails if anything is wrong.
plain() { "$builds/$1/replay" "$corpus"; }

registry() { "$builds/$1/replay-registry" "$corpus"; }

engine() { "$builds/$1/replay-engine" "$corpus"; }

permuted() {
  local order
  for order in $orders; do
    KVP_FUZZ_ORDER=$order "$builds/$1/replay" "$corpus" || return
  done
}

# Oclgrind tells what it finds and goes on: whatever the driver does not say is a complaint, and
# ends it all. A process for each input, for it mistakes memory that is given out once more for
# unwritten; without -cl-opt-disable it meets instructions that it does not know.
under_oclgrind() {
  local said
  said=$(KVP_FUZZ_DEVICE=opencl oclgrind --num-threads 1 --build-options -cl-opt-disable \
    --data-races --uninitialized "$1" "$2" 2>&1)
  printf '%s\n' "$said"
  [ "$said" = "$2"$'\nreplayed 1 inputs' ] || exit 255
}
export -f under_oclgrind

oclgrind_each() {
  printf '%s\n' "$corpus"/* |
    xargs -P "$(nproc)" -I '{}' bash -c "under_oclgrind $builds/$1/replay {}"
}

# clean NAME REPLAYS NET BUILD: the net must replay each input that often and complain of nothing.
clean() {
  local name=$1 log=$logs/$4-$3.log start=$EPOCHREALTIME status replayed
  "$3" "$4" >"$log" 2>&1
  status=$?
  replayed=$(sed -n 's/^replayed \([0-9]*\) inputs$/\1/p' "$log" | awk '{n += $1} END {print n + 0}')
  if [ "$status" -eq 0 ] && [ "$replayed" -eq $((inputs * $2)) ]; then
    awk -v name="$name" -v n="$replayed" -v from="$start" -v to="$EPOCHREALTIME" \
      'BEGIN {printf "nets: %s: %d replays clean in %.1f s\n", name, n, to - from}'
  else
    echo "nets: $name failed after $replayed replays (exit $status):"
    tail -n 40 "$log"
    failed=1
  fi
}

# caught NAME NET BUILD PATTERN: the net must fail and say this, as an extended expression.
caught() {
  local log=$logs/$3-$2.log
  if ! ("$2" "$3") >"$log" 2>&1 && grep -aqE "$4" "$log"; then
    echo "nets: $1: $(grep -aoE "($4).*" "$log" | head -n 1)"
  else
    echo "nets: $1: not caught"
    tail -n 20 "$log"
    failed=1
  fi
}

clean 'race shadow' 1 plain shadow
clean 'AddressSanitizer, UndefinedBehaviorSanitizer' 1 plain address
clean 'MemorySanitizer' 1 plain memory
clean 'order of work-items permuted' "$(wc -w <<<"$orders")" permuted opencl
clean 'Oclgrind, races and unwritten memory' 1 oclgrind_each opencl
caught 'race shadow sees a missing barrier' plain shadow-race 'race in kernel count_victims'
caught 'race shadow sees a lost update' plain shadow-update 'race in kernel enter_publishes on word [0-9]* of block_mark'
caught 'permutation sees a missing barrier' permuted opencl-race '^divergence|Segmentation fault'
caught 'Oclgrind sees a missing barrier' oclgrind_each opencl-race 'data race'
caught 'Oclgrind sees a lost update' oclgrind_each opencl-update 'data race'
caught 'Oclgrind sees unwritten memory' oclgrind_each opencl-unwritten '(depends on u|U)ninitialized (value|address)'
caught 'MemorySanitizer sees unwritten memory' plain memory-unwritten 'use-of-uninitialized-value'

corpus=fuzz/corpus-registry
count_inputs
clean 'MemorySanitizer, the registry' 1 registry memory
corpus=fuzz/corpus-engine
count_inputs
clean 'MemorySanitizer, the engine' 1 engine memory

# The device suite, whose programs are the arguments: those that failed, in words.
start=$EPOCHREALTIME
for name in "$@"; do
  if ! "$builds/suite/$name" host >"$logs/suite-$name.log" 2>&1; then
    echo "nets: device suite under sanitizers and race shadow: $name failed:"
    tail -n 20 "$logs/suite-$name.log"
    failed=1
  fi
done
awk -v n=$# -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN {
  printf "nets: device suite under sanitizers and race shadow: %d programs in %.1f s\n", n, to - from}'
exit $failed
