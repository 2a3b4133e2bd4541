# SPDX-License-Identifier: Apache-2.0
"""riffle lint --for-all: verdicts that are known, and what the machine counts where it runs the same kernels."""
import json
import random
import re
import shutil
import unittest

from command import SEED, CommandTest, main, program_alone

KERNELS = """
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];                                       // x coalesced, y coalesced
}
__global__ void spread(int stride, float *y) { y[threadIdx.x * stride] = 1; }       // y uncoalesced stride
__global__ void turned(float *out, const float *in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = in[y * n + x];                                   // out uncoalesced n, in coalesced
}
__global__ void tiled(float *out, const float *in, int n) {
    __shared__ float plain[32][32], padded[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        plain[threadIdx.y + j][threadIdx.x] = 0;                      // plain conflict-free
        padded[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];   // padded conflict-free, in coalesced
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        out[(x + j) * n + y] = plain[threadIdx.x][threadIdx.y + j] +  // plain 32-way, out uncoalesced n
                               padded[threadIdx.x][threadIdx.y + j];  // padded conflict-free
}
__global__ void reduce(float *sums) {
    __shared__ float part[256];
    unsigned t = threadIdx.x;
    for (unsigned s = 1; s < 256; s *= 2) {
        if (2 * s * t < 256) part[2 * s * t] += s;                    // part 8-way
        __syncthreads();
    }
    for (unsigned s = 128; s > 0; s /= 2) {
        if (t < s) part[t + s] = 0;                                   // part conflict-free
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = 0;                                 // sums coalesced
}
__global__ void histogram(unsigned *bins, const unsigned char *in, size_t n) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1);                                   // bins not, in coalesced
}
__global__ void lanes(float *out, const float2 *pairs, int n) {
    int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    out[warp * n + lane] = 1;                                         // out coalesced
    out[threadIdx.x ^ 1] = 2;                                         // out coalesced
    out[lane * 32 + warp] = 3;                                        // out uncoalesced, always
    out[threadIdx.x / n] = 4;                                         // out not
    out[threadIdx.x + 5] = pairs[threadIdx.x].y;                      // out coalesced, pairs uncoalesced
}
__global__ void nested(float *c, const float *a, const float *b, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] *                                       // a coalesced
               b[k * n + col];                                        // b coalesced
    for (int k = 0; k < n; k++)
        for (int l = 0; l < k; l++) c[(k * n + l) * n + col] = sum;   // c coalesced
    const float *p = a + col;
    for (int k = 0; k < n; k++, p += n) sum += *p;                    // a coalesced
    c[row * n + col] = sum;                                           // c coalesced
    c[row > 5 ? col : 2 * col] = sum;                                 // c not
}
template <int T> __global__ void scaled(float *y) { y[T * threadIdx.x] = 1; }        // y uncoalesced, always
template __global__ void scaled<3>(float *);
__device__ float sink;
__device__ __noinline__ void poke(float *p) { *p = sink; }
__global__ void far(float *p) { poke(p + 32 * threadIdx.x); }
"""


def bound(claim):
    """The values of an example."""
    return {name: int(value) for name, value in re.findall(r"([\w.]+) = (\d+)", claim["example"])}


