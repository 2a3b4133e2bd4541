# SPDX-License-Identifier: Apache-2.0
"""riffle lint: each line of lint_lines.cu counts what its comment says, with both compilers, as lint has them optimize and
without any optimization."""
import json
import os
import pathlib
import re
import shutil

from command import CommandTest, main

FILE = pathlib.Path(__file__).parent / "lint_lines.cu"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
ARGUMENTS = {
    "turns": ["float:32", "float:2048:zero"],
    "skips": ["float:32", "float:2048:zero"],
    "calls": ["float:32", "float:2048:zero"],
    "rows": ["float:32", "float:2048:zero"],
    "search": ["float:64", "float:128:index"],
    "sinks": ["float:128:random", "float=2"],
    "branches": ["float:256:random", "float=2"],
}
MERGED = {("clang++", "branches")}  # one store behind both branches, as nvcc may make of them


def expected_counts(compiler):
    """{(line, space, op): (requests, ideal)} of the file's comments."""
    counts, kernel = {}, None
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        begins = re.search(r"void (\w+)\(", line)
        kernel = begins.group(1) if begins else kernel
        if (compiler, kernel) in MERGED:
            continue
        for space, op, requests, ideal in re.findall(r"(global|shared) (read|write|atomic) (\d+) of (\d+)",
                                                     line.partition("//=")[2]):
            counts[number, space, op] = int(requests), int(ideal)
    return counts


class Lines(CommandTest):
    def compiler_without_optimization(self, name):
        path = self.path("unoptimizing")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {shutil.which(name)} "$@" -O0\n')
        os.chmod(path, 0o755)
        return path

    def counts(self, compiler):
        counts = {}
        for kernel, arguments in ARGUMENTS.items():
            if (compiler, kernel) in MERGED:
                continue
            words = [word for argument in arguments for word in ("--arg", argument)]
            done = self.run_riffle("lint", FILE, "--kernel", kernel, "--block", 32, *words, "--json", "--compiler", compiler)
            self.assertEqual((done.returncode, done.stderr), (0, ""), kernel)
            report = json.loads(done.stdout)
            self.assertEqual(report["hazards"], [], kernel)
            for row in report["rounds"]:
                counts[row["line"], row["space"], row["op"]] = row["requests"], row["ideal_requests"]
        return counts

    def check(self, compiler):
        counts, expected = self.counts(compiler), expected_counts(compiler)
        wrong = {place: (counts.get(place), expected.get(place)) for place in counts.keys() | expected.keys()
                 if counts.get(place) != expected.get(place)}
        self.assertEqual(wrong, {}, f"{compiler}: counted, expected")


def add_tests():
    for name in COMPILERS:
        setattr(Lines, f"test_{name}", lambda self, name=name: self.check(name))
        setattr(Lines, f"test_{name}_without_optimization",
                lambda self, name=name: self.check(self.compiler_without_optimization(name)))


add_tests()

if __name__ == "__main__":
    main()
