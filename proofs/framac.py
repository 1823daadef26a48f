# SPDX-License-Identifier: Apache-2.0
"""One run of Frama-C WP and what it said."""
import csv
import dataclasses
import json
import os
import re
import shlex
import subprocess
import time
from pathlib import Path

FOLDER = Path("build/proofs")
# A goal takes the prover's whole limit at worst; a job that takes this long is stuck.
JOB_TIMEOUT = 1800
# Most goals fall to one prover at once. What it leaves is tried by the other two, or, where there
# is a second try or something must stay unproved, by all three.
FIRST, FIRST_TIMEOUT, OTHERS = "cvc4", 3, "z3,cvc5"
PREFIX = "typed_ref_"


@dataclasses.dataclass
class Job:
    """The functions to prove in a file; [] for its lemmas, None for all that is in it."""
    file: Path
    functions: list
    defines: list
    timeout: int
    goal: str = ""  # of a canary: must stay unproved
    again: bool = False  # the second try

    @property
    def name(self):
        stem = "-".join(Path(self.file).with_suffix("").parts[-2:])  # pool-blocks
        if self.functions is None:
            return stem
        return f"{stem}-{self.functions[0]}" if len(self.functions) == 1 else stem

    def command(self):
        if self.functions is None:
            choice = []
        elif self.functions:
            choice = ["-wp-fct", ",".join(self.functions)]
        else:
            choice = ["-wp-prop=@lemma"]
        stages = [(FIRST, FIRST_TIMEOUT), (OTHERS, self.timeout)]
        if self.again or self.functions is None:
            stages = [(f"{FIRST},{OTHERS}", self.timeout)]
        runs = [["-wp", *choice, "-wp-prover", provers, "-wp-par", str(max(2, 1 + provers.count(","))),
                 "-wp-timeout", str(timeout)] for provers, timeout in stages]
        return [*parse(self.file, self.defines), "-wp-rte", "-wp-model", "Typed+ref",
                "-wp-check-memory-model", "-wp-split", "-wp-cache", "none",
                "-wp-report-json", f"{FOLDER}/{self.name}.json",
                *(word for run in runs for word in (*run, "-then")),
                "-report-csv", f"{FOLDER}/{self.name}.csv"]


@dataclasses.dataclass
class Result:
    job: Job
    goals: list
    hypotheses: dict  # of the memory model, by function
    complaints: list
    unknown: list     # (function, complaint): a property that is not proved

    def problems(self, excused):
        """A property whose function has a goal that may stay unproved may, too."""
        functions = {goal["function"] for goal in self.goals if goal["name"] in excused}
        return self.complaints + [text for name, text in self.unknown if name not in functions]


def parse(file, defines):
    includes = " ".join(["-Iinclude", "-I.", *defines])
    return ["frama-c", "-kernel-warn-key", "annot-error=abort", f"-cpp-extra-args={includes}",
            str(file)]


def defined_functions(file, defines):
    """The functions that a file defines, those it calls that have a contract only, and those
    that have neither."""
    done = subprocess.run([*parse(file, defines), "-metrics"], capture_output=True, text=True,
                          check=False)
    lists = []
    for title in ("Defined functions", "Specified-only functions",
                  "Undefined and unspecified functions"):
        found = re.search(rf"{title} \((\d+)\)\s*=+\n(.*?)\n\s*\n", done.stdout, re.S)
        counts = re.findall(r"(\w+) \((\d+) calls?\);", found[2]) if found else []
        if not found or len(counts) != int(found[1]):
            raise SystemExit(f"prove.py: cannot read what {file} defines\n{done.stdout}")
        lists.append(counts)
    defined, assumed, unknown = lists
    return ([name for name, _ in defined], [name for name, calls in assumed if calls != "0"],
            [name for name, calls in unknown if calls != "0"])


def seconds_of(text):
    """Sums times as WP prints them: (Qed:12ms) (1.5s)."""
    unit = {"s": 1, "ms": 1e-3, "us": 1e-6}
    return sum(float(number) * unit[name]
               for number, name in re.findall(r"[(:]([\d.]+)(us|ms|s)\)", text))


def function_of(name, functions):
    bare = name.removeprefix(PREFIX)
    if bare.startswith("lemma_"):
        return "lemmas"
    owners = [function for function in functions or [] if bare.startswith(function + "_")]
    return max(owners, key=len, default=None)


def read_goals(log, job):
    """Each goal once, as it ended: a stage may try one again that an earlier one has proved."""
    goals = {}
    for tag, name, rest in re.findall(r"^\[wp\] \[([^]]*)\] Goal (\S+)(.*)$", log, re.M):
        prover = tag.split()[0].lower()
        if not goals.get(name, {}).get("proved"):
            goals[name] = {"name": name, "job": job.name,
                           "function": function_of(name, job.functions),
                           "proved": rest.startswith(" : Valid"),
                           "prover": "qed" if prover == "cfg" else prover,
                           "checked": prover != "cfg", "seconds": round(seconds_of(rest), 4)}
    return list(goals.values())


