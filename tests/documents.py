#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""documents.py SOURCE_DIR RIFFLE: what the documents say is so.

The README's program is examples/hello.c and prints what its comment says; every command line of the README
and of the manual page runs; docs/affine.md shows what its commands print; the manual page knows every option; every
link leads somewhere.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

ROOT, RIFFLE = Path(sys.argv[1]), Path(sys.argv[2])
README = (ROOT / "README.md").read_text()
MANUAL = (ROOT / "packaging/riffle.1").read_text().replace("\\-", "-").replace("\\(aq", "'")


class Documents(unittest.TestCase):
    def run_lines(self, lines):
        """Runs shell lines in one folder with the arrays that they name."""
        self.assertTrue(lines)
        with tempfile.TemporaryDirectory() as folder:
            for name, shape in {"in": (1024, 4096), "image": (512, 512, 3), "x": (999, 7), "y": (999,)}.items():
                np.save(f"{folder}/{name}.npy", np.random.default_rng().random(shape, dtype=np.float32))
            np.save(f"{folder}/idx.npy", np.random.default_rng().permutation(999))
            shutil.copy(ROOT / "examples/lint/transpose_naive.cu", folder)
            for line in lines:
                path = f"{RIFFLE.parent}:{os.environ['PATH']}"
                done = subprocess.run(line, shell=True, cwd=folder, env={**os.environ, "PATH": path},
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), line)
            if Path(f"{folder}/y-again.npy").exists():
                np.testing.assert_array_equal(np.load(f"{folder}/y-again.npy"), np.load(f"{folder}/y.npy"))
            picked = np.load(f"{folder}/x.npy")[np.load(f"{folder}/idx.npy")]  # both pages show NumPy's x[idx]
            np.testing.assert_array_equal(np.load(f"{folder}/x-picked.npy"), picked)

    def test_program(self):
        program = re.search(r"```c\n(.*?)```", README, re.DOTALL)[1]
        self.assertEqual(program, (ROOT / "examples/hello.c").read_text())

    def test_readme_commands(self):
        blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
        self.run_lines([line for block in blocks for line in block.splitlines() if line.startswith("riffle ")])

    def test_manual_commands(self):
        blocks = re.findall(r"\.EX\n(.*?)\.EE", MANUAL, re.DOTALL)
        self.run_lines([line for block in blocks for line in block.splitlines()])

    def test_manual_options(self):
        for command in ("permute", "explain", "simulate", "lint", "congestion", "vat", "vat replay", "vat measure", "bench", "info"):
            text = subprocess.run([RIFFLE, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
            for option in re.findall(r"^ +(--[a-z-]+)", text, re.MULTILINE):
                self.assertTrue(option in MANUAL, f"riffle.1 lacks {option} of {command}")

    def test_affine_page(self):
        page = (ROOT / "docs/affine.md").read_text()
        shown = re.findall(r"```text\n\$ riffle (.*)\n((?:.|\n)*?)```\n", page)
        self.assertGreater(len(shown), 3)
        for words, text in shown:
            done = subprocess.run([RIFFLE, *words.split()], capture_output=True, text=True)
            # Source lines move when a kernel is edited; what they count must not.
            plain = re.sub(r"\.cu:\d+ *", ".cu: ", done.stdout + done.stderr)
            self.assertEqual(plain, re.sub(r"\.cu:\d+ *", ".cu: ", text), words)
        for line in re.findall(r"^riffle (simulate [^#\n]*)", page, re.MULTILINE):
            done = subprocess.run([RIFFLE, *line.split()], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)

    def test_map(self):
        """The map is short, and every file that it names is there."""
        page = (ROOT / "docs/architecture.md").read_text()
        self.assertLessEqual(len(page.splitlines()), 120)
        files = {path.name for folder in ("src", "tests") for path in (ROOT / folder).rglob("*")}
        named = re.findall(r"`(?:\w+/)*(\w+\.(?:c|h|cu|py))`", page)
        self.assertGreater(len(named), 20)
        self.assertEqual(set(named) - files, set())

    def test_links(self):
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")


unittest.main(argv=sys.argv[:1])
