/* SPDX-License-Identifier: Apache-2.0 */
/* Operations, results and the words they are made of, as text for people. */
#ifndef KVP_ORACLE_TEXT_H
#define KVP_ORACLE_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include <kvpool/op.h>
#include <kvpool/view.h>

/* "pop", "match_prefix" ...; "vacant", "cached" ... Never NULL: a number that is none of them
   is "unknown kind" or "unknown class". */
const char *kvp_kind_name(enum kvp_kind kind);
const char *kvp_class_name(enum kvp_class state);

/* A block id, or "none". */
void kvp_print_block(FILE *out, uint32_t block);

/* One line each, without its newline: "publish block 3 hash 0x2a tokens [7 9]", with what the
   kind reads and no more; "ok block 3", with what is not empty. Long buffers are cut short. */
void kvp_print_op(FILE *out, const struct kvp_op *op);
void kvp_print_result(FILE *out, const struct kvp_result *result);

#endif
