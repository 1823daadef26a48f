# SPDX-License-Identifier: Apache-2.0
"""Checks that every branch of the gated files is taken both ways, and every function called.

Usage: coverage.py COVERAGE.json UNCOVERED.txt GATED-FILE...

COVERAGE.json is what `llvm-cov export` says. UNCOVERED.txt names what nothing covers: a reason,
and below it, indented, the claims that it explains, each on a line:

    FILE:FUNCTION: CONDITION is never true
    FILE:FUNCTION: CONDITION is never false
    FILE:FUNCTION: is never called

A branch inside a macro is one of the function that uses the macro, in the macro's file. A claim
that is not so is an error, and so is one without a reason.
"""

import json
import os
import sys
from collections import Counter, defaultdict


class Sources:
    """Text of source files, by place."""

    def __init__(self):
        self.lines = {}

    def text(self, file, begin_line, begin_column, end_line, end_column):
        """What stands between two places, its white space made single."""
        if file not in self.lines:
            with open(file, encoding="utf-8") as source:
                self.lines[file] = source.read().split("\n")
        lines = self.lines[file][begin_line - 1 : end_line]
        lines[-1] = lines[-1][: end_column - 1]
        lines[0] = lines[0][begin_column - 1 :]
        return " ".join(" ".join(lines).replace("\\ ", " ").split())


def local_name(function):
    """The name of a function without the file that llvm puts before a static one."""
    return function["name"].split(":")[-1]


def uncovered(functions, gated):
    """The lines, less their reasons, that UNCOVERED.txt must have, with the place of each."""
    calls, taken = Counter(), Counter()
    for function in functions:
        files = [os.path.relpath(file) for file in function["filenames"]]
        if files[0] not in gated:
            continue
        name = local_name(function)
        calls[files[0], name, function["regions"][0][0]] += function["count"]
        for branch in function["branches"]:
            place, (true, false) = tuple(branch[:4]), branch[4:6]
            taken[files[branch[6]], name, place, "true"] += true
            taken[files[branch[6]], name, place, "false"] += false
    sources, missing = Sources(), defaultdict(set)
    idle = {(file, name) for (file, name, _), count in calls.items() if count == 0}
    for (file, name, line), count in calls.items():
        if count == 0:
            missing[f"{file}:{name}: is never called"].add(f"{file}:{line}")
    for (file, name, place, value), count in taken.items():
        if count == 0 and (file, name) not in idle:
            condition = sources.text(file, *place)
            missing[f"{file}:{name}: {condition} is never {value}"].add(f"{file}:{place[0]}")
    return missing, len(taken)


def named(path):
    """The claims of UNCOVERED.txt with their reasons."""
    claims, reason, open_reason = {}, "", False
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            text = line.strip()
            if line.startswith("#") or not text:
                reason, open_reason = "", False
            elif line[0].isspace():
                claims[text], open_reason = reason, False
            else:
                reason = f"{reason} {text}" if open_reason else text
                open_reason = True
    return claims


def main():
    """Prints what is neither covered nor named, and what is named wrongly; 0 if there is none."""
    report, exceptions, gated = sys.argv[1], sys.argv[2], set(sys.argv[3:])
    with open(report, encoding="utf-8") as text:
        functions = json.load(text)["data"][0]["functions"]
    missing, ways = uncovered(functions, gated)
    compiled = {os.path.relpath(function["filenames"][0]) for function in functions}
    wrong = [
        f"{file}: no target has it"
        for file in sorted(gated - compiled)
        if file.endswith(".c")
    ]
    excused = named(exceptions)
    for claim, reason in excused.items():
        if claim not in missing:
            wrong.append(f"{exceptions}: not so: {claim}")
        elif not reason:
            wrong.append(f"{exceptions}: without a reason: {claim}")
    for claim in sorted(missing.keys() - excused.keys()):
        wrong.append(f"{claim} ({', '.join(sorted(missing[claim]))})")
    for line in wrong:
        print(f"coverage: {line}")
    print(
        f"coverage: {ways} ways of branches in {len(gated)} gated files; {len(missing)} are never "
        f"taken, or functions never called; {len(excused)} are named with a reason"
    )
    return 1 if wrong or ways == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
