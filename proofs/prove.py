#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Proves every function of the files that sources.py lists, with Frama-C WP; fails on whatever
is not proved.

Functions are found by asking Frama-C for what each file defines. They are proved in jobs, one
frama-c a job, two at a time; then each canary, a file with a fault, must stay unproved. Prints a
table and writes build/proofs/ledger.json; proofs/trusted.md says what the proof rests on.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from framac import FOLDER, Job, defined_functions, run, versions
from sources import ASSUMED, complaints, inline_functions, proved_files

# Functions that take long, longest first: a job each, so that two cores share the work evenly.
ALONE = ("allocate_all", "register_all", "kvp_pool_reserve", "kvp_pool_retire_top", "match_all",
         "kvp_pool_apply", "leave", "kvp_pool_release", "kvp_pool_publish", "kvp_pool_match_prefix")
TIMEOUT, CANARY_TIMEOUT = 40, 2  # seconds a prover has for a goal,
PATIENCE = 3                     # and as many times that at a second try
CONTRACT = {"terminates": r"terminates", "exits": r"exits",
            "assigns": r"(?!loop_)(\w+_)?assigns", "ensures": r"(\w+_)?ensures"}
UNPROVED = Path("proofs/unproved.txt")


def find_functions(files, defines, workers):
    """Which functions each file proves, which it calls by contract, and complaints. An inline
    function of a header is proved in the first file that includes it."""
    asked = list(workers.map(lambda file: defined_functions(file, defines), files))
    everything = {name for defined, _, _ in asked for name in defined}
    inline, seen, problems = inline_functions(), set(), []
    functions, calls = {}, {}
    for file, (defined, assumed, unknown) in zip(files, asked):
        functions[file] = [name for name in defined if name not in seen]
        calls[file] = assumed
        seen.update(inline.intersection(defined))
        problems += [f"{file}: calls {name}, which has no contract" for name in unknown]
        problems += [f"{file}: takes the contract of {name} on trust: no proved file defines it"
                     for name in assumed if name not in everything and name not in ASSUMED]
    return functions, calls, problems


def make_jobs(functions, defines):
    """Jobs, the longest first, as far as the length of the text tells."""
    alone, rest = [], []
    for file, names in functions.items():
        alone += [Job(file, [name], defines, TIMEOUT) for name in names if name in ALONE]
        if others := [name for name in names if name not in ALONE]:
            rest.append(Job(file, others, defines, TIMEOUT))
    alone.sort(key=lambda job: ALONE.index(job.functions[0]))
    rest.sort(key=lambda job: -Path(job.file).stat().st_size)
    return alone + rest


def lemma_job(defines):
    """All of spec/logic in one file, for the lemmas in it."""
    file = FOLDER / "logic.c"
    headers = sorted(Path("spec/logic").glob("*.h"))
    file.write_text("".join(f'#include "{header}"\n' for header in headers))
    return Job(file, [], defines, TIMEOUT)


def make_canaries(defines):
    canaries = []
    for file in sorted(Path("proofs/canaries").glob("*.c")):
        goal = re.search(r"Must stay unproved: (\w+)", file.read_text())
        canaries.append(Job(file, None, defines, CANARY_TIMEOUT, goal[1] if goal else ""))
    return canaries


def read_unproved():
    """Goals that may stay unproved, each with its reason."""
    lines = [line.split(None, 1) for line in UNPROVED.read_text().splitlines()]
    listed = {line[0]: line[1:] for line in lines if line and not line[0].startswith("#")}
    return set(listed), [f"{UNPROVED}: {goal} has no reason" for goal in listed if not listed[goal]]


def check_goals(results, excused, whole):
    goals = [goal for result in results for goal in result.goals]
    proved = {goal["name"] for goal in goals if goal["proved"]}
    unproved = {goal["name"] for goal in goals if not goal["proved"]}
    problems = [f"unproved: {goal['name']} (build/proofs/{goal['job']}.log)"
                for goal in goals if not goal["proved"] and goal["name"] not in excused]
    problems += [f"{UNPROVED}: {name} is proved" for name in sorted(excused & proved - unproved)]
    if whole:
        problems += [f"{UNPROVED}: {name} is no goal"
                     for name in sorted(excused - proved - unproved)]
    return problems


def check_contracts(results):
    """Each function owes all parts of a contract, each with a goal."""
    problems = []
    for result in results:
        for function in result.job.functions:
            names = [goal["name"] for goal in result.goals if goal["function"] == function]
            parts = [re.sub(f"^(typed_ref_)?{function}_", "", name) for name in names]
            problems += [f"{result.job.file}: {function} has no `{clause}`"
                         for clause, pattern in CONTRACT.items()
                         if not any(re.match(pattern, part) for part in parts)]
    return problems


def check_hypotheses(results, functions, calls, whole):
    """What the memory model takes for granted about a function must be the same where callers
    are checked against it as where its body is proved."""
    files = {}
    for file, names in functions.items():
        for name in names:
            files.setdefault(name, []).append(file)
    found, problems = {}, []  # by function and file
    for result in results:
        for function, hypotheses in result.hypotheses.items():
            found[function, str(result.job.file)] = hypotheses
    for (function, file), hypotheses in found.items():
        if len(files.get(function, [])) != 1:
            continue  # static functions of one name: each is seen in its own file only
        first = found.get((function, files[function][0]), hypotheses)
        if first != hypotheses:
            problems.append(f"{function}: the memory model's hypotheses differ between "
                            f"{files[function][0]} and {file}")
        if whole:
            problems += [f"{function}: {caller} is not checked for the memory model's hypotheses"
                         for caller in calls if file == files[function][0]
                         and function in calls[caller] and (function, caller) not in found]
    return problems


