"""The changes: each operator takes an instruction and yields (what, changed instruction)."""
import re
import struct

from ptxtext import REGISTER, register_class

# Opcode -> others of the same signature. The first pattern that matches counts.
OPCODES = [
    (r"^add\.", ["sub."]), (r"^sub\.", ["add."]),
    (r"^mul\.lo\.", ["mul.hi."]), (r"^mul\.hi\.", ["mul.lo."]),
    (r"^mul\.wide\.s", ["mul.wide.u"]), (r"^mul\.wide\.u", ["mul.wide.s"]),
    (r"^mul\.(?=[^lhw])", ["add.", "sub."]), (r"^mad\.lo\.", ["mad.hi."]),
    (r"^min\.", ["max."]), (r"^max\.", ["min."]),
    (r"^and\.", ["or.", "xor."]), (r"^or\.", ["and.", "xor."]), (r"^xor\.", ["or.", "and."]),
    (r"^shl\.b", ["shr.u", "shr.s"]), (r"^shr\.u", ["shr.s", "shl.b"]),
    (r"^shr\.s", ["shr.u", "shl.b"]), (r"^shf\.l\.", ["shf.r."]), (r"^shf\.r\.", ["shf.l."]),
    (r"^not\.b", ["cnot.b"]), (r"^neg\.", ["abs."]), (r"^abs\.(?!u)", ["neg."]),
    (r"^sqrt\.", ["rcp."]), (r"^rcp\.", ["sqrt."]), (r"^rsqrt\.approx\.", ["sqrt.approx."]),
    (r"^sin\.", ["cos."]), (r"^cos\.", ["sin."]),
    (r"^ex2\.approx\.(?=f32|ftz\.f32)", ["lg2.approx."]),
    (r"^lg2\.", ["ex2."]), (r"^tanh\.approx\.f32", ["ex2.approx.f32"]),
    (r"^div\.(?=[su])", ["rem."]), (r"^rem\.", ["div."]), (r"^div\.(?:rn|full|approx)\.", ["mul."]),
    (r"^popc\.", ["clz."]), (r"^clz\.", ["popc."]),
    (r"^bfe\.s", ["bfe.u"]), (r"^bfe\.u", ["bfe.s"]),
    (r"^cvt\.rni\.", ["cvt.rzi.", "cvt.rmi."]), (r"^cvt\.rzi\.", ["cvt.rni.", "cvt.rmi."]),
    (r"^cvt\.rmi\.", ["cvt.rpi.", "cvt.rni."]), (r"^cvt\.rpi\.", ["cvt.rmi.", "cvt.rzi."]),
    (r"^shfl\.sync\.bfly", ["shfl.sync.down", "shfl.sync.idx"]),
    (r"^shfl\.sync\.down", ["shfl.sync.bfly", "shfl.sync.up"]),
    (r"^shfl\.sync\.up", ["shfl.sync.down", "shfl.sync.bfly"]),
    (r"^shfl\.sync\.idx", ["shfl.sync.bfly", "shfl.sync.down"]),
    (r"^vote\.sync\.any", ["vote.sync.all"]), (r"^vote\.sync\.all", ["vote.sync.any"]),
    (r"^redux\.sync\.add", ["redux.sync.max"]), (r"^redux\.sync\.max", ["redux.sync.min"]),
    (r"^redux\.sync\.min", ["redux.sync.max"]),
]
# A part of an opcode -> others: types read or made, kinds of atomics, combinations of predicates.
PARTS = [
    (r"^(?:ld\..*|cvt\..*|cvt\.[su]\d+)\.u8$", [(r"\.u8$", ".s8")]),
    (r"^(?:ld\..*|cvt\..*)\.s8$", [(r"\.s8$", ".u8")]),
    (r"^(?:ld\..*|cvt\..*)\.u16$", [(r"\.u16$", ".s16")]),
    (r"^(?:ld\..*|cvt\..*)\.s16$", [(r"\.s16$", ".u16")]),
    (r"^cvt\..*\.s32$", [(r"\.s32$", ".u32")]), (r"^cvt\..*\.u32$", [(r"\.u32$", ".s32")]),
    (r"^(?:atom|red)\..*\.add\.[usb]", [(r"\.add\.", ".max."), (r"\.add\.", ".min.")]),
    (r"^(?:atom|red)\..*\.add\..*f", [(r"\.add\..*f\d+$", ".exch.b32")]),
    (r"^(?:atom|red)\..*\.max\.", [(r"\.max\.", ".min."), (r"\.max\.", ".add.")]),
    (r"^(?:atom|red)\..*\.min\.", [(r"\.min\.", ".max."), (r"\.min\.", ".add.")]),
    (r"^setp\..*\.and\.", [(r"\.and\.", ".or.")]), (r"^setp\..*\.or\.", [(r"\.or\.", ".and.")]),
    (r"^setp\.\w+\.s(?:16|32|64)$", [(r"\.s", ".u")]), (r"^setp\.(?:l|g)\w+\.u(?:16|32|64)$",
                                                        [(r"\.u", ".s")]),
    (r"^fma\.rn\.(?:ftz\.)?(?:relu|sat)\.", [(r"\.(?:relu|sat)\.", ".")]),
    (r"\.sat\.f32$", [(r"\.sat", "")]),
]
ROUNDINGS = [(r"\.rn\.", [".rz.", ".rm."]), (r"\.rz\.", [".rn."])]
COMPARISONS = {
    "eq": ["ne", "le"], "ne": ["eq", "lt"], "lt": ["ge", "gt"], "le": ["gt", "ge"],
    "gt": ["le", "lt"], "ge": ["lt", "le"], "lo": ["hs", "hi"], "ls": ["hi"], "hi": ["ls", "lo"],
    "hs": ["lo"], "equ": ["neu"], "neu": ["equ"], "ltu": ["geu", "gtu"], "leu": ["gtu"],
    "gtu": ["leu", "ltu"], "geu": ["ltu"], "num": ["nan"], "nan": ["num"],
}
STRICTNESS = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt", "ltu": "leu", "leu": "ltu",
              "gtu": "geu", "geu": "gtu", "lo": "ls", "ls": "lo", "hi": "hs", "hs": "hi"}
