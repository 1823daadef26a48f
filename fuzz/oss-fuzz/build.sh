#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite, which set what this reads, and leaves in
# $OUT each program, its seeds, its options and its dictionary.
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
make -C "$SRC/kvpool" --no-print-directory -j"$(nproc)" oss-fuzz-build OSS_OBJECTS="$objects" \
  OUT="$OUT" CC="$CC" CXX="$CXX" CFLAGS="$CFLAGS" CXXFLAGS="$CXXFLAGS" \
  LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
