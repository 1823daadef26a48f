#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks of `kvpool fuzz`: its exit codes, that a seed says all, and that planted bugs are found,
# made small, and told as a test that fails. Speaks TAP.
set -u
cd "$(dirname "$0")/.."

subcommand=fuzz
. tests/tap.sh

# found BUILD SIDE: the command with that planted bug finds it on that side within 60 s, in at most
# 12 operations, and the same seed finds the same.
found() {
  local side=$2
  for run in 1 2; do
    "build/canary/$1" fuzz --seed 1 --seconds 60 --test "$scratch/$1.c" 2>/dev/null >"$scratch/$run"
    [ $? -eq 1 ] || return
  done
  cmp "$scratch/1" "$scratch/2" && grep -q "^divergence .*, $side " "$scratch/1" &&
    [ "$(grep -c '^batch' "$scratch/1")" -le 12 ] && return
  sed 's/^/#   /' "$scratch/1"
  return 1
}

# tells BUILD MACRO SOURCES...: the test that it wrote fails on these with the bug, and passes
# without.
tells() {
  local test=$scratch/$1.c macro=$2
  shift 2
  gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -I. "$test" "$@" -lcmocka -ldl -o "$scratch/good" &&
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -I. "-D$macro" "$test" "$@" -lcmocka -ldl \
      -o "$scratch/bad" || return
  "$scratch/good" >/dev/null 2>&1 && ! "$scratch/bad" >/dev/null 2>&1
}

exits 2 'expected options only' something && exits 2 'expected a whole number' --runs x &&
  exits 2 '' --frobnicate
say 'arguments that make no sense are refused, exit 2'
exits 4 'no backend nix' --device nix
say 'a device that is not there is named, exit 4'
exits 3 'No such file' --input "$scratch/nothing" && exits 3 'at most 96 bytes' --input Makefile
say 'an input that cannot be read is refused, exit 3'
exits 0 'all agree in 500 runs' --runs 500 --seed 3 && cp "$scratch/out" "$scratch/first" &&
  exits 0 'all agree in 500 runs' --runs 500 --seed 3 &&
  [ "$(tail -n 1 "$scratch/first")" = "$(tail -n 1 "$scratch/out")" ]
say 'all agree, and the same seed does the same'
head -c 50 LICENSE >"$scratch/input" && exits 0 'all agree in' --input "$scratch/input"
say 'one input can be run'
found reference reference
say 'a bug planted in the reference is found and made small'
tells reference KVP_PLANT_REFERENCE_BUG src/pool/*.c
say 'and told as a test that fails'
found device device
say 'a bug planted in the device path is found and made small'
tells device KVP_PLANT_DEVICE_BUG src/device/*.c src/pool/*.c
say 'and told as a test that fails'
echo "1..$number"
