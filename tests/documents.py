#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""documents.py SOURCE_DIR RIFFLE: what the documents say is so.

The README's program is examples/hello.c, docs/library.md's examples/views.c; every command line of the README, of
docs/command.md's examples and of the manual page runs; the tutorials show their programs as they are, and docs/affine.md and they what their commands print; the
manual page knows every option; every path and every link leads somewhere; each file of results is one JSON document.
"""
import json
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
TUTORIALS = {"docs/tutorial-numpy.md": "numpy_user.py", "docs/tutorial-files.md": "npy_files.py", "docs/tutorial-c.md": "transform.c",
             "docs/tutorial-cuda.md": "transposes.cu", "docs/tutorial-sort.md": "sorts.py", "docs/tutorial-pytorch.md": "pytorch_user.py"}


class Documents(unittest.TestCase):
    def run_lines(self, lines):
        """Runs shell lines in one folder with the arrays that they name."""
        self.assertTrue(lines)
        with tempfile.TemporaryDirectory() as folder:
            for name, shape in {"in": (1024, 4096), "image": (512, 512, 3), "x": (999, 7), "y": (999,), "points": (999, 2)}.items():
                np.save(f"{folder}/{name}.npy", np.random.default_rng().random(shape, dtype=np.float32))
            np.save(f"{folder}/idx.npy", np.random.default_rng().permutation(999))
            shutil.copy(ROOT / "examples/lint/transpose_naive.cu", folder)
            os.symlink(ROOT / "examples", f"{folder}/examples")
            for line in lines:
                path = f"{RIFFLE.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
                done = subprocess.run(line, shell=True, cwd=folder, env={**os.environ, "PATH": path},
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), line)
                if "print(" in line:
                    self.assertEqual(done.stdout.strip(), line.split("    # ")[1])
            if Path(f"{folder}/y-again.npy").exists():
                np.testing.assert_array_equal(np.load(f"{folder}/y-again.npy"), np.load(f"{folder}/y.npy"))
            if any("x-picked.npy" in line for line in lines):
                picked = np.load(f"{folder}/x.npy")[np.load(f"{folder}/idx.npy")]
                np.testing.assert_array_equal(np.load(f"{folder}/x-picked.npy"), picked)

    def test_program(self):
        program = re.search(r"```c\n(.*?)```", README, re.DOTALL)[1]
        self.assertEqual(program, (ROOT / "examples/hello.c").read_text())

    def test_library_program(self):
        program = re.search(r"```c\n(.*?)```", (ROOT / "docs/library.md").read_text(), re.DOTALL)[1]
        self.assertEqual(program, (ROOT / "examples/views.c").read_text())

    def test_results(self):
        """Each file that a table may be made of is one document, so that one reader reads all."""
        files = [path for path in sorted((ROOT / "bench/results").rglob("*")) if path.is_file()]
        self.assertGreater(len(files), 30)
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(path.suffix, ".json")
                self.assertIsInstance(json.loads(path.read_text()), (dict, list))

    def test_readme_commands(self):
        """The README's commands, and the examples of the command's page."""
        examples = (ROOT / "docs/command.md").read_text().split("\n## Examples\n")[1].split("\n## ")[0]
        blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL) + re.findall(r"```sh\n(.*?)```", examples, re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines() if line.startswith(("riffle ", "python3 "))]
        self.assertIn("x-picked.npy", str(lines))  # NumPy's x[idx] is shown
        self.run_lines(lines)

    def test_manual_commands(self):
        blocks = re.findall(r"\.EX\n(.*?)\.EE", MANUAL, re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()]
        self.assertIn("x-picked.npy", str(lines))
        self.run_lines(lines)

    def commands_of(self, group):
        text = subprocess.run([RIFFLE, *group.split(), "--help"], capture_output=True, text=True, check=True).stdout
        return re.findall(r"^  ([a-z]+)  ", text, re.MULTILINE)

    def test_manual_options(self):
        names = self.commands_of("")
        self.assertGreater(len(names), 5)
        for command in [*names, *(f"vat {name}" for name in self.commands_of("vat"))]:
            self.assertTrue(f".B riffle {command}" in MANUAL, f"riffle.1 lacks {command}")
            text = subprocess.run([RIFFLE, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
            for option in re.findall(r"^ +(--[a-z-]+)", text, re.MULTILINE):
                self.assertTrue(option in MANUAL, f"riffle.1 lacks {option} of {command}")

    def test_manual_words(self):
        """The manual has an option's values, as the command lists them about one that is like none."""
        words = {"--algorithm": "explain", "--layout": "congestion", "--suite": "bench"}
        for option, command in words.items():
            done = subprocess.run([RIFFLE, command, option, "xyzzyxyzzy"], capture_output=True, text=True)
            for word in re.search("the choices are (.*)", done.stderr)[1].split(", "):
                self.assertTrue(re.search(rf"(?<![\w-]){word}(?![\w-])", MANUAL), f"riffle.1 lacks {word} of {option}")

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

    def test_programs_page(self):
        """Its table of passes is what explain says now: bench/tables/passes.py asks it again."""
        kept = json.loads((ROOT / "bench/results/programs/passes.json").read_text())
        self.assertGreater(len(kept), 10)
        for row in kept:
            words = ["--by", row["by"], "--n", str(row["n"]), "--type", row["type"]]
            told = json.loads(subprocess.run([RIFFLE, "explain", "--json", *words], capture_output=True, text=True, check=True).stdout)
            self.assertEqual(row, {"by": row["by"], **told})

    def test_hull_page(self):
        """Its cloud has the hull that it shows, and the picture is the command's."""
        page = (ROOT / "docs/hull.md").read_text()
        (words, shown), = re.findall(r"```text\n\$ riffle (.*)\n((?:.|\n)*?)```\n", page)
        with tempfile.TemporaryDirectory() as folder:
            program = "import numpy as np\n" + re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
            subprocess.run([sys.executable, "-c", program], cwd=folder, check=True)
            done = subprocess.run([RIFFLE, *words.split()], capture_output=True, text=True, cwd=folder)
            self.assertEqual((done.stdout, done.stderr), (shown, ""))
            self.assertEqual(Path(f"{folder}/hull-cloud.svg").read_text(), (ROOT / "docs/images/hull-cloud.svg").read_text())

    def test_hull_times(self):
        """The times beside the dissertation's Figure 3.4 come from two runs of the command, and from no fewer rows than it
        has."""
        figure = [{"group": "figure", "by": by, "n": n, "type": "f32", "corners": 7, "seconds": n / 1e9, "copy_seconds": 1e-5}
                  for by in ("square", "disc", "ring") for n in (10**5, 10**6, 10**7)]
        with tempfile.TemporaryDirectory() as folder:
            for name, rows in {"hull": figure, "hull-paper": figure, "short": figure[1:]}.items():
                run = {"engine": "cuda", "commit": "abc", "results": [{**row, "algorithm": name} for row in rows]}
                Path(f"{folder}/{name}.json").write_text(json.dumps(run))
            command = [sys.executable, ROOT / "bench/papers/hull_paper.py", "times", f"{folder}/hull.json"]
            out = Path(f"{folder}/out.json")
            subprocess.run([*command, f"{folder}/hull-paper.json", out], check=True)
            found = json.loads(out.read_text())
            self.assertEqual([row["algorithm"] for row in found], 9 * ["paper"] + 9 * ["auto"])
            self.assertEqual(found[17], {"shape": "ring", "type": "f32", "n": 10**7, "algorithm": "auto", "corners": 7, "checked": True,
                                         "seconds": 0.01, "copy_seconds": 1e-5, "commit": "abc"})
            done = subprocess.run([*command, f"{folder}/short.json", out], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("short.json: no rows of a GPU by hull-paper of", done.stderr)

    def test_tutorials(self):
        """Each shows parts of its program; the programs themselves are run by examples/CMakeLists.txt, python/tests and below."""
        for page, program in TUTORIALS.items():
            text, source = (ROOT / page).read_text(), (ROOT / "examples/tutorial" / program).read_text()
            shown = re.findall(r"```(?:python|c|cuda)\n(.*?)```", text, re.DOTALL)
            self.assertGreater(len(shown), 4, page)
            for part in shown:
                self.assertIn(part, source, page)

    def test_files_tutorial(self):
        """Its program agrees with NumPy, and the message that it ends with is the page's."""
        done = subprocess.run([sys.executable, ROOT / "examples/tutorial/npy_files.py", RIFFLE], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("```text\n" + done.stdout.splitlines()[-1] + "\n```", (ROOT / "docs/tutorial-files.md").read_text())

    def test_c_tutorial(self):
        """It quotes two lines of what its plan explains."""
        page = (ROOT / "docs/tutorial-c.md").read_text()
        text = subprocess.run([RIFFLE, *"explain --by bit-reversal --n 1024 --elem-bytes 16".split()],
                              capture_output=True, text=True, check=True).stdout
        quoted = re.search(r"```text\n(.*?)```", page, re.DOTALL)[1]
        self.assertEqual(len(quoted.splitlines()), 2)
        self.assertIn(quoted, text)

    def test_cuda_tutorial(self):
        page, counts = (ROOT / "docs/tutorial-cuda.md").read_text(), []
        shown = re.findall(r"```text\n\$ riffle (.*)\n((?:.|\n)*?)```\n", page)
        for words, text in shown:
            done = subprocess.run([RIFFLE, *words.split()], capture_output=True, text=True, cwd=ROOT / "examples/tutorial")
            self.assertEqual(done.stdout + done.stderr, text, words)
            counts.append(int(re.search(r"time units: (\d+)", text)[1]))
        self.assertEqual(len(counts), 4)
        self.assertIn(f"fallen from {counts[0]} units to {counts[2]}", page)
        self.run_lines(re.findall(r"^riffle .*", "".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL)), re.MULTILINE))

    def test_lint_tutorial(self):
        """Its program has the defects that lint prints, and mended none, which the exit statuses of the page's lines say."""
        page, source = (ROOT / "docs/tutorial-lint.md").read_text(), (ROOT / "examples/tutorial/averages.cu").read_text()
        parts = re.findall(r"```cuda\n(.*?)```", page, re.DOTALL)
        self.assertEqual([part in source for part in parts], [True] * 3)
        shown = re.findall(r"```text\n\$ riffle (.*)\n((?:.|\n)*?)```\n", page)
        lines = re.findall(r"^riffle (.*)", re.search(r"```sh\n(.*?)```", page, re.DOTALL)[1], re.MULTILINE)
        self.assertEqual((len(shown), len(lines)), (2, 3))
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "examples/tutorial/averages.cu", folder)
            for words, text in [*shown, *((line, None) for line in lines)]:
                done = subprocess.run([RIFFLE, *words.split()], capture_output=True, text=True, cwd=folder)
                self.assertEqual(done.returncode, 0, words)
                self.assertEqual(done.stdout + done.stderr, text or done.stdout + done.stderr, words)
            self.assertGreater(min((Path(folder) / f"averages.{kind}").stat().st_size for kind in ("sarif", "html")), 1000)
            wrong = subprocess.run([RIFFLE, *lines[0].replace("-DFIXED", "").split()], capture_output=True, cwd=folder)
            self.assertEqual(wrong.returncode, 1)

    def test_lecture(self):
        """Its ten commands print what it shows."""
        shown = re.findall(r"```text\n\$ (.*)\n((?:.|\n)*?)```\n", (ROOT / "docs/lecture.md").read_text())
        self.assertEqual(len(shown), 10)
        path = f"{RIFFLE.parent}:{os.environ['PATH']}"
        for line, text in shown:
            done = subprocess.run(line, shell=True, cwd=ROOT / "examples", env={**os.environ, "PATH": path}, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", text), line)

    def test_map(self):
        """The map is short, and every file that it names is there."""
        page = (ROOT / "docs/architecture.md").read_text()
        self.assertLessEqual(len(page.splitlines()), 120)
        files = {path.name for folder in ("src", "include", "cli", "bench", "tests") for path in (ROOT / folder).rglob("*")}
        named = re.findall(r"`(?:\w+/)*(\w+\.(?:c|h|cu|py))`", page)
        self.assertGreater(len(named), 20)
        self.assertEqual(set(named) - files, set())

    def test_paths(self):
        """Whatever a page calls by its path is there; words in capitals stand for any. In a row of a table a bare name
        has the folder of the path before it."""
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
            for line in page.read_text().splitlines():
                folder = None
                for path in re.findall(r"(?<![\w/])bench/[\w./*-]*\w/?", line):
                    self.assertTrue(any(ROOT.glob(re.sub(r"\b[A-Z]+\b", "*", path).rstrip("/"))), f"{page.name}: {path}")
                for path in re.findall(r"`((?:src|tests|cli|include|examples|packaging)/[^` ]*|test_[\w*]+\.(?:c|py))`", line):
                    path = re.sub(r"\b[A-Z]+\b|(?<=_)[A-Z]+\b", "*", path)
                    if "/" in path:
                        folder = path.rpartition("/")[0]
                    elif folder:
                        path = f"{folder}/{path}"
                    else:
                        path = f"tests/**/{path}"
                    self.assertTrue(any(ROOT.glob(path.rstrip("/"))), f"{page.name}: {path}")

    def git(self, *arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout.splitlines()

    def test_adding_one(self):
        """Each row of the map's last table is the diff of the commit that it names, wherever its files have moved since."""
        section = (ROOT / "docs/architecture.md").read_text().split("## Adding one\n")[1]
        rows = re.findall(r'^\| ([a-z ]+): "(.*?)" \|(.*)$', section, re.MULTILINE)
        self.assertEqual([name for name, _, _ in rows], ["kernel", "pass kind", "algorithm", "layout", "suite", "command", "operation"])
        try:
            if self.git("rev-parse", "--show-toplevel", "--is-shallow-repository") != [str(ROOT.resolve()), "false"]:
                self.skipTest("no history of this folder")
            history = dict(reversed(line.split(" ", 1)) for line in self.git("log", "--format=%H %s"))
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no git, or no history")
        for name, subject, files in rows:
            self.assertIn(subject, history, name)
            named, changed = re.findall(r"`(.*?)`", files), self.git("show", "--format=", "--name-only", history[subject])
            self.assertEqual(sorted(Path(path).name for path in named), sorted(Path(path).name for path in changed), name)

    def test_tiers(self):
        """Whatever cmake/RiffleTiers.cmake names is a test."""
        text = re.sub(r"#.*", "", (ROOT / "cmake/RiffleTiers.cmake").read_text())
        names = set(re.findall(r"\b(?:test|cli|bench)_\w+", " ".join(re.findall(r"set\(riffle_\w+ ([^)]*)\)", text))))
        self.assertGreater(len(names), 20)
        for name in names:
            path = re.sub(r"^(cli|bench)_(\w+)$", r"tests/\1/**/test_\2.py", name) if not name.startswith("test_") else f"tests/**/{name}.c"
            self.assertTrue(any(ROOT.glob(path)), name)

    def test_mutants(self):
        """Each fault can be made: its text stands once in its file; its tests are there; and a test has seen it."""
        records = json.loads((ROOT / "tests/mutants/mutants.json").read_text())
        seen = {one["name"]: one["seen_by"] for one in json.loads((ROOT / "tests/mutants/results.json").read_text())}
        self.assertEqual([record["name"] for record in records], list(seen))
        for record in records:
            text = (ROOT / record["file"]).read_text()
            for old, _ in [[record["old"], record["new"]], *record.get("also", [])]:
                self.assertEqual(text.count(old), 1, record["name"])
            for test in record["tests"]:
                self.assertTrue(any(ROOT.glob(f"tests/**/{test}.c")), test)
            self.assertIn(seen[record["name"]], record["tests"])

    def test_links(self):
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")

    def test_links_of_the_package(self):
        """Pages that are installed lead to what is installed beside them."""
        install = (ROOT / "cmake/RiffleInstall.cmake").read_text()
        pages = re.findall(r"docs/(\w+\.md)", install)
        images = {f"images/{path.name}" for pattern in re.findall(r'PATTERN "(.*?)"', install)
                  for path in ROOT.glob(f"docs/images/{pattern}")}
        self.assertTrue(pages and images)
        for page in pages:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / "docs" / page).read_text()):
                self.assertIn(link, {*pages, *images, "LICENSE"}, page)


unittest.main(argv=sys.argv[:1])
