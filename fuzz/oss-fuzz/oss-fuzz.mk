# SPDX-License-Identifier: Apache-2.0
# The targets as OSS-Fuzz and ClusterFuzzLite build them: oss-fuzz/build.sh calls oss-fuzz-build,
# with the compiler, its flags and the engine that the service names. oss-fuzz-check plays the
# service.

# Where objects lie: a folder for each way to build.
OSS_OBJECTS ?= build/fuzz/oss-fuzz/objects
OSS_FLAGS := $(filter-out -g -O%,$(FUZZ_FLAGS)) -DKVP_RACE_SHADOW
# The machines that run the programs have the C library only.
OSS_LIBRARIES = $(patsubst -l%,-l:lib%.a,$(FUZZ_LIBRARIES_$(1)))
OSS_DICTIONARY = $(patsubst -dict=%,%,$(filter -dict=%,$(FUZZ_RUN_$(1))))

$(OSS_OBJECTS)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(OSS_FLAGS) -c $< -o $@

# $(1) names a target.
define oss_target
$(OSS_OBJECTS)/mutator-$(1).o: fuzz/mutator.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(OSS_FLAGS) $$(call FUZZ_FORMAT,$(1)) -c $$< -o $$@
$(OUT)/$(1): $(FUZZ_SOURCES_$(1):%.c=$(OSS_OBJECTS)/%.o) \
  $(if $(FUZZ_FORMAT_$(1)),$(OSS_OBJECTS)/mutator-$(1).o $(OSS_OBJECTS)/src/oracle/mutate.o)
	$$(CXX) $$(CXXFLAGS) $$^ $$(LIB_FUZZING_ENGINE) $(call OSS_LIBRARIES,$(1)) -o $$@
$(OUT)/$(1)_seed_corpus.zip: FORCE
	rm -f $$@
	find $(FUZZ_CORPUS_$(1)) -type f | LC_ALL=C sort | zip -q -j -X $$@ -@
$(OUT)/$(1).options: FORCE
	printf '%s\n' '[libfuzzer]' $(filter-out print_final_stats=% dict=%,$(FUZZ_RUN_$(1):-%=%)) > $$@
$(OUT)/$(1).dict: $(call OSS_DICTIONARY,$(1))
	cp $$< $$@
endef
ifneq ($(OUT),)
$(foreach target,$(FUZZ_EVERY),$(eval $(call oss_target,$(target))))
.PHONY: oss-fuzz-build
oss-fuzz-build: $(foreach target,$(FUZZ_EVERY),$(addprefix $(OUT)/$(target),\
  _seed_corpus.zip .options $(if $(call OSS_DICTIONARY,$(target)),.dict)) $(OUT)/$(target))
endif

.PHONY: oss-fuzz-check
oss-fuzz-check: ## build and run the targets as OSS-Fuzz and ClusterFuzzLite do
	@fuzz/oss-fuzz/check.sh $(FUZZ_EVERY)
