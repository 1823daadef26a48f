# SPDX-License-Identifier: Apache-2.0
# The build and its targets. `make help` lists them.

CC = gcc
CFLAGS = -O2 -g
PREFIX = /usr/local
DESTDIR =
# Most blocks a pool can have; empty: as include/kvpool/layout.h says.
KVP_CAPACITY =

warnings = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
defines = -D_POSIX_C_SOURCE=200809L -DKVP_WITH_OPENCL -DKVP_WITH_CUDA \
  $(KVP_CAPACITY:%=-DKVP_CAPACITY=%)
compile = $(CC) -std=c11 $(CFLAGS) $(warnings) $(defines) -Iinclude -I.
libraries = -ljansson -lOpenCL -lxxhash -ldl -lpthread

library_sources := $(wildcard src/pool/*.c src/device/*.c src/oracle/*.c src/registry/*.c) \
  spec/model.c spec/registry_model.c
cli_sources := $(wildcard src/cli/*.c)
test_sources := $(filter-out tests/stress/%,$(wildcard tests/*/*.c))
objects = $(patsubst %.c,build/obj/%.o,$(library_sources) $(cli_sources) $(test_sources))
library_objects = $(library_sources:%.c=build/obj/%.o)
test_programs = $(test_sources:%.c=build/%)
checked_programs = $(filter-out build/tests/bench/%,$(test_programs))

# PoCL keeps what it compiled here.
export POCL_CACHE_DIR = $(CURDIR)/build/pocl

# `make V=1` shows whole commands.
say = $(if $(V),,@echo '  $(1) $@' &&)

.DELETE_ON_ERROR:
.PRECIOUS: build/obj/%.o
.PHONY: all setup demo check tests bench clean install help FORCE

all: build/kvpool ## build the library and the command build/kvpool

include src/device/device.mk
include fuzz/fuzz.mk
include proofs/proofs.mk
include tests/device/stand-in/stand-in.mk
include tests/stress/stress.mk

setup: ## install the Debian packages that are missing
	@tests/setup.sh all

demo: ## install what is missing, build, and replay a trace on every device backend
	@tests/setup.sh build
	@$(MAKE) --no-print-directory all
	@tests/demo.sh

check: ## install what is missing, build, and run every test, proof and fuzzer
	@tests/setup.sh all
	@$(MAKE) --no-print-directory all tests
	+@MAKE='$(MAKE)' tests/run.sh $(checked_programs)

tests: $(test_programs) build/canary/device build/canary/reference # build what check runs

bench: $(patsubst %,build/tests/bench/%,pool registry engine device) ## measure reference, registry, engine, and a device
	@build/tests/bench/pool
	@build/tests/bench/registry
	@build/tests/bench/engine
	@mkdir -p $(POCL_CACHE_DIR)
	@build/tests/bench/device

clean: ## remove everything that was built
	rm -rf build

install: all ## install command, library and headers under PREFIX
	install -D -m 755 build/kvpool $(DESTDIR)$(PREFIX)/bin/kvpool
	install -D -m 644 build/libkvpool.a $(DESTDIR)$(PREFIX)/lib/libkvpool.a
	install -d $(DESTDIR)$(PREFIX)/include/kvpool
	install -m 644 include/kvpool/*.h $(DESTDIR)$(PREFIX)/include/kvpool
ifneq ($(KVP_CAPACITY),)
	sed -i 's/^#define KVP_CAPACITY .*/#define KVP_CAPACITY $(KVP_CAPACITY)/' \
	  $(DESTDIR)$(PREFIX)/include/kvpool/layout.h
endif

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
	  while IFS='|' read -r target line; do printf '  %-14s %s\n' "$$target" "$$line"; done

# What is called a million times a second can be inlined across files, by those who link with -flto:
# the command and the benches do, the tests do not.
build/obj/src/pool/%.o build/obj/src/registry/%.o: CFLAGS += -flto=auto -ffat-lto-objects
build/kvpool build/tests/bench/%: LDFLAGS += -flto=auto

build/kvpool: $(cli_sources:%.c=build/obj/%.o) build/libkvpool.a
	$(call say,link) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(libraries)

build/libkvpool.a: $(library_objects)
	$(call say,pack) rm -f $@ && ar rcs $@ $^

build/tests/%: build/obj/tests/%.o build/libkvpool.a
	@mkdir -p $(@D)
	$(call say,link) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(libraries)

# Tests in which calls of the library fail: they come by the test, which passes them on.
comma = ,
device_calls = open close apply counts view next_cached fill read_payload write_payload digest \
  read_table write_table
opencl_calls = GetPlatformIDs GetDeviceIDs CreateContext CreateProgramWithSource BuildProgram \
  GetProgramBuildInfo CreateCommandQueue CreateKernel CreateBuffer SetKernelArg \
  EnqueueNDRangeKernel EnqueueReadBuffer EnqueueWriteBuffer Finish ReleaseContext ReleaseProgram \
  ReleaseCommandQueue ReleaseKernel ReleaseMemObject
build/tests/device/memory_faults: wrapped = malloc calloc aligned_alloc free \
  $(device_calls:%=kvp_device_%)
build/tests/device/opencl_faults: wrapped = $(opencl_calls:%=cl%)
build/tests/unit/engine_memory: wrapped = calloc free pthread_mutex_init pthread_mutex_destroy \
  pthread_cond_init pthread_cond_destroy pthread_condattr_init pthread_condattr_destroy \
  pthread_create pthread_join
build/tests/device/memory_faults build/tests/device/opencl_faults build/tests/unit/engine_memory: \
  override LDFLAGS += $(wrapped:%=-Wl$(comma)--wrap=%)

# The command with a planted bug, which `kvpool replay` must find.
build/canary/device: plant = -DKVP_PLANT_DEVICE_BUG
build/canary/reference: plant = -DKVP_PLANT_REFERENCE_BUG
build/canary/device build/canary/reference: build/kvpool
	@mkdir -p $(@D)
	$(call say,compile) $(compile) $(plant) $(LDFLAGS) -o $@ $(library_sources) $(cli_sources) \
	  $(libraries)

build/obj/%.o: %.c build/options
	@mkdir -p $(@D)
	$(call say,compile) $(compile) -MMD -MP -c -o $@ $<

# Changes when the way to compile does, so that everything is built again.
build/options: FORCE
	@mkdir -p build
	@echo '$(compile)' | cmp -s - $@ || echo '$(compile)' > $@

-include $(objects:.o=.d)
