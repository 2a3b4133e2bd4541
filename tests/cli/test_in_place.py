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

    def test_a_reader_does_not_matter(self):
        """Only those that replace the file wait for each other."""
        with open(self.path("x.npy"), "rb") as holder:
            fcntl.flock(holder, fcntl.LOCK_EX)
            done = self.run_riffle("permute", "x.npy", "y.npy", "--by", "shuffle")
            self.assertEqual((done.returncode, done.stderr), (0, ""))


main()
