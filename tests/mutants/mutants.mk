# SPDX-License-Identifier: Apache-2.0
# Mutants: small patches, each of which breaks something that the checks must find.
#   mutants         those that MUTANTS names, SEEDS runs of the fuzzer each of CAP seconds at most,
#                   MUTANT_JOBS at a time; PROVE=1 asks the proof as well. All: an hour or more
#   mutants-sample  a few that are found soon, by the tests and by one run of the fuzzer
MUTANTS ?= *
SEEDS ?= 5
CAP ?= 60
MUTANT_JOBS ?= 1
PROVE ?=
MUTANTS_SAMPLE := 056-* 057-* 257-* 436-*
MUTANTS_SAMPLE_TESTS := conformance/deviations conformance/registry_faults conformance/engine \
  device/units

.PHONY: mutants mutants-sample
mutants: ## break the code in many small ways, and see who finds it (MUTANTS=pattern, SEEDS, CAP)
	@tests/mutants/run.py --seeds $(SEEDS) --cap $(CAP) --jobs $(MUTANT_JOBS) $(if $(PROVE),--prove) \
		-- $(patsubst %,'%',$(MUTANTS))

mutants-sample: ## a few mutants that must be found soon
	@tests/mutants/run.py --sample --seeds 1 --cap 20 --jobs 2 --tests '$(MUTANTS_SAMPLE_TESTS)' \
		-- $(patsubst %,'%',$(MUTANTS_SAMPLE))
