/* SPDX-License-Identifier: Apache-2.0 */
/* What lies in device memory: the one list of arrays that kernels, backends and the host share. */
#ifndef KVP_DEVICE_ARRAYS_H
#define KVP_DEVICE_ARRAYS_H

#include <stdint.h>

#include <kvpool/op.h>

/* An operation as the host packs it for the device: fields of 4 and 8 bytes, so that every
   compiler lays it out alike. Buffers are positions in the batch's arrays. */
struct kvp_packed_op {
  uint64_t owner, hash;
  uint32_t kind;
  uint32_t block; /* of release: the highest id among the units */
  uint32_t count, length;
  uint32_t chain;   /* first element in batch_hashes */
  uint32_t tokens;  /* first element in batch_tokens */
  uint32_t units;   /* first element in batch_units */
  uint32_t refused; /* 1: the host found that an argument is missing */
};

/* X(type, name) for each array, grouped as shape, pool, run, batch. */
#define KVP_ARRAYS(X)                                                                              \
  X(uint32_t, shape)            /* [SHAPE_SIZE]: never changes */                                  \
  X(uint32_t, number)           /* [NUMBER_SIZE]: counters of the pool and of a run */             \
  X(uint32_t, state)            /* [max_blocks]: enum kvp_class */                                 \
  X(uint32_t, ref_count)        /* [max_blocks] */                                                 \
  X(uint32_t, has_hash)         /* [max_blocks]: 0 or 1 */                                         \
  X(uint64_t, hash)             /* [max_blocks] */                                                 \
  X(uint32_t, length)           /* [max_blocks]: tokens held */                                    \
  X(uint32_t, plane)            /* [max_blocks][block_size]: the tokens */                         \
  X(uint32_t, stamp)            /* [max_blocks]: position in release_log */                        \
  X(uint32_t, slot)             /* [max_blocks]: position in slots, or KVP_NONE */                 \
  X(uint64_t, unit_owner)       /* [max_blocks]: as in view.h, and so are */                       \
  X(uint32_t, unit_first)       /* [max_blocks] */                                                 \
  X(uint32_t, unit_left)        /* [max_blocks] */                                                 \
  X(uint32_t, vacancy)          /* bitmap of max_blocks bits: 1 = vacant */                        \
  X(uint32_t, release_log)      /* [log]: blocks in the order of release, and dead entries */      \
  X(uint32_t, slots)            /* [slots]: the index */                                           \
  X(uint32_t, table)            /* [table_entries] */                                              \
  X(WIDE, payload)              /* [num_planes][max_blocks][slot_units]: see address.h */          \
  X(uint32_t, unfilled)         /* [max_blocks]: 1 = published, and not filled since */            \
  X(uint64_t, digests)          /* [max_blocks]: what digest_payload answers */                    \
  X(uint32_t, block_mark)       /* [max_blocks]: an operation on it; KVP_NONE between runs */      \
  X(uint32_t, block_count)      /* [max_blocks]: operations on it; 0 between runs */               \
  X(uint32_t, block_last)       /* [max_blocks]: the last, counted from 1; 0 between runs */       \
  X(uint32_t, slot_mark)        /* [slots]: an operation on its hash; KVP_NONE between runs */     \
  X(uint32_t, forward)          /* [max_blocks]: of a retired id: where its content went */        \
  X(uint32_t, source)           /* [max_blocks]: of a retire run: whose content came here */       \
  X(uint32_t, victim_sums)      /* [MAX_ROUNDS][MAX_GROUPS]: free blocks seen */                   \
  X(uint32_t, victims)          /* [batch]: blocks to take, in the order of pop */                 \
  X(uint32_t, block_link)       /* [batch]: links of the lists in block_mark */                    \
  X(uint32_t, slot_link)        /* [batch]: links of the lists in slot_mark */                     \
  X(uint32_t, op_slot)          /* [batch]: of a publish: the slot of its hash */                  \
  X(uint32_t, verdicts)         /* [batch]: what one kernel of a run tells the next */             \
  X(struct kvp_packed_op, ops)  /* [batch] */                                                      \
  X(struct kvp_result, results) /* [batch] */                                                      \
  X(uint64_t, batch_hashes)     /* chains of match_prefix; seeds of a fill */                      \
  X(uint32_t, batch_tokens)     /* tokens; blocks of a fill */                                     \
  X(struct kvp_unit, batch_units)

