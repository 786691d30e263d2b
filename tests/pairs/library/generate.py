#!/usr/bin/env python3
"""Regenerates the pairs of this folder: each library function as nvcc inlines it, against another build of it.

<function>/           nvcc for sm_80 against Triton's libdevice (nvcc -G for sm_100 where there is none)
<function>_changed/   the same candidate with one constant of its sequence changed; where the verdict on that is open
                      (its steps on bits then mean nothing over the reals), the function of another argument
What else is here was written by hand as .cu; `EXTRA` says how it is compiled.

usage: generate.py PTXEQUIV LIBDEVICE_FOLDER [FUNCTION...]
"""
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader("maker", str(HERE.parents[2] / "scripts/make-library-templates"))
maker = importlib.util.module_from_spec(importlib.util.spec_from_loader("maker", loader))
loader.exec_module(maker)

TYPES = {"float": "f32", "double": "f64", "__half": "f16"}
MORE = [("exp2", "float", 1, "exp2f(x[i])", ("f32", "exp2")), ("sqrt", "float", 1, "sqrtf(x[i])", ("f32", "sqrt")),
        ("rsqrt", "float", 1, "rsqrtf(x[i])", ("f32", "rsqrt")), ("f64-sqrt", "double", 1, "sqrt(x[i])", ("f64", "sqrt")),
        ("f64-rsqrt", "double", 1, "rsqrt(x[i])", ("f64", "rsqrt")), ("f16-sqrt", "__half", 1, "hsqrt(x[i])", None),
        ("f16-rsqrt", "__half", 1, "hrsqrt(x[i])", None), ("f16-exp2", "__half", 1, "hexp2(x[i])", None)]
# name: (expression of the reference, of the candidate, options of the candidate, verdict)
EXTRA = {
    "sin_debug": ("sinf(x[i])", "sinf(x[i])", ["-G"], "equivalent"),
    "cos_debug": ("cosf(x[i])", "cosf(x[i])", ["-G"], "equivalent"),
    "tan_debug": ("tanf(x[i])", "tanf(x[i])", ["-G"], "equivalent"),
    "exp_debug": ("expf(x[i])", "expf(x[i])", ["-G"], "equivalent"),
    "log_debug": ("logf(x[i])", "logf(x[i])", ["-G"], "equivalent"),
    "erf_debug": ("erff(x[i])", "erff(x[i])", ["-G"], "equivalent"),
    "tanh_debug": ("tanhf(x[i])", "tanhf(x[i])", ["-G"], "equivalent"),
    "sin_fast": ("sinf(x[i])", "__sinf(x[i])", [], "equivalent"),
    "cos_fast": ("cosf(x[i])", "__cosf(x[i])", [], "equivalent"),
    "sin_fast_cos": ("sinf(x[i])", "__cosf(x[i])", [], "not_equivalent:value"),
    "sincos": ("sinf(x[i]) + 2.0f * cosf(x[i])", "both(x[i])", [], "equivalent"),
    "sincos_swapped": ("2.0f * sinf(x[i]) + cosf(x[i])", "both(x[i])", [], "not_equivalent:value"),
    "sin_odd": ("sinf(-x[i])", "-sinf(x[i])", [], "equivalent"),
    "sin_even": ("sinf(-x[i])", "sinf(x[i])", [], "not_equivalent:value"),
    "cos_even": ("cosf(-x[i])", "cosf(x[i])", [], "equivalent"),
    "tan_quotient": ("tanf(x[i])", "sinf(x[i]) / cosf(x[i])", [], "equivalent"),
    "tanh_exp": ("tanhf(x[i])", "1.0f - 2.0f / (expf(2.0f * x[i]) + 1.0f)", [], "equivalent"),
    "tanh_exp_sign": ("tanhf(x[i])", "1.0f - 2.0f / (expf(-2.0f * x[i]) + 1.0f)", [], "not_equivalent:value"),
    "sinh_exp": ("sinhf(x[i])", "0.5f * (expf(x[i]) - expf(-x[i]))", [], "equivalent"),
    "expm1_exp": ("expm1f(x[i])", "expf(x[i]) - 1.0f", [], "equivalent"),
    "log1p_log": ("log1pf(x[i])", "logf(x[i] + 1.0f)", [], "equivalent"),
    "erfc_erf": ("erfcf(x[i])", "1.0f - erff(x[i])", [], "equivalent"),
    "erf_odd": ("erff(-x[i])", "-erff(x[i])", [], "equivalent"),
    "sin_branch": ("x[i] > 0.0f ? sinf(x[i]) : 0.0f", "sinf(fmaxf(x[i], 0.0f))", [], "equivalent"),
    "sin_product": ("sinf(x[i] * x[i] + 1.0f) * x[i]", "x[i] * sinf(1.0f + x[i] * x[i])", ["-G"], "equivalent"),
}
BOTH = "__device__ float both(float x) { float s, c; sincosf(x, &s, &c); return s + 2.0f * c; }\n"


