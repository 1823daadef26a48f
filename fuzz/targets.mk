# SPDX-License-Identifier: Apache-2.0
# Targets of one subject each, which is held to claims (claim.h), in the builds of fuzz.mk:
#   hash           hashes, token blocks and sequences, against the formula and plain arrays
#   planner        how batches are cut and moves composed, against what both mean
#   workload       the reader of traces, of any text and of lines whose ids are known
# fuzz-check and fuzz-canaries do with them what they do with the others; the time is 5 s each.
TARGETS := hash planner workload
TARGETS_SHARED := fuzz/claim.c fuzz/one_input.c fuzz/harness.c
TARGET_SUBJECTS_hash := $(addprefix src/registry/,hash.c token_block.c sequence.c) \
	fuzz/hash_partial.c fuzz/hash_sequence.c
TARGET_ORACLE_hash := fuzz/formula.c
TARGET_SUBJECTS_planner := src/device/planner.c fuzz/planner_moves.c
TARGET_SUBJECTS_workload := src/oracle/workload.c fuzz/workload_lines.c
FUZZ_LIBRARIES_workload := -ljansson
$(foreach target,$(TARGETS),$(eval FUZZ_SOURCES_$(target) := fuzz/$(target).c \
	$(TARGET_SUBJECTS_$(target)) $(TARGET_ORACLE_$(target)) $(TARGETS_SHARED)))
FUZZ_COVERED += $(foreach target,$(TARGETS),fuzz/$(target).c $(TARGET_SUBJECTS_$(target)))

FUZZ_FORMAT_hash := fuzz/hash_play.h KVP_HASH
FUZZ_FORMAT_planner := fuzz/planner.h KVP_PLANNER
FUZZ_RUN_hash := -max_len=100 $(FUZZ_RUN)
FUZZ_RUN_planner := -max_len=98 $(FUZZ_RUN)
FUZZ_RUN_workload := -max_len=256 -dict=fuzz/workload.dict $(FUZZ_RUN)
$(foreach target,$(TARGETS),$(eval FUZZ_CORPUS_$(target) := fuzz/corpus-$(target)))

# Text has no steps: the workload is left to the fuzzer's own mutator.
TARGET_MUTATOR = $(if $(FUZZ_FORMAT_$(2)),\
	$(addprefix build/fuzz/$(1)/,mutator-$(2).o src/oracle/mutate.o))

# $(1) names a build, $(2) a target.
define target_build
build/fuzz/$(1)/$(2): $(patsubst %.c,build/fuzz/$(1)/%.o,$(FUZZ_SOURCES_$(2))) \
  $(call TARGET_MUTATOR,$(1),$(2))
	$$(FUZZ_CC) -fsanitize=fuzzer $$(FUZZ_SANITIZE) $$^ -o $$@ $(FUZZ_LIBRARIES_$(2))
build/fuzz/$(1)/mutator-$(2).o: fuzz/mutator.c fuzz/fuzz.mk fuzz/targets.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) $$(FUZZ_SANITIZE) $$(call FUZZ_FORMAT,$(2)) -c $$< -o $$@
-include $(patsubst %.c,build/fuzz/$(1)/%.d,$(FUZZ_SOURCES_$(2))) \
  build/fuzz/$(1)/mutator-$(2).d
endef
$(foreach target,$(TARGETS),$(eval $(call target_build,plain,$(target))))
$(eval $(call fuzz_build,hash-bug,-DKVP_PLANT_HASH_BUG))
$(eval $(call fuzz_build,planner-bug,-DKVP_PLANT_PLANNER_BUG))
$(eval $(call fuzz_build,workload-bug,-DKVP_PLANT_WORKLOAD_BUG))
$(foreach target,$(TARGETS),$(eval $(call target_build,$(target)-bug,$(target))))

.PHONY: targets-check targets-canaries
fuzz-check: targets-check
targets-check: $(TARGETS:%=build/fuzz/plain/%)
	$(foreach target,$(TARGETS),fuzz/check.sh build/fuzz/plain/$(target) \
		$(FUZZ_CORPUS_$(target)) 5 $(FUZZ_RUN_$(target)) &&) true

# The order only: what fuzz-canaries hands on are its own.
fuzz-canaries: | targets-canaries
targets-canaries: $(foreach target,$(TARGETS),build/fuzz/$(target)-bug/$(target))
	$(foreach target,$(TARGETS),fuzz/canary.sh build/fuzz/$(target)-bug/$(target) \
		$(FUZZ_RUN_$(target)) &&) true
