#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wheel riffle-lint: `riffle lint` and what it loads, for any Python 3 of this system.

    lint_wheel.py BUILD_DIR FOLDER    writes it into FOLDER, from what was built
"""
import base64
import hashlib
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START = '''"""`riffle lint` as a command of its own."""
import os
import sys


def main():
    command = os.path.join(os.path.dirname(__file__), "riffle")
    os.execv(command, [command, "lint", *sys.argv[1:]])
'''
DESCRIPTION = """# riffle-lint

    riffle-lint FILE.cu --kernel NAME --grid 4 --block 256 --arg float:1024

runs a CUDA kernel, or a whole program, without a GPU, counts every access, and says which lines are uncoalesced, have bank conflicts or race.
It compiles the source by the C++ compiler that is there, g++ or clang++. `riffle-lint --help` says more.
"""


def version():
    return re.search(r'define RIFFLE_VERSION "([^"]+)"', (ROOT / "include/riffle.h").read_text())[1]


def files(build):
    """The wheel's files but RECORD, by their names: bytes, and whether they are programs."""
    info, tag = f"riffle_lint-{version()}.dist-info", f"py3-none-linux_{platform.machine()}"
    with tempfile.TemporaryDirectory() as scratch:
        for path in [build / "riffle", *build.glob("libriffle-machine.so.*")]:
            stripped = Path(scratch) / path.name
            subprocess.run(["strip", "-o", stripped, path], check=True)
            yield f"riffle_lint/{path.name}", stripped.read_bytes(), True
    yield "riffle_lint/__init__.py", START.encode(), False
    yield "riffle_lint/__main__.py", b"from riffle_lint import main\n\nmain()\n", False
    yield f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False
    yield f"{info}/entry_points.txt", b"[console_scripts]\nriffle-lint = riffle_lint:main\n", False
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: riffle\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False
    yield f"{info}/METADATA", (
        f"Metadata-Version: 2.4\nName: riffle-lint\nVersion: {version()}\nSummary: Lint of CUDA kernels that needs no GPU and no CUDA\n"
        "License-Expression: Apache-2.0\nLicense-File: LICENSE\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n"
        + DESCRIPTION).encode(), False


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, folder = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    record = f"riffle_lint-{version()}.dist-info/RECORD"
    lines = []
    with zipfile.ZipFile(folder / f"riffle_lint-{version()}-py3-none-linux_{platform.machine()}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data, is_program in files(build):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(data)}")
        wheel.writestr(record, "\n".join([*lines, f"{record},,"]) + "\n")


main()
