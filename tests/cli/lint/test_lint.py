# SPDX-License-Identifier: Apache-2.0
"""riffle lint: what docs/lint.md shows is what it prints, exit statuses, and kernels that crash or never end."""
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import time

from command import COMPILERS, RIFFLE, CommandTest, main, program_alone, some

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "lint"

KERNELS = """
#include <cassert>
#include <cstdio>
__global__ void fine(int *a) { a[threadIdx.x] = 1; }
__global__ void strided(int *a) { a[32 * threadIdx.x] = 1; }
__global__ void half(int *a) { a[2 * threadIdx.x] = 1; }
__global__ void behind(int *a) { if (a[threadIdx.x + 4] < 0) a[0] = 1; }
__device__ int counts[32];
__constant__ int weights[32] = {1};
__global__ void behind_a_variable(int *a) { counts[threadIdx.x + 4] = 1; }
__global__ void behind_a_constant(int *a) { if (weights[threadIdx.x + 4] < 0) a[0] = 1; }
__global__ void behind_a_tile(int *a) {
    __shared__ int s[32];
    s[threadIdx.x + 4] = a[threadIdx.x];
    if (s[31 - threadIdx.x % 16] < 0) a[0] = 1;
}
__global__ void same(int *a) { a[0] = 1; }
__global__ void columns(int *a) {
    __shared__ volatile int s[1024];
    s[32 * threadIdx.x] = 1;
    a[threadIdx.x] = s[32 * threadIdx.x];
}
__global__ void outside(int *a) { a[threadIdx.x + 1000000] = 1; }
__global__ void divides(int *a) { a[0] = a[1] / a[0]; }
__global__ void spins() { while (true) asm volatile(""); }
__global__ void asserts(int *a) { assert(a[0] == 7); }
__global__ void exits(int *a) { exit(a[0]); }
__global__ void throws(int *a) { if (a[0] == 0) throw 1; }
__global__ void clears(int *a) { memset(a + 32 * threadIdx.x, 0, 128); }
__global__ void loops(int *a) { for (int i = 0; i < 32; i++) a[i + 32 * threadIdx.x] = 0; }
__global__ void large(int *a) {
    __shared__ volatile int s[12288];
    s[a[threadIdx.x]] = 1;
    a[threadIdx.x] = s[a[threadIdx.x]];
}
__global__ void twice(int *a) { a[threadIdx.x] = 1; }
__global__ void twice(float *a) { a[threadIdx.x] = 1; }
__global__ void prints(int *a) { if (threadIdx.x == 0) printf("hello %d\\n", a[0]); }
__global__ void defined(int *a) { a[threadIdx.x] = VALUE; }
"""
LATER = """
extern "C" void *__tsan_memcpy(void *, const void *, size_t);
extern "C" void *__tsan_memmove(void *, const void *, size_t);
extern "C" void *__tsan_memset(void *, int, size_t);
__global__ void copies(int *a) { memcpy(a + 16 * threadIdx.x, a + 512 + 16 * threadIdx.x, 64); }
__global__ void moves(int *a) { memmove(a + 16 * threadIdx.x, a + 512 + 16 * threadIdx.x, 64); }
__global__ void fills(int *a) { memset(a + 32 * threadIdx.x, 0, 128); }
__global__ void later_copies(int *a) { __tsan_memcpy(a + 16 * threadIdx.x, a + 512 + 16 * threadIdx.x, 64); }
__global__ void later_moves(int *a) { __tsan_memmove(a + 16 * threadIdx.x, a + 512 + 16 * threadIdx.x, 64); }
__global__ void later_fills(int *a) { __tsan_memset(a + 32 * threadIdx.x, 0, 128); }
"""

