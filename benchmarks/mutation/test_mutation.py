#!/usr/bin/env python3
"""A small sample of the mutation benchmark, for CI; and tests of its own parts.

usage: test_mutation.py BINARY

Mutants of a few fast pairs, made anew with a fixed seed. None may be proved that differs where both
sides are run; and most must be refuted.
"""
import os
import sys
import tempfile

import generate
import operators
import ptxtext
import run

PAIRS = ("cuda/elementwise/relu_gridstride", "cuda/integer/div_const", "cuda/lang/ballot_redux",
         "faults/bounds/negative_index_fixed", "faults/order/add_and_max_fixed")
EACH, INPUTS, TIMEOUT = 3, 4, 2


def changes(operator, line, near=None):
    return [str(new) for _, new in operator(ptxtext.parse(line), near or {})]


def test_text():
    ins = ptxtext.parse("\t@!%p1 ld.global.v2.f32 \t{%f1, %f2}, [%rd1+8];  // two")
    assert ins.guard.strip() == "@!%p1" and ins.opcode == "ld.global.v2.f32"
    assert ins.operands == ["{%f1, %f2}", "[%rd1+8]"] and ins.first_source() == 1
    assert ptxtext.parse("$L__BB0_2:") is None and ptxtext.parse(".reg .b32 %r<3>;") is None
    assert ptxtext.parse("st.global.f32 [%rd1], %f1;").first_source() == 0
    lines = [".visible .entry a()", "{", "ret;", "}", ".visible .entry b()", "{", "exit;", "}"]
    assert [lines[i] for i in ptxtext.kernel_lines(lines, {"b"})] == ["exit;", "}"]


def test_operators():
    assert "sub.s32 %r1, %r2, 4;" in changes(operators.opcode, "add.s32 %r1, %r2, 4;")
    assert "setp.le.s32 %p1, %r1, 7;" in changes(operators.bound, "setp.lt.s32 %p1, %r1, 7;")
    assert "setp.lt.s32 %p1, %r1, 8;" in changes(operators.bound, "setp.lt.s32 %p1, %r1, 7;")
    assert "add.f32 %f1, %f2, 0fBF800000;" in changes(operators.constant,
                                                      "add.f32 %f1, %f2, 0f3F800000;")
    assert "@!%p1 bra L;" in changes(operators.predicate, "@%p1 bra L;")
    assert "ld.global.f32 %f1, [%rd1+4];" in changes(operators.address,
                                                     "ld.global.f32 %f1, [%rd1];")
    assert "add.s32 %r1, %r9, %r3;" in changes(operators.operand, "add.s32 %r1, %r2, %r3;",
                                               {"%r": ["%r9"]})


def test_meeting():
    found = run.parse_meeting(1, "DISJOINT   at random:3: o[1] is 1 +- 0 in the reference and "
                              "2 +- 0 in the candidate, inf times what rounding explains\n", "")
    assert found["met"] == 3 and found["seen"] == "disjoint" and found["factor"] == float("inf")
    found = run.parse_meeting(0, "MEET       8 inputs, at most 0.5 of what rounding explains, "
                              "0 of 256 elements unknown\n", "")
    assert found == {"met": 8, "seen": "", "factor": 0.5}
    found = run.parse_meeting(1, "FAULT      candidate, at random:1: (out-of-bounds) thread 3", "")
    assert found["seen"] == "out-of-bounds"
    assert run.is_false_proof({"verdict": "equivalent", "level": "real", "seen": "disjoint"})
    assert not run.is_false_proof({"verdict": "equivalent", "level": "real-if", "seen": "disjoint"})


def test_sample(binary):
    sources = [generate.Source(pair, 1, turn) for turn, pair in enumerate(PAIRS)]
    verdicts, wrong = {}, []
    for source in sources:
        for _ in range(EACH):
            mutant = source.next(lambda text: True)
            with tempfile.TemporaryDirectory() as folder:
                path = run.mutant_check(mutant, folder)
                result = run.verdict(binary, path, TIMEOUT)
                if result["verdict"] == "equivalent":
                    result.update(run.meeting(binary, path, INPUTS, TIMEOUT))
                    assert result["met"] or result["seen"], result
            verdicts[result["verdict"]] = verdicts.get(result["verdict"], 0) + 1
            if run.is_false_proof(result) or result["verdict"] in ("crash", "no answer"):
                wrong.append((mutant, result))
    print(verdicts)
    for mutant, result in wrong:
        print("FAIL", mutant, result)
    assert verdicts.get("not_equivalent", 0) >= 0.6 * EACH * len(PAIRS), verdicts
    assert verdicts.get("equivalent", 0) > 0, verdicts
    return not wrong


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    test_text()
    test_operators()
    test_meeting()
    return 0 if test_sample(os.path.abspath(sys.argv[1])) else 1


if __name__ == "__main__":
    sys.exit(main())
