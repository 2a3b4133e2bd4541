# SPDX-License-Identifier: Apache-2.0
"""riffle lint of programs that call CUDA's host libraries: the host computes what they would, and what they lack is said."""
import json
import pathlib

from command import CommandTest, main

FILE = pathlib.Path(__file__).parent / "lint_libraries.cu"


class Libraries(CommandTest):
    def test_the_program_checks_them_itself(self):
        for compiler in self.compilers():
            done = self.run_riffle("lint", FILE, "--json", "--timeout", 300, "--compiler", compiler)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["hazards"], report["launched"]), (0, [], 2))
            self.assertEqual(done.stderr.splitlines(), ["riffle: cufftXtSetGPUs: not supplied of cuFFT", "riffle: cuModuleLoad: not supplied of CUDA's driver"])
            self.assertEqual([one["text"] for one in report["refused"]],
                             ["cudaGraphicsGLRegisterBuffer returns cudaErrorNotSupported: the machine has no OpenGL"])


if __name__ == "__main__":
    main()
