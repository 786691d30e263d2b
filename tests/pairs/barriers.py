#!/usr/bin/env python3
"""Removes each barrier of each recorded kernel in turn.

usage: barriers.py BINARY [--all] [--table FILE] [PAIR...]

Each side of a pair is held against itself without one barrier (bar.sync, bar.warp.sync,
barrier.sync, barrier.cluster.*). What must come out: a race that names two accesses, or `equivalent`,
a proof that nothing needed the barrier there. Anything else is listed with its reason, and fails the
run unless barriers_open.txt names the kernel. Without --all, a few pairs that take seconds.
"""
import argparse
import collections
import concurrent.futures
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FAMILIES = ("cuda", "triton", "inductor")
FEW = ("cuda/matmul/transposed_operand", "cuda/norm/layernorm_onepass_dynamic",
       "cuda/matmul/missing_trailing_sync", "cuda/scan/lane_guard_off_by_one", "cuda/sync",
       "triton/transpose_shared", "inductor/transpose")
BARRIER = re.compile(r"\b(?:bar|barrier)(?:\.[a-z]+)*\.(?:sync|wait)(?:\.[a-z]+)*\b")
RACES = ("race-shared", "race-global", "async-order")
TIMEOUT = 60

Mutant = collections.namedtuple("Mutant", "pair side ptx line text")
Result = collections.namedtuple("Result", "mutant outcome detail")


def launches(check, side):
    return [step for step in check[side]["launches"] if "ptx" in step]


def self_check(pair, side, ptx=None, mutated=None):
    """The pair's check with `side` on both sides; the candidate runs `mutated` instead of `ptx`."""
    with open(os.path.join(HERE, pair, "check.json"), encoding="utf-8") as f:
        check = json.load(f)
    check.pop("expect", None)
    program = check[side]
    for step in launches(check, side):
        step["ptx"] = os.path.normpath(os.path.join(HERE, pair, step["ptx"]))
    check["reference"], check["candidate"] = program, copy.deepcopy(program)
    for step in launches(check, "candidate"):
        if step["ptx"] == ptx:
            step["ptx"] = mutated
    return check


