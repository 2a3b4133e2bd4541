# SPDX-License-Identifier: Apache-2.0
"""Commands that write two files: what fails between the two, and signals there. Both are new, or both are as they were; where that
cannot be, the message names both."""
import errno
import os
import signal
import subprocess
import threading
import time

import numpy as np

from command import RIFFLE, CommandTest, main

OLD = b"what was here before"
SORT = ("idx.npy", ["sort", "in.npy", "out.npy", "--indices", "idx.npy"])
HULL = ("hull.svg", ["hull", "in.npy", "out.npy", "--svg", "hull.svg"])


class TwoOutputs(CommandTest):
    def setUp(self):
        super().setUp()
        np.save(self.path("in.npy"), self.rng.normal(size=(500, 2)))

    def put_old(self, second):
        for name in set(os.listdir(self.folder)) - {"in.npy"}:
            os.remove(self.path(name))
        for name in ("out.npy", second):
            with open(self.path(name), "wb") as file:
                file.write(OLD)

    def is_old(self, name):
        with open(self.path(name), "rb") as file:
            return file.read() == OLD

    def has_only(self, second):
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["in.npy", "out.npy", second]))

    def test_a_disk_that_fails(self):
        """At the sync of either, both keep what they had."""
        for second, command in (SORT, HULL):
            for call, name in ((1, "out.npy"), (2, second)):
                self.put_old(second)
                done = self.run_at(f"fsync:error:{errno.EIO}", *command, AT_CALL_NUMBER=str(call))
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, rf"^riffle: {name}: its \d+ bytes did not reach the disk: Input/output error\n$")
                self.assertTrue(self.is_old("out.npy") and self.is_old(second), (name, command))
                self.has_only(second)

    def test_the_first_name_that_is_not_given(self):
        for second, command in (SORT, HULL):
            self.put_old(second)
            done = self.run_at(f"renameat:error:{errno.EBUSY}", *command)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"riffle: {second}: cannot be put in place: Device or resource busy\n"))
            self.assertTrue(self.is_old("out.npy") and self.is_old(second), command)
            self.has_only(second)

    def test_the_second_name_that_is_not_given(self):
        """The one case in which the two do not belong together."""
        for second, command in (SORT, HULL):
            self.put_old(second)
            done = self.run_at(f"renameat:error:{errno.EBUSY}", *command, AT_CALL_NUMBER="2")
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"riffle: out.npy: cannot be put in place: Device or resource busy; {second} holds this run's "
                                 "result, and out.npy is as it was before: the two do not belong together\n"))
            self.assertTrue(self.is_old("out.npy"))
            self.assertFalse(self.is_old(second))
            self.has_only(second)

    def test_a_signal_between(self):
        """One during the sync is too late for all; two end the command, and nothing is left; while names are given none counts."""
        for second, command in (SORT, HULL):
            for function in ("fsync", "renameat"):
                for call in (1, 2):
                    for what, ends in (("signal", False), ("signals", function == "fsync")):
                        self.put_old(second)
                        done = self.run_at(f"{function}:{what}:{int(signal.SIGTERM)}", *command, AT_CALL_NUMBER=str(call))
                        case = (function, call, what, command)
                        self.assertEqual((done.returncode, done.stderr), (0, "") if not ends else (
                            -signal.SIGTERM, "riffle: out.npy: interrupted; it is as it was before\n"), case)
                        self.assertEqual((self.is_old("out.npy"), self.is_old(second)), (ends, ends), case)
                        self.has_only(second)

    def test_two_signals_while_room_is_made(self):
        for second, command in (SORT, HULL):
            for call in (1, 2):
                self.put_old(second)
                done = self.run_at(f"fallocate:signals:{int(signal.SIGINT)}", *command, AT_CALL_NUMBER=str(call))
                self.assertEqual(done.returncode, -signal.SIGINT, done.stderr)
                self.assertTrue(self.is_old("out.npy") and self.is_old(second), command)
                self.has_only(second)

    def start_with_pipe(self):
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen([RIFFLE, "hull", "in.npy", "out.npy", "--svg", "pipe"], cwd=self.folder, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.kill)
        return process

    def test_a_pipe_without_a_reader(self):
        """The first signal ends the command that waits for one."""
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start_with_pipe()
            while not any(name.startswith(".out.npy.riffle-") for name in os.listdir(self.folder)):
                time.sleep(0.01)
            time.sleep(0.3)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            _, said = process.communicate(timeout=30)
            self.assertEqual((process.returncode, said), (-number, "riffle: out.npy: interrupted; it is as it was before\n"))
            self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "pipe"])
            os.remove(self.path("pipe"))

    def test_a_pipe_with_a_reader(self):
        process = self.start_with_pipe()
        read = []
        def reader():
            with open(self.path("pipe")) as pipe:
                read.append(pipe.read())
        thread = threading.Thread(target=reader)
        thread.start()
        _, said = process.communicate(timeout=60)
        thread.join(60)
        self.assertEqual((process.returncode, said), (0, ""))
        self.assertTrue(read[0].startswith("<svg") and read[0].endswith("</svg>\n"))
        self.assertEqual(np.load(self.path("out.npy")).shape[1], 2)

    def test_a_pipe_that_is_full_for_good(self):
        """OUT is not put in its place before the picture is out."""
        self.put_old("hull.svg")
        done = self.run_riffle("hull", "in.npy", "out.npy", "--svg", "/dev/full")
        self.assertEqual((done.returncode, done.stderr), (1, "riffle: /dev/full: cannot be written: No space left on device\n"))
        self.assertTrue(self.is_old("out.npy"))


main()
