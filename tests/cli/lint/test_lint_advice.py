# SPDX-License-Identifier: Apache-2.0
"""riffle lint's remedies break no other access of the array, nor move the waste elsewhere: each that is told has been made here too."""
import json
import re

from command import CommandTest, main

# Rows of 32 floats come by 16 bytes and leave by columns. PLACE says where the element of a column lies, PAD how long rows are.
WIDE = """#ifndef PAD
#define PAD 0
#endif
#ifndef PLACE
#define PLACE(r, c) (c)
#endif
__global__ void wide(float *out, const float4 *in) {
    __shared__ __align__(16) float tile[32][32 + PAD];
    for (int k = threadIdx.x; k < 256; k += 32) *(float4 *)&tile[k / 8][PLACE(k / 8, 4 * (k % 8))] = in[k];
    __syncthreads();
    for (int c = 0; c < 32; c++) out[32 * c + threadIdx.x] = tile[threadIdx.x][PLACE(threadIdx.x, c)];
}
"""
COPIED = """#include <cuda_pipeline.h>
__global__ void copied(float *out, const float *in) {
    __shared__ __align__(16) float tile[32][32];
    for (int k = threadIdx.x; k < 256; k += 32) __pipeline_memcpy_async(&tile[k / 8][4 * (k % 8)], in + 4 * k, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int c = 0; c < 32; c++) out[32 * c + threadIdx.x] = tile[threadIdx.x][c];
}
"""
MATRICES = """#include <mma.h>
using namespace nvcuda;
__global__ void matrices(float *out) {
    __shared__ __align__(32) half tile[64][64];
    for (int k = threadIdx.x; k < 4096; k += 32) tile[k / 64][k % 64] = __float2half(k & 15);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::load_matrix_sync(a, &tile[0][0], 64);
    out[threadIdx.x] = (float)tile[threadIdx.x][2] + (float)a.x[0];
}
"""
# One copy in bulk fills the tile, whose rows cannot be told apart then; or each row has one of its own.
BULK = """__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void bulk(float *out, const float *in) {
    __shared__ __align__(128) float tile[32][32];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(at(&bar)) : "memory");
        for (int k = 0; k < 1024; k += LENGTH)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                         "r"(at(&tile[0][0] + k)), "l"(in + k), "r"(4 * LENGTH), "r"(at(&bar)) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" ::"r"(at(&bar)) : "memory");
    for (int c = 0; c < 32; c++) out[32 * c + threadIdx.x] = tile[threadIdx.x][c];
}
"""
# Rows of 32 floats that are read by 16 bytes: an element of its advice is not one of the array's.
QUADS = """__global__ void quads(float4 *out) {
    __shared__ __align__(16) float tile[32][32];
    for (int k = threadIdx.x; k < 256; k += 32) ((float4 *)tile)[k] = make_float4(k, 0, 0, 0);
    __syncthreads();
    out[threadIdx.x] = *(float4 *)tile[threadIdx.x];
}
"""
FULL = """__global__ void full(float *out) {
    __shared__ float tile[96][128];
    for (int k = threadIdx.x; k < 96 * 128; k += 32) (&tile[0][0])[k] = k;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][1];
}
"""
TRANSPOSE = """__global__ void transpose(float *out, const float *in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
__global__ void tiled(float *out, const float *in, int n) {
    __shared__ float tile[8][36];
    int x = blockIdx.x * 32, y = blockIdx.y * 8, t = threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
    __syncthreads();
    out[(x + t / 8) * n + y + t % 8] = tile[t % 8][t / 8];
}
__global__ void gathered(float *out, const float *in) {
    int t = threadIdx.x;
    out[t] = in[(t * 37) & 1023];
}
"""


