# SPDX-License-Identifier: Apache-2.0
"""The kernels of examples/rap/ under every layout, run by riffle lint: the memory machine counts the congestion that
riffle/rap.h's host functions say, and no hazard. A test has its kernels in one program, which a compiler reads once; those of Table III are
run one by one, as bench/papers/rap.py does for docs/rap.md."""
import itertools
import json
import os
import pathlib
import sys

from command import RIFFLE, SEED, CommandTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench/papers"))
import rap  # noqa: E402  (bench/papers/rap.py)

QUICK = "SANITIZED" in os.environ
LAYOUTS = ["raw", "rap", "swizzle128"] if QUICK else [*rap.FLAT, "swizzle128"]
BYTES = {"float": 4, "double": 8, "double2": 16}


def source_of(algorithm, i, j):
    """Where thread (i, j) reads, by the paper's section III; it writes with row and column exchanged."""
    return {"crsw": (i, j), "srcw": (j, i), "drdw": ((i + j) % 32, j)}[algorithm]


def most_in_a_bank(addresses, banks):
    different = set(addresses)
    return max(sum(address % banks == bank for address in different) for bank in range(banks))


def turns(addresses, elem_bytes):
    """Turns of one warp on a GPU: its phases' congestions added up; with 4 bytes the congestion of the model."""
    lanes = 32 * 4 // elem_bytes
    return sum(most_in_a_bank(addresses[k:k + lanes], lanes) for k in range(0, 32, lanes))


class Kernels(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.addresses = rap.Addresses()
        cls.addClassCleanup(cls.addresses.folder.cleanup)

    def lint(self, file, launches):
        """The marked rows of each kernel of a program of these launches: its name, types of its two arrays, their elements, its words and
        bytes of dynamic shared memory."""
        text = f"""#include "{rap.ROOT / "examples/rap" / file}"
template <class T> static T *filled(unsigned elements) {{
    T *a;
    cudaMallocManaged(&a, elements * sizeof *a);
    memset(a, 0, elements * sizeof *a);
    return a;
}}
int main() {{
"""
        for name, element, elements, words, shared in launches:
            numbers = ", ".join(map(str, words))
            text += f"""    {{
        const unsigned numbers[] = {{{numbers}}};
        unsigned *words = filled<unsigned>({len(words)});
        memcpy(words, numbers, sizeof numbers);
        cudaFuncSetAttribute({name}, cudaFuncAttributeMaxDynamicSharedMemorySize, {shared});
        {name}<<<1, 1024, {shared}>>>(filled<{element}>(1024), filled<{element}>({elements}), words, 1u);
    }}
"""
        with open(self.path("p.cu"), "w", encoding="utf-8") as source:
            source.write(text + "}\n")
        done = self.run_riffle("lint", "p.cu", "--json", "--timeout", 110, "-I", rap.ROOT / "include")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertEqual((report["hazards"], report["launched"]), ([], len(launches)), f"seed {SEED}")
        marked, found = rap.marked_lines(file), {}
        for row in report["rounds"]:
            if row["file"].endswith(file) and row["space"] == "shared" and row["line"] in marked:
                found.setdefault(row["kernel"], {})[marked[row["line"]]] = row
        self.assertEqual(sorted(found), sorted(name for name, *_ in launches))
        return found


class Transposes(Kernels):
    def check(self, algorithm, element, address, rows, what):
        for op in ("read", "write"):
            warps = []
            for i in range(32):
                places = [source_of(algorithm, i, j) for j in range(32)]
                warps.append([address[r][c] if op == "read" else address[c][r] for r, c in places])
            row = rows[op]
            self.assertEqual((row["op"], row["warps"], row["rounds"]), (op, 32, 1), what)
            self.assertEqual(row["stages"], sum(turns(warp, 4) for warp in warps), what)
            self.assertEqual(row["worst_stages"], max(turns(warp, 4) for warp in warps), what)
            self.assertEqual(row["requests"], sum(turns(warp, BYTES[element]) for warp in warps), what)

    def check_all(self, cases):
        """A case is an algorithm, a layout, an element, and the bytes that the layout is drawn for."""
        drawn = [self.addresses.of(layout, drawn_for, SEED) for _, layout, _, drawn_for in cases]
        names = [rap.transpose_kernel(*case[:3]) for case in cases]
        found = self.lint("transpose.cu", [(name, case[2], 1024, words, 0) for name, case, (words, _) in zip(names, cases, drawn)])
        for name, case, (_, address) in zip(names, cases, drawn):
            self.check(case[0], case[2], address, found[name], f"{case}, seed {SEED}")
        return {case: found[name] for name, case in zip(names, cases)}

    def test_every_layout(self):
        elements = ["float"] if QUICK else ["float", "double"]
        self.check_all([(*case, 4) for case in itertools.product(rap.ALGORITHMS, LAYOUTS, elements)])

    def test_numbers_drawn_for_wide_elements(self):
        cases = [(algorithm, "rap", *wide) for algorithm, wide in itertools.product(("crsw", "srcw"), BYTES.items())]
        for (*_, elem_bytes), rows in self.check_all(cases).items():
            for row in rows.values():  # free of conflicts in the model and in every phase of a GPU
                self.assertEqual((row["stages"], row["requests"]), (32, 32 * elem_bytes // 4), f"seed {SEED}")

    def test_the_swizzle_of_tensor_copies(self):
        found = self.check_all([(algorithm, "swizzle128", "float", 4) for algorithm in rap.ALGORITHMS])
        worst = [tuple(rows[op]["worst_stages"] for op in ("read", "write")) for rows in found.values()]
        self.assertEqual(worst, [(1, 4), (4, 1), (1, 1)])

    def test_the_machine_sees_table_iii(self):
        """Results that do not depend on chance."""
        for algorithm, layout, read, write in (("crsw", "raw", 1, 32), ("srcw", "raw", 32, 1), ("drdw", "raw", 1, 1),
                                               ("crsw", "rap", 1, 1), ("srcw", "rap", 1, 1)):
            what = f"{algorithm} {layout}, seed {SEED}"
            words, address = self.addresses.of(layout, 4, SEED)
            rows, hazards = rap.lint_transpose(RIFFLE, algorithm, layout, "double", words)
            self.assertEqual(hazards, [], what)
            self.check(algorithm, "double", address, rows, what)
            self.assertEqual((rows["read"]["stages"] // 32, rows["write"]["stages"] // 32), (read, write))


class Axes(Kernels):
    """Section VII: congestion along the axes of a 32 x 32 x 32 array."""

    EXPECTED = {"raw": (1, 32, 32), "1p": (1, 1, 32), "r1p": (1, 1, 1), "3p": (1, 1, 1), "padded": (1, 1, 32),
                "xor": (1, 1, 32)}

    def test_axes(self):
        words = [word for k in range(3) for word in self.addresses.of("rap", 4, SEED + k)[0]]
        expected = {rap.axes_kernel(layout, axis): congestion for layout, all_axes in self.EXPECTED.items()
                    for axis, congestion in zip(("contiguous", "stride1", "stride2"), all_axes)}
        found = self.lint("axes.cu", [(name, "float", 32768, words, rap.AXES_SHARED) for name in expected])
        for name, congestion in expected.items():
            row, what = found[name]["read"], f"{name}, seed {SEED}"
            self.assertEqual((row["rounds"], row["warps"]), (32, 1024), what)
            self.assertEqual((row["stages"], row["requests"]), (1024 * congestion, 1024 * congestion), what)


main()
