#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Asks of each mutant, a small patch that breaks something: do the tests find it, do the fuzzers,
and in how many seconds from an empty corpus, and, with --prove, does a goal fail?

A patch begins with lines `Key: value`: What it breaks, Class (`public #N`, a fault of another
project made again here; `operator`; `kernel`), Target (the fuzz target that should find it), Proved
(whether it changes code that is proved), and, of one that nothing can find, Equivalent: why.
Each is tried in a copy of the tree with its object files, so that only what changed is built.
Fails on a patch that does not apply or build, and on a mutant that the fuzzers do not find.
"""
import argparse
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "proofs"))
from sources import proved_files  # noqa: E402  (after the path to it)

FOLDER = Path("build/mutants")
RESULTS = Path("tests/mutants/RESULTS.md")
COPIED = ("Makefile", "include", "src", "spec", "fuzz", "tests", "proofs", "build/options",
          "build/gen", "build/obj", "build/libkvpool.a", "build/tests", "build/fuzz/plain")
SUITES = ("unit", "conformance")
# Of the device suite, which runs on the host backend: not what takes long or is not about kernels.
DEVICE_SUITE, NOT_DEVICE = "device", ("large", "memory", "memory_faults", "opencl_faults")
TEST_SECONDS = 60   # that a test program may run
INPUT_SECONDS = 10  # that one input may run, else it hangs, which is a finding
NEVER = float("inf")


class Trouble(Exception):
    """A mutant that cannot be tried."""


@dataclasses.dataclass
class Mutant:
    """A patch, and what is known of it."""
    name: str
    header: dict
    files: list
    tests: list = dataclasses.field(default_factory=list)
    seconds: list = dataclasses.field(default_factory=list)  # one a seed; NEVER: not found
    proof: str = ""
    trouble: str = ""

    @property
    def median(self):
        return statistics.median_high(self.seconds) if self.seconds else NEVER

    def complaint(self):
        """What is wrong with the checks, or with the patch, or None."""
        is_found = self.median != NEVER
        if self.trouble:
            return self.trouble
        if "Equivalent" in self.header:
            return "said to be equivalent, and found" if is_found or self.tests else None
        return None if is_found else "not found by the fuzzer"


def read_patch(path):
    text = path.read_text(encoding="utf-8")
    header = dict(re.findall(r"^(\w+): (.*)$", text.split("\n--- ", maxsplit=1)[0], re.M))
    missing = {"What", "Class", "Target", "Proved"} - set(header)
    if missing:
        sys.exit(f"{path}: no {', '.join(sorted(missing))}")
    return Mutant(path.stem, header, re.findall(r"^\+\+\+ b/(\S+)", text, re.M))


def run(command, folder, log, seconds=None):
    """The exit status, or None if it took too long. What it prints goes to the log."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    with open(log, "a", encoding="utf-8") as output:
        print("$", *command, file=output, flush=True)
        try:
            return subprocess.run(command, cwd=folder, env=kept, stdin=subprocess.DEVNULL,
                                  stdout=output, stderr=subprocess.STDOUT, timeout=seconds,
                                  check=False).returncode
        except subprocess.TimeoutExpired:
            return None


def make(targets, folder, log):
    if run(["make", "--no-print-directory", *targets], folder, log) != 0:
        raise Trouble(f"make {targets[0]} failed: see {log}")


def make_variable(name):
    command = ["make", "-s", "--no-print-directory", f"--eval=print: ; @echo $({name})", "print"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_programs(suites, wanted):
    """Those of these suites whose name, as in unit/pool, one of the patterns fits."""
    names = [f"{suite}/{path.stem}" for suite in suites
             for path in sorted(Path("tests", suite).glob("*.c"))
             if suite != DEVICE_SUITE or path.stem not in NOT_DEVICE]
    return [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in wanted)]


def copy_tree(to):
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    present = [path for path in COPIED if Path(path).exists()]
    subprocess.run(["cp", "-a", "--parents", *present, to], check=True)


def failing_tests(programs, folder, log):
    if not programs:
        return []
    make([f"build/tests/{program}" for program in programs], folder, log)
    return [program for program in programs
            if run([f"build/tests/{program}"] + ["host"] * program.startswith(DEVICE_SUITE + "/"),
                   folder, log, TEST_SECONDS) != 0]


