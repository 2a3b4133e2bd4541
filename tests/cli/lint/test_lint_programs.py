# SPDX-License-Identifier: Apache-2.0
"""riffle lint of whole programs: host code runs, launches are counted, and nothing stays behind."""
import json
import os
import pathlib
import platform
import subprocess
import unittest

from command import COMPILERS, CommandTest, main, program_alone, some

FILE = pathlib.Path(__file__).parent / "lint_program.cu"


class Programs(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))

    def lint(self, *words, file=FILE):
        """The finished command; it must have left nothing behind."""
        done = self.run_riffle("lint", file, *words, env={**os.environ, "TMPDIR": self.path("tmp")})
        self.assertEqual(os.listdir(self.path("tmp")), [])
        return done

    def lint_in_time(self, has_come, *words, file):
        """The command that was stopped, and the seconds: so many that the program had come where it should, since compilers take a busy machine
        longer than six."""
        for seconds in (6, 30, 120, 480):
            done = self.lint("--timeout", seconds, *words, file=file)
            if has_come(done):
                break
        return done, seconds

    def write(self, text):
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        return "p.cu"

    def test_a_program_runs_and_its_launches_are_counted(self):
        """It checks its own results, says what it found, and ends by exit."""
        for compiler in self.compilers():
            done = self.lint("--json", "--compiler", compiler, "--", 500, "x")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.splitlines(),
                             ["riffle: a launch was refused: kernel plain: a block of 2000 x 1 x 1 threads on a machine with "
                              "1024 a block", "found 399, managed 31", "invalid configuration argument"])
            report = json.loads(done.stdout)
            self.assertEqual((report["hazards"], report["exit_status"], report["partial"]), ([], 5, False))
            self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]],
                             [("scale", 3), ("scale<float>", 1), ("deep::count", 1), ("plain", 2)])
            writes = {row["kernel"]: row["requests"] for row in report["rounds"]
                      if row["space"] == "global" and row["op"] == "write"}
            self.assertEqual(writes, {"scale": 3 * 63, "scale<float>": 63, "plain": 4})

    @program_alone
    def test_much_of_cuda_in_several_files(self):
        """The program checks all itself. A texture's sectors: a row of 32 floats has 4, one that begins 3.5 before it 4 as well."""
        for compiler in self.compilers():
            done = self.lint(FILE.parent / "lint_runtime_other.cu", "--json", "--compiler", compiler, file=FILE.parent / "lint_runtime.cu")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            report = json.loads(done.stdout)
            self.assertEqual((report["hazards"], report["exit_status"]), ([], 0))
            self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]],
                             [("sample", 1), ("groups", 1), ("halves", 1), ("waits", 1), ("random", 1), ("product", 1), ("grow<3>", 1),
                              ("grow <1>", 2), ("grow<100>", 2), ("other", 1)])
            self.assertEqual(report["launched"], 13) # grow<0> accesses nothing
            rows = {(row["kernel"], row["line"], row["op"]): row["requests"] for row in report["rounds"]}
            line = (FILE.parent / "lint_runtime.cu").read_text().split("\n").index("    out[x] = tex2D<float>(t, x + 0.5f, 1.5f);") + 1
            self.assertEqual([rows["sample", line, "read"], rows["sample", line + 2, "read"], rows["sample", line + 3, "write"]], [4, 4, 4])
            self.assertEqual({row["file"] for row in report["rounds"] if row["kernel"] == "other"}, {"lint_runtime_other.cu"})

    @program_alone
    def test_defects_of_public_code_are_found(self):
        """docs/lint.md says of each what lint prints."""
        root = FILE.parents[3]
        page = (root / "docs" / "lint.md").read_text()
        for name, status in some((("found_two_launches", 0), ("found_last_warp", 1), ("found_pointers", 0))):
            done = self.lint("--fail-on", "hazard", file=root / "examples" / "lint" / f"{name}.cu")
            said = [line.strip() for line in done.stdout.splitlines() if line.startswith(f"  {name}.cu:")]
            self.assertEqual((done.returncode, len(said)), (1, 1), done.stderr)
            self.assertIn("\n    " + said[0] + "\n", page)
            self.assertIn(f"\nprogram: ended with status {status}\n", done.stdout)
        self.assertIn("\nhazards: 0\nprogram: ended with status 0\n",
                      self.lint("-DFIXED", file=root / "examples" / "lint" / "found_last_warp.cu").stdout)

    def test_launches_behind_a_colon_and_kernels_in_other_letters(self):
        file = self.write("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n__global__ void gr\u00f6\u00dfer(int *a) { a[threadIdx.x] = 1; }\n"
                          "int main(int argc, char **) {\n  int *a;\n  cudaMalloc(&a, 128);\n  argc > 5 ? k<<<1, 32>>>(a):gr\u00f6\u00dfer<<<1, 32>>>(a);\n"
                          "  switch (argc) { case 1:k<<<1, 32>>>(a); }\n}\n")
        for compiler in self.compilers():
            done = self.lint("--json", "--compiler", compiler, file=file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual([(one["kernel"], one["launches"]) for one in json.loads(done.stdout)["launches"]], [("gr\u00f6\u00dfer", 1), ("k", 1)])

    def test_a_process_that_the_program_forks_reports_nothing(self):
        done = self.lint(file=self.write("#include <cstdio>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                                         "int main() {\n  const int child = fork();\n  int status = 0;\n  if (child != 0) wait(&status);\n"
                                         "  fprintf(stderr, child ? \"parent\\n\" : \"child\\n\");\n"
                                         "  return child ? status >> 8 : 7;\n}\n"))
        self.assertEqual((done.returncode, done.stderr, done.stdout.count("hazards: ")), (0, "child\nparent\n", 1))
        self.assertIn("\nprogram: ended with status 7\n", done.stdout)

    def test_what_a_program_leaves_running_is_ended(self):
        """Also where it has left the program's group, and holds the pipe that the report goes through."""
        done = self.lint(file=self.write("#include <cstdio>\n#include <unistd.h>\n"
                                         "int main() {\n  if (fork() == 0) {\n    setsid();\n    if (fork() == 0) for (;;) pause();\n"
                                         "    fprintf(stderr, \"%d\", getpid());\n    for (;;) pause();\n  }\n  sleep(1);\n}\n"))
        self.assertIn("\nprogram: ended with status 0\n", done.stdout)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(done.stderr), 0)

    def test_kernels_and_launches_are_chosen(self):
        report = json.loads(self.lint("--json", "--kernel", "scale", "--launches", 2).stdout)
        self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]], [("scale", 2)])
        report = json.loads(self.lint("--json", "--kernel", "count").stdout)
        self.assertEqual([one["kernel"] for one in report["launches"]], ["deep::count"])
        self.assertRegex(self.lint("--kernel", "plain").stdout, r"\nplain: 2 launches: .*\n(.*\n)*program: ended with status 0\n$")

    def test_what_goes_wrong_is_said(self):
        file = self.write("""#include <cstdio>
__constant__ int unset;
__global__ void k(int *a) {
    a[threadIdx.x + 8] = unset;
    a[threadIdx.x + 8] += a[threadIdx.x];
}
int main() {
    int *a, b[64];
    cudaMalloc(&a, 32 * sizeof *a);
    printf("%d ", cudaMemcpy(a, b, sizeof b, cudaMemcpyHostToDevice));
    printf("%d ", cudaFree(a + 1));
    printf("%d\\n", cudaGetLastError());
    k<<<1, 32>>>(a);
}
""")
        done = self.lint("--fail-on", "hazard", file=file)
        self.assertEqual((done.returncode, done.stderr), (1, "1 1 1\n"))
        for text in ("writes element 32 of a, which has 32", "reads element 0 of a, which nothing has written",
                     "unset (constant memory), a __constant__ that nothing has set"):
            self.assertIn(text, done.stdout)

    def test_host_code_that_crashes_is_reported(self):
        """With what was counted before, and the status that a shell shows. Exceptions of the host's own are its own."""
        file = self.write("""#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <string>
__global__ void k(int *a) { a[threadIdx.x] = 1; }
int main(int argc, char **argv) {
    int *a;
    cudaMalloc(&a, 128);
    k<<<1, 32>>>(a);
    try { std::stoi("x"); } catch (const std::exception &) { puts("caught"); fflush(stdout); }
    if (argc == 2) assert(argc == 1);
    if (argc == 3) *(volatile int *)8 = 1;
    if (argc == 4) throw 1;
    if (argc == 5) abort();
    return 3;
}
""")
        for count, status in ((0, 3), (1, 134), (2, 139), (3, 134), (4, 134)):
            if os.environ.get("SANITIZED") and count:
                continue
            done = self.lint("--json", "--", *["x"] * count, file=file)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stderr.startswith("caught\n"), done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["rounds"][0]["requests"]), (status, 4))

    @unittest.skipUnless(platform.machine() == "x86_64", "other processors do not tell of it")
    @program_alone
    def test_integers_divided_by_zero(self):
        """A GPU goes on, and so does the kernel; the least number by -1 is no hazard. Host code ends as it would without lint."""
        file = self.write("""__global__ void k(int *a, long long *b, const int *by, const short *c) {
    const int t = threadIdx.x;
    a[t] = (t + 7) / by[t];
    a[t + 32] = (t + 7) % by[t];
    b[t] = (t - 7ll) / (long long)by[t + 32];
    a[t + 64] = (int)0x80000000 / by[t + 64];
    a[t + 96] = (unsigned short)c[t] / (unsigned short)(by[t] + c[t + 32]);
}
int main(int argc, char **) {
    int *a, *z;
    long long *b;
    short *c;
    cudaMallocManaged(&a, 512);
    cudaMallocManaged(&z, 512);
    cudaMallocManaged(&b, 512);
    cudaMallocManaged(&c, 128);
    for (int i = 0; i < 32; i++) z[i] = i % 3, z[i + 32] = i % 5, z[i + 64] = -1, c[i] = i, c[i + 32] = 1;
    k<<<1, 32>>>(a, b, z, c);
    for (int i = 0; i < 32; i++) {
        if (i % 3 ? a[i] != (i + 7) / (i % 3) || a[i + 32] != (i + 7) % (i % 3) : a[i] != -1 || a[i + 32] != i + 7) return 1;
        if (b[i] != (i % 5 ? (i - 7) / (i % 5) : -1)) return 2;
        if (a[i + 64] != (int)0x80000000 || a[i + 96] != i / (i % 3 + 1)) return 3;
    }
    return argc == 2 ? argc / z[0] : 0;
}
""")
        for compiler in self.compilers():
            report = json.loads(self.lint("--json", "--compiler", compiler, file=file).stdout)
            self.assertEqual((report["exit_status"], [(one["kind"], one["line"], one["count"]) for one in report["hazards"]]),
                             (0, [("division", 3, 11), ("division", 4, 11), ("division", 5, 7)]))
            if not os.environ.get("SANITIZED"):
                self.assertIn("\nprogram: ended with status 136\n", self.lint("--compiler", compiler, "--", "x", file=file).stdout)
        done = self.lint("--kernel", "k", "--block", 32, *["--arg=int:128", "--arg=long:32", "--arg=int:128", "--arg=short:64"],
                         "--fail-on", "division", file=file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("p.cu:3: division in k: thread (0,0,0) of block (0,0,0) divides an integer by zero", done.stdout)

    @program_alone
    def test_a_program_reads_its_options_anew(self):
        """riffle has read its own before, by the same functions of the C library."""
        done = self.lint("--", "-n", 4, "-h",
                         file=self.write("#include <cstdlib>\n#include <unistd.h>\nint main(int argc, char **argv) {\n  int n = optind == 1 ? 0 : 100;\n"
                                         "  for (int c; (c = getopt(argc, argv, \"n:h\")) != -1;) n += c == 'n' ? atoi(optarg) : 1;\n  return n;\n}\n"))
        self.assertIn("\nprogram: ended with status 5\n", done.stdout)

    def test_however_a_program_ends_it_is_reported(self):
        """With the status that a shell shows; functions of atexit run where they would."""
        file = self.write("""#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
__global__ void k(int *a) { a[threadIdx.x] = 1; }
static int *a;
static void more() { k<<<1, 32>>>(a); }
static int deep(volatile int n) { return n != 0 ? deep(n + 1) + n : 0; }
int main() {
    cudaMalloc(&a, 128);
    k<<<1, 32>>>(a);
    atexit(more);
    END;
}
""")
        for end, status, launches in some([("_exit(7)", 7, 1), ("_Exit(8)", 8, 1), ("quick_exit(9)", 9, 1), ("exit(-1)", 255, 2), ("return 256", 0, 2),
                                      ("return deep(1)", 139, 1), ("raise(SIGTERM)", 143, 1), ("alarm(1); pause()", 142, 1),
                                      ("int p[2]; if (pipe(p) == 0) close(p[0]); write(p[1], p, 1)", 141, 1),
                                      ("signal(SIGTERM, SIG_IGN); raise(SIGTERM); return 4", 4, 2),
                                      ("int s; printf(\"once\"); if (fork() == 0) _exit(3); wait(&s); _exit(WEXITSTATUS(s))", 3, 1),
                                      ("int s; if (fork() == 0) raise(SIGTERM); wait(&s); return WIFSIGNALED(s) ? WTERMSIG(s) : 1", 15, 2)]):
            if os.environ.get("SANITIZED") and 128 < status < 255:
                continue
            done = self.lint("--json", f"-DEND={end}", file=file)
            self.assertEqual(done.returncode, 0, (end, done.stderr))
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], [one["launches"] for one in report["launches"]]), (status, [launches]), end)
            self.assertLessEqual(done.stderr.count("once"), 1)

    def test_threads_of_the_host_launch(self):
        """Each has shared memory of its own, and waits for the others; one may end the program. OpenMP's do likewise."""
        file = FILE.parent / "lint_threads.cu"
        done = self.lint("--json", "--fail-on", "hazard", file=file)
        self.assertEqual((done.returncode, done.stderr), (0, "all right\n"))
        report = json.loads(done.stdout)
        self.assertEqual((report["exit_status"], report["launches"][0]["launches"]), (0, 43))
        self.assertEqual({(row["warps"], row["requests"]) for row in report["rounds"] if row["space"] == "shared"}, {(40 * 32 + 6, 40 * 32 + 6)})
        self.assertIn("\nprogram: ended with status 7\n", self.lint("-DENDS", file=file).stdout)
        if "g++" in COMPILERS:
            self.assertEqual(json.loads(self.lint("--json", "--compiler", "g++ -fopenmp", file=file).stdout)["exit_status"], 0)

    @program_alone
    def test_threads_that_main_leaves_behind(self):
        """They go on where the machine and the code still are, while the report is printed."""
        file = self.write("#include <atomic>\n#include <thread>\n__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
                          "static std::atomic<int> turns;\n"
                          "static void work(int *a) { for (;;) { k<<<1, 32>>>(a); turns++; } }\n"
                          "int main() {\n    int *a;\n    cudaMalloc(&a, 128);\n    for (int i = 0; i < 3; i++) std::thread(work, a).detach();\n"
                          "    while (turns < 9) std::this_thread::yield();\n    return 3;\n}\n")
        for _ in range(3):
            done = self.lint("--json", file=file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["rounds"][0]["requests"] >= 9 * 4), (3, True))

    @program_alone
    def test_a_launch_that_main_leaves_behind(self):
        """It is counted to its end, though main has returned in its first block; blocks sleep, so that half a second is left of it then."""
        file = self.write("#include <thread>\n#include <unistd.h>\n"
                          "__global__ void k(volatile int *a) { a[blockIdx.x] = 1; usleep(50000); a[blockIdx.x] = 2; }\n"
                          "int main() {\n    int *a;\n    cudaMallocManaged(&a, 64);\n    volatile int *seen = a;\n    *seen = 0;\n"
                          "    std::thread([=] { k<<<10, 1>>>(a); }).detach();\n    while (*seen == 0) std::this_thread::yield();\n    return 3;\n}\n")
        done = self.lint("--json", file=file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertEqual((report["exit_status"], report["partial"], report["run_blocks"], sum(row["requests"] for row in report["rounds"])), (3, False, 10, 20))

    def test_blocks_that_are_not_counted(self):
        """run as the others do: their results are there, and threads that wait for each other's are given their turn."""
        file = self.write("""#include <cstdio>
__constant__ int by = 3;
__global__ void k(int *a, int n) {
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 63) ready = 1;
    while (threadIdx.x == 0 && ready == 0) {}
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x) a[i] = by * i;
    atomicAdd(&a[n], 1);
}
int main() {
    int *a, n = 64 * 1000, wrong = 0, h;
    cudaMallocManaged(&a, (n + 1) * sizeof(int));
    memset(a, 0, (n + 1) * sizeof(int));
    k<<<100, 64>>>(a, n);
    for (int i = 0; i < n; i++) wrong += a[i] != 3 * i;
    return wrong == 0 && a[n] == 6400 ? 0 : 1;
}
""")
        for compiler in self.compilers():
            report = json.loads(self.lint("--json", "--accesses", 600, "--compiler", compiler, file=file).stdout)
            self.assertEqual((report["exit_status"], report["blocks"]), (0, 100))
            self.assertLess(report["counted_blocks"], 3)
            self.assertIn("by (constant memory)", {row["array"] for row in report["rounds"]})

    @program_alone
    def test_inline_ptx(self):
        """The program compares its results with C++'s; loads and stores are accesses at their line, of their width."""
        file = FILE.parent / "lint_ptx.cu"
        lines = file.read_text().split("\n")
        for compiler in self.compilers():
            done = self.lint("--json", "--compiler", compiler, file=file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            report = json.loads(done.stdout)
            self.assertEqual((report["hazards"], report["exit_status"]), ([], 0))
            rows = {(row["line"], row["space"], row["op"]): (row["cell_bytes"], row["requests"])
                    for row in report["rounds"] if row["kernel"] == "memory"}
            for text, space, op, counted in [("ld.global.nc.v4", "global", "read", (16, 16)), ("st.shared.v4", "shared", "write", (16, 4)),
                                             ("ld.shared.f32", "shared", "read", (4, 4)), ("cp.async.cg", "shared", "write", (16, 4)),
                                             ("red.global.add", "global", "atomic", (4, 32))]:
                number = next(k for k, line in enumerate(lines, 1) if text in line)
                self.assertEqual(rows[number, space, op], counted, text)

    @program_alone
    def test_more_of_cuda(self):
        """The program compares with plain C++: vectors of halves, words of four bytes, complex numbers, textures, helper_math.h."""
        for compiler in self.compilers():
            done = self.lint("--json", "--compiler", compiler, file=FILE.parent / "lint_more.cu")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            report = json.loads(done.stdout)
            self.assertEqual((report["hazards"], report["exit_status"]), ([], 0))

    @program_alone
    def test_what_nvcc_takes_of_host_code(self):
        """Headers that it includes by itself, functions that return without a value, libraries by -l, of which CUDA's are supplied."""
        file = self.write("#include <cuda/std/array>\n#include <cuda/std/type_traits>\n#include <nvml.h>\n#include <cuda_fp8.h>\n"
                          "extern \"C\" int twice(int);\n"
                          "static_assert(cuda::std::is_same<cuda::std::array<int, 2>::value_type, int>::value, \"\");\n"
                          "__global__ void k(int *a) { cuda::std::array<int, 2> b{1, 2}; a[0] = (int)clock() + b[1]; }\n"
                          "__global__ void named(const __nv_fp8_e4m3 *a, const __nv_fp8_e4m3 *b, float *c) {\n  __shared__ __nv_fp8_e4m3 as[2];\n"
                          "  as[threadIdx.x] = a == b ? a[threadIdx.x] : b[0];\n"
                          "  __syncthreads();\n  if (threadIdx.x == 0) c[0] = (float)as[1];\n}\n"
                          "int perhaps(int a) {\n  if (a == 0) return;\n  return a;\n}\n"
                          "bool is_device() {\n  nvmlDevice_t d;\n  nvmlMemory_t m;\n  unsigned watts;\n"
                          "  if (nvmlDeviceGetHandleByIndex(0, &d) != NVML_ERROR_UNINITIALIZED || nvmlInit() != NVML_SUCCESS) return false;\n"
                          "  return nvmlDeviceGetHandleByIndex(0, &d) == NVML_SUCCESS && nvmlDeviceGetMemoryInfo(d, &m) == NVML_SUCCESS && m.total > m.used &&\n"
                          "         nvmlDeviceGetPowerUsage(d, &watts) == NVML_ERROR_NOT_SUPPORTED && nvmlShutdown() == NVML_SUCCESS;\n}\n"
                          "int main() {\n  int *a;\n  if (!is_device()) return 7;\n  srand((unsigned)time(NULL));\n  printf(\"%d\\n\", twice(abs(-1)) + perhaps(1));\n"
                          "  cudaMalloc(&a, 4);\n  k<<<1, 1>>>(a);\n  auto *e = (__nv_fp8_e4m3 *)a;\n  named<<<1, 2>>>(e, e, (float *)a);\n  return cudaDeviceSynchronize();\n}\n")
        os.mkdir(self.path("libs"))
        with open(self.path("libs/twice.c"), "w", encoding="utf-8") as source:
            source.write("int twice(int a) { return 2 * a; }\n")
        subprocess.run(["cc", "-fPIC", "-c", "twice.c"], cwd=self.path("libs"), check=True)
        subprocess.run(["ar", "rc", "libtwice.a", "twice.o"], cwd=self.path("libs"), check=True)
        for compiler in self.compilers():
            done = self.lint("--compiler", compiler, "-L", "libs", "-ltwice", "-lcudart", "--library", "nvidia-ml", file=file)
            self.assertEqual((done.returncode, done.stderr), (0, "3\n"))
            self.assertRegex(done.stdout, r"shared +write +as  ")
            for words, message in [(("-l", "twice"), "no library 'twice' for -l; name its folder by -L"),
                                   (("-L", "libs"), "nothing defines twice; give the files that do, or the library by -l")]:
                done = self.lint("--compiler", compiler, *words, file=file)
                self.assertEqual((done.returncode, done.stderr), (1, f"riffle: {message}\n"))
        done = self.lint("-l", "", file=file)
        self.assertEqual((done.returncode, done.stderr), (2, "riffle: option -l: empty\n"))

    @program_alone
    def test_launches_by_a_structure(self):
        """cudaLaunchKernelEx converts arguments, heeds what is cooperative, and what clusters it wants; a kernel that it has by address has its own name."""
        file = self.write("#include <cooperative_groups.h>\n"
                          "namespace n { template <class T> __global__ void fill(T *a, T v) { a[threadIdx.x] = v; cooperative_groups::this_grid().sync(); } }\n"
                          "int main() {\n  int *a;\n  cudaMalloc(&a, 128);\n  cudaLaunchAttribute one[1];\n  one[0].id = cudaLaunchAttributeCooperative;\n"
                          "  one[0].val.cooperative = 1;\n  cudaLaunchConfig_t with = {};\n  with.gridDim = 1;\n  with.blockDim = 32;\n  with.attrs = one;\n"
                          "  with.numAttrs = 1;\n  if (cudaLaunchKernelEx(&with, n::fill<int>, a, short(7)) != cudaSuccess) return 1;\n"
                          "  int b[32];\n  cudaMemcpy(b, a, 128, cudaMemcpyDeviceToHost);\n  if (b[31] != 7) return 2;\n"
                          "  one[0].id = cudaLaunchAttributeClusterDimension;\n  one[0].val.clusterDim = {2, 1, 1};\n"
                          "  return cudaLaunchKernelEx(&with, n::fill<int>, a, 8) == cudaErrorInvalidConfiguration ? 0 : 3;\n}\n")
        for compiler in self.compilers():
            done = self.lint("--json", "--compiler", compiler, file=file)
            self.assertEqual((done.returncode, done.stderr), (0, "riffle: a launch was refused: kernel fill: clusters of 2 x 1 x 1 blocks "
                             "in a grid of 1 x 1 x 1: a grid is made of whole clusters\n"))
            report = json.loads(done.stdout)
            self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]], [("fill", 1)])
            self.assertEqual((report["hazards"], report["exit_status"]), ([], 0))

    @program_alone
    def test_tensor_cores_in_inline_ptx(self):
        """The program compares with sums. ldmatrix reads 16 bytes a lane: rows of 32 bytes collide in pairs, rows of 16 do not; stmatrix writes so."""
        for compiler in self.compilers():
            done = self.lint("--json", "--compiler", compiler, file=FILE.parent / "lint_mma.cu")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            report = json.loads(done.stdout)
            self.assertEqual((report["hazards"], report["exit_status"]), ([], 0))
            counted = [(row["array"], row["op"], row["requests"], row["ideal_requests"]) for row in report["rounds"]
                       if row["space"] == "shared" and row["cell_bytes"] == 16]
            self.assertEqual(sorted(counted), [("a", "read", 8, 4)] * 2 + [("b", "read", 2, 2)] * 2 + [("tile", "write", 2, 2), ("tile", "write", 4, 4)])

    @program_alone
    def test_thrust_around_a_kernel(self):
        """The program checks its results; what Thrust does is no launch. g++ once took minutes to inline std::sort's recursion."""
        done = self.lint("--json", "--compiler", COMPILERS[0], file=FILE.parent / "lint_thrust.cu")
        self.assertEqual((done.returncode, done.stderr), (0, "riffle: Thrust's algorithms are done by the host, and not counted\n"))
        report = json.loads(done.stdout)
        self.assertEqual((report["hazards"], report["exit_status"]), ([], 0))
        self.assertEqual([(one["kernel"], one["launches"]) for one in report["launches"]], [("scale", 2)])

    def test_what_was_counted_in_time_is_reported(self):
        """Everywhere marked as partial, and no success."""
        file = self.write("#include <cstdio>\n#include <unistd.h>\n__global__ void k(int *a) { a[2 * threadIdx.x] = 1; }\n"
                          "int main() {\n  int *a;\n  cudaMalloc(&a, 256);\n  k<<<1, 32>>>(a);\n  for (;;) pause();\n}\n")
        done, seconds = self.lint_in_time(lambda done: done.stdout, "--json", "--sarif", "s.json", "--html", "h.html", file=file)
        self.assertEqual((done.returncode, done.stderr), (1, f"riffle: p.cu: not done after {seconds} seconds; allow more with --timeout\n"))
        report = json.loads(done.stdout)
        self.assertEqual([report[name] for name in ("exit_status", "launched", "not_done_after", "partial")], [None, 1, seconds, True])
        self.assertEqual(report["rounds"][0]["requests"], 8)
        with open(self.path("s.json"), encoding="utf-8") as document:
            invocation = json.load(document)["runs"][0]["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        says = f"not done after {seconds} seconds; the rows have what was counted until then"
        self.assertEqual([one["message"]["text"] for one in invocation["toolExecutionNotifications"]], ["partial: " + says])
        with open(self.path("h.html"), encoding="utf-8") as document:
            self.assertIn("Partial: " + says, document.read())

    def test_a_kernel_that_is_left_out_is_named(self):
        """It comes to no access, so that nobody can stop it; what ran before it is reported, and where nothing did, it is named all the same. It
        sleeps, which leaves the processor to others: test_lint.py has one that does not."""
        text = ("#include <unistd.h>\n__global__ void k(int *a) { a[2 * threadIdx.x] = 1; }\n"
                "template <int N> __global__ void spins() { for (;;) usleep(1000); }\n"
                "int main() {\n  int *a;\n  cudaMalloc(&a, 256);\n  if (FIRST) k<<<1, 32>>>(a);\n  spins<3><<<1, 1>>>();\n}\n")
        is_named = lambda done: "spins" in done.stderr
        done, seconds = self.lint_in_time(is_named, "--json", "--sarif", "s.json", "--html", "h.html", "-DFIRST=1", file=self.write(text))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, f"riffle: p.cu: not done after {seconds} seconds, in the kernel spins<3>; allow more with --timeout\n")
        report = json.loads(done.stdout)
        self.assertEqual((report["left_out"], [one["kernel"] for one in report["launches"]]), ("spins<3>", ["k"]))
        says = "the rows have what was counted until then, but nothing of the launch of spins<3> that was running, which came to no access for two seconds"
        with open(self.path("s.json"), encoding="utf-8") as document:
            self.assertIn(says, json.load(document)["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        with open(self.path("h.html"), encoding="utf-8") as document:
            self.assertIn(says.replace("<3>", "&lt;3&gt;"), document.read())
        done, seconds = self.lint_in_time(is_named, "-DFIRST=0", file=self.write(text))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"not done after {seconds} seconds, in the kernel spins<3>; ", done.stderr)

    def test_accesses_beyond_a_number_are_not_counted(self):
        """To the end of the block in which it is reached: a block makes 160. Blocks that are unseen run all the same."""
        file = self.write("""__global__ void k(int *a, const int *b) {
    __shared__ int s[32];
    s[31 - threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    a[32 * blockIdx.x + threadIdx.x] += s[threadIdx.x];
}
__global__ void once(int *a) { a[threadIdx.x] = 1; }
int main() {
    int *a, *b, back[2048];
    cudaMalloc(&a, sizeof back);
    cudaMalloc(&b, 128);
    cudaMemset(a, 0, sizeof back);
    once<<<1, 32>>>(b);
    for (int i = 0; i < 3; i++) k<<<64, 32>>>(a, b);
    cudaMemcpy(back, a, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2048; i++) if (back[i] != 3) return 1;
    return 0;
}
""")
        report = json.loads(self.lint("--json", "--accesses", 600, file=file).stdout)
        self.assertEqual([report[name] for name in ("exit_status", "blocks", "counted_blocks", "launched", "hazards")], [0, 193, 5, 4, []])
        self.assertEqual({row["requests"] for row in report["rounds"] if row["kernel"] == "k" and row["space"] == "global"}, {16})
        self.assertIn("\nsampled: 5 of 193 blocks were counted; how sure they are is not known of 5 rows; hazards were looked for in all; "
                      "see --accesses, --checks and --work\n",
                      self.lint("--accesses", 600, file=file).stdout)
        report = json.loads(self.lint("--json", "--accesses", 600, "--checks", 600, file=file).stdout)
        self.assertEqual([report[name] for name in ("exit_status", "run_blocks", "checked_blocks", "counted_blocks")], [0, 193, 8, 5])
        self.assertEqual(json.loads(self.lint("--json", "--accesses", 0, file=file).stdout)["counted_blocks"], 193)

    def test_programs_that_cannot_be_run(self):
        for text, says in [("__global__ void k() {}\n", "p.cu: has no main; give the files that have it too"),
                           ("int main() { return missing; }\n", "p.cu:1: .*missing"),
                           ("__global__ void k() { exit(3); }\nint main() { k<<<1, 1>>>(); }\n", "ended the process, with status 3")]:
            done = self.lint(file=self.write(text))
            self.assertEqual((done.returncode, done.stdout), (1, ""), text)
            self.assertRegex(done.stderr, says)

    def test_wrong_command_lines(self):
        for words, says in [(["--block", 32], "no kernel given; say which with --kernel NAME, or leave out --block"),
                            (["--kernel", "k", "--arg", "int=3"], "no block given; say how many threads with --block"),
                            (["--kernel", "k", "--block", 1, "--", "x"], "what stands behind -- is a program's"),
                            (["--kernel", "k", "--block", 1, "--launches", 1], "option --launches: is for whole programs"),
                            (["--launches", 0], "option --launches: '0' is no number")]:
            done = self.lint(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    main()
