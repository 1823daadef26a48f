#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plays OSS-Fuzz: builds the targets, which are the arguments, by build.sh with the environment that
# the service sets, for each engine and sanitizer, and runs each on its seeds.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
logs=build/fuzz/oss-fuzz
mkdir -p "$logs"
ln -s "$PWD" "$scratch/kvpool"

fail() {
  echo "oss-fuzz-check: $1"
  tail -n 40 "$2"
  exit 1
}

common='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
address='-fsanitize=address -fsanitize-address-use-after-scope'
checks=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return
checks+=,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound,vptr
undefined="-fsanitize=$checks,unsigned-integer-overflow -fno-sanitize-recover=$checks"
export UBSAN_OPTIONS=silence_unsigned_overflow=1:print_stacktrace=1
export AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1

# run_libfuzzer PROGRAM SEEDS COUNT: each seed, then changes to them, with the options it has.
run_libfuzzer() {
  local options
  options=$(sed -n 's/^[a-z_]*=.*/-&/p' "$1.options")
  # shellcheck disable=SC2086
  "$1" $options -runs=$(($3 + 2000)) -seed=1 -artifact_prefix="$logs/" "$2"
}

# run_afl PROGRAM SEEDS: each seed, and that what it does is seen.
run_afl() {
  AFL_MAP_SIZE=65536 afl-showmap -C -t 5000 -i "$2" -o "$scratch/map" -- "$1" &&
    [ -s "$scratch/map" ]
}

# try ENGINE SANITIZER FLAGS MARK: a program must hold MARK, which the sanitizer leaves in it.
try() {
  local engine=$1 name=$1-$2 flags="$common $3" mark=$4 target seeds log start=$SECONDS
  export SRC=$scratch OUT=$scratch/$name
  mkdir "$OUT"
  case $engine in
  libfuzzer)
    export CC=clang-14 CXX=clang++-14 LIB_FUZZING_ENGINE=-fsanitize=fuzzer
    flags+=' -fsanitize=fuzzer-no-link'
    ;;
  afl)
    export CC=afl-clang-fast CXX=afl-clang-fast++ LIB_FUZZING_ENGINE=/usr/lib/afl/libAFLDriver.a
    ;;
  esac
  export CFLAGS=$flags CXXFLAGS=$flags
  log=$logs/$name.log
  fuzz/oss-fuzz/build.sh >"$log" 2>&1 || fail "$name does not build:" "$log"
  for target in "${targets[@]}"; do
    log=$logs/$name-$target.log seeds=$OUT/seeds-$target
    [ -x "$OUT/$target" ] || fail "$name: no program $target" /dev/null
    nm "$OUT/$target" | grep -q "$mark" || fail "$name: $target holds no $mark" /dev/null
    unzip -q -d "$seeds" "$OUT/${target}_seed_corpus.zip" >"$log" 2>&1 ||
      fail "$name: no seeds of $target:" "$log"
    "run_$engine" "$OUT/$target" "$seeds" "$(find "$seeds" -type f | wc -l)" >"$log" 2>&1 ||
      fail "$name: $target failed on its seeds:" "$log"
  done
  echo "oss-fuzz-check: $name: ${#targets[@]} targets built and run in $((SECONDS - start)) s"
}

targets=("$@")
[ ${#targets[@]} -gt 0 ]
try libfuzzer address "$address" __asan_init
try libfuzzer undefined "$undefined" __ubsan_handle
try afl address "$address" __asan_init