INTEGER = re.compile(r"^-?(?:0[xX][0-9a-fA-F]+|\d+)U?$")
FLOAT = re.compile(r"^0[fFdD][0-9a-fA-F]+$")
SPECIALS = {"%tid.x": ["%ctaid.x", "%ntid.x"], "%ctaid.x": ["%tid.x", "%nctaid.x"],
            "%ntid.x": ["%nctaid.x", "%tid.x"], "%nctaid.x": ["%ntid.x"], "%tid.y": ["%tid.x"],
            "%ctaid.y": ["%ctaid.x"], "%ctaid.z": ["%ctaid.y"], "%tid.z": ["%tid.y"],
            "%laneid": ["%warpid"], "%warpid": ["%laneid"], "%ntid.y": ["%ntid.x"]}
ORDERED = re.compile(r"^(sub|div|rem|shl|shr|setp|set|selp|fma|mad|bfe|prmt|copysign|slct)\b")
REMOVABLE = re.compile(r"^(st|red|bar|barrier|membar|fence|cp\.async|stmatrix)\b")
MOVE = re.compile(r"^(?:add|sub|mul|min|max|and|or|xor|shl|shr|neg|abs|fma|mad|not|div|rem|sqrt|"
                  r"rcp|ex2|lg2|sin|cos|tanh|rsqrt)\.(?!wide)(?:.*\.)?([bsuf](?:16|32|64))$")


def opcode(ins, _):
    for pattern, others in OPCODES:
        if re.match(pattern, ins.opcode):
            for other in others:
                yield "opcode", ins.changed(opcode=re.sub(pattern, other, ins.opcode, count=1))
            break
    for pattern, changes in PARTS:
        if re.search(pattern, ins.opcode):
            for old, new in changes:
                yield "opcode part", ins.changed(opcode=re.sub(old, new, ins.opcode, count=1))


def rounding(ins, _):
    for pattern, others in ROUNDINGS:
        if re.search(pattern, ins.opcode):
            for other in others:
                yield "rounding", ins.changed(opcode=re.sub(pattern, other, ins.opcode, count=1))


def comparison(ins, _):
    match = re.match(r"^(setp?\.)(\w+)(\..*)$", ins.opcode)
    for other in COMPARISONS.get(match[2], []) if match else []:
        yield "comparison", ins.changed(opcode=match[1] + other + match[3])


def bound(ins, _):
    match = re.match(r"^(setp?\.)(\w+)(\..*)$", ins.opcode)
    if not match:
        return
    if match[2] in STRICTNESS:
        yield "strictness", ins.changed(opcode=match[1] + STRICTNESS[match[2]] + match[3])
    last = ins.operands[2] if len(ins.operands) > 2 else ""
    if INTEGER.match(last):
        for step in (1, -1):
            yield "bound by one", ins.with_operand(2, str(number(last) + step))


def number(text):
    return int(text.rstrip("U"), 0) if not re.match(r"^-?0\d", text) else int(text.rstrip("U"), 8)