def read_hypotheses(log):
    found = re.findall(r"Memory model hypotheses for function '(\w+)':\s*/\*@(.*?)\*/", log, re.S)
    return {function: {" ".join(clause.split())
                       for clause in re.findall(r"\b(?:requires|ensures)\s.*?;", text, re.S)}
            for function, text in found}


def check_log(log, job):
    """Complaints about warnings and errors, and about goals that the log does not account for."""
    problems = []
    for number, stage in enumerate(log.split("[wp] Running WP plugin...")):
        for match in re.finditer(r"^\[.*?(?:Warning|Error|aborted|Failure).*(?:\n +.*)?", stage,
                                 re.M):
            text = " ".join(match[0].split())
            nothing_left = number > 1 and text.endswith("No goal generated")
            if "Memory model hypotheses" not in text and "] Goal " not in text and \
                    not nothing_left:
                problems.append(f"{job.name}: {text}")
        goals = re.findall(r"^\[wp\] \[[^]]*\] Goal \S+ *(: Valid)?", stage, re.M)
        total = re.search(r"^\[wp\] Proved goals:\s+(\d+) / (\d+)", stage, re.M)
        seen = (goals.count(": Valid"), len(goals))
        if seen != ((int(total[1]), int(total[2])) if total else (0, 0)):
            problems.append(f"{job.name}: {seen[0]} of {seen[1]} goals seen proved, but Frama-C "
                            f"says {total[0] if total else 'nothing'}")
    return problems


def check_report(goals, job):
    """The log and the report must give each function the same number of goals, and of proved ones.
    """
    parts = json.loads((FOLDER / f"{job.name}.json").read_text())
    groups = {**parts.get("wp:functions", {}), "lemmas": parts.get("wp:axiomatics", {}).get("", {})}
    problems = []
    for function in job.functions or ["lemmas"]:
        counts = [part["wp:main"] for name, part in groups.get(function, {}).items()
                  if name != "wp:section"]
        reported = tuple(sum(count.get(kind, 0) for count in counts)
                         for kind in ("valid", "total"))
        mine = [goal for goal in goals if goal["function"] == function and goal["checked"]]
        logged = (sum(goal["proved"] for goal in mine), len(mine))
        if reported != logged:
            problems.append(f"{job.name}: {function}: {logged[0]} of {logged[1]} goals proved in "
                            f"the log, {reported[0]} of {reported[1]} in the report")
    return problems


def read_properties(job):
    """The properties of the job's functions that no proof covers. What a function requires is
    its callers' business."""
    with open(FOLDER / f"{job.name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(row["function"], f"{row['directory']}/{row['file']}:{row['line']}: {row['function']}: "
             f"{row['property kind']} is {row['status']}: {row['property'][:60]}") for row in rows
            if row["function"] in job.functions and row["property kind"] != "precondition"
            and row["status"] not in ("Valid", "Partially proven")]


def run(job):
    """Runs a job, says so in one line, and reads the result."""
    start, command = time.monotonic(), job.command()
    path = FOLDER / f"{job.name}.log"
    for kind in ("json", "csv"):
        (FOLDER / f"{job.name}.{kind}").unlink(missing_ok=True)
    environment = {**os.environ, "WHY3CONFIG": str((FOLDER / "why3.conf").resolve())}
    with open(path, "w", encoding="utf-8") as file:
        print(f"WHY3CONFIG={FOLDER}/why3.conf", shlex.join(command), file=file, flush=True)
        try:
            status = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False,
                                    env=environment, timeout=JOB_TIMEOUT).returncode
        except subprocess.TimeoutExpired:
            status = "timeout"
    log = path.read_text(encoding="utf-8")
    goals = read_goals(log, job)
    result = Result(job, goals, read_hypotheses(log), check_log(log, job), [])
    if status != 0:
        result.complaints.append(f"{job.name}: frama-c ended with {status}; see {path}")
    elif job.functions is not None:
        result.complaints += check_report(goals, job)
        result.unknown = read_properties(job)
    print(f"{time.monotonic() - start:7.1f} s  {sum(goal['proved'] for goal in goals):>4} of "
          f"{len(goals):>4}  {job.name}", flush=True)
    return result


def versions():
    """Of all that the proof was made with."""
    commands = {"frama-c": "-version", "why3": "--version", "z3": "--version",
                "cvc4": "--version", "cvc5": "--version"}
    found = {}
    for name, option in commands.items():
        text = subprocess.run([name, option], capture_output=True, text=True, check=True).stdout
        found[name] = re.search(r"\d+\.\d+(?:[\w.-]*\w)?", text)[0]
    return found
