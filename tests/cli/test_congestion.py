# SPDX-License-Identifier: Apache-2.0
"""riffle congestion: the RAP paper's Tables II and IV (Nakano, Matsumae, Ito 2014), its bound, and what is refused."""
import json
import math
import os
import pathlib

from command import CommandTest, main

QUICK = "SANITIZED" in os.environ
TRIALS = 5000 if QUICK else 100000
FIELDS = ["layout", "pattern", "width", "dims", "trials", "seed", "mean", "max", "ci99", "expected", "bound",
          "theorem2", "random_numbers", "histogram"]

# Table II: means for w = 16, 32, 64, 128, 256.
WIDTHS = [16, 32, 64, 128, 256]
ONES = [1] * 5
RANDOM = [2.92, 3.44, 3.90, 4.34, 4.75]
INDEPENDENT = [3.08, 3.53, 3.96, 4.38, 4.77]
TABLE_II = {
    ("raw", "contiguous"): ONES, ("raw", "stride1"): WIDTHS, ("raw", "diagonal"): ONES, ("raw", "random"): RANDOM,
    ("ras", "contiguous"): ONES, ("ras", "stride1"): INDEPENDENT, ("ras", "diagonal"): INDEPENDENT,
    ("ras", "random"): RANDOM, ("rap", "contiguous"): ONES, ("rap", "stride1"): ONES,
    ("rap", "diagonal"): [3.20, 3.61, 4.00, 4.41, 4.78], ("rap", "random"): RANDOM,
}

# Table IV for w = 32: 1, w, or None for what the paper gives an order of growth; the random numbers.
W = 32
PATTERNS = ["contiguous", "stride1", "stride2", "stride3", "random", "malicious"]
TABLE_IV = {
    "raw": [1, W, W, W, None, W, 0],
    "ras": [1, None, None, None, None, None, W**3],
    "1p": [1, 1, W, W, None, W, W],
    "r1p": [1, 1, 1, 1, None, "six", W],
    "3p": [1, 1, 1, 1, None, None, 3 * W],
    "w2p": [1, 1, None, None, None, None, W**3],
    "1pw2r": [1, 1, None, None, None, None, W**2 + W],
}


