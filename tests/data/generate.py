#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a trace in the shape of Mooncake's conversation trace: one request a line, with the ids
of its 512-token blocks. Conversations come back with a longer history, so prefixes repeat.
The same trace each time: `generate.py > sample.jsonl`."""

import json

REQUESTS = 300
BLOCK_TOKENS = 512


class Numbers:
    """A 64-bit linear congruential generator (Knuth's MMIX constants)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def main():
    numbers = Numbers(20)
    conversations = []  # the ids of each one's full blocks so far
    next_id = 1  # 0 is the system prompt that all share
    for request in range(REQUESTS):
        if conversations and numbers.below(10) < 4:
            history = conversations.pop(numbers.below(len(conversations)))
        else:
            history = [0]
        # Mostly short, now and then long: the smallest of a few draws.
        fresh = 1 + min(numbers.below(100), numbers.below(100), numbers.below(100))
        ids = history + list(range(next_id, next_id + fresh))
        next_id += fresh
        conversations.append(ids[:-1])  # the last block was not full
        print(json.dumps({
            "timestamp": request // 3 * 3000,
            "input_length": len(ids) * BLOCK_TOKENS - numbers.below(BLOCK_TOKENS),
            "output_length": 1 + numbers.below(800),
            "hash_ids": ids,
        }))


main()
