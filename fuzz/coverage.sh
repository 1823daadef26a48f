#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Replays each corpus with the coverage build of its target and reports what all of them cover
# together. Usage: fuzz/coverage.sh PROGRAM=CORPUS... -- GATED-FILE...
set -eu
report=build/coverage
version=${LLVM_VERSION:-}
rm -rf "$report"
mkdir -p "$report"

objects=()
while [ "$1" != -- ]; do
  program=${1%%=*} corpus=${1#*=}
  log=$report/$(basename "$program")
  if ! LLVM_PROFILE_FILE=$log.profraw "$program" "$corpus" >"$log.log" 2>&1; then
    echo "coverage: $program failed on $corpus:"
    tail -n 40 "$log.log"
    exit 1
  fi
  objects+=(-object "$program")
  shift
done
shift
gated=("$@")

"llvm-profdata$version" merge -sparse "$report"/*.profraw -o "$report/profile"
arguments=(-instr-profile "$report/profile" "${objects[@]}")
# All that was compiled, but the fuzzers' own side.
others=(-ignore-filename-regex '(^|/)(fuzz|spec|include)/|src/oracle/')
"llvm-cov$version" report "${arguments[@]}" "${others[@]}" -show-branch-summary |
  tee "$report/report.txt"
"llvm-cov$version" show "${arguments[@]}" "${others[@]}" -format=html -show-branches=count \
  -show-expansions=false -output-dir "$report"
"llvm-cov$version" export "${arguments[@]}" -format=text >"$report/coverage.json"
python3 -B fuzz/coverage.py "$report/coverage.json" fuzz/uncovered.txt "${gated[@]}"
echo "coverage: $report/index.html shows every line"