def float_changes(text):
    kind, digits = text[:2], text[2:]
    pack, real, sign = (">I", ">f", 1 << 31) if kind[1] in "fF" else (">Q", ">d", 1 << 63)
    bits = int(digits, 16)
    value = struct.unpack(real, struct.pack(pack, bits))[0]
    shown = f"0{len(digits)}X"
    yield "one ulp", kind + format((bits + 1) % (2 * sign), shown)
    if abs(value) > 0:
        yield "sign", kind + format(bits ^ sign, shown)
    if 0 < abs(value) < float("inf"):
        yield "zero", kind + format(0, shown)
        mantissa = 23 if sign == 1 << 31 else 52
        doubled = bits + (1 << mantissa) if abs(value) < 1e30 else bits - 1
        yield "doubled", kind + format(doubled, shown)
        yield "by 1/256", kind + format(bits ^ (1 << (mantissa - 8)), shown)
    if value == 0:
        yield "one", kind + format(0x3F800000 if sign == 1 << 31 else 0x3FF0000000000000, shown)


def constant(ins, _):
    skip = 2 if ins.opcode.startswith("setp") else -1  # bound() changes that one
    for i, text in enumerate(ins.operands):
        if FLOAT.match(text):
            for what, new in float_changes(text):
                yield "float " + what, ins.with_operand(i, new)
        elif INTEGER.match(text) and i != skip and not ins.opcode.startswith(("bar", "barrier")):
            value = number(text)
            for new in (value + 1, value - 1, value * 2, 0, -value):
                if new != value:
                    yield "integer", ins.with_operand(i, str(new))


def operand(ins, near):
    first = ins.first_source()
    for i in range(first, len(ins.operands)):
        for name in REGISTER.findall(ins.operands[i]):
            for other in near.get(register_class(name), [])[:2]:
                if other != name:
                    text = re.sub(re.escape(name) + r"\b", other, ins.operands[i], count=1)
                    yield "other register", ins.with_operand(i, text)
    for i, text in enumerate(ins.operands):
        if text in SPECIALS:
            for other in SPECIALS[text]:
                yield "special register", ins.with_operand(i, other)
    if ORDERED.match(ins.opcode) and len(ins.operands) > 2:
        a, b = (2, 3) if ins.base() in ("fma", "mad") else (1, 2)
        swapped = list(ins.operands)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        if not (ins.base() == "mad" and "wide" in ins.opcode) and swapped != ins.operands:
            yield "operands swapped", ins.changed(operands=swapped)
    for i, text in enumerate(ins.operands):
        parts = re.match(r"^\{\s*(%\w+)\s*,\s*(%\w+)(.*)\}$", text)
        if parts and parts[1] != parts[2]:
            yield "vector swapped", ins.with_operand(i, f"{{{parts[2]}, {parts[1]}{parts[3]}}}")


def address(ins, _):
    accesses = re.match(r"^(ld|st|atom|red|cp|ldmatrix|stmatrix)\b", ins.opcode)
    if not accesses or ".param" in ins.opcode:
        return
    size = re.search(r"\.[bsuf](8|16|32|64)(?:\b|$)", ins.opcode)
    step = int(size[1]) // 8 if size else 16
    for i, text in enumerate(ins.operands):
        match = re.match(r"^\[\s*([%\w$]+)\s*(?:\+\s*(-?\d+))?\s*\]$", text)
        if match:
            for change in (step, -step):
                offset = int(match[2] or 0) + change
                yield "offset", ins.with_operand(i, f"[{match[1]}+{offset}]" if offset else
                                                 f"[{match[1]}]")


def predicate(ins, near):
    if ins.guard:
        yield "guard negated", ins.changed(guard=ins.guard.replace("@!", "@~").replace(
            "@%", "@!%").replace("@~", "@"))
        yield "guard removed", ins.changed(guard="")
        name = REGISTER.search(ins.guard)[0]
        for other in near.get(register_class(name), [])[:2]:
            if other != name:
                yield "other guard", ins.changed(guard=ins.guard.replace(name, other))
    if ins.base() == "selp":
        name = ins.operands[-1]
        for other in near.get(register_class(name), [])[:2]:
            if other != name:
                yield "other condition", ins.with_operand(len(ins.operands) - 1, other)


def removal(ins, _):
    if REMOVABLE.match(ins.opcode):
        yield "removed", None
    match = MOVE.match(ins.opcode)
    if match and len(ins.operands) >= 2 and not re.match(r"^0[fFdD]", ins.operands[1]):
        kind = match[1].replace("f16", "b16")
        yield "made a move", ins.changed(opcode="mov." + kind, operands=ins.operands[:2])


OPERATORS = {"opcode": opcode, "comparison": comparison, "bound": bound, "constant": constant,
             "operand": operand, "predicate": predicate, "address": address, "removal": removal,
             "rounding": rounding}
