# SPDX-License-Identifier: Apache-2.0
# The proof of src/pool with Frama-C WP.

# Capacity to prove at; empty: as include/kvpool/layout.h says.
CAPACITY = $(KVP_CAPACITY)

.PHONY: prove
prove: ## prove every contract of src/pool (FUNCTION=name or FILE=name: a part)
	@proofs/prove.py $(FUNCTION:%=--function %) $(FILE:%=--file %) $(CAPACITY:%=--capacity %)
