# SPDX-License-Identifier: Apache-2.0
"""riffle lint of asynchronous copies: they land where they are waited for, and whoever comes before reads what was there, which is a hazard."""
import json

from command import COMPILERS, CommandTest, main

# Each kernel copies 32 rows of 32 ints, by several stages. WAIT is what stands where a stage must have come. A test's variants of a kernel,
# which are its macros, are one program: a compiler reads the headers once.
HEAD = """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;
"""
PLAIN = """__global__ void rows(int *out, const int *in) {
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
"""
BARRIERS = """__global__ void rows(int *out, const int *in) {
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
"""
PIPELINES = """__global__ void rows(int *out, const int *in) {
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
        RELEASE;
    }
}
"""
# The second warp of a block copies, and the first one reads: SPLIT says so to the pipeline.
PARTS = """__global__ void rows(int *out, const int *in) {
    __shared__ int tile[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const int t = threadIdx.x % 32;
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::consumer : cuda::pipeline_role::producer;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, SPLIT);
    for (int k = 0; k < 32; k++) {
        if (role == cuda::pipeline_role::producer) {
            ACQUIRE;
            cuda::memcpy_async(&tile[k % 2][t], in + 32 * k + t, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            WAIT;
            EARLY;
            out[32 * k + t] = tile[k % 2][(t + 1) % 32];
            LATE;
        }
    }
}
"""
GROUPS = """__global__ void rows(int *out, const int *in) {
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
"""
BOUND = """__global__ void rows(int *out, const int *in) {
    __shared__ int tile[32];
    __shared__ unsigned long long bar;
    const int t = threadIdx.x;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[t]), full = (unsigned)__cvta_generic_to_shared(&bar);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(full), "r"(32) : "memory");
    __syncthreads();
    for (int k = 0; k < 32; k++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + 32 * k + t));
        asm volatile(BIND ::"r"(full) : "memory");
        WAIT;
        out[32 * k + t] = tile[(t + 1) % 32];
        __syncthreads();
    }
}
"""
PTX = """__global__ void rows(int *out, const int *in) {
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
"""


def program_of(text, variants):
    """The source, and the lines of each variant."""
    source, ends, launches = HEAD, [], ""
    for k, macros in enumerate(variants):
        begin = source.count("\n")
        defined = "".join(f"#define {name} {value}\n" for name, value in macros.items())
        source += defined + f"namespace v{k} {{\n{text}}}\n" + "".join(f"#undef {name}\n" for name in macros)
        ends.append(range(begin + 1, source.count("\n") + 1))
        launches += f"""    for (int k = 0; k < 1024; k++) out[k] = 0;
    v{k}::rows<<<1, THREADS>>>(out, in);
    fprintf(stderr, "%d ", wrong(out));
"""
    return source + f"""int wrong(const int *out) {{
    int count = 0;
    for (int k = 0; k < 1024; k++) count += out[k] != 7 * (k / 32 * 32 + (k + 1) % 32);
    return count;
}}
int main() {{
    int *in, *out;
    cudaMallocManaged(&in, 4096);
    cudaMallocManaged(&out, 4096);
    for (int k = 0; k < 1024; k++) in[k] = 7 * k;
{launches}}}
""", ends


