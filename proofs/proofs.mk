# SPDX-License-Identifier: Apache-2.0
# The proof with Frama-C WP.

# Capacity to prove at; empty: as include/kvpool/layout.h says.
CAPACITY = $(KVP_CAPACITY)

.PHONY: prove
prove: ## prove every contract (FUNCTION=name or FILE=name: a part)
	@proofs/prove.py $(FUNCTION:%=--function %) $(FILE:%=--file %) $(CAPACITY:%=--capacity %)
