# SPDX-License-Identifier: Apache-2.0
"""riffle sort: against NumPy's stable sort for every dtype, axis and order; fields; comparisons of the user's; what is refused."""
import os
import resource
import signal

import numpy as np

from command import SEED, CommandTest, main, some

NUMBERS = ["?", "i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"]
ROW = np.dtype([("a", "<i4"), ("b", "<f8"), ("c", "S5"), ("rest", "<u2", (3,))])


class Sort(CommandTest):
    def sort(self, array, *options, files=()):
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("sort", "in.npy", "out.npy", *options)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""), f"{options}, seed {SEED}")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["in.npy", "out.npy", *files]))
        return np.load(self.path("out.npy"))

    def argsort(self, array, *options):
        out = self.sort(array, "--indices", "idx.npy", *options, files=["idx.npy"])
        indices = np.load(self.path("idx.npy"))
        os.remove(self.path("idx.npy"))
        return out, indices

    def refused(self, words, *options, status=1, array=None, **environment):
        if array is not None:
            np.save(self.path("in.npy"), array)
        done = self.run_riffle("sort", "in.npy", "out.npy", *options, env={**os.environ, **environment})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (status, "", f"riffle: {words}\n"))
        self.assertEqual(os.listdir(self.folder), ["in.npy"])

    def test_every_number(self):
        """NumPy's order of equal numbers with other bits is not ours: compared as numbers."""
        for dtype in some(NUMBERS):
            for n in (0, 1, 7, 1000, 300001 if dtype in ("<f4", "<u8", "<i2") else 5000):
                array = self.random_array(n, dtype) if dtype != "?" else self.rng.integers(0, 2, n).astype("?")
                expected = np.sort(array, kind="stable")
                np.testing.assert_array_equal(self.sort(array), expected, f"{n} of {dtype}, seed {SEED}")
                out, indices = self.argsort(array)
                self.assert_same(indices, np.argsort(array, kind="stable"), f"{n} of {dtype}")
                self.assert_same(out, array[indices], f"{n} of {dtype}")

    def test_equal_floats(self):
        special = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1, -1, 5e-324, -5e-324])
        array = self.rng.choice(special, 3000)
        for dtype in ("<f2", "<f4", "<f8"):
            floats = array.astype(dtype)
            out, indices = self.argsort(floats)
            self.assert_same(indices, np.argsort(floats, kind="stable"), dtype)
            self.assert_same(out.view("V%d" % out.itemsize), floats[indices].view("V%d" % out.itemsize), dtype)
            out, indices = self.argsort(floats, "--descending")
            order = np.lexsort((-floats.astype("f8"), np.isnan(floats)))
            self.assert_same(indices, order, f"{dtype} descending")

    def test_axes(self):
        array = self.rng.integers(-9, 9, (5, 7, 6)).astype("<i2")
        for order in "CF":
            laid = np.array(array, order=order)
            for axis in some((0, 1, 2, -1, -2, -3)):
                out, indices = self.argsort(laid, "--axis", axis)
                self.assert_same(out, np.sort(array, axis=axis), f"axis {axis} of {order}")
                self.assert_same(indices, np.argsort(array, axis=axis, kind="stable"), f"axis {axis} of {order}")
            out, indices = self.argsort(laid, "--axis", "none")
            self.assert_same(out, np.sort(array, axis=None), "all")
            self.assert_same(indices, np.argsort(array, axis=None, kind="stable"), "all")
        self.assert_same(self.sort(array[:, :0], "--axis", 0), array[:, :0], "nothing")
        self.assert_same(self.sort(np.int32(5), "--axis", "none"), np.array([5], "<i4"), "a scalar")

    def rows(self, n):
        rows = np.zeros(n, ROW)
        rows["a"] = self.rng.integers(-3, 3, n)
        rows["b"] = self.rng.choice([0.0, -0.0, 1.5, np.nan], n)
        rows["c"] = self.rng.choice([b"", b"x", b"xy", b"\xff"], n)
        rows["rest"] = self.rng.integers(0, 9, (n, 3))
        return rows

    def test_fields(self):
        rows = self.rows(4000)
        out, indices = self.argsort(rows, "--fields", "a,-b,c")
        order = np.lexsort((rows["c"], -rows["b"], np.isnan(rows["b"]), rows["a"]))
        self.assert_same(indices, order, "a,-b,c")
        self.assert_same(out, rows[order], "a,-b,c")
        out, indices = self.argsort(rows, "--fields", "c,-a", "--descending")
        np.testing.assert_array_equal(out["c"], np.sort(rows["c"])[::-1])
        for text in np.unique(rows["c"]):
            mine = indices[out["c"] == text]
            self.assert_same(mine, mine[np.lexsort((mine, rows["a"][mine]))], "--descending turns -a round")
        plain = rows[["a", "c"]].copy().astype([("a", "<i4"), ("c", "S5")])
        self.assert_same(self.sort(plain), np.sort(plain, kind="stable"), "all fields, as NumPy sorts")

    def test_strings(self):
        array = self.rng.choice([b"", b"a", b"ab", b"b", b"abcdefghijklmn", b"abcdefghijklmm"], 999).astype("S14")
        out, indices = self.argsort(array)
        self.assert_same(indices, np.argsort(array, kind="stable"), "strings")
        self.assert_same(out, array[indices], "strings")

    def test_padded_structures(self):
        dtype = np.dtype({"names": ["x", "y"], "formats": ["u1", "<f4"], "offsets": [1, 8], "itemsize": 24})
        array = np.zeros(500, dtype)
        array["x"], array["y"] = self.rng.integers(0, 4, 500), self.rng.random(500)
        order = np.lexsort((array["x"], -array["y"]))
        np.testing.assert_array_equal(self.sort(array, "--fields", "-y,x")["y"], array["y"][order])

    def test_checked_passes(self):
        """--check=passes makes the same, no elements included, and is refused where there is nothing to compare."""
        for dtype in ("<u4", "<f8"):
            array = self.random_array(300001, dtype)
            np.testing.assert_array_equal(self.sort(array, "--check=passes", "--force"), np.sort(array, kind="stable"), f"{dtype}, seed {SEED}")
            os.remove(self.path("out.npy"))
        out, indices = self.argsort(array, "--check=passes")
        self.assert_same(indices, np.argsort(array, kind="stable"), "indices")
        self.assert_same(out, array[indices], "with indices")
        streams = self.random_array(3000, "<i4").reshape(-1, 3)
        self.assert_same(self.sort(streams, "--check=passes"), np.sort(streams), "rows of three")
        rows = self.rows(1000)
        self.assert_same(self.sort(rows, "--check=passes", "--fields", "b"), self.sort(rows, "--fields", "b"), "fields")
        os.remove(self.path("out.npy"))
        self.refused("planning: a check of passes has nothing to compare: numbers of 2 bytes are sorted in one pass; take the check 'full'",
                     "--check=passes", array=np.zeros(9, "<i2"))
        for dtype in ("<u4", "<i2"):
            self.assert_same(self.sort(array[:0].astype(dtype), "--check=passes", "--force"), np.zeros(0, dtype), "nothing to sort")

    def test_checked(self):
        array = self.rng.integers(-1000, 1000, (30, 100)).astype("<i4")
        out, indices = self.argsort(array, "--check")
        self.assert_same(indices, np.argsort(array, kind="stable"), "indices")
        self.assert_same(out, np.sort(array), "rows")
        rows = self.rows(1000)
        self.assert_same(self.sort(rows, "--check", "--fields", "b"), self.sort(rows, "--fields", "b"), "fields")
        streams = np.sort(self.rng.random((7, 50)))
        self.assert_same(self.sort(streams, "--check", "--merge"), np.sort(streams, axis=None), "merged")

    def test_own_comparison(self):
        array = self.rng.integers(-1000, 1000, 3000).astype("<i4")
        out, indices = self.argsort(array, "--before", "abs(a) < abs(b)", "--check")
        self.assert_same(indices, np.argsort(np.abs(array), kind="stable"), "abs")
        self.assert_same(out, array[indices], "abs")
        rows = self.rows(1000)
        out = self.sort(rows, "--fields", "a,b", "--before", "a.a * a.a > b.a * b.a")
        self.assert_same(out, rows[np.argsort(-rows["a"] ** 2, kind="stable")], "members")
        halves = self.rng.random(500).astype("<f2")
        self.assert_same(self.sort(halves, "--before", "b < a"), np.sort(halves)[::-1], "halves")

    def test_comparisons_that_are_no_order(self):
        array = np.array([3, 1, 2, 0], "<i4")
        self.refused("--before: the comparison is no order: elements 3, 3 and 3: it comes before itself", "--check",
                     "--before", "a <= b", array=array)
        self.refused("--before: the comparison is no order: elements 3, 0 and 3: each of the first two comes before the other",
                     "--check", "--before", "a != b && a * b == 0", array=array)
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("sort", "in.npy", "out.npy", "--check", "--before", "(a + 1) % 4 == b || (a == 0 && b == 2)")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^riffle: --before: the comparison is no order: elements \d, \d and \d: .*\n$")
        os.remove(self.path("in.npy"))
        numbers = self.rng.integers(0, 50, 5000).astype("<u2")
        self.assert_same(np.sort(self.sort(numbers, "--before", "(a * 7 + b * 3) % 5 < 3")), np.sort(numbers), "some permutation")
        self.refused_compile(array)

    def test_names_of_any_length(self):
        """They differ in their last letter, far behind what C has to look at."""
        names = ["x" * 80 + "a", "x" * 80 + "b"]
        rows = np.zeros(50, [(name, "<i4") for name in names])
        rows[names[0]], rows[names[1]] = self.rng.permutation(50), self.rng.permutation(50)
        out = self.sort(rows, "--before", f"a.{names[1]} < b.{names[1]}")
        self.assert_same(out, rows[np.argsort(rows[names[1]])], "long names")

    def test_a_keyword_as_a_name(self):
        self.refused("planning: field 0: 'int' is a keyword in C; a comparison needs another",
                     "--before", "1", array=np.zeros(3, [("int", "<i4")]))

    def test_no_comparison(self):
        for text in ("", "  "):
            self.refused(f"option --before: '{text}' is no expression; write one in C, as 'a < b'", "--before", text, status=2,
                         array=np.arange(3))

    def test_fields_of_no_bytes(self):
        rows = np.zeros(9, [("a", "S0"), ("b", "<i4")])
        rows["b"] = np.arange(9)[::-1]
        words = "in.npy: field a has 0 bytes, and decides nothing; name the others with --fields"
        self.refused(words, array=rows)
        self.refused(words, "--fields", "b,a")
        self.assert_same(self.sort(rows, "--fields", "b"), rows[::-1].copy(), "the other field")

    def test_a_compiler_that_says_nothing(self):
        self.refused("planning: users' operations need a C compiler, and 'false' ends with status 1 and without a word; set CC",
                     "--before", "a < b", array=np.arange(3), CC="false")
        self.refused("planning: users' operations need a C compiler, and 'true' has written nothing; set CC", "--before", "a < b",
                     CC="true")

    def test_a_comparison_that_ends_the_run(self):
        """With whatever status: the command has failed."""
        self.refused("out.npy: the run ended before it was written; it is as it was before",
                     "--before", "(__extension__({ extern void exit(int); exit(0); 1; }))", array=np.arange(9)[::-1])
        self.refused("out.npy: memory was used that is not there, perhaps by an operation of yours, or one that calls itself "
                     "without end; it is as it was before", "--before",
                     "*(volatile char *)__builtin_alloca(1 << 30) = 1", status=-signal.SIGSEGV, array=np.arange(9)[::-1])
        self.refused("out.npy: the run stopped itself, perhaps by an operation of yours that calls abort; it is as it was before",
                     "--before", "(abort(), 1)", status=-signal.SIGABRT)

    def refused_compile(self, array):
        os.remove(self.path("out.npy"))
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("sort", "in.npy", "out.npy", "--before", "a < c")
        self.assertEqual((done.returncode, os.listdir(self.folder)), (2, ["in.npy"]))
        self.assertIn("the compiler refuses this comparison: ", done.stderr)

    def test_merge_of_rows(self):
        rows = np.sort(self.rng.integers(0, 50, (7, 300)).astype("<u4"), axis=1)
        out, indices = self.argsort(rows, "--merge")
        self.assert_same(indices, np.argsort(rows.ravel(), kind="stable"), "which of all")
        self.assert_same(out, np.sort(rows.ravel()), "rows")
        self.assert_same(self.sort(np.ascontiguousarray(rows.T), "--merge", "--axis", 0), out, "columns")
        self.assert_same(self.sort(np.zeros((0, 3), "<f4"), "--merge"), np.zeros(0, "<f4"), "none")

    def test_merge_by_blocks(self):
        """Within any memory that holds an element of each row; -0.0 and NaNs are where they are without a limit."""
        rows = np.sort(self.rng.integers(-9, 9, (7, 300)).astype("<f4"), axis=1)
        rows[:, -2:] = np.nan
        rows[rows == 0] *= self.rng.choice([-1, 1], int((rows == 0).sum()))
        whole = rows.ravel()
        wanted = whole[np.argsort(whole, kind="stable")]
        for memory in (28, 100, 1000, "2^30"):
            self.assert_same(self.sort(rows, "--merge", "--memory", memory), wanted, memory)
        self.assert_same(self.sort(np.zeros((3, 0), "<f4"), "--merge", "--memory", 12), np.zeros(0, "<f4"), "none")
        np.save(self.path("in.npy"), rows)
        done = self.run_riffle("sort", "in.npy", "out.npy", "--merge", "--memory", 1000, "--verbose")
        self.assertRegex(done.stderr, "2100 elements of 4 bytes in 7 segments merged, 126 blocks of 17 read, memory of 14 sorted [0-9]+ times")
        for words, arguments in {"--memory 27: holds 6 elements of 4 bytes, and a merge of 7 arrays wants one of each": ["--merge", "--memory", 27],
                                 "give --merge as well": ["--memory", 100], "leave out --indices": ["--merge", "--memory", 99, "--indices", "i.npy"]}.items():
            done = self.run_riffle("sort", "in.npy", "out2.npy", *arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)

    def test_memory_beyond_the_file(self):
        """A limit is no wish: a file has what it has, whatever is allowed, and no elements want nothing."""
        rows = np.sort(self.rng.integers(0, 99, (5, 4000)).astype("<i4"), axis=1)
        for memory in ("2^20", "2^40", "2^50"):
            self.assert_same(self.sort(rows, "--merge", "--memory", memory), np.sort(rows.ravel()), memory)
        done = self.run_riffle("sort", "in.npy", "out.npy", "--merge", "--memory", "2^40", "--verbose")
        self.assertIn("5 blocks of 16384 read, memory of 6 sorted 1 time,", done.stderr)
        self.assert_same(self.sort(np.zeros((5, 0), "<i4"), "--merge", "--memory", 1), np.zeros(0, "<i4"), "none")
        np.save(self.path("in.npy"), rows[0])
        done = self.run_riffle("sort", "in.npy", "out2.npy", "--merge", "--memory", 1)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "riffle: --memory 1: holds 0 elements of 4 bytes, and a merge of 1 array wants one of each\n"))

    def test_merge_along_any_axis(self):
        """Indices count in C order whatever the axis; of equal elements those of earlier lines come first."""
        array = self.rng.integers(0, 9, (4, 5, 6)).astype("<i2")
        for order in "CF":
            for axis in some((0, 1, 2, -3)):
                laid = np.array(np.sort(array, axis=axis), order=order)
                out, indices = self.argsort(laid, "--merge", "--axis", axis)
                lines = np.moveaxis(np.arange(array.size, dtype="<i8").reshape(array.shape), axis, -1).ravel()
                expected = lines[np.argsort(laid.ravel()[lines], kind="stable")]
                self.assert_same(indices, expected, f"axis {axis} of {order}")
                self.assert_same(out, laid.ravel()[expected], f"axis {axis} of {order}")

    def test_segments(self):
        array = self.rng.integers(-100, 100, 1000).astype("<i2")
        first = np.array([0, 10, 10, 700, 999, 1000], "<i8")
        pieces = [array[a:b] for a, b in zip(first, first[1:])]
        np.save(self.path("first.npy"), first)
        out = self.sort(array, "--segments", "first.npy", files=["first.npy"])
        self.assert_same(out, np.concatenate([np.sort(piece) for piece in pieces]), "segments")
        merged = self.sort(out, "--segments", "first.npy", "--merge", files=["first.npy"])
        self.assert_same(merged, np.sort(array), "merged")
        words = {(1, 1000): "first.npy: segments from 1 to 1000; they have to be of all 1000 elements",
                 (0, 600, 500, 1000): "first.npy: segment 1 begins at 600 and ends at 500",
                 (0,): "first.npy: segments from 0 to 0; they have to be of all 1000 elements",
                 (): "first.npy: has to be a list of where segments begin, and of where the last one ends"}
        os.remove(self.path("out.npy"))
        for places, said in words.items():
            np.save(self.path("first.npy"), np.array(places, "<u8"))
            done = self.run_riffle("sort", "in.npy", "out.npy", "--segments", "first.npy")
            self.assertEqual((done.returncode, done.stderr), (1, f"riffle: {said}\n"))
        np.save(self.path("first.npy"), np.zeros(3, "<f8"))
        done = self.run_riffle("sort", "in.npy", "out.npy", "--segments", "first.npy")
        self.assertEqual(done.stderr, "riffle: first.npy: dtype '<f8'; where segments begin is int64 or uint64\n")
        done = self.run_riffle("sort", "in.npy", "first.npy", "--segments", "first.npy")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["first.npy", "in.npy"])
        os.remove(self.path("first.npy"))
        self.refused("--segments and --axis: segments are of all elements, one behind the other; leave out --axis",
                     "--segments", "first.npy", "--axis", 0, status=2)

    def test_no_segments(self):
        """A list of one number is of none: right of no elements, in every task."""
        np.save(self.path("first.npy"), np.array([0]))
        nothing = np.zeros((0, 3), "<f4")
        none = np.zeros(0, "<f4")
        for expected, options in ((none, ()), (none, ("--merge",)), (none, ("--partition", 5)), (none, ("--before", "a < b")),
                                  (np.zeros((0, 4), "<f4"), ("--top", 4)), (np.zeros((0, 0), "<f4"), ("--top", 0))):
            np.save(self.path("in.npy"), nothing)
            done = self.run_riffle("sort", "in.npy", "out.npy", "--segments", "first.npy", "--indices", "idx.npy", *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""), options)
            self.assert_same(np.load(self.path("out.npy")), expected, options)
            self.assert_same(np.load(self.path("idx.npy")), np.zeros(expected.shape, "<i8"), options)

    TASKS = ((), ("--merge",), ("--top", 2), ("--partition", 1), ("--unique",), ("--segments", "first.npy"),
             ("--segments", "first.npy", "--merge"), ("--indices", "idx.npy"))

    def test_big_endian_fields(self):
        """Every task sorts by the fields that are little-endian, and refuses to sort by one that is not."""
        np.save(self.path("first.npy"), np.array([0, 9]))
        rows = np.zeros(9, [("a", ">i4"), ("b", "<i4"), ("c", ">f8")])
        rows["a"], rows["b"], rows["c"] = self.rng.integers(-9, 9, 9), np.arange(9) // 2, self.rng.random(9)
        np.save(self.path("in.npy"), rows)
        np.save(self.path("turned.npy"), np.arange(9, dtype=">u4"))
        for task in self.TASKS:
            done = self.run_riffle("sort", "in.npy", "out.npy", "--fields", "b", *task)
            self.assertEqual((done.returncode, done.stderr), (0, ""), task)
            out = np.load(self.path("out.npy"))
            self.assertEqual(out.dtype, rows.dtype)
            self.assertTrue(set(out.tolist()) <= set(rows.tolist()), task)
            self.assertTrue((np.diff(out["b"]) >= 0).all(), task)
            for name, said, *fields in (("in.npy", "field a is", "--fields", "b,a"), ("in.npy", "field a is"),
                                        ("turned.npy", "elements are")):
                done = self.run_riffle("sort", name, "never.npy", *fields, *task)
                self.assertEqual((done.returncode, done.stderr), (1, f"riffle: {name}: {said} big-endian; convert with astype first\n"),
                                 (task, fields))
        self.assertFalse(os.path.exists(self.path("never.npy")))

    def test_top(self):
        array = self.rng.integers(-9, 9, (5, 70, 6)).astype("<i2")
        for order in "CF":
            laid = np.array(array, order=order)
            for axis in some((0, 1, 2, -2)):
                for count in (0, 1, array.shape[axis] - 1, array.shape[axis]):
                    out, indices = self.argsort(laid, "--axis", axis, "--top", count)
                    first = np.argsort(array, axis=axis, kind="stable").take(range(count), axis=axis)
                    self.assert_same(indices, first, f"the first {count} along {axis} of {order}")
                    self.assert_same(out, np.take_along_axis(array, first, axis), f"the first {count} along {axis} of {order}")
        out, indices = self.argsort(array, "--axis", "none", "--top", 2000)
        self.assert_same(indices, np.argsort(array, axis=None, kind="stable")[:2000], "of all")
        self.assert_same(out, np.sort(array, axis=None)[:2000], "of all")
        greatest = self.sort(array.astype("<f4"), "--descending", "--top", 2)
        self.assert_same(greatest, (-np.sort(-array, axis=-1)[..., :2]).astype("<f4"), "the greatest")
        rows = self.rows(900)
        out, indices = self.argsort(rows, "--fields", "a,c", "--top", 20)
        order = np.lexsort((rows["c"], rows["a"]))[:20]
        self.assert_same(indices, order, "rows")
        self.assert_same(out, rows[order], "rows")
        own = self.sort(array.ravel(), "--before", "abs(a) < abs(b)", "--top", 30)
        self.assert_same(own, array.ravel()[np.argsort(np.abs(array.ravel()), kind="stable")[:30]], "by a comparison")
        self.assert_same(self.sort(array[:, :0], "--top", 4), array[:, :0, :4], "of nothing")

    def test_top_of_segments(self):
        array = self.rng.integers(-100, 100, 1000).astype("<i2")
        first = np.array([0, 10, 700, 999, 1000], "<i8")
        np.save(self.path("first.npy"), first)
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("sort", "in.npy", "out.npy", "--segments", "first.npy", "--top", 2)
        self.assertEqual((done.returncode, done.stderr), (1, "riffle: --top 2: segment 3 has 1 element\n"))
        done = self.run_riffle("sort", "in.npy", "out.npy", "--segments", "first.npy", "--partition", 1)
        self.assertEqual((done.returncode, done.stderr), (1, "riffle: --partition 1: segment 3 has 1 element; give 0 to 0\n"))
        out = self.sort(array, "--segments", "first.npy", "--top", 1, files=["first.npy"])
        self.assert_same(out, np.array([[array[a:b].min()] for a, b in zip(first, first[1:])]), "the least of each")

    def assert_partition(self, array, out, kth, what):
        """Along the last axis: what comes before element kth, and what comes behind it, in the order that they came in."""
        order = np.argsort(array, kind="stable")
        order[..., :kth].sort()
        order[..., kth + 1:].sort()
        self.assert_same(out, np.take_along_axis(array, order, -1), what)

    def test_partition(self):
        array = self.rng.integers(-900, 900, (4, 5000)).astype("<i4")
        for kth in (0, 1, 2500, 4999, -1, -5000):
            out, indices = self.argsort(array, "--partition", kth)
            self.assert_partition(array, out, kth % 5000, f"element {kth}")
            self.assert_same(out, np.take_along_axis(array, indices, -1), f"element {kth}")
        out = self.sort(np.ascontiguousarray(array.T), "--partition", 70, "--axis", 0)
        self.assert_partition(array, np.ascontiguousarray(out.T), 70, "columns")
        self.assert_partition(array.ravel(), self.sort(array, "--partition", 9000, "--axis", "none"), 9000, "all")
        np.save(self.path("first.npy"), np.array([0, 8000, 20000]))
        out = self.sort(array.ravel(), "--segments", "first.npy", "--partition", 7000, files=["first.npy"])
        self.assert_partition(array.ravel()[:8000], out[:8000], 7000, "segment 0")
        self.assert_partition(array.ravel()[8000:], out[8000:], 7000, "segment 1")

    def test_unique(self):
        for dtype in some(NUMBERS):
            for n in (0, 1, 3000):
                array = self.rng.integers(0, 2 if dtype == "?" else 100, (n, 3)).astype(dtype)
                found, first = np.unique(array, return_index=True)
                out, indices = self.argsort(array, "--unique")
                self.assert_same(out, found, f"{n} of {dtype}")
                self.assert_same(indices, first, f"{n} of {dtype}")
                self.assert_same(self.sort(np.asfortranarray(array), "--unique"), found, f"{n} of {dtype}, columns first")
        self.assert_same(self.sort(np.array([[2.0, np.nan], [np.nan, 2.0]]), "--unique"), np.array([2.0, np.nan]), "NaN")
        self.assert_same(self.sort(np.float32(7), "--unique"), np.array([7], "<f4"), "a scalar")
        rows = self.rows(4000)
        out, indices = self.argsort(rows, "--fields", "-a,c", "--unique")
        keys = np.array([(-row["a"], row["c"]) for row in rows], [("a", "<i4"), ("c", "S5")])
        first = np.unique(keys, return_index=True)[1]
        self.assert_same(indices, first, "rows")
        self.assert_same(out, rows[first], "rows")
        ends = self.sort(np.arange(-500, 500, dtype="<i4"), "--before", "abs(a) % 10 < abs(b) % 10", "--unique")
        self.assert_same(np.abs(ends) % 10, np.arange(10, dtype="<i4"), "by a comparison")

    def test_tasks_that_do_not_go_together(self):
        array = np.arange(6)
        self.refused("--top and --unique: one of them is done at a time", "--unique", "--top", 3, status=2, array=array)
        self.refused("--merge and --partition: one of them is done at a time", "--partition", 3, "--merge", status=2)
        for count in ("-3", "x", "1e3", "", "2.0"):
            self.refused(f"--top '{count}': is how many elements come first, 0 or more; write it in decimal or as 2^K", "--top", count,
                         status=2)
        self.refused("--partition '1e3': is the number of an element, from the end if it is below zero", "--partition", "1e3", status=2)
        self.refused("option '--reverse': unknown; did you mean '--descending'?", "--reverse", status=2)
        self.refused("--unique and --axis: elements are looked for among all; leave out --axis", "--unique", "--axis", 0, status=2)
        self.refused("--unique and --segments: of segments there would be as many results as they have different elements; leave out "
                     "--segments", "--unique", "--segments", "first.npy", status=2)
        self.refused("--partition and --segments: segments do not end at the same element; count from the front", "--partition", -1,
                     "--segments", "first.npy", status=2)
        self.refused("--top 7: there are 6 elements to choose from", "--top", 7)
        self.refused("--partition 6: there are 6 elements to choose from; give -6 to 5", "--partition", 6)
        self.refused("--partition -7: there are 6 elements to choose from; give -6 to 5", "--partition", -7)
        self.refused("--partition 1: there is 1 element to choose from; give -1 to 0", "--partition", 1, array=np.zeros((6, 1)))
        self.refused("--partition 0: there are 0 elements to choose from", "--partition", 0, array=np.zeros(0))

    def test_verbose(self):
        np.save(self.path("in.npy"), np.array([3, 1], "u1"))
        done = self.run_riffle("sort", "in.npy", "out.npy", "--top", 1, "--verbose", "--threads", 1)
        self.assertRegex(done.stderr, r"^riffle: out.npy: 2 elements of 1 byte in 1 segment searched for what comes first, by two-phase with 1 "
                                      r"thread in \d.\d{3} s\n$")

    def test_refusals(self):
        rows = self.rows(9)
        self.refused("in.npy: has no field 'd'; it has a, b, c, rest", "--fields", "a,d", array=rows)
        self.refused("in.npy: has no field ''; it has a, b, c, rest", "--fields", "a,")
        self.refused("in.npy: field rest of kind 'P' and 6 bytes cannot be sorted: it has parts of its own; take a view in which "
                     "they are fields", "--fields", "rest")
        self.refused("in.npy: dtype '<i8' has no fields; leave out --fields", "--fields", "a", array=np.arange(3))
        self.refused("in.npy: there is no axis 1; its 1 dimensions are -1 to 0", "--axis", 1)
        self.refused("--axis 'two': is the number of an axis, from the end if it is below zero, or none", "--axis", "two", status=2)
        self.refused("--descending and --before: a comparison of yours decides alone; turn it round, b < a for a < b", "--descending",
                     "--before", "a < b", status=2)
        self.refused("--check: is of whole sorts and merges; leave it out with --top, --partition, --unique and --memory", "--check", "--top", "1", status=2)
        self.refused("planning: the cpu engine sorts in two phases, and not by k-partition", "--algorithm", "k-partition")
        self.refused("option --algorithm: algorithm 'quicksort': unknown; the choices are auto, two-phase, k-partition", "--algorithm",
                     "quicksort", status=2)
        self.refused("in.npy: elements of kind 'c' and 16 bytes cannot be sorted: complex numbers have no order; sort by their "
                     "parts, as fields", array=np.zeros(3, "c16"))
        for dtype in ("<M8[s]", "<m8[ns]"):
            self.refused(f"in.npy: elements of kind '{dtype[1]}' and 8 bytes cannot be sorted: take a view of them as int64; NaT, its least "
                         "number, comes first then, where NumPy has it last", array=np.zeros(3, dtype))
        self.refused("in.npy: elements are big-endian; convert with astype first", array=np.arange(3, dtype=">i4"))
        self.refused("in.npy: a 0-dimensional array has no axis; with --axis none it is its one element", array=np.float32(1))
        self.refused("in.npy: field 'a' is named twice; the second time it decides nothing", "--fields", "a,-a",
                     array=np.zeros(3, [("a", "<i4"), ("b", "<i4")]))
        self.refused("in.npy: the indices and the input are the same file; give the indices another name", "--indices", "in.npy",
                     status=2)
        wide = np.zeros(3, [("a", "S40"), ("b", "S40")])
        self.refused("planning: the first 2 fields have 80 bytes; a key has at most 64", array=wide)

    def test_explain(self):
        done = self.run_riffle("explain", "--sort", "u64", "--n", "2^20")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^sort        1048576 elements of 8 bytes, sorted\nkey         1 field, 8 bytes; nothing tells equal ones "
                                      r"apart\nalgorithm   two-phase[^\n]*\nphases      numbers become codes; .*\nmemory      \d+ bytes besides the "
                                      r"arrays\nexchanges   about [\d.e+]+ blocks of 64 bytes: all are read and written \d+ times\nbound       "
                                      r"[\d.e+]+ to permute \(Theorem 4.1\), [\d.e+]+ to compare \(section 4.1.2\),\n *of (1 processor that holds 16384 blocks|\d+ processors that hold 16384 blocks each)\n$".replace(".*", "(?s:.*)"))
        self.assertIn("elements become items of 64 bits", self.run_riffle("explain", "--sort", "f32", "--n", 99, "--order").stdout)
        one = self.run_riffle("explain", "--sort", "u8", "--n", 1).stdout
        self.assertRegex(one, r"^sort        1 element of 1 byte, sorted\nkey         1 field, 1 byte; ")
        counted = self.run_riffle("explain", "--sort", "u8", "--n", 99).stdout
        self.assertRegex(counted, r"phases      numbers are counted(.|\n)*read and written 1 time\n$", "no bound: nothing is compared")
        for options, words in ((["--partition", 9], "read 2 times and written 1 time"), (["--top", 9], "read 1 time")):
            done = self.run_riffle("explain", "--sort", "u32", "--n", "2^20", *options)
            self.assertRegex(done.stdout, rf"exchanges   about [^\n]*: all are {words}\n$")
        for options, words in ((["--by", "reverse", "--sort", "u8"], "explain: --by has no --sort; leave it out"),
                               (["--by", "reverse", "--order"], "explain: --by has no --order, which is for --sort; leave it out"),
                               (["--sort", "u8", "--algorithm", "copy"], "explain: --sort has no --algorithm of permutations; leave it out"),
                               ([], "nothing to explain is given; say what with --by SPEC, --sort TYPE, --hull TYPE, --group TYPE or --ungroup R")):
            done = self.run_riffle("explain", "--n", 9, *options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"riffle: {words}\n"))
        done = self.run_riffle("explain", "--sort", "c64", "--n", 9)
        self.assertEqual((done.returncode, done.stderr), (1, "riffle: explain: complex numbers (c64) have no order\n"))

    def test_out_of_memory_before_a_file_is_made(self):
        np.save(self.path("in.npy"), np.zeros(1 << 24, "<u8"))
        done = self.run_riffle("sort", "in.npy", "out.npy", "--indices", "idx.npy", "--threads", 1,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (600 << 20,) * 2))
        if "ASAN" in done.stderr or "Sanitizer" in done.stderr:
            self.skipTest("the sanitizer needs more address space")
        self.assertEqual((done.returncode, os.listdir(self.folder)), (1, ["in.npy"]), done.stderr)
        self.assertRegex(done.stderr, r"^riffle: .*memory.*\n$")


main()
