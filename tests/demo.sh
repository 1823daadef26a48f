#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The main job, on a real trace if one lies beside this repository, else on the sample: the same
# requests through the reference and each device backend. `make demo` calls it.
set -eu
cd "$(dirname "$0")/.."

trace=../shared/data/traces/mooncake_conversation_trace.jsonl
options='--blocks 4000 --resize every:100:500'
if [ ! -f "$trace" ]; then
  trace=tests/data/sample.jsonl
  options='--blocks 600 --resize every:20:150'
fi
mkdir -p "${POCL_CACHE_DIR:=build/pocl}"
export POCL_CACHE_DIR

echo "A pool that shrinks and grows serves the requests of $trace."
echo "Then a device pool does the same in batches, and after each request its results, state,"
echo "payload bytes and block tables are compared with the reference's."
for device in none host opencl; do
  echo
  echo "kvpool replay $trace $options --device $device"
  build/kvpool replay "$trace" $options --device "$device"
done
