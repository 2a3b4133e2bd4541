# SPDX-License-Identifier: Apache-2.0
"""riffle lint of asynchronous copies: they land where they are waited for, and whoever comes before reads what was there, which is a hazard."""
import json
import unittest

from command import COMPILERS, CommandTest, main

# Each kernel copies 32 rows of 32 ints, by several stages. WAIT is what stands where a stage must have come.
HEAD = """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;
"""
MAIN = """
int main() {
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, 4096);
    cudaMallocManaged(&out, 4096);
    for (int k = 0; k < 1024; k++) in[k] = 7 * k, out[k] = 0;
    rows<<<1, THREADS>>>(out, in);
    for (int k = 0; k < 1024; k++) wrong += out[k] != 7 * (k / 32 * 32 + (k + 1) % 32);
    fprintf(stderr, "%d", wrong);
}
"""
PLAIN = HEAD + """__global__ void rows(int *out, const int *in) {
    __shared__ int tile[2][32];
    const int t = threadIdx.x;
    tile[0][t] = tile[1][t] = -1;
    __syncthreads();
    __pipeline_memcpy_async(&tile[0][t], in + t, 4);
    __pipeline_commit();
    for (int k = 0; k < 32; k++) {
        if (k < 31) __pipeline_memcpy_async(&tile[(k + 1) % 2][t], in + 32 * (k + 1) + t, 4);
        __pipeline_commit();
        WAIT;
        out[32 * k + t] = tile[k % 2][(t + 1) % 32];
        AFTER;
    }
}
""" + MAIN
BARRIERS = HEAD + """__global__ void rows(int *out, const int *in) {
    __shared__ int tile[2][32];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
    const int t = threadIdx.x;
    if (t < 2) init(&bar[t], blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[0][t], in + t, sizeof(int), bar[0]);
    for (int k = 0; k < 32; k++) {
        if (k < 31) cuda::memcpy_async(&tile[(k + 1) % 2][t], in + 32 * (k + 1) + t, sizeof(int), bar[(k + 1) % 2]);
        bar[(k + WRONG) % 2].arrive_and_wait();
        out[32 * k + t] = tile[k % 2][(t + 1) % 32];
        __syncthreads();
    }
}
""" + MAIN
PIPELINES = HEAD + """__global__ void rows(int *out, const int *in) {
    __shared__ __align__(16) int tile[2][32];
    auto block = cg::this_thread_block();
#ifdef SHARED
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
#else
    auto pipe = cuda::make_pipeline();
#endif
    const int t = threadIdx.x;
    for (int k = 0, next = 0; k < 32; k++) {
        for (; next < 32 && next < k + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], in + 32 * next, cuda::aligned_size_t<16>(128), pipe);
            pipe.producer_commit();
        }
        WAIT;
        __syncthreads();
        out[32 * k + t] = tile[k % 2][(t + 1) % 32];
        __syncthreads();
        pipe.consumer_release();
    }
}
""" + MAIN
GROUPS = HEAD + """__global__ void rows(int *out, const int *in) {
    __shared__ int tile[32];
    auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    for (int k = 0; k < 32; k++) {
        cg::memcpy_async(block, tile, in + 32 * k, 128);
        WAIT;
        out[32 * k + t] = tile[(t + 1) % 32];
        block.sync();
    }
}
""" + MAIN
PTX = HEAD + """__global__ void rows(int *out, const int *in) {
    __shared__ int tile[32];
    const int t = threadIdx.x;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[t]);
    for (int k = 0; k < 32; k++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + 32 * k + t));
        asm volatile("cp.async.commit_group;");
        asm volatile(WAIT ::: "memory");
        __syncthreads();
        out[32 * k + t] = tile[(t + 1) % 32];
        __syncthreads();
    }
}
""" + MAIN


