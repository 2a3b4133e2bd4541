# SPDX-License-Identifier: Apache-2.0
"""riffle lint --nvcc: accesses are made one as wide as nvcc's are. Scripts stand in for nvcc and nvdisasm, and print code as nvdisasm
does; the last test asks the real ones, where both are installed."""
import json
import os
import pathlib
import shutil

from command import CommandTest, main

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples/lint"

KERNELS = """__global__ void product(float *c, const float *a, const float *b) {
    __shared__ float as[32][32], bs[32][32];
    as[threadIdx.y][threadIdx.x] = a[32 * threadIdx.y + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[32 * threadIdx.y + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; k++)
        sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    c[32 * threadIdx.y + threadIdx.x] = sum;
}
__global__ void rows(float *c, const float *a, const float *b) {
    for (int k = 0; k < 6; k++)
        c[8 * threadIdx.x + k] = a[8 * threadIdx.x + k + 1];
}
__global__ void components(float2 *c, const float2 *a, const float *b) {
    c[threadIdx.x].x = a[threadIdx.x].x + a[threadIdx.x].y;
}
"""

PRODUCT = """
	.section	.text._Z7productPfPKfS1_,"ax",@progbits
	//## File "/a \\"b/other.h", line 8
        /*0100*/                   LDS.128 R12, [R7] ;
	//## File "/somewhere/k.cu", line 8 inlined at "/somewhere/k.cu", line 80
        /*02b0*/                   LDS R10, [R3] ;
        /*02c0*/              @!P0 LDS.128 R12, [R7] ;
	//## File "/somewhere/k.cu", line 9
        /*02d0*/                   STG.E desc[UR8][R8.64], R29 ;
"""

ROWS = """
	//## File "/somewhere/k.cu", line 13
        /*0000*/              @P1  LDG.E.64.CONSTANT R2, desc[UR4][R2.64] ;
        /*0010*/                   LDG.E R3, desc[UR4][R2.64+0x8] ;
        /*0020*/                   STG.E.128 desc[UR8][R8.64], R29 ;
"""


NEIGHBOURS = """__global__ void pairs(float *c, const float *a, const float *b) {
    float x = a[2 * threadIdx.x];
    float y = a[2 * threadIdx.x + 1];
    c[threadIdx.x] = x * y;
}
__global__ void branches(float *c, const float *a, const float *b) {
    if (threadIdx.x == 0) {
        c[2 * threadIdx.x + 1] = 0;
    } else {
        c[2 * threadIdx.x + 1] = a[threadIdx.x];
    }
}
__global__ void taps(float *c, const float *a, const float *b) {
    float sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            sum += a[32 * (i + j) + threadIdx.x];
    c[threadIdx.x] = sum;
}
__global__ void weights(float *c, const float *a, const float *b) {
    for (int i = 0; i < 4; i++) {
        float sum = 0;
        for (int j = 0; j < 8; j++)
            sum += a[32 * j + threadIdx.x];
        c[32 * i + threadIdx.x] = sum;
    }
}
__global__ void sums(float *c, const float *a, const float *b) {
    __shared__ float part[32];
    part[threadIdx.x] = 0;





    for (int i = 0; i < 8; i++)
        part[threadIdx.x] += a[32 * i + threadIdx.x];





    __syncthreads();
    c[threadIdx.x] = part[31 - threadIdx.x];
}
"""


def code_of(*lines):
    """Code at lines of k.cu; what is no number and instruction stands as it is."""
    text = "\n\t.section\t.text.kernel,\"ax\",@progbits\n"
    for line in lines:
        text += line + "\n" if isinstance(line, str) else f'\t//## File "/k.cu", line {line[0]}\n        /*0000*/  {line[1]} ;\n'
    return text


