#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wheels of files of a build without an extension module, so for any Python 3 of this system, or of the one that _PYTHON_HOST_PLATFORM names:

    file_wheel.py riffle-lint BUILD_DIR FOLDER           `riffle lint` and what it loads
    file_wheel.py riffle-arrays-machine BUILD_DIR FOLDER    the memory machine, beside the libriffle in riffle-arrays, which loads it
    file_wheel.py riffle-arrays-cuda BUILD_DIR FOLDER    the engine for GPUs, likewise
"""
import base64
import hashlib
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.search(r'define RIFFLE_VERSION "([^"]+)"', (ROOT / "include/riffle.h").read_text())[1]
LINT = """# riffle-lint

    riffle-lint FILE.cu --kernel NAME --grid 4 --block 256 --arg float:1024

runs a CUDA kernel, or a whole program, without a GPU, counts every access, and says which lines are uncoalesced, have bank conflicts or race.
It compiles the source by the C++ compiler that is there, g++ or clang++. `riffle-lint --help` says more.

    pip install riffle-lint[mcp]

brings `riffle-lint-mcp`, a server of the Model Context Protocol over stdin and stdout with the tools `lint` and `compare`, for programs that write kernels.
"""
MACHINE = """# riffle-arrays-machine

    pip install riffle-arrays[machine]

is what riffle-arrays runs and counts kernels with where no GPU is: `riffle.lint`, `riffle.machine` and `riffle.vat`. It is of the same build as the
riffle-arrays of its version. libdw (`libdw1`, elfutils), where it is there, names their lines.
"""
CUDA = """# riffle-arrays-cuda

    pip install riffle-arrays[cuda]

is the engine for NVIDIA GPUs of riffle-arrays: arrays of PyTorch, CuPy and JAX in a GPU's memory are moved there. It wants the GPU's driver
and nothing else, and is of the same build as the riffle-arrays of its version.
"""


class Package:
    """A wheel's name, summary and description; which files of a build it has, in which folder, and whether with their lines; what else stands in it
    and in its metadata; what its extras need."""

    def __init__(self, folder, patterns, summary, description, texts=(), needs=(), extras=(), lines=False):
        self.folder, self.patterns, self.summary, self.description, self.lines = folder, patterns, summary, description, lines
        self.texts, self.needs, self.extras = dict(texts), needs, dict(extras)


PACKAGES = {
    "riffle-lint": Package(
        "riffle_lint", ["riffle", "libriffle-machine.so.*"], "Lint of CUDA kernels that needs no GPU and no CUDA", LINT,
        {**{f"riffle_lint/{file.name}": file.read_text() for file in sorted((ROOT / "python/riffle_lint").glob("*.py"))},
         "INFO/entry_points.txt": "[console_scripts]\nriffle-lint = riffle_lint:main\nriffle-lint-mcp = riffle_lint.server:main\n"},
        extras={"mcp": "mcp>=2"}),
    "riffle-arrays-machine": Package(
        "riffle", ["libriffle-machine.so.*"], "The memory machine of riffle-arrays", MACHINE, needs=[f"riffle-arrays=={VERSION}"], lines=True),
    "riffle-arrays-cuda": Package(
        "riffle", ["libriffle-cuda.so.*"], "The engine for NVIDIA GPUs of riffle-arrays", CUDA, needs=[f"riffle-arrays=={VERSION}"]),
}


def built(package, build):
    """The package's files of a build, by their names, stripped of symbols, and of lines where the package has none."""
    machine = sysconfig.get_platform().removeprefix("linux-")
    strip = "strip" if machine == platform.machine() else f"{machine}-linux-gnu-strip"
    with tempfile.TemporaryDirectory() as scratch:
        for pattern in package.patterns:
            found = [path for path in sorted(build.glob(pattern)) if path.is_file()]
            if not found:
                sys.exit(f"file_wheel.py: {build} has no {pattern}")
            for path in found:
                stripped = Path(scratch) / path.name
                kept = ["--keep-section=.debug_*"] if package.lines else []
                subprocess.run([strip, "--strip-all", *kept, "-o", stripped, path], check=True)
                yield f"{package.folder}/{path.name}", stripped.read_bytes()


def texts(name, package, tag):
    """The package's other files but RECORD, by their names."""
    info = f"{name.replace('-', '_')}-{VERSION}.dist-info"
    needs = "".join(f"Requires-Dist: {need}\n" for need in package.needs)
    needs += "".join(f"Provides-Extra: {extra}\nRequires-Dist: {need}; extra == '{extra}'\n" for extra, need in package.extras.items())
    yield from ((file.replace("INFO", info), text) for file, text in package.texts.items())
    yield f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_text()
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: riffle\nRoot-Is-Purelib: false\nTag: {tag}\n"
    yield f"{info}/METADATA", (
        f"Metadata-Version: 2.4\nName: {name}\nVersion: {VERSION}\nSummary: {package.summary}\nLicense-Expression: Apache-2.0\n"
        f"License-File: LICENSE\nRequires-Python: >=3.8\n{needs}Description-Content-Type: text/markdown\n\n{package.description}")


def write(path, record, files):
    """A wheel of files: bytes and mode by name."""
    lines = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(data)}")
        wheel.writestr(record, "\n".join([*lines, f"{record},,"]) + "\n")


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in PACKAGES:
        sys.exit(__doc__)
    name, build, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    package, tag = PACKAGES[name], f"py3-none-{sysconfig.get_platform().replace('-', '_')}"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name.replace('-', '_')}-{VERSION}"
    files = {file: (data, 0o100755) for file, data in built(package, build)}
    files.update({file: (text.encode(), 0o100644) for file, text in texts(name, package, tag)})
    write(folder / f"{stem}-{tag}.whl", f"{stem}.dist-info/RECORD", files)


main()
