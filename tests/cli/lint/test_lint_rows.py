# SPDX-License-Identifier: Apache-2.0
"""riffle lint: whose accesses a row has (array, caller, lanes), in which order rows stand, and what would mend them."""
import json
import re

from command import CommandTest, main

KERNELS = """__device__ float at(const float *a, int i) {
    return a[i];
}
__device__ __noinline__ float far_at(const float *a, int i) {
    return at(a, i) + 1;
}
__global__ void helpers(float *out, const float *one, const float *two) {
    int t = threadIdx.x;
    float s = at(one, t);
    s += at(two, 2 * t);
    s += far_at(one, 8 * t);
    s += far_at(two, t);
    out[t] = s;
}
__global__ void half(float *out) {
    if (threadIdx.x < 16) out[threadIdx.x] = 1;
}
__global__ void in_rows(float *out, const float *m, int n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += m[threadIdx.x * n + k];
    out[threadIdx.x] = s;
}
__global__ void structures(float *out, const float *p) { out[threadIdx.x] = p[4 * threadIdx.x]; }
__global__ void shifted(char *out, const char *in) { out[threadIdx.x] = in[threadIdx.x + 7]; }
__global__ void scattered(int *out, const int *where) { out[8 * where[threadIdx.x]] = 1; }
__global__ void one_place(int *out) { atomicAdd(out, 1); }
template <int ROW, int STEP> __global__ void column(float *out) {
    __shared__ float tile[8][ROW];
    for (int k = threadIdx.x; k < 8 * ROW; k += 32) (&tile[0][0])[k] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 8][threadIdx.x / 8 * STEP];
}
__global__ void column_of_bytes(char *out) {
    __shared__ char tile[32][128];
    for (int k = threadIdx.x; k < 4096; k += 32) (&tile[0][0])[k] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][0];
}
__global__ void edge(int *out, const int *in) {
    int s = 0;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            if (i + (int)threadIdx.x / 16 * 3 >= 3) s += in[8 * (7 * i + j)];
    out[threadIdx.x] = s;
}
extern __shared__ int piece[];
__global__ void dynamic(int *out) {
    piece[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) piece[-1] = 0;
    out[threadIdx.x] = piece[31 - threadIdx.x];
}
__global__ void several_readers(int *out) {
    __shared__ int word;
    if (threadIdx.x == 0) word = 1;
    __syncthreads();
    if (threadIdx.x < 3) out[threadIdx.x] = word;
    if (threadIdx.x == 2) word = 2;
}
__device__ float which[2][32];
__global__ void two_arrays(float *out, const float *in) {
    const float *from = threadIdx.x < 16 ? in : which[1];
    out[threadIdx.x] = from[threadIdx.x];
}
"""

ARGUMENTS = {"helpers": ["float:32", "float:256:zero", "float:64:zero"], "in_rows": ["float:32", "float:1024:zero", "int=32"],
             "structures": ["float:32", "float:128:zero"], "shifted": ["char:32", "char:64:zero"],
             "scattered": ["int:256", "int:32:permutation"], "one_place": ["int:1:zero"], "column_of_bytes": ["char:32"],
             "edge": ["int:32", "int:392:zero"], "dynamic": ["int:32"], "several_readers": ["int:32"],
             "two_arrays": ["float:32", "float:32:zero"]}


