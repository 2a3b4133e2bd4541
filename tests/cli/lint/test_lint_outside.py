# SPDX-License-Identifier: Apache-2.0
"""riffle lint of accesses to what is in no array: which array was meant, and whose the memory is; and of a kernel's own memory."""
import json

from command import CommandTest, main

# Two kernels have a tile each, the second's far larger.
TILES = """template <int N> __global__ void put(int *out, int far) {
    __shared__ int tile[N];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) tile[far] = 7;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
int main() {
    int *out;
    cudaMalloc(&out, 128);
    for (int far = FROM; far < TO; far += 32) put<32><<<1, 32>>>(out, far);
    put<4096><<<1, 32>>>(out, 4000);
}
"""
BEFORE = """__device__ int global[32];
__global__ void before(int *out, int by) {
    __shared__ int tile[32];
    tile[threadIdx.x] = global[threadIdx.x] = out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 3) {
        tile[(int)threadIdx.x - by] = 2;
        global[(int)threadIdx.x - by] = 3;
        out[(int)threadIdx.x - by] = 4;
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
"""
MEMORY = """#include <cstdlib>
__global__ void use(int *a) { a[threadIdx.x] = 1; }
int main(int argc, char **) {
    int *a, *b, local[32];
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    use<<<1, 32>>>(b);
    int *host = argc == 2 ? local : argc == 3 ? (int *)malloc(128) : new int[32];
    cudaFree(a);
    use<<<1, 32>>>(argc == 1 ? a : host);
}
"""
# Small memory of the host's lies where shared arrays do, and large memory next to the machine's.
BESIDE = """#include <cstdlib>
__global__ void put(float *a, int n) {
    __shared__ float tile[32];
    tile[threadIdx.x] = threadIdx.x;
    a[threadIdx.x] = n + tile[threadIdx.x];
}
__device__ float kept[64];
int main(int argc, char **) {
    float *large = (float *)malloc(1 << 20), *given, *small = new float[1024];
    cudaMalloc(&given, 1 << 20);
    put<<<1, 32>>>(argc == 1 ? given : argc == 2 ? small : large, argc);
}
"""
# The first kernel is ended before its last threads have written what the second reads.
UNFINISHED = """__global__ void make(int *out, const int *in) { out[threadIdx.x] = in[threadIdx.x & 1 ? 0 : 8]; }
__global__ void use(int *a) { a[threadIdx.x] += 1; }
int main() {
    int *a;
    cudaMalloc(&a, 128);
    make<<<1, 32>>>(a, nullptr);
    use<<<1, 32>>>(a);
}
"""
HEAP = """struct list { int value; list *next; };
__global__ void chains(int *out) {
    list *first = nullptr;
    for (int k = 0; k < 3; k++) {
        list *one = (list *)malloc(sizeof *one);
        one->value = k;
        one->next = first;
        first = one;
    }
    int sum = 0;
    while (first != nullptr) {
        list *next = first->next;
        sum += first->value;
        free(first);
        first = next;
    }
    int *row = (int *)malloc(32);
    row[BEYOND] = sum;
    out[threadIdx.x] = sum + (row != nullptr);
    free(row);
}
"""


class Outside(CommandTest):
    def lint(self, text, *words, compiler="g++"):
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        done = self.run_riffle("lint", "k.cu", "--json", "--compiler", compiler, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_an_array_of_another_kernel(self):
        """The index is far outside of the kernel's own tile, wherever that lies; the kernel goes on, and none of the next one's is told."""
        for compiler in self.compilers():
            report = self.lint(TILES, "-DFROM=32", "-DTO=2000", compiler=compiler)
            self.assertEqual({(one["kind"], one["line"]) for one in report["hazards"]}, {("out-of-bounds", 5)})
            self.assertEqual({one["kernel"] for one in report["hazards"]}, {"put<32>"})
            self.assertIn("writes element 32 of tile, which has 32", report["hazards"][0]["text"])
            self.assertEqual((report["partial"], [one["launches"] for one in report["launches"]]), (False, [62, 1]))

    def test_an_index_of_minus_one(self):
        """As behind an array the kernel goes on, and no row is lost."""
        for compiler in self.compilers():
            for by in (1, 3):
                report = self.lint(BEFORE, "--kernel", "before", "--block", 32, "--arg", "int:32", "--arg", f"int={by}", compiler=compiler)
                self.assertEqual(sorted((one["line"], one["count"], one["text"].split(" of block (0,0,0) ")[1]) for one in report["hazards"]),
                                 [(7, by, f"writes element -{by} of tile, which has 32"), (8, by, f"writes element -{by} of global, which has 32"),
                                  (9, by, f"writes element -{by} of argument 1, which has 32")])
                self.assertFalse(report["partial"])
                self.assertIn(12, {row["line"] for row in report["rounds"]})

    def test_whose_memory_it_is(self):
        for words, says in (([], "writes element 0 of a, which has been freed"), (["--", "x"], "in no array of the launch: it is the host's own memory"),
                            (["--", "x", "y"], "in no array of the launch: it is the host's own memory"), (["--", "x", "y", "z"], "in no array of the launch: it is the host's own memory")):
            report = self.lint(MEMORY, *words)
            self.assertEqual([one["kind"] for one in report["hazards"]], ["out-of-bounds"])
            self.assertIn(says, report["hazards"][0]["text"])

    def test_the_hosts_memory_beside_arrays(self):
        """A parameter that leads there says what is meant, and not an array that happens to lie there."""
        for compiler in self.compilers():
            self.assertEqual(self.lint(BESIDE, compiler=compiler)["hazards"], [])
            for words in (["x"], ["x", "y"]):
                report = self.lint(BESIDE, "--", *words, compiler=compiler)
                self.assertEqual([(one["kind"], one["line"]) for one in report["hazards"]], [("out-of-bounds", 5)])
                self.assertIn("in no array of the launch: it is the host's own memory", report["hazards"][0]["text"])

    def test_what_an_ended_kernel_has_not_written(self):
        """Its hazard is told, and nothing of those that read what it was to write."""
        for compiler in self.compilers():
            report = self.lint(UNFINISHED, compiler=compiler)
            self.assertEqual([(one["kind"], one["kernel"]) for one in report["hazards"]], [("out-of-bounds", "make")])
            self.assertIn("use", {row["kernel"] for row in report["rounds"]})

    def test_a_kernels_own_memory(self):
        """malloc in a kernel is no memory of the host's; its end is told, and what is freed."""
        words = ["--kernel", "chains", "--block", 32, "--arg", "int:32"]
        for compiler in self.compilers():
            report = self.lint(HEAP, *words, "-DBEYOND=7", compiler=compiler)
            self.assertEqual((report["hazards"], report["partial"]), ([], False))
            report = self.lint(HEAP, *words, "-DBEYOND=8", compiler=compiler)
            self.assertEqual([(one["line"], one["count"]) for one in report["hazards"]], [(18, 32)])
            self.assertIn("writes element 8 of the kernel's heap, which has 8", report["hazards"][0]["text"])


if __name__ == "__main__":
    main()
