# SPDX-License-Identifier: Apache-2.0
"""riffle lint keeps the machine's headers compiled in the user's cache: reports are the same with it, without it, and with whatever is found there."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from command import COMPILERS, RIFFLE, SEED, CommandTest, main

KERNELS = """#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cassert>
__global__ void sum(float *a, const float *b) {
    __shared__ float s[64];
    auto all = cooperative_groups::this_thread_block();
    s[2 * threadIdx.x] = b[4 * threadIdx.x] + __half2float(__float2half(1));
    all.sync();
    assert(s[0] == s[0]);
    a[threadIdx.x + 4] = s[62 - 2 * threadIdx.x] + __shfl_xor_sync(~0u, b[threadIdx.x], 1);
    atomicAdd(a + threadIdx.x / 2, s[threadIdx.x]);
}
"""
USERS = {"0123456789abcdef", "headers-mine.hpp", "headers-0123456789abcdef.backup"}


def sum_of(path):
    return path[:-len("pch")] + "sum"


class Headers(CommandTest):
    """One folder is every test's cache, since clang's files know where their text is; a run that takes what is kept is a third of one that makes it."""
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp(prefix="riffle-test-")
        cls.addClassCleanup(shutil.rmtree, cls.place)
        cls.home = os.path.join(cls.place, "cache")
        cls.cache = os.path.join(cls.home, "riffle")
        cls.wholes = {}

    def setUp(self):
        super().setUp()
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(KERNELS)
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def words(self, *more, compiler):
        return ["lint", "k.cu", "--kernel", "sum", "--block", "32", "--arg", "float:32:zero", "--arg", "float:128:random", "--json", "--compiler",
                compiler, *more]

    def environment(self, **more):
        return {**os.environ, "XDG_CACHE_HOME": self.home, **more}

    def lint(self, *more, compiler, **environment):
        done = self.run_riffle(*self.words(*more, compiler=compiler), env=self.environment(**environment))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def kept(self, ending=""):
        """Names of the kept files, where there is a folder."""
        return sorted(name for name in os.listdir(self.cache) if name.endswith(ending)) if os.path.isdir(self.cache) else []

    def three_runs(self, compiler):
        """The first notes the headers, the second compiles them, the third takes them: the report."""
        whole = self.lint(compiler=compiler)
        self.assertEqual({one["kind"] for one in json.loads(whole)["hazards"]}, {"out-of-bounds", "race", "uninitialized"})
        self.assertEqual(len(self.kept()), 1)
        self.assertEqual(self.lint(compiler=compiler), whole)
        made, = self.kept(".pch")
        path = os.path.join(self.cache, made)
        state = os.stat(path)
        self.assertEqual(self.lint(compiler=compiler), whole)
        later = os.stat(path)
        self.assertEqual((later.st_ino, later.st_mtime_ns), (state.st_ino, state.st_mtime_ns))
        self.assertGreater(later.st_atime_ns, state.st_atime_ns)
        return whole

    def compiled(self, compiler):
        """A cache with headers that are compiled, made once for all tests: the report, and their file."""
        shutil.rmtree(self.home, ignore_errors=True)
        if compiler not in self.wholes:
            self.wholes[compiler] = self.three_runs(compiler)
            shutil.copytree(self.home, os.path.join(self.place, compiler))
        else:
            shutil.copytree(os.path.join(self.place, compiler), self.home)
        name, = self.kept(".pch")
        return self.wholes[compiler], os.path.join(self.cache, name)

    def test_reports_are_the_same(self):
        for compiler in COMPILERS:
            whole, _ = self.compiled(compiler)
            self.assertEqual(json.loads(whole)["width"], 32)
            self.assertEqual(self.lint(compiler=compiler, XDG_CACHE_HOME="/proc/none"), whole)  # nothing can be kept there

    @unittest.skipUnless("clang++" in COMPILERS, "--for-all is by clang")
    def test_proofs_are_the_same(self):
        """Accesses in headers, an atomic's and a shuffle's, are told at the user's line."""
        words = ["lint", "--for-all", "k.cu", "--json"]
        whole = self.run_riffle(*words, env=self.environment(XDG_CACHE_HOME="/proc/none"))
        self.assertEqual(({one["file"] for one in json.loads(whole.stdout)["claims"]}, whole.stderr), ({"k.cu"}, ""))
        for files in ([".h"], [".h", ".pch", ".sum"], [".h", ".pch", ".sum"]):
            done = self.run_riffle(*words, env=self.environment())
            self.assertEqual((done.returncode, done.stdout, done.stderr), (whole.returncode, whole.stdout, ""))
            self.assertEqual([os.path.splitext(name)[1] for name in self.kept()], files)

    def read_both(self, path):
        """A compiled file and its sum."""
        read = []
        for name in (path, sum_of(path)):
            with open(name, "rb") as file:
                read.append(file.read())
        return read

    def test_broken_files(self):
        """One that is broken is removed, be it by a bit, and so is another compiler's, whose sum is right: the report is that of the whole text."""
        for compiler in self.compilers():
            others = [self.read_both(self.compiled(other)[1]) for other in COMPILERS if other != compiler]
            whole, path = self.compiled(compiler)
            right, its_sum = self.read_both(path)
            at = int(self.rng.integers(8 * len(right)))
            flipped = bytearray(right)
            flipped[at // 8] ^= 1 << at % 8
            cases = [(text, its_sum) for text in (b"", right[:len(right) // 2], flipped)]
            for text, said in [*cases, (right, b"0" * 16), (right, b""), *others]:
                with open(path, "wb") as file:
                    file.write(text)
                with open(sum_of(path), "wb") as file:
                    file.write(said)
                self.assertEqual(self.lint(compiler=compiler), whole, (compiler, len(text), said, SEED))
                self.assertEqual(self.kept(".pch") + self.kept(".sum"), [], (compiler, len(text), said, SEED))

    def test_errors_are_the_same(self):
        compiler, = self.compilers()[:1]
        self.compiled(compiler)
        done = self.run_riffle(*self.words("--arg", "int=1", compiler=compiler), env=self.environment())
        self.assertRegex(done.stderr, "^riffle: .*has 2 parameters, but 3 arguments are given")
        with open(self.path("k.cu"), "a", encoding="utf-8") as file:
            file.write("int f() { return }\n")
        done = self.run_riffle(*self.words(compiler=compiler), env=self.environment())
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, f"^riffle: k.cu:{KERNELS.count(chr(10)) + 1}: ")
        self.assertEqual(len(self.kept(".pch")), 1)

    def test_other_headers_under_the_same_name(self):
        """The text tells: what was compiled of another one is removed with it, and made anew. Flags have headers of their own: users' macros
        stand behind the headers, and have those of all; the implementation's own, and flags, do not."""
        for compiler in self.compilers():
            whole, path = self.compiled(compiler)
            bytes_of_it = os.path.getsize(path)
            text = path[:-len("pch")] + "h"
            with open(text, "a", encoding="utf-8") as file:
                file.write("#error other\n")
            self.assertEqual(self.lint(compiler=compiler), whole)
            self.assertEqual(self.kept(".pch"), [])
            with open(text, encoding="utf-8") as file:
                self.assertNotIn("#error other", file.read())
            others = self.write_old_ones()
            self.assertEqual(self.lint(compiler=compiler), whole)
            self.assertGreater(os.path.getsize(path), bytes_of_it // 2)
            self.the_oldest_go(others, path, compiler)
            for flags, names in ((["-Dusers=3"], 2), (["--std", "c++20"], 3)):
                self.lint(*flags, compiler=compiler)
                self.assertEqual(len(self.kept(".h")), names, flags)
            self.assertTrue(os.path.exists(path))

    def write_old_ones(self):
        """Files of compiled headers, some left half made, and texts; files of the user's that are none of them."""
        others = [os.path.join(self.cache, f"headers-{k:016x}.{'pch' if k < 5 else 'part-aaaaaa'}") for k in range(6)]
        texts = [os.path.join(self.cache, f"headers-{k:016x}.h") for k in range(20)]
        for names in (others, texts):
            for k, name in enumerate(names):
                with open(name, "wb"):
                    pass
                os.utime(name, (1000 + k, 1000 + k))
        for name in USERS:
            with open(os.path.join(self.cache, name), "wb"):
                pass
            os.utime(os.path.join(self.cache, name), (1, 1))
        return others

    def the_oldest_go(self, others, path, compiler):
        """Four stay, the last used among them; so do the user's other files. A file that a run left half made counts as one."""
        self.assertEqual(self.kept(".pch") + self.kept(".part-aaaaaa"),
                         sorted(map(os.path.basename, [*others[3:5], path])) + [os.path.basename(others[5])])
        before = self.kept(".h")
        self.lint("-D__NOTED", compiler=compiler)
        noted, = set(self.kept(".h")) - set(before)
        text = os.path.basename(path)[:-len("pch")] + "h"
        self.assertEqual(len(self.kept(".h")), 16)
        self.assertIn(text, self.kept(".h"))
        self.assertLess(USERS, set(self.kept()))
        for name in set(self.kept(".h")) - {noted, text}:
            os.unlink(os.path.join(self.cache, name))

    def test_where_nothing_can_be_kept(self):
        """tests/base/test_cache_folder.c has each such place."""
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        for compiler in self.compilers():
            whole, _ = self.compiled(compiler)
            self.assertEqual(self.lint(compiler=compiler, XDG_CACHE_HOME=self.path("file")), whole)
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "k.cu"])

    def test_folders_of_others(self):
        """Who can write there could have anything compiled and run: nothing is read or written."""
        for compiler in self.compilers():
            whole, path = self.compiled(compiler)
            os.unlink(path)
            os.chmod(self.cache, 0o770)
            self.assertEqual(self.lint(compiler=compiler), whole)
            self.assertEqual(self.kept(".pch"), [])

    def test_many_at_once(self):
        """All begin with an empty folder, then with the text only: files are renamed in place when they are whole."""
        compiler, = self.compilers()[:1]
        whole, _ = self.compiled(compiler)
        shutil.rmtree(self.home)
        for _ in range(2):
            runs = [subprocess.Popen([RIFFLE, *self.words(compiler=compiler)], cwd=self.folder, env=self.environment(), text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
            self.assertEqual([run.communicate(timeout=120) for run in runs], 2 * [(whole, "")])
        self.assertEqual([re.sub("[0-9a-f]{16}", "SUM", name) for name in self.kept()], ["headers-SUM.h", "headers-SUM.pch", "headers-SUM.sum"])
        self.assertEqual(self.lint(compiler=compiler), whole)


if __name__ == "__main__":
    main()
