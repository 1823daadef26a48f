# SPDX-License-Identifier: Apache-2.0
# What the committed corpora cover, by line, region and branch: text to the terminal, HTML in
# build/coverage. Every branch of what COVERAGE_GATED names must be taken both ways, but for those
# that fuzz/uncovered.txt names with their reason.

# Pool, registry, planner, and the kernels with what only they and the planner share.
COVERAGE_GATED := $(wildcard src/pool/*.[ch] src/registry/*.[ch] src/device/*.k) \
  $(addprefix src/device/,planner.c moves.h select.h address.h)
COVERAGE_FLAGS := -O1 -fprofile-instr-generate -fcoverage-mapping

build/fuzz/coverage/%.o: %.c fuzz/fuzz.mk fuzz/coverage.mk
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) $(COVERAGE_FLAGS) -c $< -o $@

define coverage_target
build/fuzz/coverage/$(1): $(patsubst %.c,build/fuzz/coverage/%.o,$(FUZZ_SOURCES_$(1)) fuzz/replay.c)
	$$(FUZZ_CC) $(COVERAGE_FLAGS) $$^ -o $$@ $(FUZZ_LIBRARIES_$(1))
endef
$(foreach target,$(FUZZ_EVERY),$(eval $(call coverage_target,$(target))))
-include $(patsubst %.c,build/fuzz/coverage/%.d,$(sort fuzz/replay.c \
  $(foreach target,$(FUZZ_EVERY),$(FUZZ_SOURCES_$(target)))))

.PHONY: coverage
coverage: $(FUZZ_EVERY:%=build/fuzz/coverage/%) ## what the corpora cover; every branch must be
	@LLVM_VERSION=$(FUZZ_CC:clang%=%) fuzz/coverage.sh \
	  $(foreach target,$(FUZZ_EVERY),build/fuzz/coverage/$(target)=$(FUZZ_CORPUS_$(target))) \
	  -- $(COVERAGE_GATED)
