#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes FOLDER/why3.conf, a Why3 configuration with z3, cvc4 and cvc5, for WHY3CONFIG.
# Why3 1.5.1 knows z3 and cvc4. cvc5 1.0 takes the same language as cvc4 but for the name of the
# logic, so it gets cvc4's driver with that one word changed.
set -eu

[ $# -eq 1 ] || { echo "usage: why3-config.sh FOLDER" >&2; exit 2; }
mkdir -p "$1/drivers"
folder=$(cd "$1" && pwd)
config=$folder/why3.conf
drivers=$(why3 --print-datadir)/drivers
cvc5=$(command -v cvc5)

rm -f "$config"
WHY3CONFIG=$config why3 config detect > "$folder/why3.log" 2>&1 || { cat "$folder/why3.log" >&2; exit 1; }
for prover in Z3 CVC4; do
  grep -q "^name = \"$prover\"" "$config" || { echo "why3-config.sh: no $prover" >&2; exit 1; }
done
# Megabytes a prover may take.
sed -i 's/^memlimit = .*/memlimit = 3000/' "$config"

cp "$drivers"/*.gen "$folder/drivers/"
sed 's/ALL_SUPPORTED/ALL/' "$drivers/cvc4_17.drv" > "$folder/drivers/cvc5.drv"
cat >> "$config" <<END

[prover]
name = "CVC5"
shortcut = "cvc5"
version = "$("$cvc5" --version | sed -n '1s/.*version \([0-9.]*[0-9]\).*/\1/p')"
command = "$cvc5 --lang=smt2 --stats-internal --tlimit=%t000 %f"
command_steps = "$cvc5 --lang=smt2 --stats-internal --rlimit=%S %f"
driver = "$folder/drivers/cvc5.drv"
editor = ""
in_place = false
interactive = false
END
