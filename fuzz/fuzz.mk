# SPDX-License-Identifier: Apache-2.0
# Fuzzing: model, reference and device path against each other under libFuzzer with ASan and UBSan.
#   fuzz           fuzz for SECONDS, keep what was found in build/fuzz/found
#   fuzz-check     replay the committed corpus, then fuzz for 30 s
#   fuzz-canaries  a planted bug in reference and in device: each must be found within 60 s
SECONDS ?= 60
FUZZ_CC ?= clang-14
# Bytes of an input. 48 give some 115 operations; more go deeper, but fewer a second.
FUZZ_MAX_LEN ?= 48

# Coverage guides by what the subjects and the decoder do; the oracle needs the sanitizers only, and
# the race shadow, itself a checker that every access goes through, neither.
FUZZ_PLAIN := src/device/shadow.c
FUZZ_SUBJECTS := $(filter-out $(FUZZ_PLAIN),$(wildcard src/pool/*.c src/device/*.c)) \
	fuzz/decode.c fuzz/actions.c fuzz/draw.c
FUZZ_ORACLE := spec/model.c fuzz/mirror.c fuzz/differential.c \
	$(addprefix src/oracle/,compare.c payload.c text.c model.c reference.c device.c)
FUZZ_SOURCES := $(FUZZ_PLAIN) $(FUZZ_SUBJECTS) $(FUZZ_ORACLE)
FUZZ_FLAGS := -std=c11 -g -O2 -Wall -Wextra -Wpedantic -Wshadow -Iinclude -I. -MMD -MP \
	-D_POSIX_C_SOURCE=200809L -DKVP_CAPACITY=128
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
# Comparisons are not traced: the input is no format with magic numbers, and it halves the speed.
FUZZ_COVERAGE := -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls
# Entropic scheduling costs more here than it finds.
FUZZ_RUN := -max_len=$(FUZZ_MAX_LEN) -len_control=0 -entropic=0 -print_final_stats=1

# $(1) names a build, $(2) is its planted bug or nothing.
define fuzz_build
build/fuzz/$(1)/%.o: %.c fuzz/fuzz.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) -DKVP_RACE_SHADOW $(2) $$(if $$(filter $$<,$$(FUZZ_SUBJECTS)),$$(FUZZ_COVERAGE)) \
		$$(if $$(filter-out $$(FUZZ_PLAIN),$$<),$$(FUZZ_SANITIZE)) -c $$< -o $$@
build/fuzz/$(1)/differential: $(patsubst %.c,build/fuzz/$(1)/%.o,$(FUZZ_SOURCES))
	$$(FUZZ_CC) -fsanitize=fuzzer $$(FUZZ_SANITIZE) $$^ -o $$@
-include $(patsubst %.c,build/fuzz/$(1)/%.d,$(FUZZ_SOURCES))
endef
$(eval $(call fuzz_build,plain,))
$(eval $(call fuzz_build,reference-bug,-DKVP_PLANT_REFERENCE_BUG))
$(eval $(call fuzz_build,device-bug,-DKVP_PLANT_DEVICE_BUG))

.PHONY: fuzz fuzz-check fuzz-canaries
fuzz: build/fuzz/plain/differential ## fuzz for SECONDS (60)
	mkdir -p build/fuzz/found
	KVP_FUZZ_STATISTICS=1 $< $(FUZZ_RUN) -max_total_time=$(SECONDS) \
		-artifact_prefix=build/fuzz/ build/fuzz/found fuzz/corpus

fuzz-check: build/fuzz/plain/differential ## replay the corpus, fuzz for 30 s
	fuzz/check.sh $< $(FUZZ_RUN)

fuzz-canaries: build/fuzz/reference-bug/differential build/fuzz/device-bug/differential ## planted bugs must be found
	fuzz/canary.sh $^ $(FUZZ_RUN)

include fuzz/nets.mk
