#!/usr/bin/env python3
"""Makes mutants of the candidates of all equivalent pairs under tests/pairs.

usage: generate.py [--each N] [--seed S] [--out FILE] [--no-ptxas] [PAIR...]

One change in one line each; ptxas must accept the changed file. Mutants come in rounds, one of each
pair in turn, the kinds of change by turns too, so that any prefix of the list is a fair sample.
Writes JSON lines (gzip if the name ends in .gz): {"id", "pair", "file", "line", "kind", "what",
"old", "new"}.
"""
import argparse
import glob
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import operators
import ptxtext

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = os.path.normpath(os.path.join(HERE, "../../tests/pairs"))
NEAR = 16  # a register is replaced by one of as many that were written last


def check_path(pair):
    return os.path.join(PAIRS, pair, "check.json")


def load_check(pair):
    """The check, with the paths of PTX files made absolute."""
    folder = os.path.join(PAIRS, pair)
    with open(os.path.join(folder, "check.json"), encoding="utf-8") as file:
        check = json.load(file)
    for side in ("reference", "candidate"):
        for step in ptxtext.ptx_steps(check, side):
            step["ptx"] = os.path.normpath(os.path.join(folder, step["ptx"]))
    return check


def equivalent_pairs():
    """Names of the pairs that are proved, all but those that may stay open."""
    with open(os.path.join(PAIRS, "open.txt"), encoding="utf-8") as file:
        skipped = {line.split()[0] for line in file if line.strip() and line[0] != "#"}
    names = []
    for path in glob.glob(os.path.join(PAIRS, "**", "check.json"), recursive=True):
        name = os.path.relpath(os.path.dirname(path), PAIRS)
        with open(path, encoding="utf-8") as file:
            if json.load(file).get("expect") == "equivalent" and name not in skipped:
                names.append(name)
    return sorted(names)


def sites(pair, rng):
    """kind -> list of (file, line, what, old, new), shuffled."""
    found = {kind: [] for kind in operators.OPERATORS}
    for path, kernels in sorted(ptxtext.candidate_files(load_check(pair)).items()):
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        written = []
        for i in ptxtext.kernel_lines(lines, kernels):
            ins = ptxtext.parse(lines[i])
            if ins is None or ins.opcode.startswith("ld.param"):
                if ins is not None and ins.operands:
                    written += ptxtext.REGISTER.findall(ins.operands[0])
                continue
            near = {}
            for name in dict.fromkeys(reversed(written[-NEAR:])):
                near.setdefault(ptxtext.register_class(name), []).append(name)
            for names in near.values():
                rng.shuffle(names)
            for kind, change in operators.OPERATORS.items():
                for what, new in change(ins, near):
                    indent = re.match(r"\s*", lines[i])[0]
                    text = str(new) if new is not None else indent + "// removed"
                    if text != lines[i]:
                        found[kind].append((path, i, what, lines[i], text))
            if ins.has_result():
                written += ptxtext.REGISTER.findall(ins.operands[0])
    for rows in found.values():
        rng.shuffle(rows)
    return found


def changed_text(path, line, new):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines[line] = new
    return "\n".join(lines)


def accepted(text, folder):
    """Does ptxas assemble it, for the target that the file names?"""
    target = re.search(r"^\s*\.target\s+(\w+)", text, re.M)[1]
    path = os.path.join(folder, "mutant.ptx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    output = os.path.join(folder, "x")
    done = subprocess.run(["ptxas", "-O0", f"-arch={target}", path, "-o", output],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode == 0


class Source:
    """The mutants of one pair, one at a time, kinds by turns."""

    def __init__(self, pair, seed, turn):
        self.pair = pair
        self.found = sites(pair, random.Random(f"{seed}:{pair}"))
        self.kinds = list(operators.OPERATORS)
        self.turn = turn

    def next(self, accept):
        """The next that is accepted, or None."""
        while any(self.found.values()):
            kind = self.kinds[self.turn % len(self.kinds)]
            self.turn += 1
            while self.found[kind]:
                path, line, what, old, new = self.found[kind].pop()
                if not accept(changed_text(path, line, new)):
                    continue
                folder = os.path.join(PAIRS, self.pair)
                return {"pair": self.pair, "file": os.path.relpath(path, folder), "line": line + 1,
                        "kind": kind, "what": what, "old": old.strip(), "new": new.strip()}
        return None


def open_text(path, mode):
    opened = gzip.open if path.endswith(".gz") else open
    return opened(path, mode + "t", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--each", type=int, default=8, help="mutants of each pair (8)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default=os.path.join(HERE, "mutants.jsonl.gz"))
    parser.add_argument("--no-ptxas", action="store_true", help="do not ask ptxas")
    parser.add_argument("pairs", nargs="*")
    args = parser.parse_args()
    pairs = args.pairs or equivalent_pairs()
    sources = [Source(pair, args.seed, turn) for turn, pair in enumerate(pairs)]
    count = 0
    with tempfile.TemporaryDirectory() as folder, open_text(args.out, "w") as out:
        accept = (lambda text: True) if args.no_ptxas else lambda text: accepted(text, folder)
        for _ in range(args.each):
            for source in sources:
                mutant = source.next(accept)
                if mutant is not None:
                    count += 1
                    out.write(json.dumps({"id": count, **mutant}) + "\n")
    print(f"{count} mutants of {len(pairs)} pairs in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
