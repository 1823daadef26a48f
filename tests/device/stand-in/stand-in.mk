# SPDX-License-Identifier: Apache-2.0
# The device suite on a stand-in for NVIDIA's driver. The programs are the suite's own, linked with
# kernels of which the stand-in takes no notice, for there may be no nvcc.

stand_in := build/tests/stand-in
# Not those that are linked with calls wrapped: the stand-in fails by itself.
stand_in_suite := $(patsubst tests/device/%.c,$(stand_in)/%, \
  $(filter-out tests/device/%_faults.c,$(wildcard tests/device/*.c)))
stand_in_programs := $(stand_in_suite) $(stand_in)/driver_faults

.PHONY: stand-in
stand-in: $(stand_in)/libcuda.so.1 $(stand_in_programs) ## run the device suite on a stand-in for CUDA
	@status=0; for program in $(stand_in_programs); do \
	  ASAN_OPTIONS=detect_stack_use_after_return=1 LD_LIBRARY_PATH=$(stand_in) $$program cuda:0 || status=1; done; exit $$status

$(stand_in)/libcuda.so.1: tests/device/stand-in/cuda.c tests/device/stand-in/work.c \
    src/device/shadow.c src/device/kernels.k $(kernel_files) $(wildcard tests/device/stand-in/*.h) \
    build/options
	@mkdir -p $(@D)
	$(call say,link) $(compile) -fPIC -shared -fvisibility=hidden $(LDFLAGS) -o $@ \
	  $(filter %.c,$^)

# Found before the build's own by its folder.
$(stand_in)/image/build/gen/kernels.fatbin.inc:
	@mkdir -p $(@D)
	@echo '1,' > $@

$(stand_in)/cuda_machine.o: src/device/cuda_machine.c $(wildcard src/device/*.h) \
    $(stand_in)/image/build/gen/kernels.fatbin.inc build/options
	$(call say,compile) $(CC) -I$(stand_in)/image $(wordlist 2,99,$(compile)) -c -o $@ $<

$(stand_in_suite): $(stand_in)/%: build/obj/tests/device/%.o $(stand_in)/cuda_machine.o \
    build/libkvpool.a
	$(call say,link) $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) build/libkvpool.a -lcmocka \
	  $(libraries)

# With AddressSanitizer, which sees what a failure leaves behind and a copy from memory that is gone.
$(stand_in)/driver_faults: tests/device/stand-in/driver_faults.c $(wildcard src/device/*.[ch]) \
    $(stand_in)/image/build/gen/kernels.fatbin.inc build/options
	$(call say,compile) $(CC) -I$(stand_in)/image $(wordlist 2,99,$(compile)) -UKVP_WITH_OPENCL \
	  -fsanitize=address,undefined -fno-sanitize-recover=all $(LDFLAGS) -o $@ $(filter %.c,$^) \
	  -lcmocka $(libraries)
