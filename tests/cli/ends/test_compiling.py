# SPDX-License-Identifier: Apache-2.0
"""A user's comparison or operation is compiled: whatever ends the command meanwhile, nothing is left, no folder and no compiler.
And compilers that lack something, who are not said to refuse the text."""
import os
import resource
import signal
import subprocess
import time

import numpy as np

from command import RIFFLE, CommandTest, main

# Never done, and writes beside its output all the time, or makes the folder anew; deaf to SIGTERM.
SLOW = """#!/bin/sh
trap '' TERM INT HUP
for word; do case $last in -o) object=$word;; esac; last=$word; done
folder=$(dirname "$object")
(while :; do : > "$folder/late"; sleep 0.02; done) 2> /dev/null &
echo $! $$ > started.new
mv started.new started
while :; do : > "$folder/later"; sleep 0.02; done 2> /dev/null
"""

COMMANDS = {
    "sort": ["sort", "in.npy", "out.npy", "--before", "a < b"],
    "run": ["run", "in.npy", "out.npy", "--by", "pair {b, a}"],
}
ENDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):  # gone, or gone while it was read
        return False


class Compiling(CommandTest):
    def setUp(self):
        super().setUp()
        np.save(self.path("in.npy"), np.arange(8))
        os.mkdir(self.path("tmp"))

    def environment(self, compiler, **more):
        with open(self.path("compiler"), "w") as file:
            file.write(compiler)
        os.chmod(self.path("compiler"), 0o755)
        return {**os.environ, "TMPDIR": self.path("tmp"), "CC": "./compiler", "CXX": "./compiler", **more}

    def start(self, command, **more):
        """Until the compiler runs. Its process, and the command's."""
        if os.path.exists(self.path("started")):
            os.remove(self.path("started"))
        process = subprocess.Popen([RIFFLE, *command], cwd=self.folder, env=self.environment(SLOW, **more), stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.kill)
        until = time.monotonic() + 60
        while not os.path.exists(self.path("started")):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        with open(self.path("started")) as file:
            compilers = [int(word) for word in file.read().split()]
        self.addCleanup(self.end, compilers)
        self.assertTrue(all(is_alive(number) for number in compilers))
        self.assertEqual(len(os.listdir(self.path("tmp"))), 1)
        return process, compilers

    def end(self, compilers):
        for number in filter(is_alive, compilers):
            os.kill(number, signal.SIGKILL)

    def is_gone(self, compilers):
        """The folder is gone now, and for good. A killed process is listed until a processor has turned to it once more, which on a busy
        machine takes a while; one that nobody has killed goes on for ever."""
        is_empty = not os.listdir(self.path("tmp"))
        until = time.monotonic() + 5
        while any(is_alive(number) for number in compilers) and time.monotonic() < until:
            time.sleep(0.002)
        return is_empty and not os.listdir(self.path("tmp")) and not any(is_alive(number) for number in compilers)

    def becomes_gone(self, compilers):
        until = time.monotonic() + 30
        while not self.is_gone(compilers):
            self.assertLess(time.monotonic(), until, os.listdir(self.path("tmp")))
            time.sleep(0.01)
        time.sleep(0.2)
        self.assertTrue(self.is_gone(compilers))

    def test_a_signal(self):
        """When the command has ended all is gone already."""
        for command in COMMANDS.values():
            for number in ENDED:
                process, compilers = self.start(command)
                process.send_signal(number)
                self.assertEqual((process.communicate(timeout=60)[1], process.returncode),
                                 ("riffle: out.npy: interrupted; it is as it was before\n", -number))
                self.assertTrue(self.is_gone(compilers), number)
                self.assertFalse(os.path.exists(self.path("out.npy")))

    def test_two_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, compilers = self.start(COMMANDS["sort"])
            process.send_signal(number)
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
            self.assertTrue(self.is_gone(compilers))

    def test_an_end_that_cannot_be_caught(self):
        for command in (*COMMANDS.values(), ["simulate", "--sort", "--n", "64", "--before", "a < b"]):
            process, compilers = self.start(command)
            process.kill()
            process.communicate(timeout=60)
            self.becomes_gone(compilers)

    def test_a_signal_that_a_command_does_not_catch(self):
        process, compilers = self.start(["simulate", "--sort", "--n", "64", "--before", "a < b"])
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.becomes_gone(compilers)

    def test_lint(self):
        with open(self.path("k.cu"), "w") as file:
            file.write("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process, compilers = self.start(["lint", "k.cu", "--kernel", "k", "--block", "32"])
            process.send_signal(number)
            process.communicate(timeout=60)
            if number == signal.SIGKILL:  # the command itself is killed, whose own folder nobody knows of then
                until = time.monotonic() + 30
                while any(is_alive(compiler) for compiler in compilers):
                    self.assertLess(time.monotonic(), until)
                    time.sleep(0.01)
                return
            self.assertTrue(self.is_gone(compilers))

    # -- compilers that lack something

    def fails(self, command, compiler, pattern, **options):
        done = self.run_riffle(*command, env=self.environment(compiler), **options)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)
        self.assertNotIn("refuses", done.stderr)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertFalse(os.path.exists(self.path("out.npy")))

    def test_no_file_may_be_written(self):
        for command in COMMANDS.values():
            self.fails(command, "#!/bin/sh\nexec cc \"$@\"\n", r"^riffle: \S.*/own\.c: cannot be written: File too large\n$",
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))

    def test_a_compiler_with_small_limits(self):
        """The host's own, with too little memory, too few files, and files that are too small."""
        for limit in ("-v 30000", "-n 6", "-f 1"):
            for command in COMMANDS.values():
                self.fails(command, f"#!/bin/sh\nulimit {limit}\nexec cc \"$@\"\n",
                           r"^riffle: \S.*'\./compiler' could not do its work: .*; see to memory, disk space and limits \(ulimit -a\)\n$")

    def test_what_compilers_say_of_want(self):
        for said in ("own.c:3:1: fatal error: error writing to /tmp/x.s: No space left on device",
                     "cc: fatal error: Killed signal terminated program cc1", "cc1: out of memory allocating 65536 bytes",
                     "operation0:1:1: internal compiler error: Segmentation fault"):
            self.fails(COMMANDS["sort"], f"#!/bin/sh\necho '{said}' >&2\nexit 1\n", rf"could not do its work: {said}; see to memory")

    def test_flags_that_the_compiler_refuses(self):
        """The host's own, and what others say: nothing of the user's text is wrong."""
        for command in COMMANDS.values():
            self.fails(command, "#!/bin/sh\nexec cc --nonsense \"$@\"\n",
                       r"^riffle: \S.*'\./compiler' compiles nothing with the flags that it is given: .*error: .*--nonsense.*; see to those in CC or CXX\n$")
        for said in ("error: unknown target CPU nonsense", "cc1: error: bad value nonsense for -march= switch",
                     "cc1: fatal error: nofile.h: No such file or directory"):
            self.fails(COMMANDS["sort"], f"#!/bin/sh\necho '{said}' >&2\nexit 1\n", rf"the flags that it is given: {said}; see to those")

    def test_a_compiler_that_is_killed(self):
        self.fails(COMMANDS["sort"], "#!/bin/sh\nkill -9 $$\n", r"could not do its work: signal 9 \(Killed\) ended it; see to memory")

    def test_what_is_refused_is_refused_still(self):
        """Also where the text that it quotes speaks of want."""
        done = self.run_riffle("sort", "in.npy", "out.npy", "--before", 'a < c /* No space left on device */',
                               env=self.environment("#!/bin/sh\nexec cc \"$@\"\n"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("the compiler refuses this comparison: ", done.stderr)


main()
