# SPDX-License-Identifier: Apache-2.0
"""riffle lint where nothing was checked: it says so, and that is no success; nor are lines passed over that nobody can know."""
import json
import os
import unittest

from command import CommandTest, main

PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void fill(int *a) { a[threadIdx.x] = 1; }
template <class T> __global__ void count(T *a) { a[threadIdx.x] = 2; }
int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: fill THREADS\\n");
        return 3;
    }
    int *a;
    cudaMalloc(&a, 4096);
    fill<<<1, atoi(argv[1])>>>(a);
    if (argc > 2) count<int><<<1, 32>>>(a);
}
"""


class Idle(CommandTest):
    def setUp(self):
        super().setUp()
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)

    def lint(self, *words, **environment):
        return self.run_riffle("lint", "p.cu", *words, env={**os.environ, **environment})

    def test_a_program_that_wants_arguments(self):
        """With a check asked for that is no success, and each document says why; without one only the report says so."""
        says = "the program ended with status 3 and launched no kernel; does it want arguments? they stand behind --"
        done = self.lint()
        self.assertEqual((done.returncode, done.stderr), (0, "usage: fill THREADS\n"))
        self.assertIn("\nnothing counted: " + says + "\n", done.stdout)
        for on in ("hazard", "race", "conflict:2"):
            done = self.lint("--fail-on", on, "--json", "--sarif", "s.json", "--html", "h.html")
            self.assertEqual((done.returncode, done.stderr),
                             (1, "usage: fill THREADS\nriffle: p.cu: no launch was counted, so nothing was checked; the report says why\n"))
            self.assertEqual(json.loads(done.stdout)["nothing_counted"], says)
        with open(self.path("s.json"), encoding="utf-8") as file:
            invocation = json.load(file)["runs"][0]["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertEqual([one["message"]["text"] for one in invocation["toolExecutionNotifications"]], ["nothing counted: " + says])
        with open(self.path("h.html"), encoding="utf-8") as file:
            self.assertIn("Nothing counted: " + says, file.read())

    def test_a_kernel_that_is_not_launched(self):
        for more, others in (([], "fill"), (["x"], "fill and count<int>")):
            done = self.lint("--kernel", "fil", "--", 32, *more)
            self.assertEqual((done.returncode, done.stderr), (1, "riffle: p.cu: no launch was counted, so nothing was checked; the report says why\n"))
            self.assertIn(f"\nnothing counted: the program launched no kernel fil, but {others}\n", done.stdout)
        done = self.lint("--kernel", "count", "--fail-on", "hazard", "--", 32, "x")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("nothing counted", done.stdout)

    def test_launches_that_are_refused(self):
        done = self.lint("--fail-on", "hazard", "--", 2000)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\nnothing counted: CUDA would refuse each of the program's launches\n", done.stdout)

    def test_sides_that_are_refused(self):
        """65535 blocks in y and z and 64 threads in z are the most, and the program is told."""
        with open(self.path("sides.cu"), "w", encoding="utf-8") as file:
            file.write("""#include <cstdio>
__global__ void k(int *a) { a[0] = 1; }
int main() {
    int *a;
    cudaMalloc(&a, 4);
    const dim3 sides[][2] = {{dim3(1, 1, 65536), dim3(1)}, {dim3(1, 65536), dim3(1)}, {dim3(1), dim3(1, 1, 65)}, {dim3(1, 1, 65535), dim3(1, 1, 64)}};
    for (auto &one : sides) {
        k<<<one[0], one[1]>>>(a);
        printf("%d ", cudaGetLastError() == cudaErrorInvalidConfiguration);
    }
}
""")
        done = self.run_riffle("lint", "sides.cu", "--work", 2**16)
        self.assertIn("1 1 1 0 ", done.stderr)

    @unittest.skipIf(os.environ.get("SANITIZED"), "the sanitizers load libdw themselves")
    def test_lines_that_nobody_knows(self):
        """libdw cannot be loaded: what stands in its place is no library."""
        with open(self.path("libdw.so.1"), "w", encoding="utf-8"):
            pass
        says = "libdw.so.1 cannot be loaded, or does not find this process's code; install libdw1 (elfutils)"
        done = self.lint("--", 32, LD_LIBRARY_PATH=self.folder)
        self.assertIn("?:0", done.stdout)
        self.assertIn("\nlines unknown: " + says + "\n", done.stdout)
        self.assertEqual(json.loads(self.lint("--json", "--", 32, LD_LIBRARY_PATH=self.folder).stdout)["lines_unknown"], says)
        done = self.lint("--", 32)
        self.assertNotIn("lines unknown", done.stdout)

    @unittest.skipIf(os.environ.get("SANITIZED"), "the sanitizers load libdw themselves")
    def test_barriers_whose_lines_nobody_knows(self):
        """Two barriers of a user's kernel are two, with lines and without."""
        with open(self.path("two.cu"), "w", encoding="utf-8") as file:
            file.write("""__global__ void two(int *a) {
    if (threadIdx.x < 32) {
        __syncthreads();
        a[threadIdx.x] = 1;
    } else {
        a[threadIdx.x] = 2;
        __syncthreads();
    }
}
""")
        with open(self.path("libdw.so.1"), "w", encoding="utf-8"):
            pass
        for environment in ({}, {"LD_LIBRARY_PATH": self.folder}):
            done = self.run_riffle("lint", "two.cu", "--kernel", "two", "--grid", 1, "--block", 64, "--arg", "int:64", "--fail-on", "barrier",
                                   env={**os.environ, **environment})
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("32 of 64 threads of block (0,0,0) have come to the barrier at", done.stdout)


if __name__ == "__main__":
    main()
