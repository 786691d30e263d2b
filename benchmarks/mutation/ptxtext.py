"""PTX as lines of text: just enough structure to change one instruction."""
import os
import re

INSTRUCTION = re.compile(r"^(?P<head>\s*(?:\{\s*)?)(?P<guard>@!?%\w+\s+)?(?P<opcode>[a-z][\w.:]*)"
                         r"(?P<gap>\s*)(?P<operands>[^;]*);(?P<tail>.*)$")
REGISTER = re.compile(r"%[A-Za-z_]\w*")
NO_RESULT = re.compile(r"^(st|red|bar|barrier|bra|ret|exit|trap|membar|fence|prefetch|cp|brx|call|"
                       r"discard|nanosleep|stmatrix|griddepcontrol|pragma|mbarrier)\b")


class Instruction:
    """One line `@p op.mods a, b, c;` taken apart; str() puts it together again."""

    def __init__(self, match):
        self.head, self.guard = match["head"], match["guard"] or ""
        self.opcode, self.gap = match["opcode"], match["gap"] or " "
        self.operands = split_operands(match["operands"])
        self.tail = match["tail"]

    def __str__(self):
        text = ", ".join(self.operands)
        return f"{self.head}{self.guard}{self.opcode}{self.gap if text else ''}{text};{self.tail}"

    def has_result(self):
        return bool(self.operands) and not NO_RESULT.match(self.opcode)

    def first_source(self):
        return 1 if self.has_result() else 0

    def base(self):
        return self.opcode.split(".")[0]

    def changed(self, **fields):
        other = object.__new__(Instruction)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(fields)
        return other

    def with_operand(self, index, text):
        operands = list(self.operands)
        operands[index] = text
        return self.changed(operands=operands)


def parse(line):
    code = line.split("//")[0]
    if code.strip().startswith("."):
        return None
    match = INSTRUCTION.match(code.rstrip())
    return Instruction(match) if match else None


def split_operands(text):
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "[{(") - (c in "]})")
        if c == "," and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    if text.strip():
        parts.append(text[last:].strip())
    return parts


def register_class(name):
    """%r12 -> %r: registers that one declaration makes have one type."""
    return re.sub(r"\d+$", "", name)


def kernel_lines(lines, kernels):
    """Line numbers (from 0) in the bodies of these kernels and of device functions."""
    entry, depth, inside = "", 0, []
    for i, line in enumerate(lines):
        if depth == 0:
            started = re.search(r"\.entry\s+([\w$]+)", line)
            if started:
                entry = started[1]
            elif re.search(r"\.func\b", line):
                entry = ""
        if depth > 0 and (not entry or not kernels or entry in kernels):
            inside.append(i)
        depth += line.count("{") - line.count("}")
    return inside


def ptx_steps(check, side="candidate"):
    return [step for step in check[side]["launches"] if "ptx" in step]


def candidate_files(check):
    """Path -> kernels that the candidate launches from it."""
    files = {}
    for step in ptx_steps(check):
        files.setdefault(os.path.normpath(step["ptx"]), set()).add(step.get("kernel"))
    return {path: {k for k in kernels if k} for path, kernels in files.items()}
