# SPDX-License-Identifier: Apache-2.0
"""riffle lint's -arch, as nvcc takes it, and what is of later GPUs than the machine is a model of: it is refused by name."""
import json
import pathlib

from command import CommandTest, main, program_alone

BEYOND = "of Blackwell and later GPUs (sm_100 on); those up to sm_90 are modelled"
ASKS = """#include <cstdio>
__global__ void k(int *a) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    a[0] = -1;
#else
    a[0] = __CUDA_ARCH__;
#endif
}
int main() {
    int *a, held;
    cudaMalloc(&a, 4);
    k<<<1, 1>>>(a);
    cudaMemcpy(&held, a, 4, cudaMemcpyDeviceToHost);
    fprintf(stderr, "%d", held);
}
"""
DECLINES = """// SM100 is what this program is for.
#include <cstdio>
struct SM100_load {};
int main() {
    cudaDeviceProp has;
    cudaGetDeviceProperties(&has, 0);
    SM100_load load;
    return has.major == 10 ? 0 : 3;
}
"""


class Architecture(CommandTest):
    def lint(self, text, *options):
        pathlib.Path(self.path("p.cu")).write_text(text, encoding="utf-8")
        return self.run_riffle("lint", "p.cu", *options)

    @program_alone
    def test_code_asks_for_it_by_macros(self):
        """In all ways in which nvcc takes it; of several the last one counts. The device stays the same."""
        for words, says in [((), "900"), (("-arch=sm_70",), "700"), (("-arch", "compute_89"), "890"), (("--gpu-architecture=sm_90a",), "-1"),
                            (("--gpu-architecture", "sm_90"), "900"), (("-D__CUDA_ARCH__=750",), "750")]:
            done = self.lint(ASKS, *words)
            self.assertEqual((done.returncode, done.stderr), (0, says), words)

    def test_later_ones_are_refused(self):
        for words, says in [(("-arch=sm_100a",), f"-arch=sm_100a is {BEYOND}; write -arch=sm_90a, say"),
                            (("-arch=compute_120",), f"-arch=compute_120 is {BEYOND}; write -arch=sm_90a, say"),
                            (("-D", "__CUDA_ARCH__=1000"), f"-D __CUDA_ARCH__=1000 is {BEYOND}"),
                            (("-D__CUDA_ARCH_FEAT_SM100_ALL",), f"-D __CUDA_ARCH_FEAT_SM100_ALL is {BEYOND}"),
                            (("-arch=sm_91",), "-arch=sm_91 is no GPU that the machine knows; write -arch=sm_90a, say"),
                            (("-arch=",), "-arch= is no GPU that the machine knows; write -arch=sm_90a, say")]:
            done = self.lint(ASKS, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"riffle: {says}\n"))
            self.assertEqual(self.lint(ASKS, "--for-all", *words).returncode, 1)
        self.assertEqual(self.lint(ASKS, "-arch").returncode, 2)

    @program_alone
    def test_what_is_theirs_is_named(self):
        """Instructions, names that the compiler does not know, and headers that are not there, with their lines."""
        for line, word in [('asm volatile("tcgen05.fence::before_thread_sync;");', "inline PTX `tcgen05.fence::before_thread_sync` at p.cu:3"),
                           ('asm("add.rn.f32x2 %0, %1, %1;" : "=l"(a[0]) : "l"(a[1]));', "inline PTX `add.rn.f32x2 %0, %1, %1` at p.cu:3"),
                           ("cuda::ptx::tcgen05_fence_before_thread_sync();", "p.cu:3: tcgen05_fence_before_thread_sync"),
                           ("a[0] = SM100_MMA_F16BF16_SS<int>::bits;", "p.cu:3: SM100_MMA_F16BF16_SS"),
                           ("\n#include <cute/arch/tmem_allocator_sm100.hpp>\n", "p.cu:4: tmem_allocator_sm100")]:
            for compiler in self.compilers():
                done = self.lint(f"#include <cuda/ptx>\n__global__ void k(unsigned long long *a) {{ // not sm_100\n    {line}\n}}\n", "--kernel", "k", "--block", 32,
                                 "--arg", "unsigned long long:2", "--compiler", compiler)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"riffle: {word} is {BEYOND}\n"))

    @program_alone
    def test_other_errors_stay_the_compilers(self):
        done = self.lint(DECLINES.replace("return has", "return had"))
        self.assertRegex(done.stderr, "^riffle: p.cu:8: .*had")

    @program_alone
    def test_counts_of_multiprocessors_are_none(self):
        """A number after SM is no GPU's where the name says another thing; an error beside a GPU's name is told first."""
        for name in ("kNumSM132", "kNumSM120", "sm120", "SM132", "atoms_sm1000", "sm100x"):
            for compiler in self.compilers():
                done = self.lint(f"__global__ void k(int *a) {{\n    const int {name} = 132; a[threadIdx.x] = {name} + undefined_name;\n}}\n", "--kernel", "k", "--block", 32,
                                 "--arg", "int:32", "--compiler", compiler)
                self.assertEqual((done.returncode, BEYOND in done.stderr), (1, False), done.stderr)
                self.assertRegex(done.stderr, "^riffle: p.cu:2: .*undefined_name")
        for name in ("SM100_bits", "make_sm120_tile", "mma_SM103A", "MainloopSm100Tma", "ClusterSm121"):
            done = self.lint(f"__global__ void k(int *a) {{\n    const int {name} = 132; a[threadIdx.x] = {name} + undefined_name;\n}}\n", "--kernel", "k", "--block", 32,
                             "--arg", "int:32")
            self.assertRegex(done.stderr, f"^riffle: p.cu:2: .*undefined_name.*; {name} there is of Blackwell")

    @program_alone
    def test_programs_that_decline_the_device(self):
        """They launch nothing, and the reason is told; not where they have launched, or nothing of it is in the file."""
        done = self.lint(DECLINES)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"riffle: p.cu:3: SM100_load is {BEYOND}; the program ended with status 3 and launched no kernel\n"))
        done = self.lint(DECLINES.replace("SM100_load", "load_1000"), "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["exit_status"]), (0, 3))
        done = self.lint(ASKS.replace("k(", "atoms100(").replace("k<", "atoms100<") + "struct SM100_load {};\n", "--fail-on", "hazard")
        self.assertEqual((done.returncode, done.stderr), (0, "900"))


if __name__ == "__main__":
    main()
