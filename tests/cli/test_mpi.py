# SPDX-License-Identifier: Apache-2.0
"""riffle permute --mpi, sort --mpi and group --mpi over loopback against NumPy and one memory; a rank that is killed; a launcher without --mpi; riffle explain --ranks."""
import os
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np

from command import RIFFLE, SOMEBODY, CommandTest, become_somebody, main

MPIEXEC = os.environ.get("MPIEXEC") or shutil.which("mpirun")
LIBRARY = os.path.exists(os.path.join(os.path.dirname(RIFFLE), "libriffle-mpi.so.0.1"))
LAUNCHED = {**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_mpi_yield_when_idle": "1"}


@unittest.skipUnless(MPIEXEC and LIBRARY, "no mpirun, or no libriffle-mpi beside the command")
class Ranks(CommandTest):
    def mpirun(self, count, *words, env=LAUNCHED, **options):
        return subprocess.run([MPIEXEC, "-n", str(count), *map(str, words)], cwd=self.folder, env=env, capture_output=True, text=True, timeout=100, **options)

    def permute(self, count, *options):
        return self.mpirun(count, RIFFLE, "permute", "in.npy", "out.npy", "--mpi", *options)

    def test_moves(self):
        transposed = np.arange(30 * 41, dtype="<f4").reshape(30, 41)
        rows = self.random_array((37, 3), "<i2")
        for count, array, options, wanted in ((3, transposed, ("--by", "transpose:30x41"), transposed.T),
                                              (4, np.arange(4096.0), ("--by", "bit-reversal", "--verbose"), None),
                                              (2, rows, ("--rows", "--by", "reverse"), rows[::-1]),
                                              (4, np.zeros((0, 2), "u1"), ("--by", "identity"), np.zeros((0, 2), "u1"))):
            np.save(self.path("in.npy"), array)
            done = self.permute(count, *options)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            if wanted is None:
                self.assertIn("4096 elements of 8 bytes moved over 4 ranks, which sent each other 24576 bytes in 12 messages", done.stderr)
                self.assertEqual(self.run_riffle("permute", "in.npy", "one.npy", "--by", "bit-reversal").returncode, 0)
                wanted = np.load(self.path("one.npy"))
            self.assert_same(np.load(self.path("out.npy")), np.ascontiguousarray(wanted), options)
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])

    def test_sorts(self):
        rows = np.array([(k * 7 % 5, k * 11 % 13) for k in range(501)], "<u2,<f4")
        matrix = np.arange(35.0).reshape(5, 7)[::-1]
        for count, array, options, wanted in ((3, self.random_array((1003,), "<i4"), (), np.sort), (4, matrix, ("--axis", "none", "--verbose"), lambda a: np.sort(a, None)),
                                              (2, rows, ("--fields", "-f1,f0"), lambda a: a[np.lexsort((a["f0"], -a["f1"]))]),
                                              (2, np.arange(50), ("--before", "a % 7 < b % 7"), lambda a: a[np.argsort(a % 7, kind="stable")]),
                                              (5, self.rng.integers(0, 99, 1001), ("--indices", "indices.npy"), lambda a: np.sort(a, kind="stable"))):
            np.save(self.path("in.npy"), array)
            done = self.mpirun(count, RIFFLE, "sort", "in.npy", "out.npy", "--mpi", *options)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            self.assert_same(np.load(self.path("out.npy")), wanted(array), options)
            if "--verbose" in options:
                self.assertIn("35 elements of 8 bytes sorted over 4 ranks, which sent each other", done.stderr)
            if "--indices" in options:
                self.assert_same(np.load(self.path("indices.npy")), np.argsort(array, kind="stable"), options)
            os.remove(self.path("out.npy"))

    def test_sorts_that_fail(self):
        np.save(self.path("matrix.npy"), np.zeros((3, 4)))
        np.save(self.path("complex.npy"), np.zeros(3, "c8"))
        for words, told in ((("missing.npy", "out.npy"), "missing.npy"), (("matrix.npy", "out.npy"), "--axis none"), (("matrix.npy", "out.npy", "--axis", 1), "--axis none"), (("complex.npy", "out.npy"), "complex")):
            done = self.mpirun(2, RIFFLE, "sort", *words, "--mpi")
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stderr.count("riffle: sort --mpi: "), 1, done.stderr)
            self.assertIn(told, done.stderr)
            self.assertFalse(os.path.exists(self.path("out.npy")))
        done = self.mpirun(2, RIFFLE, "sort", "matrix.npy", "out.npy")
        self.assertIn("sort: a launcher has started 2 of this process", done.stderr)

    def group(self, count, *options, out="out.npy", offsets="offsets.npy", counts="counts.npy", places="places.npy"):
        words = (RIFFLE, "group", "in.npy", out, "--keys", "keys.npy", "--offsets", offsets, "--counts", counts, "--places", places, *options)
        return self.mpirun(count, *words, "--mpi") if count else self.run_riffle(*words[1:])

    def test_groups(self):
        for count, shape, dtype, keys, groups, options in ((1, (5,), "<f8", "<u4", 2, ()), (2, (1009, 3), "<i2", "u1", 7, ("--verbose",)), (3, (0, 4), "u1", "?", 3, ()),
                                                           (5, (64,), "<c16", "<i8", 2, ("--by", "hash")), (6, (997, 0), "u1", "<u2", 16, ()),
                                                           (8, (1003,), "<u4", "<u2", 65536, ("--by", "top")), (4, (501, 3), "u1", "<i4", 9, ("--multiple", "8")),
                                                           (3, (1001,), "<f4", "<i2", 5, ("--multiple", "64", "--capacity", "190")), (2, (77, 0), "u1", "u1", 3, ("--capacity", "9")),
                                                           (7, (23, 5), "<i2", "<i8", 4, ("--by", "hash", "--capacity", "5", "--multiple", "3"))):
            np.save(self.path("in.npy"), self.random_array(shape, dtype))
            drawn = self.rng.integers(-1, groups + 1, shape[0]) if "--by" not in options else self.rng.integers(0, 1 << 16, shape[0])
            np.save(self.path("keys.npy"), drawn.astype(keys))
            names = ("out.npy", "offsets.npy", "counts.npy", "places.npy")
            done = self.group(count, "--groups", groups, *options)
            one = self.group(0, "--groups", groups, *options, out="one_out.npy", **{name[:-4]: "one_" + name for name in names[1:]})
            self.assertEqual((done.returncode, done.stdout, one.returncode), (0, "", 0), done.stderr)
            for name in names:
                with open(self.path(name), "rb") as file, open(self.path("one_" + name), "rb") as other:
                    self.assertEqual(file.read(), other.read(), (name, count, shape))
                os.remove(self.path(name))
            left_out = [line.replace("one_out.npy", "out.npy") for line in one.stderr.splitlines() if " left out " in line]
            self.assertEqual([line for line in done.stderr.splitlines() if " left out " in line], left_out)
            if "--verbose" in options:
                self.assertIn(f"1009 rows of 6 bytes grouped over {count} ranks, which sent each other", done.stderr)

    def test_groups_that_fail(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        good = np.arange(12) % 3
        for keys, offsets, told in ((good.astype("f4"), "offsets.npy", "dtype '<f4'; keys are little-endian integers"), (good[:5], "offsets.npy", "shape (12,)"),
                                    (good, "keys.npy", "same file"), (good, "in.npy", "same file"), (good, "none/o.npy", "there is no folder")):
            np.save(self.path("keys.npy"), keys)
            with open(self.path("out.npy"), "w") as file:
                file.write("as it was")
            done = self.group(2, "--groups", 3, offsets=offsets)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(told, done.stderr)
            with open(self.path("out.npy")) as file:
                self.assertEqual(file.read(), "as it was")
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "keys.npy", "out.npy"])

    def test_files_that_are_one(self):
        """By their names as well, where they are not there yet: the command line is wrong."""
        for name, array in (("in.npy", np.arange(12.0)), ("keys.npy", np.arange(12) % 3)):
            np.save(self.path(name), array)
        os.symlink(".", self.path("here"))
        group = ("group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 3, "--offsets")
        for words, told in (((*group, "./out.npy"), "./out.npy: the offsets and the output are"), ((*group, "here/out.npy"), "here/out.npy: the offsets and the output are"),
                            ((*group, "here/in.npy"), "here/in.npy: the offsets and the input are"), ((*group, "./keys.npy"), "./keys.npy: the offsets and the keys are"),
                            ((*group, "offsets.npy", "--counts", "here/offsets.npy"), "here/offsets.npy: the counts and the offsets are"),
                            ((*group, "offsets.npy", "--places", "./keys.npy"), "./keys.npy: the places and the keys are"),
                            (("sort", "in.npy", "out.npy", "--indices", "here/out.npy"), "here/out.npy: the indices and the output are"),
                            (("group", "in.npy", "here/keys.npy", *group[3:-1]), "here/keys.npy: the output and the keys are"),
                            (("group", "in.npy", "./in.npy", *group[3:-1]), "./in.npy: the output and the input are"),
                            (("permute", "in.npy", "here/in.npy", "--by", "reverse"), "here/in.npy: the output and the input are"),
                            (("permute", "in.npy", "./keys.npy", "--by", "reverse|~table:here/keys.npy"), "./keys.npy: the output and a table are"), (("sort", "in.npy", "./in.npy"), "./in.npy: the output and the input are")):
            done = self.mpirun(2, RIFFLE, *words, "--mpi")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(told + " the same file; give " + told.split(": ")[1].split(" and")[0] + " another name", done.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), ["here", "in.npy", "keys.npy"])
            self.assert_same(np.load(self.path("in.npy")), np.arange(12.0), words)

    def test_write_protected(self):
        """Every rank is refused by the first; root may write all, so that who is root becomes somebody."""
        self.open_to_others()
        place = os.path.dirname(self.riffle)
        for name in ("libriffle.so.0.1", "libriffle-mpi.so.0.1"):
            shutil.copy(os.path.join(os.path.dirname(RIFFLE), name), place)
        for name, array in (("in.npy", np.arange(12.0)), ("keys.npy", np.arange(12) % 3)):
            np.save(self.path(name), array)
            os.chmod(self.path(name), 0o644)
        group = ("group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 3)
        for name, words in (("out.npy", ("permute", "in.npy", "out.npy", "--by", "reverse")), ("out.npy", ("sort", "in.npy", "out.npy")), ("out.npy", group),
                            ("offsets.npy", (*group, "--offsets", "offsets.npy"))):
            with open(self.path(name), "w") as file:
                file.write("as it was")
            if os.getuid() == 0:
                os.chown(self.path(name), SOMEBODY, SOMEBODY)
            for mode in (0o444, 0o644):
                os.chmod(self.path(name), mode)
                done = self.mpirun(2, self.riffle, *words, "--mpi", preexec_fn=become_somebody,
                                   env={**LAUNCHED, "RIFFLE_LIBRARY_PATH": place, "LD_LIBRARY_PATH": place, "HOME": self.folder})
                self.assertEqual(done.returncode == 0, mode == 0o644, done.stderr)
                with open(self.path(name), "rb") as file:
                    self.assertEqual(file.read() == b"as it was", mode == 0o444)
                if mode == 0o444:
                    self.assertEqual(done.stderr.count(f"riffle: {words[0]} --mpi: {name}: is write-protected; let it be written (chmod)\n"), 1, done.stderr)
                    self.assertEqual(sorted(os.listdir(self.folder)), sorted({"in.npy", "keys.npy", name}))
            for made in {"out.npy", name}:
                os.remove(self.path(made))

    def test_groups_asked_unlike(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        np.save(self.path("keys.npy"), np.arange(12) % 3)
        np.save(self.path("others.npy"), np.arange(12) % 2)
        asked = {"--keys": "keys.npy", "--groups": 3, "--by": "value", "--offsets": "offsets.npy", "--multiple": 4, "--capacity": 7}
        for name, other, told in (("--keys", "others.npy", "the name of the file of keys"), ("--groups", 4, "the number of groups: it is 3 on rank 0 and 4 on rank 1"),
                                  ("--by", "hash", "how keys name groups"), ("--offsets", "more.npy", "the names of files beside it"),
                                  ("--multiple", 5, "the multiple of rows: it is 4 on rank 0 and 5 on rank 1"), ("--capacity", 8, "the capacity of groups: it is 7 on rank 0 and 8 on rank 1")):
            words = [[RIFFLE, "group", "in.npy", "out.npy", "--mpi", *(word for pair in all.items() for word in pair)] for all in (asked, {**asked, name: other})]
            done = self.mpirun(1, *words[0], ":", "-n", "1", *words[1])
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("the ranks do not agree on " + told, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "keys.npy", "others.npy"])

    def test_ranks_ask_for_unlike_things(self):
        for name, n in (("in.npy", 12), ("longer.npy", 16)):
            np.save(self.path(name), np.arange(float(n)))
        sort, permute = ("sort", "in.npy", "out.npy", "--mpi"), ("permute", "in.npy", "out.npy", "--mpi", "--by", "reverse")
        for one, other, told in ((sort, ("sort", "longer.npy", *sort[2:]), "the name of the file to read"), (sort, permute, "what is done"),
                                 (sort, ("sort", "in.npy", "other.npy", "--mpi"), "the name of the file to write"), (sort, (*sort, "--descending"), "the key"),
                                 (permute, (*permute, "--rows"), "whether rows are moved")):
            done = self.mpirun(1, RIFFLE, *one, ":", "-n", "1", RIFFLE, *other)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("the ranks do not agree on " + told, done.stderr)
        for folder, n in (("a", 12), ("b", 16)):
            os.mkdir(self.path(folder))
            np.save(self.path(folder + "/in.npy"), np.arange(float(n)))
        done = self.mpirun(1, "--wdir", self.path("a"), RIFFLE, *sort, ":", "-n", "1", "--wdir", self.path("b"), RIFFLE, *sort)
        self.assertIn("the elements of the file to read: it is 12 on rank 0 and 16 on rank 1", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "b", "in.npy", "longer.npy"])

    def test_failures_leave_out_alone(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        np.save(self.path("fortran.npy"), np.asfortranarray(np.zeros((3, 4))))
        with open(self.path("out.npy"), "w") as file:
            file.write("as it was")
        for words, told in ((("in.npy", "out.npy", "--by", "bit-reversal"), "not a power of two"),
                            (("missing.npy", "out.npy", "--by", "reverse"), "missing.npy"),
                            (("fortran.npy", "out.npy", "--by", "reverse"), "Fortran order"),
                            (("in.npy", "none/out.npy", "--by", "reverse"), "there is no folder")):
            done = self.mpirun(2, RIFFLE, "permute", *words, "--mpi")
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stderr.count("riffle: permute --mpi: "), 1, done.stderr)
            self.assertIn(told, done.stderr)
        kill = 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then kill -9 $$; fi; exec "$0" permute in.npy out.npy --by reverse --mpi'
        self.assertNotEqual(self.mpirun(3, "sh", "-c", kill, RIFFLE).returncode, 0)
        with open(self.path("out.npy")) as file:
            self.assertEqual(file.read(), "as it was")
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])


    def test_signals_leave_no_hidden_file(self):
        """Rank 0 removes it, and says so; where the file is about to take its name, it does."""
        np.save(self.path("in.npy"), np.arange(12.0))
        start = 'if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then export LD_PRELOAD="$AT_CALL" AT="$1"; fi; exec "$0" permute in.npy out.npy --by reverse --mpi'
        for at, told in ((f"fsync:signal:{signal.SIGTERM:d}", "riffle: out.npy: interrupted; it is as it was before"), ("fsync:exit", "riffle: out.npy: the run ended before it was written"),
                         (f"renameat:signal:{signal.SIGTERM:d}", None)):
            with open(self.path("out.npy"), "w") as file:
                file.write("as it was")
            done = self.mpirun(2, "sh", "-c", start, RIFFLE, at)
            self.assertEqual(done.returncode == 0, told is None, done.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
            if told is None:
                self.assert_same(np.load(self.path("out.npy")), np.arange(12.0)[::-1], at)
            else:
                self.assertIn(told, done.stderr)
                with open(self.path("out.npy")) as file:
                    self.assertEqual(file.read(), "as it was")

    @unittest.skipIf("SANITIZED" in os.environ, "sanitizers need address space of their own")
    def test_one_rank_is_short_of_memory(self):
        """For the input's map, and for its own part: 3 GiB and 1 of 4 are more than there is, which no rank touches."""
        start = 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then ulimit -v 4194304; fi; exec "$0" sort in.npy out.npy --mpi'
        with open(self.path("out.npy"), "w") as file:
            file.write("as it was")
        for gibibytes in (8, 3):
            np.lib.format.open_memmap(self.path("in.npy"), mode="w+", dtype="u1", shape=(gibibytes << 30,))  # a hole
            done = self.mpirun(3, "sh", "-c", start, RIFFLE)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.count("riffle: sort --mpi: rank 1: no memory for"), 1, done.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
            with open(self.path("out.npy")) as file:
                self.assertEqual(file.read(), "as it was")

    def test_killed_ranks_leave_no_hidden_file(self):
        """Where it is rank 0, the others remove it: a launcher ends them by a signal that has a handler, and leaves them time."""
        np.save(self.path("in.npy"), np.arange(12.0))
        with open(self.path("out.npy"), "w") as file:
            file.write("as it was")
        start = 'if [ "$OMPI_COMM_WORLD_RANK" = "$1" ]; then export LD_PRELOAD="$AT_CALL" AT=fsync:signal:9 AT_CALL_NUMBER="$2"; fi; exec "$0" permute in.npy out.npy --by reverse --mpi'
        for rank, call in ((0, 2), (1, 1)):  # rank 0's first one is of the header
            done = self.mpirun(3, "sh", "-c", start, RIFFLE, rank, call, env={**LAUNCHED, "OMPI_MCA_odls_base_sigkill_timeout": "3"})
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
            with open(self.path("out.npy")) as file:
                self.assertEqual(file.read(), "as it was")

    def test_one_rank_says_what_is_wrong(self):
        """The first one, be it wrong on all or on others alone; none waits for a rank that is asked for help, or for nothing that ranks do."""
        np.save(self.path("in.npy"), np.arange(12.0))
        right, wrong, helped = (RIFFLE, "permute", "in.npy", "out.npy", "--mpi", "--by", "reverse"), (RIFFLE, "permute", "in.npy", "out.npy", "--mpi", "--bye", "reverse"), (RIFFLE, "sort", "--help")
        option = "option '--bye': unknown; did you mean '--by'?"
        for one, others, status, told in ((wrong, wrong, 2, "riffle: " + option), (right, wrong, 1, "riffle: permute --mpi: rank 1: " + option), (wrong, right, 2, "riffle: " + option),
                                          (right, helped, 1, "riffle: permute --mpi: rank 1: it was not asked to move, sort or group a file"), (helped, right, 0, None),
                                          (right[:4] + right[5:], right[:4] + right[5:], 2, "riffle: permute: a launcher has started 3 of this process")):
            done = self.mpirun(1, *one, ":", "-n", "2", *others)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stderr.count("riffle: "), told is not None, done.stderr)
            self.assertIn(told or "", done.stderr)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])

    def test_a_killed_launcher_leaves_no_hidden_file(self):
        """Rank 0 hears of it from the system, and has no launcher to wait for it."""
        np.save(self.path("in.npy"), np.arange(12.0))
        with open(self.path("out.npy"), "w") as file:
            file.write("as it was")
        start = 'if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then export LD_PRELOAD="$AT_CALL" AT=fsync:orphan; fi; exec "$0" permute in.npy out.npy --by reverse --mpi'
        for count in (1, 2):
            self.assertEqual(self.mpirun(count, "sh", "-c", start, RIFFLE).returncode, -signal.SIGKILL)
            end = time.monotonic() + 60  # a fault takes that long, and what is right some milliseconds
            while sorted(os.listdir(self.folder)) != ["in.npy", "out.npy"] and time.monotonic() < end:
                time.sleep(0.02)
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
            with open(self.path("out.npy")) as file:
                self.assertEqual(file.read(), "as it was")


