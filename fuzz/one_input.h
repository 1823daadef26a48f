/* SPDX-License-Identifier: Apache-2.0 */
/* What libFuzzer calls, for targets that tell an input only once it has diverged. */
#ifndef KVP_FUZZ_ONE_INPUT_H
#define KVP_FUZZ_ONE_INPUT_H

#include <stddef.h>

#include "src/oracle/bytes.h"

/* The target's: runs an input, telling each operation if asked. How many operations it was. */
size_t kvp_run_input(struct kvp_bytes input, int tells);

/* Runs the current input once more, told, which ends the process where it diverges again; says so
   if it does not. */
void kvp_tell_again(void);

#endif
