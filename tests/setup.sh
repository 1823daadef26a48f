#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing: `setup.sh build` those to build and run,
# `setup.sh all` also those to test, fuzz and prove. Says nothing where nothing is missing.
set -eu

build='gcc make libc6-dev pocl-opencl-icd ocl-icd-opencl-dev opencl-headers libjansson-dev
  libxxhash-dev libcmocka-dev pkg-config python3'
check='clang-14 libclang-rt-14-dev llvm-14 lld-14 afl++ zip unzip patch oclgrind frama-c-base why3 z3
  cvc4 cvc5'

case ${1:-all} in
build) packages=$build ;;
all) packages="$build $check" ;;
*)
  echo "usage: setup.sh [build|all]" >&2
  exit 2
  ;;
esac

# One query; a package that dpkg never heard of has no line.
present=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $packages 2>/dev/null |
  sed -n 's/ installed$//p' || true)
missing=$(comm -23 <(printf '%s\n' $packages | sort) <(printf '%s\n' $present | sort))
[ -n "$missing" ] || exit 0

echo "installing:" $missing
as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $missing
