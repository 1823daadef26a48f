# SPDX-License-Identifier: Apache-2.0
# The same targets under AFL++, in its persistent mode:
#   build/fuzz/afl/NAME         ASan, UBSan and race shadow, as under libFuzzer
#   build/fuzz/afl-lto/NAME     none of these, instrumented at link time: the fastest
#   build/fuzz/afl-cmplog/NAME  a companion that tells what is compared with what, used for the
#                               targets that FUZZ_CMPLOG names
# and what is done with them:
#   fuzz-afl    fuzz FUZZ_TARGET for SECONDS, one process
#   fuzz-farm   fuzz FUZZ_TARGET with JOBS processes for SECONDS or, where that is not given, until
#               interrupted. They share what they find in SYNC/FUZZ_TARGET: machines that have the
#               folder SYNC in common, and differ in MACHINE, are one farm.
JOBS ?= 2
SYNC ?= build/fuzz/sync
MACHINE ?= $(shell uname -n)
# Empty: in 30 s from one input of six bytes, no target covered more with it than without, and the
# pool's 1640 edges instead of 1666.
FUZZ_CMPLOG ?=

# What is covered is instrumented, the rest is compiled as for libFuzzer.
AFL_CC_afl := afl-clang-fast
AFL_CC_afl-lto := afl-clang-lto
AFL_CC_afl-cmplog := AFL_LLVM_CMPLOG=1 afl-clang-fast
AFL_FLAGS_afl := -DKVP_RACE_SHADOW
AFL_SANITIZE_afl := $(FUZZ_SANITIZE)

# $(1) names a build.
define afl_build
build/fuzz/$(1)/%.o: %.c fuzz/fuzz.mk fuzz/afl.mk
	@mkdir -p $$(@D)
	AFL_QUIET=1 $$(if $$(filter $$<,$$(FUZZ_COVERED)),$$(AFL_CC_$(1)),$$(FUZZ_CC)) $$(FUZZ_FLAGS) \
		$$(AFL_FLAGS_$(1)) $$(if $$(filter-out $$(FUZZ_PLAIN),$$<),$$(AFL_SANITIZE_$(1))) -c $$< -o $$@
-include $(patsubst %.c,build/fuzz/$(1)/%.d,\
  $(sort $(foreach target,$(FUZZ_EVERY),$(FUZZ_SOURCES_$(target)))))
endef
# $(2) names a target.
define afl_target
build/fuzz/$(1)/$(2): $(FUZZ_SOURCES_$(2):%.c=build/fuzz/$(1)/%.o)
	AFL_QUIET=1 $$(AFL_CC_$(1)) -fsanitize=fuzzer $$(AFL_SANITIZE_$(1)) $$^ -o $$@ \
		$(FUZZ_LIBRARIES_$(2))
endef
# A target with a format has a custom mutator, which knows the size of head and steps.
define afl_mutator
build/fuzz/afl/mutator-$(1).so: fuzz/afl_mutator.c src/oracle/mutate.c src/oracle/mutate.h \
  $(word 1,$(FUZZ_FORMAT_$(1))) fuzz/fuzz.mk fuzz/afl.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(filter-out -MMD -MP,$$(FUZZ_FLAGS)) $$(call FUZZ_FORMAT,$(1)) -shared -fPIC \
		$$(filter %.c,$$^) -o $$@
endef
AFL_BUILDS := afl afl-lto afl-cmplog
$(foreach build,$(AFL_BUILDS),$(eval $(call afl_build,$(build))) \
  $(foreach target,$(FUZZ_EVERY),$(eval $(call afl_target,$(build),$(target)))))
$(foreach target,$(FUZZ_EVERY),$(if $(FUZZ_FORMAT_$(target)),$(eval $(call afl_mutator,$(target)))))

AFL_PROGRAMS = build/fuzz/afl/$(FUZZ_TARGET) \
  $(if $(FUZZ_FORMAT_$(FUZZ_TARGET)),build/fuzz/afl/mutator-$(FUZZ_TARGET).so) \
  $(if $(filter $(FUZZ_TARGET),$(FUZZ_CMPLOG)),build/fuzz/afl-cmplog/$(FUZZ_TARGET))
# What libFuzzer is told of the longest input and of words, by the names that AFL++ has for it.
AFL_OPTIONS = $(patsubst -max_len=%,-G %,$(filter -max_len=%,$(FUZZ_RUN_$(FUZZ_TARGET)))) \
  $(patsubst -dict=%,-x %,$(filter -dict=%,$(FUZZ_RUN_$(FUZZ_TARGET))))
AFL_RUN = MACHINE='$(MACHINE)' OPTIONS='-i $(FUZZ_CORPUS_$(FUZZ_TARGET)) $(AFL_OPTIONS)' \
  fuzz/farm.sh $(FUZZ_TARGET)

.PHONY: fuzz-afl fuzz-farm
fuzz-afl: $(AFL_PROGRAMS) ## fuzz FUZZ_TARGET under AFL++ for SECONDS (60)
	@$(AFL_RUN) 1 build/fuzz/found-afl $(SECONDS)

fuzz-farm: $(AFL_PROGRAMS) build/fuzz/afl-lto/$(FUZZ_TARGET) ## the same by JOBS processes, which share SYNC
	@$(AFL_RUN) $(JOBS) '$(SYNC)' $(if $(filter command environment%,$(origin SECONDS)),$(SECONDS),0)