class Congestion(CommandTest):
    def congestion(self, layout, pattern, *arguments):
        done = self.run_riffle("congestion", "--layout", layout, "--pattern", pattern, "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        document = json.loads(done.stdout)
        self.assertEqual(list(document), FIELDS)
        return document


class Tables(Congestion):
    def check_sample(self, document):
        """Checks every document: histogram, mean, interval and bounds agree."""
        histogram, trials = document["histogram"], document["trials"]
        self.assertEqual((sum(histogram), len(histogram) - 1), (trials, document["max"]))
        mean = sum(c * count for c, count in enumerate(histogram)) / trials
        spread = sum(count * (c - mean)**2 for c, count in enumerate(histogram)) / max(1, trials - 1)
        half = 2.5758293 * math.sqrt(spread / trials)
        self.assertAlmostEqual(document["mean"], mean, delta=1e-4)
        self.assertAlmostEqual(document["ci99"][0], mean - half, delta=1e-4)
        self.assertAlmostEqual(document["ci99"][1], mean + half, delta=1e-4)
        what = (document["layout"], document["pattern"], document["width"])
        if document["bound"] is not None:
            self.assertLessEqual(document["ci99"][0], document["bound"] + 1e-6, what)
        if document["expected"] is not None:  # 2 half-widths: 5 standard deviations
            self.assertAlmostEqual(document["mean"], document["expected"], delta=2 * half + 1e-3, msg=str(what))

    def test_table_ii(self):
        for (layout, pattern), means in TABLE_II.items():
            for width, mean in zip(WIDTHS, means):
                document = self.congestion(layout, pattern, "--width", width, "--trials", TRIALS)
                self.check_sample(document)
                what = f"{layout} {pattern} w={width}"
                if mean in (1, width):
                    self.assertEqual((document["mean"], document["max"]), (mean, mean), what)
                elif not QUICK:
                    self.assertAlmostEqual(document["mean"], mean, delta=0.02, msg=what)
                    self.assertLess(document["ci99"][1] - document["ci99"][0], 0.02, what)

    def test_table_iv(self):
        for layout, (*cells, numbers) in TABLE_IV.items():
            for pattern, cell in zip(PATTERNS, cells):
                document = self.congestion(layout, pattern, "--dims", 4, "--trials", TRIALS // 5)
                self.check_sample(document)
                what = f"{layout} {pattern}"
                self.assertEqual(document["random_numbers"], numbers, what)
                if cell in (1, W):
                    self.assertEqual((document["mean"], document["max"]), (cell, cell), what)
                elif cell == "six":  # five groups of six and two requests more
                    self.assertTrue(7.5 < document["mean"] < 8.5, what)
                    self.assertEqual(next(c for c, count in enumerate(document["histogram"]) if count), 6, what)
                else:
                    self.assertTrue(3.3 < document["mean"] < 3.7, what)

    def test_layouts_people_write_by_hand(self):
        for layout in ("padded", "xor"):
            self.assertEqual(self.congestion(layout, "stride1", "--trials", 100)["max"], 1)
            self.assertEqual(self.congestion(layout, "stride2", "--trials", 100)["mean"], W)
            self.assertEqual(self.congestion(layout, "malicious", "--trials", 100)["mean"], W)
        self.assertEqual(self.congestion("padded", "diagonal", "--trials", 100)["mean"], 2)

    def test_the_swizzle_of_tensor_copies(self):
        """Exact: simulated alike in every trial, and what theory says."""
        for dims in (2, 4):
            exact = {"contiguous": 1, "stride1": 4, "diagonal": 1, "malicious": W, **({"stride2": W, "stride3": W} if dims == 4 else {})}
            for pattern, congestion in exact.items():
                document = self.congestion("swizzle128", pattern, "--dims", dims, "--trials", 1000)
                self.check_sample(document)
                self.assertEqual((document["mean"], document["ci99"], document["max"], document["bound"]),
                                 (congestion, 2 * [congestion], congestion, congestion), pattern)

    def test_theorem_2(self):
        for width in (4, 16, 256, 1024, 4096):
            document = self.congestion("rap", "diagonal", "--width", width, "--trials", 200)
            bound = 2 * math.exp(2) * math.log(width) / math.log(math.log(width)) + 1
            balls, term = 0, width
            for t in range(1, 60):
                balls += min(1, term)
                term /= t + 1
            self.assertAlmostEqual(document["theorem2"], bound, delta=1e-3)
            self.assertAlmostEqual(document["bound"], min(width, balls), delta=1e-4)
            self.assertLess(document["ci99"][1], document["bound"])
            self.assertLess(document["bound"], document["theorem2"])

    def test_seeds(self):
        one, same, other = (self.congestion("rap", "random", "--trials", 1000, "--seed", s) for s in (7, 7, 8))
        self.assertEqual(one, same)
        self.assertNotEqual(one["histogram"], other["histogram"])

    def test_the_page_shows_what_is_printed(self):
        page = (pathlib.Path(__file__).parents[2] / "docs/command.md").read_text(encoding="utf-8")
        done = self.run_riffle("congestion", "--layout", "rap", "--pattern", "diagonal")
        self.assertIn(f"$ riffle congestion --layout rap --pattern diagonal\n{done.stdout}```\n", page)

    def test_text(self):
        done = self.run_riffle("congestion", "--layout", "rap", "--pattern", "stride1", "--trials", 1000)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^layout rap, pattern stride1, width 32, 2 dimensions, 1000 trials, seed 1$")
        self.assertRegex(done.stdout, r"(?m)^mean +1\.000 ")
        self.assertRegex(done.stdout, r"(?m)^ +1 +1000 +100\.00%$")


class Files(Congestion):
    def write(self, text):
        with open(self.path("addresses"), "w", encoding="utf-8") as file:
            file.write(text)
        return "file:addresses"

    def test_lines_are_requests(self):
        pattern = self.write("# a column, a row, one address again and again\n0 4 8 12\n\n0 1 2 3 # row 0\n5 5\t5\n")
        document = self.congestion("raw", pattern, "--width", 4, "--trials", 10)
        self.assertEqual((document["pattern"], document["trials"], document["histogram"]), ("file", 12, [0, 8, 0, 0, 4]))
        self.assertEqual(self.congestion("rap", pattern, "--width", 4, "--trials", 9)["histogram"], [0, 9])

    def test_four_dimensions(self):
        pattern = self.write(" ".join(str(t * 32**3 + 5) for t in range(32)))
        self.assertEqual(self.congestion("3p", pattern, "--trials", 100)["max"], 1)
        self.assertEqual(self.congestion("1p", pattern, "--trials", 100)["mean"], 32)

    def test_lines_of_any_length(self):
        """A warp may be 4096 wide, and comments and blanks as long as they like."""
        row = " ".join(str(4095 * 4096 + t) for t in range(4096))
        pattern = self.write(f"{row}\n#{'-' * 100000}\n{' ' * 100000}{row} # as above{'.' * 100000}\n{row}")
        document = self.congestion("rap", pattern, "--width", 4096, "--trials", 3)
        self.assertEqual((document["trials"], document["histogram"]), (3, [0, 3]))

    def refuses(self, text, message):
        done = self.run_riffle("congestion", "--layout", "rap", "--pattern", self.write(text), "--width", 4)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, message)

    def test_junk(self):
        place = "^riffle: addresses: line 2: "
        for junk in ("x", "-1", "+1", "1e3", "0x3", "16", "1,2", "99999999999999999999999"):
            self.refuses(f"0 1\n2 {junk} 3\n", place + r".* is no address; write numbers from 0 to 15 ")
        self.refuses("0\n0 1 2 3 4\n", place + "more than 4 addresses; a line is what one warp asks for\n$")
        self.refuses("0\n1 \0 2\n", place + "holds a zero byte")
        for nothing in ("", "\n\n", "# nothing\n"):
            self.refuses(nothing, "addresses: holds no addresses; write what one warp asks for")
        self.refuses("0\n" + "0" * 100, place + "'0{32}' is no address")
        self.refuses("0\n# \0", place + "holds a zero byte")
        done = self.run_riffle("congestion", "--layout", "rap", "--pattern", "file:/dev/zero")
        self.assertEqual(done.returncode, 1)

    def test_files_that_cannot_be_read(self):
        for name, reason in (("missing", "No such file"), (".", "[Dd]irectory")):
            done = self.run_riffle("congestion", "--layout", "rap", "--pattern", f"file:{name}")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, f"^riffle: {name}: cannot be read: .*{reason}")


