# SPDX-License-Identifier: Apache-2.0
"""Code that the tests of the command share: running it in a fresh folder, and NumPy's view of a permutation.

RIFFLE names the command; RIFFLE_SEED repeats a run's random inputs.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib

import numpy as np

RIFFLE = os.environ.get("RIFFLE", "riffle")
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
# Lint's own choice, c++, would be a third name, and have headers of its own compiled.
if COMPILERS:
    os.environ.setdefault("CXX", COMPILERS[0])
LONG = bool(os.environ.get("RIFFLE_TEST_LONG"))
QUICK = bool(os.environ.get("SANITIZED")) and not LONG
# In memory where the system has such a place in which programs may lie: 200 short files of each lint take a disk's file system an eighth
# of lint's time.
PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) and not os.statvfs("/dev/shm").f_flag & os.ST_NOEXEC else None
if PLACE:
    os.environ.setdefault("TMPDIR", PLACE)
LATE = 600  # seconds, after which what hangs is given up: compilers on a busy machine take minutes
SOMEBODY = 54321  # a user without rights
SEED = int(os.environ.get("RIFFLE_SEED", "0")) or int.from_bytes(os.urandom(4), "little")


def some(cases):
    """All cases. Under a sanitizer every eighth, from one that the seed chooses: the code that it looks at hardly differs, and the plain
    build and check-long try all."""
    cases = list(cases)
    return (cases[SEED % 8::8] or [cases[SEED % len(cases)]]) if QUICK else cases


# A sanitizer would find nothing new in such a test: riffle's own code does there what it does in the tests beside it, and the rest is a
# compiled CUDA program, in which no sanitizer is.
def program_alone(test):
    test.is_of_one_tier = True
    return unittest.skipIf(QUICK, "no sanitizer is in the program that is new here; the plain build and check-long have it")(test)


# The same of what simulate counts and explain predicts of sorts, hulls, programs and groups: the machine and the models run in tests of the library.
def counts_alone(test):
    return unittest.skipIf(QUICK, "what is counted is the plain build's and check-long's; tests of the library run the same code")(test)


def become_somebody():
    """No root, whom nothing is protected from; who is somebody already stays so."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(SOMEBODY)
        os.setuid(SOMEBODY)


def commented_line(path, comment):
    """The number of the line of a source that ends with this comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(k for k, text in enumerate(lines, start=1) if text.endswith("// " + comment))


class CommandTest(unittest.TestCase):
    """A test with a folder of its own, in memory where the system has such a place."""
    riffle = RIFFLE

    def setUp(self):
        self.rng = np.random.default_rng(SEED)
        self.folder = tempfile.mkdtemp(prefix="riffle-test-", dir=PLACE)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def open_to_others(self):
        """Other users may write into the test's folder, and run the command: a copy, for its own place may be closed."""
        os.chmod(self.folder, 0o777)
        place = tempfile.mkdtemp(prefix="riffle-test-")
        self.addCleanup(shutil.rmtree, place)
        self.riffle = shutil.copy(RIFFLE, place)
        for path in (place, self.riffle):
            os.chmod(path, 0o755)

    def compilers(self):
        """C++ compilers for lint to try. One of them, chosen by the test's name, for compilers take most of the time; under a sanitizer the
        other one, and by the seed where a test is of the plain tier alone (ONE_TIER, program_alone). check-long tries both."""
        if LONG or not COMPILERS:
            return COMPILERS
        alone = os.environ.get("ONE_TIER") or hasattr(getattr(self, self._testMethodName), "is_of_one_tier")
        turn = SEED if alone else QUICK
        return [COMPILERS[(zlib.crc32(self.id().encode()) + turn) % len(COMPILERS)]]

    def run_riffle(self, *arguments, **options):
        """The finished command; lint has all the time there is unless the test says how much."""
        words = list(map(str, arguments))
        if words[:1] == ["lint"] and "--timeout" not in words:
            words[1:1] = ["--timeout", str(LATE)]
        return subprocess.run([self.riffle, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=LATE, **options)

    def run_at(self, at, *arguments, preexec_fn=None, **environment):
        """run_riffle in which something happens at a call of a function: at_call.c says what."""
        lenient = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        return self.run_riffle(*arguments, env={**os.environ, "LD_PRELOAD": os.environ["AT_CALL"], "AT": at,
                                                "ASAN_OPTIONS": lenient, **environment}, preexec_fn=preexec_fn)

    def random_array(self, shape, dtype, order="C"):
        """Random bytes as an array: NaNs and all."""
        dtype = np.dtype(dtype)
        n = int(np.prod(shape, dtype=np.int64))
        flat = np.frombuffer(self.rng.bytes(n * dtype.itemsize), dtype=dtype) if n else np.empty(0, dtype)
        return np.array(flat.reshape(shape), order=order)

    def permute(self, array, by, *options, version=None):
        """array moved along `by` through files, which must succeed in silence."""
        source, target = self.path("in.npy"), self.path("out.npy")
        with open(source, "wb") as file:
            np.lib.format.write_array(file, np.asanyarray(array), version=version)
        done = self.run_riffle("permute", source, target, "--by", by, *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"--by {by} {options}")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted({"in.npy", "out.npy", *self.extra_files}))
        result = np.load(target, allow_pickle=True)  # or NumPy refuses long headers
        os.remove(target)
        return result

    extra_files = ()

    def assert_same(self, got, expected, what):
        """The same dtype, shape and bytes, in C order."""
        self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape), f"{what}, seed {SEED}")
        self.assertTrue(got.flags.c_contiguous, what)
        self.assertEqual(got.tobytes(), expected.tobytes(), f"{what}, seed {SEED}")


def moved(array, targets, shape=None):
    """The definition: out.flat[targets[i]] = array.flat[i], of whole elements, padding between fields too."""
    raw = array.ravel(order="C").view(f"V{array.dtype.itemsize}")
    out = np.empty_like(raw)
    out[targets] = raw
    return out.view(array.dtype).reshape(array.shape if shape is None else shape)


def targets_of_axes(shape, order):
    """P of NumPy's transpose: where each element of the C-order array of `shape` goes."""
    sources = np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape).transpose(order).ravel()
    return inverse(sources)


def inverse(targets):
    sources = np.empty_like(targets)
    sources[targets] = np.arange(len(targets))
    return sources


def targets_of_bits(n, to):
    """Bit k of i becomes bit to[k]."""
    i = np.arange(n, dtype=np.int64)
    out = np.zeros(n, dtype=np.int64)
    for k, place in enumerate(to):
        out |= ((i >> k) & 1) << place
    return out


def targets_of_affine(n, rows, c):
    """Bit k of P(i) is the parity of rows[k] & i, xor bit k of c."""
    i = np.arange(n, dtype=np.int64)
    out = np.full(n, c, dtype=np.int64)
    for k, row in enumerate(rows):
        parity = i & row
        for shift in (32, 16, 8, 4, 2, 1):
            parity = parity ^ (parity >> shift)
        out ^= (parity & 1) << k
    return out


def random_affine_rows(rng, m):
    """Rows of a random invertible bit matrix: unit lower times unit upper triangular, rows shuffled."""
    lower = np.tril(rng.integers(0, 2, (m, m)), -1) + np.eye(m, dtype=np.int64)
    upper = np.triu(rng.integers(0, 2, (m, m)), 1) + np.eye(m, dtype=np.int64)
    matrix = rng.permutation(lower @ upper % 2)
    return [int(sum(int(bit) << j for j, bit in enumerate(row))) for row in matrix]


def main():
    print(f"RIFFLE_SEED={SEED}", file=sys.stderr)
    unittest.main()
