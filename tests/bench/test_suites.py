# SPDX-License-Identifier: Apache-2.0
"""riffle-bench: its help, what it refuses, and each suite that a CPU can run."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from command import CommandTest, main

BENCH = os.environ["RIFFLE_BENCH"]
PEER = pathlib.Path(__file__).parents[2] / "bench" / "peers" / "group_peer.py"
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "command.md"


def shape_of(row):
    return [int(length) for length in re.fullmatch(r"axes:([0-9x]+):[0-9,]+", row["by"])[1].split("x")]


class Suites(CommandTest):
    riffle = BENCH

    def refuses(self, pattern, *arguments):
        done = self.run_riffle(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
        self.assertRegex(done.stderr, rf"^riffle-bench: .*{pattern}")

    def test_help_is_what_the_page_shows(self):
        done = self.run_riffle("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"```text\n{done.stdout}```\n", PAGE.read_text(encoding="utf-8"))

    def test_refusals(self):
        names = "cpu, quick, small, choice, bits, f2, axes, views, affine, arbitrary, once, programs, group, hull, sort, sort-gpu, hmm, hmm-random, dmm"
        self.refuses(f"suite 'slow': unknown; the choices are {names}\n$", "--suite", "slow")
        self.refuses("suite 'quik': unknown; did you mean 'quick'", "--suite", "quik")
        self.refuses("suite 'affine' runs on the cuda engine only", "--suite", "affine", "--engine", "cpu")
        self.refuses("no row of suite 'affine' has 'larg'", "--suite", "affine", "--only", "larg")
        self.refuses("no row of suite 'arbitrary' has 'way'", "--suite", "arbitrary", "--only", "way")
        self.refuses("option --seed: no row of suite 'quick' is by seed\n$", "--suite", "quick", "--seed", "2")
        self.refuses("option --bytes: the rows of suite 'cpu' have one size each\n$", "--bytes", "2^20")
        self.refuses("option --bytes: ", "--suite", "axes", "--bytes", "0")
        self.refuses("option --algorithm: the rows of suite 'sort' are done as they say\n$", "--suite", "sort", "--algorithm", "paper")
        self.refuses(r"more: not expected here; usage: riffle-bench \[OPTION\]\.\.\.\n$", "more")

    def test_the_commands_suites_are_there(self):
        document = json.loads(self.run_riffle("--suite", "quick", "--repeat", 1, "--json").stdout)
        self.assertEqual(document["engine"], "cpu")
        self.assertGreater(len(document["results"]), 5)
        self.assertNotIn("wrong", str(document))

    def test_choice(self):
        """The planner's choice and MEASURE's are among the ways of which the best is taken; 60 moves, and TTC's shapes."""
        done = self.run_riffle("--suite", "choice", "--only", "64-kib", "--repeat", 1, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual(len(rows), 15)
        for row in rows:
            self.assertNotIn("wrong", row)
            self.assertEqual(row["asked_algorithm"], "auto")
            self.assertGreaterEqual(row["ways"], 2, row)
            self.assertLessEqual(row["best_seconds"], min(row["seconds"], row["measured_seconds"]), row)
            self.assertGreater(row["measured_plan_seconds"], 0, row)
            self.assertIn(row["measured_algorithm"], ("copy", "affine", "axes", "gather", "bucket", "scatter"))
        listed = json.loads(self.run_riffle("--suite", "choice", "--seconds", 1, "--json").stdout)["results"]
        self.assertEqual({group: sum(row["group"] == group for row in listed) for group in dict.fromkeys(row["group"] for row in listed)},
                         {"64-kib": 15, "1-mib": 15, "16-mib": 15, "64-mib": 15, "ttc-4": 57})
        self.assertLessEqual(max(row["n"] for row in listed if row["group"] == "ttc-4"), 1 << 23)

    def axes_rows(self, *arguments):
        done = self.run_riffle("--suite", "axes", "--repeat", 1, "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        document = json.loads(done.stdout)
        for row in document["results"]:
            self.assertEqual((row["suite"], row["asked_algorithm"]), ("axes", "auto"))
            self.assertEqual(row["n"], math.prod(shape_of(row)))
        return document

    def test_axes(self):
        """Every row smaller, each moved right and in its group's geometric mean."""
        document = self.axes_rows("--bytes", "2^14")
        groups = {}
        for row in document["results"]:
            self.assertLessEqual(row["n"] * row["elem_bytes"], 1 << 14)
            groups.setdefault(row["group"], []).append(row["ratio"])
        self.assertEqual({group: len(ratios) for group, ratios in groups.items()},
                         {"table": 15, "ttc-4": 57, "ttc-8": 57, **{f"random-{size}": 40 for size in (1, 2, 4, 8, 16)}})
        means = {mean["group"]: (mean["rows"], mean["ratio"]) for mean in document["geometric_means"]}
        for group, ratios in groups.items():
            self.assertEqual(means[group][0], len(ratios))
            wanted = math.exp(sum(map(math.log, ratios)) / len(ratios))
            self.assertAlmostEqual(means[group][1], wanted, delta=1e-3 * wanted)
        shown = self.run_riffle("--suite", "axes", "--repeat", 1, "--bytes", 4096, "--only", "ttc-8").stdout
        self.assertRegex(shown, r"\n\nttc-8: [0-9.]+ copies in the geometric mean of 57\n$")

    def test_axes_as_they_are(self):
        """Rows that the time does not suffice for are named all the same: of at least 64 MiB the random ones."""
        rows = self.axes_rows("--seconds", 1)["results"]
        by_group = {group: [row for row in rows if row["group"] == group] for group in {row["group"] for row in rows}}
        sizes = [row["n"] * row["elem_bytes"] for row in rows if row["group"].startswith("random")]
        self.assertTrue(1 << 26 <= min(sizes) and max(sizes) < 1 << 28)
        lengths = [length for group, rows in by_group.items() if group.startswith("random") for row in rows for length in shape_of(row)]
        self.assertEqual({len(shape_of(row)) for row in by_group["random-4"]}, {2, 3, 4, 5, 6, 7, 8})
        self.assertTrue({2, 3, 5} < set(lengths))
        self.assertGreater(sum(length > 100 and all(length % d for d in range(2, math.isqrt(length) + 1)) for length in lengths), 20)
        # As published, both sides are from the first axis to the last.
        self.assertEqual([row["by"] for row in by_group["ttc-4"]][:6:5], ["axes:7264x7264:1,0", "axes:2307x64x368:1,0,2"])
        self.assertEqual(by_group["ttc-4"][-1]["by"], "axes:112x15x15x15x5x32:5,4,3,2,1,0")
        self.assertIn("axes:75x96x12x608:2,0,3,1", [row["by"] for row in by_group["ttc-4"]])
        for size in (4, 8):
            mebibytes = [row["n"] * size / 2**20 for row in by_group[f"ttc-{size}"]]
            self.assertTrue(150 < min(mebibytes) and max(mebibytes) < 270, (min(mebibytes), max(mebibytes)))

    def test_programs(self):
        """Every row smaller, right, and in both ways."""
        done = self.run_riffle("--suite", "programs", "--repeat", 1, "--json", "--bytes", "2^12")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual([row["algorithm"] for row in rows], 16 * ["fused", "paper"])
        self.assertEqual({row["group"] for row in rows}, {"hadamard", "batch", "sort", "rows", "fft"})
        for fused, paper in zip(rows[::2], rows[1::2]):
            self.assertEqual([fused[key] for key in ("by", "n", "type", "stages")], [paper[key] for key in ("by", "n", "type", "stages")])
            self.assertLessEqual(fused["n"] * fused.get("arrays", 1) * fused["elem_bytes"], 1 << 12)
            self.assertEqual((fused["passes"], fused["bound"]), (1, 1))
            self.assertGreater(paper["passes"], 2 * fused["stages"] - 2)
            self.assertNotIn("wrong", {**fused, **paper})
        shown = self.run_riffle("--suite", "programs", "--repeat", 1, "--bytes", 4096, "--only", "fft").stdout
        self.assertRegex(shown, r"\n    9 stages of c64 in 1 passes, at least 1: [0-9.]+ copies a pass\n")

    def test_hulls(self):
        """Every row smaller, and right."""
        done = self.run_riffle("--suite", "hull", "--repeat", 1, "--json", "--bytes", "2^18")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual({row["group"] for row in rows}, {"shapes", "floats", "sizes", "sets", "figure"})
        self.assertEqual({row["algorithm"] for row in rows}, {"hull"})
        by_shape = {row["by"]: row for row in rows if row["group"] == "shapes"}
        self.assertEqual(list(by_shape), ["square", "disc", "normal", "grid", "collinear", "duplicates", "ring", "parabola"])
        for row in rows:
            self.assertLessEqual(row["n"] * row.get("arrays", 1) * row["elem_bytes"], 1 << 18)
            self.assertNotIn("wrong", row)
        self.assertEqual([by_shape[name]["corners"] for name in ("collinear", "duplicates")], [2, 4])
        self.assertEqual(by_shape["parabola"]["corners"], by_shape["parabola"]["n"])
        shown = self.run_riffle("--suite", "hull", "--repeat", 1, "--bytes", 4096, "--only", "collinear").stdout
        self.assertRegex(shown, r" hull .* reads; 2 corners\n$")
        paper = self.run_riffle("--suite", "hull", "--only", "figure", "--algorithm", "paper", "--bytes", 4096)
        self.assertEqual((paper.returncode, paper.stderr, paper.stdout.count(" hull-paper ")), (0, "", 9))

    def test_groups(self):
        """Every row smaller, and right."""
        done = self.run_riffle("--suite", "group", "--repeat", 1, "--json", "--bytes", "2^16")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual({row["group"] for row in rows}, {"cpu", "partition", "experts"})
        self.assertEqual({(row["keys_per_row"], row["bound_copies"]) for row in rows}, {(1, 1.0), (2, 1.5), (8, 4.5)})
        for row in rows:
            self.assertEqual(row["algorithm"], "group")
            self.assertLessEqual(row["n"] * row["elem_bytes"], 1 << 16)
            self.assertNotIn("wrong", row)

    def test_group_peers(self):
        """NumPy's groups and first ones of the same keys and numbers are right, and have a row beside each of riffle's."""
        for arguments, suite in ((["--suite", "group"], "group-peers"), (["--suite", "sort", "--only", "top"], "top-peers")):
            done = self.run_riffle(*arguments, "--repeat", 1, "--json", "--bytes", "2^14")
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                file.write(done.stdout)
                file.flush()
                told = subprocess.run([sys.executable, PEER, file.name], capture_output=True, text=True, check=False)
                rows = json.loads(pathlib.Path(file.name).read_text(encoding="utf-8"))["results"]
            if "No module named 'numpy'" in told.stderr:
                self.skipTest("there is no NumPy")
            self.assertEqual(told.returncode, 0, told.stderr)
            peers = [row for row in rows if row["suite"] == suite and row["algorithm"] == "numpy"]
            self.assertEqual(len(peers), sum(row["suite"] in ("group", "sort") and not row.get("indices") for row in rows))
            for peer in peers:
                self.assertGreater(peer.get("seconds", 0), 0, peer)

    def test_f2(self):
        done = self.run_riffle("--suite", "f2", "--repeat", 1, "--json", "--bytes", "2^12")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual({row["group"] for row in rows}, {"products", "transposes"})
        for row in rows:
            self.assertLessEqual(row["n"], 1 << 12)
            self.assertNotIn("wrong", row)

    def test_bits(self):
        """Every row smaller, and right."""
        done = self.run_riffle("--suite", "bits", "--repeat", 1, "--json", "--bytes", "2^16")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual({row["group"]: row["elem_bits"] for row in rows}, {"planes": 32, "maps": 1, "large": 1})
        self.assertEqual(rows[9]["block"], 2048)
        for row in rows:
            self.assertEqual((row["n"], row["algorithm"]), (1 << 16, "bits"))
            self.assertNotIn("wrong", row)

    def test_sorts(self):
        """Every row smaller, and right."""
        done = self.run_riffle("--suite", "sort", "--repeat", 1, "--json", "--bytes", "2^16")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["results"]
        self.assertEqual({row["group"] for row in rows}, {"shapes", "types", "order", "sizes", "segments", "top", "partition"})
        self.assertEqual([row["by"] for row in rows if row["group"] == "shapes"],
                         ["uniform", "sorted", "reversed", "few", "equal", "zipf", "nearly", "staggered", "alternating", "halves", "clusters"])
        for row in rows:
            self.assertIn(row["algorithm"], {"order": ("argsort",), "top": ("top",), "partition": ("partition",)}.get(row["group"], ("sort", "argsort")))
            self.assertLessEqual(row["n"] * row.get("arrays", 1) * row["elem_bytes"], 1 << 16)
            self.assertNotIn("wrong", row)
        first = [row for row in rows if row["group"] == "top"]
        self.assertEqual([(row["by"], row["count"], row["indices"]) for row in first],
                         [(by, count, indices) for by, count in (("uniform", 100), ("equal", 100), ("uniform", 1000), ("equal", 1000), ("uniform", 8)) for indices in (0, 4)])
        parted = [row for row in rows if row["group"] == "partition"]
        self.assertEqual([row["place"] for row in parted], [row["n"] // 2 for row in parted])
        shown = self.run_riffle("--suite", "sort", "--repeat", 1, "--bytes", 64, "--only", "top").stdout
        self.assertEqual(len(re.findall(r" f32; the first 16(?:, indices)?\n", shown)), 8)  # no more than there are

    def test_random_axes_by_seed(self):
        rows = [[row["by"] for row in self.axes_rows("--only", "random-8", "--bytes", 4096, *seed)["results"]]
                for seed in ([], ["--seed", 1], ["--seed", 2])]
        self.assertEqual(rows[0], rows[1])
        self.assertNotEqual(rows[0], rows[2])

    def test_an_engine_that_is_not_there_is_one_error(self):
        for form in ([], ["--json"]):
            done = self.run_riffle("--suite", "quick", "--engine", "cuda", *form)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, r"^riffle-bench: bench: .*cuda.*\n$")
            self.assertEqual(done.stderr.count("\n"), 1)


main()
