# SPDX-License-Identifier: Apache-2.0
"""riffle vat curve: its numbers are those of vat run, quotients, T_EM by the definition, the plot's lines, and what is refused."""
import csv
import io
import json
import pathlib
from xml.etree import ElementTree

from command import SEED, CommandTest, main

PROGRAMS = ["sequential-scan", "random-scan", "permute", "binary-search", "van-emde-boas", "heapify", "heapsort",
            "introsort", "transpose-rows", "transpose-recursive", "multiply-rows", "multiply-recursive"]
SMALL = ["--fanout", 4, "--page", 64, "--height", 12, "--cache", 30]


class Curve(CommandTest):
    def curve(self, *arguments):
        done = self.run_riffle("vat", "curve", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def test_numbers_are_those_of_run(self):
        for host in ([], ["--nested", "--host-cache", 25]):
            rows = self.curve("--program", ",".join(PROGRAMS), "--n", "1,200", "--tau", 3, "--seed", SEED, *SMALL, *host)
            self.assertEqual([row["program"] for row in rows], [name for name in PROGRAMS for _ in range(2)])
            for row in rows:
                one = self.run_riffle("vat", "run", row["program"], "--n", row["n"], "--tau", 3, "--seed", SEED, *SMALL, *host, "--json")
                told = json.loads(one.stdout)
                for name in ("elements", "ram", "vat_least", "vat_most", "accesses", "faults"):
                    self.assertAlmostEqual(float(row[name]), told[name], msg=f"{row['program']} {name}, seed {SEED}")
                self.assertEqual(row["host_faults"], str(told["host"]["faults"]) if host else "")
                self.assertEqual(int(row["references"]), told.get("references", told["faults"] - told["layers"][-1]))
                self.assertAlmostEqual(float(row["time"]), told["ram"] + told["cost"])
                self.assertEqual((row["em_time"], row["note"]), ("", ""))

    def test_quotients(self):
        same = ["--program", "permute,introsort", "--n", "100..300+100", "--tau", 30, *SMALL]
        total = self.curve(*same)
        for per, of in (("operation", "ram"), ("element", "n"), ("em", "em")):
            for whole, row in zip(total, self.curve(*same, "--per", per)):
                for name in ("ram", "em", "vat_most", "faults", "references", "time"):
                    self.assertAlmostEqual(float(row[name]) * float(whole[of]), float(whole[name]), places=5)

    def test_elements_of_sizes_that_are_rounded_down(self):
        """Per element of what was worked on: the square below n, with a side of a power of two for recursive layouts."""
        for program, asked, used in (("multiply-rows", 119, 100), ("transpose-recursive", 255, 64), ("van-emde-boas", 100, 100)):
            total, = self.curve("--program", program, "--n", asked, *SMALL)
            row, = self.curve("--program", program, "--n", asked, "--per", "element", *SMALL)
            self.assertAlmostEqual(float(row["faults"]) * used, float(total["faults"]), msg=program)

    def test_the_memory_hierarchy(self):
        """Figure 2.2's levels: the expected time by the definition, a random place each."""
        sizes, times = [2**12, 2**15, 12 * 2**17], [4.08, 4.575, 9.937, 38.746]
        rows = self.curve("--program", "random-scan", "--n", "1000,20000,2^20,2^23", "--replay", "2^15", "--tau", 7,
                          "--memory", "2^15:4.08,2^18:4.575,12582912:9.937,38.746")
        for row in rows:
            n, time, below = int(row["n"]), 0, 0
            for size, each in zip([*sizes, 2**60], times):
                time += (min(size, n) - below) * each
                below = min(size, n)
            self.assertAlmostEqual(float(row["em_time"]) / time, 1)
            if n > 2**15:
                self.assertEqual((row["time"], row["faults"]), ("", ""))
            else:
                self.assertAlmostEqual(float(row["time"]) / (time + 7 * int(row["faults"])), 1)

    def test_holes_say_why(self):
        row, = self.curve("--program", "permute", "--n", 9, "--cache", 4)
        self.assertIn("holds no translation path", row["note"])
        self.assertEqual((row["ram"], row["vat_least"], row["vat_most"]), ("9", "", ""))
        self.assertGreater(int(row["faults"]), 4)

    def test_the_picture(self):
        self.curve("--program", "permute,introsort", "--n", "64..512", "--nested", "--per", "element", "--draw", "time,vat_most", "--svg", "c.svg")
        root = ElementTree.parse(self.path("c.svg")).getroot()
        words = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
        for word in ("permute, time", "introsort, time", "permute, vat_most", "divided by n", "n, elements"):
            self.assertIn(word, words)
        self.assertEqual(len(root.findall(".//{*}circle")), 8)
        self.assertEqual(sum("stroke-dasharray" in path.attrib for path in root.iter("{http://www.w3.org/2000/svg}path")), 4)
        self.curve("--program", "permute", "--n", "64..256", "--svg", "c.svg", "--csv", "c.csv")
        self.assertEqual(len(pathlib.Path(self.path("c.csv")).read_text().splitlines()), 4)

    def refused(self, status, words, *arguments):
        done = self.run_riffle("vat", "curve", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertIn(words, done.stderr)

    def test_refusals(self):
        short = ["--program", "permute", "--n", 64]
        self.refused(2, "no program given", "--n", 64)
        self.refused(2, "no size given", "--program", "permute")
        self.refused(2, "program 'permut': unknown; did you mean 'permute'", "--program", "heapify,permut", "--n", 64)
        self.refused(2, "T_EM, which is random-scan's", *short, "--memory", "2^15:1,20")
        for text in ("", "20,", "2^15:1", "1:2,3", "2^15:x,3", "2^15,3", "2^15:1,9:", "2^15:nan,1", "," * 9):
            self.refused(2, "is not BYTES:TIME,...,TIME", "--program", "random-scan", "--n", 64, "--memory", text)
        for text, wrong in {"2^15:1,2^15:2,3": "2^15:2", "1024:1,512:2,100": "512:2", "1024:2,2048:1,100": "2048:1", "1024:1,2048:1,9": "2048:1",
                            "1024:1,1031:2,3": "1031:2", "1024:2,1": "1", "1024:2,2048:3,3": "3"}.items():
            self.refused(2, f"riffle: option --memory: '{wrong}' has to be slower than what stands before it, and a cache larger by 8 bytes or more",
                         "--program", "random-scan", "--n", 64, "--memory", text)
        self.refused(2, "--draw is of the picture; give --svg FILE as well", *short, "--draw", "faults")
        self.refused(2, "a line wants two sizes or more", *short, "--svg", "c.svg")
        self.refused(2, "20 lines cannot be told apart", "--program", ",".join(PROGRAMS[:10]), "--n", "8..64", "--draw", "time,faults", "--svg", "c.svg")
        self.refused(2, "give --nested as well", *short, "--host-page", 4096)
        self.refused(2, "fanout", *short, "--fanout", 3)
        self.refused(1, "No space left on device", *short, "--csv", "/dev/full")
        self.assertFalse(pathlib.Path(self.path("c.svg")).exists())


main()