def findings(folder):
    return [path for kind in ("crash", "timeout", "oom", "leak")
            for path in folder.glob(f"{kind}-*")]


def fuzz_once(target, seed, options, folder, log):
    """Seconds to a finding, which libFuzzer leaves as a file, from an empty corpus, or NEVER."""
    for finding in findings(folder):
        finding.unlink()
    flags = [f"-seed={seed}", f"-max_total_time={options.cap}", f"-timeout={INPUT_SECONDS}",
             f"-artifact_prefix={folder.resolve()}/"]
    start = time.monotonic()
    status = run([f"build/fuzz/plain/{target}", *options.flags[target], *flags], folder, log,
                 2 * (options.cap + INPUT_SECONDS))
    seconds = round(time.monotonic() - start, 2)
    if findings(folder):
        return seconds
    if status != 0:
        raise Trouble(f"{target} ended without a finding and with {status}: see {log}")
    return NEVER


def proved_with(file):
    """The file whose proof includes this one: itself, or the first that includes a header."""
    if file.endswith(".c"):
        return file
    return next(proved for proved in proved_files()
                if f'#include "{file}"' in Path(proved).read_text(encoding="utf-8"))


def ask_proof(mutant, folder, log):
    """Whether a goal fails: yes or no."""
    status = run(["proofs/prove.py", "--file", proved_with(mutant.files[0])], folder, log)
    if status == 0:
        return "no"
    ledger = folder / "build/proofs/ledger.json"
    problems = json.loads(ledger.read_text())["problems"] if ledger.exists() else []
    if any(problem.startswith("unproved:") for problem in problems):
        return "yes"
    raise Trouble(f"the proof failed otherwise: see {log}")


def apply_patch(mutant, folder, log):
    patch = Path("tests/mutants", f"{mutant.name}.patch")
    if run(["patch", "-p1", "--fuzz=0", "--forward", "-i", str(patch)], folder, log) != 0:
        raise Trouble("the patch does not apply")


def try_mutant(mutant, options):
    folder, log = FOLDER / "trees" / mutant.name, (FOLDER / f"{mutant.name}.log").resolve()
    log.unlink(missing_ok=True)
    of_device = not mutant.files or any(file.startswith("src/device/") for file in mutant.files)
    try:
        copy_tree(folder)
        if mutant.files:
            apply_patch(mutant, folder, log)
        programs = test_programs(SUITES + (DEVICE_SUITE,) * of_device, options.tests)
        mutant.tests = failing_tests(programs, folder, log)
        target = mutant.header["Target"]
        make([f"build/fuzz/plain/{target}"], folder, log)
        mutant.seconds = [fuzz_once(target, seed, options, folder, log)
                          for seed in range(1, options.seeds + 1)]
        if options.prove and mutant.header["Proved"] == "yes":
            mutant.proof = ask_proof(mutant, folder, log)
    except Trouble as trouble:
        mutant.trouble = str(trouble)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"mutants: {mutant.name}: {describe(mutant)}", flush=True)
    return mutant


def fuzz_words(mutant, cap):
    found = sum(seconds != NEVER for seconds in mutant.seconds)
    if not mutant.seconds:
        return "not tried"
    words = f"{mutant.median:.1f}" if mutant.median != NEVER else f"> {cap}"
    return words if found == len(mutant.seconds) else f"{words} ({found} of {len(mutant.seconds)})"


def describe(mutant):
    if mutant.trouble:
        return mutant.trouble
    found = sum(seconds != NEVER for seconds in mutant.seconds)
    words = [f"tests: {' '.join(mutant.tests) or 'none'}",
             f"{mutant.header['Target']}: found {found} of {len(mutant.seconds)} times"]
    if mutant.median != NEVER:
        words.append(f"median {mutant.median:.1f} s")
    if mutant.proof:
        words.append(f"a goal fails: {mutant.proof}")
    return ", ".join(words)


def check_unpatched(targets, options):
    """The tree as it is must pass what mutants shall fail."""
    for target in targets:
        clean = Mutant(f"unpatched-{target}", {"Target": target, "Proved": "no"}, [])
        once = argparse.Namespace(**{**vars(options), "seeds": 1, "prove": False})
        try_mutant(clean, once)
        if clean.trouble or clean.tests or clean.median != NEVER:
            sys.exit(f"mutants: the tree itself fails: {describe(clean)}")