class Words(CommandTest):
    def test_launched_without_mpi(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
            done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse", env={**os.environ, name: "4"})
            self.assertEqual(done.returncode, 2)
            self.assertIn("a launcher has started 4 of this process, which would all write out.npy; have them do it together with --mpi", done.stderr)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])
        done = self.run_riffle("group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 3, env={**os.environ, "PMI_SIZE": "4"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("group: a launcher has started 4 of this process", done.stderr)

    def test_options_that_do_not_suit(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        for options in (("--force",), ("--view", "::2"), ("--algorithm", "scatter"), ("--engine", "cuda")):
            done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse", "--mpi", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"permute: --mpi has no {options[0]}; leave it out", done.stderr)

    def test_sort_options_that_do_not_suit(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        for options in (("--force",), ("--merge",), ("--top", 3), ("--check",)):
            done = self.run_riffle("sort", "in.npy", "out.npy", "--mpi", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"sort: --mpi has no {options[0]}; leave it out", done.stderr)

    def test_group_options_that_do_not_suit(self):
        for options in (("--force",), ("--check",), ("--engine", "cuda")):
            done = self.run_riffle("group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 3, "--mpi", *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"group: --mpi has no {options[0]}; leave it out", done.stderr)

    def test_no_library(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse", "--mpi", env={**os.environ, "RIFFLE_LIBRARY_PATH": self.folder})
        self.assertEqual(done.returncode, 1)
        self.assertIn("--mpi needs", done.stderr)
        self.assertIn("build riffle where MPI is found", done.stderr)

    @unittest.skipUnless(shutil.which("cc"), "no C compiler: pretends to be of another build")
    def test_another_build(self):
        np.save(self.path("in.npy"), np.arange(12.0))
        wrong = "int riffle_mpi_permute_files(void) { __builtin_abort(); }"
        for told, source in (("0.1.0 0123456789abcdef", wrong + 'const char *riffle_mpi_build(void) { return "0.1.0 0123456789abcdef"; }'), ("unknown", wrong)):
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", self.path("libriffle-mpi.so.0.1")], input=source, text=True, check=True)
            done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse", "--mpi", env={**os.environ, "RIFFLE_LIBRARY_PATH": self.folder})
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"is of another, {told}; install riffle and libriffle-mpi of one build", done.stderr)

    def test_explain(self):
        done = self.run_riffle("explain", "--by", "bit-reversal", "--n", "2^30", "--ranks", 4096, "--link", "50GB/s", "--latency", "2us")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("4096 ranks", "cosets of 2^12 = 4096 ranks", "4293918720 bytes, 99.98 %", "16773120 between ranks, up to 4095 of a rank", "at 50 GB/s", "of 2 us"):
            self.assertIn(words, done.stdout)
        done = self.run_riffle("explain", "--sort", "u64", "--order", "--n", "2^36", "--ranks", 4096, "--link", "50GB/s", "--latency", "2us")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("4096 ranks", "8 bytes with 8 bytes that go along", "99.98 %", "33546240 between ranks", "about 36 rounds, 87 at most", "for pivots"):
            self.assertIn(words, done.stdout)
        done = self.run_riffle("explain", "--by", "bits:0,1,3,2", "--n", 16, "--ranks", 4, "--relabel")
        self.assertIn("0 bytes, 0.00 %", done.stdout)

    def test_explain_refuses(self):
        for options, told in ((("--link", "50GB/s"), "goes with --ranks or --gpus"), (("--ranks", 4, "--latency", "1us"), "--latency goes with --link"),
                              (("--ranks", 4, "--in-place"), "--ranks has no --in-place"), (("--ranks", 4, "--once"), "--ranks has no --once"), (("--ranks", 4, "--link", "50"), "'50' is no rate"),
                              (("--ranks", 4, "--link", "0GB/s"), "no rate"), (("--ranks", 4, "--link", "1GB/s", "--latency", "1h"), "'1h' is no duration"),
                              (("--ranks", 0), "no number from 1"), (("--relabel",), "--relabel goes with --ranks")):
            done = self.run_riffle("explain", "--by", "reverse", "--n", 16, *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(told, done.stderr)
        for options in (("--relabel",), ("--merge", 4), ("--top", 3), ("--algorithm", "two-phase"), ("--engine", "cuda"), ("--json",)):
            done = self.run_riffle("explain", "--sort", "u32", "--n", 16, "--ranks", 4, *options)
            self.assertEqual(done.returncode, 2, options)
        done = self.run_riffle("explain", "--sort", "u32", "--n", 16, "--ranks", 4, "--top", 3)
        self.assertIn("explain: --top has no --ranks", done.stderr)


main()
