# SPDX-License-Identifier: Apache-2.0
"""The linker of riffle lint: LLVM's where it is on PATH, the compiler's own where that fails or CXX names one."""
import os
import unittest

from command import COMPILERS, CommandTest, main

KERNEL = "__global__ void copy(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }\n"


@unittest.skipIf("g++" not in COMPILERS, "clang++ looks for a linker in its own folder before PATH")
class Linker(CommandTest):
    """A program ld.lld that fails, first on PATH, and notes that it was asked."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("first"))
        with open(self.path("first/ld.lld"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n: > {self.path('asked')}\nexit 1\n")
        os.chmod(self.path("first/ld.lld"), 0o755)

    def lint(self, compiler, kernel=KERNEL):
        """The run, and whether the linker was asked."""
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(kernel)
        done = self.run_riffle("lint", "k.cu", "--kernel", "copy", "--block", 32, "--arg", "float:32", "--arg", "float:32",
                               env={**os.environ, "PATH": f"{self.path('first')}:{os.environ['PATH']}", "CXX": compiler})
        asked = os.path.exists(self.path("asked"))
        if asked:
            os.remove(self.path("asked"))
        return done, asked

    def test_a_linker_that_fails(self):
        done, asked = self.lint("g++")
        self.assertEqual((done.returncode, done.stderr, asked), (0, "", True))
        self.assertIn("k.cu:1", done.stdout)

    def test_a_linker_that_is_named(self):
        done, asked = self.lint("g++ -fuse-ld=bfd")
        self.assertEqual((done.returncode, done.stderr, asked), (0, "", False))

    def test_what_no_linker_links(self):
        """The compiler's own linker says what is missing."""
        done, asked = self.lint("g++", KERNEL.replace("to[", "extern __device__ int nowhere(int); to[nowhere(1) + "))
        self.assertTrue(asked)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "nowhere")


if __name__ == "__main__":
    main()
