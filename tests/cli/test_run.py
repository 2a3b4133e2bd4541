# SPDX-License-Identifier: Apache-2.0
"""riffle run, and explain of programs: what NumPy computes, over types and shapes, and what is refused."""
import json
import os
import re
import resource
import signal
import unittest

import numpy as np

from command import CommandTest, main, some

NETWORK = """# The BMMC paper's sorting network.
column 0 = id
column 1 = pair minmax
column n = parm 3 (column (n-1))
merger 0 = id
merger n = column n
  | parm 2^(n-1) (merger (n-1))
network 0 = id
network n = parm 1 (network (n-1)) | merger n
"""


def hadamard(n):
    matrix = np.ones((1, 1))
    for _ in range(n):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


class Run(CommandTest):
    def run_program(self, array, by, *options):
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("run", "in.npy", "out.npy", "--by", by, *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{by} {options}")
        result = np.load(self.path("out.npy"))
        os.remove(self.path("out.npy"))
        return result

    def test_sorts(self):
        for dtype in some(("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")):
            for n in (0, 1, 4, 11):
                array = self.rng.integers(-100, 100, 1 << n).astype(dtype)
                for by in ("sort n", "bitonic n"):
                    self.assert_same(self.run_program(array, by), np.sort(array), f"{by} {dtype} 2^{n}")

    def test_rows(self):
        array = self.rng.random((3, 5, 64), dtype=np.float32)
        self.assert_same(self.run_program(array, "sort n", "--batch"), np.sort(array, axis=-1), "rows")
        fortran = np.asfortranarray(array)
        self.assert_same(self.run_program(fortran, "sort n", "--batch"), np.sort(array, axis=-1), "rows in Fortran order")
        self.assert_same(self.run_program(array[:0], "sort n", "--batch"), array[:0], "no rows")
        matrix = self.rng.integers(0, 99, (8, 16)).astype("i2")
        self.assert_same(self.run_program(np.asfortranarray(matrix), "sort n"), np.sort(matrix, axis=None).reshape(8, 16), "whole")

    def test_the_papers_way(self):
        array = self.rng.integers(0, 1 << 32, (4, 1 << 10)).astype("u4")
        for by in ("sort n", "bitonic n", "zeta n | bit-reversal", "parm 5 (pair add) (pair minmax | shuffle)"):
            for options in ([], ["--batch"]):
                self.assert_same(self.run_program(array, by, "--algorithm", "paper", *options),
                                 self.run_program(array, by, "--algorithm", "fused", *options), f"{by} {options}")

    def test_sorts_many(self):
        array = self.rng.integers(0, 1 << 32, 1 << (14 if "SANITIZED" in os.environ else 24)).astype("u4")
        self.assert_same(self.run_program(array, "sort n"), np.sort(array), "as NumPy")

    def test_definitions(self):
        with open(self.path("network.txt"), "w", encoding="utf-8") as file:
            file.write(NETWORK)
        array = self.rng.integers(0, 1 << 32, 1 << 12).astype("u4")
        self.assert_same(self.run_program(array, "network n", "--define", "network.txt"), np.sort(array), "network")

    def test_transforms(self):
        array = self.rng.integers(-9, 9, 128).astype("i4")
        self.assert_same(self.run_program(array, "hadamard n"), (hadamard(7) @ array).astype("i4"), "hadamard")
        self.assert_same(self.run_program(array, "zeta n | moebius n | reed-muller n | reed-muller n"), array, "inverses")
        array = (self.rng.random(1 << 14) + 1j * self.rng.random(1 << 14)).astype("c16")
        np.testing.assert_allclose(self.run_program(array, "fft n"), np.fft.fft(array), rtol=1e-10, atol=1e-9)
        np.testing.assert_allclose(self.run_program(array, "fft n | inverse-fft n"), array, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(self.run_program(array.astype("c8"), "fft n"), np.fft.fft(array), rtol=1e-3, atol=1e-3)
        halves = self.rng.integers(-3, 3, 64).astype("f2")
        self.assert_same(self.run_program(halves, "hadamard n"), (hadamard(6) @ halves).astype("f2"), "halves")

    def test_permutations(self):
        array = self.rng.random(16)
        self.assert_same(self.run_program(array, "bits:1,0,3,2 | ~bits:1,0,3,2 | reverse"), array[::-1], "moves")

    def test_verbose(self):
        np.save(self.path("in.npy"), np.zeros((4, 1024), dtype="f4"))
        done = self.run_riffle("run", "in.npy", "out.npy", "--by", "hadamard n", "--batch", "--verbose", "--threads", 1)
        self.assertRegex(done.stderr, r"^riffle: out.npy: 4 arrays of 2\^10 elements of type f32, 10 stages in 1 passes, [0-9.]+ s\n$")

    def test_own_operations(self):
        for dtype in some(("i1", "u2", "i4", "u8", "f4", "f8")):
            array = self.rng.integers(0, 99, 1 << 10).astype(dtype)
            got = self.run_program(array, "pair {b < a ? b : a, b < a ? a : b} | parm 2^(n-1) (pair {a + b, b}) (map {a * a})")
            pairs = np.sort(array.reshape(-1, 2), axis=1)
            low = pairs[:256].copy()
            low[:, 0] += low[:, 1]
            self.assert_same(got, np.concatenate([low, pairs[256:] * pairs[256:]]).reshape(-1), dtype)
        array = self.rng.integers(0, 99, 1 << 12).astype("i8")
        got = self.run_program(array.reshape(4, -1), "parm 1 (map {a + i}) | bit-reversal | pair {a, b ^ i}", "--batch")
        expected = (array.reshape(4, -1) + np.arange(1024) // 2)[:, [int(f"{k:010b}"[::-1], 2) for k in range(1024)]]
        expected[:, 1::2] ^= np.arange(512)
        self.assert_same(got, expected, "sub-indices")
        got = self.run_program(array, "parm 2^(n-1) (group 4 {a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2, a1, a0}) id")
        self.assert_same(got, np.concatenate([array[:2048].reshape(-1, 16)[:, ::-1].reshape(-1), array[2048:]]), "groups of 16")
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("run", "in.npy", "out.npy", "--by", "pair {a, b}", env={**os.environ, "CC": "absent-compiler"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("users' operations need a C compiler, and 'absent-compiler' does not start; set CC", done.stderr)

    def refuses(self, status, pattern, *arguments):
        before = sorted(os.listdir(self.folder))
        done = self.run_riffle("run", "in.npy", "out.npy", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), f"{arguments} {done.stderr}")
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "nothing is written")

    def test_own_operations_that_fault(self):
        # Not every processor stops at a division by zero; each does here.
        np.save(self.path("in.npy"), np.arange(8, dtype=np.int32))
        np.save(self.path("out.npy"), np.zeros(3))
        before = sorted(os.listdir(self.folder))
        done = self.run_riffle("run", "in.npy", "out.npy", "--by", "map {a + *(volatile int *)64}")
        self.assertEqual((done.returncode, done.stdout), (-signal.SIGSEGV, ""), done.stderr)
        self.assertEqual(done.stderr, "riffle: out.npy: memory was used that is not there, perhaps by an operation of "
                                      "yours, or one that calls itself without end; it is as it was before\n")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        np.testing.assert_array_equal(np.load(self.path("out.npy")), np.zeros(3))

    def test_what_is_refused(self):
        np.save(self.path("in.npy"), np.zeros(8, dtype="f4"))
        self.refuses(2, "run: no program given; say which with --by PROGRAM")
        self.refuses(2, r"^riffle: --by: program, line 1, character 6: parm's mask is 0; of an array of 2\^3 elements it is from 1 "
                     r"to 7\n  parm 0 id\n       \^\n$", "--by", "parm 0 id")
        self.refuses(2, r"program, line 1, character 6: parm's mask is 8; of an array of 2\^3 elements it is from 1 to 7\n", "--by", "parm 8 id")
        self.refuses(2, r"program, line 2, character 3: there is no definition of 'srt'; did you mean 'sort'(.|\n)*\n  \| srt n\n    \^\n$", "--by", "id\n| srt n")
        self.refuses(1, r"^riffle: --by: program, line 1, character 6: xor is not defined for elements of type f32; it takes "
                     r"integers\n  pair xor\n       \^\n$", "--by", "pair xor")
        self.refuses(2, r"program, line 1, character 14: the compiler refuses this operation: .*\n"
                     r"  parm 1 \(pair \{a, c\}\) \| sort n\n               \^\n$", "--by", "parm 1 (pair {a, c}) | sort n")
        self.refuses(2, "an operation on pairs has two expressions", "--by", "pair {a}")
        self.refuses(2, "character 9: the compiler refuses this operation: .*an operation on groups of 4 has 4 expressions",
                     "--by", "group 2 {a3, a2, a1}")
        self.refuses(1, r"program, line 1, character 6: xor is not defined(.|\n)*\n  id \| reed-muller n\n       \^\n$",
                     "--by", "id | reed-muller n")
        self.refuses(1, r"^riffle: --by: program, line 1, character 1: 'sort 5' is for more than the 2\^3 elements here; did you mean "
                     r"'sort n'\?\n  sort 5\n  \^\n$", "--by", "sort 5")
        self.refuses(1, r"character 17: 'hadamard 3' is for more than the 2\^1 elements here; did you mean 'hadamard \(n-2\)'\?\n",
                     "--by", "parm 1 (parm 1 (hadamard n))")
        self.refuses(2, r"^riffle: --by: program, line 1, character 1: spec, character 1: expected a permutation, found '\['; did you mean "
                     r"'table:\[2,0,1\]'\?\n", "--by", "[2,0,1]")
        self.refuses(2, r"^riffle: --by: program, line 1, character 1: 'sort' lacks its number; did you mean 'sort n'\?\n"
                     r"  sort\n  \^\n$", "--by", "sort")
        self.refuses(2, r"no definition of 'fft' takes 'fft 1 2': did you mean 'fft n'\?", "--by", "fft 1 2")
        self.refuses(2, "there is no definition of 'hadamrd'; did you mean 'hadamard'", "--by", "hadamrd n")
        self.refuses(2, "there is no definition of 'bit-reversl'; did you mean 'bit-reversal'", "--by", "bit-reversl")
        self.refuses(2, "there is no operation 'butterfli'; did you mean 'butterfly'", "--by", "pair butterfli")
        self.refuses(2, "there is no definition of 'qqq'; 'riffle run --help' says", "--by", "qqq n")
        with open(self.path("endless"), "w", encoding="utf-8") as file:
            file.write("f n =\n  f (n+1)\n")
        self.refuses(1, r"endless: definitions, line 2, character 3: more than 512 definitions within each other: this recursion "
                     r"does not end \(in 'f 511'\)\n    f \(n\+1\)\n    \^", "--by", "f 0", "--define", "endless")
        self.refuses(1, "absent: No such file or directory; give a file with definitions", "--by", "id", "--define", "absent")
        self.refuses(1, r"in.npy: a 0-dimensional|its last axis|program", "--by", "parm 1 id | rotate:1")

    def test_where_definitions_are_wrong(self):
        """Whatever finds the fault: the reader, the types or the compiler. Each command names the file, and shows the place."""
        np.save(self.path("in.npy"), np.zeros(8, dtype="f4"))
        for status, said, line in [
                (2, "character 12: there is no number 'm' here; a definition knows its own arguments only \\(in 'f 3'\\)", "f n = sort m"),
                (2, "character 12: the compiler refuses this operation: .*", "f n = pair {a, c}"),
                (1, "character 12: xor is not defined for elements of type f32; it takes integers", "f n = pair xor")]:
            with open(self.path("mine"), "w", encoding="utf-8") as file:
                file.write("# of mine\n" + line + "\n")
            for command in (["run", "in.npy", "out.npy"], ["explain", "--n", "8"], ["simulate", "--n", "8"]):
                if command[0] == "simulate" and "compiler" in said:
                    continue  # the machine compiles C++, and says it in other words
                done = self.run_riffle(*command, "--by", "f n", "--define", "mine")
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertRegex(done.stderr, rf"^riffle: mine: definitions, line 2, {said}\n  {re.escape(line)}\n +\^\n$")

    def test_what_explain_and_simulate_refuse(self):
        """The same words, and of a text that is neither a program nor a permutation of the one that it comes nearer to."""
        with open(self.path("endless"), "w", encoding="utf-8") as file:
            file.write("f n = f (n+1)\nhalves n = parm 1 (halves n)\n")
        for status, pattern, *arguments in [
                (2, r"--by: program, line 1, character 6: parm's mask is 0; of an array of 2\^4 elements it is from 1 to 15\n  parm 0 id\n       \^\n$", "parm 0 id"),
                (2, r"character 6: parm's mask is 16; of an array of 2\^4 elements it is from 1 to 15\n", "parm 0x10 id"),
                (2, r"character 6: there is no number 'm' here", "sort m"), (2, r"character 5: minmax is an operation on 2 elements", "map minmax"),
                (2, r"character 20: expected '\|' or '\)', found the end", "parm 1 (pair minmax"),
                (2, r"character 6: an operation is C expressions in braces", "pair {a;b}"),
                (1, r"character 6: this permutation is not affine", "id | rotate:3"),
                (1, r"--by: program, line 1, character 6: xor is not defined for elements of type f32; it takes integers\n  pair xor\n", "pair xor"),
                (1, r"endless: definitions, line 1, character 7: more than 512 .* does not end", "f 0", "--define", "endless"),
                (1, r"endless: definitions, line 2, character 12: parm halves an array, and here it has 1 element; a definition for this case may be",
                 "halves n", "--define", "endless"),
                (2, r"--by: program, line 1, character 1: 'sort' lacks its number; did you mean 'sort n'\?\n  sort\n  \^\n$", "sort"),
                (2, r"--by: program, line 1, character 1: there is no definition of 'hadamrd'; did you mean 'hadamard'\?\n", "hadamrd n"),
                (2, r"--by: program, line 1, character 1: there is no definition of 'srot'; did you mean 'sort'\?\n", "srot n"),
                (2, r"--by: program, line 1, character 1: there is no definition of 'bitnic'; did you mean 'bitonic'\?\n", "bitnic n"),
                (2, r"--by: spec, character 1: unknown permutation 'revers'; did you mean 'reverse'\?\n", "revers"),
                (1, r"--by: program, line 1, character 1: 'inverse-fft 8' is for more than the 2\^4 elements here; did you mean 'inverse-fft n'\?",
                 "inverse-fft 8"),
                (2, r"--by: spec, character 1: unknown permutation 'bit-reversl'", "bit-reversl"),
                (2, r"--by: spec, character 2: unknown permutation 'shufle'", "~shufle")]:
            for command in ("explain", "simulate"):
                done = self.run_riffle(command, "--n", 16, "--by", *arguments)
                self.assertEqual((done.returncode, done.stdout), (status, ""), f"{command} {arguments} {done.stderr}")
                self.assertRegex(done.stderr, pattern)
        for command in ("explain", "simulate"):
            done = self.run_riffle(command, "--n", 12, "--by", "sort n")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("--n: 12 elements, and a program is for a power of two; choose one as 2^K", done.stderr)

    @unittest.skipIf("SANITIZED" in os.environ, "sanitizers need address space of their own")
    def test_explain_allocates_no_arrays(self):
        """Not the third one of the paper's way either, which the first execution makes."""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 34, 1 << 34))

        done = self.run_riffle("explain", "--by", "sort n", "--n", "2^34", "--algorithm", "paper", preexec_fn=limit)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2^34 elements", done.stdout)

    def test_options_of_permutations_are_refused(self):
        """explain and simulate do not leave out in silence what a program has none of; nor of one that --type says is a program."""
        stride, where = ("stride", ["2048"], "has none"), ("in-place", [], "has none")
        both = [stride, where, ("elem-bytes", ["4"], "has --type"), ("algorithm", ["affine"], "has fused and paper")]
        for command, options in ("simulate", [*both, ("row-length", ["4"], "has none")]), ("explain", [*both, ("once", [], "has none")]):
            for name, value, instead in options:
                for by in (["sort n"], ["hadamard n", "--type", "f32"], ["bit-reversal", "--type", "f32"]):
                    done = self.run_riffle(command, "--n", 16, f"--{name}", *value, "--by", *by)
                    self.assertEqual((done.returncode, done.stdout, done.stderr),
                                     (2, "", f"riffle: option --{name}: is of permutations, and --by is a program, which {instead}\n"))
        for command in ("explain", "simulate"):
            done = self.run_riffle(command, "--n", 16, "--by", "sort n", "--elem-bits", 1)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (2, "", "riffle: option --elem-bits: is of permutations, and --by is a program, which has --type\n"))
        for batch, pattern in (("2^40", "1099511627776 arrays of 2.20 elements are too long: 2.40 elements in all at most"), (2**20 + 1, "too long")):
            for command in ("explain", "simulate"):
                done = self.run_riffle(command, "--n", "2^20", "--by", "sort n", "--batch", batch)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, pattern)
        done = self.run_riffle("explain", "--n", "2^20", "--by", "sort n", "--batch", "2^20")
        self.assertIn("2^40 elements", done.stdout)

    def test_arrays_that_are_refused(self):
        for array, pattern, options in [
                (np.zeros(12, "f4"), "in.npy: it has 12 elements, and a program is for a power of two; pad it, or", []),
                (np.zeros((4, 3), "f4"), "in.npy: its last axis has 3 elements, and a program is for a power of two; pad it", ["--batch"]),
                (np.zeros(0, "f4"), "it has 0 elements", []), (np.zeros((), "f4"), "no last axis; leave out --batch", ["--batch"]),
                (np.zeros(4, ">f4"), "elements of dtype '>f4'; programs take little-endian", []),
                (np.zeros(4, "S4"), "elements of dtype '.S4'", []), (np.zeros(4, "?"), "dtype '.b1'", [])]:
            np.save(self.path("in.npy"), array)
            self.refuses(1, pattern, "--by", "id", *options)

    def test_explain(self):
        done = self.run_riffle("explain", "--by", "hadamard n", "--n", "2^26")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"stages: +26, (.|\n)*passes: +2 fused; no grouping in such tiles has fewer than 2\n"
                         " +bit by bit 26; the paper's way 52")
        done = self.run_riffle("explain", "--by", "hadamard n", "--n", "2^26", "--algorithm", "paper")
        self.assertRegex(done.stdout, "passes: +52, the paper's way: 26 operations and 26 BMMCs\n")
        self.assertEqual(len(re.findall("pass [0-9]+: a BMMC in tiles", done.stdout)), 26)
        done = self.run_riffle("explain", "--by", "sort n", "--n", "2^28", "--type", "u32", "--json")
        self.assertEqual(json.loads(done.stdout), {"n": 2**28, "type": "u32", "engine": "cpu", "algorithm": "fused", "stages": 406, "passes": 28,
                                                   "bound": 28, "bit_by_bit": 406, "paper": 812, "in_place": True})
        done = self.run_riffle("explain", "--by", "sort n", "--n", "2^4", "--type", "u32")
        self.assertEqual(len(re.findall("minmax of x and x", done.stdout)), 10)
        done = self.run_riffle("explain", "--by", "sort n", "--n", "12", "--type", "u32")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("--n: 12 elements, and a program is for a power of two", done.stderr)
        done = self.run_riffle("explain", "--by", "reverse", "--n", "12")
        self.assertEqual((done.returncode, done.stderr), (0, ""), "a permutation is one")
        done = self.run_riffle("explain", "--by", "pair minmax", "--n", "2", "--algorithm", "paper")
        self.assertIn("\npasses:    1, the paper's way: 1 operation and 0 BMMCs\n", done.stdout)
        self.assertRegex(self.run_riffle("explain", "--by", "fft n", "--n", "8", "--type", "c64").stdout, ", by 1 bit of the index\n(.|\n)*, by 2 bits of the index")

    def test_explain_of_batches(self):
        """The size is that of all elements, of batches that are no power of two too."""
        for batch, said in some(((1, r"2\^10 elements"), (2, r"2\^11 elements"), (3, r"3072 elements, 3 times 2\^10,"), (4, r"2\^12 elements"), (5, r"5120 elements, 5 times 2\^10,"),
                            (6, r"6144 elements, 3 times 2\^11,"), (12, r"12288 elements, 3 times 2\^12,"))):
            for engine in ("cpu", "cuda"):
                words = ["explain", "--by", "sort n", "--n", "2^10", "--batch", batch, "--engine", engine]
                self.assertRegex(self.run_riffle(*words).stdout, rf"^program:   {said} of type f32, on ")
                self.assertEqual(json.loads(self.run_riffle(*words, "--json").stdout)["n"], batch << 10)
        done = self.run_riffle("explain", "--by", "sort m", "--n", "16", "--type", "u33")
        self.assertRegex(done.stderr, "type 'u33': unknown")



main()