class Advice(CommandTest):
    def lint(self, text, kernel, block, *words):
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        done = self.run_riffle("lint", "k.cu", "--json", "--kernel", kernel, "--block", block, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def advice(self, text, kernel, block, *words):
        found = [row["advice"] for row in self.lint(text, kernel, block, *words)["rounds"] if "advice" in row]
        self.assertEqual(len(found), 1, found)
        return found[0]

    def read_of_tile(self, report):
        self.assertEqual(report["hazards"], [])
        rows = [row for row in report["rounds"] if row["op"] == "read" and row["space"] == "shared"]
        self.assertEqual(len(rows), 1)
        return rows[0]["requests"] / rows[0]["warps"]

    def test_rows_that_are_written_by_16_bytes(self):
        """A padding of one float would leave them misaligned. Both remedies that keep them aligned leave four lanes to a bank."""
        words = ["--arg", "float:1024", "--arg", "float4:256:zero"]
        for compiler in self.compilers():
            says = self.advice(WIDE, "wide", 32, *words, "--compiler", compiler)
            self.assertIn("pad the rows of tile, 32 elements long, by 4, so that accesses of 16 bytes stay aligned "
                          "(tried on 32 of 32 accesses: wavefronts 4 in place of 32)", says)
            self.assertEqual(self.read_of_tile(self.lint(WIDE, "wide", 32, *words, "--compiler", compiler)), 32)
            self.assertEqual(self.read_of_tile(self.lint(WIDE, "wide", 32, *words, "-DPAD=4", "--compiler", compiler)), 4)

    def test_rows_that_are_copied_asynchronously(self):
        self.assertIn("by 4, so that accesses of 16 bytes stay aligned", self.advice(COPIED, "copied", 32, "--arg", "float:1024", "--arg", "float:1024:zero"))

    def test_rows_that_matrices_are_read_from(self):
        """A matrix begins at a multiple of 32 bytes."""
        says = [row["advice"] for row in self.lint(MATRICES, "matrices", 32, "--arg", "float:32")["rounds"] if "advice" in row]
        self.assertIn("pad the rows of tile, 64 elements long, by 16, so that accesses of 32 bytes stay aligned", says[0])
        self.assertIn("leave 16 elements of tile free behind every 64, so that accesses of 32 bytes stay aligned", says[1])

    def test_rows_that_are_copied_in_bulk(self):
        words = ["--arg", "float:1024", "--arg", "float:1024:zero"]
        self.assertNotIn(";", self.advice(BULK, "bulk", 32, *words, "-DLENGTH=1024"))
        self.assertIn("by 4, so that accesses of 16 bytes stay aligned", self.advice(BULK, "bulk", 32, *words, "-DLENGTH=32"))

    def test_elements_wider_than_a_word_say_how_wide(self):
        self.assertIn("pad the rows of tile, 8 elements of 16 bytes long, by 1 (", self.advice(QUADS, "quads", 32, "--arg", "float4:32"))

    def test_an_array_that_may_not_grow(self):
        """48 KiB are the most that the language takes, so that elements change places within their rows. That is conflict-free when done."""
        says = self.advice(FULL, "full", 32, "--arg", "float:32")
        self.assertIn("in row r of tile, 512 bytes long, keep piece k of 4 bytes at k ^ (r % 32) (tried on 1 of 1 accesses: wavefronts 1 in place of 32)", says)
        moved = FULL.replace("(&tile[0][0])[k] = k", "tile[k / 128][(k % 128) ^ (k / 128 % 32)] = k").replace("[threadIdx.x][1]", "[threadIdx.x][1 ^ threadIdx.x]")
        self.assertEqual(self.read_of_tile(self.lint(moved, "full", 32, "--arg", "float:32")), 1)

    def test_a_transpose_goes_through_a_tile(self):
        """Its figure is the tile's, once it is there; and where a block's warps do not fill the gaps, nothing is said that moves the waste."""
        words = ["--arg", "float:4096", "--arg", "float:4096:zero", "--arg", "int=64"]
        says = self.advice(TRANSPOSE, "transpose", "32,8", "--grid", "2,8", *words)
        self.assertIn("go through a tile in shared memory, padded against conflicts, so that consecutive threads write consecutive elements "
                      "(tried on 8 accesses of a block: sectors 32 in place of 256)", says)
        rows = self.lint(TRANSPOSE, "tiled", "32,8", "--grid", "2,8", *words)["rounds"]
        self.assertEqual([row["requests"] for row in rows if row["space"] == "global" and row["op"] == "write"], [16 * 32])
        self.assertEqual({row["verdict"] for row in rows}, {"coalesced", "conflict-free"})
        self.assertNotIn(";", self.advice(TRANSPOSE, "transpose", "64", "--grid", "1,64", *words))

    def test_rows_without_a_constant_distance(self):
        """A block's warps ask for the same sectors at different times."""
        says = self.advice(TRANSPOSE, "gathered", 1024, "--arg", "float:1024", "--arg", "float:1024:zero")
        self.assertTrue(re.search(r"read the same sectors at different times: go through shared memory.*sectors 128 in place of 1024", says), says)


if __name__ == "__main__":
    main()
