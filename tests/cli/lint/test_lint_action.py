# SPDX-License-Identifier: Apache-2.0
"""packaging/lint-action: each file is linted by itself, with the options that stand before the files, and one that fails has all fail."""
import json
import os
import pathlib
import subprocess

from command import RIFFLE, CommandTest, main

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Action(CommandTest):
    def each(self, *words, riffle=RIFFLE, **environment):
        return subprocess.run([ROOT / "packaging/lint-action/each.sh", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              cwd=self.folder, timeout=120, env={**os.environ, "RIFFLE": riffle, **environment})

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_files_and_options(self):
        self.write("riffle", "#!/bin/sh\nfor word in \"$@\"; do printf '[%s]' \"$word\"; done\ncase $2 in *bad*) exit 1 ;; esac\n")
        os.chmod(self.path("riffle"), 0o755)
        command = self.path("riffle")
        done = self.each("-I", "a b", "--json", "x.cu", "y z.cu", riffle=command)
        self.assertEqual((done.returncode, done.stdout.replace("\n", "")), (0, "== x.cu[lint][x.cu][-I][a b][--json]== y z.cu[lint][y z.cu][-I][a b][--json]"))
        done = self.each("bad.cu", "good.cu", riffle=command)
        self.assertEqual((done.returncode, done.stdout.count("[lint]")), (1, 2))
        self.assertEqual(self.each("--json", riffle=command).stdout, "")
        done = self.each("x.cu", riffle=self.path("none"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("is not installed", done.stderr)

    def test_findings_of_each_file(self):
        self.write("races.cu", "__global__ void k(int *a) { a[threadIdx.x / 2] = threadIdx.x; }\n"
                               "int main() {\n  int *a;\n  cudaMalloc(&a, 128);\n  k<<<1, 32>>>(a);\n}\n")
        self.write("right.cu", "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() {\n  int *a;\n  cudaMalloc(&a, 128);\n  k<<<1, 32>>>(a);\n}\n")
        os.mkdir(self.path("out"))
        done = self.each("--fail-on", "hazard", "races.cu", "right.cu", RIFFLE_SARIF=self.path("out"))
        self.assertEqual(done.returncode, 1, done.stderr)
        found = []
        for name in sorted(os.listdir(self.path("out"))):
            with open(os.path.join(self.path("out"), name), encoding="utf-8") as file:
                found.append([one["ruleId"] for one in json.load(file)["runs"][0]["results"]])
        self.assertEqual(found, [["race"], []])

    def test_hooks_name_what_is_there(self):
        text = (ROOT / ".pre-commit-hooks.yaml").read_text()
        entry = next(line.split(": ")[1] for line in text.splitlines() if line.strip().startswith("entry: "))
        self.assertTrue(os.access(ROOT / entry, os.X_OK))


if __name__ == "__main__":
    main()