enum kvp_array {
#define X(type, name) ARRAY_##name,
  KVP_ARRAYS(X)
#undef X
    NUM_ARRAYS
};

enum kvp_shape_word {
  SHAPE_NUM_BLOCKS, /* at first */
  SHAPE_MAX_BLOCKS,
  SHAPE_BLOCK_SIZE, /* tokens */
  SHAPE_NUM_PLANES, /* of payload, */
  SHAPE_SLOT_UNITS, /* in each as many units of 16 bytes a block */
  SHAPE_TABLE_ENTRIES,
  SHAPE_SLOTS, /* a power of two */
  SHAPE_LOG,
  SHAPE_SIZE
};

enum kvp_number {
  NUMBER_NUM_BLOCKS,
  NUMBER_CLASS, /* one for each enum kvp_class, as many blocks as are in it */
  NUMBER_INDEXED = NUMBER_CLASS + 6,
  NUMBER_LOWEST,       /* no word of the vacancy bitmap before this one has a bit */
  NUMBER_LOG_HEAD,     /* live entries of the log lie from here */
  NUMBER_LOG_TAIL,     /* to here */
  NUMBER_RUN_FOUND,    /* victims found for a run */
  NUMBER_RUN_TAKEN,    /* pairs of a run that the parallel kernels do */
  NUMBER_RUN_LOG,      /* where a free run's entries of the log begin */
  NUMBER_JOINED_LOW,   /* the ids that the last extend run put in, from here */
  NUMBER_JOINED_HIGH,  /* to before here */
  NUMBER_RETIRED_LOW,  /* the ids that the last retire run took out, from here */
  NUMBER_RETIRED_HIGH, /* to before here */
  NUMBER_SIZE
};

/* The most groups that share the search for victims, and how often they look further. */
#define MAX_GROUPS 64
#define MAX_ROUNDS 5

/* X(name) for each kernel. */
#define KVP_KERNELS(X)                                                                             \
  X(init_pool)                                                                                     \
  X(compact_log)                                                                                   \
  X(empty_slots)                                                                                   \
  X(enter_slots)                                                                                   \
  X(serial_run)                                                                                    \
  X(count_victims)                                                                                 \
  X(select_victims)                                                                                \
  X(pop_run)                                                                                       \
  X(check_pairs)                                                                                   \
  X(allocate_pairs)                                                                                \
  X(finish_pairs)                                                                                  \
  X(mark_allocates)                                                                                \
  X(judge_allocates)                                                                               \
  X(apply_allocates)                                                                               \
  X(judge_claims)                                                                                  \
  X(apply_claims)                                                                                  \
  X(count_frees)                                                                                   \
  X(judge_frees)                                                                                   \
  X(apply_frees)                                                                                   \
  X(enter_publishes)                                                                               \
  X(judge_publishes)                                                                               \
  X(apply_publishes)                                                                               \
  X(find_run)                                                                                      \
  X(prefix_run)                                                                                    \
  X(clear_run)                                                                                     \
  X(extend_run)                                                                                    \
  X(join_blocks)                                                                                   \
  X(begin_retires)                                                                                 \
  X(plan_retires)                                                                                  \
  X(vacate_retires)                                                                                \
  X(settle_retires)                                                                                \
  X(rewrite_tables)                                                                                \
  X(plan_reserves)                                                                                 \
  X(apply_reserves)                                                                                \
  X(judge_releases)                                                                                \
  X(choose_releases)                                                                               \
  X(apply_releases)                                                                                \
  X(move_payload)                                                                                  \
  X(fill_payload)                                                                                  \
  X(fill_published)                                                                                \
  X(digest_payload)

enum kvp_kernel {
#define X(name) KERNEL_##name,
  KVP_KERNELS(X)
#undef X
    NUM_KERNELS
};

#endif
