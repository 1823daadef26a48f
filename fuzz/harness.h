/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: how they are set up, and how hard they work. */
#ifndef KVP_FUZZ_HARNESS_H
#define KVP_FUZZ_HARNESS_H

#include <stddef.h>

/* Reads the environment as target.h says; whether each input is to be told before it runs. */
int kvp_harness_begin(void);

/* An input has been run, and was so many operations. */
void kvp_harness_count(size_t num_ops);

#endif