class Rows(CommandTest):
    def setUp(self):
        super().setUp()
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(KERNELS)

    def lint(self, kernel, *options):
        words = [word for argument in ARGUMENTS.get(kernel, ["float:32"]) for word in ("--arg", argument)]
        done = self.run_riffle("lint", "k.cu", "--kernel", kernel, "--block", 32, *words, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def rows(self, kernel, *options):
        return json.loads(self.lint(kernel, "--json", *options))["rounds"]

    def test_lanes_without_an_access_keep_step_in_both_loops(self):
        """Half of the lanes turn the outer loop three times before they read: then all read the same place, one sector."""
        for compiler in self.compilers():
            read = next(row for row in self.rows("edge", "--compiler", compiler) if row["op"] == "read")
            self.assertEqual((read["warps"], read["requests"], read["lanes"]), (49, 49, 16 * 49 + 16 * 28), compiler)

    def test_a_kernel_of_a_thousand_branches(self):
        """Its blocks are put in order on the thread's own stack, which is small."""
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write("#define A(k) if (n & (1 << (k) % 31)) out[threadIdx.x] += k;\n"
                       "#define B(k) A(k) A(k + 1) A(k + 2) A(k + 3) A(k + 4) A(k + 5) A(k + 6) A(k + 7)\n"
                       "#define C(k) B(k) B(k + 8) B(k + 16) B(k + 24) B(k + 32) B(k + 40) B(k + 48) B(k + 56)\n"
                       "#define D(k) C(k) C(k + 64) C(k + 128) C(k + 192)\n"
                       "__global__ void many(int *out, int n) {\n  out[threadIdx.x] = 0;\n  D(0) D(256) D(512) D(768) D(1024) D(1280)\n}\n")
        rows = json.loads(self.run_riffle("lint", "k.cu", "--kernel", "many", "--block", 32, "--arg", "int:32", "--arg",
                                          "int=2147483647", "--json").stdout)["rounds"]
        self.assertEqual(sorted((row["line"], row["op"], row["warps"]) for row in rows),
                         [(6, "write", 1), (7, "read", 1534), (7, "write", 1535)])

    def test_a_row_for_each_array_and_call(self):
        """A helper's accesses stand apart by who called it, inlined or not, and by what it was given."""
        for compiler in self.compilers():
            rows = self.rows("helpers", "--compiler", compiler)
            self.assertEqual(sorted((row["line"], row["called_from"], row["array"], row["requests"], row["lanes"]) for row in rows),
                             [(2, "k.cu:10", "argument 3", 8, 32), (2, "k.cu:5 < k.cu:11", "argument 2", 32, 32),
                              (2, "k.cu:5 < k.cu:12", "argument 3", 4, 32), (2, "k.cu:9", "argument 2", 4, 32),
                              (13, "", "argument 1", 4, 32)], compiler)
            self.assertEqual([(row["warps"], row["lanes"]) for row in self.rows("half", "--compiler", compiler)], [(1, 16)])

    def test_programs(self):
        """The launch is no caller, and arrays have the names of the parameters that lead to them; others are numbered."""
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write("""namespace n {
template <int K> __device__ void put(float *a, int i) { a[K * i] = 1; }
template <int K>
__global__ void __launch_bounds__(64) twice(float *__restrict__ a, const float *b) { put<K>(a, threadIdx.x); a[threadIdx.x] = b[threadIdx.x]; }
struct both { float *c[2]; };
__global__ void within(both s) { s.c[1][threadIdx.x] = 2; }
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    cudaMemset(a, 0, 4096);
    cudaMemset(b, 0, 4096);
    n::twice<2><<<1, 32>>>(a, b);
    n::twice<2><<<1, 32>>>(b, a + 512);
    n::within<<<1, 32>>>(n::both{{a, b}});
}
""")
        for compiler in self.compilers():
            done = self.run_riffle("lint", "p.cu", "--json", "--compiler", compiler)
            rows = [(row["line"], row["called_from"], row["array"], row["requests"]) for row in json.loads(done.stdout)["rounds"]]
            self.assertEqual(sorted(rows), [(2, "p.cu:4", "a", 16), (4, "", "a", 8), (4, "", "b", 8), (6, "", "allocation 2", 4)],
                             compiler)

    def test_the_most_wasteful_first(self):
        lines = self.lint("helpers").splitlines()
        self.assertRegex(lines[1], r"^helpers  k.cu:2 < k.cu:5 < k.cu:11 .*  87.5%  uncoalesced, 32 sectors")
        self.assertRegex(lines[2], r"^helpers  k.cu:2 < k.cu:10 .*  12.5%  uncoalesced, 8 sectors")
        self.assertEqual(sorted(round(row["share"], 3) for row in self.rows("helpers")), [0, 0, 0, 0.125, 0.875])

    def test_nothing_is_wasted_where_the_verdict_is_good(self):
        """A sector more than the fewest, below the threshold, is no waste; the shares of the others are one in all."""
        report = json.loads(self.lint("shifted", "--json"))
        self.assertEqual([(row["op"], row["requests"] - row["ideal_requests"], row["share"]) for row in report["rounds"]],
                         [("read", 1, 1), ("write", 0, 0)])
        report = json.loads(self.lint("shifted", "--json", "--threshold", 2))
        self.assertEqual({(row["verdict"], row["share"]) for row in report["rounds"]}, {("coalesced", 0)})

    def test_the_name_of_dynamic_shared_memory(self):
        for compiler in self.compilers():
            report = json.loads(self.lint("dynamic", "--shared", 128, "--json", "--compiler", compiler))
            self.assertEqual({row["array"] for row in report["rounds"]}, {"piece (dynamic shared memory)", "argument 1"})
            self.assertEqual([(one["kind"], one["count"]) for one in report["hazards"]], [("out-of-bounds", 1)])
            self.assertIn("writes element -1 of piece (dynamic shared memory), which has 32", report["hazards"][0]["text"])
            self.assertFalse(report["partial"])

    def test_a_race_with_several_readers_names_their_line(self):
        """The writer is the last one that read; the others read before it."""
        line = next(k for k, text in enumerate(KERNELS.split("\n"), start=1) if text.endswith("= word;"))
        for compiler in self.compilers():
            report = json.loads(self.lint("several_readers", "--json", "--compiler", compiler))
            self.assertEqual([(one["kind"], one["line"]) for one in report["hazards"]], [("race", line + 1)])
            self.assertIn(f"which another thread has read at k.cu:{line}", report["hazards"][0]["text"])

    def test_lanes_of_one_access_in_several_arrays(self):
        """They are one access all the same."""
        rows = [row for row in self.rows("two_arrays") if row["op"] == "read" and row["space"] == "global"]
        self.assertEqual([(row["array"], row["warps"], row["lanes"]) for row in rows], [("several arrays", 1, 32)])

    def advice(self, kernel):
        found = [row["advice"] for row in self.rows(kernel) if "advice" in row]
        self.assertEqual(len(found), 1, found)
        self.assertIn(found[0], self.lint(kernel))
        return found[0]

    def test_advice(self):
        """Advice has been tried: its figures are those of the accesses as they would be."""
        for kernel, says in [
                ("in_rows", "read 128 bytes apart; each goes through its own bytes in turn: swap the loops, or stage through "
                            "shared memory (tried on 32 accesses in a row: sectors 128 in place of 1024)"),
                ("structures", "read 16 bytes apart; have consecutive threads take consecutive elements, or keep what they "
                               "take side by side (tried on 1 of 1 accesses: sectors 4 in place of 16)"),
                ("shifted", "read consecutive elements, from byte 7 of a sector; begin at a multiple of 32 bytes (tried on 1 "
                            "of 1 accesses: sectors 1 in place of 2)"),
                ("one_place", "update the same places; add up in the warp before (tried on 1 of 1 accesses: sectors 1 in "
                              "place of 32)"),
                ("column<32, 8>", "without a constant distance; leave 1 element of tile free behind every 32 (tried on 1 of 1 "
                               "accesses: wavefronts 1 in place of 8)")]:
            self.assertIn(says, self.advice(kernel))

    def test_what_does_not_help_is_not_said(self):
        """A byte more in each row leaves four rows to a bank still, and a column of two numbers two to each; a permutation has nothing to swap."""
        for kernel in "column_of_bytes", "column<32, 1>", "scattered":
            self.assertNotIn(";", self.advice(kernel))

    def test_the_worst_access(self):
        worst = [row["worst"] for row in self.rows("structures") if "worst" in row]
        self.assertEqual(worst, [{"bytes": 4, "lanes": list(range(32)), "offsets": [16 * k for k in range(32)]}])


if __name__ == "__main__":
    main()
