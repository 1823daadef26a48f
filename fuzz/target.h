/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target as libFuzzer and the replay driver call it; a divergence ends the process.
   Environment: KVP_FUZZ_STORY tells every input before it runs, or as it runs;
   KVP_FUZZ_STATISTICS tells at the end how hard the target worked; the pool's target also reads
   KVP_FUZZ_DEVICE, which names the device under test (host), and KVP_FUZZ_ORDER, a number that
   gives the host's work-items another order. */
#ifndef KVP_FUZZ_TARGET_H
#define KVP_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Reads the environment. Once, before the first input; 0. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
