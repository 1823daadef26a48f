/* SPDX-License-Identifier: Apache-2.0 */
/* What a target of the registry's kind gives its end that libFuzzer calls. */
#ifndef KVP_FUZZ_REGISTRY_HARNESS_H
#define KVP_FUZZ_REGISTRY_HARNESS_H

#include <stddef.h>

#include "src/oracle/bytes.h"

/* The target's: runs an input, telling each operation if asked. How many operations it was. */
size_t kvp_run_input(struct kvp_bytes input, int tells);

#endif
