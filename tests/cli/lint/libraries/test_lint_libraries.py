# SPDX-License-Identifier: Apache-2.0
"""riffle lint of programs that call CUDA's host libraries: the host computes what they would, and what they lack is said."""
import json
import os
import pathlib
import unittest

from command import CommandTest, main

FILE = pathlib.Path(__file__).parent / "lint_libraries.cu"


class Libraries(CommandTest):
    def test_the_program_checks_them_itself(self):
        for compiler in self.compilers():
            done = self.run_riffle("lint", FILE, "--json", "--timeout", 300, "--compiler", compiler)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["hazards"], report["launched"]), (0, [], 2))
            self.assertEqual(done.stderr.splitlines(), ["riffle: cublasStrsmBatched: not supplied of cuBLAS", "riffle: cufftXtSetGPUs: not supplied of cuFFT", "riffle: cuModuleLoad: not supplied of CUDA's driver"])
            self.assertEqual([one["text"] for one in report["refused"]],
                             ["cudaGraphicsGLRegisterBuffer returns cudaErrorNotSupported: the machine has no OpenGL"])

    @unittest.skipUnless(pathlib.Path("/usr/local/cuda/include/cusolverDn.h").exists(), "no toolkit with cuSPARSE and cuSOLVER")
    def test_libraries_that_the_machine_has_not_are_refused_when_they_are_called(self):
        for compiler in self.compilers():
            done = self.run_riffle("lint", FILE.parent / "lint_foreign.cu", "--json", "--timeout", 300, "--compiler", compiler, "-lcusparse", "-lcusolver", "-lnvrtc")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["hazards"], report["launched"]), (5, [], 1))
            self.assertEqual([(one["line"], one["text"].split()[0]) for one in report["refused"]],
                             [(21, "cusparseCreate"), (22, "cusparseCreateCsr"), (23, "cusolverDnCreate"), (24, "cusolverDnSpotrf"), (25, "nvrtcCreateProgram")])
            self.assertIn("riffle: cusparseCreate: the machine does not supply this library of CUDA\n", done.stderr)
            self.assertIn("not supplied\n", done.stderr)

    def test_their_headers_are_named_where_no_toolkit_is(self):
        done = self.run_riffle("lint", FILE.parent / "lint_foreign.cu", env=dict(os.environ, CUDA_HOME="/nonexistent"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "lint_foreign.cu:7: cusolverDn.h: .* takes CUDA's own header where it is installed")


if __name__ == "__main__":
    main()
