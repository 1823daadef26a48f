/* SPDX-License-Identifier: Apache-2.0 */
/* The registry's operations and results as text for people. */
#ifndef KVP_FUZZ_REGISTRY_TEXT_H
#define KVP_FUZZ_REGISTRY_TEXT_H

#include <stdio.h>

#include <kvpool/registry_op.h>

/* "register"; never NULL. */
const char *kvp_registry_kind_name(enum kvp_registry_kind kind);

/* Without a newline: "push handle 7:1:0 tokens [1 2]", a handle as tag, generation and slot, with
   what the kind reads and no more; "ok count 2", with what is not 0. */
void kvp_print_registry_op(FILE *out, const struct kvp_registry_op *op);
void kvp_print_registry_result(FILE *out, const struct kvp_registry_result *result);

#endif
