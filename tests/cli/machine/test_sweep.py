# SPDX-License-Identifier: Apache-2.0
"""riffle sweep: its numbers are explain's and simulate's, lists and ranges, holes, the plot's lines, and what is refused."""
import csv
import io
import json
import pathlib
import re
from xml.etree import ElementTree

from command import CommandTest, main, some

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/command.md"
BY = ["--by", "random:5"]


class Sweep(CommandTest):
    def sweep(self, *arguments):
        done = self.run_riffle("sweep", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def refused(self, status, words, *arguments):
        done = self.run_riffle("sweep", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertIn(words, done.stderr)

    def test_numbers_are_those_of_explain_and_simulate(self):
        rows = self.sweep(*BY, "--n", "2^8,2^10", "--width", "8,32", "--global-latency", "1,100", "--shared-latency", 3, "--algorithm",
                          "scatter,scheduled", "--what", "predicted,counted")
        self.assertEqual(len(rows), 32)
        for row in some(rows):
            same = [*BY, "--n", row["n"], "--width", row["width"], "--shared-latency", 3, "--json"]
            if row["what"] == "predicted":
                told = json.loads(self.run_riffle("explain", *same, "--global-latency", row["global_latency"]).stdout)["model"]
                time = next(one["time_units"] for one in told["algorithms"] if one["algorithm"] == row["algorithm"])
                self.assertEqual(int(row["bound"]), told["bounds"][0]["time_units"])
            else:
                time = json.loads(self.run_riffle("simulate", *same, "--algorithm", row["algorithm"], "--latency",
                                                  row["global_latency"]).stdout)["time_units"]
            self.assertEqual((int(row["time"]), row["exact"], row["note"]), (time, "1", ""))

    def test_the_page_s_table(self):
        words, table = re.search(r"\$ riffle (sweep .*)\n((?:.+\n)+)```", PAGE.read_text()).groups()
        self.assertEqual(self.run_riffle(*words.split()).stdout, table)

    def test_lists_and_ranges(self):
        for text, values in {"5": [5], "7,2^3,1": [7, 8, 1], "2^10..2^13": [1024, 2048, 4096, 8192], "3..13": [3, 6, 12],
                             "100..1000+300": [100, 400, 700, 1000], "1..100x10,5..5": [1, 10, 100, 5],
                             "64,128,64,32..256": [64, 128, 32, 256]}.items():
            rows = self.sweep("--by", "identity", "--n", text, "--algorithm", "copy")
            self.assertEqual([int(row["n"]) for row in rows], values, text)
        rows = self.sweep("--by", "identity", "--n", 64, "--elem-bytes", "4,8", "--dmms", "1..4", "--algorithm", "copy")
        self.assertEqual([(row["elem_bytes"], row["dmms"]) for row in rows], [(b, d) for d in "124" for b in "48"])

    def test_holes_say_why(self):
        rows = self.sweep(*BY, "--n", "2^14,2^16", "--algorithm", "conflict-free,scatter")
        self.assertEqual([row["time"] == "" for row in rows], [False, True, False, False])
        self.assertIn("shared memory holds two of at most", rows[1]["note"])
        rows = self.sweep("--by", "bit-reversal", "--n", "12,16", "--algorithm", "scatter")
        self.assertEqual([row["time"] == "" for row in rows], [True, False])
        self.refused(1, "sweep: no point has a number; the first, conflict-free with n = 65536: an array of 65536", *BY, "--n", "2^16,2^17", "--algorithm",
                     "conflict-free")

    def test_estimates_are_marked(self):
        rows = self.sweep(*BY, "--n", "2^12,2^22", "--algorithm", "scatter", "--svg", "p.svg")
        self.assertEqual([row["exact"] for row in rows], ["1", "0"])
        self.assertIn(">estimated<", pathlib.Path(self.path("p.svg")).read_text())

    def test_measured(self):
        rows = self.sweep(*BY, "--n", "1000,5000", "--algorithm", "scatter,bucket", "--what", "measured", "--repeat", 3, "--threads", 1,
                          "--svg", "p.svg")
        for row in rows:
            self.assertTrue(0 < float(row["time"]) < 1 and 0 < float(row["bound"]) < 1)
            self.assertEqual((row["width"], row["global_latency"], row["exact"]), ("", "", ""))
        self.assertIn(">a copy<", pathlib.Path(self.path("p.svg")).read_text())

    def plot(self, *arguments):
        self.sweep(*BY, *arguments, "--svg", "p.svg")
        root = ElementTree.parse(self.path("p.svg")).getroot()
        width, height = (float(root.get(name)) for name in ("width", "height"))
        for path in root.findall(".//{*}path"):
            for x, y in re.findall(r"[ML](\S+?) (\S+?)(?=[MLVHhv]|$)", path.get("d")):
                self.assertTrue(0 <= float(x) <= width and 0 <= float(y) <= height)
        return root, "".join(root.itertext())

    def test_plots(self):
        root, words = self.plot("--n", "2^8..2^12", "--width", "4,16", "--algorithm", "scatter,gather")
        for label in ("scatter, w = 4", "gather, w = 16", "random:5", "bytes = 4, L = 400, l = 1, d = 1, predicted", "n, elements", "time units"):
            self.assertIn(label, words)
        self.assertEqual(len(list(root.findall(".//{*}circle"))), 20)
        self.assertNotIn("bound", words)
        _, words = self.plot("--n", "2^8..2^10", "--algorithm", "scatter,gather", "--what", "predicted,counted")
        self.assertIn("scatter, counted", words)
        self.assertIn("bound: n/w + L - 1", words)
        _, words = self.plot("--n", "2^8,2^10", "--global-latency", "1..1000+100", "--along", "global-latency", "--algorithm", "scatter")
        self.assertIn("L, latency of global memory", words)
        self.assertIn("n = 1024", words)

    def test_the_lines_are_the_numbers(self):
        """Each line of a plot with logarithmic axes goes through its numbers."""
        rows = self.sweep(*BY, "--n", "2^10..2^14", "--algorithm", "scheduled", "--global-latency", 1, "--svg", "p.svg")
        circles = [(float(c.get("cx")), float(c.get("cy"))) for c in ElementTree.parse(self.path("p.svg")).getroot().findall(".//{*}circle")]
        self.assertEqual([row["time"] for row in rows], [row["n"] for row in rows])  # twice n, twice the time
        steps = [(b[0] - a[0], a[1] - b[1]) for a, b in zip(circles, circles[1:])]
        for step in steps:
            self.assertAlmostEqual(step[0], steps[0][0], delta=0.2)
            self.assertAlmostEqual(step[1], steps[0][1], delta=0.2)
            self.assertGreater(step[1], 10)

    def test_a_file_in_place_of_stdout(self):
        done = self.run_riffle("sweep", *BY, "--n", 64, "--algorithm", "scatter", "--csv", "t.csv")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(pathlib.Path(self.path("t.csv")).read_text(),
                         self.run_riffle("sweep", *BY, "--n", 64, "--algorithm", "scatter").stdout)

    def test_what_is_refused(self):
        short = [*BY, "--n", 64]
        for text in some(["", "x", "4,", "0", "2^41", "4..8+0", "4..8x1", "4..8+", "9" * 90]):
            self.refused(2, "option --n: ", *BY, "--n", text)
        self.refused(2, "a step is +S, 1 or more, or xF, 2 or more", *BY, "--n", "4..8x1")
        self.refused(2, "a range goes up, and not from 8 to 4", *BY, "--n", "8..4")
        self.refused(2, "more than 128 values", *BY, "--n", "1..1000+1")
        self.refused(2, "'64' is no number from 1 to 32", *short, "--width", "32,64")
        self.refused(2, "algorithm 'scater': unknown; did you mean 'scatter'?", *short, "--algorithm", "gather,scater")
        self.refused(2, "quantity 'timed': unknown", *short, "--what", "timed")
        self.refused(2, "--threads is for --what measured", *short, "--threads", 2)
        self.refused(2, "--repeat is for --what measured", *short, "--repeat", 2)
        self.refused(2, "--global-latency is of the models, and --what measured is of this machine", *short, "--what", "measured",
                     "--global-latency", 5)
        self.refused(2, "--what measured stands alone", *short, "--what", "measured,counted")
        self.refused(2, "--svg: a line wants two values or more of something", *short, "--svg", "p.svg")
        self.refused(2, "--svg: a line wants two values or more of width", *BY, "--n", "64,128", "--along", "width", "--svg", "p.svg")
        self.refused(2, "--svg: 17 lines cannot be told apart, 16 can", *BY, "--n", "64,128", "--dmms", "1..17+1", "--svg", "p.svg")
        self.refused(2, "sweep: more than 16384 points", *BY, "--n", "1..128+1", "--global-latency", "1..128+1", "--width", "4,8")
        self.refused(2, "--csv and --svg are the same file", *BY, "--n", "64,128", "--csv", "p", "--svg", "p")
        self.refused(1, "/dev/full: cannot be written: No space left on device", *short, "--csv", "/dev/full")
        self.refused(1, "no/t.csv: cannot be written", *short, "--csv", "no/t.csv")
        self.refused(2, "unknown permutation 'revers'; did you mean 'reverse'?", "--by", "revers", "--n", 8)
        self.refused(2, "is no permutation; it reads as an array program", "--by", "hadamard n", "--n", 8)
        self.refused(1, "none.npy", "--by", "table:none.npy", "--n", 8)
        self.refused(2, "sweep: no permutation given", "--n", 8)
        self.refused(2, "sweep: no length given", *BY)
        self.assertFalse(pathlib.Path(self.path("p.svg")).exists())


main()
