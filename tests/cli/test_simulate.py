# SPDX-License-Identifier: Apache-2.0
"""riffle simulate: the HMM paper's Table I (Kasagi, Nakano, Ito 2013) from the JSON document, what affine permutations do to
memory, batches, moves in place, and what is refused."""
import json
import os
import re

import numpy as np

from command import QUICK, SEED, CommandTest, counts_alone, main, some, targets_of_bits


# Algorithm: casual reads, casual writes, coalesced reads, coalesced writes, shared reads, shared writes.
TABLE = {
    "scatter": (0, 1, 2, 0, 0, 0),
    "gather": (1, 0, 1, 1, 0, 0),
    "transpose": (0, 0, 1, 1, 1, 1),
    "row-wise": (0, 0, 3, 1, 2, 2),
    "column-wise": (0, 0, 5, 3, 4, 4),
    "scheduled": (0, 0, 11, 5, 8, 8),
}


def running_time(algorithm, n, w, latency, distribution):
    rounds = sum(TABLE[algorithm])
    global_rounds = sum(TABLE[algorithm][:4])
    if algorithm in ("scatter", "gather"):
        return distribution + 2 * n // w + 3 * (latency - 1)
    return rounds * n // w + global_rounds * (latency - 1)


def distribution(targets, w):
    """D_w(P): the groups of w that each warp of w touches, added up."""
    groups = np.sort(targets.reshape(-1, w) // w, axis=1)
    return int(len(groups) + np.count_nonzero(groups[:, 1:] != groups[:, :-1]))


class Simulate(CommandTest):
    def simulate(self, *arguments):
        done = self.run_riffle("simulate", "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return json.loads(done.stdout)

    def check(self, algorithm, spec, targets, w, latency):
        n = len(targets)
        document = self.simulate("--by", spec, "--n", n, "--algorithm", algorithm, "--width", w, "--latency", latency)
        inverse = np.empty_like(targets)
        inverse[targets] = np.arange(n)
        spread = distribution(inverse if algorithm == "gather" else targets, w)
        expected = running_time(algorithm, n, w, latency, spread)
        what = f"{algorithm} {spec} n={n} w={w} L={latency}"
        self.assertEqual(document["time_units"], expected, what)
        self.assertEqual(document["predicted_time_units"], expected, what)
        self.assertEqual((document["width"], document["latency"], document["n"], document["algorithm"]),
                         (w, latency, n, algorithm))
        device, shared = document["summary"]["global"], document["summary"]["shared"]
        casual_read, casual_write, reads, writes, shared_reads, shared_writes = TABLE[algorithm]
        if spread == n // w:  # accesses that Table I calls casual, because they may be, happen not to be
            reads, writes, casual_read, casual_write = reads + casual_read, writes + casual_write, 0, 0
        self.assertEqual(device, {"coalesced_read": reads, "coalesced_write": writes, "casual_read": casual_read,
                                  "casual_write": casual_write}, what)
        self.assertEqual(shared, {"conflict_free_read": shared_reads, "conflict_free_write": shared_writes,
                                  "casual_read": 0, "casual_write": 0}, what)
        self.assertEqual(document["hazards"], [])

    def test_table_one(self):
        for m, w, latency in [(10, 32, 400), (10, 4, 5)] if QUICK else [(10, 32, 400), (12, 16, 5), (12, 8, 1), (10, 4, 5)]:
            n, side = 1 << m, 1 << m // 2
            specs = {
                "identity": np.arange(n),
                "shuffle": targets_of_bits(n, [(k + 1) % m for k in range(m)]),
                "bit-reversal": targets_of_bits(n, list(range(m))[::-1]),
                f"transpose:{side}x{side}": np.arange(n).reshape(side, side).T.ravel(),
            }
            table = self.rng.permutation(n)
            np.save(self.path("random.npy"), table)
            specs["table:random.npy"] = table
            for spec, targets in some(specs.items()):
                for algorithm in ("scatter", "gather", "scheduled"):
                    self.check(algorithm, spec, targets, w, latency)
            self.check("transpose", f"transpose:{side}x{side}", specs[f"transpose:{side}x{side}"], w, latency)
            for spec in some(("identity", "shuffle", "bit-reversal", "random:7", f"transpose:2x{side // 2}")):
                for algorithm in ("row-wise", "column-wise"):
                    self.check_lines(algorithm, spec, n, w, latency)

    def check_lines(self, algorithm, spec, n, w, latency):
        document = self.simulate("--by", spec, "--n", n, "--algorithm", algorithm, "--width", w, "--latency", latency)
        expected = running_time(algorithm, n, w, latency, 0)
        self.assertEqual((document["time_units"], document["predicted_time_units"]), (expected, expected))
        self.assertEqual(document["summary"]["shared"]["casual_read"], 0)

    def test_rounds_name_their_lines(self):
        document = self.simulate("--by", "random:1", "--n", "2^12", "--algorithm", "scheduled")
        self.assertEqual({round["file"] for round in document["rounds"]}, {"row_wise.cu", "transpose.cu"})
        self.assertTrue(all(round["line"] > 0 for round in document["rounds"]))
        self.assertEqual(sum(round["time_units"] for round in document["rounds"]), document["time_units"])
        self.assertEqual({round["launch"] for round in document["rounds"]}, set(range(5)))
        self.assertEqual([launch["kernel"] for launch in document["launches"]],
                         ["row_wise", "transpose", "row_wise", "transpose", "row_wise"])
        self.assertEqual([launch["rounds"] for launch in document["launches"]], [8, 4, 8, 4, 8])
        self.assertEqual(sum(launch["time_units"] for launch in document["launches"]), document["time_units"])

    def test_more_processors_take_less(self):
        one = self.simulate("--by", "random:1", "--n", "2^12", "--algorithm", "scheduled")
        many = self.simulate("--by", "random:1", "--n", "2^12", "--algorithm", "scheduled", "--dmms", 16)
        self.assertLess(many["time_units"], one["time_units"])

    def test_the_document_has_one_shape(self):
        members = ["width", "latency", "shared_latency", "dmms", "n", "algorithm", "rounds", "launches", "summary",
                   "time_units", "predicted_time_units", "predicted_meaning", "predicted_launches", "hazards", "blocks", "run_blocks", "checked_blocks", "counted_blocks", "partial"]
        of_a_round = ["launch", "kernel", "file", "line", "space", "op", "cell_bytes", "merged", "rounds", "casual_rounds", "warps",
                      "stages", "ideal_stages", "worst_stages", "time_units", "requests", "ideal_requests", "verdict"]
        for options in (["--algorithm", "scatter"], ["--algorithm", "affine"], ["--algorithm", "bmmc-tile-banks"],
                        ["--batch", 3, "--stride", 1500], ["--in-place"]):
            document = self.simulate("--by", "bit-reversal", "--n", "2^10", *options)
            self.assertEqual(list(document), members, options)
            self.assertEqual({tuple(round) for round in document["rounds"]}, {tuple(of_a_round)}, options)

    def assert_asks_for_no_more(self, document, what):
        """No bank conflict, and of global memory no sector more than its bytes need."""
        shared = document["summary"]["shared"]
        self.assertEqual((shared["casual_read"], shared["casual_write"]), (0, 0), what)
        self.assertEqual(shared["conflict_free_read"], shared["conflict_free_write"], what)
        for round in document["rounds"]:
            self.assertEqual(round["requests"], round["ideal_requests"], what)
        self.assertEqual(document["hazards"], [], what)

    def test_affine_takes_one_good_pass(self):
        for elem_bytes in some((1, 2, 4, 8, 16, 64)):
            for m in (6, 10) if QUICK else (3, 6, 10, 13, 16):
                for spec in (f"random-affine:{self.rng.integers(1 << 32)}", "bit-reversal"):
                    what = f"{spec} n=2^{m}, {elem_bytes} bytes, seed {SEED}"
                    document = self.simulate("--by", spec, "--n", f"2^{m}", "--algorithm", "affine",
                                             "--elem-bytes", elem_bytes)
                    self.assertEqual(document["algorithm"], "affine")
                    self.assertEqual([launch["kernel"] for launch in document["launches"]], ["affine_tile"], what)
                    self.assert_asks_for_no_more(document, what)

    def test_affine_is_free_of_conflicts_for_every_width(self):
        for width in some((1, 2, 4, 8, 16, 32)):
            spec = f"random-affine:{self.rng.integers(1 << 32)}"
            document = self.simulate("--by", spec, "--n", "2^10", "--algorithm", "affine", "--width", width)
            shared = document["summary"]["shared"]
            self.assertEqual((shared["casual_read"], shared["casual_write"]), (0, 0),
                             f"{spec}, width {width}, seed {SEED}")

    def bmmc_rounds(self, algorithm, spec):
        """Returns the kinds of rounds of global reads and writes and shared writes and reads; "" where there are none."""
        document = self.simulate("--by", spec, "--n", "2^12", "--algorithm", algorithm)
        self.assertEqual(document["hazards"], [])
        def kind(space, op):
            rounds = [round for round in document["rounds"] if (round["space"], round["op"]) == (space, op)]
            return "" if not rounds else "casual" if any(round["casual_rounds"] for round in rounds) else "good"
        kinds = [kind(*of) for of in (("global", "read"), ("global", "write"), ("shared", "write"), ("shared", "read"))]
        return len(document["launches"]), kinds

    def test_bmmc_shifts_rows_against_conflicts(self):
        for spec, passes in (("bit-reversal", 1), (f"random-affine:{self.rng.integers(1 << 32)}", 2)):
            what = f"{spec}, seed {SEED}"
            self.assertEqual(self.bmmc_rounds("bmmc-naive", spec), (1, ["good", "casual", "", ""]), what)
            self.assertEqual(self.bmmc_rounds("bmmc-tile", spec), (passes, ["good", "good", "good", "casual"]), what)
            self.assertEqual(self.bmmc_rounds("bmmc-tile-banks", spec), (passes, ["good"] * 4), what)
        self.assertEqual(self.bmmc_rounds("bmmc-tile-iters", "bit-reversal"), (1, ["good", "good", "good", "casual"]))
        self.assertEqual(self.bmmc_rounds("bmmc-tile-banks-iters", "bit-reversal"), (1, ["good"] * 4))

    def test_a_batch_is_one_launch_of_affine_and_several_of_others(self):
        for arrays, stride in ((1, "2^10"), (3, "2^10"), (5, 1500)):
            batch = ["--by", "bit-reversal", "--n", "2^10", "--batch", arrays, "--stride", stride]
            self.assertEqual(len(self.simulate(*batch, "--algorithm", "affine")["launches"]), 1)
            self.assertEqual(len(self.simulate(*batch, "--algorithm", "scatter")["launches"]), arrays)
        one = self.simulate("--by", "bit-reversal", "--n", "2^10", "--algorithm", "scatter")
        three = self.simulate("--by", "bit-reversal", "--n", "2^10", "--algorithm", "scatter", "--batch", 3)
        self.assertEqual(three["time_units"], 3 * one["time_units"])
        self.assertEqual(three["predicted_time_units"], three["time_units"])
        askew = self.simulate("--by", "bit-reversal", "--n", "2^10", "--algorithm", "scatter", "--batch", 3, "--stride", 1500)
        self.assertEqual(askew["predicted_time_units"], askew["time_units"])

    def test_each_launch_is_predicted(self):
        for algorithm in ("affine", "bucket", "bmmc-naive", "bmmc-tile", "scheduled", "gather"):
            document = self.simulate("--by", "bit-reversal", "--n", "2^10", "--algorithm", algorithm)
            self.assertEqual(document["predicted_time_units"], document["time_units"], algorithm)
            self.assertEqual([launch["kernel"] for launch in document["predicted_launches"]],
                             [launch["kernel"] for launch in document["launches"]])
            for told in document["predicted_launches"]:
                for space, op in ((space, op) for space in ("global", "shared") for op in ("read", "write")):
                    counted = [line for line in document["rounds"] if (line["launch"], line["space"], line["op"]) == (told["launch"], space, op)]
                    self.assertEqual(told[space][op], {name: sum(line[name] for line in counted) for name in told[space][op]}, algorithm)

    def test_indices_used_once_are_predicted_as_explain_says(self):
        document = self.simulate("--by", "random:1", "--n", "2^10", "--algorithm", "once")
        self.assertEqual((document["predicted_time_units"], document["predicted_meaning"]), (document["time_units"], "exact"))
        row = re.search(r"\n  once +(\d+)", self.run_riffle("explain", "--by", "random:1", "--n", "2^10").stdout)
        self.assertEqual(int(row[1]), document["time_units"])

    def test_packed_elements(self):
        for spec, n, way in (("random-affine:1", "2^14", "bits-affine"), ("random:1", "1000", "bits-gather")):
            document = self.simulate("--by", spec, "--n", n, "--elem-bits", 1, "--bit-order", "big", "--batch", 2)
            self.assertEqual((document["algorithm"], document["time_units"]), (way, document["predicted_time_units"]), spec)
        for option, value in (("elem-bytes", "4"), ("algorithm", "copy"), ("stride", "2^13"), ("row-length", "64"), ("in-blocks", "2")):
            done = self.run_riffle("simulate", "--by", "reverse", "--n", "2^12", "--elem-bits", 1, f"--{option}", value)
            self.assertEqual((done.returncode, done.stdout), (2, ""), option)
            self.assertRegex(done.stderr, f"--elem-bits has no --{option}|--in-blocks has no --elem-bits")
        done = self.run_riffle("simulate", "--by", "reverse", "--n", "2^12", "--bit-order", "big")
        self.assertIn("--bit-order goes with --elem-bits", done.stderr)

    def test_in_place(self):
        for spec, passes in some((("identity", 0), ("bit-reversal", 1), ("reverse", 1), ("transpose:256x256", 1),
                                  ("shuffle", 2), ("random-affine:1", 2), ("bits:1,2,0,3,4,5,6,7,8,9,10,11,12,13,14,15", 1))):
            for batch in ([], ["--batch", 3]):
                document = self.simulate("--by", spec, "--n", "2^16", "--in-place", *batch)
                self.assertEqual(len(document["launches"]), passes, spec)
                if passes > 0:
                    self.assert_asks_for_no_more(document, spec)

    def test_the_table_for_people(self):
        done = self.run_riffle("simulate", "--by", "bit-reversal", "--n", "2^12", "--algorithm", "scatter")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"indexed\.cu:\d+.*write.*uncoalesced")
        self.assertRegex(done.stdout, r"time units: 5549 \(predicted 5549\)")

    def test_refusals(self):
        for status, pattern, arguments in [
                (1, "does not fit: shared memory holds", ["--by", "random:1", "--n", "2^18", "--algorithm", "conflict-free"]),
                (1, "only transposes", ["--by", "random:1", "--n", "2^10", "--algorithm", "transpose"]),
                (1, "power of two of bytes",
                 ["--by", "reverse", "--n", "8", "--algorithm", "affine", "--elem-bytes", "3"]),
                (1, "elements of 4 and of 8 bytes",
                 ["--by", "reverse", "--n", "8", "--algorithm", "bmmc-tile", "--elem-bytes", "16"]),
                (1, "only affine permutations", ["--by", "random:1", "--n", "2^10", "--algorithm", "bmmc-naive"]),
                (1, "only bit permutations",
                 ["--by", "random-affine:1", "--n", "2^10", "--algorithm", "bmmc-tile-iters"]),
                (1, "smaller than one row of a tile", ["--by", "reverse", "--n", "16", "--algorithm", "bmmc-tile"]),
                (1, "stride of 3 elements.*at least their length", ["--by", "reverse", "--n", "8", "--stride", "3"]),
                (1, "in place: .*no affine permutation", ["--by", "random:1", "--n", "2^10", "--in-place"]),
                (1, "in place: only affine.* can; ",
                 ["--by", "reverse", "--n", "8", "--in-place", "--algorithm", "scatter"]),
                (2, "option --batch: ", ["--by", "reverse", "--n", "8", "--batch", "0"]),
                (2, "option --stride: ", ["--by", "reverse", "--n", "8", "--stride", "0"]),
                (2, "option --elem-bytes: ", ["--by", "reverse", "--n", "8", "--elem-bytes", "0"]),
                (2, "option --in-place: takes no value", ["--by", "reverse", "--n", "8", "--in-place=1"]),
                (1, "each column has 20 of the 1000 elements, and along it: shuffle: n = 20 is not a power of two",
                 ["--by", "shuffle", "--n", "1000", "--row-length", "50", "--algorithm", "column-wise"]),
                (1, "no whole rows", ["--by", "reverse", "--n", "1000", "--algorithm", "row-wise"]),
                (1, "power of two", ["--by", "reverse", "--n", "1024", "--width", "12"]),
                (1, "elements of 4 and of 8 bytes", ["--by", "reverse", "--n", "1024", "--elem-bytes", "5", "--algorithm", "copy"]),
                (1, "1, 2, 4, 8 or 16 bytes",
                 ["--by", "reverse", "--n", "1024", "--algorithm", "bucket", "--elem-bytes", "12"]),
                (2, "--width", ["--by", "reverse", "--n", "1024", "--width", "0"]),
                (2, "--n N", ["--by", "reverse"]),
                (2, "--by SPEC", ["--n", "8"]),
                (2, "revers", ["--by", "revers", "--n", "8"])]:
            done = self.run_riffle("simulate", *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
            self.assertRegex(done.stderr, pattern)

    def test_moves_in_blocks(self):
        """The DMM paper's Table I, and the times that explain its Table II."""
        for algorithm, reads, stages in (("copy", 1, 64), ("scatter", 2, 64 + 1024), ("gather", 2, 64 + 1024), ("conflict-free", 3, 128)):
            move = self.simulate("--by", "bit-reversal", "--n", 1024, "--in-blocks", 1, "--algorithm", algorithm, "--shared-latency", 9)["in_block"]
            self.assertEqual((move["reads"], move["writes"], move["stages"]), (reads * 1024, 1024, stages), algorithm)
            self.assertEqual(move["time_units"], stages + (reads + 1) * 8, algorithm)
            self.assertEqual(move["time_units"], move["predicted_time_units"], algorithm)
        for option in ("--batch", 2), ("--in-place",), ("--row-length", 8):
            done = self.run_riffle("simulate", "--by", "reverse", "--n", 64, "--in-blocks", 1, *option)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"--in-blocks has no {option[0]}", done.stderr)

    @counts_alone
    def test_programs(self):
        for by, n, dtype, algorithm in [("sort n", 2**10, "u32", "fused"), ("sort n", 2**6, "u32", "paper"), ("hadamard n", 2**13, "f32", None),
                                        ("fft n", 2**8, "c64", None), ("pair minmax", 2, "f16", None),
                                        ("pair {a + b, a - b} | parm 1 (group 2 {a3, a2, a1, a0 + i})", 2**9, "i16", None)]:
            options = ["--algorithm", algorithm] if algorithm else []
            document = self.simulate("--by", by, "--n", n, "--type", dtype, *options)
            self.assertEqual((document["n"], document["algorithm"], document["predicted_time_units"]), (n, algorithm or "fused", document["time_units"]), by)
            self.assertEqual(document["predicted_meaning"], "estimated" if "group" in by else "exact", "what users' code does is taken to be plain")
            self.assertEqual(document["hazards"], [])
            for line in document["rounds"]:
                self.assertEqual(line["requests"], line["ideal_requests"], f"{by} {line}")
        fused, paper = (self.simulate("--by", "sort n", "--n", "2^10", "--type", "u32", "--algorithm", way) for way in ("fused", "paper"))
        self.assertGreater(paper["time_units"], 20 * fused["time_units"])
        self.assertEqual(self.simulate("--by", "hadamard n", "--n", 64)["n"], 64, "a program, for it is no permutation")
        with open(self.path("mine"), "w", encoding="utf-8") as file:
            file.write("both n = pair minmax | parm 1 (pair minmax)\n")
        self.assertEqual(self.simulate("--by", "both n", "--n", 64, "--define", "mine", "--batch", 3)["n"], 64)

    def test_programs_that_are_refused(self):
        for status, pattern, arguments in [
                (1, "--n: 12 elements, and a program is for a power of two", ["--by", "sort n", "--n", 12, "--type", "u8"]),
                (1, "warps of 32; this machine has width 8", ["--by", "sort n", "--n", 16, "--width", 8]),
                (1, "character 6: xor is not defined for elements of type f32", ["--by", "pair xor", "--n", 16]),
                (2, "character 6: the compiler refuses this operation", ["--by", "pair {a, c}", "--n", 16]),
                (2, "algorithm 'papre': unknown; did you mean 'paper'", ["--by", "sort n", "--n", 16, "--algorithm", "papre"]),
                (2, "parm's mask is 16; of an array of 2.4 elements it is from 1 to 15\n  parm 16 id\n       \\^", ["--by", "parm 16 id", "--n", 16, "--type", "f32"])]:
            done = self.run_riffle("simulate", *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), f"{arguments} {done.stderr}")
            self.assertRegex(done.stderr, pattern)

    @counts_alone
    def test_sorts(self):
        default = self.simulate("--sort", "--n", 4096)
        self.assertEqual((default["algorithm"], default["hazards"]), ("k-partition", []), "as a GPU sorts")
        self.assertIn("sort_join_1", [line["kernel"] for line in self.simulate("--sort", "--n", 2**15)["rounds"]])
        self.assertNotIn("block_exchanges", default)
        self.assertEqual(self.simulate("--sort", "--n", 700, "--type", "f32", "--indices")["algorithm"], "k-partition")
        self.assertEqual(self.simulate("--sort", "--n", 700, "--elem-bytes", 1, "--algorithm", "k-partition")["hazards"], [])
        for of in (["--elem-bytes", 8], ["--type", "f32", "--indices"], ["--before", "a % 10 < b % 10"]):
            self.assertEqual(self.simulate("--sort", "--n", 3000, "--partition", 700, *of)["hazards"], [], of)
        exchanges = self.simulate("--sort", "--n", 4096, "--algorithm", "two-phase")["block_exchanges"]
        self.assertEqual((exchanges["block"], exchanges["cache_blocks"]), (16, 64))
        self.assertGreater(exchanges["counted"], exchanges["sorting_bound"])
        self.assertLess(exchanges["counted"], 3 * exchanges["sorting_bound"])
        self.assertNotIn("block_exchanges", self.simulate("--by", "reverse", "--n", 64))
        worst = ["--sort", "--merge", 2, "--n", 3840, "--worst"]
        documents = {way: self.simulate(*worst, "--algorithm", way) for way in ("pairwise", "two-phase")}
        slow = [line["requests"] / line["ideal_requests"] for line in documents["pairwise"]["rounds"] if line["space"] == "shared"]
        self.assertEqual(max(slow), 15, "each read of 32 keys takes as many wavefronts as a thread has keys")
        for line in documents["two-phase"]["rounds"]:
            if line["space"] == "shared":
                self.assertEqual(line["requests"], line["ideal_requests"], line)
        self.assertEqual(self.simulate("--sort", "--merge", 7, "--n", 700, "--elem-bytes", 16, "--indices")["algorithm"], "two-phase")

    def test_sorts_that_are_refused(self):
        for status, pattern, arguments in [
                (2, "no permutation given; say which with --by SPEC, or --sort, or --hull SHAPE, or --group TYPE, or --ungroup R", []),
                (2, "--sort has no --hull; leave it out", ["--sort", "--hull", "disc"]),
                (2, "simulate: --by has no --sort; leave it out", ["--sort", "--by", "reverse"]),
                (2, "--sort has no --algorithm of permutations; leave it out", ["--sort", "--algorithm", "affine"]),
                (2, "--by has no --merge, which is for --sort; leave it out", ["--by", "reverse", "--merge", 2]),
                (2, "--by has no --top, which is for --sort; leave it out", ["--by", "reverse", "--top", 2]),
                (2, "--top has no --merge; leave it out", ["--sort", "--merge", 2, "--top", 2]),
                (2, "--top has no --partition; leave it out", ["--sort", "--partition", 2, "--top", 2]),
                (2, "--by has no --algorithm of sorts; leave it out", ["--by", "reverse", "--algorithm", "pairwise"]),
                (1, "a GPU merges by two-phase or pairwise, and not by k-partition", ["--sort", "--merge", 2, "--algorithm", "k-partition"]),
                (1, "64 elements are no 3 segments of as many", ["--sort", "--merge", 3]),
                (2, "--elem-bytes and --type exclude each other", ["--sort", "--elem-bytes", 4, "--type", "i32"]),
                (1, "a merge of 2, 4, 8, ... streams of a multiple of 1920 keys", ["--sort", "--worst"]),
                (1, "there are no unsigned integers of 3 bytes", ["--sort", "--elem-bytes", 3]),
                (1, "pairwise merging is for numbers of 4 and 8 bytes, without indices", ["--sort", "--algorithm", "pairwise", "--indices"]),
                (1, "this machine has width 8", ["--sort", "--width", 8])]:
            done = self.run_riffle("simulate", "--n", 64, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), f"{arguments} {done.stderr}")
            self.assertRegex(done.stderr, pattern)

    @counts_alone
    def test_sorts_by_a_comparison_of_yours(self):
        document = self.simulate("--sort", "--n", 5000, "--before", "a % 1000 < b % 1000")
        self.assertEqual((document["n"], document["algorithm"], document["hazards"]), (5000, "pairwise", []))
        self.assertNotIn("block_exchanges", document)
        merges = [line for line in document["rounds"] if line["kernel"] == "sort_own_merges"]
        self.assertEqual(max(line["launch"] for line in merges), 6, "tiles, and two merges of three launches")
        for line in merges:
            if line["op"] == "write":
                self.assertEqual(line["requests"], line["ideal_requests"], line)
        self.assertIn("sort_gather", [line["kernel"] for line in document["rounds"]])
        signed = self.simulate("--sort", "--n", 300, "--before", "abs(a) < abs(b)", "--type", "i16", "--indices")
        self.assertEqual(signed["hazards"], [])
        self.assertEqual(self.simulate("--sort", "--n", 0, "--before", "a < b", "--type", "f64")["rounds"], [])

    def test_comparisons_that_are_refused(self):
        for status, pattern, arguments in [
                (1, "--before: the comparison is no order: elements \\d+, \\d+ and \\d+: it comes before itself", ["--before", "a <= b"]),
                (2, "--before: the compiler refuses this comparison: ", ["--before", "a < c"]),
                (1, "--before: complex numbers \\(c64\\) have no order", ["--before", "a < b", "--type", "c64"]),
                (1, "with a comparison of yours by pairwise, and not by two-phase", ["--before", "a < b", "--algorithm", "two-phase"]),
                (1, "this machine has width 8", ["--before", "a < b", "--width", 8]),
                (1, "a GPU merges unsigned numbers of 4, 8 and 16 bytes", ["--before", "a < b", "--merge", 2])]:
            done = self.run_riffle("simulate", "--sort", "--n", 64, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), f"{arguments} {done.stderr}")
            self.assertRegex(done.stderr, pattern)
        done = self.run_riffle("simulate", "--by", "reverse", "--n", 64, "--before", "a < b")
        self.assertEqual((done.returncode, done.stderr), (2, "riffle: simulate: --by has no --before, which is for --sort; leave it out\n"))

    def test_rows_brought_back(self):
        """Counted as predicted of the same places, and near what explain draws."""
        words = ["--ungroup", 6000, "--n", 2000, "--elem-bytes", 24]
        for more, kernel in (([], "ungroup_rows"), (["--keys-per-row", 2, "--weights"], "ungroup_f32"), (["--sum", "bf16"], "ungroup_bf16")):
            counted = self.simulate(*words, *more)
            self.assertEqual((counted["n"], counted["algorithm"], counted["hazards"], counted["predicted_meaning"]), (2000, "ungroup", [], "exact"))
            self.assertEqual([launch["kernel"] for launch in counted["predicted_launches"]], [kernel])
            self.assertEqual(counted["predicted_time_units"], counted["time_units"])
            drawn = json.loads(self.run_riffle("explain", *words, *more, "--engine", "cuda", "--json").stdout)
            self.assertEqual((drawn["meaning"], [launch["kernel"] for launch in drawn["launches"]]), ("expected", [kernel]))
            self.assertLess(abs(drawn["time_units"] / counted["time_units"] - 1), 0.05)
        for pattern, arguments in [("--ungroup has no --groups, which is for --group; leave it out", ["--groups", 2]), ("--ungroup has no --check", ["--check"]),
                                   ("--by has no --sum, which is for --ungroup", ["--by", "reverse", "--sum", "f32"])]:
            done = self.run_riffle("simulate", "--n", 8, *([] if "--by" in arguments else words[:2]), *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(pattern, done.stderr)

    def test_groups(self):
        """Counted as was predicted of the same keys, and near what explain draws."""
        words = ["--group", "u16", "--groups", 64, "--n", 5000, "--elem-bytes", 8]
        counted = self.simulate(*words)
        self.assertEqual((counted["n"], counted["hazards"], counted["predicted_meaning"]), (5000, [], "estimated"))
        self.assertEqual([launch["kernel"] for launch in counted["predicted_launches"]], ["group_count", "group_scan", "group_offsets", "group_move"])
        self.assertLess(abs(counted["predicted_time_units"] / counted["time_units"] - 1), 0.05)
        drawn = json.loads(self.run_riffle("explain", *words, "--engine", "cuda", "--json").stdout)
        self.assertLess(abs(drawn["time_units"] / counted["time_units"] - 1), 0.05)
        twice = self.simulate("--group", "u16", "--groups", 2000, "--n", 9000, "--elem-bytes", 8, "--check=passes")
        self.assertEqual((twice["hazards"], twice["time_units"]), ([], twice["predicted_time_units"]))
        table = self.simulate(*words, "--column-bytes", 4, "--column-bytes", 2)
        self.assertEqual((len(table["predicted_launches"]), table["hazards"]), (len(counted["predicted_launches"]) + 2, []))
        self.assertLess(abs(table["predicted_time_units"] / table["time_units"] - 1), 0.05)
        self.assertEqual(self.simulate("--group", "i8", "--groups", 300, "--n", 700, "--keys-per-row", 2)["hazards"], [])
        for status, pattern, arguments in [
                (2, "--group goes with --groups; give that too", ["--group", "u8"]),
                (2, "--by has no --groups, which is for --group", ["--by", "reverse", "--groups", 2]),
                (2, "--by has no --group; leave it out", ["--group", "u8", "--by", "reverse"]),
                (2, "--sort has no --group; leave it out", ["--sort", "--group", "u8"]),
                (2, "--group has no --type, which is for", ["--group", "u8", "--groups", 2, "--type", "f32"]),
                (2, "--group has no --algorithm, which is for", ["--group", "u8", "--groups", 2, "--algorithm", "pairwise"]),
                (1, "keys of type f32; groups are made by integers", ["--group", "f32", "--groups", 2]),
                (1, "this machine has width 8", ["--group", "u8", "--groups", 2, "--width", 8])]:
            done = self.run_riffle("simulate", "--n", 64, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), f"{arguments} {done.stderr}")
            self.assertRegex(done.stderr, pattern)

    @counts_alone
    def test_hulls(self):
        """The counts of Figures 3.5 and 3.6, and corners by both ways."""
        paper, own = (self.simulate("--hull", "disc", "--n", 3000, "--algorithm", way) for way in ("paper", "auto"))
        self.assertEqual([document["algorithm"] for document in (paper, own)], ["paper", "auto"])
        self.assertEqual([document["hazards"] for document in (paper, own)], [[], []])
        self.assertEqual(paper["hull"]["corners"], own["hull"]["corners"])
        self.assertGreater(paper["hull"]["reads"], own["hull"]["reads"])
        self.assertGreater(paper["hull"]["iterations"], 0)
        self.assertGreater(paper["hull"]["outside"], paper["hull"]["corners"])
        self.assertNotIn("hull", self.simulate("--by", "reverse", "--n", 64))
        self.assertEqual(self.simulate("--hull", "collinear", "--n", 500, "--type", "f64")["hull"]["corners"], 2)
        self.assertGreater(self.simulate("--hull", "collinear", "--n", 500, "--all")["hull"]["corners"], 400)
        shown = self.run_riffle("simulate", "--hull", "disc", "--n", 3000, "--algorithm", "paper").stdout
        self.assertRegex(shown, r"\nhull: \d+ corners; warps' accesses of global memory: \d+ read, \d+ write\n"
                                r"hull: \d+ points outside of the quadrilateral, \d+ iterations, then \d+ problems and \d+ pivots\n")

    def test_hulls_that_are_refused(self):
        for status, pattern, arguments in [
                (2, "shape 'rign': unknown; did you mean 'ring'?", ["--hull", "rign"]),
                (2, "--by has no --hull; leave it out", ["--hull", "ring", "--by", "reverse"]),
                (2, "--hull has no --elem-bytes, which is for", ["--hull", "ring", "--elem-bytes", 8]),
                (2, "--hull has no --algorithm of programs; leave it out", ["--hull", "ring", "--algorithm", "fused"]),
                (2, "--hull has no --algorithm of sorts; leave it out", ["--hull", "ring", "--algorithm", "pairwise"]),
                (2, "--by has no --all, which is for --hull", ["--by", "reverse", "--all"]),
                (2, "--type i8: the points of --hull are f32, which is the default, or f64", ["--hull", "ring", "--type", "i8"]),
                (1, "this machine has width 8", ["--hull", "ring", "--width", 8]),
                (1, "corners and not the points between them", ["--hull", "ring", "--all", "--algorithm", "paper"])]:
            done = self.run_riffle("simulate", "--n", 64, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), f"{arguments} {done.stderr}")
            self.assertIn(pattern, done.stderr)


main()
