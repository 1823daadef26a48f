# SPDX-License-Identifier: Apache-2.0
# The engine under ThreadSanitizer: many threads, and a judge of their history. Long rounds first;
# short ones find requests that nobody serves. stress-check is the same in a tenth of the time.
STRESS_SOURCES := tests/stress/engine.c spec/registry_model.c $(wildcard src/pool/*.c) \
	$(wildcard src/registry/*.c)

.PHONY: stress stress-check
stress: build/stress/engine ## a million requests from each of 8 threads, checked for linearizability
	$< 8 1000000 1
	$< 3 100000 2 4
	$< 3 100000 3 4

stress-check: build/stress/engine
	$< 8 100000 1
	$< 3 30000 2 4
	$< 3 30000 3 4

build/stress/engine: $(STRESS_SOURCES) tests/stress/stress.mk $(wildcard tests/stress/*.h \
		include/kvpool/*.h src/registry/*.h src/pool/*.h spec/*.h)
	@mkdir -p $(@D)
	$(call say,compile) $(CC) -std=c11 -O2 -g $(warnings) -D_POSIX_C_SOURCE=200809L -DKVP_CAPACITY=1024 \
		-fsanitize=thread -Iinclude -I. $(LDFLAGS) -o $@ $(STRESS_SOURCES) -lxxhash -lpthread
