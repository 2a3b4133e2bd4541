# SPDX-License-Identifier: Apache-2.0
"""--trace of simulate, lint and congestion: one table of accesses in three formats and drawn, against the reports, and what is refused."""
import csv
import json
import pathlib
import re
from xml.etree import ElementTree

import numpy as np
from command import CommandTest, main

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/lint/worked_example.cu"
MOVE = ["simulate", "--by", "random:5", "--n", 256, "--algorithm", "scheduled", "--width", 8, "--latency", 9]


class Trace(CommandTest):
    def run_well(self, *arguments):
        done = self.run_riffle(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def rows(self, name):
        with open(self.path(name), newline="") as file:
            return list(csv.DictReader(file))

    def refused(self, status, words, *arguments):
        done = self.run_riffle(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(words, done.stderr)

    def test_formats_agree(self):
        report = json.loads(self.run_well(*MOVE, "--json", "--trace", "t.csv"))
        self.run_well(*MOVE, "--trace", "t.npy")
        self.run_well(*MOVE, "--trace", "t.json")
        rows, array = self.rows("t.csv"), np.load(self.path("t.npy"))
        self.assertEqual(list(rows[0]), list(array.dtype.names))
        for name in array.dtype.names:
            text = array[name].dtype.kind == "S"
            self.assertEqual([row[name] for row in rows], [x.decode() if text else str(x) for x in array[name]], name)
        events = json.loads(pathlib.Path(self.path("t.json")).read_text())["traceEvents"]
        slices = [e for e in events if e["ph"] == "X"]
        self.assertEqual(sum(s["args"]["stages"] for s in slices), sum(r["stages"] for r in report["rounds"]))
        self.assertEqual(max(s["ts"] + s["dur"] for s in slices), report["time_units"])
        self.assertEqual(sum(s["args"]["lanes"] for s in slices), len(rows))

    def test_the_papers_example(self):
        self.run_well("lint", EXAMPLE, "--kernel", "umm", "--width", 4, "--latency", 5, "--block", 8, "--arg", "int:8",
                      "--arg", "int:16:index", "--trace", "t.csv")
        reads = [row for row in self.rows("t.csv") if row["op"] == "read"]
        self.assertEqual([int(row["address"]) // 4 for row in reads], [7, 5, 15, 0, 10, 11, 12, 9])
        self.assertEqual([int(row["time"]) for row in reads], [0, 0, 1, 2, 3, 3, 4, 3])
        self.assertEqual([int(row["group"]) for row in reads], [1, 1, 3, 0, 2, 2, 3, 2])

    def test_congestion(self):
        document = json.loads(self.run_well("congestion", "--layout", "rap", "--pattern", "diagonal", "--trials", 50,
                                            "--width", 16, "--json", "--trace", "t.npy"))
        array = np.load(self.path("t.npy"))
        times = [len(np.unique(array["time"][array["round"] == k])) for k in range(50)]
        self.assertEqual(np.bincount(times).tolist(), document["histogram"])

    def test_one_launch_and_block(self):
        self.run_well(*MOVE, "--trace", "all.npy")
        self.run_well(*MOVE, "--trace", "one.npy", "--trace-launch", 2, "--trace-block", 1)
        whole, one = np.load(self.path("all.npy")), np.load(self.path("one.npy"))
        same = whole[(whole["launch"] == 2) & (whole["block"] == 1)]
        for name in ("time", "warp", "lane", "group", "address", "line"):
            np.testing.assert_array_equal(one[name], same[name])

    def test_pictures(self):
        self.run_well(*MOVE, "--svg", "t.svg", "--html", "t.html", "--trace-round", 3)
        root = ElementTree.parse(self.path("t.svg")).getroot()
        self.assertIn("round 3: ", "".join(root.itertext()))
        page = pathlib.Path(self.path("t.html")).read_text()
        self.assertEqual(page.count('class="round'), 32)
        for part in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ElementTree.fromstring(part)
        self.run_well("lint", EXAMPLE, "--kernel", "umm", "--block", 8, "--arg", "int:8", "--arg", "int:16:index", "--svg", "l.svg",
                      "--trace-html", "l.html")
        self.assertEqual(pathlib.Path(self.path("l.html")).read_text().count('class="round'), 2)

    def test_pages_of_many_stages_are_bounded(self):
        """A page has 1,024 stages of all rounds, and the first chosen one in full; each says how many it has besides."""
        self.run_well("simulate", "--group", "u32", "--groups", 64, "--n", 4096, "--html", "g.html")
        page = pathlib.Path(self.path("g.html")).read_text()
        rounds = page.split('<div class="round')[1:]
        self.assertEqual(len(rounds), 256)
        self.assertLess(len(page), 8e6)
        rows = [len(re.findall(r'text-anchor="end">\d+: block', one)) for one in rounds]
        more = [int((re.findall(r">and (\d+) stages more<", one) or [0])[0]) for one in rounds]
        told = [int(re.search(r", stages (\d+), time", one)[1]) for one in rounds]
        self.assertEqual([a + b for a, b in zip(rows, more)], told)
        shown, = (k for k, one in enumerate(rounds) if one.startswith(" shown"))
        self.assertEqual(rows[shown], min(96, told[shown]))
        self.assertLessEqual(sum(rows) - rows[shown], 1024)

    def test_refusals(self):
        self.refused(1, "round 99 has no access in the trace; choose one of its 32 rounds", *MOVE, "--svg", "t.svg", "--trace-round",
                     99)
        self.refused(2, "two of --trace and the pictures are the same file", *MOVE, "--svg", "t.x", "--html", "t.x")
        self.refused(1, "a trace of 8192 accesses, and 100 are its limit; ask for fewer elements", *MOVE, "--trace", "t.csv",
                     "--trace-limit", 100)
        self.refused(2, "has no ending that says its format; write FILE.csv", *MOVE, "--trace", "t.txt")
        self.refused(2, "--trace-block: is for a trace; name its file with --trace FILE or --svg FILE", *MOVE, "--trace-block", 0)
        self.refused(1, "no/t.csv: cannot be written", *MOVE, "--trace", "no/t.csv")
        self.assertFalse(pathlib.Path(self.path("t.csv")).exists())


main()