class Widths(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("k.cu", KERNELS)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def tools(self, code, nvcc="touch \"$7\""):
        """A folder's nvcc, and an nvdisasm beside it that prints this."""
        os.makedirs(self.path("bin"), exist_ok=True)
        self.write("code", code)
        self.write("bin/nvcc", f"#!/bin/sh\n{nvcc}\n", 0o755)
        self.write("bin/nvdisasm", f"#!/bin/sh\ncat '{self.path('code')}'\n", 0o755)
        return "--nvcc", self.path("bin/nvcc")

    def lint(self, kernel, block, *options, element="float"):
        return self.run_riffle("lint", "k.cu", "--kernel", kernel, "--block", block, "--arg", element + ":1024", "--arg",
                               element + ":1024:zero", "--arg", "float:1024:zero", *options)

    def rows(self, *arguments, **options):
        done = self.lint(*arguments, "--json", **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {(row["line"], row["array"], row["op"]): row for row in json.loads(done.stdout)["rounds"]}

    def counts(self, rows, *key):
        row = rows[key]
        return row["warps"], row["requests"], row["cell_bytes"], row["mergeable"]

    def test_turns_of_a_loop(self):
        """32 reads of 4 bytes by a warp are 8 of 16, two wavefronts each; the other array's are not neighbours."""
        rows = self.rows("product", "32,32")
        self.assertEqual(self.counts(rows, 8, "as", "read"), (1024, 1024, 4, 768))
        self.assertEqual(self.counts(rows, 8, "bs", "read"), (1024, 1024, 4, 0))
        self.assertIn("conflict-free; nvcc may make neighbours one access: --nvcc tells\n", self.lint("product", "32,32").stdout)
        tools = self.tools(PRODUCT)
        rows = self.rows("product", "32,32", *tools)
        self.assertEqual(self.counts(rows, 8, "as", "read"), (256, 512, 16, 0))
        self.assertEqual(self.counts(rows, 8, "bs", "read"), (1024, 1024, 4, 0))
        self.assertEqual(self.counts(rows, 9, "argument 1", "write"), (32, 128, 4, 0))
        self.assertIn("; neighbours made one access of 16 bytes\n", self.lint("product", "32,32", *tools).stdout)

    def test_what_is_not_whole_is_cut(self):
        """Six stores from 0 on: one of 16 bytes, one of 8. Six reads from 1 on, of at most 8: 1, 2, 2, 1."""
        rows = self.rows("rows", 32, *self.tools(ROWS))
        self.assertEqual(self.counts(rows, 13, "argument 1", "write")[0], 2)
        self.assertEqual(self.counts(rows, 13, "argument 2", "read")[0], 4)

    def test_components_are_as_nvcc_says(self):
        """Where nobody is asked they are made one, as the alignment of float2 lets nvcc do."""
        key = 16, "argument 2", "read"
        self.assertEqual(self.rows("components", 32, element="float2")[key]["warps"], 1)
        code = '\t//## File "/k.cu", line 16\n        /*0000*/  LDG.E%s R2, desc[UR4][R2.64] ;\n'
        self.assertEqual(self.rows("components", 32, *self.tools(code % ""), element="float2")[key]["warps"], 2)
        self.assertEqual(self.rows("components", 32, *self.tools(code % ".64"), element="float2")[key]["warps"], 1)

    def test_structures_of_floats(self):
        """Two floats are aligned as one is, so a GPU moves them apart; of 16 bytes nvcc tells whether it knows more."""
        key = 2, "argument 2", "read"
        self.write("k.cu", """struct quad { float a, b, c, d; };
__global__ void quads(float *c, const float *a, const float *b) { ((quad *)c)[threadIdx.x] = ((quad *)a)[threadIdx.x]; }
struct pair { float a, b; };
__global__ void pairs(float *c, const float *a, const float *b) { ((pair *)c)[threadIdx.x] = ((pair *)a)[threadIdx.x]; }
""")
        self.assertEqual(self.counts(self.rows("pairs", 32), 4, "argument 2", "read")[:3], (2, 16, 4))
        code = '\t//## File "/k.cu", line 2\n        /*0000*/  LDG.E%s R2, desc[UR4][R2.64] ;\n'
        self.assertEqual(self.counts(self.rows("quads", 32, *self.tools(code % "")), *key)[:3], (4, 64, 4))
        self.assertEqual(self.counts(self.rows("quads", 32, *self.tools(code % ".64")), *key)[:3], (2, 32, 8))
        self.assertEqual(self.counts(self.rows("quads", 32, *self.tools(code % ".128")), *key)[:3], (1, 16, 16))

    def test_atomics_that_count(self):
        """nvcc's instruction stands at a line of CUDA's header, inlined at the user's. Any other of the line does not count."""
        self.write("k.cu", """__global__ void bins(int *c) {
    __shared__ int of[32];
    of[threadIdx.x] = 0;
    atomicAdd(&of[threadIdx.x % 8], 1);
    c[threadIdx.x] = of[threadIdx.x];
}
""")
        inlined = ('\t//## File "/cuda/atomic.hpp", line 107 inlined at "/k.cu", line 4\n\t//## File "/k.cu", line 4\n'
                   "        /*0000*/  ATOMS.POPC.INC.32 RZ, [R7+UR4] ;\n")
        for code, requests in [("", 4), (inlined, 1), (inlined + '\t//## File "/k.cu", line 4\n/*1*/ ATOMS.ADD R4, [R2], R6 ;\n', 4)]:
            done = self.run_riffle("lint", "k.cu", "--kernel", "bins", "--block", 32, "--arg", "int:32", "--json", *self.tools(code))
            rows = {row["op"]: row["requests"] for row in json.loads(done.stdout)["rounds"] if row["line"] == 4}
            self.assertEqual(rows, {"atomic": requests})

    def neighbours(self, kernel, code):
        self.write("k.cu", NEIGHBOURS)
        rows = self.rows(kernel, 32, *self.tools(code))
        return {(line, array, op): (row["warps"], row["requests"]) for (line, array, op), row in rows.items()}

    def test_a_line_without_code_joins_its_neighbour(self):
        for wide, warps in [((3, "LDG.E.64 R2, [R4]"),), 1], [((2, "LDG.E R2, [R4]"), (3, "LDG.E R3, [R4+0x4]")), 2], [(), 2]:
            rows = self.neighbours("pairs", code_of(*wide))
            self.assertEqual(sum(row[0] for (_, array, _), row in rows.items() if array == "argument 2"), warps, wide)

    def test_both_branches_have_one_store(self):
        """Only where nvcc has one for both: else two, which share a sector."""
        both = [(8, "@!P0 STG.E [R2], RZ"), (10, "@P0 STG.E [R2], R7")]
        for code, warps, requests in [(both, 2, 9), (both[1:], 1, 8), (both[:1], 1, 8)]:
            rows = self.neighbours("branches", code_of(*code))
            stores = [row for (_, _, op), row in rows.items() if op == "write"]
            self.assertEqual((sum(row[0] for row in stores), sum(row[1] for row in stores)), (warps, requests), code)

    def test_what_is_read_again_is_in_registers(self):
        """11 reads of unrolled loops, where the source has 32. In a loop, or in a function that may be called twice, all happen."""
        read, back, label, on = (17, "LDG.E R2, [R4]"), "        /*0100*/  @P0 BRA `(.L_x_1) ;", ".L_x_1:", "        /*0200*/  NOP ;"
        for code, reads in [([read] * 11, 11), ([label, read, back], 32), ([read, "        /*0100*/  CALL.REL.NOINC R4 ;"], 32),
                            ([read, label, on, back], 11), ([back, read, label], 11),
                            ([".L_x_10:", read, back, label], 11), ([label, on, code_of(read), back], 11)]:
            self.assertEqual(self.neighbours("taps", code_of(*code))[17, "argument 2", "read"][0], reads, code)

    def test_what_is_read_again_after_a_write(self):
        """The write may be to what has been read; only if there is less code than reads it is not."""
        read = 24, "LDG.E.CONSTANT R2, [R4]"
        for code, reads in [([read] * 8, 8), ([read] * 32, 32)]:
            self.assertEqual(self.neighbours("weights", code_of(*code))[24, "argument 2", "read"][0], reads, code)

    def test_a_sum_in_a_register(self):
        """nvcc writes the sum behind the loop, and reads it nowhere near. Where it reads it in the loop each read counts."""
        label, back = ".L_x_1:", "        /*0100*/  @P0 BRA `(.L_x_1) ;"
        load, store, read = (37, "LDG.E R2, [R4]"), (37, "STS [R0], R5"), (37, "LDS R6, [R0]")
        ends = [(30, "STS [R0], RZ"), (44, "LDS R5, [R6]")]
        rows = self.neighbours("sums", code_of(*ends, label, load, back, store))
        self.assertEqual(rows[37, "part", "write"], (1, 1))
        self.assertNotIn((37, "part", "read"), rows)
        self.assertEqual(rows[44, "part", "read"], (1, 1))
        rows = self.neighbours("sums", code_of(*ends, label, load, read, store, back))
        self.assertEqual((rows[37, "part", "write"][0], rows[37, "part", "read"][0]), (8, 8))

    def test_code_that_cannot_be_read(self):
        """is code without accesses."""
        for code in ("", "\n\n", "/*", "//## File \"", '//## File "' + "x" * 5000 + '", line 8\n*/ LDS.128', "*/", "*/ @P0"):
            rows = self.rows("product", "32,32", *self.tools(code))
            self.assertEqual(self.counts(rows, 8, "as", "read"), (1024, 1024, 4, 0), code)

    def test_errors(self):
        for says, options in [("'none' cannot be started: No such file or directory; leave --nvcc out, or install it with CUDA",
                               ("--nvcc", "none")),
                              (r"k.cu: .*/bin/nvcc does not take it: k.cu\(3\): error: no such thing",
                               self.tools("", "echo; echo 'k.cu(2): warning: x'; echo 'k.cu(3): error: no such thing' >&2; exit 2"))]:
            done = self.lint("product", "32,32", *options)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, says)

    def test_what_nvcc_makes(self):
        """Both cases were counted on an H200 by Nsight Compute: three quarters of a product's reads, and 1392 of strided."""
        path = os.environ["PATH"] + ":/usr/local/cuda/bin"
        nvcc = shutil.which("nvcc", path=path)
        if nvcc is None or shutil.which("nvdisasm", path=path + ":" + os.path.dirname(nvcc)) is None:
            self.skipTest("nvcc or nvdisasm is not installed")
        rows = self.rows("product", "32,32", "--nvcc", nvcc)
        self.assertEqual(sum(rows[8, array, "read"]["requests"] for array in ("as", "bs")), 2048 * 3 // 4)
        self.write("k.cu", NEIGHBOURS)
        for kernel, reads in [("pairs", 2), ("taps", 11)]:
            rows = self.rows(kernel, 32, "--nvcc", nvcc)
            self.assertEqual(sum(row["warps"] for (_, array, _), row in rows.items() if array == "argument 2"), reads, kernel)
        done = self.run_riffle("lint", EXAMPLES / "reduce_strided.cu", "--kernel", "strided", "--grid", 16, "--block", 256, "--arg",
                               "float:16", "--arg", "float:4096:random", "--json", "--nvcc", nvcc)
        rows = json.loads(done.stdout)["rounds"]
        self.assertEqual(sum(row["requests"] for row in rows if (row["space"], row["op"]) == ("shared", "read")), 1392)


if __name__ == "__main__":
    main()
