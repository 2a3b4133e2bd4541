# SPDX-License-Identifier: Apache-2.0
"""riffle lint of host code that CUDA would refuse, or that nothing defines: calls return what CUDA's do, and the report names their lines."""
import json
import re

from command import CommandTest, main

REFUSED = """#include <cstdio>
__global__ void k(int *a) { a[threadIdx.x] = 1; }
int main() {
    int *a, *b, *both, host[32] = {5}, other[32];
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMallocManaged(&both, 128);
    fprintf(stderr, "%d ", cudaMemset(host, 0, 128));
    fprintf(stderr, "%d %d ", host[0], cudaGetLastError());
    fprintf(stderr, "%d ", cudaMemcpy(a, host, 128, cudaMemcpyDeviceToHost));
    fprintf(stderr, "%d ", cudaMemcpy(host, a, 128, cudaMemcpyHostToDevice));
    fprintf(stderr, "%d ", cudaMemcpy(a, host, 128, cudaMemcpyDeviceToDevice));
    fprintf(stderr, "%d ", cudaMemcpy(host, other, 128, cudaMemcpyHostToDevice));
    fprintf(stderr, "%d ", cudaMemcpy(a, host, 128, (cudaMemcpyKind)7));
    fprintf(stderr, "%d ", cudaMemcpy2D(a, 64, host, 64, 65, 1, cudaMemcpyHostToDevice));
    cudaFree(b);
    fprintf(stderr, "%d ", cudaMemcpy(b, host, 128, cudaMemcpyHostToDevice));
    fprintf(stderr, "%d ", cudaFree(b));
    fprintf(stderr, "%d", cudaMemcpy(a, host, 128, cudaMemcpyHostToDevice));
    fprintf(stderr, "%d", cudaMemcpy(other, a, 128, cudaMemcpyDefault));
    fprintf(stderr, "%d", cudaMemcpy(both, a, 128, cudaMemcpyDeviceToDevice));
    fprintf(stderr, "%d", cudaMemcpy(both, host, 128, cudaMemcpyHostToHost));
    fprintf(stderr, "%d", cudaMemcpy(other, both, 128, cudaMemcpyHostToHost));
    fprintf(stderr, "%d", cudaMemset(both, 0, 128));
    return other[0];
}
"""
REGISTERED = """#include <cstdio>
static int fixed[32];
__global__ void add(int *a) { a[threadIdx.x] += threadIdx.x; }
int main(int argc, char **) {
    int *host = new int[64], *seen, *pinned, *device;
    cudaMallocHost(&pinned, 128);
    cudaMalloc(&device, 128);
    for (int k = 0; k < 64; k++) host[k] = k;
    fprintf(stderr, "%d ", cudaHostRegister(host, 128, cudaHostRegisterMapped));
    cudaHostGetDevicePointer(&seen, host, 0);
    add<<<1, 32>>>(seen);
    cudaDeviceSynchronize();
    fprintf(stderr, "%d ", host[31]);
    fprintf(stderr, "%d ", cudaHostRegister(host + 16, 128, cudaHostRegisterDefault));
    fprintf(stderr, "%d ", cudaHostRegister(pinned, 128, cudaHostRegisterDefault));
    fprintf(stderr, "%d ", cudaHostRegister(device, 128, cudaHostRegisterDefault));
    fprintf(stderr, "%d ", cudaHostRegister(nullptr, 128, cudaHostRegisterDefault));
    fprintf(stderr, "%d ", cudaHostRegister(host, 0, cudaHostRegisterDefault));
    fprintf(stderr, "%d ", cudaHostRegister(host, 128, 64));
    fprintf(stderr, "%d ", cudaFree(host));
    fprintf(stderr, "%d ", cudaHostUnregister(host + 1));
    fprintf(stderr, "%d ", cudaHostUnregister(host));
    fprintf(stderr, "%d ", cudaHostUnregister(host));
    fprintf(stderr, "%d", cudaHostRegister(fixed, 128, cudaHostRegisterMapped));
    fprintf(stderr, "%d", cudaHostUnregister(fixed));
    if (argc == 1) return 0;
    add<<<1, 32>>>(seen);
}
"""
# Beside each part stands what an H200 returned (CUDA 13.0).
MEASURED = """#include <cstdio>
__constant__ int table[8];
__device__ int plain[8];
__global__ void k(int *a, int far) { a[threadIdx.x + far] = 1; }
#define P(call) fprintf(stderr, "%d ", (int)(call))
int main() {
    int *d, *e, *p, *m, h[64] = {3};
    cudaMalloc(&d, 128);
    cudaMalloc(&e, 128);
    cudaMallocHost(&p, 128);
    cudaMallocManaged(&m, 128);
    P(cudaMemcpyToSymbol(table, h, 32)); // 0 1 0 0 0 1 21
    P(cudaMemcpyToSymbol(table, h, 36));
    P(cudaMemcpyToSymbol(table, d, 32, 0, cudaMemcpyHostToDevice));
    P(cudaMemcpyToSymbol(plain, d, 32, 0, cudaMemcpyDeviceToDevice));
    P(cudaMemcpyFromSymbol(h, plain, 32));
    P(cudaMemcpyFromSymbol(h, plain, 32, 4));
    P(cudaMemcpyFromSymbol(h, table, 32, 0, cudaMemcpyHostToDevice));
    P(cudaMemcpyAsync(p, d, 128, cudaMemcpyHostToDevice, 0)); // 0 0
    P(cudaMemcpyAsync(p, m, 128, cudaMemcpyHostToHost));
    cudaPointerAttributes of;
    for (const void *at : {(void *)h, (void *)(d + 3), (void *)p, (void *)m}) { // 0 0 0 2 0 1 0 3
        P(cudaPointerGetAttributes(&of, at));
        P(of.type);
    }
    cudaEvent_t begin, end;
    float ms;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    P(cudaEventElapsedTime(&ms, begin, end)); // 400
    cudaGetLastError();
    k<<<1, 32, 49 << 10>>>(d, 0); // 1
    P(cudaGetLastError());
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
    k<<<1, 32, 100 << 10>>>(d, 0); // 0
    P(cudaGetLastError());
    P(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10)); // 1 1 0
    P(cudaMalloc((void **)nullptr, 4));
    P(cudaFree(nullptr));
    for (int *at : {h, d + 1, d, d}) P(cudaFree(at)); // 1 1 0 1
    P(cudaFreeHost(e)); // 1 1 0 1 0
    P(cudaFree(p));
    P(cudaFreeHost(p));
    P(cudaFreeHost(p));
    P(cudaFree(m));
    cudaGetLastError();
    k<<<1, 32>>>(e, 1 << 28); // 0 700 700 700 700 0 0 0
    P(cudaPeekAtLastError());
    P(cudaStreamSynchronize(0));
    P(cudaEventSynchronize(end));
    P(cudaMalloc(&d, 4));
    P(cudaGetLastError());
    P(cudaGetLastError());
    P(cudaDeviceReset());
    P(cudaGetLastError());
}
"""
FAULTS = """#include <cstdio>
__global__ void k(int *a, int far) { a[threadIdx.x + far] = 1; }
int main() {
    int *a, host[32];
    cudaMalloc(&a, 128);
    k<<<1, 2000>>>(a, 0);
    fprintf(stderr, "%d ", cudaDeviceSynchronize());
    fprintf(stderr, "%d ", cudaGetLastError());
    fprintf(stderr, "%d ", cudaGetLastError());
    k<<<1, 32>>>(a, 0);
    k<<<1, 32>>>(a, 1 << 28);
    fprintf(stderr, "%d ", cudaGetLastError());
    fprintf(stderr, "%d ", cudaDeviceSynchronize());
    fprintf(stderr, "%d ", cudaGetLastError());
    fprintf(stderr, "%d ", cudaGetLastError());
    fprintf(stderr, "%d ", cudaMemcpy(host, a, 128, cudaMemcpyDeviceToHost));
    fprintf(stderr, "%d", cudaFree(a));
}
"""
NOWHERE = """__global__ void k(int *a) { a[threadIdx.x] = 1; }
extern int elsewhere(int, float *);
extern "C" int plain_elsewhere(void);
int main(int argc, char **) {
    int *a;
    cudaMalloc(&a, 128);
    for (int n = 0; n < 1 << 20; n++) k<<<1, 32>>>(a);
    return argc > 5 ? elsewhere(argc, nullptr) : plain_elsewhere();
}
"""


