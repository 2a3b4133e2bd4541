# SPDX-License-Identifier: Apache-2.0
"""riffle lint --for-all, bounds: verdicts that are known, and the machine, which finds an access out of bounds at each example and none where
they are proved."""
import json
import random
import re
import shutil
import unittest

from command import SEED, CommandTest, main

# Behind an access: in, out or not decided.
KERNELS = """
__global__ void saxpy(int n, float a, const float *x1, float *y1) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y1[i] = a * x1[i];                                     // x1 in, y1 in
    if (i <= n) y1[i] = 0;                                            // y1 out
    if (i < n) y1[i + 1] = 0;                                         // y1 out
    if (i + 1 < n) y1[i + 1] = 0;                                     // y1 in
    if (i >= 2 && i < n) y1[i - 2] = 0;                               // y1 in
    if (i < n) y1[i - 1] = 0;                                         // y1 out
    for (int k = i; k < n; k += gridDim.x * blockDim.x) y1[k] = 1;    // y1 in
    if (i < n) y1[min(i + 1, n - 1)] = x1[max(i - 1, 0)];             // x1 in, y1 in
    if (i < n) ((char *)y1)[4 * i + 3] = 0;                           // y1 in
}
__global__ void wraps(unsigned n, float *y2) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) y2[i + 1] = 1;                                     // y2 out
    if (n > 0 && i < n - 1) y2[i + 1] = 2;                            // y2 in
    if (i - 1 < n) y2[i - 1] = 3;                                     // y2 in
    if (i < n) y2[(i - 1) / 2 + 1] = 4;                               // y2 out
    if (i < n) y2[(size_t)(i - 1) + 1] = 5;                           // y2 out
}
__global__ void stencil(const float *x3, float *y3, int w, int h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && j < h) y3[j * w + i] = 0;                            // y3 in
    if (i < w && j <= h) y3[j * w + i] = 1;                           // y3 out
    if (i < h && j < w) y3[j * w + i] = 2;                            // y3 out
    if (i < w * h) y3[i % w * h + i / w] = 3;                         // y3 in
    if (i < 1 || j < 1 || i >= w - 1 || j >= h - 1) return;
    y3[j * w + i] = x3[(j - 1) * w + i] + x3[(j + 1) * w + i + 1];    // x3 in, y3 in
    y3[j * w + i] = x3[(j + 1) * w + i + 2 * w];                      // x3 out, y3 in
}
__global__ void tiled(int n, float *y4) {
    __shared__ float tile[32][33];
    __builtin_assume(blockDim.x == 32 && blockDim.y == 8 && n == 32 * gridDim.x);
    int i = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = k;          // tile in
    for (int k = 0; k < 40; k += 8) tile[threadIdx.y + k][threadIdx.x] = 0;          // tile out
    __syncthreads();
    y4[n * (threadIdx.y + 32 * blockIdx.x) + i] = tile[threadIdx.x][i % 33];         // tile in, y4 in
}
__global__ void __launch_bounds__(256) bounded(unsigned char *in, size_t n, int *bins5) {
    __shared__ int part[256], few[255];
    part[threadIdx.x] = 0;                                            // part in
    few[threadIdx.x] = 0;                                             // few out
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2)
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];             // part in
    for (unsigned k = 1; k < 256; k *= 2)
        if (2 * k * threadIdx.x < 256) part[2 * k * threadIdx.x] += part[2 * k * threadIdx.x + k];       // part in
    for (size_t k = threadIdx.x; k < n; k += blockDim.x)
        atomicAdd(&part[in[k]], 1), atomicAdd(&few[in[k]], 1);        // part in, few not
    part[bins5[threadIdx.x]] = 1;                                     // part not
}
"""
# Numbers that wrap around, and the operands of constant addresses: of each "not", an execution goes out that has once been taken for one within.
WRAPS = """
__global__ void constant(int *out, int c) {
    __shared__ int tab[64], tile[8][8];
    if (out[0] == 3) tab[1000] = 1;                                   // tab not
    if (out[0] == 4) tab[64] = 1;                                     // tab not
    if (out[0] == 5) tab[63] = 1;                                     // tab in
    if (out[0] == 6) tab[-1] = 1;                                     // tab not
    if (out[0] == 7) tile[8][0] = 1;                                  // tile not
    tab[70] = out[0];                                                 // tab not
    int *p = c > 3 ? &tab[5] : &tab[62];
    p[threadIdx.x & 7] = c;                                           // tab not
    out[threadIdx.x] = tab[threadIdx.x & 63] + tile[threadIdx.x & 7][3];             // tab in, tile in
}
__global__ void sign(const int *in, int *out, int i) {
    __shared__ int tab[1000];
    int x = in[threadIdx.x];
    if (x >= 0 && x < 1000) tab[(signed char)x] = 1;                  // tab not
    if (x >= 0 && x < 64) tab[(x << 26) >> 26] = 1;                   // tab not
    tab[(signed char)threadIdx.x + 100] = 1;                          // tab not
    if (i >= 0 && i < 32) tab[((i & 3) << 28) >> 28] = 1;             // tab in
    out[threadIdx.x] = tab[0];
}
__global__ void foreign(const unsigned *in, const unsigned long long *wide, int *b1, unsigned n) {
    unsigned k = in[threadIdx.x];
    unsigned long long l = wide[threadIdx.x];
    if (k * 4u < n) b1[k] = 1;                                        // b1 not
    if (k + k < n) b1[k] = 2;                                         // b1 not
    if (k * 2u + 1u < n) b1[k * 2u + 1u] = 1;                         // b1 not
    if ((k << 8) < n) b1[k] = 3;                                      // b1 not
    if (l * 8 < n) b1[l] = 1;                                         // b1 not
    if ((k & 0xffffff) * 1024u < n) b1[k & 0xffffff] = 4;             // b1 not
    if (k < 1000 && k * 4u < n) b1[k * 4u] = 6;                       // b1 in
}
__global__ void bytes(const unsigned char *in, int *out, unsigned char d) {
    __shared__ int tab[16];
    unsigned char c = in[threadIdx.x], h = c * 3, e = d * 3;
    if (h < 16) tab[c] = 1;                                           // tab not
    if (e < 16 && out[0] == 1) tab[d] = 2;                            // tab not
    if (d == 200 && out[0] == 2) tab[d] = 3;                          // tab not
    out[threadIdx.x] = tab[threadIdx.x & 15];
}
__global__ void doubles(const int *in, int *out, int n) {
    __shared__ int tab[32];
    if (in[0] > 0) {
#pragma unroll 1
        for (unsigned s = 1; s < (unsigned)n * 2u + 2u; s *= 2) tab[s >> 26] = n;    // tab not
#pragma unroll 1
        for (unsigned s = 1, k = 0; k < (unsigned)n; s *= 2, k++)
            if (s < 32) tab[s - 1] = in[k];                           // tab not
#pragma unroll 1
        for (unsigned s = 1; s < 32; s *= 2) tab[s] = in[s];                         // tab in
    }
    out[threadIdx.x] = tab[threadIdx.x & 15];
}
__global__ void latch(int *out, unsigned x, unsigned y, unsigned hide) {
    __shared__ int tab[4096];
    if (hide < 1000000 || x > 4000 || y < x + 3 || y > x + 4000) return;
#pragma unroll 1
    for (unsigned t = 0; t < 100; t++) {
        if (t >= 5) tab[y - x - 13] = t;                              // tab not
        if (!((unsigned long long)(t - 5u) + y >= x + 3ull * t)) break;
    }
    out[threadIdx.x] = tab[threadIdx.x & 15];
}
"""
LENGTHS = ["x1=n", "y1=n", "y2=n", "x3=w*h", "y3=w*h", "y4=n*n"]
WORDS = {"in": "proved", "out": "refuted", "not": "open"}