def cuda(kind, arguments, expression):
    more = f", const {kind}* y" if arguments == 2 else ""
    include = "#include <cuda_fp16.h>\n" if kind == "__half" else ""
    return (include + (BOTH if "both(" in expression else "") +
            f'extern "C" __global__ void k({kind}* o, const {kind}* x{more}) {{\n  int i = threadIdx.x;\n  o[i] = {expression};\n}}\n')


def compile_cuda(source, arch, options=()):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.cu"
        path.write_text(source)
        target = path.with_suffix(".ptx")
        subprocess.run(["nvcc", "-ptx", "-arch=" + arch, *options, str(path), "-o", str(target)], check=True)
        return maker.clean(target.read_text())


def check(title, kind, arguments, triton, expect, reference="ref.ptx"):
    t = TYPES[kind]
    inputs = ["x", "y"][:arguments]
    buffers = {n: {"type": t, "shape": [32], "role": "input"} for n in inputs}
    buffers["o"] = {"type": t, "shape": [32], "role": "output"}
    side = lambda ptx, args: {"launches": [{"ptx": ptx, "grid": [1, 1, 1], "block": [32, 1, 1], "args": args}]}
    plain = ["o", *inputs]
    # Triton's kernels of one argument take one more buffer, which they do not read.
    there = ["x", "y" if arguments == 2 else "x", "o", "null", "null"] if triton else plain
    return {"schema": "ptxequiv/check/v1", "title": title, "buffers": buffers,
            "reference": side(reference, plain), "candidate": side("cand.ptx", there), "level": "real", "expect": expect}


def write(name, files):
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(json.dumps(text, indent=2) + "\n" if file.endswith(".json") else text)
    return folder / "check.json"


def verdict(binary, path):
    out = subprocess.run([binary, "-q", "--timeout", "4", str(path)], capture_output=True, text=True).stdout
    return re.match(r"[A-Z ]*", out)[0].strip()


def changes(text):
    """The text with one literal changed by a top bit of its fraction, for each literal."""
    for m in re.finditer(r"0f([0-9A-F]{8})|0d([0-9A-F]{16})", text):
        bits, width = int(m[1] or m[2], 16), 32 if m[1] else 64
        if bits in (0, 1 << (width - 1)):
            continue
        bits ^= 1 << (21 if width == 32 else 50)
        yield text[:m.start()] + ("0f%08X" if width == 32 else "0d%016X") % bits + text[m.end():]


def main():
    binary, libdevice, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    for name, kind, arguments, expression, device in [*maker.functions(), *MORE]:
        # The signs and sincosf are among EXTRA.
        if (wanted and name not in wanted) or name.startswith("sincos-") or name.endswith("-neg"):
            continue
        source = cuda(kind, arguments, expression)
        path = libdevice / device[0] / f"{device[1]}.sm_100.ptx" if device else pathlib.Path("none")
        triton = path.exists()
        other = maker.clean(path.read_text()) if triton else compile_cuda(source, "sm_100", ["-G"])
        title = f"{expression}: nvcc against " + ("Triton's libdevice" if triton else "nvcc -G for sm_100")
        pair = write(name, {"ref.ptx": compile_cuda(source, "sm_80"), "cand.ptx": other, "ref.cu": source,
                            "check.json": check(title, kind, arguments, triton, "equivalent")})
        print(name, verdict(binary, pair), end=" ", flush=True)
        title = f"{expression}: one constant of the candidate is changed"
        twin = lambda text: write(name + "_changed", {
            "cand.ptx": text, "check.json": check(title, kind, arguments, triton, "not_equivalent:value",
                                                  f"../{name}/ref.ptx")})
        seen = []
        for text in list(changes(other))[:4]:
            seen.append(verdict(binary, twin(text)))
            if seen[-1] == "NOT EQUIVALENT":
                break
        else:
            title = f"{expression}: the candidate's argument is another one"
            triton = False
            changed = expression.replace("x[i]", "(x[i] * (%s)1.03125)" % kind)
            twin(compile_cuda(cuda(kind, arguments, changed), "sm_100"))
            seen.append("argument " + verdict(binary, HERE / (name + "_changed") / "check.json"))
        print(seen[-1], len(seen), "EQUIVALENT!" if "EQUIVALENT" in seen else "", flush=True)
    for name, (left, right, options, expect) in EXTRA.items():
        if wanted and name not in wanted:
            continue
        a, b = cuda("float", 1, left), cuda("float", 1, right)
        pair = write(name, {"ref.ptx": compile_cuda(a, "sm_80"), "cand.ptx": compile_cuda(b, "sm_100", options),
                            "ref.cu": a, "cand.cu": b, "check.json": check(f"{left} against {right}", "float", 1, False, expect)})
        print(name, expect, verdict(binary, pair), flush=True)


if __name__ == "__main__":
    main()
