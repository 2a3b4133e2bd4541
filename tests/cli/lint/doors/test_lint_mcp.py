# SPDX-License-Identifier: Apache-2.0
"""python/riffle_lint: lint and compare for programs that write kernels, as functions, and by a client of the Model Context Protocol where the package mcp is there."""
import importlib.util
import os
import pathlib
import sys
import time
import unittest

from command import RIFFLE, CommandTest, main, program_alone

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = HERE.parents[3] / "python"
sys.path[:0] = [str(HERE), str(PYTHON)]
# pylint: disable=wrong-import-position
from riffle_lint import compare, launch, runs, server  # noqa: E402

LIMITS = runs.Limits(seconds=100)
SUM = """__global__ void sum(float *out, const float *in, int n) {
    __shared__ float part[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i * STEP] : 0;
    WAIT
    for (int s = 32; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0] * SCALE;
}
"""


def sums(step="1", wait="__syncthreads();", scale="1"):
    return SUM.replace("STEP", step).replace("WAIT", wait).replace("SCALE", scale)


LAUNCHED = {"kernel": "sum", "block": [64], "grid": [4], "args": ["float:4", "float:2^10:random", "int=256"]}
HANGS = "#include <cstdio>\nint main() {\n    puts(\"begun\");\n    fflush(stdout);\n    for (volatile int k = 0;; k++) ;\n}\n"


class Functions(CommandTest):
    def version(self, source, **launched):
        return compare.Version(source, **{**{"kernel": "sum", "grid": [4], "block": [64], "shared_bytes": 0}, **launched})

    def compare(self, before, after, tolerance=0, arguments=("float:4", "float:2^10:random", "int=256")):
        return compare.compare(before, after, [launch.argument_of(one) for one in arguments], [], tolerance, 100, LIMITS)

    @program_alone
    def test_lint(self):
        found = server.lint(LIMITS, sums("4"), "sum", [64], [4], ["float:4", "float:2^10:random", "int=256"], 0, ["--kernel", "sum"], [], 0)
        self.assertEqual((found["status"], found["message"], found["hazards"]), ("done", "", []))
        worst = found["rows"][0]
        self.assertEqual((worst["file"], worst["line"], worst["requests"], worst["ideal_requests"]), ("source.cu", 4, 128, 32))
        self.assertEqual(found["totals"]["global_sectors"], 132)
        found = server.lint(LIMITS, sums(wait=""), "sum", [64], [4], LAUNCHED["args"], 0, ["--kernel", "sum"], [], 0)
        self.assertIn("race", {one["kind"] for one in found["hazards"]})
        found = server.lint(LIMITS, sums().replace("part[0]", "part[0"), "sum", [64], [4], LAUNCHED["args"], 0, ["--kernel", "sum"], [], 0)
        self.assertEqual((found["status"], found["rows"]), ("failed", []))
        self.assertRegex(found["message"], r"^source.cu:10: ")

    @program_alone
    def test_compare(self):
        """Arrays by their numbers, counts side by side; a difference has its place."""
        found = self.compare(self.version(sums()), self.version(sums()))
        self.assertEqual((found["equal"], [one["equal"] for one in found["arrays"]]), (True, [True, True]))
        found = self.compare(self.version(sums()), self.version(sums("4", scale="(blockIdx.x == 2 ? 2 : 1)")))
        self.assertEqual((found["equal"], found["arrays"][0]["differing"], found["arrays"][0]["first"]["element"], found["arrays"][1]["differing"]), (False, 4, 0, 0))
        self.assertEqual(found["counts"]["global_sectors"], {"before": 36, "after": 132, "ratio": 3.6667})
        near = self.version(sums(scale="1.00001f"))
        self.assertEqual([self.compare(self.version(sums()), near, tolerance)["equal"] for tolerance in (0, 1e-4)], [False, True])

    @program_alone
    def test_compare_of_other_launches(self):
        """Each version has its own kernel and launch; one that does not come to its end has no verdict."""
        text = "template <class T> __global__ void two(T *out) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = T{(short)i, 1};\n}\n"
        wide, narrow = (self.version(text, kernel="two<short2>", grid=[grid], block=[block]) for grid, block in ((2, 64), (4, 32)))
        self.assertTrue(self.compare(wide, narrow, arguments=["short2:128"])["equal"])
        found = self.compare(wide, self.version(text.replace("{", "", 1), kernel="two<short2>"), arguments=["short2:128"])
        self.assertEqual((found["equal"], found["before"]["status"], found["after"]["status"]), (None, "done", "failed"))

    @program_alone
    def test_programs_by_what_they_print(self):
        text = ("#include <cstdio>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
                'int main() {\n    int *a;\n    cudaMalloc(&a, 128);\n    k<<<1, 32>>>(a);\n    puts("SAID");\n}\n')
        versions = [compare.Version(text.replace("SAID", said), "", [1], [], 0) for said in ("a", "b")]
        self.assertEqual([compare.compare(versions[0], other, [], [], 0, 100, LIMITS)["equal"] for other in versions], [True, False])

    def test_programs_that_hang_are_ended(self):
        """With all that they have started, and what they printed is there."""
        begun = time.monotonic()
        found = runs.lint(HANGS, [], 15, LIMITS)
        self.assertEqual((found["status"], found.get("output")), ("failed", "begun"))
        self.assertIn("not done after 15 seconds", found["message"])
        self.assertLess(time.monotonic() - begun, 60)

    def test_memory_is_limited(self):
        text = '#include <cstdlib>\n#include <cstdio>\nint main() {\n    puts(malloc(1ul << 30) ? "has it" : "has it not");\n}\n'
        found = runs.lint(text, [], 100, LIMITS._replace(megabytes=900))
        self.assertEqual((found["status"], found["output"]), ("failed", "has it not"))
        self.assertRegex(found["message"], "^the program ended with status 0 and launched no kernel")

    def test_arguments(self):
        self.assertEqual(launch.argument_of("uchar4:2^4:index"), ("uchar4", "unsigned char", 4, 16, 2, ""))
        self.assertEqual(launch.argument_of("float2=1,-2.5").value, "float2{(float)(1), (float)(-2.5)}")
        self.assertEqual(launch.argument_of("size_t=2^20").value, "(size_t)(1048576)")
        for text in ("float", "float:x.npy", "Params={n=1}", "float:0", "float:2^40", "float:8:odd", "long double:8", "int=1);abort("):
            with self.assertRaises(runs.Refused):
                launch.argument_of(text)
        for flag in ("--sarif=x", "-o", "-I", "x.cu"):
            with self.assertRaises(runs.Refused):
                runs.checked_flags([flag])
        with self.assertRaises(runs.Refused):
            runs.put_source("none.cu", pathlib.Path(self.folder))

    def test_numbers_that_are_close(self):
        nan, inf = float("nan"), float("inf")
        self.assertEqual([launch.is_close(*one) for one in ((nan, nan, 0), (inf, inf, 0), (inf, 1, 1), (nan, 1, 1), (1, 1.1, 0.2), (1, 1.1, 0.01), (0, -0.0, 0))],
                         [True, True, False, False, True, False, True])


