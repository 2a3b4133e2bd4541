#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""neon_loops.py OBJECTS [--objdump PROGRAM] [--json]: instructions a byte of the inner loops of a build for aarch64.

OBJECTS is the folder of a library's objects (BUILD/CMakeFiles/riffle_objects.dir of a cross build with CMAKE_BUILD_TYPE=Release).
A loop is what a branch back spans and no other loop stands in; its bytes are those that its instructions store. So a loop that
fills a stage and one that empties it count apart, and bytes that go through both cost the sum. The longest loop of each
function is listed for each width of stores: shorter ones fill stages, or move what is left over. Nothing is run, so this says what is
issued, not how long it takes."""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

PASSES = "src/move/cpu/passes/"
# Family, object, functions.
FAMILIES = [
    ("affine, near", "affine_lines/affine_lines_neon.c.o", r"move_near_(straight|other)_\d"),
    ("affine, squares", "affine_lines/affine_lines_neon.c.o", r"squares_(plain|shifted)_\d+"),
    ("affine, tiles", "affine_lines/affine_lines_neon.c.o", r"move_tiles_(straight|other)_\d"),
    ("axes, tiles", "tile_kernels/tile_kernels_neon.c.o", r"(store|stream)_\d+|separate|interleave"),
    ("reversal", "reverse_run/reverse_run_neon.c.o", r"reverse_run_neon"),
    ("gather", "indexed.c.o", r"gather_run"),
    ("bucket", "bucket.c.o", r"cpu_bucket"),
]
WIDTHS = {"q": 16, "d": 8, "x": 8, "s": 4, "w": 4, "h": 2, "b": 1}
CODE = re.compile(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)")


def functions(objdump, path):
    """Name -> [(address, mnemonic, operands)] of an object."""
    out, body = {}, None
    listing = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if head:
            body = out.setdefault(head[1], [])
        elif body is not None and (code := CODE.match(line)):
            body.append((int(code[1], 16), code[2], code[3]))
    return out


def stored(mnemonic, operands):
    """Bytes that an instruction stores; 0 for those that spill to the stack by a fixed place."""
    if not re.fullmatch(r"st(r|ur|p|np|1)b?h?|st[1234]", mnemonic) or re.search(r"\[(sp|x29)(, #\d+)?\]", operands):
        return 0
    if mnemonic.endswith("b") or mnemonic.endswith("h"):
        return 1 if mnemonic.endswith("b") else 2
    if mnemonic in ("st1", "st2", "st3", "st4"):
        lane = re.search(r"\.([bhsd])\}?\[", operands)
        return WIDTHS[lane[1]] if lane else 16 * max(1, int(mnemonic[2]))
    return WIDTHS[operands[0]] * (2 if mnemonic in ("stp", "stnp") else 1)


def loops(code):
    """(first, last) indices of each innermost loop."""
    at = {address: k for k, (address, _, _) in enumerate(code)}
    found = []
    for k, (_, mnemonic, operands) in enumerate(code):
        if not re.match(r"b(\.\w+)?$|cbn?z$|tbn?z$", mnemonic):
            continue
        target = re.search(r"([0-9a-f]+) <", operands)
        first = at.get(int(target[1], 16)) if target else None
        if first is not None and first <= k:
            found.append((first, k))
    return [a for a in found if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in found)]


def counts(code):
    """The longest loop of a function for each width of its widest store, by width."""
    longest = {}
    for first, last in loops(code):
        body = code[first:last + 1]
        stores = [(stored(mnemonic, operands), mnemonic) for _, mnemonic, operands in body]
        total = sum(number for number, _ in stores)
        if total == 0:
            continue
        width = max(number // (2 if mnemonic in ("stp", "stnp") else 1) for number, mnemonic in stores)
        if width not in longest or longest[width]["instructions"] < len(body):
            longest[width] = {"store": width, "instructions": len(body), "bytes": total}
    return [longest[width] for width in sorted(longest)]


def measure(objects, objdump):
    rows = []
    for family, name, wanted in FAMILIES:
        path = objects / PASSES / name
        if not path.exists():
            sys.exit(f"neon_loops.py: {path} is not there; build the library for aarch64 first")
        for function, code in sorted(functions(objdump, path).items()):
            for found in counts(code) if re.fullmatch(wanted, function) else []:
                rows.append({"family": family, "function": function, **found,
                             "instructions_a_byte": round(found["instructions"] / found["bytes"], 3)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("objects", type=Path)
    parser.add_argument("--objdump", default="aarch64-linux-gnu-objdump")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = measure(asked.objects, asked.objdump)
    if asked.json:
        compiler = subprocess.run(["aarch64-linux-gnu-gcc", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
        json.dump({"what": "instructions a byte stored of inner loops for aarch64", "compiler": f"gcc {compiler} -O3",
                   "rows": rows}, sys.stdout, indent=1)
        print()
        return
    for row in rows:
        print(f"{row['family']:16} {row['function']:24} {row['store']:3} {row['instructions']:5} {row['bytes']:5} {row['instructions_a_byte']:6.2f}")


if __name__ == "__main__":
    main()
