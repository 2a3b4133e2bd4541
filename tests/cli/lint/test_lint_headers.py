# SPDX-License-Identifier: Apache-2.0
"""riffle lint keeps the machine's headers compiled in the user's cache: reports are the same with it, without it, and with whatever is found there."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from command import COMPILERS, RIFFLE, CommandTest, main

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


class Headers(CommandTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="riffle-test-")
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.place = os.path.join(folder, "cache")

    def setUp(self):
        super().setUp()
        with open(self.path("k.cu"), "w", encoding="utf-8") as file:
            file.write(KERNELS)
        self.cache = self.path("cache/riffle")

    def words(self, *more, compiler=COMPILERS[0]):
        return ["lint", "k.cu", "--kernel", "sum", "--block", "32", "--arg", "float:32:zero", "--arg", "float:128:random", "--compiler", compiler,
                *more]

    def environment(self, **more):
        return {**os.environ, "XDG_CACHE_HOME": self.path("cache"), **more}

    def lint(self, *more, compiler=COMPILERS[0], **environment):
        done = self.run_riffle(*self.words(*more, compiler=compiler), env=self.environment(**environment))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def kept(self, ending=""):
        """Names of the kept files, where there is a folder."""
        return sorted(name for name in os.listdir(self.cache) if name.endswith(ending)) if os.path.isdir(self.cache) else []

    def compiled(self):
        """A cache with headers that are compiled, made once for all tests: the report, and their file."""
        place = type(self).place
        if not os.path.isdir(place):
            wholes = [self.lint(XDG_CACHE_HOME=place) for _ in range(2)]
            self.assertEqual(wholes[0], wholes[1])
            type(self).whole = wholes[0]
        shutil.copytree(place, self.path("cache"))
        name, = self.kept(".pch")
        return self.whole, os.path.join(self.cache, name)

    def three_runs(self, compiler):
        """The first notes the headers, the second compiles them, the third takes them: the report, and the file."""
        before = self.kept()
        whole = self.lint("--json", compiler=compiler)
        self.assertEqual({one["kind"] for one in json.loads(whole)["hazards"]}, {"out-of-bounds", "race", "uninitialized"})
        self.assertEqual(len(self.kept()), len(before) + 1)
        self.assertEqual(self.lint("--json", compiler=compiler), whole)
        made, = (name for name in self.kept(".pch") if name not in before)
        path = os.path.join(self.cache, made)
        state = os.stat(path)
        self.assertEqual(self.lint("--json", compiler=compiler), whole)
        later = os.stat(path)
        self.assertEqual((later.st_ino, later.st_mtime_ns), (state.st_ino, state.st_mtime_ns))
        self.assertGreater(later.st_atime_ns, state.st_atime_ns)
        return whole, path

    def test_reports_are_the_same(self):
        """A broken file, or another compiler's, is refused: the report is that of the whole text, and the next run makes the file anew."""
        found = {compiler: self.three_runs(compiler) for compiler in COMPILERS}
        for compiler, (whole, path) in found.items():
            with open(path, "rb") as file:
                right = file.read()
            for broken in (b"no header", right[:len(right) // 2], bytes(len(right))):
                with open(path, "wb") as file:
                    file.write(broken)
                self.assertEqual(self.lint("--json", compiler=compiler), whole, (compiler, len(broken)))
                self.assertFalse(os.path.exists(path), (compiler, len(broken)))
            self.assertEqual(self.lint("--json", compiler=compiler), whole)
            self.assertGreater(os.path.getsize(path), len(right) // 2)
        paths = [path for _, path in found.values()]
        for path in paths:
            os.rename(path, path + "x")
        for path, other in zip(paths, paths[::-1] if len(paths) > 1 else []):
            os.rename(path + "x", other)
        for compiler, (whole, path) in found.items():
            self.assertEqual(self.lint("--json", compiler=compiler), whole)
            self.assertNotEqual(os.path.exists(path), len(found) > 1)

    def test_errors_are_the_same(self):
        self.compiled()
        done = self.run_riffle(*self.words("--arg", "int=1"), env=self.environment())
        self.assertRegex(done.stderr, "^riffle: .*has 2 parameters, but 3 arguments are given")
        with open(self.path("k.cu"), "a", encoding="utf-8") as file:
            file.write("int f() { return }\n")
        done = self.run_riffle(*self.words(), env=self.environment())
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, f"^riffle: k.cu:{KERNELS.count(chr(10)) + 1}: ")
        self.assertEqual(len(self.kept(".pch")), 1)

    def test_other_headers_under_the_same_name(self):
        """The text tells: what was compiled of another one is removed with it."""
        whole, path = self.compiled()
        text = path[:-len("pch")] + "h"
        with open(text, "a", encoding="utf-8") as file:
            file.write("#error other\n")
        self.assertEqual(self.lint(), whole)
        self.assertEqual(self.kept(".pch"), [])
        with open(text, encoding="utf-8") as file:
            self.assertNotIn("#error other", file.read())
        self.assertEqual(self.lint(), whole)
        self.assertTrue(os.path.exists(path))

    def test_flags_have_headers_of_their_own(self):
        """Users' macros stand behind the headers, and have those of all; the implementation's own, and flags, do not."""
        _, path = self.compiled()
        for flags, names in ((["-Dusers=3"], 2), (["-D__OTHER"], 3), (["--std", "c++20"], 4)):
            self.lint(*flags)
            self.assertEqual(len(self.kept()), names, flags)
        self.assertTrue(os.path.exists(path))

    def test_where_nothing_can_be_kept(self):
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        whole = self.lint(XDG_CACHE_HOME=self.path("file"))
        self.assertEqual(self.lint(XDG_CACHE_HOME="/proc/no-such-folder"), whole)
        for home in (self.path("file"), "relative"):
            self.assertEqual(self.lint(XDG_CACHE_HOME="", HOME=home), whole)
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "k.cu"])

    def refuses_the_folder(self, whole):
        self.assertEqual(self.lint(), whole)
        self.assertEqual(self.kept(".pch"), [])

    def test_folders_of_others(self):
        """Who can write there could have anything compiled and run: nothing is read or written."""
        whole, path = self.compiled()
        os.unlink(path)
        os.chmod(self.cache, 0o770)
        self.refuses_the_folder(whole)
        os.chmod(self.cache, 0o702)
        self.refuses_the_folder(whole)
        os.chmod(self.cache, 0o755)
        os.chmod(self.path("cache"), 0o777)
        self.refuses_the_folder(whole)
        os.chmod(self.path("cache"), 0o1777)
        if os.geteuid() == 0:
            os.chown(self.cache, 1, 1)
            self.refuses_the_folder(whole)
            os.chown(self.cache, 0, 0)
        os.rename(self.cache, self.path("mine"))
        os.symlink(self.path("mine"), self.cache)
        self.refuses_the_folder(whole)
        os.unlink(self.cache)
        os.rename(self.path("mine"), self.cache)
        self.lint()
        self.assertTrue(os.path.exists(path))

    def test_the_oldest_go(self):
        """Four stay, the last used among them; so do the user's other files. A file that a run left half made counts as one."""
        _, path = self.compiled()
        others = [os.path.join(self.cache, f"headers-{k:016x}.{'pch' if k < 5 else 'aaaaaa'}") for k in range(6)]
        for k, name in enumerate(others):
            with open(name, "wb"):
                pass
            os.utime(name, (1000 + k, 1000 + k))
        with open(os.path.join(self.cache, "0123456789abcdef"), "wb"):
            pass
        for k in range(20):
            name = os.path.join(self.cache, f"headers-{k:016x}.h")
            with open(name, "wb"):
                pass
            os.utime(name, (1000 + k, 1000 + k))
        os.unlink(path)
        self.lint()
        self.assertEqual(self.kept(".pch") + self.kept(".aaaaaa"),
                         sorted(map(os.path.basename, [*others[3:5], path])) + [os.path.basename(others[5])])
        self.lint("-D__NOTED")
        self.assertEqual(len(self.kept(".h")), 16)
        self.assertIn(os.path.basename(path)[:-len("pch")] + "h", self.kept(".h"))
        self.assertIn("0123456789abcdef", self.kept())

    def test_many_at_once(self):
        """All begin with an empty folder, then with the text only: files are renamed in place when they are whole."""
        whole = self.lint(XDG_CACHE_HOME="/proc/no-such-folder")
        for _ in range(2):
            runs = [subprocess.Popen([RIFFLE, *self.words()], cwd=self.folder, env=self.environment(), text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE) for _ in range(3)]
            self.assertEqual([run.communicate(timeout=120) for run in runs], 3 * [(whole, "")])
        self.assertEqual([re.sub("[0-9a-f]{16}", "SUM", name) for name in self.kept()], ["headers-SUM.h", "headers-SUM.pch"])
        self.assertEqual(self.lint(), whole)


if __name__ == "__main__":
    main()