RETURNS = """#include <cstdio>
struct pair { int a, b; };
__global__ void k(int *a) { a[threadIdx.x] = 1; }
int setup(int **a) { cudaMalloc(a, 128); }
static bool run(int *a)
{
\tif (a == nullptr) return true;
\tk<<<1, 32>>>(a);
}
float nothing() { } double neither() { }
template <class T> T *pointer() { puts(""); }
pair both(int n) { if (n) return {n, n}; }
int main() {
    int *a;
    setup(&a);
    run(a);
    nothing(), neither(), pointer<int>(), both(0);
    fprintf(stderr, "came to the end");
    return 4;
}
"""


class Calls(CommandTest):
    def lint(self, text, *words):
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.run_riffle("lint", "p.cu", *words)

    def test_calls_that_are_refused(self):
        """Nothing is written by them; memory of both sides is taken as either."""
        for compiler in self.compilers():
            done = self.lint(REFUSED, "--json", "--compiler", compiler)
            self.assertEqual((done.returncode, done.stderr), (0, "1 5 1 1 1 1 1 21 12 1 1 000000"))
            report = json.loads(done.stdout)
            self.assertEqual(report["exit_status"], 5)
            self.assertEqual([one["line"] for one in report["refused"]], [8, 10, 11, 12, 13, 14, 15, 17, 18])
        done = self.lint(REFUSED)
        self.assertIn("\nrefused: p.cu:8: cudaMemset returns cudaErrorInvalidValue: the memory is the host's\n", done.stdout)
        self.assertIn("\nrefused: p.cu:10: cudaMemcpy returns cudaErrorInvalidValue: cudaMemcpyDeviceToHost, but the destination is the device's memory "
                      "and the source the host's\n", done.stdout)
        self.assertIn("\nrefused: p.cu:18: cudaFree returns cudaErrorInvalidValue: the memory is freed\n", done.stdout)

    def test_what_an_h200_returns(self):
        done = self.lint(MEASURED, "--json")
        self.assertEqual((done.returncode, re.sub("riffle: .*\n", "", done.stderr).split()),
                         (0, "0 1 0 0 0 1 21 0 0 0 0 0 2 0 1 0 3 400 1 0 1 1 0 1 1 0 1 1 1 0 1 0 0 700 700 700 700 0 0 0".split()))

    def test_memory_that_is_registered(self):
        """It is both sides' until it is given back."""
        for compiler in self.compilers():
            done = self.lint(REGISTERED, "--json", "--compiler", compiler)
            self.assertEqual((done.returncode, done.stderr), (0, "0 62 712 712 1 1 1 1 1 713 0 713 00"))
            report = json.loads(done.stdout)
            self.assertEqual(report["hazards"], [])
            self.assertEqual([one["line"] for one in report["refused"]], [14, 15, 16, 17, 18, 19, 20, 21, 23])
            report = json.loads(self.lint(REGISTERED, "--json", "--compiler", compiler, "--", "again").stdout)
            self.assertEqual([(one["kind"], one["line"]) for one in report["hazards"]], [("out-of-bounds", 3)])
            self.assertIn("it is the host's own memory", report["hazards"][0]["text"])

    def test_errors_that_come_later(self):
        """A launch that is refused is an error of the launch's; one that no GPU survives comes where the program waits, and stays."""
        done = self.lint(FAULTS, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.split("\n")[-1], "0 9 0 0 700 700 0 700 700")
        report = json.loads(done.stdout)
        self.assertEqual([one["line"] for one in report["refused"]], [6])
        self.assertEqual([one["kind"] for one in report["hazards"]], ["out-of-bounds"])

    def test_functions_that_end_without_a_value(self):
        """nvcc warns of them, and they return: an optimizing compiler lets them run into what lies behind."""
        for compiler in self.compilers():
            done = self.lint(RETURNS, "--json", "--compiler", compiler)
            self.assertEqual((done.returncode, done.stderr.strip()), (0, "came to the end"))
            report = json.loads(done.stdout)
            self.assertEqual((report["exit_status"], report["hazards"], report["rounds"][0]["line"]), (4, [], 3))

    def test_functions_that_nothing_defines(self):
        """They are named before the program runs, which would take minutes."""
        done = self.lint(NOWHERE)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^riffle: nothing defines (elsewhere\(int, float\*\), plain_elsewhere|plain_elsewhere, elsewhere\(int, float\*\)); "
                                      r"give the files that do, or the library by -l\n$")


class Standards(CommandTest):
    def test_standards(self):
        """nvcc has C++20 and not C++23."""
        with open(self.path("p.cu"), "w", encoding="utf-8") as file:
            file.write("#include <type_traits>\ntemplate <class T> requires std::is_integral_v<T> __global__ void k(T *a) { a[threadIdx.x] = 1; }\n"
                       "int main() {\n  int *a;\n  cudaMalloc(&a, 128);\n  k<<<1, 32>>>(a);\n}\n")
        for compiler in self.compilers():
            for standard in ("c++20", "gnu++20"):
                done = self.run_riffle("lint", "p.cu", "--std", standard, "--compiler", compiler, "--fail-on", "hazard")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.run_riffle("lint", "p.cu", "--compiler", compiler).returncode, 1)
        done = self.run_riffle("lint", "p.cu", "--std", "c++23")
        self.assertEqual((done.returncode, done.stderr), (1, "riffle: 'c++23' is no standard of C++ that nvcc compiles; write c++17 or c++20\n"))


if __name__ == "__main__":
    main()
