# SPDX-License-Identifier: Apache-2.0
"""The command line itself: help, versions, typos, and explain, info and bench."""
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import time
import unittest

import numpy as np

from command import QUICK, RIFFLE, CommandTest, main, some

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "command.md"
COMMANDS = ["permute", "take", "explain", "map", "histogram", "group", "ungroup", "bitshuffle", "hull", "sort", "cycles", "run", "simulate", "sweep", "lint", "congestion", "vat", "bench", "info"]
VAT_COMMANDS = ["vat replay", "vat run", "vat curve", "vat measure"]
WITH_OPTIONS = [name for name in COMMANDS if name != "vat"] + VAT_COMMANDS


class Help(CommandTest):
    def test_help_is_what_the_page_shows(self):
        page = PAGE.read_text(encoding="utf-8")
        for name in ["", *COMMANDS, *VAT_COMMANDS]:
            done = self.run_riffle(*name.split(), "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(f"```text\n{done.stdout}```\n", page, f"docs/command.md and riffle {name}")

    def test_the_list_names_every_command(self):
        for name, commands in [("", COMMANDS), ("vat", VAT_COMMANDS)]:
            listed = re.findall(r"^  (\w+)  ", self.run_riffle(*name.split(), "--help").stdout, re.MULTILINE)
            self.assertEqual(listed, [command.split()[-1] for command in commands])

    def test_a_dash_names_no_file(self):
        """Results replace whole files and inputs are mapped: no command takes a stream for one, or makes a file of that name."""
        np.save(self.path("in.npy"), np.arange(8.0))
        np.save(self.path("points.npy"), np.zeros((4, 2)))
        said = "'-' names no file, and streams are neither read nor written; write a name, or ./- for a file of that name"
        for place, *arguments in [
                ("permute: file name 2 of 2", "permute", "in.npy", "-", "--by", "reverse"),
                ("permute: file name 1 of 2", "permute", "-", "out.npy", "--by", "reverse"),
                ("permute: file name 1 of 1", "permute", "-", "--in-place", "--by", "reverse"),
                ("take: file name 3 of 3", "take", "in.npy", "in.npy", "-"),
                ("take: file name 2 of 3", "take", "in.npy", "-", "out.npy"),
                ("hull: file name 2 of 2", "hull", "points.npy", "-"),
                ("--svg", "hull", "points.npy", "out.npy", "--svg", "-"),
                ("sort: file name 2 of 2", "sort", "in.npy", "-"),
                ("--indices", "sort", "in.npy", "out.npy", "--indices", "-"),
                ("--segments", "sort", "in.npy", "out.npy", "--segments", "-"),
                ("run: file name 2 of 2", "run", "in.npy", "-", "--by", "sort n"),
                ("--by: table:", "permute", "in.npy", "out.npy", "--by", "reverse | ~table : -"),
                ("--by: table:", "permute", "in.npy", "out.npy", "--by", 'table:"-"'),
                ("--by: table:", "run", "in.npy", "out.npy", "--by", "sort n | table:-"),
                ("--by: table:", "map", "--by", "table:-", "--n", 8),
                ("--by: table:", "explain", "--by", "table:-", "--n", 8),
                ("--by: table:", "simulate", "--by", "table:-", "--n", 8),
                ("--define", "run", "in.npy", "out.npy", "--by", "sort n", "--define", "-"),
                ("--define", "explain", "--by", "sort n", "--n", 8, "--define", "-"),
                ("--define", "simulate", "--by", "sort n", "--n", 8, "--define", "-"),
                ("lint: file name 1 of 1", "lint", "-"),
                ("--html", "lint", "kernel.cu", "--html", "-"),
                ("--sarif", "lint", "kernel.cu", "--sarif", "-"),
                ("--compare", "lint", "kernel.cu", "--compare", "-")]:
            done = self.run_riffle(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"riffle: {place}: {said}\n"), arguments)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "points.npy"])
        done = self.run_riffle("sort", "in.npy", "./-")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        np.testing.assert_array_equal(np.load(self.path("-")), np.arange(8.0))

    def test_help_as_a_word(self):
        for name in some(["", *COMMANDS, *VAT_COMMANDS]):
            done = self.run_riffle("help", *name.split())
            self.assertEqual((done.returncode, done.stdout), (0, self.run_riffle(*name.split(), "--help").stdout))
            self.assertEqual(self.run_riffle(*name.split(), "-h").stdout, done.stdout)
        self.assertEqual(self.run_riffle("vat", "help", "replay").stdout, self.run_riffle("vat", "replay", "-h").stdout)

    def test_help_fits_a_terminal(self):
        for name in ["", *COMMANDS, *VAT_COMMANDS]:
            self.assertLessEqual(max(map(len, self.run_riffle(*name.split(), "--help").stdout.splitlines())), 80)

    def options_of(self, name):
        """(--name, argument or "", text) of every option in what --help prints; "" too where it may be left out."""
        text = self.run_riffle(*name.split(), "--help").stdout
        found = re.findall(r"^  (?:-(\w), )?(--[a-z-]+)(?: (\S+)|\[=\S+\])?(?:\n {21}| +)((?:.+\n {21})*.+)$", text, re.MULTILINE)
        self.assertEqual(len(found), len(re.findall(r"^  (?:-\w, )?--", text, re.MULTILINE)), name)
        return found

    def test_texts_of_options_are_short(self):
        """An option's text is six lines at most; choices that are more are a list, a line or a column each."""
        for name in some([*COMMANDS, *VAT_COMMANDS]):
            for _, option, _, text in self.options_of(name):
                prose = [line for line in text.splitlines() if not re.match(r" *\S.*\S {2,}\S| {30}", line)]
                self.assertLessEqual(len(prose), 6, f"{name} {option}")

    def wrong(self, name, *arguments):
        done = self.run_riffle(*name.split(), *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), f"{name} {arguments}: {done.stderr}")
        return done.stderr

    def test_the_reader_takes_what_help_shows(self):
        """Each option of each command: its value, its letter, twice, and no others."""
        for name in some(WITH_OPTIONS):
            options = self.options_of(name)
            known = re.search("the choices are (.*)", self.wrong(name, "--xyzzy-xyzzy"))[1].split(", ")
            self.assertEqual([option for _, option, _, _ in options], known)
            self.assertEqual(known[-1], "--help")
            for letter, option, argument, text in options:
                if argument:
                    self.assertEqual(self.wrong(name, option), f"riffle: option {option}: needs a value; --help shows which\n")
                    if letter:
                        self.assertEqual(self.wrong(name, f"-{letter}"),
                                         f"riffle: option -{letter}: needs a value; --help shows which\n")
                else:
                    self.assertRegex(self.wrong(name, f"{option}=1"), f"option {option}: (takes no value; |check '1': unknown)")
                if option not in ("--help", "--presets"):  # which end the command
                    twice = 2 * ([option, self.value_of(name, option)] if argument else [option])
                    repeated = f"riffle: option {option}: given twice; give it once\n"
                    may_repeat = "may be repeated" in text or "once for each" in text
                    self.assertEqual(self.wrong(name, *twice, "--xyzzy-xyzzy") == repeated, not may_repeat, f"{name} {option}")

    def value_of(self, name, option):
        """One that the option takes."""
        words = {"--engine": "cpu", "--sum": "f32", "--algorithm": "auto", "--suite": "quick", "--layout": "rap", "--shared-layout": "rap", "--pattern": "random",
                 "--policy": "lru", "--preset": "native", "--program": "permute", "--pages": "4k", "--fail-on": "race",
                 "--type": "u32", "--sort": "u32", "--group": "u16", "--hull": "disc", "--effort": "measure", "--bit-order": "big", "--link": "50GB/s", "--what": "counted", "--along": "n", "--per": "em",
                 "--draw": "time"}
        if (name, option) == ("explain", "--latency"):
            return "2us"
        if (name, option) == ("explain", "--hull"):
            return "f32"
        if (name, option) == ("run", "--algorithm"):
            return "paper"
        if (name, option) == ("vat curve", "--memory"):
            return "2^15:1,9"
        if (name, option) == ("group", "--by"):
            return "hash"
        return words.get(option) or {"--least": "4096", "--most": "4096"}.get(option, "2")

    def test_version(self):
        self.assertRegex(self.run_riffle("--version").stdout, r"^riffle \d+\.\d+\.\d+\n$")

    def test_a_full_disk_under_stdout_is_noticed(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (["--help"], ["info"], ["explain", "--by", "reverse", "--n", "8"]):
                done = subprocess.run([RIFFLE, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, "^riffle: .*written")


class WrongCommandLine(CommandTest):
    def refuses(self, pattern, *arguments):
        done = self.run_riffle(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_nothing(self):
        self.refuses("^Usage: riffle COMMAND")

    def test_typos(self):
        self.refuses("command 'permut': unknown; did you mean 'permute'", "permut")
        self.refuses("command 'benhc': unknown; did you mean 'bench'", "benhc")
        self.refuses("command 'xyzzy': unknown; the choices are permute, take, explain, map, histogram, group, ungroup, bitshuffle, hull, sort, cycles, run, simulate, sweep, lint, congestion, vat, bench, info\n$", "xyzzy")
        self.refuses("command 'xyzzy': unknown; the choices", "help", "xyzzy")
        self.refuses("option '--hepl': unknown; did you mean '--help'", "--hepl")
        self.refuses("permute: --rows goes with --by; give that too, or leave it out", "permute", "a", "b", "--row")
        self.refuses("option '--bye': unknown; did you mean '--by'", "permute", "a", "b", "--bye=reverse")
        for others in ((), ("--rows",), ("",), ("a", "b")):
            for letters in ("-x", "-xh", "-xyz"):
                self.refuses("option -x: unknown", "permute", *others, letters)
        self.refuses("option --rows: takes no value", "permute", "a", "b", "--rows=3")
        self.refuses("option --by: needs a value", "permute", "a", "b", "--by")
        self.refuses("engine 'cdua': unknown; did you mean 'cuda'", "explain", "--engine", "cdua")
        self.refuses("algorithm 'scater': unknown; did you mean 'scatter'", "explain", "--algorithm", "scater")
        self.refuses("algorithm 'bmmc-tiles': unknown; did you mean 'bmmc-tile'",
                     "simulate", "--algorithm", "bmmc-tiles")
        self.refuses("option '--inplace': unknown; did you mean '--in-place'", "explain", "--inplace")
        self.refuses("suite 'quik': unknown; did you mean 'quick'", "bench", "--suite", "quik")

    def test_abbreviations_of_several(self):
        self.refuses("^riffle: option '--a': ambiguous; it may be --all, --algorithm\n$", "simulate", "--a", "x")
        self.refuses("^riffle: option '--in': ambiguous; it may be --indices, --in-place, --in-blocks\n$", "simulate", "--in")
        self.refuses("^riffle: option '--e': ambiguous; it may be --elem-bytes, --elem-bits, --engine, --effort, --effort-seconds\n$", "explain", "--e=4")

    def test_numpys_names_of_types(self):
        """By bytes, where riffle's are by bits; i8 and u8 are both, and riffle's."""
        for option in ("--sort", "--hull", "--group"):
            for word, meant in (("f8", "f64"), ("f4", "f32"), ("f2", "f16"), ("i4", "i32"), ("u2", "u16"), ("c16", "c128")):
                self.refuses(f"^riffle: option {option}: type '{word}' is NumPy's name, by bytes; here it is by bits: '{meant}'\n$",
                             "explain", option, word, "--n", "8")
        self.refuses("type 'f46': unknown; did you mean 'f64'|type 'f46': unknown; did you mean", "explain", "--sort", "f46", "--n", "8")
        self.assertIn("8 elements of 1 byte", self.run_riffle("explain", "--sort", "i8", "--n", "8").stdout)

    def test_words_like_no_other_list_the_choices(self):
        self.refuses("suite 'slow': unknown; the choices are cpu, quick\n$", "bench", "--suite", "slow")
        self.refuses("algorithm 'fast': unknown; the choices are auto, copy, scatter, gather, affine, axes, bucket, "
                     "transpose, row-wise, column-wise, scheduled, conflict-free, reverse-ends, once, bmmc-naive, bmmc-tile, bmmc-tile-banks, "
                     "bmmc-tile-iters, bmmc-tile-banks-iters, fused, paper, two-phase, k-partition, pairwise\n$",
                     "explain", "--algorithm", "fast")
        self.refuses("engine 'abacus': unknown; the choices are cpu, cuda\n$", "explain", "--engine", "abacus")
        self.refuses("option '--foo': unknown; the choices are --suite, ", "bench", "--foo")

    def test_an_option_given_twice(self):
        self.refuses("option --by: given twice; give it once", "permute", "a", "b", "--by", "reverse", "--by=identity")
        self.refuses("option --n: given twice", "explain", "--n", "8", "--by", "reverse", "--n=9")
        self.refuses("option --batch: given twice", "explain", "--batch", "2", "--batch", "2")
        self.refuses("option --in-place: given twice", "explain", "--in-place", "--in-place")
        self.refuses("option --once: given twice", "explain", "--once", "--onc")
        self.refuses("option --threads: given twice", "bench", "--threads", "1", "--json", "--threads", "1")

    def test_what_is_missing_or_too_much(self):
        self.refuses("0 of 2 file names.*usage: riffle permute IN.npy \\[OUT.npy\\]", "permute")
        self.refuses("1 of 2 file names given; name OUT.npy too, or replace IN.npy with --in-place", "permute", "a.npy",
                     "--by", "reverse")
        self.refuses("permute: file name 1 of 2 is empty; ", "permute", "", "b.npy", "--by", "reverse")
        self.refuses("permute: file name 2 of 2 is empty; ", "permute", "--by", "reverse", "a.npy", "")
        self.refuses("lint: file name 1 of 1 is empty; ", "lint", "", "--kernel", "k", "--block", "1")
        self.refuses("vat replay: file name 1 of 1 is empty; ", "vat", "replay", "")
        self.refuses("c.npy: not expected", "permute", "a.npy", "b.npy", "c.npy", "--by", "reverse")
        self.refuses("--by SPEC", "permute", "a.npy", "b.npy")
        self.refuses("--n N", "explain", "--by", "reverse")
        self.refuses("--by SPEC", "explain", "--n", "8")
        self.refuses("extra: not expected here; usage: riffle info\n$", "info", "extra")
        self.refuses("extra: not expected here; usage: riffle help", "help", "info", "extra")

    def test_numbers(self):
        for text in ("", "x", "-1", "+1", " 1", "1e3", "2^", "2^64", "2^41", "99999999999999999999", "0x10"):
            self.refuses("option --n: ", "explain", "--by", "reverse", "--n", text)
        for text in ("0", "-2", "4097"):
            self.refuses("option --threads: ", "permute", "a", "b", "--by", "reverse", "--threads", text)
        for option in ("--elem-bytes", "--batch", "--stride"):
            for text in ("0", "-1", "x", "2^41"):
                self.refuses(f"option {option}: ", "explain", "--by", "reverse", "--n", "8", option, text)
        self.refuses("option --repeat: ", "bench", "--repeat", "0")

    def test_spec(self):
        self.refuses(r"--by: spec, character 1: .*reverse(.|\n)*\n  revers\n  \^\n$", "explain", "--by", "revers",
                     "--n", "8")


class Explain(CommandTest):
    def test_powers_and_decimals_are_the_same(self):
        one, other = (self.run_riffle("explain", "--by", "bit-reversal", "--n", n) for n in ("2^20", "1048576"))
        self.assertEqual((one.returncode, one.stderr), (0, ""))
        self.assertEqual(one.stdout, other.stdout)

    def test_names_the_algorithm(self):
        for spec, algorithm in [("bit-reversal", "affine"), ("transpose:1024x1024", "axes|affine"),
                                ("identity", "copy"), ("axes:64x128x128:2,0,1", "axes|affine")]:
            done = self.run_riffle("explain", "--by", spec, "--n", "2^20", "--elem-bytes", 8)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, algorithm)

    def test_the_longest_array(self):
        done = self.run_riffle("explain", "--by", "random:1", "--n", "2^40")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_one_use_is_a_gpus(self):
        for options in ([], ["--once"]):
            self.assertNotIn("one use", self.explained("--by", "random:1", "--n", "2^20", *options))
        done = self.run_riffle("explain", "--by", "random:1", "--n", "2^20", "--once", "--engine", "cuda",
                               env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^riffle: explain: (the cuda engine is in libriffle-cuda|the cuda engine finds no GPU).*, or name with --device one that need not be here\n$")

    def explained(self, *arguments):
        done = self.run_riffle("explain", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def test_batches(self):
        base = ["--by", "bit-reversal", "--n", "2^10"]
        self.assertNotIn("batch", self.explained(*base))
        self.assertRegex(self.explained(*base, "--batch", 3), r"\nbatch +3 arrays, 1024 elements apart\n")
        self.assertRegex(self.explained(*base, "--batch", "2^5", "--stride", 1500),
                         r"\nbatch +32 arrays, 1500 elements apart\n")

    def test_in_place(self):
        self.assertRegex(self.explained("--by", "identity", "--n", 8, "--in-place"),
                         r"\nalgorithm +copy, 0 passes, in place\n")
        for spec, chosen in (("bit-reversal", "affine, 1 pass"), ("random-affine:1", "affine, 2 passes"),
                             ("transpose:512x2048", "affine, 2 passes")):
            self.assertRegex(self.explained("--by", spec, "--n", "2^20", "--in-place"), rf"\nalgorithm +{chosen}, in place\n")
        self.assertRegex(self.explained("--by", "transpose:500x2001", "--n", 500 * 2001, "--in-place"),
                         r"\nalgorithm +transpose, 2 passes, in place\n")
        self.assertRegex(self.explained("--by", "reverse", "--n", 1000003, "--elem-bytes", 12, "--in-place"),
                         r"\nalgorithm +reverse-ends, 1 pass, in place\n(.|\n)*\nexpected +about 0.5 times a copy's time\n")

    def test_reasons_for_what_cannot_be_done(self):
        for pattern, arguments in [
                ("in place: it is no affine permutation of 2.m elements, and it transposes no matrix, and it is no reversal; ",
                 ["--by", "random:1", "--in-place"]),
                ("'bmmc-naive' cannot do this: the cpu engine does not have it",
                 ["--by", "reverse", "--algorithm", "bmmc-naive"]),
                ("'bmmc-tile-banks-iters' cannot do this: the cpu engine does not have it",
                 ["--by", "reverse", "--algorithm", "bmmc-tile-banks-iters"]),
                ("stride of 3 elements.*of 8 elements overlap; it must be at least their length",
                 ["--by", "reverse", "--stride", "3"]),
                ("more than an address can hold", ["--by", "reverse", "--batch", "2^40", "--elem-bytes", "2^20"])]:
            done = self.run_riffle("explain", "--n", "8", *arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
            self.assertRegex(done.stderr, f"^riffle: .*{pattern}")

    def test_failures(self):
        for status, arguments in [(1, ["--by", "bit-reversal", "--n", "1000"]),
                                  (1, ["--by", "reverse", "--n", "8", "--engine", "cuda"]),
                                  (1, ["--by", "random:1", "--n", "8", "--algorithm", "affine"])]:
            done = self.run_riffle("explain", *arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertRegex(done.stderr, "^riffle: ")


class Info(CommandTest):
    def test_info(self):
        done = self.run_riffle("info", env={**os.environ, "OMP_NUM_THREADS": "3"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in (r"^riffle +\d", r"^processor +\S", r"^cores +\d", r"^threads +3$", r"^vectors +\S",
                     r"^translation +\S+ \(.+\): \d+ pages of 4 KiB are cached$", r"^huge pages +\S", r"^engine cpu +ready$", r"^engine cuda +\S"):
            self.assertRegex(done.stdout, re.compile(line, re.MULTILINE))


class Processor(CommandTest):
    """RIFFLE_PROCESSOR pretends another processor, in what is planned and in which loops run."""

    def on(self, processor, *arguments):
        return self.run_riffle(*arguments, env={**os.environ, "RIFFLE_PROCESSOR": processor})

    def names(self):
        return re.search("take (.*), or leave it unset", self.on("zen", "info").stderr).group(1).split(", ")

    def test_a_known_one_is_planned_for(self):
        for name, pages in some([("zen5", 4096), ("zen5-guest", 4096), ("zen4", 3072), ("skylake", 1536), ("none", 1536)]):
            done = self.on(name, "explain", "--by", "random:1", "--n", "2^20")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("algorithm    gather, 1 pass\n", done.stdout)
            self.assertIn(f"; {pages} pages of 4 KiB are cached\n", done.stdout)
        self.assertIn("algorithm    bucket, 2 passes\n", self.on("core-2", "explain", "--by", "random:1", "--n", "2^20").stdout)

    def test_each_says_that_it_is_pretended(self):
        self.assertGreaterEqual(len(self.names()), 10)
        for name in some(self.names()):
            done = self.on(name, "info")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, rf"\ntranslation .*; RIFFLE_PROCESSOR pretends {name}\)")
            self.assertNotIn("this processor", done.stdout)
            self.assertEqual(self.on(name, "permute", self.small_array(), "out.npy", "--by", "random:1").returncode, 0)

    def test_loops_go_down_with_the_processor(self):
        sets = ["portable", "SSSE3", "AVX2", "AVX-512", "AVX-512 VBMI"]
        for name, most in some([("none", 0), ("core-2", 1), ("zen2", 2), ("haswell", 2), ("skylake", 3), ("zen5", 4)]):
            loops = re.search(r"^vectors +\S.*; loops: (.*)$", self.on(name, "info").stdout, re.MULTILINE).group(1)
            allowed = "|".join(sets[: most + 1])
            if "NEON" not in loops:
                self.assertRegex(loops, rf"^([a-z]+ ({allowed})(, |$))+$")
            affine = re.search("affine ([^,]+)", loops).group(1)
            explained = self.on(name, "explain", "--by", "bit-reversal", "--n", "2^20").stdout
            self.assertIn(f"\nloops        {affine}\n", explained)
            explained = self.on(name, "explain", "--by", "bit-reversal", "--n", "2^20", "--in-place").stdout
            self.assertIn("\nloops        portable\n", explained)
            self.assertNotIn("those of", explained)

    def test_what_is_expected_is_of_some_loops(self):
        """Where narrower ones run, it is said."""
        for name in some(("none", "core-2", "zen2", "haswell", "skylake", "zen5")):
            explained = self.on(name, "explain", "--by", "bit-reversal", "--n", "2^26").stdout
            loops = re.search(r"^loops +(.*)$", explained, re.MULTILINE).group(1)
            unmeasured = "" if loops == "AVX2" else ", and what is expected below was not measured with these"
            note = f"\nloops        {loops}\n             those of AVX-512 VBMI are the best{unmeasured}\n"
            self.assertEqual(note in explained, loops not in ("AVX-512 VBMI", "NEON"), explained)
            copies = 1.4 if loops == "AVX-512 VBMI" else 1.7
            self.assertIn(f"\nexpected     about {copies} times a copy's time\n", explained)
            explained = self.on(name, "explain", "--by", "rotate:3", "--n", "2^26").stdout
            self.assertNotIn("those of", explained)

    def small_array(self):
        np.save(self.path("in.npy"), np.arange(1000))
        return "in.npy"

    def test_an_unknown_one_is_refused(self):
        problem = r"RIFFLE_PROCESSOR: there is no record of a processor 'zen'; take core-2, .*zen5.*, or leave it unset\n"
        for arguments in (["explain", "--by", "random:1", "--n", "8"], ["permute", self.small_array(), "out.npy", "--by", "reverse"],
                          ["info"], ["sort", "in.npy", "out.npy"],
                          ["take", "in.npy", "in.npy", "out.npy"], ["map", "--by", "reverse", "--n", "8"],
                          ["explain", "--sort", "u32", "--n", "8"], ["simulate", "--by", "reverse", "--n", "8"], ["bench", "--suite", "quick"],
                          ["run", "in.npy", "out.npy", "--by", "sort n"], ["hull", "in.npy", "out.npy"], ["lint", "k.cu"],
                          ["congestion", "--layout", "rap", "--pattern", "random"]):
            done = self.on("zen", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertRegex(done.stderr, rf"^riffle: {problem}$")
        self.assertEqual(self.on("zen", "info", "--help").returncode, 0)
        self.assertEqual(os.listdir(self.folder), ["in.npy"])
        self.assertEqual(self.on("", "info").stdout, self.run_riffle("info", env={
            name: value for name, value in os.environ.items() if name != "RIFFLE_PROCESSOR"}).stdout)


class Progress(CommandTest):
    """A terminal sees the phase of work that takes more than a second; stopping the process makes it so."""

    def test_the_phase_is_shown_on_a_terminal(self):
        np.save(self.path("in.npy"), np.zeros(1 << 24, dtype="<f4"))
        shown = ""
        for _ in range(10):  # on a busy machine the work may be done before it is stopped
            shown = shown or self.run_and_pause()
        self.assertRegex(shown, r"riffle: (making room|planning|moving|syncing)  \d+\.\d s")
        self.assertTrue(shown.endswith("\r\x1b[K"), "the line is taken away")

    def run_and_pause(self):
        """Returns what a terminal is shown of a run that stands still for more than a second."""
        ours, terminal = os.openpty()
        process = subprocess.Popen([RIFFLE, "permute", "in.npy", "out.npy", "--by", "random:1", "--algorithm",
                                    "scatter", "--threads", "1"], cwd=self.folder, stderr=terminal)
        while process.poll() is None and len(os.listdir(self.folder)) < 2:
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.2)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(), 0)
        shown = os.read(ours, 1 << 16).decode() if select.select([ours], [], [], 0.1)[0] else ""
        os.close(terminal)
        os.close(ours)
        os.remove(self.path("out.npy"))
        return shown


class Bench(CommandTest):
    def test_json(self):
        done = self.run_riffle("bench", "--suite", "quick", "--repeat", 1, "--json", "--threads", 2,
                               env={**os.environ, "OMP_NUM_THREADS": "2"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        document = json.loads(done.stdout)
        self.assertEqual(list(document), ["engine", "device", "vectors", "driver", "version", "commit", "threads", "results"])
        self.assertEqual((document["engine"], document["threads"]), ("cpu", 2))
        self.assertRegex(self.run_riffle("info").stdout, rf"(?m)^vectors +{document['vectors']}")
        self.assertGreater(len(document["results"]), 5)
        for row in document["results"]:
            self.assertEqual(list(row), ["suite", "by", "n", "elem_bytes", "algorithm", "asked_algorithm", "seconds",
                                         "copy_seconds", "ratio", "plan_seconds", "plan_bytes", "workspace_bytes",
                                         "threads"])
            self.assertAlmostEqual(row["ratio"], row["seconds"] / row["copy_seconds"], delta=0.01 * row["ratio"] + 1e-3)
            self.assertNotEqual(row["algorithm"], "auto")

    @unittest.skipIf(QUICK, "what runs is what test_json runs")
    def test_a_copy_takes_the_plans_threads(self):
        """However many are asked for: two for 1 MiB, and one for less or for what threads would share lines of."""
        done = self.run_riffle("bench", "--suite", "quick", "--repeat", 1, "--json", "--threads", 4,
                               env={**os.environ, "OMP_NUM_THREADS": "4"})
        threads = {(row["by"], row["asked_algorithm"], row["elem_bytes"]): row["threads"]
                   for row in json.loads(done.stdout)["results"]}
        self.assertEqual(threads["identity", "auto", 4], 2)
        self.assertEqual(threads["random-affine:1", "auto", 8], 4)
        self.assertEqual(threads["axes:61x63x65:2,0,1", "auto", 4], 1)
        self.assertEqual(threads["random:1", "scatter", 4], 1)

    def test_table_and_only(self):
        done = self.run_riffle("bench", "--suite", "quick", "--repeat", 1, "--only", "bit-rev")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line for line in done.stdout.splitlines() if "bit-reversal" in line]
        self.assertEqual(len(rows), 1)
        self.assertNotIn("random", done.stdout)

    def test_the_table_tells_what_was_asked_for(self):
        done = self.run_riffle("bench", "--suite", "quick", "--repeat", 1, "--only", "random:1")
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("random:1 ") and " 262144 " in line]
        self.assertEqual([row[-2:] == ["asked", "for"] for row in rows], [False, True, True, True])

    def test_only_that_finds_nothing(self):
        done = self.run_riffle("bench", "--suite", "quick", "--only", "xyzzy")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no row", done.stderr)


if __name__ == "__main__":
    main()
