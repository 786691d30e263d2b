#!/usr/bin/env python3
"""Checks mutants, and holds each verdict against both sides executed on concrete inputs.

usage: run.py BINARY [--mutants FILE] [--results FILE] [--first N] [--timeout S] [--inputs N]

First every mutant is checked. Then both sides of each are run over the reals (`ptxequiv run
--meet`), those that are not refuted first. Resumable: results are appended as JSON lines, and what
is known is not done again. An `equivalent` mutant that is seen to differ is a false proof: exit
status 1.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import generate

HERE = generate.HERE


def mutant_check(mutant, folder):
    """Writes the changed file and a check that uses it; returns the check's path."""
    check = generate.load_check(mutant["pair"])
    check.pop("expect", None)
    original = os.path.normpath(os.path.join(generate.PAIRS, mutant["pair"], mutant["file"]))
    with open(original, encoding="utf-8") as file:
        line = file.read().split("\n")[mutant["line"] - 1]
    if line.strip() != mutant["old"]:
        raise ValueError(f"{mutant['pair']}/{mutant['file']}:{mutant['line']} has changed")
    changed = os.path.join(folder, "mutant.ptx")
    with open(changed, "w", encoding="utf-8") as file:
        file.write(generate.changed_text(original, mutant["line"] - 1, mutant["new"]))
    for step in generate.ptxtext.ptx_steps(check):
        if step["ptx"] == original:
            step["ptx"] = changed
    path = os.path.join(folder, "check.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(check, file)
    return path


def answer(command, timeout):
    """What the command says: (exit status or None, stdout, stderr, seconds)."""
    started = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=3 * timeout + 10, check=False)
    except subprocess.TimeoutExpired:
        return None, "", "", round(time.monotonic() - started, 2)
    return done.returncode, done.stdout, done.stderr, round(time.monotonic() - started, 2)


def verdict(binary, path, timeout):
    """What the report says, cut down to what the tables need."""
    status, out, err, seconds = answer(
        [binary, path, "--json", "-", "--timeout", str(timeout), "--memory", "2G"], timeout)
    if status is None:
        return {"verdict": "no answer", "seconds": seconds}
    try:
        report = json.loads(out)
    except ValueError:
        return {"verdict": "crash", "seconds": seconds, "reason": f"exit {status}: {err[-200:]}"}
    report = report["checks"][0] if "checks" in report else report
    result = {"verdict": report["verdict"], "seconds": seconds}
    if report.get("category"):
        result["category"] = report["category"]
    if report["verdict"] == "equivalent":
        result["level"] = report.get("level")
        result["assumptions"] = [a["id"] for a in report.get("assumptions", [])]
    elif report["verdict"] != "not_equivalent":
        reason = report.get("reason") or report.get("message") or ""
        result["reason"] = " ".join(str(reason).split())[:160]
    return result


def parse_meeting(status, out, err):
    """What `run --meet` found. "seen" is how the sides differ, if they do; "met" counts inputs."""
    text = " ".join(out.split())
    fault = re.match(r"FAULT candidate, at random:(\d+): \(([\w-]+)\)", text)
    if fault:
        return {"met": int(fault[1]), "seen": fault[2], "where": text[:200]}
    if text.startswith("DISJOINT"):
        return {"met": int(re.search(r"random:(\d+)", text)[1]), "seen": "disjoint",
                "where": text[:200], "factor": float(re.search(r"([\w.+-]+) times what", text)[1])}
    found = re.match(r"MEET (\d+) inputs, at most (\S+) of .*?, (\d+) of (\d+) elements", text)
    if status == 0 and found:
        row = {"met": int(found[1]), "seen": "", "factor": float(found[2])}
        if int(found[3]):
            row["blind"] = round(int(found[3]) / int(found[4]), 3)
        return row
    return {"met": 0, "seen": "", "why": f"exit {status}: {' '.join(err.split())[:120]}"}


def meeting(binary, path, inputs, timeout):
    """Runs both sides over the reals on as many inputs."""
    status, out, err, _ = answer([binary, "run", path, "--meet", str(inputs), "--timeout",
                                  str(timeout), "--memory", "2G"], timeout)
    return parse_meeting(status, out, err)


def promises_less(result):
    """Proved under a condition or within a tolerance only."""
    return result["verdict"] == "equivalent" and result.get("level") not in ("real", "bitwise")


def is_false_proof(result):
    """Proved for every input, yet seen to differ."""
    return (result["verdict"] == "equivalent" and bool(result.get("seen"))
            and not promises_less(result))


def read_results(path):
    """Id -> all that is known of a mutant: later lines add to earlier ones."""
    results = {}
    if os.path.exists(path):
        with generate.open_text(path, "r") as file:
            for line in file:
                row = json.loads(line)
                results.setdefault(row["id"], {}).update(row)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--mutants", default=os.path.join(HERE, "mutants.jsonl.gz"))
    parser.add_argument("--results", default="results.jsonl")
    parser.add_argument("--first", type=int, default=0, help="only so many (0: all)")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--inputs", type=int, default=100)
    args = parser.parse_args()
    with generate.open_text(args.mutants, "r") as file:
        mutants = [json.loads(line) for line in file]
    if args.first:
        mutants = mutants[:args.first]
    results = read_results(args.results)
    binary = os.path.abspath(args.binary)
    with open(args.results, "a", encoding="utf-8") as out:

        def note(mutant, found):
            results.setdefault(mutant["id"], {}).update(found)
            out.write(json.dumps({"id": mutant["id"], **found}) + "\n")
            out.flush()

        def each(key, todo, find):
            for mutant in todo:
                if key not in results.get(mutant["id"], {}):
                    with tempfile.TemporaryDirectory() as folder:
                        note(mutant, find(mutant_check(mutant, folder)))

        each("verdict", mutants, lambda path: verdict(binary, path, args.timeout))
        if args.inputs:
            order = sorted(mutants, key=lambda m: results[m["id"]]["verdict"] == "not_equivalent")
            each("met", order, lambda path: meeting(binary, path, args.inputs, args.timeout))
    false_proofs = 0
    for mutant in mutants:
        result = results[mutant["id"]]
        if is_false_proof(result):
            false_proofs += 1
            print("FALSE PROOF", json.dumps({**mutant, **result}))
    print(f"{false_proofs} false proofs")
    return 1 if false_proofs else 0


if __name__ == "__main__":
    sys.exit(main())
