# SPDX-License-Identifier: Apache-2.0
"""Several processes that replace one file by what they make of it: each begins with what the one before has left."""
import fcntl
import os
import subprocess
import threading
import time

import numpy as np

from command import RIFFLE, CommandTest, main

MOVE = ["permute", "x.npy", "--in-place", "--by", "shuffle"]


class InPlace(CommandTest):
    def setUp(self):
        super().setUp()
        self.array = np.arange(1 << 18)
        np.save(self.path("x.npy"), self.array)

    def is_moved(self, times):
        expected = self.array
        for _ in range(times):
            expected = expected.reshape(2, -1).T.ravel()
        np.testing.assert_array_equal(np.load(self.path("x.npy")), expected)
        self.assertEqual(sorted(set(os.listdir(self.folder)) - {"link.npy"}), ["x.npy"])

    def test_many_at_once(self):
        """By two names."""
        os.symlink("x.npy", self.path("link.npy"))
        count, rounds = 6, 2  # fewer moves than bring it back
        for _ in range(rounds):
            runs = [subprocess.Popen([RIFFLE, MOVE[0], ("x.npy", "link.npy")[k % 2], *MOVE[2:], "--threads", "1"],
                                     cwd=self.folder, stderr=subprocess.PIPE, text=True) for k in range(count)]
            for run in runs:
                self.assertEqual((run.communicate(timeout=120)[1], run.returncode), ("", 0))
        self.is_moved(count * rounds)

    def test_one_that_waits(self):
        """For a second, in which the file is replaced: what is moved is the file that stands there then."""
        holder = open(self.path("x.npy"), "rb")
        fcntl.flock(holder, fcntl.LOCK_EX)
        def replace():
            time.sleep(1)
            self.array = self.array[::-1].copy()
            np.save(self.path("new.npy"), self.array)
            os.rename(self.path("new.npy"), self.path("x.npy"))
            holder.close()
        thread = threading.Thread(target=replace)
        thread.start()
        done = self.run_riffle(*MOVE)
        thread.join()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.is_moved(1)

    def test_one_that_waits_in_vain(self):
        with open(self.path("x.npy"), "rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_EX)
            began = time.monotonic()
            done = self.run_riffle(*MOVE)
            waited = time.monotonic() - began
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, rf"^riffle: x\.npy: (process {os.getpid()}|another process) is replacing it, still after "
                                          r"10 s; run this when that is done\n$")
            with open("/proc/locks") as locks:
                is_known = f" {os.getpid()} " in locks.read()
            self.assertEqual(f"process {os.getpid()} " in done.stderr, is_known)
        self.assertGreaterEqual(waited, 10)
        self.assertLess(waited, 60)
        self.is_moved(0)

    def test_an_interrupt_while_it_waits(self):
        with open(self.path("x.npy"), "rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_EX)
            process = subprocess.Popen([RIFFLE, *MOVE], cwd=self.folder, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            process.terminate()
            self.assertEqual((process.communicate(timeout=5)[1], process.returncode),
                             ("riffle: x.npy: interrupted; it is as it was before\n", -15))
        self.is_moved(0)

    def test_one_that_was_killed_holds_nothing(self):
        done = self.run_at("fsync:signal:9", *MOVE)
        self.assertEqual(done.returncode, -9)
        for name in set(os.listdir(self.folder)) - {"x.npy"}:
            os.remove(self.path(name))
        self.assertEqual(self.run_riffle(*MOVE).returncode, 0)
        self.is_moved(1)

    def test_another_file_under_its_name(self):
        """Put there by a program that knows no lock, until the last moment: that file stays."""
        other = self.array[::-1].copy()
        for function in ("fallocate", "fsync"):
            np.save(self.path("new.npy"), other)
            done = self.run_at(f"{function}:rename:new.npy:x.npy", *MOVE)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (
                1, "", "riffle: x.npy: another program has put a file there, or written to it, while this run read it; what is "
                       "there now stays, and this run's result is given up; run it again\n"))
            self.array = other
            self.is_moved(0)

    def test_a_file_that_is_written_meanwhile(self):
        """It grows, by bytes that are not read."""
        size = os.path.getsize(self.path("x.npy")) + 8
        done = self.run_at(f"fsync:truncate:{size}:x.npy", *MOVE)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^riffle: x.npy: another program has put a file there, or written to it, while this run read it; ")
        self.assertEqual(os.path.getsize(self.path("x.npy")), size)
        self.is_moved(0)

    def test_a_file_that_went_meanwhile(self):
        """Nothing comes in its place."""
        done = self.run_at("fallocate:rename:x.npy:moved.npy", *MOVE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("x.npy: another program has put a file there", done.stderr)
        self.assertEqual(os.listdir(self.folder), ["moved.npy"])

    def test_claims_are_true(self):
        """That a file is as it was before is said only where it is."""
        done = self.run_at("fallocate:truncate:8192:x.npy", *MOVE)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"^riffle: (/.*/)?x\.npy: was cut short while it was read, or its disk failed; x\.npy was not "
                                      r"changed by this run\n$")

    def test_others_wait_too(self):
        """Runs that only replace the file, by OUT or beside it, while one makes something of it."""
        for command, out in ((["permute", "y.npy", "x.npy", "--by", "reverse"], np.arange(100)[::-1]),
                             (["sort", "y.npy", "x.npy"], np.arange(100)),
                             (["sort", "y.npy", "z.npy", "--indices", "x.npy"], np.arange(100))):
            np.save(self.path("y.npy"), np.arange(100))
            np.save(self.path("x.npy"), self.array)
            with open(self.path("x.npy"), "rb") as holder:
                fcntl.flock(holder, fcntl.LOCK_EX)
                process = subprocess.Popen([RIFFLE, *command], cwd=self.folder, stderr=subprocess.PIPE, text=True)
                with self.assertRaises(subprocess.TimeoutExpired, msg=command):
                    process.wait(1)
                np.testing.assert_array_equal(np.load(self.path("x.npy")), self.array)
            self.assertEqual((process.communicate(timeout=60)[1], process.returncode), ("", 0))
            np.testing.assert_array_equal(np.load(self.path("x.npy")), out)

    def test_another_that_waits_in_vain(self):
        np.save(self.path("y.npy"), np.arange(100))
        with open(self.path("x.npy"), "rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_EX)
            done = self.run_riffle("permute", "y.npy", "x.npy", "--by", "reverse")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^riffle: x\.npy: (process \d+|another process) is replacing it, still after 10 s; run this "
                                      r"when that is done\n$")
        os.remove(self.path("y.npy"))
        self.is_moved(0)

    def test_those_that_only_replace_it_share_it(self):
        np.save(self.path("y.npy"), np.arange(100))
        with open(self.path("x.npy"), "rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_SH)
            done = self.run_riffle("permute", "y.npy", "x.npy", "--by", "reverse")
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_reader_does_not_matter(self):
        """Only those that replace the file wait for each other."""
        with open(self.path("x.npy"), "rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_EX)
            done = self.run_riffle("permute", "x.npy", "y.npy", "--by", "shuffle")
            self.assertEqual((done.returncode, done.stderr), (0, ""))


main()
