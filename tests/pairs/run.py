#!/usr/bin/env python3
"""Holds the program's verdicts on kernel pairs against what they must be.

usage: run.py BINARY base PAIR...        the verdict (and category) that check.json expects
       run.py BINARY symmetry PAIR...    sides swapped, and each side against itself
       run.py BINARY recorded PAIR...    what hardware left, by `ptxequiv run --compare`
       run.py BINARY mutants FILE...     a changed candidate is not proved (FILE: mutants/*.json)

PAIR is a folder with check.json, or a check file. Pairs that open.txt lists may be left open
(unknown or unsupported) but never get a wrong verdict. Exit status 0 if nothing is wrong.
"""
import copy
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXIT = {"equivalent": 0, "not_equivalent": 1, "unknown": 2, "unsupported": 3, "invalid": 4}
TIMEOUT = int(os.environ.get("PTXEQUIV_PAIR_TIMEOUT", "60"))
OPEN_TIMEOUT = 2  # a pair that may stay open is not waited for
# Where only definedness differs: the other side is more defined, and so equivalent when swapped.
ONE_WAY = {
    "conditions/scale_cancels", "numeric/entropy_term", "numeric/hypot_scaled",
    "numeric/log_of_empty", "numeric/root_by_reciprocal", "numeric/square_by_powers",
    "numeric/statement_without_effect", "triton/dropout_unbounded",
}
# What a reference may do too (design: section 1): it is no fault of a program by itself.
NO_FAULT = {"", "value", "coverage"}


class Failed(Exception):
    """The program gave no verdict at all."""


def verdict(binary, path, timeout=TIMEOUT):
    """(verdict, category) of the check at `path`."""
    command = [binary, path, "--json", "-", "--timeout", str(timeout)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=TIMEOUT + 30, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"no answer in {TIMEOUT + 30} s") from error
    try:
        report = json.loads(done.stdout)
    except ValueError as error:
        raise Failed(f"exit {done.returncode}, no JSON: {done.stderr.strip()[-400:]}") from error
    if "checks" in report:
        report = report["checks"][0]
    said = report.get("verdict")
    if EXIT.get(said) != done.returncode:
        raise Failed(f"verdict {said} with exit {done.returncode}")
    return said, report.get("category") or "", report.get("reason") or report.get("message") or ""


def check_file(pair):
    return os.path.join(pair, "check.json") if os.path.isdir(pair) else pair


def load(pair):
    """The check with paths made absolute, so that a changed copy may lie anywhere."""
    path = os.path.abspath(check_file(pair))
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8") as file:
        check = json.load(file)
    for side in ("reference", "candidate"):
        for step in check[side]["launches"]:
            if "ptx" in step:
                step["ptx"] = os.path.join(folder, step["ptx"])
    return check


def with_check(binary, check, timeout=TIMEOUT):
    """The verdict on a check that exists only for the moment; its `expect` is left out."""
    check = {key: value for key, value in check.items() if key != "expect"}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "check.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(check, file)
        return verdict(binary, path, timeout)


