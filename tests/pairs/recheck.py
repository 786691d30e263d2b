#!/usr/bin/env python3
"""Has cvc5 answer what `ptxequiv --emit-smt2` wrote for a few pairs, and compares the answers.

usage: recheck.py BINARY

cvc5 is taken from the PATH, else from the Python package of that name. Exit status 77 (skipped)
without either; 1 if an answer differs, or if no obligation with a known status was answered.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = ("conditions/clamp_order_if", "conditions/scaled_maximum_if", "conditions/vector_tail_if",
         "conditions/eps_if", "faults/range/min_clamp", "faults/range/and_mask")
SECONDS = 10
BY_PACKAGE = """
import cvc5, sys
solver = cvc5.Solver()
solver.setOption("tlimit-per", sys.argv[2])
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
symbols = parser.getSymbolManager()
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    print(command.invoke(solver, symbols), end="")
"""


def solver():
    """The command that takes a file, or None."""
    limit = str(SECONDS * 1000)
    if shutil.which("cvc5"):
        return lambda path: ["cvc5", "--tlimit-per", limit, path]
    found = subprocess.run([sys.executable, "-c", "import cvc5"], capture_output=True, check=False)
    if found.returncode == 0:
        return lambda path: [sys.executable, "-c", BY_PACKAGE, path, limit]
    return None


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    command = solver()
    if command is None:
        print("SKIPPED: there is no cvc5, neither on the PATH nor as a Python package")
        return 77
    wrong = agreed = silent = 0
    with tempfile.TemporaryDirectory() as folder:
        for pair in PAIRS:
            subprocess.run([sys.argv[1], os.path.join(HERE, pair, "check.json"), "-q",
                            "--emit-smt2", folder], capture_output=True, check=False, timeout=60)
        for path in sorted(glob.glob(os.path.join(folder, "*.smt2"))):
            with open(path, encoding="utf-8") as file:
                status = re.search(r"\(set-info :status (\w+)\)", file.read()).group(1)
            done = subprocess.run(command(path), capture_output=True, text=True, check=False,
                                  timeout=SECONDS + 20)
            answers = re.findall(r"^(sat|unsat|unknown)$", done.stdout, re.M)
            answer = answers[-1] if answers else "none: " + (done.stdout + done.stderr)[-200:]
            if status == "unknown" or answer not in ("sat", "unsat"):
                silent += 1
                verdict = "open"
            elif answer == status:
                agreed += 1
                verdict = "ok  "
            else:
                wrong += 1
                verdict = "FAIL"
            print(f"{verdict} {os.path.basename(path)}: {status} written, cvc5 says {answer}")
    print(f"{agreed} agree, {wrong} differ, {silent} open")
    return 1 if wrong or not agreed else 0


sys.exit(main())
