#!/usr/bin/env python3
"""Writes the tables of README.md from mutants and results.

usage: summary.py [--mutants FILE] [--results FILE]

The tables stand between the two marks in README.md; the rest of the page is written by hand.
"""
import argparse
import collections
import json
import os
import statistics
import sys

import generate
import run

BEGIN, END = "<!-- tables: summary.py -->", "<!-- end of tables -->"
MOST_SHOWN = 60  # characters of a changed instruction
VERDICTS = ("not_equivalent", "equivalent", "unknown", "unsupported", "other")


def column(result):
    return result["verdict"] if result["verdict"] in VERDICTS else "other"


def row_of(name, found):
    counts = collections.Counter(map(column, found))
    seen = [r for r in found if r.get("seen") and not run.promises_less(r)]
    refuted = sum(r["verdict"] == "not_equivalent" for r in seen)
    share = f"{100 * refuted / len(seen):.1f} %" if seen else "-"
    seconds = sorted(r["seconds"] for r in found)
    return (f"| {name} | {len(found)} | " + " | ".join(str(counts[v]) for v in VERDICTS) +
            f" | {len(seen)} | {share} | {statistics.median(seconds):.2f} | "
            f"{seconds[int(0.95 * (len(seconds) - 1))]:.2f} | {seconds[-1]:.1f} |")


def verdicts_by(title, key, rows):
    """A line for each group of (mutant, result), and one for all."""
    groups = collections.defaultdict(list)
    for mutant, result in rows:
        groups[key(mutant)].append(result)
    lines = [f"| {title} | mutants | " + " | ".join(VERDICTS) +
             " | seen to differ | of these `not_equivalent` | median s | 95 % s | max s |",
             "| --- |" + " ---: |" * (len(VERDICTS) + 6)]
    lines += [row_of(name, groups[name]) for name in sorted(groups)]
    return lines + [row_of("all", [result for _, result in rows])]


def family(mutant):
    """Where the pair comes from: its first folder."""
    return mutant["pair"].split("/")[0]


def counted(title, names):
    return [f"| {title} | mutants |", "| --- | ---: |"] + [
        f"| {name} | {count} |" for name, count in collections.Counter(names).most_common()]


def open_mutants(rows):
    """Each that is neither proved nor refuted, with the reason given."""
    lines = ["| id | pair | change | reason | seen to differ |", "| ---: | --- | --- | --- | --- |"]
    for mutant, result in rows:
        if result["verdict"] in ("equivalent", "not_equivalent"):
            continue
        new = " ".join(mutant["new"].split(";")[0].split()).replace("|", "\\|")
        change = f"{mutant['file']}:{mutant['line']} `{new[:MOST_SHOWN]}`"
        reason = result.get("reason", "")
        lines.append(f"| {mutant['id']} | {mutant['pair']} | {change} | {result['verdict']}"
                     f"{': ' + reason if reason != result['verdict'] else ''} | "
                     f"{result.get('seen', '')} |")
    return lines


def tables(mutants, results):
    rows = [(m, results[m["id"]]) for m in mutants if m["id"] in results]
    found = [result for _, result in rows]
    proved = [r for r in found if r["verdict"] == "equivalent"]
    met = [r["met"] for r in proved if r.get("met")]
    middle = statistics.median(met) if met else 0
    closest = max((r.get("factor", 0) for r in proved if not r.get("seen")), default=0)
    hidden = sum(r["verdict"] == "not_equivalent" and r.get("seen") == "" for r in found)
    lines = [f"`equivalent` although seen to differ: **{sum(map(run.is_false_proof, found))}**. Of "
             f"{len(proved)} proved mutants {len(met)} were run, at {middle:.0f} inputs (median); "
             f"their sides differ by at most {closest:.2g} of what rounding explains. {hidden} "
             "mutants are refuted that no run showed to differ.", ""]
    lines += verdicts_by("change", lambda m: m["kind"], rows) + [""]
    lines += verdicts_by("pair from", family, rows) + [""]
    lines += counted("category of a refutation", (r.get("category", "?") for r in found
                                                  if r["verdict"] == "not_equivalent")) + [""]
    lines += counted("level of a proof", (r.get("level", "?") for r in proved)) + [""]
    return "\n".join(lines + open_mutants(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mutants", default=os.path.join(run.HERE, "mutants.jsonl.gz"))
    parser.add_argument("--results", default=os.path.join(run.HERE, "results.jsonl.gz"))
    args = parser.parse_args()
    with generate.open_text(args.mutants, "r") as file:
        mutants = [json.loads(line) for line in file]
    text = tables(mutants, run.read_results(args.results))
    readme = os.path.join(run.HERE, "README.md")
    with open(readme, encoding="utf-8") as file:
        before, _, rest = file.read().partition(BEGIN)
    after = rest.partition(END)[2]
    with open(readme, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{text}\n{END}{after}")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