def open_pairs():
    """Name -> reason, from open.txt."""
    result = {}
    with open(os.path.join(HERE, "open.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.strip().partition(" ")
                result[name] = reason.strip()
    return result


def name_of(pair):
    return os.path.relpath(os.path.abspath(pair), HERE)


def say(ok, what, said, wanted):
    text = said[0] + (":" + said[1] if said[1] else "")
    why = f"  [{said[2][:140]}]" if not ok and said[2] else ""
    print(f"{'ok  ' if ok else 'FAIL'} {what}: {text}, wanted {wanted}{why}", flush=True)
    return ok


def base(binary, pair, is_open):
    """As `expect` says. An open pair: that, or no verdict, never the opposite one."""
    with open(check_file(pair), encoding="utf-8") as file:
        wanted, _, category = json.load(file)["expect"].partition(":")
    said = verdict(binary, check_file(pair), OPEN_TIMEOUT if is_open else TIMEOUT)
    right = said[0] == wanted and said[1].startswith(category)
    if is_open:
        if right:
            print("note: listed in open.txt, but right")
        ok = said[0] in (wanted, "unknown", "unsupported")
        return say(ok, "base", said, f"{wanted}, or open")
    return say(right, "base", said, wanted + (":" + category if category else ""))


def symmetry(binary, pair, is_open):
    """Swapping the sides keeps a difference of values and never makes one. A side is equivalent to
    itself, unless it is faulty: then it is no reference."""
    check = load(pair)
    timeout = OPEN_TIMEOUT if is_open else TIMEOUT
    wanted, _, fault = check["expect"].partition(":")
    swapped = copy.deepcopy(check)
    swapped["reference"], swapped["candidate"] = check["candidate"], check["reference"]
    wrong = "not_equivalent" if wanted == "equivalent" else "equivalent"
    if name_of(pair) in ONE_WAY:
        wrong = "not_equivalent"
    said = with_check(binary, swapped, timeout)
    faulty = fault not in NO_FAULT
    ok = say(said[0] != wrong and (said[0] != "invalid" or faulty), "swapped", said,
             f"anything but {wrong}")
    for side in ("reference", "candidate"):
        same = copy.deepcopy(check)
        same["reference"] = same["candidate"] = check[side]
        same.pop("symbols", None)  # they may name variables of the other side only
        said = with_check(binary, same, timeout)
        if faulty and side == "candidate":
            good = said[0] in ("invalid", "unknown", "unsupported")
            # A wrapped index may give another value only, which is no fault by itself.
            good |= fault == "int-overflow" and said[0] == "equivalent"
            ok &= say(good, "faulty candidate with itself", said, "invalid, or open")
        elif is_open:
            good = said[0] in ("equivalent", "unknown", "unsupported")
            ok &= say(good, f"{side} with itself", said, "equivalent, or open")
        else:
            ok &= say(said[0] == "equivalent", f"{side} with itself", said, "equivalent")
    return ok


def recorded(binary, pair, is_open):
    """Executed on the recorded inputs, both sides leave what hardware left: bit for bit under a
    permitted contraction, or within the bounds that the program computes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "recorded.json")
        with gzip.open(os.path.join(pair, "recorded.json.gz")) as packed, open(path, "wb") as file:
            file.write(packed.read())
        done = subprocess.run([binary, "run", check_file(pair), "--compare", path],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=TIMEOUT + 30, check=False)
    text = (done.stdout + done.stderr).strip()
    ok = done.returncode == 0 and done.stdout.count("AGREES") == 2
    if is_open and done.returncode == EXIT["unsupported"]:
        ok = True
    if not ok:
        print(f"FAIL recorded: exit {done.returncode}\n{text}", flush=True)
    return ok


def mutate(check, mutant, folder):
    """Writes the candidate's file with one line changed and points the check at it."""
    name = mutant.get("file", "cand.ptx")
    steps = [step for step in check["candidate"]["launches"]
             if os.path.basename(step.get("ptx", "")) == name]
    if not steps:
        raise Failed(f"no candidate launch uses {name}")
    with open(steps[0]["ptx"], encoding="utf-8") as file:
        lines = file.read().split("\n")
    hits = [i for i, line in enumerate(lines) if re.search(mutant["line"], line)]
    at = mutant.get("occurrence", 1)
    if len(hits) < at:
        raise Failed(f"only {len(hits)} lines match {mutant['line']!r}")
    old = lines[hits[at - 1]]
    lines[hits[at - 1]] = re.sub(mutant["line"], mutant["replace"], old, count=1)
    if lines[hits[at - 1]] == old:
        raise Failed(f"nothing changed in {old.strip()!r}")
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    for step in steps:
        step["ptx"] = path
    return hits[at - 1] + 1


def mutants(binary, table):
    """A mutant differs from its reference for some input, so it must not be proved; where `expect`
    is given, it must be met too. One with `same` only looks different: it must not be refuted."""
    ok = True
    with open(table, encoding="utf-8") as file:
        rows = json.load(file)
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            check = load(os.path.join(HERE, row["pair"]))
            line = mutate(check, row, folder)
            said = with_check(binary, check)
        wanted, _, category = row.get("expect", "").partition(":")
        opposite = "not_equivalent" if row.get("same") else "equivalent"
        good = said[0] not in (opposite, "invalid")
        if wanted:
            good = said[0] == wanted and said[1].startswith(category)
        ok &= say(good, f"{row['pair']} line {line}, {row['why']}", said,
                  row.get("expect") or f"anything but {opposite}")
    return ok


def main():
    if len(sys.argv) < 4 or sys.argv[2] not in ("base", "symmetry", "recorded", "mutants"):
        print(__doc__)
        return 2
    binary, kind, targets = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    listed = open_pairs()
    ok = True
    for target in targets:
        try:
            if kind == "mutants":
                ok &= mutants(binary, target)
            else:
                check = {"base": base, "symmetry": symmetry, "recorded": recorded}[kind]
                ok &= check(binary, target, name_of(target) in listed)
        except Failed as error:
            print(f"FAIL {target}: {error}")
            ok = False
    return 0 if ok else 1


sys.exit(main())
