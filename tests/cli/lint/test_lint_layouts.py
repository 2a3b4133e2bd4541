# SPDX-License-Identifier: Apache-2.0
"""riffle lint --shared-layout: wavefronts of a kernel as it stands, as though the hardware laid shared memory out by ras, rap or xor."""
import json

from command import CommandTest, main

KERNELS = """template <class T> __global__ void columns(T *out) {
    __shared__ T tile[64][32];
    for (int k = 0; k < 64; k += 32)
        tile[threadIdx.y + k][threadIdx.x] = threadIdx.x;
    __syncthreads();
    T column = tile[threadIdx.x][threadIdx.y];
    T diagonal = tile[threadIdx.x][(threadIdx.x + threadIdx.y) % 32];
    T steps = tile[2 * threadIdx.x][threadIdx.y];
    T one = tile[3][5];
    out[32 * threadIdx.y + threadIdx.x] = column + diagonal + steps + one;
}
"""
COLUMN, DIAGONAL, STEPS, ONE = 6, 7, 8, 9


def by_definition(cells, words):
    """Wavefronts of a warp's cells (row of 32 elements, column) of so many words each under xor: the most words of a bank, phase by phase."""
    sum_of_phases = 0
    for first in range(0, 32, 32 // words):
        banks = {}
        for row, column in cells[first:first + 32 // words]:
            for word in range(words * (32 * row + column), words * (32 * row + column + 1)):
                banks.setdefault(word % 32 ^ word // 32 % 32, set()).add(word)
        sum_of_phases += max(map(len, banks.values()))
    return sum_of_phases


class Layouts(CommandTest):
    def lint(self, layout, element="float", *options):
        with open(self.path("k.cu"), "w") as file:
            file.write(KERNELS)
        done = self.run_riffle("lint", "k.cu", "--kernel", f"columns<{element}>", "--block", "32,32", "--arg", f"{element}:1024",
                               "--shared-layout", layout, "--json", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        return report, {row["line"]: row for row in report["rounds"] if row["space"] == "shared" and row["op"] == "read"}

    def test_random(self):
        """RAP: rows and columns 1, the diagonal as Table II has it; RAS: both as independent numbers have it."""
        for layout, column, steps in (("rap", 1, 2), ("ras", 3.53, 3.53)):
            report, rows = self.lint(layout, "float", "--seeds", "200")
            self.assertEqual((report["shared_layout"], report["shared_seeds"]), (layout, 200))
            self.assertEqual(rows[COLUMN]["requests"], 1024)
            means = {line: row["laid_requests"] / row["warps"] for line, row in rows.items()}
            self.assertAlmostEqual(means[COLUMN], column, delta=0.2 * (layout == "ras"))
            self.assertAlmostEqual(means[DIAGONAL], 3.61 if layout == "rap" else 3.53, delta=0.2)
            self.assertAlmostEqual(means[STEPS], steps, delta=0.2 * (layout == "ras"))
            self.assertEqual((means[ONE], rows[ONE]["laid_worst"]), (1, 1))
            self.assertGreater(rows[DIAGONAL]["laid_worst"], 4)
            wrote = [row for row in report["rounds"] if (row["space"], row["op"]) == ("shared", "write")]
            self.assertEqual([row["laid_requests"] for row in wrote], [64])

    def test_exclusive_or(self):
        for element, words in (("float", 1), ("double", 2)):
            report, rows = self.lint("xor", element, "--seeds", "9")
            self.assertEqual(report["shared_seeds"], 1)
            cells = {COLUMN: lambda x, y: (x, y), DIAGONAL: lambda x, y: (x, (x + y) % 32), STEPS: lambda x, y: (2 * x, y)}
            for line, cell in cells.items():
                expected = sum(by_definition([cell(x, y) for x in range(32)], words) for y in range(32))
                self.assertEqual(rows[line]["laid_requests"], expected, (element, line))

    def test_table(self):
        with open(self.path("k.cu"), "w") as file:
            file.write(KERNELS)
        text = self.run_riffle("lint", "k.cu", "--kernel", "columns<float>", "--block", "32,32", "--arg", "float:1024", "--shared-layout",
                               "rap").stdout.splitlines()
        self.assertIn("under rap", text[0])
        self.assertIn(" 1.00 ", next(line for line in text if f"k.cu:{COLUMN} " in line))

    def test_refused(self):
        for options, message in ((("--shared-layout", "padded"), "the choices are ras, rap, xor"), (("--seeds", "0"), "--seeds"),
                                 (("--seeds", "4097"), "4096"), (("--seeds", "3"), "say which with --shared-layout")):
            done = self.run_riffle("lint", "k.cu", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    main()