class Refused(Congestion):
    def refuses(self, pattern, *arguments):
        done = self.run_riffle("congestion", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_words(self):
        self.refuses("no layout given; say which with --layout(.|\n)*no pattern given")
        self.refuses("no pattern given", "--layout", "rap")
        self.refuses("layout 'rip': unknown; did you mean 'rap'", "--layout", "rip", "--pattern", "random")
        self.refuses("pattern 'stride4': unknown; did you mean 'stride", "--layout", "rap", "--pattern", "stride4")
        self.refuses("pattern 'file:': unknown; did you mean 'file:PATH'", "--layout", "rap", "--pattern", "file:")
        self.refuses("option --trials: ", "--trials", "0")
        self.refuses("option --width: '5000' is no number from 1 to 4096", "--width", "5000")
        self.refuses("extra: not expected here", "--layout", "rap", "--pattern", "random", "extra")

    def test_what_does_not_go_together(self):
        self.refuses("--width 12 .*xor needs a width that is a power of two", "--layout", "xor", "--pattern", "random",
                     "--width", 12)
        self.refuses("--width 64 .*swizzle128 has rows of 128 bytes; choose a width of 32", "--layout", "swizzle128",
                     "--pattern", "random", "--width", 64)
        self.refuses("rap is for 2 dimensions; for 4 choose 3p", "--layout", "rap", "--pattern", "stride2")
        self.refuses("for 4 dimensions; for 2 choose rap", "--layout", "3p", "--pattern", "random", "--dims", 2)
        self.refuses("2 or 4 dimensions", "--layout", "raw", "--pattern", "random", "--dims", 3)
        self.refuses("2 dimensions has no stride3; leave --dims out", "--layout", "raw", "--pattern", "stride3",
                     "--dims", 2)
        self.refuses("more than 2.24 random numbers; choose a width up to 256", "--layout", "w2p", "--pattern", "random",
                     "--width", 512)


main()
