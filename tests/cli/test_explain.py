# SPDX-License-Identifier: Apache-2.0
"""explain beside other machines: --device, --width and its like, and --json of permutations."""
import json
import re

from command import CommandTest, counts_alone, main, some

GPU = {"name": "mine", "multiprocessors": 10, "compute_major": 8, "compute_minor": 6, "block_threads": 1024, "shared_bytes": 101376,
       "l2_bytes": 4194304, "memory_bytes": 8000000000, "bytes_per_second": 500000000000}
H200 = ["--engine", "cuda", "--device", "h200"]
COUNTED = ["group_count", "group_scan", "group_offsets"]


class Explain(CommandTest):
    def explained(self, *arguments):
        done = self.run_riffle("explain", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def fails(self, status, pattern, *arguments):
        done = self.run_riffle("explain", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
        self.assertRegex(done.stderr, f"^riffle: .*{pattern}")

    def gpu_file(self, text):
        with open(self.path("gpu.json"), "w", encoding="utf-8") as file:
            file.write(text)
        return ["--engine", "cuda", "--device", "gpu.json", "--by", "random:1", "--n", "2^24"]


class PackedBits(Explain):
    def test_each_way_is_predicted(self):
        for spec, n, way in (("random-affine:1", "2^33", "affine"), ("bit-reversal", "2^12", "affine"), ("random:1", "100000", "gather")):
            words = ["--by", spec, "--n", n, "--elem-bits", "1", *H200]
            text, told = self.explained(*words), json.loads(self.explained(*words, "--json"))
            self.assertEqual((told["algorithm"], told["elem_bits"], len(told["launches"])), (way, 1, 1), spec)
            self.assertGreater(told["time_units"], 0, spec)
            self.assertIn("time units", text, spec)
        self.assertIn("whole bytes", self.explained("--by", "rotate:8", "--n", "4096", "--elem-bits", "1"))
        self.assertIn("time units", self.explained("--by", "rotate:8", "--n", "4096", "--elem-bits", "1", *H200))

    def test_the_host_has_no_model(self):
        text = self.explained("--by", "bit-reversal", "--n", "2^12", "--elem-bits", "1")
        self.assertIn("affine, one pass", text)
        self.assertNotIn("time units", text)


class Measured(Explain):
    def test_a_time_stands_beside_its_bounds(self):
        text = self.explained("--by", "bit-reversal", "--n", "2^24", "--measure")
        number = r"([0-9.e+-]+)"
        found = re.search(rf"\nmeasured +{number} ms, the median of [2-9] executions\n  bound +time +over the bound\n"
                          rf"  a copy +{number} ms +{number}  of as many bytes.*\n  sectors +{number} ms +{number}  the traffic of whole", text)
        self.assertIsNotNone(found, text)
        seconds, copy, over, sectors, over_sectors = map(float, found.groups())
        self.assertAlmostEqual(seconds / copy, over, delta=0.02 + over / 100)
        self.assertAlmostEqual(seconds / sectors, over_sectors, delta=0.02 + over_sectors / 100)
        self.assertLess(text.index("measured"), text.index("model "))

    def test_caches(self):
        """Arrays that caches hold, one or each of a batch, are told no traffic to memory but what there is, and no bound that a move could beat."""
        held = ["--by", "random:1", "--n", 500000, "--elem-bytes", 4]
        self.assertRegex(self.explained(*held), r"\ntraffic +little to memory: the array stays in the last-level cache\nexpected +about [68].[46] times a copy's time\n")
        told = json.loads(self.explained(*held, "--measure", "--json"))
        self.assertEqual((told["cached"], told["measured"]["sector_seconds"]), (True, None))
        each = ["--by", "random:1", "--n", 10000, "--elem-bytes", 4, "--batch", 2000]
        text, told = self.explained(*each), json.loads(self.explained(*each, "--json"))
        self.assertNotIn("expected", text)
        self.assertEqual((told["traffic_bytes_per_element"], told["expected_copies"]), (8, None))

    def test_the_document(self):
        arguments = ["--by", "random:1", "--n", "2^10", "--json"]
        measured = json.loads(self.explained(*arguments, "--measure"))["measured"]
        self.assertEqual(list(measured), ["seconds", "copy_seconds", "runs", "sector_seconds"])
        self.assertTrue(measured["seconds"] > 0 and measured["copy_seconds"] > 0 and 2 <= measured["runs"] <= 9, measured)
        self.assertIsNone(measured["sector_seconds"])
        self.assertNotIn("measured", json.loads(self.explained(*arguments)))
        self.assertNotIn("measured", json.loads(self.explained("--by", "identity", "--n", "0", "--json", "--measure")))

    def test_in_place_and_batches(self):
        for words in (["--in-place"], ["--batch", "3", "--stride", "70000"]):
            self.assertIn("\nmeasured ", self.explained("--by", "reverse", "--n", "2^16", "--measure", *words))

    def test_a_program(self):
        words = ["--by", "sort n", "--n", "2^10", "--type", "u32"]
        told = json.loads(self.explained(*words, "--measure", "--json"))
        measured = told["measured"]
        self.assertEqual(list(measured), ["seconds", "copy_seconds", "runs", "pass_seconds", "bound_seconds"])
        self.assertAlmostEqual(measured["pass_seconds"] / measured["copy_seconds"], told["passes"], delta=1e-3 * told["passes"])
        self.assertAlmostEqual(measured["bound_seconds"] / measured["copy_seconds"], told["bound"], delta=1e-3 * told["bound"])
        self.assertNotIn("measured", json.loads(self.explained(*words, "--json")))
        self.assertRegex(self.explained(*words, "--measure"), r"\nmeasured .*\n.*\n  a copy .*\n  passes .*\n  fewest passes .*\n$")
        self.assertIn("\nmeasured ", self.explained("--by", "fft n", "--n", "2^10", "--type", "c128", "--batch", "3", "--measure"))

    def test_a_sort(self):
        for words in ([], ["--merge", "4"], ["--order"]):
            words = ["--sort", "f32", "--n", "2^12", *words]
            told = json.loads(self.explained(*words, "--measure", "--json"))
            measured = told.pop("measured")
            self.assertEqual(list(measured), ["seconds", "copy_seconds", "runs", "exchange_seconds", "permuting_seconds", "comparing_seconds"])
            self.assertGreaterEqual(measured["exchange_seconds"], 0.999 * measured["copy_seconds"])
            self.assertEqual(told, json.loads(self.explained(*words, "--json")))
            self.assertEqual((told["engine"], told["n"], told["elem_bytes"]), ("cpu", 2**12, 4))
            self.assertRegex(self.explained(*words, "--measure"), r"\nmeasured .*\n.*\n  a copy .*\n  exchanges .*\n  to permute .*\n  to compare .*\n$")
        counted = json.loads(self.explained("--sort", "u8", "--n", "2^12", "--measure", "--json"))["measured"]
        self.assertTrue(counted["exchange_seconds"] > 0 and counted["permuting_seconds"] is None, counted)
        self.assertNotIn("measured", self.explained("--sort", "u32", "--n", "0", "--measure"))

    def test_what_has_no_time(self):
        for subject in (["--by", "reverse"], ["--by", "sort n"], ["--sort", "u32"], ["--hull", "f32"], ["--group", "u8", "--groups", "2"]):
            self.fails(2, "explain: a GPU that is named is not measured; leave out --measure, or leave out --device,", *subject, "--n", "8", "--measure", *H200)
        self.fails(2, "--effort measure takes no --measure", "--by", "reverse", "--n", "8", "--effort", "measure", "--measure")


class Devices(Explain):
    def test_bandwidths_are_the_data_sheets(self):
        """2^28 floats, 2^31 bytes there and back, as the traffic of one affine pass is."""
        for name, gigabytes in (("a100", 2039), ("h100", 3350), ("h200", 4800)):
            text = self.explained("--by", "bit-reversal", "--n", "2^28", "--engine", "cuda", "--device", name)
            milliseconds = 2**31 / gigabytes / 1e6
            self.assertIn(f"\nat best      {milliseconds:.4g} ms: the traffic at {gigabytes} GB/s, what memory carries at most\n", text)
            self.assertRegex(text, f"\nengine       cuda\ngpu          NVIDIA {name.upper()}[^\n]*\nalgorithm    affine, 1 pass\n")
        for subject in (["--by", "reverse"], ["--sort", "u32"], ["--hull", "f32"], ["--by", "sort n"], ["--group", "u8", "--groups", "3"]):
            words = [*subject, "--n", "64", "--engine", "cuda"]
            self.assertRegex(self.explained(*words, "--device", "h200"), r"(?m)^gpu +NVIDIA H200$")
            self.assertEqual(json.loads(self.explained(*words, "--device", "h200", "--json"))["gpu"], "NVIDIA H200", subject)

    def test_what_the_cache_holds_has_no_time(self):
        for n, is_told in (("2^22", False), ("2^23", True)):
            self.assertEqual("at best" in self.explained("--by", "bit-reversal", "--n", n, *H200), is_told, n)

    def test_memory_bounds_what_fits(self):
        big = ["--by", "random:1", "--n", "2^33", "--elem-bytes", "4", "--engine", "cuda", "--device"]
        self.explained(*big, "h200")
        self.fails(1, "two arrays of 34359738368 bytes are more|memory", "--by", "random:1", "--n", "2^34", "--engine", "cuda", "--device", "a100")

    def test_one_use_is_told_without_a_gpu(self):
        self.assertIn("\none use ", self.explained("--by", "random:1", "--n", "2^24", "--once", *H200))

    def test_a_file(self):
        text = self.explained(*self.gpu_file(json.dumps(GPU, indent=2) + "\n"))
        self.assertIn(" ms: the traffic at 500 GB/s,", text)
        least = {key: GPU[key] for key in ("multiprocessors", "shared_bytes", "l2_bytes", "memory_bytes")}
        self.assertNotIn("at best", self.explained(*self.gpu_file(json.dumps(least))))

    def test_a_bad_file(self):
        whole = json.dumps(GPU)
        for pattern, text in (
                ("it does not begin with {", ""), ("it does not begin with {", "[1]"), ("a member has no name", "{}"),
                ("does not end with }", whole[:-1]), ("something stands behind", whole + "x"), ("has no 'cores'", '{"cores": 1}'),
                ("a member has no name, or no value", '{"l2_bytes" 1}'), ("name is no text", '{"name": 3}'),
                ("name is no text", '{"name": "%s"}' % ("x" * 1000)), ("name is no text", '{"name": "a\\"b"}'),
                ("l2_bytes is no whole number, or one too large", '{"l2_bytes": -1}'),
                ("does not end with }", '{"l2_bytes": 1.5}'),
                ("l2_bytes is no whole number, or one too large", '{"l2_bytes": 18446744073709551616}'),
                ("multiprocessors is no whole number, or one too large", '{"multiprocessors": 4294967296}'),
                ("it cannot be read, or has 4 KiB or more", whole + " " * 4096)):
            self.fails(1, f"{pattern}.*a GPU is one JSON object such as", *self.gpu_file(text))

    def test_numbers_that_are_no_gpus(self):
        for key, value, pattern in (("multiprocessors", 0, "lacks a number"), ("block_threads", 32, "lacks a number"),
                                    ("shared_bytes", 1, "lacks a number"), ("l2_bytes", 0, "lacks a number"),
                                    ("memory_bytes", 0, "lacks a number"), ("block_threads", 2048, "that no GPU has"),
                                    ("multiprocessors", 2**32 - 1, "that no GPU has"), ("shared_bytes", 2**60, "that no GPU has"),
                                    ("l2_bytes", 2**64 - 1, "that no GPU has"), ("memory_bytes", 2**64 - 1, "that no GPU has"),
                                    ("compute_major", 2**32 - 1, "that no GPU has"), ("compute_minor", 10, "that no GPU has")):
            self.fails(1, pattern, *self.gpu_file(json.dumps({**GPU, key: value})))

    def test_refusals(self):
        base = ["--by", "reverse", "--n", "8"]
        self.fails(1, "h300: No such file or directory; --device is a100, h100, h200 or a file", *base, "--engine", "cuda", "--device", "h300")
        self.fails(1, r"\.: it cannot be read", *base, "--engine", "cuda", "--device", ".")
        self.fails(2, "--device is for --engine cuda; give that too, or leave it out", *base, "--device", "h200")
        self.fails(2, "--device is for --engine cuda; give that too, or leave it out", "--sort", "u32", "--n", "8", "--device", "h200")


class Models(Explain):
    def test_bounds_follow_the_machine(self):
        """n/w + L - 1 time units, and n/w blocks."""
        for width in (1, 2, 4, 8, 16, 32):
            for latency in some((1, 7, 2**20)):
                text = self.explained("--by", "transpose:32x32", "--n", 1024, "--width", width, "--global-latency", latency)
                self.assertIn(f"\nmodel        memory machine of width {width}, latency {latency}\n", text)
                self.assertRegex(text, rf"\n  bound of all +{1024 // width + latency - 1} +1.00 +{1024 // width}\n")
        self.assertIn("of the worst: some permutation takes as many", text)

    def test_says_what_simulate_counts(self):
        machine = ["--by", "transpose:64x32", "--n", 2048, "--width", 16, "--shared-latency", 3, "--dmms", 2]
        for algorithm in some(("scatter", "gather", "transpose", "scheduled", "affine")):
            done = self.run_riffle("simulate", *machine, "--latency", 50, "--algorithm", algorithm, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = json.loads(self.explained(*machine, "--global-latency", 50, "--json"))["model"]["algorithms"]
            row = next(row for row in rows if row["algorithm"] == algorithm)
            self.assertEqual(row["time_units"], json.loads(done.stdout)["time_units"], algorithm)

    def an_affine_move_reads_for_its_check(self):
        words = ["--by", "bit-reversal", "--n", 2**14, "--check", *H200]
        text, model = self.explained(*words), json.loads(self.explained(*words, "--json"))["model"]
        rows = {row["algorithm"]: row for row in model["algorithms"]}
        self.assertIn("\ncheck        full: src is added up as it is moved, and dst is read once more, 4 bytes an element, besides that traffic\n", text)
        self.assertRegex(text, rf"\n    but of affine +{rows['affine']['check_time_units']}  its move adds up src as it reads it\n")
        self.assertEqual(rows["gather"]["check_time_units"], model["check_time_units"])
        self.assertLess(rows["affine"]["check_time_units"], 0.6 * model["check_time_units"])
        counted = json.loads(self.run_riffle("simulate", "--by", "bit-reversal", "--n", 2**14, "--check", "--json").stdout)
        self.assertEqual([launch["kernel"] for launch in counted["predicted_launches"]], ["affine_checked", "check_run"])
        self.assertEqual(counted["time_units"], rows["affine"]["time_units"])

    def test_a_check_is_among_them(self):
        """Its launches are in every row, as simulate counts them; groups have it too."""
        words = ["--by", "random:5", "--n", 3000, "--check"]
        told, text = json.loads(self.explained(*words, "--json")), self.explained(*words)
        plain = json.loads(self.explained(*words[:-1], "--json"))
        self.assertEqual((told["check"], plain["check"], plain["model"]["check_time_units"]), ("full", "none", None))
        self.assertIn("\ncheck        full: src and dst are read once more, 8 bytes an element, besides that traffic\n", text)
        self.assertRegex(text, rf"\n  of these, the check +{told['model']['check_time_units']}\n")
        for row, alone in zip(told["model"]["algorithms"], plain["model"]["algorithms"]):
            self.assertEqual(row["time_units"] - alone["time_units"], told["model"]["check_time_units"], row)
            self.assertEqual(row["block_exchanges"], alone["block_exchanges"], row)
        done = self.run_riffle("simulate", *words, "--algorithm", "gather", "--json")
        counted, row = json.loads(done.stdout), next(row for row in told["model"]["algorithms"] if row["algorithm"] == "gather")
        self.assertEqual([launch["kernel"] for launch in counted["predicted_launches"]], ["check_rows", "gather", "check_run"])
        self.assertEqual((counted["time_units"], counted["predicted_time_units"], counted["hazards"]), (row["time_units"], row["time_units"], []))
        between = self.explained("--by", "random:5", "--n", 2**20, "--algorithm", "bucket", "--check=passes")
        self.assertIn("\ncheck        passes: what each pass writes for the next one is added up as it is written and as it is read", between)
        done = self.run_riffle("simulate", "--by", "random:5", "--n", 60001, "--elem-bytes", 4, "--algorithm", "bucket", "--check=passes", "--json")
        counted = json.loads(done.stdout)
        self.assertEqual((counted["time_units"], counted["hazards"]), (counted["predicted_time_units"], []))
        self.assertEqual([launch["kernel"] for launch in counted["predicted_launches"]], ["bucket_first_checked", "bucket_last_checked"])
        on_gpu = self.explained("--by", "random:5", "--n", 2**20, "--check", *H200)
        self.assertIn("read once more, 8 bytes an element, and a table of 4, besides", on_gpu)
        self.an_affine_move_reads_for_its_check()
        groups = json.loads(self.explained("--group", "u16", "--groups", 64, "--n", 5000, "--check", *H200, "--json"))
        self.assertIn("check_run", [launch["kernel"] for launch in groups["launches"]])
        for subject in (["--sort", "u32"], ["--group", "u16", "--groups", 64]):
            for engine in ([], H200):
                self.assertRegex(self.explained(*subject, "--n", 5000, "--check", *engine), "\ncheck +full: .* read once more")
        self.fails(2, "full: not expected here; a value of --check follows a =, as in --check=KIND", *words, "full")
        self.fails(1, "a check needs warps of 32 and blocks of 256 threads", *words, "--width", 8)
        for more in ([], ["--order"]):
            told = json.loads(self.explained("--sort", "u32", *more, "--n", 9000, "--check", *H200, "--json"))
            done = self.run_riffle("simulate", "--sort", *(["--indices"] if more else []), "--n", 9000, "--check", "--json")
            counted, kernel = json.loads(done.stdout), "sort_check" if more else "sort_check_numbers"
            for launches in (told["launches"], counted["predicted_launches"]):  # the first level of numbers adds up what is sorted
                self.assertEqual([launch["kernel"] for launch in launches if "check" in launch["kernel"]], (2 if more else 1) * [kernel])
            self.assertEqual(told["time_units"], counted["predicted_time_units"])
            self.assertLess(abs(told["time_units"] / counted["time_units"] - 1), 0.15)
        self.assertRegex(self.explained("--sort", "u32", "--n", 9000, "--check=passes", *H200), "\ncheck +passes: what the first level and the leaves read")
        self.assertRegex(self.explained("--sort", "u32", "--n", 9000, "--check=passes"), "\ncheck +passes: codes as they are made")
        told = json.loads(self.explained("--sort", "u32", "--n", 9000, "--check=passes", *H200, "--json"))
        counted = json.loads(self.run_riffle("simulate", "--sort", "--n", 9000, "--check=passes", "--json").stdout)
        self.assertEqual(told["time_units"], counted["predicted_time_units"])
        self.assertLess(abs(told["time_units"] / counted["time_units"] - 1), 0.15)
        self.assertEqual([launch["kernel"] for launch in told["launches"]][-1], "sort_borders")
        self.assertRegex(self.explained("--sort", "u32", "--n", 0, "--check=passes"), "sort +0 elements")
        for subject in (["--hull", "f32"], ["--by", "reverse", "--elem-bits", "1"], ["--by", "sort n"], ["--by", "reverse", "--ranks", 2]):
            self.fails(2, "has no --check|option --check: is of permutations", *subject, "--n", 8, "--check")

    def test_refusals(self):
        base = ["--by", "reverse", "--n", "8"]
        for width in (3, 12, 31):
            self.fails(1, f"a power of two, 32 at most, and not {width}", *base, "--width", width)
        for option, value in (("--width", 0), ("--width", 64), ("--global-latency", 0), ("--global-latency", 2**20 + 1), ("--shared-latency", 2**64),
                              ("--dmms", 2**16 + 1)):
            self.fails(2, f"option {option}: '{value}' is ", *base, option, value)

    def test_what_has_no_model(self):
        for option, value in (("width", "8"), ("global-latency", "8"), ("shared-latency", "8"), ("dmms", "8")):
            words = [f"--{option}", value]
            self.fails(2, f"--sort has no --{option}; leave it out", "--sort", "u32", "--n", "8", *words)
            self.fails(2, f"--hull has no --{option}; leave it out", "--hull", "f32", "--n", "8", *words)
            self.fails(2, f"--group has no --{option}; leave it out", "--group", "u8", "--groups", "2", "--n", "8", *words)
            self.fails(2, f"a program has no --{option}; leave it out", "--by", "sort n", "--n", "8", *words)
            self.fails(2, f"--ranks has no --{option}", "--by", "reverse", "--n", "8", "--ranks", "2", *words)
            self.fails(2, f"--gpus has no --{option}", "--by", "reverse", "--n", "8", "--gpus", "2", *words)
            self.fails(2, f"--elem-bits has no --{option}; leave it out, or add --engine cuda", "--by", "reverse", "--n", "8", "--elem-bits", "1", *words)
            self.fails(2, f"--effort measure takes no --{option}", "--by", "reverse", "--n", "8", "--effort", "measure", *words)


class SeveralGpus(Explain):
    def test_what_goes_over_links(self):
        text = self.explained("--by", "axes:2x2x1024:1,0,2", "--n", "4096", "--gpus", "2", "--link", "4096B/s")
        for words in ("several GPUs: 2, each with 2048 elements of 4 bytes", "passes:    1:", "workspace: 0 bytes", "8192 bytes, 50.00 %", "2 between GPUs", "time:      1000 ms"):
            self.assertIn(words, text)
        text = self.explained("--by", "bit-reversal", "--n", "4096", "--gpus", "4", "--in-place")
        for words in ("passes:    2:", "workspace: 4096 bytes on each", "12288 bytes, 75.00 %", "12 between GPUs, up to 3 of one"):
            self.assertIn(words, text)
        self.assertIn("no access: 2 passes, with copies by CUDA between them; workspaces of 8192 bytes", text)
        self.assertNotIn("time:", text)
        self.assertNotIn("chunks:", text)
        self.assertNotIn("no access:", self.explained("--by", "identity", "--n", "4096", "--gpus", "4"))

    def test_chunks(self):
        for more in ((), ("--in-place",)):
            text = self.explained("--by", "bit-reversal", "--n", "2^31", "--gpus", "2", *more)
            self.assertRegex(text, r"passes:    2: .*\n  chunks:    [1-9]\d* on an H200: each is moved while the next ones cross the links")

    def test_refusals(self):
        move = ["--by", "reverse", "--n", "8", "--gpus", "2"]
        self.fails(2, "--ranks has no --gpus", *move, "--ranks", "2")
        self.fails(2, "--gpus has no --relabel", *move, "--relabel")
        self.fails(2, "--gpus has no --latency", *move, "--link", "1GB/s", "--latency", "1us")
        self.fails(2, "--gpus has no --json", *move, "--json")
        self.fails(2, "--gpus", "--by", "sort n", "--n", "8", "--gpus", "2")
        self.fails(2, "--sort has no --gpus", "--sort", "u32", "--n", "8", "--gpus", "2")
        self.fails(1, "power of two; these are 3", "--by", "reverse", "--n", "8", "--gpus", "3")
        self.fails(1, "affine permutations", "--by", "rotate:1", "--n", "8", "--gpus", "2")


class Documents(Explain):
    def test_has_what_the_table_has(self):
        words = ["--by", "bit-reversal", "--n", "2^24", "--batch", "2", *H200]
        told, text = json.loads(self.explained(*words, "--json")), self.explained(*words)
        self.assertEqual((told["n"], told["elem_bytes"], told["batch"], told["stride"], told["in_place"]), (2**24, 4, 2, 2**24, False))
        self.assertEqual((told["engine"], told["algorithm"], told["passes"]), ("cuda", "affine", 1))
        self.assertIn(f"\nbecause      {told['because']}\n", text)
        self.assertAlmostEqual(told["seconds_at_best"], 2 * 2**24 * 8 / 4.8e12, delta=1e-9)
        rows = [(row["algorithm"], row["time_units"]) for row in told["model"]["algorithms"]]
        printed = re.findall(r"^  (\S+) +(\d+|-) ", text, re.MULTILINE)
        self.assertEqual([(name, "-" if units is None else str(units)) for name, units in rows], printed)
        one, worst = told["model"]["bounds"]
        self.assertEqual((one["time_units"], one["block_exchanges"]), (2**24 // 32 + 399, 2**24 // 32))
        self.assertIsNone(worst["time_units"])
        self.assertIn("perhaps not this one", worst["meaning"])

    def test_an_empty_array_has_no_model(self):
        told = json.loads(self.explained("--by", "reverse", "--n", "0", "--json"))
        self.assertEqual((told["n"], told["model"], told["seconds_at_best"]), (0, None, None))

    @counts_alone
    def test_launches_of_a_sort(self):
        """Predicted without a GPU, and as simulate has them."""
        words, machine = ["--n", "9000", "--dmms", "2"], ["--shared-latency", "3"]
        told = json.loads(self.explained("--sort", "u32", "--order", "--engine", "cuda", *words, *machine, "--json"))
        done = self.run_riffle("simulate", "--sort", "--indices", *words, *machine, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        counted = json.loads(done.stdout)
        self.assertEqual(told["launches"], counted["predicted_launches"])
        self.assertEqual((told["time_units"], told["meaning"]), (counted["predicted_time_units"], "expected"))
        text = self.explained("--sort", "u32", "--order", "--engine", "cuda", *words, *machine)
        printed = re.findall(r"^  (\S+) .* (\d+)$", text, re.MULTILINE)
        self.assertEqual([name for name, _ in printed], [launch["kernel"] for launch in told["launches"]] + ["all"])
        self.assertEqual(int(printed[-1][1]), told["time_units"])
        for kind, n in some([("f32", "2^20"), ("u32", "2^28"), ("i16", "2^24")]):
            self.assertIn(": expected\n", self.explained("--sort", kind, "--engine", "cuda", "--n", n))
        merged = ["--n", "7680", "--merge", "4"]
        told = json.loads(self.explained("--sort", "u32", "--engine", "cuda", *merged, "--json"))
        self.assertEqual(told["launches"], json.loads(self.run_riffle("simulate", "--sort", *merged, "--json").stdout)["predicted_launches"])
        self.assertIn("merge", self.explained("--sort", "u32", *merged))
        first = ["--n", "2500", "--top", "30"]
        told = json.loads(self.explained("--sort", "u32", "--order", "--engine", "cuda", *first, "--json"))
        self.assertEqual(told["launches"], json.loads(self.run_riffle("simulate", "--sort", "--indices", *first, "--json").stdout)["predicted_launches"])
        parted = ["--n", "2500", "--partition", "30"]
        told = json.loads(self.explained("--sort", "u32", "--order", "--engine", "cuda", *parted, "--json"))
        self.assertEqual(told["launches"], json.loads(self.run_riffle("simulate", "--sort", "--indices", *parted, "--json").stdout)["predicted_launches"])
        self.assertIn("partitioned at 30\n", self.explained("--sort", "u32", *parted))
        long = json.loads(self.explained("--sort", "f32", "--engine", "cuda", "--n", "2^28", "--top", "100", "--json"))
        self.assertEqual((long["meaning"], long["launches"][0]["kernel"]), ("expected", "select_sample"))
        self.assertEqual(round(long["launches"][2]["global"]["read"]["stages"] / 2**21, 1), 1.0, "each vector of 16 bytes is read once")
        self.assertEqual((long["n"], long["count"]), (2**28, 100))
        self.assertRegex(self.explained("--sort", "f32", "--n", "2^20", "--top", "100"), "of 4 bytes, the first 100\n(.*\n)*algorithm +")
        self.fails(1, "explain: the first 9 of 8 elements; choose no more than there are\n$", "--sort", "u32", "--n", "8", "--top", "9")
        for words in (["--by", "reverse"], ["--sort", "u32", "--merge", "2"]):
            self.fails(2, "has no --top|--top has no --merge", *words, "--n", "8", "--top", "2")
        for part in ("--top", "--partition"):
            self.fails(2, f"{part} has no --check; leave it out\n$", "--sort", "u32", "--n", "8", part, "2", "--check")
        for n, streams in ((1000, 7), (1024, 2048)):
            refused = f"{n} elements are no {streams} segments of as many; choose a number that divides that of elements\n"
            for how in ([], ["--measure"], ["--engine", "cuda"], ["--engine", "cuda", "--json"]):
                self.fails(1, refused, "--sort", "u32", "--n", n, "--merge", streams, *how)
            self.assertIn(refused, self.run_riffle("simulate", "--sort", "--n", n, "--merge", streams).stderr)
        self.fails(2, "--by has no --merge, which is for --sort", "--by", "reverse", "--n", "8", "--merge", "2")
        self.fails(1, "warps of 32; leave out the width of 8", "--sort", "u32", "--engine", "cuda", "--n", "8", "--width", "8")

    @counts_alone
    def test_launches_of_a_hull(self):
        """Predicted without a GPU, and as simulate has them."""
        for n in ("700", "5000"):
            words = ["--n", n, "--dmms", "2", "--shared-latency", "3"]
            told = json.loads(self.explained("--hull", "f32", "--engine", "cuda", *words, "--json"))
            done = self.run_riffle("simulate", "--hull", "square", *words, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            counted = json.loads(done.stdout)
            self.assertEqual(told["launches"], counted["predicted_launches"])
            self.assertEqual((told["type"], told["time_units"], told["meaning"]), ("f32", counted["predicted_time_units"], "expected"))
            self.assertLess(abs(told["time_units"] / counted["time_units"] - 1), 0.2)
            text = self.explained("--hull", "f32", "--engine", "cuda", *words)
            printed = re.findall(r"^  (\S+) .* (\d+)$", text, re.MULTILINE)
            self.assertEqual([name for name, _ in printed], [launch["kernel"] for launch in told["launches"]] + ["all"])
            self.assertEqual(int(printed[-1][1]), told["time_units"])
            self.assertIn(", expected of points uniform in a square)", self.run_riffle("simulate", "--hull", "square", *words).stdout)
            way = "chain" if n == "700" else "sieve and chain"
            self.assertEqual((told["way"], counted["predicted_of"]), (way, "points uniform in a square"))
            self.assertIn(f"\nalgorithm   auto: {way}\n", text)
        self.assertIn(": exact\n", self.explained("--hull", "i16", "--engine", "cuda", "--device", "a100", "--n", "1"))
        self.assertIn(": expected\n", self.explained("--hull", "i8", "--engine", "cuda", "--n", "2^17"))
        here = json.loads(self.explained("--hull", "f64", "--n", "2^12", "--measure", "--json"))
        self.assertEqual((here["engine"], here["n"], "launches" in here), ("cpu", 4096, False))
        self.assertGreater(here["measured"]["reading_seconds"], 0)
        self.fails(1, "warps of 32; leave out the width of 8", "--hull", "f32", "--engine", "cuda", "--n", "8", "--width", "8")

    @counts_alone
    def test_launches_of_groups(self):
        words = ["--group", "u16", "--groups", "256", "--n", "2^20", "--elem-bytes", "8"]
        told = json.loads(self.explained(*words, *H200, "--json"))
        self.assertEqual((told["n"], told["elem_bytes"], told["type"], told["groups"], told["keys_per_row"]), (2**20, 8, "u16", 256, 1))
        self.assertEqual((told["algorithm"], told["meaning"]), ("staged", "expected"))
        self.assertEqual([launch["kernel"] for launch in told["launches"]], [*COUNTED, "group_move"])
        move = told["launches"][-1]["global"]
        self.assertEqual(move["read"]["stages"] // 2**15, 2, move)  # keys and rows of a warp are an address group each, and a block's places
        text = self.explained(*words, *H200)
        self.assertRegex(text, r"^group       1048576 rows of 8 bytes by keys of type u16, into 256 groups\nalgorithm   staged: ")
        self.assertRegex(text, rf"\n  all .* {told['time_units']}\n$")
        for n, size, groups, way in (("2^30", 4, 65536, "twice"), ("2^30", 12, 65536, "wide"), ("100", 12, 7, "one"), ("2^32-1", 1, 2, "staged")):
            self.assertIn(f"\nalgorithm   {way}: ", self.explained("--group", "u8", "--groups", groups, "--n", n if "-" not in n else 2**32 - 1,
                                                                  "--elem-bytes", size, *H200))
        twice = json.loads(self.explained("--group", "u16", "--groups", "65536", "--n", "2^26", "--elem-bytes", "8", *H200, "--json"))
        self.assertEqual((twice["meaning"], [launch["kernel"] for launch in twice["launches"]]),
                         ("expected", [*COUNTED, "group_low", *COUNTED, "group_begin", "group_tell", "group_move"]))
        checked = json.loads(self.explained("--group", "u16", "--groups", "65536", "--n", "2^26", "--elem-bytes", "8", "--check=passes", *H200, "--json"))
        self.assertEqual([launch["kernel"] for launch in checked["launches"] if "low" in launch["kernel"] or "move" in launch["kernel"]],
                         ["group_summed_low", "group_summed_move"])
        self.assertLess(abs(checked["time_units"] / twice["time_units"] - 1), 0.05)  # nothing is read twice
        self.assertRegex(self.explained("--group", "u16", "--groups", "2000", "--n", "2^20", "--elem-bytes", "8", "--check=passes", *H200),
                         "\ncheck +passes: what the first pass writes and the second one reads is compared")
        self.fails(1, "a check of passes has nothing to compare: but for rows alone", *words, "--check=passes", *H200)
        experts = self.explained("--group", "i32", "--groups", "8", "--keys-per-row", "2", "--n", "700", "--elem-bytes", "256", *H200)
        self.assertIn(" by 2 keys each, of type i32, into 8 groups\n", experts)
        columns = ["--column-bytes", "4", "--column-bytes", "1"]
        table = json.loads(self.explained(*words, *columns, *H200, "--json"))
        self.assertEqual((told["column_bytes"], table["column_bytes"]), ([], [4, 1]))
        self.assertEqual([launch["kernel"] for launch in table["launches"]], [*COUNTED, *["group_move"] * 3])
        self.assertIn("1048576 rows of 8 + 4 + 1 bytes by keys of type u16, into 256 groups\n", self.explained(*words, *columns))
        here = json.loads(self.explained(*words, "--measure", "--json"))
        self.assertEqual((here["engine"], here["algorithm"], "launches" in here), ("cpu", "scatter", False))
        self.assertAlmostEqual(here["measured"]["moving_seconds"] / here["measured"]["copy_seconds"], 18 / 16, delta=1e-3)
        self.fails(2, "--by has no --groups, which is for --group", "--by", "reverse", "--n", "8", "--groups", "2")
        self.fails(2, "--by has no --column-bytes, which is for --group", "--by", "reverse", "--n", "8", "--column-bytes", "2")
        self.fails(2, "given more than 64 times; a group has at most 64 columns besides the first", *words, *["--column-bytes", "2"] * 65)
        self.fails(2, "--column-bytes", *words, "--column-bytes", "0")
        self.fails(2, "--by has no --weights, which is for --ungroup", "--by", "reverse", "--n", "8", "--weights")
        self.fails(2, "--ungroup has no --check, which is for", "--ungroup", "8", "--n", "8", "--check")
        self.fails(1, "rows of 6 bytes have no whole number of f32", "--ungroup", "8", "--n", "8", "--elem-bytes", "6", "--sum", "f32")
        rows = json.loads(self.explained("--ungroup", "100", "--n", "2^28", "--elem-bytes", "8", "--keys-per-row", "2", *H200, "--json"))
        self.assertEqual((rows["rows"], rows["sum"], rows["weights"], rows["index_bytes"], rows["meaning"]), (100, "f32", False, 4, "expected"))
        here = self.explained("--ungroup", "100", "--n", "5000", "--elem-bytes", "8", "--measure")
        self.assertRegex(here, r"^ungroup     5000 rows of 8 bytes of 100, by 1 place of 8 bytes\nalgorithm   rows: ")
        self.assertIn("\n  rows and places ", here)
        self.fails(2, "--group goes with --groups; give that too", "--group", "u8", "--n", "8")
        self.fails(2, "--group has no --batch, which is for", "--group", "u8", "--groups", "2", "--n", "8", "--batch", "2")
        self.fails(2, "--group has no --algorithm, which is for", "--group", "u8", "--groups", "2", "--n", "8", "--algorithm", "affine")
        self.fails(1, "keys of type f32; groups are made by integers", "--group", "f32", "--groups", "2", "--n", "8")
        self.fails(1, "warps of 32; leave out the width of 8", "--group", "u8", "--groups", "2", "--engine", "cuda", "--n", "8", "--width", "8")

    def test_algorithms_of_sorts_and_hulls(self):
        words = ["--n", "5000", "--algorithm", "two-phase"]
        told = json.loads(self.explained("--sort", "u32", "--engine", "cuda", *words, "--json"))
        self.assertEqual(told["algorithm"], "two-phase")
        self.assertEqual(told["launches"], json.loads(self.run_riffle("simulate", "--sort", *words, "--json").stdout)["predicted_launches"])
        self.assertEqual(json.loads(self.explained("--sort", "u32", "--engine", "cuda", "--n", "5000", "--json"))["algorithm"], "k-partition")
        self.assertIn("\nalgorithm   paper\n", self.explained("--hull", "f32", "--n", "50", "--algorithm", "paper"))
        self.fails(1, "pairwise", "--sort", "u32", "--n", "8", "--algorithm", "pairwise")
        self.fails(1, "a GPU sorts by two-phase unsigned numbers of 4, 8 and 16 bytes, ascending; use k-partition for others", "--sort", "i32",
                   "--engine", "cuda", *words)
        self.fails(2, "--sort has no --algorithm of permutations; leave it out", "--sort", "u32", "--n", "8", "--algorithm", "affine")
        self.fails(2, "--sort has no --algorithm of programs; leave it out", "--sort", "u32", "--n", "8", "--algorithm", "paper")
        self.fails(2, "--hull has no --algorithm of sorts; leave it out", "--hull", "f32", "--n", "8", "--algorithm", "pairwise")
        self.fails(2, "--by has no --algorithm of sorts; leave it out", "--by", "reverse", "--n", "8", "--algorithm", "pairwise")

    def test_launches_of_a_program(self):
        """Predicted without a GPU, and as simulate has them."""
        words, machine = ["--by", "sort n", "--n", "2^12", "--type", "u32", "--algorithm", "paper"], ["--shared-latency", "3", "--dmms", "2"]
        told = json.loads(self.explained(*words, "--engine", "cuda", *machine, "--json"))
        done = self.run_riffle("simulate", *words, *machine, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        counted = json.loads(done.stdout)
        self.assertEqual(told["launches"], counted["predicted_launches"])
        self.assertEqual((told["passes"], told["time_units"], told["meaning"]), (156, counted["time_units"], "exact"))
        text = self.explained(*words, "--engine", "cuda", "--device", "a100", *machine)
        self.assertRegex(text, rf"\n  all .* {told['time_units']}\n$")
        self.assertIn("\npasses:    156, the paper's way", text)
        program = ["--by", "sort n", "--n", "8", "--engine", "cuda"]
        self.fails(1, "warps of 32; leave out the width of 8", *program, "--width", "8")
        self.fails(1, "nosuch", *program, "--device", "nosuch")

    def test_text_is_escaped(self):
        self.assertEqual(json.loads(self.explained("--by", "table:[2,0,1]", "--n", "3", "--json"))["n"], 3)

    def test_one_way_of_writing(self):
        for subject in (["--by", "reverse"], ["--by", "sort n"], ["--sort", "u32"], ["--hull", "f32"], ["--group", "u8", "--groups", "2"]):
            for how in (["--measure"], H200):
                text = self.explained(*subject, "--n", "8", "--json", *how)
                self.assertNotRegex(re.sub(r'"[^"]*"', '""', text.strip()), r'"": ', subject)

    def test_a_word_of_both_is_a_permutation(self):
        self.assertIn("permutation", json.loads(self.explained("--by", "identity", "--n", "8", "--json")))
        self.assertIn("stages", json.loads(self.explained("--by", "sort n", "--n", "8", "--json")))

    def test_what_has_no_document(self):
        self.fails(2, "--ranks has no --json", "--by", "reverse", "--n", "8", "--ranks", "2", "--json")
        self.fails(2, "--effort measure takes no --json", "--by", "reverse", "--n", "8", "--effort", "measure", "--json")


main()