GUARDS = ("i < n", "i + {c} < n", "i >= {c} && i < n", "i < n && j < m", "i <= n", "j < m && i > {c} && i < n - {d}", "(unsigned)(i - {c}) < (unsigned)n",
          "(unsigned)i < (unsigned)n - {c}u", "i < n * m", "i < m && j < n", "!(i >= n || j >= m)", "i * {c} + j < n")
INDICES = ("i", "i + {c}", "i - {c}", "i * m + j", "(i - {c}) * m + j", "j * n + i", "i / {d}", "i % {d}", "min(i + {c}, n - 1)", "max(i - {c}, 0)",
           "i % (m + 1) * {c}", "i / (m + 1)", "(i & 7) * m + j", "2 * i + (j & 1)", "i > {c} ? i - {c} : j", "(unsigned)(i - {c}) / 2u")
LOOPS = ("", "for (int k = 0; k < {d}; k++) ", "for (int k = i; k < n; k += blockDim.x) ", "for (int k = n - 1; k >= {c}; k--) ", "for (int k = 1; k < n; k *= 2) ")


def numbers(example):
    """The values of an example."""
    return {name: int(value) for name, value in re.findall(r"([\w.]+) = (\d+)", example)}


@unittest.skipUnless(shutil.which("clang++"), "LLVM's text is clang's")
class Bounds(CommandTest):
    def lint(self, *options, status=0):
        done = self.run_riffle("lint", "k.cu", *options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def write(self, text):
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(text)

    def claims(self, text, *options):
        self.write(text)
        return json.loads(self.lint("--for-all", "--json", *options).stdout)

    def test_known(self):
        document = self.expect(KERNELS, LENGTHS, 35)
        self.assertGreater(document["bounds"]["no-length"], 0)

    def test_wraps(self):
        self.expect(WRAPS, ["b1=n"], 27)

    def expect(self, text, lengths, count):
        document = self.claims(text, *(word for one in lengths for word in ("--length", one)))
        expected = 0
        for number, line in enumerate(text.splitlines(), 1):
            for array, word in re.findall(r"(\w+) (in|out|not)\b", line.partition("// ")[2]):
                expected += 1
                with self.subTest(line=line.strip(), array=array):
                    found = {claim["bounds"]: claim for claim in document["claims"] if (claim["line"], claim["array"]) == (number, array)}
                    self.assertIn(WORDS[word], found)
                    self.assertEqual("bounds_example" in found[WORDS[word]], word == "out")
                    self.assertTrue(word != "not" or found["open"]["bounds_why"])
        self.assertEqual(expected, count)
        self.assertEqual(sum(document["bounds"].values()), len(document["claims"]))
        return document

    def random_kernel(self, chance):
        """Accesses to arrays of their own, each of a length over n and m; the text of line k has the k-th."""
        lines, lengths = [], []
        for _ in range(12):
            guard, index, loop = (chance.choice(some).format(c=chance.randrange(1, 5), d=chance.randrange(2, 9)) for some in (GUARDS, INDICES, LOOPS))
            if loop:
                index = re.sub(r"\bi\b", "k", index)
            lines.append(f"if ({guard}) {loop}p{len(lines)}[{index}] = 1;")
            lengths.append(chance.choice(("n + 1", "n * m + 1", "m + 1", "n * m + n + 1")))
        head = ("__global__ void k(" + ", ".join(f"char *p{k}" for k in range(len(lines))) + ", int n, int m) { "
                "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n")
        return head + "\n".join(lines) + "\n}\n", lengths

    def out_of_bounds(self, lengths, launch):
        """Lines at which the machine finds an access out of bounds in that launch."""
        sides = {of: ",".join(str(launch.get(f"{of}.{axis}", 1)) for axis in "xy") for of in ("gridDim", "blockDim")}
        arguments = [f"char:{eval(one, {'n': launch['n'], 'm': launch['m']})}" for one in lengths] + [f"int={launch['n']}", f"int={launch['m']}"]
        report = json.loads(self.lint("--kernel", "k", "--grid", sides["gridDim"], "--block", sides["blockDim"], "--json",
                                      *(word for one in arguments for word in ("--arg", one))).stdout)
        return {one["line"] for one in report["hazards"] if one["kind"] == "out-of-bounds"}

    def test_random(self):
        chance = random.Random(SEED)
        proved = refuted = 0
        for _ in range(2):
            text, lengths = self.random_kernel(chance)
            document = self.claims(text, *(word for k, one in enumerate(lengths) for word in ("--length", f"p{k}={one}")))
            # By the array, which tells more surely than the line of an access that the compiler has moved.
            of_line = {2 + int(claim["array"][1:]): claim for claim in document["claims"]}
            held = {line for line, claim in of_line.items() if claim["bounds"] == "proved"}
            proved += len(held)
            self.write("\n".join(said if k in (1, 14) or k in held else "" for k, said in enumerate(text.splitlines(), 1)))
            for _ in range(3):
                launch = {"gridDim.x": chance.randrange(1, 4), "gridDim.y": chance.randrange(1, 4), "blockDim.x": chance.choice((32, 64)),
                          "blockDim.y": chance.choice((1, 2, 4)), "n": chance.randrange(70), "m": chance.randrange(20)}
                self.assertFalse(held & self.out_of_bounds(lengths, launch), (SEED, text, lengths, launch))
            examples = [(line, claim["bounds_example"]) for line, claim in of_line.items() if claim["bounds"] == "refuted"]
            refuted += len(examples)
            for line, example in chance.sample(examples, min(3, len(examples))):
                self.write("\n".join(said if k in (1, line, 14) else "" for k, said in enumerate(text.splitlines(), 1)))
                self.assertIn(line, self.out_of_bounds(lengths, numbers(example)), (SEED, text, lengths, example))
        self.assertGreater(proved + refuted, 0)

    def test_judged(self):
        self.claims(KERNELS)
        self.lint("--for-all", "--kernel", "stencil", "--length", "y3=(w+1)*(h+1)", "--fail-on", "uncoalesced")
        self.lint("--for-all", "--kernel", "saxpy", "--length", "y1=n", "--fail-on", "out-of-bounds", status=1)
        self.lint("--for-all", "--kernel", "saxpy", "--length", "x1=n", "--fail-on", "out-of-bounds", "--sarif", "out.sarif")
        said = self.lint("--for-all", "--kernel", "wraps", "--length", "y2=n", "--sarif", "out.sarif").stdout
        self.assertRegex(said, r"out of bounds: k.cu:\d+, write of y2: element 1 of 0 where .*n = 0")
        self.assertRegex(said, r"bounds: in 2, out 3, not decided 0, of no known length 0")
        with open(self.path("out.sarif"), encoding="utf-8") as file:
            results = json.load(file)["runs"][0]["results"]
        self.assertEqual([one["ruleId"] for one in results].count("out-of-bounds"), 3)

    def test_block_and_templates(self):
        text = """
template <typename T, int N> __global__ void k(T *a, int n) {
    __shared__ T own[N];
    own[threadIdx.x] = T();
    if (threadIdx.x < n) a[threadIdx.x] = own[threadIdx.x];
}
template __global__ void k<double, 64>(double *, int);
"""
        for block, verdict in (("64", "proved"), ("65", "refuted")):
            found = {one["bounds"] for one in self.claims(text, "--block", block, "--length", "a=n")["claims"] if one["array"] == "own"}
            self.assertEqual(found, {verdict})
        found = {one["bounds"] for one in self.claims(text, "--length", "a=n")["claims"] if one["array"] == "a"}
        self.assertEqual(found, {"proved"})

    def test_arguments_fit(self):
        """Examples have arguments of their types."""
        found = self.claims("__global__ void k(char *a, unsigned n, unsigned char c) { if ((unsigned char)(c * 3) < n) a[c * 3] = 1; }", "--length", "a=n")["claims"]
        self.assertEqual(found[0]["bounds"], "refuted")
        self.assertLess(numbers(found[0]["bounds_example"])["c"], 256)

    def test_refused(self):
        self.claims(KERNELS)
        for length, said in (("y1", "is no NAME=EXPRESSION"), ("y1=n;", "is no NAME=EXPRESSION"), ("y1=(n", "is no NAME=EXPRESSION"),
                             ("y1=n=5", "is no NAME=EXPRESSION"), ("y1=n++", "is no NAME=EXPRESSION"), ("zz=n", "has such a parameter"),
                             ("y1=q", "k.cu:2: "), ("y1=q", "--length is compiled")):
            self.assertIn(said, self.lint("--for-all", "--length", length, status=2 if "NAME=" in said else 1).stderr)
        self.assertIn("is of the same parameter", self.lint("--for-all", "--length", "y1=n", "--length", "y1=2*n", status=1).stderr)
        self.assertIn("CUDA takes 1024 a block", self.lint("--for-all", "--block", "64,32", status=1).stderr)
        self.assertIn("kernel bounded: its __launch_bounds__", self.lint("--for-all", "--kernel", "bounded", "--block", "512", status=1).stderr)
        self.lint("--for-all", "--kernel", "bounded", "--block", "256")
        self.assertIn("--length: is for --for-all", self.lint("--length", "y1=n", status=2).stderr)


if __name__ == "__main__":
    main()
