# SPDX-License-Identifier: Apache-2.0
"""Errors: the exit status, the message, and that nothing was harmed.

Every case checks that an OUT file that was there keeps its content and that no temporary file stays.
"""
import os
import re
import resource
import signal
import stat
import struct
import subprocess
import time
import unittest

import numpy as np

from command import RIFFLE, CommandTest, main

OLD = b"what was here before"


def header(text, version=1):
    """A .npy header with this dictionary, correct or not."""
    length = struct.pack("<H", len(text)) if version == 1 else struct.pack("<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode("latin1")


class BadInput(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("out.npy", OLD)
        np.save(self.path("in.npy"), np.arange(1000, dtype="<f4"))

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def fails(self, status, pattern, *arguments, source="in.npy", target="out.npy", **options):
        before = sorted(os.listdir(self.folder))
        done = self.run_riffle("permute", source, target, *arguments, **options)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, pattern)
        self.assertRegex(done.stderr, r"^riffle: \S")
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(self.read("out.npy"), OLD)
        return done.stderr

    # -- the input file

    def refuses_file(self, content, pattern):
        self.write("bad.npy", content)
        self.fails(1, r"^riffle: bad\.npy.*" + pattern, "--by", "reverse", source="bad.npy")

    def test_missing_input(self):
        self.fails(1, r"none\.npy: .*No such file", "--by", "reverse", source="none.npy")

    def test_a_folder_as_input(self):
        self.fails(1, r"\. is a folder", "--by", "reverse", source=".")

    def test_not_a_npy_file(self):
        self.refuses_file(b"", "is no .npy file: it is empty")
        self.refuses_file(b"\x93NUM", "truncated")
        self.refuses_file(b"some text that is long enough to hold a header of some kind\n" * 4,
                          "is no .npy file: it does not start with")

    def test_unknown_version(self):
        self.refuses_file(b"\x93NUMPY\x09\x00" + b"\x10\x00" + b" " * 16, "version")

    def test_truncated(self):
        whole = self.read("in.npy")
        for length in (8, 60, 127, 128, len(whole) - 1):
            self.refuses_file(whole[:length], "truncated")

    def test_object_dtype(self):
        np.save(self.path("bad.npy"), np.array([1, "a"], dtype=object), allow_pickle=True)
        self.fails(1, "object", "--by", "reverse", source="bad.npy")

    def test_elements_of_no_bytes(self):
        for descr in ("'|V0'", "'|S0'", "'<U0'", "[('a', '|S0'), ('b', '|V0')]"):
            self.refuses_file(header("{'descr': %s, 'fortran_order': False, 'shape': (3,), }\n" % descr),
                              "the dtype has elements of 0 bytes, of which there is nothing to read or write; elements have 1 byte or more\n$")
        array = np.zeros(1000, np.dtype([("a", "S0"), ("b", "<i4")]))
        array["b"] = np.arange(1000)
        np.save(self.path("in.npy"), array)
        self.assertEqual(self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse").returncode, 0)
        np.testing.assert_array_equal(np.load(self.path("out.npy"))["b"], array["b"][::-1])

    def test_size_that_overflows(self):
        for shape in ("(4294967296, 4294967296)", "(18446744073709551615,)", "(99999999999999999999999,)"):
            text = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n" % shape
            self.refuses_file(header(text), "64 bits|more than a file can hold|truncated|number")

    def test_broken_dictionaries(self):
        for text in ("", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
                     "{'descr': '<f4', 'fortran_order': 3, 'shape': (1,), }",
                     "{'descr': 'nonsense', 'fortran_order': False, 'shape': (1,), }",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}"):
            self.refuses_file(header(text) + bytes(64), "")

    # -- the part of the input

    def test_views_that_do_not_parse(self):
        for text, character, what in [("1,x", 3, "no slice, integer or ..."), ("", 1, "no slice"), ("::2,", 5, "no slice"),
                                      ("::0", 3, "a step cannot be 0"), ("1 2", 3, "a comma or the end"),
                                      ("...,1,...", 7, "... may stand there once"), ("1:2:3:4", 6, "a comma or the end"),
                                      ("99999999999999999999", 1, "no array is so long"),
                                      (",".join(["0"] * 34), 67, "no array has so many axes")]:
            self.fails(2, rf"option --view: '{re.escape(text)}', character {character}: .*{re.escape(what)}.*; write it as",
                       "--view", text)

    def test_views_of_what_is_not_there(self):
        self.fails(1, r"in\.npy: --view: the array has 1 axes and 2 are named; choose", "--view", "1,2")
        self.fails(1, r"in\.npy: --view: axis 0 has 1000 elements, none of index 1000; choose", "--view", "1000")
        self.fails(1, r"in\.npy: --view: axis 0 has 1000 elements, none of index -1001; choose", "--view", "-1001")
        self.fails(1, "a 0-dimensional array has no rows", "--view", "5", "--rows", "--by", "reverse")

    def test_neither_permutation_nor_view(self):
        self.fails(2, "permute: no permutation given; say which with --by SPEC, or which part of IN with --view SLICES")
        for option in (["--rows"], ["--engine", "cuda"], ["--algorithm", "gather"]):
            self.fails(2, f"permute: {option[0]} goes with --by; give that too, or leave it out", "--view", "::2", *option)

    # -- the permutation

    def test_typos_say_where_and_suggest(self):
        for spec, word, place in [("transpos:10x100", "transpose", 0), ("revers", "reverse", 0),
                                  ("~bit-reversl", "bit-reversal", 1), ("reverse|rotat:3", "rotate", 8)]:
            message = self.fails(2, rf"--by: spec, character {place + 1}: .*{word}", "--by", spec)
            lines = message.splitlines()
            self.assertEqual(lines[1:], ["  " + spec, "  " + " " * place + "^"])

    def test_programs(self):
        self.fails(2, "^riffle: --by: 'hadamard n' is no permutation; it reads as an array program, which 'riffle run' does\n$",
                   "--by", "hadamard n")

    def test_the_place_is_where_it_goes_wrong(self):
        for spec, place in [("transpose:2X3", 11), ("transpose:3,4", 11), ("transpose:2^2x4", 11),
                            ("transpose:2x2x250", 13), ("axes:2x3:0", 9)]:
            lines = self.fails(2, rf"--by: spec, character {place + 1}: ", "--by", spec).splitlines()
            self.assertEqual(lines[1:], ["  " + spec, "  " + " " * place + "^"])
        np.save(self.path("in.npy"), np.arange(8))
        self.fails(2, "character 10: bits 1 and 2 both go to bit 1", "--by", "bits:0,1,1")

    def test_syntax(self):
        for spec in ("", "|", "reverse|", "~", "rotate", "rotate:", "rotate:x", "transpose:10", "transpose:10x",
                     "axes:2x3", "axes:2x3:0", "axes:10x100:0,0", "random:", "table:", "table:[",
                     "reverse:3", "reverse reverse", "affine:1,2^", "identity\n|", "ärger"):
            with self.subTest(spec=spec):
                self.fails(2, "--by: ", "--by", spec)

    def test_length_is_no_power_of_two(self):
        for spec in ("bit-reversal", "shuffle", "unshuffle", "random-affine:1"):
            self.fails(1, "1000.*power of two", "--by", spec)

    def test_shape_does_not_match(self):
        self.fails(1, "1000", "--by", "transpose:10x101")
        self.fails(1, "1000", "--by", "axes:10x10x11:2,1,0")
        self.fails(1, "1000", "--by", "bits:1,0,2")
        self.fails(1, "1000", "--by", "affine:1,2")

    def test_singular_matrix(self):
        np.save(self.path("in.npy"), np.arange(8))
        self.fails(1, "rows? .*", "--by", "affine:3,5,6")

    def test_tables(self):
        def table(values, pattern, status=1):
            np.save(self.path("table.npy"), values)
            self.fails(status, pattern, "--by", "table:table.npy")
        i = np.arange(1000)
        twice = i.copy()
        twice[97] = 41
        table(twice, "index 41 and index 97 both map to 41")
        table(np.where(i == 5, 1000, i), "5.*1000")
        table(np.where(i == 5, -1, i), "-1")
        table(np.arange(999), "999.*1000|1000.*999")
        table(i.astype("<f8"), "table")
        self.fails(1, "1000", "--by", "table:[1,0]")
        self.fails(1, "none.npy", "--by", "table:none.npy")

    def test_algorithm_that_does_not_fit(self):
        self.fails(1, "affine", "--by", "random:1", "--algorithm", "affine")
        for name in ("bmmc-naive", "bmmc-tile", "bmmc-tile-banks", "bmmc-tile-iters", "bmmc-tile-banks-iters"):
            self.fails(1, f"'{name}' cannot do this: the cpu engine does not have it",
                       "--by", "reverse", "--algorithm", name)

    def test_options_of_plans_that_files_have_no_use_for(self):
        self.fails(2, "option '--batch': unknown", "--by", "reverse", "--batch", "2")
        self.fails(2, "option '--stride': unknown", "--by", "reverse", "--stride", "1000")

    # -- in place

    def fails_in_place(self, status, pattern, *arguments, source="in.npy", **options):
        """IN, which would be OUT too, is untouched, and nothing is left beside it."""
        content, names = self.read(source), sorted(os.listdir(self.folder))
        done = self.run_riffle("permute", source, "--in-place", *arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, r"^riffle: " + pattern)
        self.assertEqual((self.read(source), sorted(os.listdir(self.folder))), (content, names))

    def test_in_place_on_the_command_line(self):
        self.fails(2, r"^riffle: out\.npy: not expected with --in-place, which replaces in\.npy; leave out one", "--by", "reverse",
                   "--in-place")
        self.fails_in_place(2, r"permute: --view with --in-place would leave in\.npy without the rest of its array; ", "--by",
                            "reverse", "--view", "::2")
        self.fails_in_place(2, r"permute: no permutation given")
        self.fails_in_place(2, r"option --in-place: given twice", "--by", "reverse", "--in-place")

    def test_in_place_what_cannot_be(self):
        np.save(self.path("table.npy"), self.rng.permutation(1000))
        for spec, why in [("random:1", "cannot be done in place: it is no affine permutation of 2\\^m elements, and"),
                          ("table:table.npy", "cannot be done in place: "), ("rotate:7", "cannot be done in place: "),
                          ("axes:10x10x10:2,1,0", "cannot be done in place: "), ("transpose:10x101", "1000")]:
            self.fails_in_place(1, rf".*{why}", "--by", spec)
        self.fails_in_place(1, ".*cannot be done in place: only affine and transpose and reverse-ends can", "--by", "reverse",
                            "--algorithm", "gather")

    def test_in_place_of_files_that_are_none(self):
        self.write("bad.npy", b"no array")
        self.fails_in_place(1, r"bad\.npy", "--by", "reverse", source="bad.npy")
        done = self.run_riffle("permute", "none.npy", "--by", "reverse", "--in-place")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"none\.npy: .*No such file")

    def test_in_place_without_room(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        self.fails_in_place(1, r"in\.npy: no room for its 4128 bytes", "--by", "reverse", preexec_fn=limit)

    def test_cuda_is_not_there(self):
        self.fails(1, "cuda", "--by", "reverse", "--engine", "cuda")

    def test_rows_of_a_scalar(self):
        np.save(self.path("in.npy"), np.float32(3))
        self.fails(1, "in.npy: .*0-dimensional.*--rows", "--by", "identity", "--rows")

    def test_too_many_dimensions(self):
        np.save(self.path("in.npy"), np.zeros((4,) + (1,) * 31))
        self.fails(1, "more than 32 dimensions", "--by", "transpose:2x2", "--rows")

    # -- the output file

    def test_missing_folder(self):
        self.fails(1, "nowhere/out.npy: there is no folder nowhere", "--by", "reverse", target="nowhere/out.npy")

    def test_a_folder_as_output(self):
        os.mkdir(self.path("folder"))
        self.fails(1, "folder", "--by", "reverse", target="folder")

    def test_a_link_that_leads_to_no_file(self):
        os.mkfifo(self.path("pipe"))
        os.mkdir(self.path("folder"))
        terminal, other_end = os.openpty()  # a device that is ours
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.close, other_end)
        for leads_to in ("nothing", "pipe", "folder", "loop.npy", os.ttyname(other_end)):
            link = self.path("loop.npy")
            os.symlink(leads_to, link)
            self.fails(1, r"^riffle: loop\.npy", "--by", "reverse", target="loop.npy")
            self.assertEqual(os.readlink(link), leads_to)
            os.remove(link)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))
        self.assertEqual(os.listdir(self.path("folder")), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_without_permission(self):
        os.mkdir(self.path("closed"), 0o500)
        self.fails(1, "closed/out.npy: .*denied", "--by", "reverse", target="closed/out.npy")

    def test_the_same_file(self):
        os.link(self.path("in.npy"), self.path("hard.npy"))
        os.symlink("in.npy", self.path("soft.npy"))
        content = self.read("in.npy")
        for target in ("in.npy", "./in.npy", "hard.npy", "soft.npy"):
            self.fails(2, r"\.npy: input and output are the same file; ", "--by", "reverse", target=target)
            self.assertEqual(self.read("in.npy"), content)

    def test_out_is_another_input(self):
        """A command's other inputs are not replaced either, whatever their names."""
        np.save(self.path("table.npy"), np.arange(1000)[::-1])
        np.save(self.path("eight.npy"), np.zeros(8, "f4"))
        self.write("mine.txt", b"mine n = sort n\n")
        os.link(self.path("table.npy"), self.path("hard.npy"))
        os.symlink("table.npy", self.path("a) soft.npy"))
        for target in ("table.npy", "./table.npy", "hard.npy", "a) soft.npy"):
            for arguments in (("take", "in.npy", "table.npy", target), ("permute", "in.npy", target, "--by", "table:table.npy"),
                              ("permute", "in.npy", target, "--by", "reverse | ~ ( table : hard.npy ) | reverse"),
                              ("permute", "in.npy", target, "--by", "table:\"a) soft.npy\"")):
                self.spares("table.npy", target, *arguments)
        self.spares("mine.txt", "mine.txt", "run", "eight.npy", "mine.txt", "--by", "mine n", "--define", "mine.txt")
        done = self.run_riffle("permute", "table.npy", "--in-place", "--by", "table:table.npy")
        self.assertEqual((done.returncode, done.stderr), (0, ""), "in place IN is replaced, as was asked for")

    def spares(self, name, target, *arguments):
        content, before = self.read(name), sorted(os.listdir(self.folder))
        done = self.run_riffle(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
        self.assertIn(f"riffle: {target}: input and output are the same file; give the output another name\n", done.stderr)
        self.assertEqual((self.read(name), sorted(os.listdir(self.folder))), (content, before), arguments)

    def test_full_disk(self):
        """A limit on the size of files stands for the disk; a small tmpfs, where one may be mounted, is one."""
        np.save(self.path("in.npy"), np.zeros(1 << 20))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        self.fails(1, "out.npy: ", "--by", "reverse", preexec_fn=limit)
        os.mkdir(self.path("small"))
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.path("small")],
                                 stderr=subprocess.DEVNULL, check=False)
        if mounted.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", self.path("small")], check=True)
            self.fails(1, "small/out.npy: .*space", "--by", "reverse", target="small/out.npy")
            self.assertEqual(os.listdir(self.path("small")), [])

    @unittest.skipIf("SANITIZED" in os.environ, "sanitizers need address space of their own")
    def test_no_memory(self):
        np.save(self.path("in.npy"), np.zeros(1 << 23, dtype="u1"))
        most = os.path.getsize(RIFFLE) + (1 << 24)  # the command's kernels take room themselves

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        self.fails(1, "memory", "--by", "random:1", "--algorithm", "bucket", preexec_fn=limit)

    # -- names that would tell a terminal what to do

    def test_names_are_escaped_and_said_once(self):
        """In what every command says of a file."""
        raw, shown = "\x1b[31mred\n\x7f\x9b", r"\x1b[31mred\x0a\x7f\xc2\x9b"
        by = ["--by", "reverse"]
        for arguments in (["permute", raw, "out.npy", *by], ["permute", "in.npy", raw + "/out.npy", *by],
                          ["permute", "in.npy", "out.npy", "--by", f"table:{raw}"],
                          ["explain", "--by", f"table:{raw}", "--n", "8"], ["lint", raw, "--kernel", "k", "--block", "1"],
                          ["congestion", "--layout", "raw", "--pattern", f"file:{raw}"], ["vat", "replay", raw],
                          ["bench", "--suite", "quick", "--only", raw], ["info", raw], [raw], ["info", "--" + raw]):
            done = self.run_riffle(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"^riffle: [ -~\n]*$")
            said = done.stderr.splitlines()[0]
            folders = said.count("/out.npy") + said.count("folder ")  # the folder of an OUT is said by itself too
            self.assertEqual(said.count(shown), folders or 1, said)

    def test_the_caret_stands_under_what_is_shown(self):
        lines = self.fails(2, "character 10: ", "--by", "identity|\x1b[2J").splitlines()
        self.assertEqual(lines[1:], [r"  identity|\x1b[2J", "           ^"])
        np.save(self.path("\x1b.npy"), np.arange(1000))
        lines = self.fails(2, "character 13: ", "--by", "table:\x1b.npy|revers").splitlines()
        self.assertEqual(lines[1:], [r"  table:\x1b.npy|revers", "                 ^"])

    def test_success_escapes_names_too(self):
        done = self.run_riffle("permute", "in.npy", "\x1b[31m", "--by", "reverse", "--verbose")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^riffle: \\x1b\[31m: 1000 elements")

    # -- a run that is stopped

    def start(self, *arguments):
        np.save(self.path("in.npy"), np.zeros(1 << 24, dtype="<f4"))
        return subprocess.Popen([RIFFLE, "permute", "in.npy", "out.npy", *arguments], cwd=self.folder,
                                stderr=subprocess.PIPE, text=True)

    def await_temporary(self, process):
        """Until something beside the known files is there, that is, until the work has begun."""
        while process.poll() is None and set(os.listdir(self.folder)) <= {"in.npy", "out.npy"}:
            time.sleep(0.001)

    def test_kill_leaves_the_old_file(self):
        for _ in range(3):
            process = self.start("--by", "random:1", "--algorithm", "scatter", "--threads", "1")
            self.await_temporary(process)
            process.kill()
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL)
            self.assertEqual(self.read("out.npy"), OLD)

    def test_kill_in_place_leaves_the_old_file(self):
        """Also while it is moved: the array that moves is another file's, with a hidden name."""
        for function in ("fallocate", "fsync"):
            content = self.read("in.npy")
            done = self.run_at(f"{function}:signal:{int(signal.SIGKILL)}", "permute", "in.npy", "--by", "reverse", "--in-place")
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGKILL, ""))
            self.assertEqual(self.read("in.npy"), content)
            left = set(os.listdir(self.folder)) - {"in.npy", "out.npy"}
            self.assertEqual([name[:15] for name in left], [".in.npy.riffle-"])
            os.remove(self.path(left.pop()))

    def test_interrupt_in_place_cleans_up(self):
        content = self.read("in.npy")
        done = self.run_at(f"fallocate:signal:{int(signal.SIGINT)}", "permute", "in.npy", "--by", "reverse", "--in-place")
        self.assertEqual(done.returncode, -signal.SIGINT)
        self.assertRegex(done.stderr, "^riffle: in.npy: interrupted; it is as it was before\n$")
        self.assertEqual(self.read("in.npy"), content)
        self.is_untouched()

    def test_interrupt_cleans_up(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGXCPU):
            process = self.start("--by", "random:1", "--algorithm", "scatter", "--threads", "1")
            self.await_temporary(process)
            process.send_signal(number)
            _, message = process.communicate()
            self.assertEqual(process.returncode, -number)
            what = "its CPU time is up" if number == signal.SIGXCPU else "interrupted"
            self.assertEqual(message, f"riffle: out.npy: {what}; it is as it was before\n")
            self.is_untouched()

    def is_untouched(self):
        self.assertEqual(self.read("out.npy"), OLD)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    def test_a_signal_while_room_is_made(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGXCPU):
            done = self.run_at(f"fallocate:signal:{int(number)}", "permute", "in.npy", "out.npy", "--by", "reverse")
            self.assertEqual(done.returncode, -number, done.stderr)
            self.assertRegex(done.stderr, "^riffle: out.npy: .*; it is as it was before\n$")
            self.is_untouched()

    def test_an_ignored_signal_stays_so(self):
        """Before, while and after it would be caught: nohup."""
        for function in ("madvise", "fallocate", "fsync"):
            done = self.run_at(f"{function}:signal:{int(signal.SIGHUP)}", "permute", "in.npy", "out.npy", "--by", "reverse",
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_signal_that_comes_too_late(self):
        """The file is committed while it waits, whatever the clock shows."""
        for number in (signal.SIGINT, signal.SIGQUIT):
            for clock in ({}, {"CLOCK_STANDS": "1"}):
                self.write("out.npy", OLD)
                done = self.run_at(f"fsync:signal:{int(number)}", "permute", "in.npy", "out.npy", "--by", "reverse",
                                   **clock)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                np.testing.assert_array_equal(np.load(self.path("out.npy")), np.load(self.path("in.npy"))[::-1])

    def test_input_that_is_cut_short(self):
        """At the end of a page, which is a SIGBUS, and within one, which reads zeros."""
        for length, left, why in [(1 << 16, 1 << 13, "was cut short while it was read, or its disk failed"),
                                  (1000, 4100, "was cut short while it was read")]:
            np.save(self.path("in.npy"), np.arange(length, dtype="<f4"))
            done = self.run_at(f"fallocate:truncate:{left}:in.npy", "permute", "in.npy", "out.npy", "--by", "reverse")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, rf"^riffle: (/.*/)?in\.npy: {why}(; out\.npy is as it was before)?\n$")
            self.is_untouched()

    def test_a_table_that_is_cut_short(self):
        for length, left in [(1 << 16, 1 << 13), (1000, 8100)]:
            for command in (["explain", "--n", length], ["simulate", "--n", length]):
                np.save(self.path("t\x1b.npy"), np.arange(length))
                done = self.run_at(f"madvise:truncate:{left}:t\x1b.npy", *command, "--by", "table:t\x1b.npy")
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertRegex(done.stderr, r"^riffle: (--by: )?(/.*/)?t\\x1b\.npy: was cut short while it was read")
                self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_library_that_exits(self):
        """OpenMP's runtime does where it can make no thread."""
        done = self.run_at("fsync:exit", "permute", "in.npy", "out.npy", "--by", "reverse", OMP_NUM_THREADS="3")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, "riffle: out.npy: the run ended before it was written; it is as it was before\n$")
        self.is_untouched()

    # -- few threads

    def test_as_many_threads_as_there_can_be(self):
        """None, some, and all of those that are wanted; who asks for one is told nothing."""
        self.save_table()
        for most, options, note in [(0, [], "only 1 of 12"), (1, [], "only 2 of 12"), (10, [], "only 11 of 12"),
                                    (11, [], None), (0, ["--threads", 5], "only 1 of 5"),
                                    (2, ["--threads", 5], "only 3 of 5"), (0, ["--threads", 1], None)]:
            self.write("out.npy", OLD)
            done = self.run_at("", "permute", "in.npy", "out.npy", "--by", "table:t.npy", *options,
                               OMP_NUM_THREADS="12", MOST_THREADS=str(most))
            self.assertEqual(done.returncode, 0, done.stderr)
            expected = "" if note is None else (
                f"riffle: permute: {note} threads can be started, and so many are used; for more raise the limit of "
                "processes (ulimit -u, or the container's)\n")
            self.assertEqual(done.stderr, expected)
            self.is_moved_along_the_table()

    def test_threads_are_started_before_the_file_is_made(self):
        """And kept: that later there can be no more does not matter."""
        self.save_table()
        done = self.run_at("madvise:fail", "permute", "in.npy", "out.npy", "--by", "table:t.npy", OMP_NUM_THREADS="12")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.is_moved_along_the_table()

    @unittest.skipIf("SANITIZED" in os.environ, "the leak check takes a thread of its own")
    @unittest.skipUnless(os.getuid() == 0, "the limit counts all processes of a user: this takes another one")
    def test_the_systems_limit_of_threads(self):
        """The limit itself."""
        def become_somebody():
            resource.setrlimit(resource.RLIMIT_NPROC, (2, 2))
            os.setresuid(54321, 54321, 54321)
        self.save_table()
        self.open_to_others()
        os.remove(self.path("out.npy"))
        done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "table:t.npy", preexec_fn=become_somebody,
                               env={**os.environ, "OMP_NUM_THREADS": "3"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "^riffle: permute: only 2 of 3 threads can be started")
        self.is_moved_along_the_table()

    def save_table(self):
        """Long enough for threads to share the look at the table, and the move."""
        self.table = self.rng.permutation(1 << 18)
        np.save(self.path("in.npy"), np.arange(1 << 18, dtype="<f4"))
        np.save(self.path("t.npy"), self.table)

    def is_moved_along_the_table(self):
        expected = np.empty(1 << 18, dtype="<f4")
        expected[self.table] = np.arange(1 << 18)
        np.testing.assert_array_equal(np.load(self.path("out.npy")), expected)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy", "t.npy"])


if __name__ == "__main__":
    main()
