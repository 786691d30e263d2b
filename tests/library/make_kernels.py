#!/usr/bin/env python3
"""Regenerates kernels.{nvvm7,nvvm20}.ptx.gz: each library function inside an expression, as nvcc compiles it.

Kernel `f_<function>` (with `-` as `_`) computes o = f(x*y + 1) * y + x, or f(x*y + 1, y - x) * y + x.
"""
import gzip
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader("maker", str(HERE.parents[1] / "scripts/make-library-templates"))
maker = importlib.util.module_from_spec(importlib.util.spec_from_loader("maker", loader))
loader.exec_module(maker)

source = "#include <cuda_fp16.h>\n"
for name, kind, _, expression, _ in maker.functions():
    call = expression.replace("-x[i]", "-(a)").replace("x[i]", "a").replace("y[i]", "b")
    one = "__float2half(1.0f)" if kind == "__half" else "1"
    source += (f'extern "C" __global__ void f_{name.replace("-", "_")}({kind}* o, const {kind}* x, const {kind}* y) {{\n'
               f"  int i = threadIdx.x;\n  {kind} a = x[i] * y[i] + ({kind}){one}, b = y[i] - x[i];\n"
               f"  o[i] = {call} * y[i] + x[i];\n}}\n")
with tempfile.TemporaryDirectory() as temporary:
    cu = pathlib.Path(temporary) / "kernels.cu"
    cu.write_text(source)
    for compiler, arch in (("nvvm7", "sm_80"), ("nvvm20", "sm_100")):
        ptx = cu.with_suffix(".ptx")
        subprocess.run(["nvcc", "-ptx", "-arch=" + arch, "-diag-suppress=177", str(cu), "-o", str(ptx)], check=True)
        (HERE / f"kernels.{compiler}.ptx.gz").write_bytes(gzip.compress(maker.clean(ptx.read_text()).encode(), 9, mtime=0))