def report_of(binary, check, folder):
    path = os.path.join(folder, "check.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(check, f)
    done = subprocess.run([binary, path, "--json", "-", "--timeout", str(TIMEOUT)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=2 * TIMEOUT, check=False)
    report = json.loads(done.stdout)
    return report["checks"][0] if "checks" in report else report


def entry_lines(text, kernels):
    """Line numbers (from 0) that belong to the kernels in use, or to device functions."""
    entry, depth, inside = "", 0, []
    for i, line in enumerate(text):
        if depth == 0:
            started = re.search(r"\.entry\s+([\w$]+)", line)
            if started:
                entry = started.group(1)
            elif re.search(r"\.func\b", line):
                entry = ""
        depth += line.count("{") - line.count("}")
        if not entry or not kernels or entry in kernels:
            inside.append(i)
    return inside


def mutants_of(pair):
    with open(os.path.join(HERE, pair, "check.json"), encoding="utf-8") as f:
        check = json.load(f)
    seen = set()
    for side in ("reference", "candidate"):
        steps = launches(check, side)
        for ptx in sorted({os.path.normpath(os.path.join(HERE, pair, s["ptx"])) for s in steps}):
            kernels = {s.get("kernel", "") for s in steps
                       if os.path.normpath(os.path.join(HERE, pair, s["ptx"])) == ptx}
            with open(ptx, encoding="utf-8") as f:
                text = f.read().split("\n")
            for i in entry_lines(text, kernels - {""}):
                code = text[i].split("//")[0]
                if BARRIER.search(code) and (ptx, i) not in seen:
                    seen.add((ptx, i))
                    yield Mutant(pair, side, ptx, i, code.strip())


def run_mutant(binary, mutant):
    with open(mutant.ptx, encoding="utf-8") as f:
        text = f.read().split("\n")
    text[mutant.line] = ""
    with tempfile.TemporaryDirectory() as folder:
        mutated = os.path.join(folder, "without.ptx")
        with open(mutated, "w", encoding="utf-8") as f:
            f.write("\n".join(text))
        check = self_check(mutant.pair, mutant.side, mutant.ptx, mutated)
        try:
            report = report_of(binary, check, folder)
        except (subprocess.TimeoutExpired, ValueError) as error:
            return Result(mutant, "failed", str(error)[:120])
    return judge(mutant, report)


def judge(mutant, report):
    verdict, category = report.get("verdict"), report.get("category") or ""
    reason = report.get("message") or report.get("reason") or ""
    if verdict == "not_equivalent" and category in RACES:
        places = next((f.get("places", []) for f in report.get("findings", [])
                       if f.get("category") == category), [])
        if len(places) != 2:
            return Result(mutant, "one access", reason)
        lines = " and ".join(str(p.get("line")) for p in places)
        return Result(mutant, "race", f"{category}: lines {lines}")
    if verdict == "equivalent":
        return Result(mutant, "redundant", "")
    if verdict == "not_equivalent":
        return Result(mutant, "other fault", f"{category}: {reason}")
    if verdict == "invalid" and report.get("reason") == "reference-fault":
        return Result(mutant, "faulty before", f"{category}: {reason}")
    return Result(mutant, verdict, f"{report.get('reason') or ''}: {reason}")


def listed(name):
    """`open`: pairs whose mutants may stay undecided. Lines of barriers_open.txt: key, reason."""
    rows = {}
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line:
                key, _, why = line.partition("  ")
                rows[key] = why.strip()
    return rows


def key_of(mutant):
    return f"{mutant.pair}/{os.path.basename(mutant.ptx)}"


def summary(results):
    by_kernel = collections.OrderedDict()
    for result in results:
        by_kernel.setdefault(key_of(result.mutant), []).append(result)
    return by_kernel


def lines_of(results, outcome):
    return ", ".join(str(r.mutant.line + 1) for r in results if r.outcome == outcome)


def write_table(path, results, explained, undecided):
    counts = collections.Counter(r.outcome for r in results)
    out = ["# Removing each barrier", "",
           "Made by `tests/pairs/barriers.py BINARY --all --table docs/barrier-removal.md`: every "
           "barrier of every", "recorded kernel removed in turn, the kernel held against itself. A "
           "race is one that names two accesses;", "redundant is a proof that the kernel does the "
           "same without it, for every schedule.", "",
           f"{len(results)} barriers: " + ", ".join(
               f"{n} {outcome}" for outcome, n in counts.most_common()) + ".", "",
           "| kernel | race | redundant | other |", "| --- | --- | --- | --- |"]
    kernels = summary(results)
    for key, group in kernels.items():
        other = [r for r in group if r.outcome not in ("race", "redundant")]
        out.append(f"| {key} | {lines_of(group, 'race')} | {lines_of(group, 'redundant')} | "
                   + ", ".join(f"{r.mutant.line + 1} {r.outcome}" for r in other) + " |")
    out += ["", "Numbers are lines of the PTX.", "", "## Why some are redundant", ""]
    for key, group in kernels.items():
        if any(r.outcome == "redundant" for r in group):
            out.append(f"- `{key}` line {lines_of(group, 'redundant')}: "
                       + explained.get(key, "not explained yet"))
    out += ["", "## Neither a race nor a proof", "", "Nothing is claimed of these. `faulty before`: "
            "the kernel is faulty with all of its barriers, and that fault", "is what is reported; the "
            "others are not decided with all of their barriers either.", ""]
    for key, group in kernels.items():
        other = [r for r in group if r.outcome not in ("race", "redundant")]
        if other:
            outcomes = ", ".join(sorted({r.outcome for r in other}))
            lines = ", ".join(str(r.mutant.line + 1) for r in other)
            out.append(f"- `{key}` line {lines}: {outcomes}; {undecided.get(key, 'not looked at')}")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


def pairs(wanted, everything):
    found = []
    for family in FAMILIES:
        for path in glob.glob(os.path.join(HERE, family, "**", "check.json"), recursive=True):
            found.append(os.path.relpath(os.path.dirname(path), HERE))
    if wanted:
        return sorted(p for p in found if p in wanted)
    if everything:
        return sorted(found)
    return sorted(p for p in found if any(p == f or p.startswith(f + "/") for f in FEW))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("binary")
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--all", action="store_true", help="every pair")
    parser.add_argument("--table", help="write the results as markdown")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    mutants = [m for pair in pairs(options.pairs, options.all) for m in mutants_of(pair)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = []
        for result in pool.map(lambda m: run_mutant(options.binary, m), mutants):
            results.append(result)
            print(key_of(result.mutant), result.mutant.line + 1, result.outcome, result.detail,
                  sep="\t", flush=True)
    explained, undecided = listed("barriers_redundant.txt"), listed("barriers_open.txt")
    if options.table:
        write_table(options.table, results, explained, undecided)
    wrong = 0
    for r in results:
        key = key_of(r.mutant)
        expected = r.outcome == "race" or (r.outcome == "redundant" and key in explained) \
            or key in undecided
        if not expected:
            print(f"WRONG {key} line {r.mutant.line + 1}: {r.outcome}, {r.detail}")
            wrong += 1
    races = sum(r.outcome == "race" for r in results)
    print(f"{len(results)} barriers removed, {races} races, {wrong} not as expected")
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main())