class Copies(CommandTest):
    def lint(self, text, *words, compilers=COMPILERS[:1]):
        """For each compiler, of which one will do where the other has the same headers."""
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        for compiler in compilers:
            done = self.run_riffle("lint", "k.cu", "--json", "-DTHREADS=32", "--compiler", compiler, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["partial"]), (0, False))
            yield report["hazards"], int(done.stderr)

    def is_right(self, text, *words):
        for hazards, wrong in self.lint(text, *words):
            self.assertEqual((hazards, wrong), ([], 0))

    def meets_a_copy(self, text, *words, own=False):
        """The read's line and the copy's are named, and what is read is old."""
        source = text.split("\n")
        read = next(k + 1 for k, line in enumerate(source) if "out[32 * k + t] = " in line)
        for hazards, wrong in self.lint(text, *words):
            self.assertGreater(wrong, 0)
            found = [one for one in hazards if one["kind"] == "race" and one["line"] == read and "is still under way" in one["text"]]
            self.assertTrue(found, hazards)
            self.assertIn("out" if own else "tile", found[0]["text"])
            self.assertTrue(any(word in source[found[0]["other_line"] - 1] for word in ("memcpy_async", "cp.async")), found)

    def test_groups_of_the_hardware(self):
        self.is_right(PLAIN, "-DWAIT=__pipeline_wait_prior(1); __syncthreads()", "-DAFTER=__syncthreads()")
        self.meets_a_copy(PLAIN, "-DWAIT=__syncthreads()", "-DAFTER=__syncthreads()")
        self.meets_a_copy(PLAIN, "-DWAIT=__pipeline_wait_prior(2); __syncthreads()", "-DAFTER=__syncthreads()")

    def test_who_waited_must_tell_the_others(self):
        """Without a barrier behind the wait, and without one before the next copy into the same row."""
        for words in (["-DWAIT=__pipeline_wait_prior(1)", "-DAFTER=__syncthreads()"],
                      ["-DWAIT=__pipeline_wait_prior(1); __syncthreads()", "-DAFTER="]):
            for hazards, _ in self.lint(PLAIN, *words):
                self.assertEqual({one["kind"] for one in hazards}, {"race"}, words)
                self.assertTrue(any("no barrier between" in one["text"] or "nothing orders" in one["text"] for one in hazards), hazards)

    def test_barriers_that_copies_are_bound_to(self):
        self.is_right(BARRIERS, "-DWRONG=0")
        self.meets_a_copy(BARRIERS, "-DWRONG=1")

    def test_pipelines(self):
        for more in ([], ["-DSHARED"]):
            self.is_right(PIPELINES, "-DWAIT=pipe.consumer_wait()", *more)
            self.is_right(PIPELINES, "-DWAIT=cuda::pipeline_consumer_wait_prior<0>(pipe)", *more)
            self.meets_a_copy(PIPELINES, "-DWAIT=", *more)
            self.meets_a_copy(PIPELINES, "-DWAIT=cuda::pipeline_consumer_wait_prior<2>(pipe)", *more)

    def test_copies_of_groups(self):
        self.is_right(GROUPS, "-DWAIT=cg::wait(block)")
        self.meets_a_copy(GROUPS, "-DWAIT=block.sync()")
        self.meets_a_copy(GROUPS, "-DWAIT=cg::wait_prior<1>(block)")

    def test_ptx(self):
        self.is_right(PTX, "-DWAIT=\"cp.async.wait_group 0;\"")
        self.is_right(PTX, "-DWAIT=\"cp.async.wait_all;\"")
        self.meets_a_copy(PTX, "-DWAIT=\"cp.async.wait_group 1;\"")

    def test_a_copy_of_ones_own(self):
        """Said as such; and two that are under way to one place."""
        text = PLAIN.replace("tile[k % 2][(t + 1) % 32]", "tile[k % 2][t]")
        for hazards, _ in self.lint(text, "-DWAIT=", "-DAFTER=", compilers=self.compilers()):
            self.assertTrue(any("reads element 0 of tile, to which its own asynchronous copy at k.cu:" in one["text"] for one in hazards), hazards)
            self.assertTrue(any("writes element 0 of tile, to which its own asynchronous copy at k.cu:" in one["text"] for one in hazards), hazards)


if __name__ == "__main__":
    main()
