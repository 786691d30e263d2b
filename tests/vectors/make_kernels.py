#!/usr/bin/env python3
"""Packs recorded one-instruction kernels into kernels.jsonl.gz, which run_vectors executes.

usage: make_kernels.py VECTORS_DIR   (a folder with <family>/vectors.json, schema ptxequiv/runs/v1)

One run a line, as recorded, with the PTX text in place of its file's name.
"""
import gzip
import json
import pathlib
import sys

KEEP = """name kernel grid block cluster shared_bytes args buffers expect exact ulp accumulation
unspecified varies""".split()


def main():
    root = pathlib.Path(sys.argv[1])
    lines = []
    for path in sorted(root.glob("*/vectors.json")):
        family = path.parent.name
        if family == "faults":
            continue
        for run in json.loads(path.read_text())["runs"]:
            packed = {"family": family}
            packed.update({key: run[key] for key in KEEP if key in run})
            packed["ptx"] = (path.parent / run["ptx"]).read_text()
            lines.append(json.dumps(packed, separators=(",", ":")))
    text = ("\n".join(lines) + "\n").encode()
    target = pathlib.Path(__file__).parent / "kernels.jsonl.gz"
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text)
    print(f"{len(lines)} runs, {len(text)} bytes, {target.stat().st_size} packed")


if __name__ == "__main__":
    main()