@unittest.skipUnless(importlib.util.find_spec("mcp"), "the package mcp is not there")
class Server(CommandTest):
    @program_alone
    def test_over_stdio(self):
        """Both tools, what they refuse, and a program that hangs, by one server, which goes on."""
        from asks_server import answers  # pylint: disable=import-outside-toplevel

        path = self.path("k.cu")
        pathlib.Path(path).write_text(sums(wait=""), encoding="utf-8")
        environment = {**os.environ, "RIFFLE": RIFFLE, "PYTHONPATH": str(PYTHON)}
        names, hangs, refused, linted, compared = answers(
            [sys.executable, "-m", "riffle_lint.server", "--seconds", "100"], environment, (None, None), ("lint", {"source": HANGS, "seconds": 5}),
            ("lint", {"source": path, **LAUNCHED, "flags": ["--html=x"]}), ("lint", {"source": path, **LAUNCHED, "architecture": "sm_90a"}),
            ("compare", {"before": sums("4"), "after": sums("4", scale="1.0"), **LAUNCHED}))
        self.assertEqual(sorted(names), ["compare", "lint"])
        self.assertEqual((hangs["status"], refused["status"]), ("failed", "failed"))
        self.assertIn("is none of -I, -D, -L and -l", refused["message"])
        self.assertIn("race", {one["kind"] for one in linted["hazards"]})
        self.assertEqual((compared["equal"], compared["counts"]["global_sectors"]["ratio"]), (True, 1.0))


if __name__ == "__main__":
    main()
