# SPDX-License-Identifier: Apache-2.0
# Nets: the corpus replayed under every checker there is, and kernels with a planted fault that the
# checkers must catch. build/fuzz/BUILD/replay takes files and folders; fuzz/target.h says what it
# reads from the environment.

NET_SOURCES := $(FUZZ_SOURCES) fuzz/replay.c
# These hold the kernels: a build with a planted fault is another's with these two compiled anew.
NET_KERNELS := src/device/host.c src/device/opencl_machine.c

NET_FLAGS_shadow := -DKVP_RACE_SHADOW
NET_FLAGS_address := $(FUZZ_SANITIZE)
NET_FLAGS_memory := -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all
# Groups as small as the host's, so that an input of the corpus has several.
NET_FLAGS_opencl := -DKVP_WITH_OPENCL -DKVP_OPENCL_LOCAL_SIZE=16
NET_LIBRARIES_opencl := -lOpenCL

# $(1) names a build.
define net_build
build/fuzz/$(1)/%.o: %.c fuzz/fuzz.mk fuzz/nets.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) $$(NET_FLAGS_$(1)) -c $$< -o $$@
build/fuzz/$(1)/replay: $(NET_SOURCES:%.c=build/fuzz/$(1)/%.o)
	$$(FUZZ_CC) $$(NET_FLAGS_$(1)) $$^ -o $$@ $$(NET_LIBRARIES_$(1))
-include $(NET_SOURCES:%.c=build/fuzz/$(1)/%.d)
endef

# The corpora of the registry and the engine under the one checker that fuzzing them is not.
build/fuzz/memory/replay-registry: $(FUZZ_REGISTRY_SOURCES:%.c=build/fuzz/memory/%.o)
build/fuzz/memory/replay-engine: $(FUZZ_ENGINE_SOURCES:%.c=build/fuzz/memory/%.o)
build/fuzz/memory/replay-registry build/fuzz/memory/replay-engine: build/fuzz/memory/fuzz/replay.o
	$(FUZZ_CC) $(NET_FLAGS_memory) $^ -o $@
-include $(patsubst %.c,build/fuzz/memory/%.d,$(sort $(FUZZ_REGISTRY_SOURCES) $(FUZZ_ENGINE_SOURCES)))

# $(2) names a fault planted in that build, $(3) is its macro.
define net_canary
build/fuzz/$(1)-$(2)/%.o: %.c fuzz/fuzz.mk fuzz/nets.mk
	@mkdir -p $$(@D)
	$$(FUZZ_CC) $$(FUZZ_FLAGS) $$(NET_FLAGS_$(1)) -D$(3) -c $$< -o $$@
build/fuzz/$(1)-$(2)/replay: $(NET_KERNELS:%.c=build/fuzz/$(1)-$(2)/%.o) \
  $(patsubst %.c,build/fuzz/$(1)/%.o,$(filter-out $(NET_KERNELS),$(NET_SOURCES)))
	$$(FUZZ_CC) $$(NET_FLAGS_$(1)) $$^ -o $$@ $$(NET_LIBRARIES_$(1))
-include $(NET_KERNELS:%.c=build/fuzz/$(1)-$(2)/%.d)
endef

NET_BUILDS := shadow address memory opencl
$(foreach build,$(NET_BUILDS),$(eval $(call net_build,$(build))))

# The planted faults, each in the builds of those nets that claim to catch it.
NET_CANARIES := shadow-race opencl-race shadow-update opencl-update memory-unwritten opencl-unwritten
$(foreach build,shadow opencl,$(eval $(call net_canary,$(build),race,KVP_PLANT_RACE)))
$(foreach build,shadow opencl,$(eval $(call net_canary,$(build),update,KVP_PLANT_LOST_UPDATE)))
$(foreach build,memory opencl,$(eval $(call net_canary,$(build),unwritten,KVP_PLANT_UNINITIALISED)))

# The device suite on the host under AddressSanitizer, UBSan and the race shadow: all but the pool
# of a million blocks, for which the shadow is large, and the programs that put themselves between
# the pool and its libraries.
NET_TESTS := $(patsubst tests/device/%.c,%,\
  $(filter-out %/memory_faults.c %/opencl_faults.c,$(wildcard tests/device/*.c)))
NET_SUITE := $(wildcard src/pool/*.c src/device/*.c src/oracle/*.c) spec/model.c
NET_FLAGS_suite := $(FUZZ_SANITIZE) -DKVP_RACE_SHADOW -UKVP_CAPACITY -DKVP_CAPACITY=262144
build/fuzz/suite/%.o: %.c fuzz/fuzz.mk fuzz/nets.mk
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) $(NET_FLAGS_suite) -c $< -o $@
$(NET_TESTS:%=build/fuzz/suite/%): build/fuzz/suite/%: build/fuzz/suite/tests/device/%.o \
  $(NET_SUITE:%.c=build/fuzz/suite/%.o)
	$(FUZZ_CC) $(NET_FLAGS_suite) $^ -o $@ -lcmocka -ljansson -lxxhash
-include $(NET_SUITE:%.c=build/fuzz/suite/%.d) $(NET_TESTS:%=build/fuzz/suite/tests/device/%.d)

NET_PROGRAMS := $(patsubst %,build/fuzz/%/replay,$(NET_BUILDS) $(NET_CANARIES)) \
  build/fuzz/memory/replay-registry build/fuzz/memory/replay-engine $(NET_TESTS:%=build/fuzz/suite/%)

.PHONY: nets
nets: $(NET_PROGRAMS) ## replay the corpus under every checker
	fuzz/nets.sh $(NET_TESTS)
