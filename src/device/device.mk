# SPDX-License-Identifier: Apache-2.0
# The kernels for the binary to carry: as source for OpenCL, and compiled by nvcc for CUDA.

kernel_files := $(shell sed -n 's/^\#include "\(.*\)"/\1/p' src/device/kernels.k)

build/gen/kernels.cl: src/device/kernels.k $(kernel_files)
	@mkdir -p $(@D)
	@cat $(kernel_files) | grep -v '^#include \("\|<kvpool/\|<stdint.h>\)' > $@

# A file as the numbers of its bytes, for an array in C.
as_numbers = od -An -v -tu1 $(1) | sed 's/ *\([0-9][0-9]*\)/\1,/g'

build/gen/kernels.inc: build/gen/kernels.cl
	@$(call as_numbers,$<) > $@

# Without nvcc the binary has no kernels for CUDA, and says so.
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(shell command -v nvcc) $(wildcard $(CUDA_HOME:%=%/bin/nvcc)))
endif

# Machine code for what is common in data centres, and PTX for all that came after 2018.
CUDA_TARGETS = arch=compute_75,code=compute_75 arch=compute_80,code=sm_80 \
  arch=compute_90,code=sm_90

build/gen/kernels.fatbin.inc: build/gen/kernels.cl build/gen/nvcc
ifneq ($(NVCC),)
	$(call say,compile) $(NVCC) -x cu -fatbin $(CUDA_TARGETS:%=-gencode %) \
	  -o build/gen/kernels.fatbin $< && $(call as_numbers,build/gen/kernels.fatbin) > $@
else
	@: > $@
endif

# Changes when the compiler does.
build/gen/nvcc: FORCE
	@mkdir -p $(@D)
	@echo '$(NVCC) $(CUDA_TARGETS)' | cmp -s - $@ || echo '$(NVCC) $(CUDA_TARGETS)' > $@

# Whatever compiles these needs the kernels.
src/device/opencl_machine.c: | build/gen/kernels.inc
src/device/cuda_machine.c: | build/gen/kernels.fatbin.inc

.PHONY: device-lint
device-lint: build/gen/kernels.cl ## compile the kernels by every compiler that is there
	@NVCC='$(NVCC)' tests/device/lint $<
