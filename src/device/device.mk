# SPDX-License-Identifier: Apache-2.0
# The kernel source as one text, for the OpenCL backend to carry and for other compilers to check.

kernel_files := $(shell sed -n 's/^\#include "\(.*\)"/\1/p' src/device/kernels.k)

build/gen/kernels.cl: src/device/kernels.k $(kernel_files)
	@mkdir -p $(@D)
	@cat $(kernel_files) | grep -v '^#include \("\|<kvpool/\|<stdint.h>\)' > $@

build/gen/kernels.inc: build/gen/kernels.cl
	@od -An -v -tu1 $< | sed 's/ *\([0-9][0-9]*\)/\1,/g' > $@

# Whatever compiles opencl.c needs the text.
src/device/opencl.c: | build/gen/kernels.inc

.PHONY: device-lint
device-lint: build/gen/kernels.cl ## compile the kernels as OpenCL C, with warnings as errors
	clang-14 -x cl -cl-std=CL1.2 -fsyntax-only -Xclang -finclude-default-header -Wall -Wextra \
	  -Werror $<
