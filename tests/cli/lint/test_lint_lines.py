# SPDX-License-Identifier: Apache-2.0
"""riffle lint: each line of lint_lines.cu counts what its comment says, with both compilers, as lint has them optimize and
without any optimization."""
import json
import os
import pathlib
import re
import shutil

from command import COMPILERS, CommandTest, main

FILE = pathlib.Path(__file__).parent / "lint_lines.cu"
ARGUMENTS = ["float:128", "float:2048:zero", "float:128:index", "float:256:random", "float4:64:zero", "float2:32",
             "float3:32:zero"]
EXCEPT = {("clang++", "branches"),  # one store behind both branches, as nvcc may make of them
          ("g++ -O0", "components")}  # which are in blocks of their own there


def expected_counts():
    """{(line, space, op): (requests, ideal, kernel)} of the file's comments."""
    counts, kernel = {}, None
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        begins = re.search(r"^(?:__global__ void|__device__ .*) (\w+)\(", line)
        kernel = begins.group(1) if begins else kernel
        for space, op, requests, ideal in re.findall(r"(global|shared) (read|write|atomic) (\d+) of (\d+)",
                                                     line.partition("//=")[2]):
            counts[number, space, op] = int(requests), int(ideal), kernel
    return counts


class Lines(CommandTest):
    def rows_of(self, kernel, compiler, arguments):
        words = [word for argument in arguments for word in ("--arg", argument)]
        done = self.run_riffle("lint", FILE, "--kernel", kernel, "--block", 32, *words, "--json", "--compiler", compiler)
        self.assertEqual((done.returncode, done.stderr), (0, ""), compiler)
        report = json.loads(done.stdout)
        self.assertEqual((report["hazards"], report["partial"]), ([], False), compiler)
        return {(row["line"], row["space"], row["op"]): (row["requests"], row["ideal_requests"]) for row in report["rounds"]}

    def test_virtual_functions(self):
        """The compilers differ in where they put what constructors write, and agree that nothing is wrong."""
        for compiler in COMPILERS:
            rows = self.rows_of("shapes", compiler, ["float:32"])
            expected = {place: counts[:2] for place, counts in expected_counts().items() if counts[2] == "shapes"}
            self.assertEqual({place: rows.get(place) for place in expected}, expected, compiler)

    def compiler_without_optimization(self, name):
        path = self.path("unoptimizing")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {shutil.which(name)} "$@" -O0\n')
        os.chmod(path, 0o755)
        return path

    def check(self, name, compiler):
        expected = {place: counts[:2] for place, counts in expected_counts().items()
                    if counts[2] != "shapes" and (name, counts[2]) not in EXCEPT}
        passed_over = {line for line, kernel in self.kernels_of_lines().items() if (name, kernel) in EXCEPT}
        rows = {place: counts for place, counts in self.rows_of("all", compiler, ARGUMENTS).items()
                if place[0] not in passed_over}
        wrong = {place: (rows.get(place), expected.get(place)) for place in rows.keys() | expected.keys()
                 if rows.get(place) != expected.get(place)}
        self.assertEqual(wrong, {}, f"{name}: counted, expected")

    @staticmethod
    def kernels_of_lines():
        kernels, kernel = {}, None
        for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
            begins = re.search(r"^__global__ void (\w+)\(", line)
            kernel = begins.group(1) if begins else kernel
            kernels[number] = kernel
        return kernels


def add_tests():
    for name in COMPILERS:
        setattr(Lines, f"test_{name}", lambda self, name=name: self.check(name, name))
        setattr(Lines, f"test_{name}_without_optimization",
                lambda self, name=name: self.check(f"{name} -O0", self.compiler_without_optimization(name)))


add_tests()

if __name__ == "__main__":
    main()