@unittest.skipUnless(shutil.which("clang++"), "LLVM's text is clang's")
class ForAll(CommandTest):
    def write(self, text):
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(text)

    def lint(self, *options, status=0):
        done = self.run_riffle("lint", "k.cu", *options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def claims(self, text, *options):
        self.write(text)
        return json.loads(self.lint("--for-all", "--json", *options).stdout)

    def test_known(self):
        document = self.claims(KERNELS)
        of_line = {}
        for claim in document["claims"]:
            of_line.setdefault((claim["line"], claim["array"]), []).append(claim["claim"])
        expected = 0
        for number, line in enumerate(KERNELS.splitlines(), 1):
            for array, words in re.findall(r"(\w+) ([^,]+(?:, always)?)(?:, |$)", line.partition("// ")[2]):
                expected += 1
                with self.subTest(line=line.strip(), array=array):
                    for word in words.split():
                        self.assertTrue(any(word in said for said in of_line.get((number, array), [])), of_line.get((number, array)))
        self.assertEqual(expected, 29)
        self.assertEqual(document["kernels"], 10)
        self.assertEqual([(one["kernel"], one["function"]) for one in document["calls"]], [("far", "_Z4pokePf")])
        self.assertEqual(sum(document[verdict] for verdict in ("proved", "refuted", "not-affine", "open")), len(document["claims"]))

    @program_alone
    def test_examples_are_counted(self):
        """The machine counts what an example says where it is run with its numbers."""
        for name, size in (("spread", "stride"), ("turned", "n")):
            claim, = [one for one in self.claims(KERNELS, "--kernel", name)["claims"] if one["verdict"] == "refuted"]
            value = bound(claim)[size]
            arguments = {"spread": [f"int={value}", "float:100000"], "turned": ["float:100000", "float:100000:zero", f"int={value}"]}[name]
            report = json.loads(self.lint("--kernel", name, "--block", "32", "--json",
                                                *(word for one in arguments for word in ("--arg", one))).stdout)
            row, = [one for one in report["rounds"] if one["line"] == claim["line"] and one["op"] == "write"]
            self.assertEqual(row["requests"] / row["warps"], claim["requests"])

    def test_random(self):
        """Random affine kernels: costs of a warp are those that the machine counts, whatever the block."""
        chance = random.Random(SEED)
        for block in ((32, 1, 1), (chance.choice((8, 16, 20, 64)), chance.choice((2, 3, 4)), chance.choice((1, 2)))):
            lines, arguments, sinks = [], [], []
            for k in range(12):
                kind = chance.choice(("char", "short", "float", "double", "float4")[:4 + (k + 1) % 2])
                x, y, z, one = (chance.choice((0, 1, 2, 3, 4, 5, 8, 31, 32, 33)) for _ in range(4))
                index = f"{x} * threadIdx.x + {y} * threadIdx.y + {z} * threadIdx.z + {one}"
                if k % 2:
                    lines.append(f"__shared__ {kind} s{k}[2400]; if (blockIdx.y) s{k}[1] = {kind}(); v{k} = s{k}[{index}];")
                    sinks.append(f"__device__ {kind} v{k};")
                else:
                    lines.append(f"p{k}[{index} + 256 * blockIdx.x] = {kind}();")
                    arguments.append((f"{kind} *p{k}", f"{kind}:20000"))
            text = " ".join(sinks) + f"\n__global__ void k({', '.join(one for one, _ in arguments)}) {{\n" + "\n".join(lines) + "\n}\n"
            sides = ",".join(map(str, block))
            claims = {(one["line"], one["space"], one["op"], one["array"][0] == "v"): one
                      for one in self.claims(text, "--block", sides)["claims"]}
            report = json.loads(self.lint("--kernel", "k", "--block", sides, "--grid", "3", "--json",
                                                *(word for _, one in arguments for word in ("--arg", one))).stdout)
            self.assertEqual(len(report["rounds"]), len(lines) + len(sinks))
            for row in report["rounds"]:
                claim = claims[row["line"], row["space"], row["op"], row["array"][0] == "v"]
                with self.subTest(seed=SEED, block=block, line=text.splitlines()[row["line"] - 1]):
                    self.assertIn(claim["verdict"], ("proved", "refuted"))
                    if claim["verdict"] == "proved":
                        self.assertLessEqual(row["requests"], 1.25 * row["ideal_requests"])
                    if claim["always"]:
                        self.assertGreater(row["requests"], 1.25 * row["ideal_requests"])
                    if block == (32, 1, 1):
                        self.assertEqual(row["requests"], claim["requests"] * row["warps"])
                        self.assertEqual(row["ideal_requests"], claim["ideal_requests"] * row["warps"])

    def test_printed(self):
        self.write(KERNELS)
        done = self.lint("--for-all", "--kernel", "tiled", "--sarif", "out.sarif")
        self.assertRegex(done.stdout, r"tiled +k.cu:\d+ +shared +read +plain +32-way bank conflict, always +out of bounds +8\*turn@19 \+ 32\*threadIdx.x \+ threadIdx.y")
        self.assertIn("for all: all blocks whose x is a multiple of 32", done.stdout)
        self.assertRegex(done.stdout, r"kernels: 1\naccesses: 6; proved 4, refuted 2, not affine 0, not decided 0")
        with open(self.path("out.sarif"), encoding="utf-8") as file:
            results = json.load(file)["runs"][0]["results"]
        self.assertEqual(sorted(one["ruleId"] for one in results), ["conflict", *4 * ["out-of-bounds"], "uncoalesced"])
        self.assertIn("calls _Z4pokePf", self.lint("--for-all", "--kernel", "far").stdout)

    def test_moved_accesses_have_a_line(self):
        """Which the compiler takes from them where it moves or joins them: a load is where its value is taken, a store at its branch or kernel."""
        text = """__global__ void k(char *__restrict__ y, const char *__restrict__ x, char *z, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    for (int l = 0; l < n; l++) y[l + i] = x[j] + l;
    if (i <= m) for (int l = 0; l < n; l++) z[l * m] = 2;
    if (i <= m) for (int l = 0; l < 3; l++) z[l > 2 ? l : j] = 1;
}
__global__ void joined(char *y, int c) {
    if (c)
        y[threadIdx.x] = 1;
    else
        y[threadIdx.x] = 2;
}
"""
        expected = {(3, "k.cu", "x", "read"), (5, "k.cu", "z", "write"), (7, "k.cu", "y", "write")}
        found = {(one["line"], one["file"], one["array"], one["op"]) for one in self.claims(text)["claims"]}
        self.assertEqual(found & expected, expected)
        self.assertFalse([one for one in found if one[0] == 0 or one[1] != "k.cu"])

    def test_turns_have_their_loop(self):
        """Also where the loop's own block has no line, since its body is under a guard."""
        for guard in ("", "if (x < n && y + j < n) "):
            document = self.claims(f"""__global__ void moved(float *out, const float *in, int n) {{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        {guard}tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        {guard}out[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}}
""")
            turns = {claim["line"]: re.findall(r"turn@(\d+)", claim["index"]) for claim in document["claims"]}
            self.assertEqual(turns, {5: ["4"], 8: ["7"]}, guard)

    def test_judged(self):
        self.write(KERNELS)
        self.lint("--for-all", "--kernel", "saxpy", "--fail-on", "uncoalesced", "--fail-on", "conflict")
        self.lint("--for-all", "--kernel", "tiled", "--fail-on", "conflict", status=1)
        self.lint("--for-all", "--kernel", "reduce", "--fail-on", "uncoalesced")

    def test_examples_are_launches(self):
        """Warps, blocks and sizes of an example may be together in one: no second warp in a block of one, and 1,024 threads at most."""
        text = """__global__ void second(float *out) { if (threadIdx.x >= 32) out[threadIdx.x * blockDim.x] = 1; }
__global__ void high(float *out) { if (threadIdx.y > 0) out[blockDim.y * threadIdx.x] = 1; }
__global__ void behind(float *out) { if (blockIdx.x > 0) out[gridDim.x * threadIdx.x] = 1; }
__global__ void large(float *out) { out[(blockDim.x - 64) * (blockDim.y - 1) * (blockDim.z - 1) * threadIdx.x] = 1; }
"""
        examples = {one["kernel"]: dict(re.findall(r"([\w.]+(?:/32)?) = (\d+)", one["example"])) for one in self.claims(text)["claims"]}
        self.assertGreater(int(examples["second"]["blockDim.x/32"]), 1)
        self.assertGreater(int(examples["high"]["blockDim.y"]), 1)
        self.assertGreater(int(examples["behind"]["gridDim.x"]), 1)
        sides = examples["large"]
        self.assertLessEqual(32 * int(sides["blockDim.x/32"]) * int(sides["blockDim.y"]) * int(sides["blockDim.z"]), 1024)

    def test_what_is_not_decided_says_why(self):
        document = self.claims("""__global__ void k(float *out, int n) {
    out[threadIdx.x ^ n] = 1;
    if (threadIdx.x < 4) out[2 * threadIdx.x] = 1;
    for (int i = 1; i < n; i = i * i + 1) out[threadIdx.x * i] = 1;
}
""")
        found = {one["line"]: (one["verdict"], one.get("why")) for one in document["claims"]}
        self.assertEqual(found, {2: ("open", "a quotient, a remainder or bits are of more than numbers in each lane"),
                                 3: ("open", "all lanes together are wasteful, and those that are known to take part are not"),
                                 4: ("open", "lanes are apart by a number that the kernel works out")})
        printed = self.lint("--for-all").stdout
        self.assertIn("\nnot decided: k.cu:2, write of out: whether it is coalesced: a quotient, a remainder", printed)
        self.assertIn("for all: " + document["assumptions"] + "\n", printed)
        self.assertIn("blocks of 64 x 1 x 1 threads", self.claims(KERNELS, "--block", "64")["assumptions"])

    def test_refused(self):
        self.write(KERNELS)
        self.assertIn("is no NAME=EXPRESSION", self.lint("--for-all", "--length", "out=n=", status=2).stderr)
        for options, said in ((["--arg", "int=1"], "--arg says nothing"), (["--grid", "2"], "--grid says nothing"),
                              (["--html", "x.html"], "--html says nothing"), (["--fail-on", "race"], "takes uncoalesced, conflict and"),
                              (["--", "1"], "--for-all runs nothing")):
            self.assertIn(said, self.lint("--for-all", *options, status=2).stderr)
        self.assertIn("has no kernel 'other'", self.lint("--for-all", "--kernel", "other", status=1).stderr)
        self.write("__global__ void k(int *p) { p[threadIdx.x] = q; }\n")
        self.assertIn("k.cu:1", self.lint("--for-all", status=1).stderr)


if __name__ == "__main__":
    main()