def check_canaries(results):
    problems = [] if results else ["no canaries"]
    for result in results:
        named = [goal for goal in result.goals
                 if result.job.goal and goal["name"].startswith(result.job.goal)]
        if not named:
            problems.append(f"canary {result.job.file}: its goal {result.job.goal} is not there")
        elif all(goal["proved"] for goal in named):
            problems.append(f"canary {result.job.file}: {result.job.goal} was proved")
    return problems


def run_patiently(result, excused):
    """A job with a goal left unproved is run once more, alone and with more time: another
    program may have taken the processor from the provers."""
    if all(goal["proved"] or goal["name"] in excused for goal in result.goals):
        return result
    return run(dataclasses.replace(result.job, timeout=PATIENCE * result.job.timeout, again=True))


def count_provers(goals):
    provers = [goal["prover"] for goal in goals if goal["proved"]]
    return {prover: provers.count(prover) for prover in ("qed", "z3", "cvc4", "cvc5")
            if prover in provers}


def make_rows(results):
    rows = []
    for result in sorted(results, key=lambda result: str(result.job.file)):
        for function in result.job.functions or ["lemmas"]:
            goals = [goal for goal in result.goals if goal["function"] == function]
            rows.append({"file": str(result.job.file), "function": function, "goals": len(goals),
                         "proved": sum(goal["proved"] for goal in goals),
                         "seconds": round(sum(goal["seconds"] for goal in goals), 2),
                         "provers": count_provers(goals)})
    return rows


def print_table(rows):
    print(f"\n{'function':<26} {'goals':>6} {'proved':>6} {'seconds':>8}  proved by")
    file = None
    for row in rows:
        if row["file"] != file:
            file = row["file"]
            print(file)
        provers = " ".join(f"{prover}:{n}" for prover, n in row["provers"].items())
        print(f"  {row['function']:<24} {row['goals']:>6} {row['proved']:>6} "
              f"{row['seconds']:>8.1f}  {provers}")
    print("seconds: of the provers that succeeded")


def report(results, canaries, rows, problems, wall):
    print_table(rows)
    goals = [goal for result in results for goal in result.goals]
    proved = sum(goal["proved"] for goal in goals)
    provers = " ".join(f"{prover}:{n}" for prover, n in count_provers(goals).items())
    proved_canaries = sum(problem.startswith("canary ") for problem in problems)
    print(f"\ngoals     {proved} of {len(goals)} proved, {provers or 'none'}")
    if canaries:
        print(f"canaries  {len(canaries) - proved_canaries} of {len(canaries)} stayed unproved")
    print("versions ", ", ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"wall      {wall:.0f} s")
    if any(problem.startswith("unproved:") for problem in problems):
        print("\nA log's first line is its command. With -wp-print it prints goals, and with "
              "-wp-prop=NAME\nonly those of the clause with this name.")
    if problems:
        print(f"\n{len(problems)} problems")
    for problem in problems:
        print(f"  {problem}")


def write_ledger(results, canaries, rows, problems, wall, options):
    ledger = {"versions": versions(), "capacity": options.capacity,
              "part": options.function or options.file, "wall_seconds": round(wall, 1),
              "functions": rows, "problems": problems,
              "goals": [goal for result in results for goal in result.goals],
              "hypotheses": {function: sorted(hypotheses) for result in results
                             for function, hypotheses in sorted(result.hypotheses.items())},
              "canaries": [{"file": str(result.job.file), "goal": result.job.goal,
                            "goals": result.goals} for result in canaries]}
    (FOLDER / "ledger.json").write_text(json.dumps(ledger, indent=1) + "\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--function", help="prove only this function")
    parser.add_argument("--file", help="prove only the functions of this file")
    parser.add_argument("--capacity", type=int, help="prove at this KVP_CAPACITY")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1),
                        help="how many jobs at a time (default: %(default)s)")
    return parser.parse_args()


def main():
    options, start = arguments(), time.monotonic()
    whole = not (options.function or options.file)
    defines = [f"-DKVP_CAPACITY={options.capacity}"] if options.capacity else []
    files = proved_files()
    subprocess.run(["proofs/why3-config.sh", FOLDER], check=True)
    (FOLDER / "ledger.json").unlink(missing_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        functions, calls, problems = find_functions(files, defines, workers)
        problems += complaints()
        wanted = {file: [name for name in names if options.function in (None, name)]
                  for file, names in functions.items() if options.file in (None, file)}
        jobs = make_jobs(wanted, defines)
        if not jobs:
            sys.exit("prove.py: no such function or file")
        jobs += [lemma_job(defines)] if whole else []
        canary_jobs = [] if options.function else make_canaries(defines)
        done = list(workers.map(run, jobs + canary_jobs))
    excused, unreasoned = read_unproved()
    results = [run_patiently(result, excused) for result in done[:len(jobs)]]
    canaries = done[len(jobs):]

    problems += unreasoned + [problem for result in results + canaries
                              for problem in result.problems(excused)]
    problems += check_goals(results, excused, whole) + check_contracts(results)
    problems += check_hypotheses(results, functions, calls, whole)
    problems += [] if options.function else check_canaries(canaries)
    rows, wall = make_rows(results), time.monotonic() - start
    report(results, canaries, rows, problems, wall)
    write_ledger(results, canaries, rows, problems, wall, options)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    os.environ["PWD"] = os.getcwd()  # where Frama-C looks for files
    main()
