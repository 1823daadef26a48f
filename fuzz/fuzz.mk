# SPDX-License-Identifier: Apache-2.0
# Fuzzing under libFuzzer with ASan and UBSan. The targets:
#   differential   the pool: model, reference and device path against each other
#   registry       the registry: model and reference
#   engine         the engine's calls, interleaved: model and engine
#   and those of targets.mk
# and what is done with them:
#   fuzz           fuzz FUZZ_TARGET for SECONDS, keep what was found in build/fuzz/found-TARGET
#   fuzz-check     replay each committed corpus, then fuzz: the pool for 15 s, the registry for 10 s,
#                  the engine for 5 s, the others for 5 s each
#   fuzz-canaries  planted bugs: each must be found within 60 s
SECONDS ?= 60
FUZZ_TARGET ?= differential
FUZZ_TARGETS := differential registry engine
FUZZ_CC ?= clang-14
# Bytes of an input. More go deeper, but fewer a second.
FUZZ_MAX_LEN ?= 61
FUZZ_REGISTRY_MAX_LEN ?= 128
FUZZ_ENGINE_MAX_LEN ?= 168

# Coverage guides by what the subjects and the decoder do; the oracle needs the sanitizers only, and
# the race shadow, itself a checker that every access goes through, neither.
FUZZ_PLAIN := src/device/shadow.c
FUZZ_SUBJECTS := $(filter-out $(FUZZ_PLAIN),$(wildcard src/pool/*.c src/device/*.c)) \
	$(addprefix src/oracle/,decode.c actions.c draw.c)
FUZZ_ORACLE := fuzz/differential.c fuzz/harness.c spec/model.c $(addprefix src/oracle/,\
	differential.c mirror.c compare.c payload.c text.c model.c reference.c device.c)
FUZZ_SOURCES := $(FUZZ_PLAIN) $(FUZZ_SUBJECTS) $(FUZZ_ORACLE)
FUZZ_REGISTRY_SUBJECTS := $(filter-out src/registry/engine%,\
	$(wildcard src/pool/*.c src/registry/*.c)) fuzz/registry_actions.c fuzz/registry_draw.c
FUZZ_REGISTRY_ORACLE := spec/registry_model.c fuzz/harness.c fuzz/one_input.c \
	fuzz/registry_pair.c fuzz/registry_text.c
FUZZ_REGISTRY_SOURCES := fuzz/registry.c $(FUZZ_REGISTRY_SUBJECTS) $(FUZZ_REGISTRY_ORACLE)
FUZZ_ENGINE_SUBJECTS := fuzz/engine.c $(wildcard src/registry/engine*.c)
FUZZ_ENGINE_SOURCES := $(FUZZ_ENGINE_SUBJECTS) $(FUZZ_REGISTRY_SUBJECTS) $(FUZZ_REGISTRY_ORACLE) \
	fuzz/engine_pair.c spec/engine_model.c
FUZZ_COVERED := $(FUZZ_SUBJECTS) fuzz/registry.c $(FUZZ_REGISTRY_SUBJECTS) $(FUZZ_ENGINE_SUBJECTS)
FUZZ_FLAGS := -std=c11 -g -O2 -Wall -Wextra -Wpedantic -Wshadow -Iinclude -I. -MMD -MP \
	-D_POSIX_C_SOURCE=200809L -DKVP_CAPACITY=128
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
# Comparisons are not traced: the input is no format with magic numbers, and it halves the speed.
FUZZ_COVERAGE := -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls
# Entropic scheduling costs more here than it finds.
FUZZ_RUN := -len_control=0 -entropic=0 -print_final_stats=1
FUZZ_RUN_differential := -max_len=$(FUZZ_MAX_LEN) $(FUZZ_RUN)
FUZZ_RUN_registry := -max_len=$(FUZZ_REGISTRY_MAX_LEN) $(FUZZ_RUN)
FUZZ_RUN_engine := -max_len=$(FUZZ_ENGINE_MAX_LEN) $(FUZZ_RUN)
FUZZ_SOURCES_differential := $(FUZZ_SOURCES)
FUZZ_SOURCES_registry := $(FUZZ_REGISTRY_SOURCES)
FUZZ_SOURCES_engine := $(FUZZ_ENGINE_SOURCES)
# What the custom mutator knows of a target's inputs.
FUZZ_FORMAT_differential := src/oracle/decode.h KVP_FUZZ
FUZZ_FORMAT_registry := fuzz/registry_draw.h KVP_PLAY
FUZZ_FORMAT_engine := fuzz/engine_pair.h KVP_ENGINE
FUZZ_FORMAT = -include $(word 1,$(FUZZ_FORMAT_$(1))) $(foreach part,HEAD STEP,\
	-DKVP_$(part)=$(word 2,$(FUZZ_FORMAT_$(1)))_$(part))
FUZZ_CORPUS_differential := fuzz/corpus
FUZZ_CORPUS_registry := fuzz/corpus-registry
FUZZ_CORPUS_engine := fuzz/corpus-engine

# $(1) names a build, $(2) is its planted bug or nothing.
define fuzz_build
build/fuzz/$(1)/%.o: %.c fuzz/fuzz.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) -DKVP_RACE_SHADOW $(2) $$(if $$(filter $$<,$$(FUZZ_COVERED)),$$(FUZZ_COVERAGE)) \
		$$(if $$(filter-out $$(FUZZ_PLAIN),$$<),$$(FUZZ_SANITIZE)) -c $$< -o $$@
$(FUZZ_TARGETS:%=build/fuzz/$(1)/mutator-%.o): build/fuzz/$(1)/mutator-%.o: fuzz/mutator.c \
  fuzz/fuzz.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) $$(FUZZ_SANITIZE) $$(call FUZZ_FORMAT,$$*) -c $$< -o $$@
build/fuzz/$(1)/differential: $(patsubst %.c,build/fuzz/$(1)/%.o,$(FUZZ_SOURCES))
build/fuzz/$(1)/registry: $(patsubst %.c,build/fuzz/$(1)/%.o,$(FUZZ_REGISTRY_SOURCES))
build/fuzz/$(1)/engine: $(patsubst %.c,build/fuzz/$(1)/%.o,$(FUZZ_ENGINE_SOURCES))
$(FUZZ_TARGETS:%=build/fuzz/$(1)/%): build/fuzz/$(1)/%: build/fuzz/$(1)/mutator-%.o \
  build/fuzz/$(1)/src/oracle/mutate.o
	$$(FUZZ_CC) -fsanitize=fuzzer $$(FUZZ_SANITIZE) $$^ -o $$@
-include $(patsubst %.c,build/fuzz/$(1)/%.d,src/oracle/mutate.c \
  $(sort $(FUZZ_SOURCES) $(FUZZ_REGISTRY_SOURCES) $(FUZZ_ENGINE_SOURCES))) \
  $(FUZZ_TARGETS:%=build/fuzz/$(1)/mutator-%.d)
endef
$(eval $(call fuzz_build,plain,))
$(eval $(call fuzz_build,reference-bug,-DKVP_PLANT_REFERENCE_BUG))
$(eval $(call fuzz_build,device-bug,-DKVP_PLANT_DEVICE_BUG))
$(eval $(call fuzz_build,registry-bug,-DKVP_PLANT_REGISTRY_BUG))
$(eval $(call fuzz_build,engine-bug,-DKVP_PLANT_ENGINE_BUG))

FUZZ_CANARIES := build/fuzz/reference-bug/differential build/fuzz/device-bug/differential \
	build/fuzz/registry-bug/registry build/fuzz/engine-bug/engine

.PHONY: fuzz fuzz-check fuzz-canaries
fuzz: build/fuzz/plain/$(FUZZ_TARGET) ## fuzz FUZZ_TARGET (differential, registry, engine, hash, planner, workload) for SECONDS (60)
	mkdir -p build/fuzz/found-$(FUZZ_TARGET)
	KVP_FUZZ_STATISTICS=1 $< $(FUZZ_RUN_$(FUZZ_TARGET)) -max_total_time=$(SECONDS) \
		-artifact_prefix=build/fuzz/ build/fuzz/found-$(FUZZ_TARGET) $(FUZZ_CORPUS_$(FUZZ_TARGET))

fuzz-check: $(addprefix build/fuzz/plain/,differential registry engine) ## replay each corpus, fuzz for 45 s
	fuzz/check.sh build/fuzz/plain/differential $(FUZZ_CORPUS_differential) 15 $(FUZZ_RUN_differential)
	fuzz/check.sh build/fuzz/plain/registry $(FUZZ_CORPUS_registry) 10 $(FUZZ_RUN_registry)
	fuzz/check.sh build/fuzz/plain/engine $(FUZZ_CORPUS_engine) 5 $(FUZZ_RUN_engine)

fuzz-canaries: $(FUZZ_CANARIES) ## planted bugs must be found
	fuzz/canary.sh $^ $(FUZZ_RUN_differential)

# In this order: the latter want to know all targets.
include fuzz/nets.mk fuzz/targets.mk fuzz/fast.mk fuzz/afl.mk fuzz/coverage.mk \
  fuzz/oss-fuzz/oss-fuzz.mk tests/mutants/mutants.mk
