# SPDX-License-Identifier: Apache-2.0
"""riffle group against NumPy's stable argsort of groups, and what is refused."""
import os

import numpy as np

from command import SEED, CommandTest, main


def mix(keys):
    """SplitMix64's first number for each seed."""
    with np.errstate(over="ignore"):
        z = keys.astype("i8").astype("u8") + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def numbers(keys, groups, by):
    """The groups of keys, -1 for those that name none."""
    if by == "value":
        return np.where((keys >= 0) & (keys < groups), keys, -1).astype("i8")
    words = mix(keys) if by == "hash" else (keys.astype("i8") - np.iinfo(keys.dtype).min).astype("u8") << np.uint64(64 - 8 * keys.dtype.itemsize)
    return np.array([int(word) * groups >> 64 for word in words.ravel()], "i8").reshape(words.shape)


class Group(CommandTest):
    def group(self, rows, keys, *options):
        np.save(self.path("in.npy"), rows)
        np.save(self.path("keys.npy"), keys)
        return self.run_riffle("group", "in.npy", "out.npy", "--keys", "keys.npy", "--offsets", "offsets.npy", *options)

    def expect(self, rows, keys, groups, by="value"):
        """Output and offsets are those of a stable sort by group."""
        number = numbers(keys, groups, by).ravel()
        order = np.argsort(number, kind="stable")[np.count_nonzero(number < 0):]
        each = 1 if keys.ndim == 1 else keys.shape[1]
        self.assert_same(np.load(self.path("out.npy")), rows[order // each], f"rows, seed {SEED}")
        wanted = np.concatenate([[0], np.cumsum(np.bincount(number[number >= 0], minlength=groups))]).astype("i8")
        self.assert_same(np.load(self.path("offsets.npy")), wanted, f"offsets, seed {SEED}")
        return np.count_nonzero(number < 0)

    def test_rows_of_any_shape(self):
        for dtype, shape in (("u1", (0,)), ("<f4", (1,)), ("<f8", (3001,)), ("<i2", (500, 3)), ("u1", (70, 4, 25)), ("<c16", (90001,))):
            for key_type, groups in (("u1", 7), ("<i2", 1000), ("<u4", 65536), ("<i8", 1)):
                rows = self.random_array(shape, dtype)
                keys = self.rng.integers(0, min(groups, np.iinfo(key_type).max), shape[:1]).astype(key_type)
                done = self.group(rows, keys, "--groups", groups)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{dtype} {shape} {key_type}, seed {SEED}")
                self.expect(rows, keys, groups)

    def test_checked(self):
        """--check makes the same, padded, left out and of several keys too."""
        for shape, each in (((5001,), None), ((700, 3), 3)):
            rows = self.random_array(shape, "<f8")
            keys = self.rng.integers(-1, 60, shape[:1] if each is None else (shape[0], each)).astype("<i4")
            for options in ((), ("--multiple", 8, "--capacity", 20)):
                made = []
                for check in ((), ("--check", "--force")):
                    done = self.group(rows, keys, "--groups", 50, *options, *check)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    made.append(np.load(self.path("out.npy")))
                self.assert_same(made[1], made[0], f"checked, seed {SEED}")

    def test_ways(self):
        rows = np.asfortranarray(self.random_array((4001, 2), "<f4"))
        for key_type in ("i1", "<u2", "<i4"):
            keys = self.random_array((4001,), key_type)
            for by in ("hash", "top"):
                done = self.group(rows, keys, "--groups", 100, "--by", by, "--threads", 2)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(self.expect(rows, keys, 100, by), 0)

    def test_several_keys_a_row(self):
        rows, keys = self.random_array((300, 8), "<f2"), self.rng.integers(-1, 9, (300, 4))
        done = self.group(rows, keys, "--groups", 8)
        outside = self.expect(rows, keys, 8)
        self.assertEqual(done.stderr, f"riffle: out.npy: rows left out for keys outside 0 to 7: {outside}\n")

    def test_padding_and_capacity(self):
        rows, keys = np.arange(1, 11), np.array([2, 0, 2, 2, 5, 0, 2, 2, -1, 1])
        done = self.group(rows, keys, "--groups", 4, "--multiple", 2, "--capacity", 3)
        self.assertEqual(done.stderr, "riffle: out.npy: rows left out for keys outside 0 to 3: 2\nriffle: out.npy: rows left out for full groups: 2\n")
        self.assert_same(np.load(self.path("out.npy")), np.array([2, 6, 10, 0, 1, 3, 4, 0]), "rows")
        self.assert_same(np.load(self.path("offsets.npy")), np.array([0, 2, 4, 8, 8]), "offsets")

    def test_what_it_writes_beside(self):
        """Counts and places make padded groups readable, and lead back."""
        rows, out = self.random_array((2003, 3), "<f4"), {}
        keys = self.rng.integers(0, 9, (2003, 2)).astype("u1")
        done = self.group(rows, keys, "--groups", 8, "--multiple", 16, "--counts", "counts.npy", "--places", "places.npy")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("out", "offsets", "counts", "places"):
            out[name] = np.load(self.path(f"{name}.npy"))
        self.assert_same(out["counts"], np.bincount(keys.ravel(), minlength=9)[:8], f"counts, seed {SEED}")
        self.assertEqual((out["places"].dtype, out["places"].shape), (np.dtype("<i8"), keys.shape))
        self.assert_same(out["places"] < 0, keys == 8, f"left out, seed {SEED}")
        kept = keys < 8
        self.assert_same(out["out"][out["places"][kept]], np.repeat(rows, 2, 0).reshape(2003, 2, 3)[kept], f"rows, seed {SEED}")
        for g in range(8):
            self.assertFalse(out["out"][out["offsets"][g] + out["counts"][g]:out["offsets"][g + 1]].any())

    def test_nothing_to_move(self):
        """Places and counts of rows of no bytes, of which none, or all, are left out."""
        for rows, keys in ((np.zeros((3, 0), "<f4"), [1, 0, 1]), (np.zeros(3), [5, 5, 5]), (np.zeros(0), [])):
            done = self.group(rows, np.array(keys, "u1"), "--groups", 2, "--counts", "counts.npy", "--places", "places.npy")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_same(np.load(self.path("counts.npy")), np.bincount(np.array(keys, "i8"), minlength=2)[:2], "counts")
            self.assert_same(np.load(self.path("places.npy")), np.array([{0: 0, 1: k // 2 + 1, 5: -1}[key] for k, key in enumerate(keys)], "i8"), "places")

    def with_columns(self, rows, keys, columns, *options):
        """Columns are a.npy, b.npy and so on, and their outputs a.out and so on."""
        names = [chr(ord("a") + k) for k in range(len(columns))]
        for name, column in zip(names, columns):
            np.save(self.path(f"{name}.npy"), column)
        return self.group(rows, keys, *(word for name in names for word in ("--column", f"{name}.npy:{name}.out")), *options)

    def test_columns(self):
        """Each column is what it is grouped alone: padded, left out, of several keys, of rows of any shape, in Fortran order, and of no bytes."""
        for n, each in ((4001, None), (700, 3), (0, None)):
            keys = self.rng.integers(-1, 60, (n,) if each is None else (n, each)).astype("<i4")
            columns = [self.random_array((n, 5), "<f8"), self.random_array((n,), "u1"), np.asfortranarray(self.random_array((n, 3, 2), "<i2")), np.zeros((n, 0))]
            for options in ((), ("--multiple", 8, "--capacity", 20, "--threads", 2), ("--by", "hash", "--check"), ("--by", "top", "--multiple", 4, "--check")):
                for first in range(2):  # the one of no bytes too
                    columns.insert(0, columns.pop())
                    done = self.with_columns(columns[0], keys, columns[1:], "--groups", 50, *options, "--places", "places.npy", "--counts", "counts.npy")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    made = [np.load(self.path(name)) for name in ("out.npy", "a.out", "b.out", "c.out")]
                    beside = [np.load(self.path(name)) for name in ("offsets.npy", "counts.npy", "places.npy")]
                    for k, column in enumerate(columns):
                        alone = self.group(column, keys, "--groups", 50, *options, "--places", "places.npy", "--counts", "counts.npy")
                        self.assertEqual(alone.stderr, done.stderr)
                        self.assert_same(made[k], np.load(self.path("out.npy")), f"{n} {options} {first} {k}, seed {SEED}")
                    for numbers_made, name in zip(beside, ("offsets.npy", "counts.npy", "places.npy")):
                        self.assert_same(numbers_made, np.load(self.path(name)), f"{n} {options} {name}, seed {SEED}")

    def test_most_columns(self):
        rows, keys = self.random_array((300,), "<i8"), self.rng.integers(0, 8, 300).astype("u1")
        np.save(self.path("wide.npy"), rows)
        each = [word for k in range(64) for word in ("--column", f"wide.npy:{k}.out")]
        done = self.group(rows, keys, "--groups", 8, "--counts", "counts.npy", "--places", "places.npy", *each, "--verbose")
        self.assertRegex(done.stderr, r"^riffle: out.npy: 300 rows of 520 bytes in 8 groups in \d+\.\d{3} s\n$")
        self.expect(rows, keys, 8)
        for k in range(64):
            self.assert_same(np.load(self.path(f"{k}.out")), np.load(self.path("out.npy")), f"column {k}, seed {SEED}")
        done = self.group(rows, keys, "--groups", 8, *each, "--column", "wide.npy:64.out")
        self.assertEqual((done.returncode, done.stderr), (2, "riffle: option --column: given more than 64 times; a group has at most 64 columns besides IN.npy\n"))

    def test_columns_refused(self):
        """And nothing is written, whatever was made when it was refused."""
        rows, keys = np.zeros((4, 2)), np.zeros(4, "u1")
        for name, array in (("in", rows), ("keys", keys), ("a", np.arange(4)), ("long", np.arange(5)), ("one", np.arange(1)), ("scalar", np.zeros(()))):
            np.save(self.path(f"{name}.npy"), array)
        before = sorted(os.listdir(self.folder))
        is_no_pair = "is not two file names with one colon between; write them as in --column FROM.npy:TO.npy"
        for status, words, values in (
                (1, "long.npy: has 5 rows, and in.npy 4; columns have one row for each row of it", ("long.npy:b.npy",)),
                (1, "one.npy: has 1 row, and in.npy 4; columns have one row for each row of it", ("a.npy:b.npy", "one.npy:c.npy")),
                (1, "scalar.npy: a 0-dimensional array has no rows to group", ("scalar.npy:b.npy",)),
                (1, "none.npy: cannot be opened: No such file or directory", ("none.npy:b.npy",)),
                (2, "in.npy: the column's output and the input are the same file; give the column's output another name", ("a.npy:in.npy",)),
                (2, "keys.npy: the column's output and the keys are the same file; give the column's output another name", ("a.npy:keys.npy",)),
                (2, "a.npy: the column's output and a column that is read are the same file; give the column's output another name", ("long.npy:b.npy", "a.npy:a.npy")),
                (2, "out.npy: the column's output and the output are the same file; give the column's output another name", ("a.npy:out.npy",)),
                (2, "o.npy: the column's output and the offsets are the same file; give the column's output another name", ("a.npy:o.npy",)),
                (2, "b.npy: the column's output and another column's output are the same file; give the column's output another name", ("a.npy:b.npy", "a.npy:b.npy")),
                (2, "out.npy: input and output are the same file; give the output another name", ("out.npy:b.npy",)),
                (2, f"--column 'a.npy': {is_no_pair}", ("a.npy",)),
                (2, f"--column ':a.npy': {is_no_pair}", (":a.npy",)),
                (2, f"--column 'a.npy:': {is_no_pair}", ("a.npy:",)),
                (2, f"--column 'a.npy:b:c': {is_no_pair}", ("a.npy:b:c",)),
                (2, "--column: '-' names no file, and streams are neither read nor written; write a name, or ./- for a file of that name", ("a.npy:-",))):
            if values == ("out.npy:b.npy",):
                np.save(self.path("out.npy"), np.arange(4))
            done = self.run_riffle("group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 2, "--offsets", "o.npy", *(word for value in values for word in ("--column", value)))
            self.assertEqual((done.returncode, done.stderr), (status, f"riffle: {words}\n"))
            if os.path.exists(self.path("out.npy")):
                self.assert_same(np.load(self.path("out.npy")), np.arange(4), "out.npy")
                os.remove(self.path("out.npy"))
            self.assertEqual(sorted(os.listdir(self.folder)), before)
        done = self.run_riffle("group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 2, "--mpi", "--column", "a.npy:b.npy")
        self.assertEqual((done.returncode, done.stderr), (2, "riffle: group: --mpi has no --column; leave it out\n"))

    def test_columns_that_are_cut_short(self):
        """At the end of a page, which is a SIGBUS, and within one, which reads zeros."""
        for length, left in ((1 << 16, 1 << 13), (1000, 4200)):
            for name in ("in", "a"):
                np.save(self.path(f"{name}.npy"), np.arange(length))
            np.save(self.path("keys.npy"), self.rng.integers(0, 8, length))
            done = self.run_at(f"fallocate:truncate:{left}:a.npy", "group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 8, "--column", "a.npy:b.npy")
            self.assertRegex(done.stderr, r"^riffle: (/.*/)?a\.npy: was cut short while it was read")
            self.assertEqual((done.returncode, sorted(os.listdir(self.folder))), (1, ["a.npy", "in.npy", "keys.npy"]))

    def test_bools(self):
        done = self.group(np.arange(5), np.array([True, False, True, True, False]), "--groups", 2)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_same(np.load(self.path("out.npy")), np.array([1, 4, 0, 2, 3]), "rows")

    def test_keys_that_are_cut_short(self):
        """While they are counted, and while rows are moved: at the end of a page, which is a SIGBUS, and within one, which reads zeros."""
        for length, left in ((1 << 16, 1 << 13), (1000, 4200)):
            for by in ("value", "hash"):
                rows, keys = np.arange(length), self.rng.integers(1, 8, length)
                np.save(self.path("in.npy"), rows)
                np.save(self.path("keys.npy"), keys)
                done = self.run_at(f"fallocate:truncate:{left}:keys.npy", "group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 8, "--by", by)
                self.assertRegex(done.stderr, r"^riffle: (/.*/)?keys\.npy: was cut short while it was read")
                self.assertEqual((done.returncode, sorted(os.listdir(self.folder))), (1, ["in.npy", "keys.npy"]))

    def test_keys_that_are_changed(self):
        """A file that is cut short and is as long as before when it is looked at again."""
        np.save(self.path("in.npy"), np.arange(1000))
        np.save(self.path("keys.npy"), self.rng.integers(1, 8, 1000))
        done = self.run_at("fallocate:clear:4200:keys.npy", "group", "in.npy", "out.npy", "--keys", "keys.npy", "--groups", 8)
        self.assertEqual((done.returncode, done.stderr), (1, "riffle: keys.npy: was changed while it was read; run this again once nothing writes to it\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "keys.npy"])

    def test_verbose(self):
        done = self.group(np.zeros((5, 2), "u1"), np.zeros(5, "u1"), "--groups", 3, "--verbose")
        self.assertRegex(done.stderr, r"^riffle: out.npy: 5 rows of 2 bytes in 3 groups in \d+\.\d{3} s\n$")

    def refuses(self, words, done, status=1):
        self.assertEqual((done.returncode, done.stderr), (status, f"riffle: {words}\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "keys.npy"])

    def test_refusals(self):
        rows = np.zeros((4, 2))
        self.refuses("keys.npy: dtype '<f4'; keys are little-endian integers of 1 to 8 bytes, or bools; convert them with astype", self.group(rows, np.zeros(4, "<f4"), "--groups", 2))
        self.refuses("keys.npy: keys are an array of shape (4,), one of each row of in.npy, or (4, k), k of each; this one has another",
                     self.group(rows, np.zeros(5, "u1"), "--groups", 2))
        self.refuses("keys.npy: is in Fortran order; save numpy.ascontiguousarray of it",
                     self.group(rows, np.zeros((4, 2), "u1", order="F"), "--groups", 2))
        self.refuses("keys.npy: rows have no keys; they have at least one each", self.group(rows, np.zeros((4, 0), "u1"), "--groups", 2))
        self.refuses("in.npy: a 0-dimensional array has no rows to group", self.group(np.zeros(()), np.zeros(4, "u1"), "--groups", 2))
        done = self.group(rows, np.zeros(4, "u1"))
        self.assertEqual((done.returncode, "no number of groups given; say how many with --groups K" in done.stderr), (2, True))
        done = self.run_riffle("group", "in.npy", "out.npy", "--groups", 2)
        self.assertEqual((done.returncode, "no keys given; say which with --keys KEYS.npy" in done.stderr), (2, True))
        self.refuses("group: groups that are padded to multiples of 1099511627776 rows may have 4398046511104 rows, more than an array has; pad to a smaller multiple",
                     self.group(rows, np.zeros(4, "u1"), "--groups", 4, "--multiple", 1 << 40))
        both = ("group", "in.npy", "out.npy", "--groups", 2, "--keys", "keys.npy")
        self.refuses("same.npy: the places and the counts are the same file; give the places another name",
                     self.run_riffle(*both, "--counts", "same.npy", "--places", "same.npy"), 2)
        done = self.run_riffle(*both, "--offsets", "keys.npy")
        self.refuses("keys.npy: the offsets and the keys are the same file; give the offsets another name", done, 2)


main()
