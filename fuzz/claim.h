/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets of one subject share: the subject is held to claims. The first one that fails is
   a divergence: the input runs again, told step by step on stderr, and is a crash. */
#ifndef KVP_FUZZ_CLAIM_H
#define KVP_FUZZ_CLAIM_H

#include <stddef.h>
#include <stdint.h>

#include <kvpool/status.h>

#include "src/oracle/bytes.h"

/* The target's: runs an input, and answers how many operations it was. */
size_t kvp_run_claims(struct kvp_bytes input);

/* A step of the input, in the words of printf. Told if inputs are told. */
void kvp_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void kvp_claim_failed(const char *what, uint64_t at, uint64_t expected, uint64_t found);

/* `what`, of element `at` where there are several, is as expected. */
static inline void kvp_claim(const char *what, uint64_t at, uint64_t expected, uint64_t found)
{
  if (expected != found)
    kvp_claim_failed(what, at, expected, found);
}

static inline void kvp_claim_status(enum kvp_status expected, enum kvp_status found)
{
  kvp_claim("status", 0, (uint64_t)expected, (uint64_t)found);
}

#endif
