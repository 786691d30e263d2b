#!/usr/bin/env python3
"""Packs a folder of token mutants (acc, rej_sem, rej_syntax: what ptxas 13.0 says of each) into
mutants.jsonl.gz. usage: make_mutants.py FOLDER

One mutant a line: name, the line number of the mutant that it is a patch of (null: of nothing), and the
patch: [first line, lines replaced, new text]."""
import difflib
import glob
import gzip
import json
import os
import sys


def lines_of(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read().split("\n")


def main(folder):
    paths = sorted(glob.glob(os.path.join(folder, "*", "*.ptx")), key=lambda p: (len(lines_of(p)), p))
    known, out = [], []
    for path in paths:
        lines = lines_of(path)
        own = set(lines)
        base = max(range(len(known)), key=lambda i: len(known[i][1] & own) - len(known[i][1] - own),
                   default=None)
        if base is not None and len(known[base][1] & own) < len(own) / 2:
            base = None
        old = known[base][0] if base is not None else []
        patch = [[a, b - a, "\n".join(lines[c:d])] if d > c else [a, b - a, None]
                 for tag, a, b, c, d in difflib.SequenceMatcher(None, old, lines, False).get_opcodes()
                 if tag != "equal"]
        name = "/".join(path[:-4].split(os.sep)[-2:])
        out.append(json.dumps({"name": name, "base": base, "patch": patch}))
        known.append((lines, own))
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.jsonl.gz")
    with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
        file.write(("\n".join(out) + "\n").encode("utf-8"))


main(sys.argv[1])
