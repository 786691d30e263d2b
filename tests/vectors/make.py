#!/usr/bin/env python3
"""Packs recorded hardware vectors into instructions.jsonl.gz, the file that the tests read.

usage: make.py VECTORS_DIR   (a folder with <family>/vectors.json, schema ptxequiv/runs/v1)

One run a line: {"family", "instruction", "in": {name: [bits, hex]}, "out": {name: [bits, hex]},
"exact"?: false, "ulp"?: number, "unspecified"?: text}. `bits` is the width of a thread's operand; the
hex digits are the operands one after another, each most significant digit first.
"""
import gzip
import json
import pathlib
import re
import sys

FAMILIES = """f32 f64 f16 bf16 f32_approx half_approx compare int_arith int_bits cvt_float_float
cvt_float_int cvt_int_float cvt_int_int cvt_packed""".split()
BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "e4m3": 1, "e5m2": 1}


def element_bytes(name):
    return BYTES.get(name) or int(re.sub(r"\D", "", name)) // 8


def operands(buffer, data, threads):
    raw = bytes.fromhex(data)
    size = element_bytes(buffer["type"]) * buffer["count"] // threads
    values = [raw[i:i + size][::-1].hex() for i in range(0, len(raw), size)]
    return [8 * size, "".join(values)]


def pack(family, run):
    threads = run["grid"][0] * run["block"][0]
    out = {"family": family, "instruction": run["instruction"], "in": {}, "out": {}}
    for name, buffer in run["buffers"].items():
        if "data" in buffer:
            out["in"][name] = operands(buffer, buffer["data"], threads)
    for name, data in run["expect"].items():
        out["out"][name] = operands(run["buffers"][name], data, threads)
    if not run["exact"]:
        out["exact"] = False
        out["ulp"] = run["ulp"]
    if "unspecified" in run:
        out["unspecified"] = run["unspecified"]
    return out


def main():
    root = pathlib.Path(sys.argv[1])
    lines = []
    for family in FAMILIES:
        for run in json.loads((root / family / "vectors.json").read_text())["runs"]:
            if run["instruction"]:
                lines.append(json.dumps(pack(family, run), separators=(",", ":")))
    text = ("\n".join(lines) + "\n").encode()
    target = pathlib.Path(__file__).parent / "instructions.jsonl.gz"
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text)
    print(f"{len(lines)} runs, {len(text)} bytes, {target.stat().st_size} packed")


if __name__ == "__main__":
    main()
