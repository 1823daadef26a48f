/* SPDX-License-Identifier: Apache-2.0 */
/* Logic: an operation of the registry's vocabulary, and what it answers. */
#ifndef KVP_LOGIC_OPERATION_H
#define KVP_LOGIC_OPERATION_H

#include <kvpool/registry_op.h>

#include "spec/logic/registry.h"

/*@
// A result that answers nothing but a status and, perhaps, what there is too little of;
predicate Bare(struct kvp_registry_result r) =
  r.count == 0 && r.dropped == 0 && r.block_hash == 0 && r.hash == 0;
// that does not answer that.
predicate Sufficient(struct kvp_registry_result r) = r.requested == 0 && r.available == 0;
*/

/* The operation and its result are objects of their own; so are the tokens that come with some. */
#define KVP_REQUIRES_OP                                                                        \
  requires op: \valid_read(op) && \separated(op, registry, KVP_TOKEN_PLANE);                   \
  requires result: \valid(result) && \separated(result, registry, op, KVP_TOKEN_PLANE)
#define KVP_REQUIRES_OP_TOKENS                                                                 \
  requires tokens: op->kind == KVP_REGISTRY_PUSH || op->kind == KVP_REGISTRY_FILL ||           \
    op->kind == KVP_REGISTRY_WRITE ==> op->tokens != \null ==> op->length > 0 ==>              \
    \valid_read(op->tokens + (0 .. op->length - 1)) &&                                         \
    \separated(op->tokens + (0 .. op->length - 1), registry, op, result, KVP_TOKEN_PLANE)
/* Lists are of op->count elements, and none lies over what is written. */
#define KVP_OP_LIST(list) op->list + (0 .. op->count - 1)
#define KVP_REQUIRES_OP_LISTS                                                                  \
  requires hashes: op->kind == KVP_REGISTRY_MATCH || op->kind == KVP_REGISTRY_TOUCH ==>        \
    op->hashes != \null ==> op->count > 0 ==> \valid_read(KVP_OP_LIST(hashes)) &&              \
    \separated(KVP_OP_LIST(hashes), registry, result, KVP_OP_LIST(grants));                    \
  requires handles: op->kind == KVP_REGISTRY_REGISTER || op->kind == KVP_REGISTRY_RELEASE ==>  \
    op->handles != \null ==> op->count > 0 ==> \valid_read(KVP_OP_LIST(handles)) &&            \
    \separated(KVP_OP_LIST(handles), registry, result, KVP_OP_LIST(grants));                   \
  requires grants: op->kind == KVP_REGISTRY_ALLOCATE || op->kind == KVP_REGISTRY_REGISTER ||   \
    op->kind == KVP_REGISTRY_MATCH ==> op->grants != \null ==> op->count > 0 ==>               \
    \valid(KVP_OP_LIST(grants)) &&                                                             \
    \separated(KVP_OP_LIST(grants), registry, op, result, KVP_TOKEN_PLANE);                    \
  requires grant: op->kind == KVP_REGISTRY_SHARE ==> op->grants != \null ==>                   \
    \valid(op->grants) && \separated(op->grants, registry, op, result, KVP_TOKEN_PLANE);       \
  requires events: op->kind == KVP_REGISTRY_POLL ==> op->events != \null ==> op->count > 0 ==> \
    \valid(KVP_OP_LIST(events)) &&                                                             \
    \separated(KVP_OP_LIST(events), registry, op, result, KVP_TOKEN_PLANE)

#endif
