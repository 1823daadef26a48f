/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the store's invariant, as a user would say it. Each law is a function whose
   contract says it and whose body does nothing that matters. */
#include "src/registry/store.h"

/* Under leaf_first no block goes while a registered block continues it. */
/*@ KVP_REQUIRES_STORE;
    requires leaf_first: store->leaf_first != 0;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures last: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < store->max_blocks ==> KVP_KNOWN(store->index, i) ==>
        !KVP_PARENT_OF(store->index, store->lineage, \result, i);
*/
uint32_t victim_has_no_children(const struct kvp_store *store)
{
  uint32_t b = kvp_store_victim(store);
  /*@ assert unlisted: b != KVP_NONE ==> \forall integer i; 0 <= i < store->max_blocks ==>
        store->calm.list[i] != b && store->blocking.list[i] != b; */
  /*@ assert placed: b != KVP_NONE ==> \forall integer i; 0 <= i < store->max_blocks ==>
        KVP_KNOWN(store->index, i) ==>
        KVP_PARENT_OF(store->index, store->lineage, b, i) ==>
        store->calm.list[i] != KVP_NONE || store->blocking.list[i] != KVP_NONE; */
  /*@ assert calm: b != KVP_NONE ==> \forall integer i; 0 <= i < store->max_blocks ==>
        KVP_PARENT_OF(store->index, store->lineage, b, i) ==>
        store->calm.list[i] != KVP_NONE ==> store->calm.list[i] == b; */
  /*@ assert blocking: b != KVP_NONE ==> \forall integer i; 0 <= i < store->max_blocks ==>
        KVP_PARENT_OF(store->index, store->lineage, b, i) ==>
        store->blocking.list[i] != KVP_NONE ==> store->blocking.list[i] == b; */
  return b;
}

/* What goes is cached, without a pin, and has the least key of all that could go. */
/*@ KVP_REQUIRES_STORE;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures cached: \result != KVP_NONE ==> \result < store->num_blocks &&
      store->classes.state[\result] == KVP_PLACE_READY && store->pins.count[\result] == 0;
    ensures least: \result != KVP_NONE ==>
      \forall integer i; 0 <= i < store->num_blocks ==>
        store->classes.state[i] == KVP_PLACE_READY ==> store->calm.head[i] == KVP_NONE ==>
        store->keys.priority[\result] < store->keys.priority[i] ||
        (store->keys.priority[\result] == store->keys.priority[i] &&
          store->keys.returned[\result] <= store->keys.returned[i]);
*/
uint32_t victim_is_least(const struct kvp_store *store)
{
  uint32_t b = kvp_store_victim(store);
  /*@ assert members: \forall integer i; 0 <= i < store->num_blocks ==>
        store->classes.state[i] == KVP_PLACE_READY ==> store->calm.head[i] == KVP_NONE ==>
        Member(store->order, i); */
  return b;
}

/* No two registered blocks have one hash. */
/*@ KVP_REQUIRES_STORE;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures one: \forall integer i, j; 0 <= i < store->max_blocks ==>
      0 <= j < store->max_blocks ==> KVP_KNOWN(store->index, i) ==> KVP_KNOWN(store->index, j) ==>
      store->index.hash[i] == store->index.hash[j] ==> i == j;
*/
void hashes_are_unique(const struct kvp_store *store) { (void)store; }
