# SPDX-License-Identifier: Apache-2.0
"""riffle lint of whole programs: host code runs, launches are counted, and nothing stays behind."""
import json
import os
import pathlib
import shutil

from command import CommandTest, main

FILE = pathlib.Path(__file__).parent / "lint_program.cu"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]


class Programs(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))

    def lint(self, *words, file=FILE):
        """The finished command; it must have left nothing behind."""
        done = self.run_riffle("lint", file, *words, env={**os.environ, "TMPDIR": self.path("tmp")})
        self.assertEqual(os.listdir(self.path("tmp")), [])
        return done

    def write(self, text):
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        return "p.cu"

    def test_a_program_runs_and_its_launches_are_counted(self):
        """It checks its own results, says what it found, and ends by exit."""
        for compiler in COMPILERS:
            done = self.lint("--json", "--compiler", compiler, "--", 500, "x")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.splitlines(),
                             ["riffle: a launch was refused: kernel plain: a block of 2000 x 1 x 1 threads on a machine with "
                              "1024 a block", "found 399, managed 31", "invalid configuration argument"])
            report = json.loads(done.stdout)
            self.assertEqual((report["hazards"], report["exit_status"], report["partial"]), ([], 5, False))
            self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]],
                             [("scale", 3), ("scale<float>", 1), ("deep::count", 1), ("plain", 1), ("cudaLaunchKernel", 1)])
            writes = {row["kernel"]: row["requests"] for row in report["rounds"]
                      if row["space"] == "global" and row["op"] == "write"}
            self.assertEqual(writes, {"scale": 3 * 63, "scale<float>": 63, "plain": 4, "cudaLaunchKernel": 4})

    def test_kernels_and_launches_are_chosen(self):
        report = json.loads(self.lint("--json", "--kernel", "scale", "--launches", 2).stdout)
        self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]], [("scale", 2)])
        report = json.loads(self.lint("--json", "--kernel", "count").stdout)
        self.assertEqual([one["kernel"] for one in report["launches"]], ["deep::count"])
        self.assertRegex(self.lint("--kernel", "plain").stdout, r"\nplain: 1 launch: .*\n(.*\n)*program: ended with status 0\n$")

    def test_what_goes_wrong_is_said(self):
        file = self.write("""#include <cstdio>
__constant__ int unset;
__global__ void k(int *a) {
    a[threadIdx.x + 8] = unset;
    a[threadIdx.x + 8] += a[threadIdx.x];
}
int main() {
    int *a, b[64];
    cudaMalloc(&a, 32 * sizeof *a);
    printf("%d ", cudaMemcpy(a, b, sizeof b, cudaMemcpyHostToDevice));
    printf("%d ", cudaFree(a + 1));
    printf("%d\\n", cudaGetLastError());
    k<<<1, 32>>>(a);
}
""")
        done = self.lint("--fail-on", "hazard", file=file)
        self.assertEqual((done.returncode, done.stderr), (1, "1 1 1\n"))
        for text in ("writes element 32 of allocation 1, which has 32", "reads element 0 of allocation 1, which nothing has written",
                     "unset, a __constant__ that nothing has set"):
            self.assertIn(text, done.stdout)

    def test_programs_that_cannot_be_run(self):
        for text, says in [("__global__ void k() {}\n", "that its file does not define"),
                           ("int main() { return missing; }\n", "p.cu:1: .*missing"),
                           ("__global__ void k() { exit(3); }\nint main() { k<<<1, 1>>>(); }\n", "ended the process, with status 3"),
                           ("int main() { __builtin_trap(); }\n", "crashed")]:
            if os.environ.get("SANITIZED") and "exit" not in text and "missing" not in text:
                continue
            done = self.lint(file=self.write(text))
            self.assertEqual((done.returncode, done.stdout), (1, ""), text)
            self.assertRegex(done.stderr, says)

    def test_wrong_command_lines(self):
        for words, says in [(["--block", 32], "no kernel given; say which with --kernel NAME, or leave out --block"),
                            (["--kernel", "k", "--arg", "int=3"], "no block given; say how many threads with --block"),
                            (["--kernel", "k", "--block", 1, "--", "x"], "what stands behind -- is a program's"),
                            (["--kernel", "k", "--block", 1, "--launches", 1], "option --launches: is for whole programs"),
                            (["--launches", 0], "option --launches: '0' is no number")]:
            done = self.lint(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    main()
