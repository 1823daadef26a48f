# SPDX-License-Identifier: Apache-2.0
# The libFuzzer targets without sanitizers and race shadow, for speed: build/fuzz/fast/NAME. They
# see divergences, and of bad accesses only those that the processor refuses.

# All targets: fuzz/targets.mk has those of one subject. For each: FUZZ_SOURCES_NAME, FUZZ_RUN_NAME,
# FUZZ_CORPUS_NAME and, where there are, FUZZ_FORMAT_NAME and FUZZ_LIBRARIES_NAME.
FUZZ_EVERY := $(FUZZ_TARGETS) $(TARGETS)

build/fuzz/fast/%.o: %.c fuzz/fuzz.mk fuzz/fast.mk
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) $(if $(filter $<,$(FUZZ_COVERED)),$(FUZZ_COVERAGE)) -c $< -o $@

# A target with a format has a custom mutator, which knows the size of head and steps.
define fast_target
build/fuzz/fast/mutator-$(1).o: fuzz/mutator.c fuzz/fuzz.mk fuzz/fast.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) $$(call FUZZ_FORMAT,$(1)) -c $$< -o $$@
build/fuzz/fast/$(1): $(FUZZ_SOURCES_$(1):%.c=build/fuzz/fast/%.o) \
  $(if $(FUZZ_FORMAT_$(1)),build/fuzz/fast/mutator-$(1).o build/fuzz/fast/src/oracle/mutate.o)
	$$(FUZZ_CC) -fsanitize=fuzzer $$^ -o $$@ $(FUZZ_LIBRARIES_$(1))
endef
$(foreach target,$(FUZZ_EVERY),$(eval $(call fast_target,$(target))))
-include $(patsubst %.c,build/fuzz/fast/%.d,$(sort src/oracle/mutate.c \
  $(foreach target,$(FUZZ_EVERY),$(FUZZ_SOURCES_$(target))))) \
  $(FUZZ_EVERY:%=build/fuzz/fast/mutator-%.d)