NEIGHBOURS = """
__device__ int g1[32], g2[32];
static __device__ int g3[32], g4[32];
__constant__ int c1[32], c2[32];
__global__ void first(int *a) { g1[a[0] + 32] = g2[a[1]]; }
__global__ void second(int *a) { g2[a[0] + 32] = g1[a[1]]; }
__global__ void third(int *a) { g3[a[0] + 32] = g4[a[1]]; }
__global__ void fourth(int *a) { g4[a[0] + 32] = g3[a[1]]; }
__global__ void constant(int *a) { a[0] = c1[a[0] + 32] + c2[a[1]]; }
__global__ void constant2(int *a) { a[0] = c2[a[0] + 32] + c1[a[1]]; }
__global__ void tile(int *a) { __shared__ int s[32], t[32]; s[a[0]] = t[a[0]] = 0; a[0] = s[a[0]] + t[a[0] + 32]; }
template <int N> __global__ void tiles(int *a) {
    __shared__ int s[N], t[N];
    s[a[0]] = t[a[0]] = 0;
    a[0] = s[a[0] + N] + t[a[0]];
}
"""

MACROS = """
#define T float
#define K 4
#define N 3
#define Given 3
#define parameter 3
#define capacity 3
#include <cooperative_groups.h>
#include <cassert>
__global__ void out(int *a) {
    __shared__ int s[64 * mask];
    s[threadIdx.x] = bytes;
    assert(bytes == 17);
    cooperative_groups::this_thread_block().sync();
    a[threadIdx.x] = s[31 - threadIdx.x] + K;
}
__global__ void args(int *a) { a[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1); }
__global__ void riffle(int *a) { a[threadIdx.x] = max(a[threadIdx.x], 1); }
"""


