#!/usr/bin/env python3
"""Parses PTX, prints it again and lets ptxas assemble both: the machine code must be the same.

usage: tests/ptx/round_trip.py [--binary build/ptxequiv] [--jobs N] [-v] PATH...

Each PATH is a PTX file or a folder of them (.ptx). Compared are the sections of the cubins that hold
code, constants and initial values; what debuggers read may differ. Exit status 0 if all agree, 1 if
not, 77 if there is no ptxas on the PATH. A file that ptxas itself does not take is counted apart.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NO_PTXAS = 77
MOST_TRIES = 6
COMPARED = (".text.", ".nv.global.init", ".nv.constant")
# What this ptxas can still assemble for.
OLDEST_TARGET = 75
SUFFIXES = re.compile(r"\.target\s+sm_(\d+)([af]?)")


def sections(path):
    """The compared sections of a 64-bit ELF file: name to contents."""
    with open(path, "rb") as file:
        data = file.read()
    table, = struct.unpack_from("<Q", data, 0x28)
    entry, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * entry) for i in range(count)]
    strings = headers[names][4]
    result = {}
    for name_at, kind, _, _, offset, size in headers:
        start = strings + name_at
        name = data[start:data.index(b"\0", start)].decode()
        if name.startswith(COMPARED):
            no_bits = kind == 8
            result[name] = size if no_bits else data[offset:offset + size]
    return result


def architecture(text):
    found = SUFFIXES.search(text)
    if not found:
        return "sm_75"
    number, suffix = int(found.group(1)), found.group(2)
    return "sm_75" if number < OLDEST_TARGET else f"sm_{number}{suffix}"


def assemble(source, cubin, arch):
    """None, or what ptxas says against it."""
    done = subprocess.run(["ptxas", "-c", f"-arch={arch}", source, "-o", cubin],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return None if done.returncode == 0 else done.stdout.strip() or f"status {done.returncode}"


def compare(binary, path):
    """('same' | 'refused' | 'differs', why)"""
    with open(path, encoding="utf-8", errors="replace") as file:
        arch = architecture(file.read())
    printed = subprocess.run([binary, "inspect", "--dump", "ast", path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    with tempfile.TemporaryDirectory(prefix="ptxequiv_") as folder:
        cubin, again = os.path.join(folder, "t.cubin"), os.path.join(folder, "t.ptx")
        with open(again, "wb") as file:
            file.write(printed.stdout)
        before, after = [], []
        # ptxas 13 does not always make the same of one file if it holds tcgen05.
        for _ in range(MOST_TRIES):
            why = assemble(path, cubin, arch)
            if why:
                return "refused", why
            before.append(sections(cubin))
            if printed.returncode != 0:
                return "differs", printed.stderr.decode(errors="replace").strip()
            why = assemble(again, cubin, arch)
            if why:
                return "differs", "as printed: " + why
            after.append(sections(cubin))
            if any(one in before for one in after):
                return "same", ""
    names = sorted(name for name in before[0].keys() | after[0].keys()
                   if before[0].get(name) != after[0].get(name))
    return "differs", "sections " + ", ".join(names)


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                for name in sorted(names):
                    if name.endswith(".ptx"):
                        yield os.path.join(folder, name)
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(HERE, "..", "..", "build", "ptxequiv"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true", help="name each file")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    if not shutil.which("ptxas"):
        print("there is no ptxas on the PATH: skipped")
        return NO_PTXAS
    paths = list(files(options.paths))
    counts = {"same": 0, "refused": 0, "differs": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda path: compare(options.binary, path), paths)
        for path, (kind, why) in zip(paths, results):
            counts[kind] += 1
            if kind == "differs" or options.verbose:
                print(f"{kind}: {path}" + (f": {why}" if why else ""), flush=True)
    print(f"{counts['same']} of {len(paths)} the same, {counts['differs']} differ, "
          f"{counts['refused']} are refused by ptxas itself")
    return 1 if counts["differs"] or not counts["same"] else 0


sys.exit(main())
