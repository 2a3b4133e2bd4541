# SPDX-License-Identifier: Apache-2.0
"""python/riffle_lint: lint and compare for programs that write kernels, as functions, and by a client of the Model Context Protocol where the package mcp is there."""
import contextlib
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

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
TELLS_AND_HANGS = """#include <cstdio>
#include <unistd.h>
int main() {
    FILE *file = fopen("PLACE", "w");
    fprintf(file, "%d\\n", (int)getpid());
    fclose(file);
    for (volatile int k = 0;; k++) ;
}
"""
LAST_BLOCKS = """#include <cstdio>
__global__ void k(int *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    b[i] = i >= 256000 - 4096 ? LAST : 1;
}
int main() {
    int *b, last;
    cudaMalloc(&b, 1024000);
    k<<<1000, 256>>>(b);
    cudaMemcpy(&last, b + 255999, 4, cudaMemcpyDeviceToHost);
    printf("%d\\n", last);
}
"""


def until(is_so, seconds=60):
    """Waits until it is so; true if it was."""
    begun = time.monotonic()
    while not is_so() and time.monotonic() < begun + seconds:
        time.sleep(0.05)
    return is_so()


def runs_still(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@unittest.skipIf(bool(os.environ.get("SANITIZED")), "runs have so much memory at most, and an address sanitizer wants all addresses")
class EndTest(CommandTest):
    """A test of runs that end before their time: a program that says that it has begun, and a place for temporary files."""

    def setUp(self):
        super().setUp()
        self.said, self.place = self.path("said"), pathlib.Path(self.path("place"))
        self.place.mkdir()
        self.source = TELLS_AND_HANGS.replace("PLACE", self.said)

    def has_begun(self):
        return os.path.exists(self.said) and pathlib.Path(self.said).read_text(encoding="utf-8").endswith("\n")

    def assert_nothing_is_left(self):
        program = int(pathlib.Path(self.said).read_text(encoding="utf-8"))
        self.assertTrue(until(lambda: not runs_still(program) and not list(self.place.iterdir()), 10), list(self.place.iterdir()))


class Functions(EndTest):
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

    @program_alone
    def test_programs_by_all_that_they_print(self):
        """The summary has the last of it; what differs before that, or in a byte that is no text, differs."""
        text = ('#include <cstdio>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() {\n    int *a;\n    cudaMalloc(&a, 128);\n    k<<<1, 32>>>(a);\n'
                '    puts("SAID");\n    for (int i = 0; i < 1000; i++) puts("a line");\n}\n')
        versions = [compare.Version(text.replace("SAID", said), "", [1], [], 0) for said in ("a\\xfe", "a\\xff")]
        found = [compare.compare(versions[0], other, [], [], 0, 100, LIMITS) for other in versions]
        self.assertEqual([one["equal"] for one in found], [True, False])
        self.assertEqual(len(found[1]["after"]["output"]), runs.OUTPUT)

    @program_alone
    def test_blocks_that_did_not_run(self):
        """No verdict, and a message; compare runs all of them unless told."""
        versions = [compare.Version(LAST_BLOCKS.replace("LAST", last), "", [1], [], 0) for last in "78"]
        found = compare.compare(*versions, [], ["--work", "1000000"], 0, 100, LIMITS)
        self.assertEqual((found["equal"], found["before"]["status"]), (None, "partial"))
        self.assertRegex(found["message"], r"^before: \d+ of 1000 blocks were counted; .*; \d+ did not run, so that results are not what they would be; see .*; after: ")
        self.assertIs(compare.compare(*versions, [], [], 0, 100, LIMITS)["equal"], False)

    @program_alone
    def test_blocks_that_were_not_counted(self):
        found = runs.lint(LAST_BLOCKS.replace("LAST", "7"), ["--accesses", "100000"], 100, LIMITS)
        self.assertEqual((found["status"], found["blocks"], found["run_blocks"], found["checked_blocks"]), ("done", 1000, 1000, 1000))
        self.assertLess(found["counted_blocks"], 1000)
        self.assertEqual(found["message"], found["sampled"])
        self.assertRegex(found["sampled"], f"^{found['counted_blocks']} of 1000 blocks were counted; hazards were looked for in all; see --accesses, --checks and --work$")
        self.assertIn("error", found["rows"][0])

    @program_alone
    def test_counts_are_of_all_blocks(self):
        """17 accesses a thread against 5, of more threads than lint counts unless told."""
        text = ("__global__ void k(int *out, const int *in) {\n    int i = blockIdx.x * 256 + threadIdx.x, sum = 0;\n"
                "    for (int r = 0; r < READS; r++) sum += in[(i + r * 4096) & 0xfffff];\n    out[i] = sum;\n}\n")
        many, few = (self.version(text.replace("READS", reads), kernel="k", grid=[4096], block=[256]) for reads in ("16", "4"))
        found = self.compare(many, few, arguments=("int:2^20", "int:2^20:zero"))
        self.assertEqual((found["before"]["counted_blocks"], found["counts"]["global_sectors"]), (4096, {"before": 2228224, "after": 655360, "ratio": 0.2941}))

    @program_alone
    def test_macros_of_a_source(self):
        """They are the source's alone."""
        text = "#define T 32\n#define count 1\n#define here 2\n#define there 3\n" + sums()
        self.assertTrue(self.compare(self.version(text), self.version(sums()))["equal"])

    @program_alone
    def test_arrays_of_bool(self):
        text = "__global__ void flip(bool *out, const bool *in) { out[threadIdx.x] = in[threadIdx.x] != (threadIdx.x == ODD); }\n"
        versions = [self.version(text.replace("ODD", odd), kernel="flip", grid=[1]) for odd in ("64", "63")]
        for fill in ("random", "index", "permutation", "zero"):
            found = self.compare(*versions, arguments=("bool:64", "bool:64:" + fill))
            self.assertEqual((found["equal"], found["arrays"][0]["differing"], found["arrays"][0]["first"]["element"]), (False, 1, 63))

    def test_runs_nobody_waits_for_are_ended(self):
        """With all that they have started, and their files."""
        with mock.patch("tempfile.tempdir", str(self.place)):
            found = runs.lint(self.source, [], 100, LIMITS._replace(is_over=self.has_begun))
        self.assertEqual(found["status"], "failed")
        self.assert_nothing_is_left()

    def test_lint_that_is_killed(self):
        """Which signal it was, and which status without a word."""
        for says, does in (("by signal 9 (SIGKILL)", "kill -9 $$"), ("with status 3", "exit 3"), ("by signal 9 (SIGKILL)", "echo '{\"rounds\": ['; kill -9 $$")):
            command = pathlib.Path(self.path("riffle"))
            command.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
            command.chmod(0o755)
            with mock.patch.dict(os.environ, RIFFLE=str(command)):
                found = runs.lint(HANGS, [], 15, LIMITS)
            self.assertEqual(found["status"], "failed")
            self.assertIn(says, found["message"])

    def test_programs_that_hang_are_ended(self):
        """With all that they have started, and what they printed is there."""
        begun = time.monotonic()
        found = runs.lint(HANGS, [], 15, LIMITS)
        self.assertEqual((found["status"], found.get("output")), ("failed", "begun"))
        self.assertIn("not done after 15 seconds", found["message"])
        self.assertNotIn("--timeout", found["message"])
        self.assertLess(time.monotonic() - begun, 60)

    def test_memory_is_limited(self):
        text = '#include <cstdlib>\n#include <cstdio>\nint main() {\n    puts(malloc(1ul << 30) ? "has it" : "has it not");\n}\n'
        found = runs.lint(text, [], 100, LIMITS._replace(megabytes=900))
        self.assertEqual((found["status"], found["output"]), ("failed", "has it not"))
        self.assertRegex(found["message"], "^the program ended with status 0 and launched no kernel")

    @program_alone
    def test_memory_that_ends_is_no_hazard(self):
        """A program that asks for more than it may have, and does not look: the kernel's NULL is not its error."""
        text = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\nint main() {\n    int *a;\n    cudaMalloc(&a, BYTES);\n    k<<<1, 32>>>(a);\n}\n"
        found = runs.lint(text.replace("BYTES", "1ul << 30"), [], 100, LIMITS._replace(megabytes=900))
        self.assertEqual((found["status"], found["hazards"]), ("failed", []))
        self.assertRegex(found["message"], "kernel k accesses NULL: there was no memory for an allocation of 1073741824 bytes before")
        found = runs.lint(text.replace("cudaMalloc(&a, BYTES)", "a = nullptr"), [], 100, LIMITS._replace(megabytes=900))
        self.assertEqual([one["kind"] for one in found["hazards"]], ["out-of-bounds"])

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
        for source in ("none.cu", "long" * 2000, "a\0.cu", "int main() {\0}", "int main() {\ud800}"):
            with self.assertRaises(runs.Refused):
                runs.put_source(source, pathlib.Path(self.folder))
        for word in ("int\0=1", "x" * (1 << 24)):
            with self.assertRaises(runs.Refused):
                runs.lint(HANGS, [word], 15, LIMITS)

    def test_numbers_that_are_close(self):
        nan, inf = float("nan"), float("inf")
        self.assertEqual([launch.is_close(*one) for one in ((nan, nan, 0), (inf, inf, 0), (inf, 1, 1), (nan, 1, 1), (1, 1.1, 0.2), (1, 1.1, 0.01), (0, -0.0, 0))],
                         [True, True, False, False, True, False, True])


@unittest.skipUnless(importlib.util.find_spec("mcp"), "the package mcp is not there")
class Server(EndTest):
    @contextlib.contextmanager
    def begun(self):
        """A server, asked for a program that has begun and does not end."""
        with subprocess.Popen([sys.executable, "-m", "riffle_lint.server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "RIFFLE": RIFFLE, "PYTHONPATH": str(PYTHON), "TMPDIR": str(self.place)}) as server_process:
            try:
                who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
                self.tell(server_process, "initialize", who, 1)
                server_process.stdout.readline()
                self.tell(server_process, "notifications/initialized", {})
                self.tell(server_process, "tools/call", {"name": "lint", "arguments": {"source": self.source}}, 2)
                self.assertTrue(until(self.has_begun))
                yield server_process
            finally:
                server_process.kill()

    def tell(self, server_process, method, parameters, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": parameters, **({"id": number} if number else {})}
        server_process.stdin.write(json.dumps(message) + "\n")
        server_process.stdin.flush()

    def test_the_end_of_stdin_ends_all(self):
        with self.begun() as server_process:
            server_process.stdin.close()
            server_process.wait(20)
        self.assert_nothing_is_left()

    def test_signals_end_all(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.begun() as server_process:
                server_process.send_signal(number)
                self.assertEqual(server_process.wait(20), -number)
            self.assert_nothing_is_left()
            os.remove(self.said)

    def test_a_server_that_is_killed_leaves_nothing(self):
        with self.begun() as server_process:
            server_process.kill()
            server_process.wait(20)
        self.assert_nothing_is_left()

    def test_a_call_that_is_cancelled_ends(self):
        """The server goes on."""
        with self.begun() as server_process:
            self.tell(server_process, "notifications/cancelled", {"requestId": 2})
            self.assert_nothing_is_left()
            self.tell(server_process, "tools/call", {"name": "lint", "arguments": {"source": "none.cu"}}, 3)
            answers_there = (json.loads(line) for line in server_process.stdout)
            answer = next(one for one in answers_there if one.get("id") == 3)
            self.assertIn("is no file", answer["result"]["structuredContent"]["message"])

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
