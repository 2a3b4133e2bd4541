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
        document = self.claims(KERNELS, *(word for one in LENGTHS for word in ("--length", one)))
        expected = 0
        for number, line in enumerate(KERNELS.splitlines(), 1):
            for array, word in re.findall(r"(\w+) (in|out|not)\b", line.partition("// ")[2]):
                expected += 1
                with self.subTest(line=line.strip(), array=array):
                    found = {claim["bounds"]: claim for claim in document["claims"] if (claim["line"], claim["array"]) == (number, array)}
                    self.assertIn(WORDS[word], found)
                    self.assertEqual("bounds_example" in found[WORDS[word]], word == "out")
                    self.assertTrue(word != "not" or found["open"]["bounds_why"])
        self.assertEqual(expected, 35)
        self.assertEqual(sum(document["bounds"].values()), len(document["claims"]))
        self.assertGreater(document["bounds"]["no-length"], 0)

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
            of_line = {claim["line"]: claim for claim in document["claims"]}
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

    def test_refused(self):
        self.claims(KERNELS)
        for length, said in (("y1", "is no NAME=EXPRESSION"), ("y1=n;", "is no NAME=EXPRESSION"), ("y1=(n", "is no NAME=EXPRESSION"),
                             ("zz=n", "has such a parameter"), ("y1=q", "k.cu:2: ")):
            self.assertIn(said, self.lint("--for-all", "--length", length, status=1).stderr)
        self.assertIn("--length: is for --for-all", self.lint("--length", "y1=n", status=2).stderr)


if __name__ == "__main__":
    main()
