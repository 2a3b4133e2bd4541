# SPDX-License-Identifier: Apache-2.0
"""riffle vat measure: its rows, its fits computed anew, pages that are refused, time that is short, and interruptions."""
import csv
import ctypes
import io
import json
import os
import pty
import resource
import signal
import subprocess
import time
import unittest

from command import RIFFLE, CommandTest, main

PROGRAMS = ["sequential-scan", "random-scan", "permute", "binary-search", "van-emde-boas", "heapify", "heapsort",
            "introsort", "transpose-rows", "transpose-recursive", "multiply-rows", "multiply-recursive"]
FIELDS = ["program", "pages", "n", "bytes", "huge_share", "sampled_share", "runs", "seconds", "normalized_ns", "ram", "em",
          "vat_least", "vat_most", "faults"]
PR_SET_THP_DISABLE = 41


def refuse_huge_pages():
    """For a child: the system gives it none, whatever it asks for."""
    ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)


class Measure(CommandTest):
    def measure(self, *arguments, stderr="", **options):
        done = self.run_riffle("vat", "measure", "--json", *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        if stderr is not None:
            self.assertEqual(done.stderr, stderr)
        return json.loads(done.stdout)


class Rows(Measure):
    def check_row(self, row, replayed):
        self.assertEqual(list(row), FIELDS)
        self.assertLessEqual(row["bytes"], 2**17, row)
        per_element = {"transpose": 2, "multiply": 3}.get(row["program"].split("-")[0], 1)
        if row["program"] != "van-emde-boas":
            self.assertEqual(row["bytes"], 8 * per_element * row["n"], row)
        self.assertTrue(0 <= row["huge_share"] <= 1 and row["runs"] >= 2 and row["seconds"] > 0, row)
        self.assertAlmostEqual(row["normalized_ns"], row["seconds"] * 1e9 / row["ram"], delta=row["normalized_ns"] / 1e4)
        self.assertTrue(0 <= row["vat_least"] <= row["vat_most"] and row["em"] > 0 and row["ram"] >= row["n"], row)
        self.assertEqual(row["faults"] is not None, row["ram"] <= replayed, row)
        self.assertEqual(row["sampled_share"], 1, row)

    def test_all_programs(self):
        document = self.measure("--least", "2^14", "--most", "2^17", "--replay", "2^15", "--repeat", 2, stderr=None)
        series = list(dict.fromkeys((row["program"], row["pages"]) for row in document["results"]))
        self.assertEqual(series, [(program, pages) for program in PROGRAMS for pages in ("4k", "2m")])
        for row in document["results"]:
            self.check_row(row, 2**15)
            if row["pages"] == "4k":
                self.assertEqual(row["huge_share"], 0, row)
        self.assertEqual(document["model"]["4k"]["page"], 4096)
        self.assertEqual(document["model"]["2m"]["page"], 2**21)
        self.assertGreater(document["cache"], 2**16)

    def test_sizes_grow(self):
        rows = self.measure("--program", "permute", "--least", 100000, "--most", 400000, "--pages", "4k",
                            "--replay", 0)["results"]
        self.assertEqual([row["n"] for row in rows], [size // 8 for size in (100000, 140000, 196000, 274400, 384160, 400000)])

    def test_replay_counts_first_touches(self):
        """A scan of one MiB touches 256 pages, all of which fit the cache; above them are one node and three roots."""
        rows = self.measure("--program", "sequential-scan", "--least", 2**20, "--most", 2**20, "--pages", "4k")["results"]
        self.assertEqual([row["faults"] for row in rows], [256 + 4])

    def test_csv(self):
        done = self.run_riffle("vat", "measure", "--csv", "--program", "heapify", "--pages", "4k", "--most", 2**17)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual((done.returncode, done.stderr, list(rows[0])), (0, "", FIELDS))
        self.assertEqual([int(row["n"]) for row in rows], [8192, 11468, 16056, 16384])
        for row in rows:
            self.assertAlmostEqual(float(row["normalized_ns"]) * float(row["ram"]), float(row["seconds"]) * 1e9,
                                   delta=float(row["seconds"]) * 1e6)

    def test_text(self):
        done = self.run_riffle("vat", "measure", "--program", "heapify", "--pages", "4k", "--most", 2**16)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\nheapify +8192 +65536 +[0-9.]+ ")

    def test_samples(self):
        """Beyond 2^19 operations a part of them runs; what an operation takes stays what it is."""
        for program in ("binary-search", "heapsort"):
            rows = self.measure("--program", program, "--least", 2**22 - 8, "--most", 2**22 + 2**18, "--pages", "4k",
                                "--replay", 0)["results"]
            self.assertEqual([row["sampled_share"] < 1 for row in rows], [False, True], program)
            self.assertLess(rows[1]["normalized_ns"], 4 * rows[0]["normalized_ns"], program)
            self.assertGreater(rows[1]["normalized_ns"], rows[0]["normalized_ns"] / 4, program)


class Fits(Measure):
    def explained(self, rows, field, x0, t0):
        """The docstring of vat/measure/fit.h, in Python: the constant and R^2."""
        times = [row["normalized_ns"] for row in rows]
        predicted = [(1 if field == "ram" else row[field] / row["ram"]) - x0 for row in rows]
        squares = sum(x * x for x in predicted)
        if squares == 0:
            return None
        constant = sum(x * (t - t0) for x, t in zip(predicted, times)) / squares
        mean = sum(times) / len(times)
        left = sum((t - t0 - constant * x)**2 for x, t in zip(predicted, times))
        return constant, 1 - left / sum((t - mean)**2 for t in times)

    def check_explained(self, got, expected):
        if expected is None:
            self.assertIsNone(got)
            return
        constant, r2 = expected
        self.assertAlmostEqual(got["constant_ns"], constant, delta=abs(constant) / 100)
        self.assertAlmostEqual(got["r2"], r2, delta=1e-2 * (1 + abs(r2)))

    def check_fit(self, fit, rows, cache):
        fastest = min(row["normalized_ns"] for row in rows)
        edge = [row for row in rows if row["bytes"] <= cache][-1]
        beyond = [row for row in rows if row["bytes"] > cache]
        self.assertEqual((fit["sizes"], fit["edge_n"]), (len(beyond), edge["n"]))
        self.assertAlmostEqual(fit["smallest_ns"], fastest, delta=fastest / 1e4)
        self.assertAlmostEqual(fit["edge_ns"], edge["normalized_ns"], delta=fastest / 1e4)
        for field in ("ram", "em", "vat_least", "vat_most"):
            x_edge = 0 if field == "ram" else edge[field] / edge["ram"]
            self.check_explained(fit[field]["smallest"], self.explained(beyond, field, 0, fastest))
            self.check_explained(fit[field]["edge"], self.explained(beyond, field, x_edge, edge["normalized_ns"]))
        self.assertAlmostEqual(fit["ram"]["smallest"]["r2"], 0, delta=1e-6)

    def test_fits(self):
        programs = ["random-scan", "binary-search"]
        document = self.measure("--program", programs[0], "--program", programs[1], "--pages", "4k", "--least", 2**22,
                                "--most", 2**27, "--repeat", 1, "--replay", 0)
        if document["cache"] > 2**26:
            self.skipTest("the last-level cache is too large for a quick test")
        self.assertEqual([fit["program"] for fit in document["fits"]], programs)
        for fit in document["fits"]:
            rows = [row for row in document["results"] if row["program"] == fit["program"]]
            self.check_fit(fit, rows, document["cache"])


class Refusals(Measure):
    def test_no_huge_pages(self):
        """The rows are marked, a message says why, and the work goes on."""
        done = self.run_riffle("vat", "measure", "--program", "heapify", "--most", 2**17, preexec_fn=refuse_huge_pages)
        self.assertEqual(done.returncode, 0)
        self.assertIn("did not give 2 MiB pages to 4 of 4 measurements", done.stderr)
        self.assertIn("/sys/kernel/mm/transparent_hugepage/enabled says", done.stderr)
        self.assertRegex(done.stdout, r"\nheapify +8192 +65536 +[0-9.]+ +[0-9.]+! ")
        rows = self.measure("--program", "heapify", "--most", 2**17, preexec_fn=refuse_huge_pages, stderr=None)["results"]
        self.assertEqual({row["huge_share"] for row in rows}, {0})

    def test_short_time(self):
        began = time.monotonic()
        done = self.run_riffle("vat", "measure", "--program", "introsort", "--program", "sequential-scan", "--pages", "4k",
                               "--seconds", 2, "--most", 2**27, "--replay", 0, "--json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("introsort with pages 4k: no time for ", done.stderr)
        self.assertIn("--seconds allows more", done.stderr)
        largest = {row["program"]: row["bytes"] for row in json.loads(done.stdout)["results"]}  # they grow
        self.assertLess(largest["introsort"], largest["sequential-scan"])
        self.assertLess(time.monotonic() - began, 20)

    def test_bad_options(self):
        for arguments, message in [
                (["--program", "heapsrt"], "program 'heapsrt': unknown; did you mean 'heapsort'?"),
                (["--pages", "1g"], "option --pages: pages '1g': unknown"),
                (["--least", "2^20", "--most", "2^16"], "--least 1048576 is more than the largest array, 65536 bytes"),
                (["--least", "100"], "option --least: '100' is no number from 4096"),
                (["--repeat", "0"], "option --repeat: '0' is no number from 1"),
                (["--json", "--csv"], "--json and --csv exclude each other"),
                (["trace"], "trace: not expected here"),
        ]:
            done = self.run_riffle("vat", "measure", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(message, done.stderr)

    @unittest.skipIf("SANITIZED" in os.environ, "the sanitizer needs more address space")
    def test_no_memory(self):
        done = self.run_riffle("vat", "measure", "--program", "heapify", "--least", "2^40", "--most", "2^40",
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33)))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("choose a smaller --most", done.stderr)


class Interruptions(Measure):
    arguments = [RIFFLE, "vat", "measure", "--program", "random-scan", "--least", "2^24", "--most", "2^28", "--replay", "0",
                 "--json"]

    def test_interrupt_reports(self):
        with subprocess.Popen(self.arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            time.sleep(1.5)
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, -signal.SIGINT)
        self.assertIsInstance(json.loads(out)["results"], list)

    def test_progress_bar(self):
        master, slave = pty.openpty()
        with subprocess.Popen(self.arguments, stdout=subprocess.DEVNULL, stderr=slave) as child:
            os.close(slave)
            shown = b""
            while b"%" not in shown:
                shown += os.read(master, 4096)
            child.terminate()
            child.wait(timeout=60)
        os.close(master)
        self.assertRegex(shown.decode(), r"riffle: \[#*\.*\] +\d+%  random-scan, [0-9.]+ MiB, pages (4k|2m),")


main()