class Lint(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))
        self.write("k.cu", KERNELS.replace("VALUE", "0"))

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def lint(self, kernel, *options, arguments=("int:2048:zero",), file="k.cu", **environment):
        """The finished command; it must have left nothing behind."""
        words = [word for argument in arguments for word in ("--arg", argument)]
        done = self.run_riffle("lint", file, "--kernel", kernel, "--block", 32, *words, *options,
                               env={**os.environ, "TMPDIR": self.path("tmp"), **environment})
        self.assertEqual(os.listdir(self.path("tmp")), [])
        return done

    def fails(self, status, pattern, *arguments, **options):
        done = self.lint(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_the_page_shows_what_is_printed(self):
        page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```text\n\$ riffle (lint .*)\n((?:.|\n)*?)```\n", page)
        self.assertGreater(len(blocks), 5)
        for words, shown in some(blocks):
            if "--for-all" in words and "clang++" not in COMPILERS:
                continue
            done = subprocess.run([RIFFLE, *shlex.split(words)], cwd=EXAMPLES, capture_output=True, text=True,
                                  check=False, timeout=120)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", shown), words)

    @program_alone
    def test_times_of_the_worked_example(self):
        for kernel, line, time in ("umm", 26, 9), ("dmm", 35, 7):
            done = subprocess.run([RIFFLE, "lint", "worked_example.cu", "--kernel", kernel, "--width", "4", "--latency", "5", "--shared-latency",
                                   "5", "--block", "8", "--arg", "int:8", "--arg", "int:16:index", "--json"], cwd=EXAMPLES,
                                  capture_output=True, text=True, check=True, timeout=120)
            self.assertEqual([row["time_units"] for row in json.loads(done.stdout)["rounds"] if row["line"] == line], [time], kernel)

    def test_exit_statuses(self):
        """strided asks for 8 times the fewest sectors, half for twice."""
        for kernel, what, found in some([("fine", "uncoalesced", 0), ("strided", "uncoalesced:7.9", 1), ("strided", "hazard", 0),
                                    ("half", "uncoalesced", 1), ("half", "uncoalesced:2", 0), ("outside", "hazard", 1),
                                    ("outside", "out-of-bounds", 1), ("outside", "race", 0), ("columns", "conflict:31", 1),
                                    ("columns", "conflict:32", 0), ("same", "same-value", 1), ("same", "hazard", 0)]):
            done = self.lint(kernel, "--fail-on", what)
            self.assertEqual((done.returncode, done.stderr), (found, ""), f"{kernel} {what}")
            self.assertIn("hazards:", done.stdout)

    def test_verdicts(self):
        """Wasteful accesses and others: cells of 16 bytes are many address groups and the fewest sectors."""
        for kernel, says, options in some([("strided", "uncoalesced, 32 sectors where 4 would do", []),
                                      ("half", "uncoalesced, 8 sectors where 4 would do", []),
                                      ("half", "coalesced", ["--threshold", 2]),
                                      ("columns", "32-way bank conflict", [])]):
            self.assertRegex(self.lint(kernel, *options).stdout, rf"%  {says}\n")

    def test_an_access_behind_an_array_does_not_end_the_kernel(self):
        done = self.lint("behind", "--json", arguments=("int:32:zero",))
        report = json.loads(done.stdout)
        self.assertEqual([(row["op"], row["warps"]) for row in report["rounds"]], [("read", 1)])
        self.assertEqual(([(one["kind"], one["count"]) for one in report["hazards"]], report["partial"]),
                         ([("out-of-bounds", 4)], False))
        self.assertTrue(json.loads(self.lint("outside", "--json").stdout)["partial"])
        self.assertIn("\npartial: ", self.lint("outside").stdout)

    @program_alone
    def test_an_access_to_the_gap_behind_a_variable_does_not_end_the_kernel(self):
        for kernel in some(("behind_a_variable", "behind_a_constant", "behind_a_tile")):
            for compiler in self.compilers():
                report = json.loads(self.lint(kernel, "--json", "--compiler", compiler, arguments=("int:32:zero",)).stdout)
                self.assertEqual(([one["count"] for one in report["hazards"] if one["kind"] == "out-of-bounds"],
                                  report["partial"]), ([4], False), f"{kernel} {compiler}")

    @program_alone
    def test_launch_bounds(self):
        self.write("k.cu", """constexpr int MOST = 16;
template <int N> __global__ void __launch_bounds__(N, 2) bounded(int *a) { a[threadIdx.x] = 1; }
__global__ void __launch_bounds__(2 * (MOST)) fits(int *a);
__launch_bounds__((MOST)) __global__ void few(int *a) { a[threadIdx.x] = 1; }
__global__ void fits(int *a) { a[threadIdx.x] = 1; }
""")
        for kernel, most in (("bounded<31>", 31), ("few", 16)):
            self.fails(1, f"kernel {kernel}: its __launch_bounds__ take {most} threads a block, and this one has 32", kernel)
        for kernel in ("bounded<32>", "fits"):
            self.assertEqual(self.lint(kernel).returncode, 0)

    @program_alone
    def test_constants_that_nothing_has_set(self):
        self.write("k.cu", """__constant__ float c[4], set[2] = {1, 2};
static __constant__ int n;
namespace inner { __constant__ int deep; }
__global__ void reads(int *a) {
    a[threadIdx.x] = (int)(c[2] + set[1]);
    for (int i = 0; i < n; i++) a[i] = 2;
    a[threadIdx.x] += inner::deep;
}
""")
        for compiler in self.compilers():
            report = json.loads(self.lint("reads", "--json", "--compiler", compiler).stdout)
            self.assertEqual([(one["kind"], one["line"]) for one in report["hazards"]],
                             [("uninitialized", 5), ("uninitialized", 6), ("uninitialized", 7)], compiler)
            self.assertIn("element 2 of c (constant memory), a __constant__ that nothing has set, so that it is zero; give it a value in the file, or by --constant to one "
                          "kernel", report["hazards"][0]["text"])

    @program_alone
    def test_components_of_a_structure_of_ones_own(self):
        """Nothing says that it is aligned, so nothing is made one."""
        self.write("k.cu", """struct pair { int x, y; };
__global__ void own(pair *a) { a[threadIdx.x].x = a[threadIdx.x].y = 1; }
__global__ void vector(int2 *a) { a[threadIdx.x].x = a[threadIdx.x].y = 1; }
__global__ void cast(int *a) { own((pair *)a); }
""")
        rows = json.loads(self.lint("cast", "--json").stdout)["rounds"]
        self.assertEqual([(row["requests"], row["merged"]) for row in rows], [(16, 0)])
        self.write("k.cu", "__global__ void vector(int2 *a) { a[threadIdx.x].x = a[threadIdx.x].y = 1; }\n")
        rows = json.loads(self.lint("vector", "--json", arguments=("int2:32",)).stdout)["rounds"]
        self.assertEqual([(row["requests"], row["merged"], row["cell_bytes"]) for row in rows], [(8, 2, 8)])
        self.assertIn("neighbours made one access of 8 bytes", self.lint("vector", arguments=("int2:32",)).stdout)

    @program_alone
    def test_a_race_names_both_lines(self):
        self.write("k.cu", "__global__ void races(int *a) {\n    a[threadIdx.x / 2] = threadIdx.x;\n    a[threadIdx.x + 64] = a[15 - threadIdx.x / 2];\n}\n")
        for compiler in self.compilers():
            report = json.loads(self.lint("races", "--json", "--compiler", compiler).stdout)
            pairs = {tuple(sorted([(one["line"], one["op"]), (one["other_line"], one["other_op"])]))
                     for one in report["hazards"] if one["kind"] == "race"}
            self.assertIn(((2, "write"), (2, "write")), pairs)
            self.assertIn(((2, "write"), (3, "read")), pairs)
            self.assertRegex(self.lint("races").stdout, r"k.cu:2 \(writes\) and k.cu:3 \(reads\): race in races: ")

    def test_a_name_that_would_tell_a_terminal_what_to_do(self):
        """Escaped in the table and beside the hazards; JSON has escapes of its own."""
        self.write("\x1b[31m.cu", KERNELS.replace("VALUE", "0"))
        for kernel, shown in [("strided", r"\nstrided  \\x1b\[31m\.cu:\d+ "),
                              ("outside", r"\n  \\x1b\[31m\.cu:\d+: out-of-bounds in outside")]:
            done = self.lint(kernel, file="\x1b[31m.cu")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^[ -~\n]*$")
            self.assertRegex(done.stdout, shown)
        named = json.loads(self.lint("strided", "--json", file="\x1b[31m.cu").stdout)
        self.assertEqual({row["file"] for row in named["rounds"]}, {"\x1b[31m.cu"})

    def test_json(self):
        done = self.lint("strided", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["width"], 32)

    def test_flags(self):
        self.write("k.cu", KERNELS + '#include "sizes.h"\n')
        self.write("sizes.h", "#include <deep.h>\n")
        os.mkdir(self.path("include"))
        self.write("include/deep.h", "")
        for flags in (["-I", "include", "-D", "VALUE=1"], ["--include=include", "--define", "VALUE=1", "-DTWO"]):
            done = self.lint("defined", *flags)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.fails(1, "^riffle: .*sizes.h:1: .*deep.h", "defined", "-DVALUE=1")
        line = KERNELS.split("\n").index("__global__ void defined(int *a) { a[threadIdx.x] = VALUE; }") + 1
        self.fails(1, f"^riffle: k.cu:{line}: .*VALUE", "defined", "-Iinclude")

    def test_what_a_kernel_prints_goes_to_stderr(self):
        done = self.lint("prints", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, "hello 0\n"))
        json.loads(done.stdout)

    def test_kernels_that_crash(self):
        for kernel, pattern in [("exits", "k.cu: the kernel ended the process, with status 0"),
                                ("throws", "k.cu: the kernel crashed: .*device code cannot throw"),
                                ("asserts", "k.cu: the kernel crashed: .*assert")]:
            if not os.environ.get("SANITIZED"):
                self.fails(1, pattern, kernel)

    @program_alone
    def test_clearing_is_seen(self):
        for compiler in self.compilers():
            for kernel, cells in (("clears", 8), ("loops", 32)):
                done = self.lint(kernel, "--json", "--compiler", compiler, arguments=("int:1024",))
                lines = json.loads(done.stdout)["rounds"]
                self.assertEqual([(line["op"], line["rounds"]) for line in lines], [("write", cells)], compiler)
                done = self.lint(kernel, "--fail-on", "hazard", "--compiler", compiler, arguments=("int:1000",))
                self.assertEqual(done.returncode, 1)

    @program_alone
    def test_copies_by_later_compilers(self):
        """clang calls copies by names of the sanitizer's from version 19 on: they are seen as others are."""
        self.write("k.cu", LATER)
        for compiler in self.compilers():
            for kernel in some(("copies", "moves", "fills")):
                plain, later = ([(line["op"], line["rounds"], line["cell_bytes"]) for line in json.loads(
                    self.lint(name, "--json", "--compiler", compiler, arguments=("int:1024",)).stdout)["rounds"]]
                                for name in (kernel, f"later_{kernel}"))
                self.assertEqual((later, len(later)), (plain, 1 if kernel == "fills" else 2), (compiler, kernel))
                done = self.lint(f"later_{kernel}", "--compiler", compiler, arguments=("int:1000",))
                self.assertIn("out-of-bounds", done.stdout, (compiler, kernel))

    @program_alone
    def test_neighbours_are_apart(self):
        self.write("k.cu", NEIGHBOURS)
        for compiler in self.compilers():
            for kernel in some(("first", "second", "third", "fourth", "constant", "constant2", "tile", "tiles<32>")):
                done = self.lint(kernel, "--compiler", compiler)
                self.assertRegex(done.stdout, r"out-of-bounds in .* element 32 of .*, which has 32 \(32 times\)\n", kernel)

    @program_alone
    def test_macros_of_the_users(self):
        self.write("k.cu", MACROS)
        for compiler in self.compilers():
            for kernel in some(("out", "args", "riffle")):
                done = self.lint(kernel, "-Dmask=3", "-D", "bytes=4", "-Dx_=1", "-DNDEBUG", "--fail-on", "hazard",
                                 "--compiler", compiler)
                self.assertEqual((done.returncode, done.stderr), (0, ""), kernel)

    def test_limits(self):
        self.fails(1, "'large': 49152 bytes of static and 200000 of dynamic shared memory", "large", "--shared", 200000)
        self.fails(1, "overloads cannot be told apart", "twice")

    def test_a_closed_output(self):
        done = subprocess.run(f"{shlex.quote(RIFFLE)} lint k.cu --kernel fine --block 1 --arg int:1 >&-", shell=True,
                              cwd=self.folder, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output: cannot be written", done.stderr)

    def test_a_kernel_without_end(self):
        started = time.monotonic()
        self.fails(1, "k.cu: not done after 3 seconds(, in the kernel spins)?; .*--timeout", "spins", "--timeout", 3, arguments=())
        self.assertLess(time.monotonic() - started, 30)

    def test_an_interrupt_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([RIFFLE, "lint", "k.cu", "--kernel", "spins", "--block", "32"], cwd=self.folder,
                                       env={**os.environ, "TMPDIR": self.path("tmp")}, stderr=subprocess.PIPE)
            while not os.listdir(self.path("tmp")):
                time.sleep(0.01)
            time.sleep(0.5)
            process.send_signal(number)
            self.assertEqual((process.wait(timeout=60), process.stderr.read()), (-number, b""))
            process.stderr.close()
            self.assertEqual(os.listdir(self.path("tmp")), [])

    @program_alone
    def test_what_is_not_supplied_is_named(self):
        for line, name in [("#include <cub/cub.cuh>\n#line 2\n__device__ cub::Sum sum;", "cub"),
                           ("__device__ void f() { __prof_trigger(1); }", "__prof_trigger"),
                           ("__device__ curandState s;", "curandState")]:
            self.write("k.cu", "\n" + line + "\n" + KERNELS.replace("VALUE", "0"))
            self.fails(1, f"^riffle: k.cu:2: {name}: the machine does not supply this part of CUDA\n$", "fine", CUDA_HOME=self.folder)
        self.write("k.cu", KERNELS.replace("VALUE", "0") + """__global__ void tensor(int *a) {
    asm("mov.u32 %0, %%laneid;\\n" "tcgen05.wait::ld.sync.aligned;" : "=r"(a[0]));
}
""")
        line = KERNELS.count("\n") + 2
        for compiler in self.compilers():
            self.fails(1, f"^riffle: inline PTX `tcgen05.wait::ld.sync.aligned` at k.cu:{line} is of Blackwell and later GPUs ", "tensor",
                       "--compiler", compiler)

    @program_alone
    def test_what_inline_ptx_lacks_is_named(self):
        for code, says in [("add.s32 %0, %1, %2;", "the statement has no operand %2"), ("add.s32 %0, %1, t;", "'t' is no register that the statement declares"),
                           ("add.s32 %0, , %1;", "an operand is missing between two commas")]:
            self.write("k.cu", f'__global__ void k(int *a) {{\n    int x;\n    asm("{code}" : "=r"(x) : "r"(1));\n    a[0] = x;\n}}\n')
            for compiler in self.compilers():
                self.fails(1, f"^riffle: k.cu:3: inline PTX: {says}\n$", "k", "--compiler", compiler)

    @program_alone
    def test_host_code_is_not_compiled(self):
        """Nor what would be a library's; what a kernel may call is."""
        self.write("k.cu", """#include <thrust/device_vector.h>
#include <cudnn.h>
__host__ __device__ int twice(int x) { return 2 * x; }
__global__ void k(int *a) { a[threadIdx.x] = twice(3); }
namespace host {
struct work {
    static void all(int *a) noexcept { nothing_of_the_kind(a); k<<<1, 1>>>(a, "}"); }
};
}
int main(int argc, char **argv) {
    thrust::device_vector<int> v(5);
    unknown(v) + '{';
}
__global__ void after(int *a) { a[threadIdx.x] = 1; }
""")
        for kernel, line in (("k", 4), ("after", 14)):
            report = json.loads(self.lint(kernel, "--json", arguments=("int:32",)).stdout)
            self.assertEqual([(row["line"], row["requests"]) for row in report["rounds"]], [(line, 4)])

    def test_structures_and_constants(self):
        """By value, fields named; what does not fit is said in the compiler's words or riffle's."""
        self.write("k.cu", """struct Inner { float2 at; int w[3]; };
enum Mode { SLOW, FAST };
struct Params { int n; float scale; Inner in; const float *data; float *next; Mode mode; };
__constant__ float weights[2][4];
__constant__ int limit;
namespace deep { __constant__ Inner inner; static __constant__ int table[8]; }
struct Plus { __device__ float operator()(float a, float b) const { return a + b; } };
template <class Op> __global__ void apply(Params p, float *out, Op op, unsigned char flag, float *none) {
    const unsigned t = threadIdx.x;
    if (none == nullptr && t < limit && p.next == nullptr && p.mode == FAST && p.n == 1 << 10 && p.in.w[2] == -7)
        out[t] = op(p.data[t] * p.scale, weights[1][t % 4]) + deep::table[t % 8] + deep::inner.at.y + p.in.at.x;
    if (out[t] != 0.5f * t + 4 + t % 4 + 1 + t % 8 + 1.5f + 2 + flag - 3) out[31 + t] = 0;
}
""")
        params = "Params={n=2^10,scale=0.5f,in.at.x=2,in.w[2]=-7,data=float:32:index,next=null,mode=FAST}"
        inner = "deep::inner={at.y=1.5}"

        def words(first=params, constant=inner, table="deep::table=1,2,3,4,5,6,7,8"):
            arguments = (first, "float:32", "Plus={}", "uchar=3", "float:null")
            constants = ("weights=float:8:index", "limit=32", constant, table)
            return {"arguments": arguments}, [word for one in constants for word in ("--constant", one)]

        for compiler in self.compilers():
            arguments, constants = words()
            report = json.loads(self.lint("apply<Plus>", "--json", "--compiler", compiler, *constants, **arguments).stdout)
            self.assertEqual(report["hazards"], [])
            self.assertIn("argument 1.data", {row["array"] for row in report["rounds"]})
        for status, given, says in some([
                (1, {"first": "Params={m=3}"}, "kernel 'apply<Plus>': .*has no member named 'm'"),
                (1, {"first": "Params={data=int:3}"}, "kernel 'apply<Plus>': cannot convert 'int\\*' to 'const float\\*'"),
                (1, {"first": "Inner={}"}, "argument 1, 'Inner={}': the kernel's parameter is 'Params'; give that type"),
                (1, {"table": "deep::table=1,2,3,4,5,6,7,8,9"}, "more values than the constant has"),
                (1, {"table": "deep::table=1,2.5"}, "2.5 does not fit deep::table"),
                (1, {"first": "Params={in.w[3]=1}"}, "in.w\\[3\\] is not there"),
                (1, {"first": "Params={data[1]=1}"}, "data\\[1\\] is not there"),
                (1, {"first": "Params={n=4294967297}"}, "4294967297 does not fit n"),
                (1, {"first": "Params={n=1e30}"}, "kernel 'apply<Plus>': 1e30 does not fit n"),
                (1, {"first": "Params={scale=1e60}"}, "1e60 does not fit scale"),
                (1, {"constant": "deep::inner=null"}, "constant 'deep::inner': its type takes no null; a structure is written deep::inner={FIELD=VALUE"),
                (1, {"constant": "unknown=1"}, "'unknown' was not declared"),
                (2, {"first": "Params={n=3;system(0)}"}, "argument 1: '3;system\\(0\\)' is no value; write a number"),
                (2, {"first": "Params={n=3,scale=1,n=4}"}, "argument 1: 'n' is set twice; leave one out"),
                (2, {"first": "Params={n=3"}, "argument 1, 'Params={n=3': no '}' at the end; write Params={n=128}, in quotes"),
                (2, {"constant": "deep::inner={at.x=3"}, "constant 'deep::inner': no '}' at the end; write p={n=4}, in quotes"),
                (2, {"constant": "limit=3"}, "constant 'limit' is given twice; leave one out"),
                (2, {"first": "Params={n}"}, "argument 1: 'n' is no FIELD=VALUE; write n=128"),
                (2, {"first": "Pa(ms={}"}, "argument 1, 'Pa\\(ms={}': a character before the '=' is in no type's name"),
                (2, {"constant": "limit=x+1"}, "constant 'limit': 'x\\+1' is no value"),
                (2, {"constant": "limit="}, "constant 'limit': no value; write limit=0"),
                (2, {"constant": "+=1"}, "constant '\\+=1': no NAME=VALUE; write weights=1,2,3")]):
            arguments, constants = words(**given)
            if status == 2 or COMPILERS[0] == "g++":
                self.fails(status, says, "apply<Plus>", *constants, **arguments)

    @program_alone
    def test_what_a_kernel_has_deleted(self):
        self.write("k.cu", "__global__ void k(int *a) {\n    volatile int *p = new int[4];\n    p[0] = 1;\n    delete[] p;\n    a[threadIdx.x] = p[0];\n}\n")
        for compiler in self.compilers():
            done = self.lint("k", "--compiler", compiler, "--fail-on", "out-of-bounds")
            self.assertEqual(done.returncode, 1)
            self.assertIn("k.cu:5: out-of-bounds in k: thread (0,0,0) of block (0,0,0) reads element 0 of the kernel's heap, which has been "
                          "deleted (32 times)\n", done.stdout)

    def test_files_and_compilers(self):
        for name, what in (("line\nend.cu", "line's end"), ('quo"te.cu', "quote"), ("back\\slash.cu", "backslash")):
            self.write(name, KERNELS)
            self.fails(1, f"a {what} in a file's name is more than a compiler takes; rename it", "fine", file=name)
        self.fails(1, "none.cu: .*No such file", "fine", file="none.cu")
        self.fails(1, "'no-such-compiler' cannot be started", "fine", "--compiler", "no-such-compiler")
        os.mkdir(self.path("folder.cu"))
        self.fails(1, "^riffle: folder.cu is a folder, not a file\n$", "fine", file="folder.cu")
        os.mkfifo(self.path("pipe.cu"))
        self.fails(1, "^riffle: pipe.cu is a pipe, and is read more than once; ", "fine", file="pipe.cu")
        self.write("k.cu", "int f() { return }\n")
        self.fails(1, "^riffle: k.cu:1: ", "fine")

    def test_wrong_arguments_are_the_command_lines_fault(self):
        for argument, says in (("flot:12", "unknown type"), ("float:x", "no length"), ("float:12:some", "unknown filling"), ("float", "neither TYPE"),
                               ("int=x", "no whole number"), ("int=1e30", "no whole number that the type holds; write one in decimal"),
                               ("float=1e60", "no number that the type holds"), ("bool=2", "neither true nor false"), ("int2=1", "no values of that type")):
            self.fails(2, f"^riffle: argument 1, '{argument}': {says}", "fine", arguments=[argument])
        self.fails(1, "argument 1, 'float:4': the kernel's parameter is 'int", "fine", arguments=["float:4"])
        self.fails(1, "has 1 parameter, but 0 arguments are given", "fine", arguments=[])
        self.fails(1, "kernel 'fime': .*fime", "fime")


class WrongCommandLine(CommandTest):
    def refuses(self, pattern, *arguments):
        done = self.run_riffle("lint", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_options(self):
        right = ["k.cu", "--kernel", "k", "--block", "32"]
        self.refuses("lint: no file given; usage: riffle lint FILE.cu... ", *right[1:])
        self.refuses("lint: file name 2 of 2 is empty; write a name", "k.cu", "", *right[1:])
        self.refuses("no kernel given; say which with --kernel", "k.cu", "--block", "32")
        for sides in ("", ",", "1,", "1,,2", "1,2,3,4", "x", "0", "1,0"):
            self.refuses("option --grid: ", *right, "--grid", sides)
        self.refuses("option --width: '33' is no number from 1 to 32", *right, "--width", 33)
        self.refuses("option --fail-on: choice 'hasard': unknown; did you mean 'hazard'", *right, "--fail-on", "hasard")
        self.refuses("option --fail-on: 'race:2': only uncoalesced and conflict have a ratio", *right, "--fail-on", "race:2")
        for ratio in ("", "x", "0.5", "-2", "1e9", "nan"):
            self.refuses("option --fail-on: '.*' is no number from 1 to 1000", *right, "--fail-on", "conflict:" + ratio)
            self.refuses("option --threshold: '.*' is no number from 1 to 1000", *right, "--threshold", ratio)
        self.refuses("option --grid: given twice", *right, "--grid", 1, "--grid", 1)
        self.refuses("option --compiler: '' is no name", *right, "--compiler", "")
        self.refuses("option -x: unknown", *right, "-x")
        self.refuses("option --latencey: unknown|'--latencey': unknown; did you mean '--latency'", *right, "--latencey=3")


if __name__ == "__main__":
    main()
