#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets for ClusterFuzzLite, just as for OSS-Fuzz.
exec "$SRC/kvpool/fuzz/oss-fuzz/build.sh"