def summary(mutants):
    """How many each kind of check finds."""
    proved = [mutant for mutant in mutants if mutant.proof]
    counts = [(len(mutants), sum(bool(mutant.tests) for mutant in mutants), "by the tests"),
              (len(mutants), sum(mutant.median != NEVER for mutant in mutants), "by the fuzzers"),
              (len(proved), sum(mutant.proof == "yes" for mutant in proved), "by the proof")]
    return ["Found: " + ", ".join(f"{found} of {n} {how}" for n, found, how in counts if n != 0)
            + "."]


def write_markdown(mutants, options):
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->", "# Mutants", "",
             "Written by `make mutants`. *Tests*: how many programs fail of the unit and",
             "conformance tests and, for the device path, of its suite on the host. *Fuzz*:",
             f"seconds to a finding from an empty corpus, the median of {options.seeds} seeds,",
             f"{options.cap} s each at most, {options.jobs} at a time on {os.cpu_count()} cores.",
             "*Proof*: whether a goal fails; `-`: not proved code, or not asked.", "",
             *summary(mutants), "",
             "| mutant | what | class | tests | target | fuzz | proof |",
             "|---|---|---|---|---|---|---|"]
    for mutant in mutants:
        what = mutant.header["What"]
        if "Equivalent" in mutant.header:
            what += f" (equivalent: {mutant.header['Equivalent']})"
        cells = [mutant.name, what, mutant.header["Class"], str(len(mutant.tests)),
                 mutant.header["Target"], fuzz_words(mutant, options.cap), mutant.proof or "-"]
        lines.append(f"| {' | '.join(cells)} |")
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_json(mutants, options):
    rows = [{"mutant": mutant.name, **{key.lower(): value for key, value in mutant.header.items()},
             "files": mutant.files, "tests": mutant.tests,
             "seconds": [None if one == NEVER else one for one in mutant.seconds],
             "median": None if mutant.median == NEVER else mutant.median,
             "proof": mutant.proof or None, "trouble": mutant.trouble or None}
            for mutant in mutants]
    whole = {"seeds": options.seeds, "cap": options.cap, "jobs": options.jobs,
             "cores": os.cpu_count(), "mutants": rows}
    (FOLDER / "results.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", default=["*"],
                        help="patterns of mutants (default: all)")
    parser.add_argument("--seeds", type=int, default=5, help="runs of the fuzzer (default: 5)")
    parser.add_argument("--cap", type=int, default=60, help="seconds a run (default: 60)")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (default: 1)")
    parser.add_argument("--tests", default="*", help="patterns of test programs (default: all)")
    parser.add_argument("--prove", action="store_true", help="ask the proof as well: minutes each")
    parser.add_argument("--sample", action="store_true",
                        help="each must be found by the tests, too; the tree itself is not tried")
    options = parser.parse_args()
    options.tests = options.tests.split()
    return options


def main():
    options = arguments()
    everything = [read_patch(path) for path in sorted(Path("tests/mutants").glob("*.patch"))]
    mutants = [mutant for mutant in everything
               if any(fnmatch.fnmatch(mutant.name, name) for name in options.names)]
    if not mutants:
        sys.exit("mutants: no such mutant")
    targets = sorted({mutant.header["Target"] for mutant in mutants})
    options.flags = {target: make_variable(f"FUZZ_RUN_{target}") for target in targets}
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "build.log").unlink(missing_ok=True)
    programs = test_programs(SUITES + (DEVICE_SUITE,), options.tests)
    run(["make", "-k", "--no-print-directory", *(f"build/tests/{program}" for program in programs),
         *(f"build/fuzz/plain/{target}" for target in targets)], ".", FOLDER / "build.log")
    if not options.sample:
        check_unpatched(targets, options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        for tried, _ in enumerate(workers.map(lambda one: try_mutant(one, options), mutants), 1):
            write_json(mutants[:tried], options)  # a run of hours may be ended early

    if len(mutants) == len(everything) and not options.sample:
        write_markdown(mutants, options)
    complaints = {mutant.name: mutant.complaint() for mutant in mutants if mutant.complaint()}
    if options.sample:
        complaints |= {mutant.name: "not found by the tests" for mutant in mutants
                       if not mutant.tests and mutant.name not in complaints}
    print("mutants:", *summary(mutants))
    for name, complaint in complaints.items():
        print(f"mutants: {name}: {complaint}")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
