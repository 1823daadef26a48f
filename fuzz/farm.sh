#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes a target with processes of AFL++ that share what they find, and tells how they do. Fails if
# there is an input that crashes; each is replayed. `make fuzz-farm` builds what this runs.
# Usage: fuzz/farm.sh TARGET JOBS SYNC SECONDS, with 0 seconds until interrupted. Environment:
# MACHINE, a name for this one, and OPTIONS of AFL++ for the target.
set -eu
target=$1 jobs=$2 folder=$3/$1 seconds=$4
builds=build/fuzz
logs=$builds/farm-logs
mkdir -p "$folder" "$logs"

# Any system as it is: no setting that only root can change, no terminal.
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1
export AFL_AUTORESUME=1 AFL_IMPORT_FIRST=1 AFL_FORKSRV_INIT_TMOUT=60000
export TERM=${TERM:-dumb}
mutator=$PWD/$builds/afl/mutator-$target.so
[ ! -e "$mutator" ] || export AFL_CUSTOM_MUTATOR_LIBRARY=$mutator

read -ra common <<<"$OPTIONS"
common+=(-o "$folder" -t 1000)
[ "$seconds" -eq 0 ] || common+=(-V "$seconds")

# A farm has one main process, on the machine that came first.
(set -C; echo "$MACHINE" >"$folder/main") 2>/dev/null || true

# Every second process runs without sanitizers; each has another way to choose what to work on.
schedules=(fast explore coe rare exploit)
pids=() files=()
start() {
  local number=$1 name role=-S build=afl options=()
  name=$(tr -c 'a-zA-Z0-9_\n' _ <<<"$MACHINE")_$number
  [ "$number" -eq 0 ] && [ "$(cat "$folder/main")" = "$MACHINE" ] && role=-M
  [ $((number % 2)) -eq 1 ] && build=afl-lto
  [ "$number" -eq $((jobs > 1)) ] && [ -e "$builds/afl-cmplog/$target" ] &&
    options+=(-c "$builds/afl-cmplog/$target")
  afl-fuzz "${common[@]}" "${options[@]}" -p "${schedules[number % ${#schedules[@]}]}" \
    "$role" "$name" -- "$builds/$build/$target" >"$logs/$target-$name" 2>&1 &
  pids+=($!)
  files+=("$logs/$target-$name")
}

stop() {
  for pid in "${pids[@]}"; do kill -INT "$pid" 2>/dev/null || true; done
}
trap stop INT TERM EXIT
for ((number = 0; number < jobs; number++)); do start "$number"; done

alive() {
  local pid
  for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null && return; done
  return 1
}

# -d: whoever runs on another machine looks dead from here.
progress() { afl-whatsup -s -d "$folder" 2>/dev/null | grep -E '^ +[A-Z].*:' || true; }

since=$SECONDS
while alive; do
  sleep 1
  if [ $(((SECONDS - since) % 10)) -eq 0 ]; then
    echo "== $target, $((SECONDS - since)) s"
    progress
  fi
done

status=0
for number in "${!pids[@]}"; do
  wait "${pids[number]}" && continue
  status=1
  echo "fuzz-farm: AFL++ failed, ${files[number]}:"
  tail -n 20 "${files[number]}"
done
trap - EXIT
echo "== $target, at the end"
progress

# AFL++ does not say why an input crashes; the program itself does.
while IFS= read -r crash; do
  echo "fuzz-farm: $crash"
  "$builds/afl/$target" "$crash" 2>&1 | tail -n 40 || true
  status=1
done < <(find "$folder" -path '*/crashes/id:*' | sort)
exit "$status"