class Copies(CommandTest):
    def lint(self, text, *variants, compilers=COMPILERS[:1], threads=32):
        """For each compiler and variant, its lines, hazards and wrong elements; one compiler will do where the other has the same headers."""
        source, lines = program_of(text, variants)
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(source)
        for compiler in compilers:
            done = self.run_riffle("lint", "k.cu", "--json", f"-DTHREADS={threads}", "--compiler", compiler)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["partial"], report["launched"]), (0, False, len(variants)))
            wrong = [int(word) for word in done.stderr.split()]
            self.assertEqual(len(wrong), len(variants))
            for of, count in zip(lines, wrong):
                yield (dict(zip(of, source.split("\n")[of.start - 1:of.stop - 1])), [one for one in report["hazards"] if one["line"] in of], count)

    def check(self, text, right, old):
        """Variants that are right, and others, in which the read's line and the copy's are named, and what is read is old."""
        for k, (lines, hazards, wrong) in enumerate(self.lint(text, *right, *old)):
            if k < len(right):
                self.assertEqual((hazards, wrong), ([], 0), right[k])
                continue
            what = old[k - len(right)], hazards
            read = next(number for number, line in lines.items() if "out[32 * k + t] = " in line)
            self.assertGreater(wrong, 0, what)
            found = [one for one in hazards if one["kind"] == "race" and one["line"] == read and "is still under way" in one["text"]]
            self.assertTrue(found, what)
            self.assertIn("tile", found[0]["text"])
            self.assertTrue(any(word in lines[found[0]["other_line"]] for word in ("memcpy_async", "cp.async")), what)

    def test_groups_of_the_hardware(self):
        self.check(PLAIN, [{"WAIT": "__pipeline_wait_prior(1); __syncthreads()", "AFTER": "__syncthreads()"}],
                   [{"WAIT": "__syncthreads()", "AFTER": "__syncthreads()"},
                    {"WAIT": "__pipeline_wait_prior(2); __syncthreads()", "AFTER": "__syncthreads()"}])

    def test_who_waited_must_tell_the_others(self):
        """Without a barrier behind the wait, and without one before the next copy into the same row."""
        for _, hazards, _ in self.lint(PLAIN, {"WAIT": "__pipeline_wait_prior(1)", "AFTER": "__syncthreads()"},
                                       {"WAIT": "__pipeline_wait_prior(1); __syncthreads()", "AFTER": ""}):
            self.assertEqual({one["kind"] for one in hazards}, {"race"})
            self.assertTrue(any("no barrier between" in one["text"] or "nothing orders" in one["text"] for one in hazards), hazards)

    def test_barriers_that_copies_are_bound_to(self):
        self.check(BARRIERS, [{"WRONG": 0}], [{"WRONG": 1}])

    def test_pipelines(self):
        release = {"RELEASE": "pipe.consumer_release()"}
        self.check(PIPELINES, [{"WAIT": "pipe.consumer_wait()", **release}, {"WAIT": "pipe.consumer_wait()", "RELEASE": ""},
                               {"WAIT": "cuda::pipeline_consumer_wait_prior<0>(pipe)", **release}],
                   [{"WAIT": "", **release}, {"WAIT": "cuda::pipeline_consumer_wait_prior<2>(pipe)", **release}])
        self.check(PIPELINES, [{"WAIT": "pipe.consumer_wait()", "SHARED": "", **release}], [{"WAIT": "", "SHARED": "", **release}])

    def test_pipelines_of_producers_and_consumers(self):
        """By the roles of threads or by the number of producers; nothing but the pipeline orders the two warps."""
        release = "pipe.consumer_release()"
        right = {"ACQUIRE": "pipe.producer_acquire()", "WAIT": "pipe.consumer_wait()", "EARLY": "", "LATE": release}
        variants = [{"SPLIT": "role", **right}, {"SPLIT": "32", **right}, {"SPLIT": "role", **right, "EARLY": release, "LATE": ""},
                    {"SPLIT": "role", **right, "ACQUIRE": "", "WAIT": ""}]
        told = list(self.lint(PARTS, *variants, threads=64))
        for _, hazards, wrong in told[:2]:
            self.assertEqual((hazards, wrong), ([], 0))
        for lines, hazards, _ in told[2:]:
            places = {(lines[one["line"]].split("(")[0].strip(), one["other_line"] and lines[one["other_line"]].split("(")[0].strip())
                      for one in hazards if one["kind"] == "race"}
            read, copied = "out[32 * k + t] = tile[k % 2][", "cuda::memcpy_async"
            self.assertTrue(places & {(read, copied), (copied, read)}, hazards)

    def test_copies_that_an_mbarrier_waits_for(self):
        wait = 'asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(full), "r"(k & 1) : "memory")'
        arrive = '"{ .reg .b64 s; cp.async.mbarrier.arrive.shared.b64 [%0]; mbarrier.arrive.shared.b64 s, [%0]; }"'
        self.check(BOUND, [{"BIND": '"cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"', "WAIT": wait}, {"BIND": arrive, "WAIT": wait}],
                   [{"BIND": '"{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }"', "WAIT": wait}])

    def test_copies_of_groups(self):
        self.check(GROUPS, [{"WAIT": "cg::wait(block)"}], [{"WAIT": "block.sync()"}, {"WAIT": "cg::wait_prior<1>(block)"}])

    def test_copies_are_as_wide_as_is_promised(self):
        """16 bytes a thread are one access of a warp where their alignment is promised, else four of an element each."""
        text = ("#include <cuda/pipeline>\n__global__ void k(float *out, const float *in) {\n    __shared__ __align__(16) float tile[128];\n"
                "    auto pipe = cuda::make_pipeline();\n    pipe.producer_acquire();\n"
                "    cuda::memcpy_async(tile + 4 * threadIdx.x, in + 4 * threadIdx.x, SIZE, pipe);\n"
                "    pipe.producer_commit();\n    pipe.consumer_wait();\n    out[threadIdx.x] = tile[4 * threadIdx.x];\n}\n")
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        for size, warps in (("cuda::aligned_size_t<16>(16)", 1), ("16", 4)):
            done = self.run_riffle("lint", "k.cu", "--json", "--kernel", "k", "--block", 32, "--arg", "float:32", "--arg", "float:128:random", f"-DSIZE={size}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([row["warps"] for row in json.loads(done.stdout)["rounds"] if row["line"] == 6], [warps, warps], size)

    def test_ptx(self):
        self.check(PTX, [{"WAIT": '"cp.async.wait_group 0;"'}, {"WAIT": '"cp.async.wait_all;"'}], [{"WAIT": '"cp.async.wait_group 1;"'}])

    def test_a_copy_of_ones_own(self):
        """Said as such; and two that are under way to one place."""
        text = PLAIN.replace("tile[k % 2][(t + 1) % 32]", "tile[k % 2][t]")
        for _, hazards, _ in self.lint(text, {"WAIT": "", "AFTER": ""}, compilers=self.compilers()):
            self.assertTrue(any("reads element 0 of tile, to which its own asynchronous copy at k.cu:" in one["text"] for one in hazards), hazards)
            self.assertTrue(any("writes element 0 of tile, to which its own asynchronous copy at k.cu:" in one["text"] for one in hazards), hazards)


if __name__ == "__main__":
    main()
