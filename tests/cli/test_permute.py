# SPDX-License-Identifier: Apache-2.0
"""riffle permute against NumPy's own result, byte for byte."""
import os
import unittest

import numpy as np

from command import (SEED, CommandTest, inverse, main, moved, random_affine_rows, some, targets_of_affine,
                     targets_of_axes, targets_of_bits)

RECORD = np.dtype([("x", "<i4"), ("y", "<f4", (2,))])  # 12 bytes
PADDED = np.dtype({"names": ["a", "b"], "formats": ["u1", "<f8"], "offsets": [0, 8], "itemsize": 24})
DTYPES = ["u1", "<i2", "<f4", "<f8", "<c16", "S3", RECORD, "<M8[us]"]
MORE_DTYPES = [">i4", "<U5", "?", "<f2", "V7", PADDED, "S33", [("outer", [("inner", "<u2"), ("s", "S5")])]]
LENGTHS = [0, 1, 2, 3, 5, 7, 31, 63, 64, 65, 97, 127, 128, 129, 257, 1009, 4096, 4099, 65537]
POWERS = [1, 2, 4, 8, 16, 64, 128, 1024, 4096, 1 << 17]
SHAPES = [(1, 1), (1, 7), (7, 1), (5, 0), (0, 3), (2, 3), (16, 16), (31, 33), (32, 32), (33, 31), (63, 65),
          (64, 64), (65, 127), (128, 128), (257, 255), (1009, 17), (3, 4099), (4099, 3)]
AXES = [((2, 3, 4), (2, 0, 1)), ((5,), (0,)), ((7, 1, 9), (1, 2, 0)), ((3, 0, 2), (2, 1, 0)),
        ((17, 33, 65), (2, 1, 0)), ((17, 33, 65), (1, 0, 2)), ((17, 33, 65), (0, 2, 1)),
        ((65, 33, 17), (1, 2, 0)), ((16, 16, 16, 16), (3, 1, 2, 0)), ((3, 5, 7, 11, 13), (4, 2, 0, 3, 1)),
        ((129, 31, 3), (1, 0, 2)), ((2,) * 12, (11, 3, 7, 0, 9, 1, 10, 4, 2, 8, 5, 6))]


def axes_spec(shape, order):
    return f"axes:{'x'.join(map(str, shape))}:{','.join(map(str, order))}"


def bit_targets(word, n):
    m = n.bit_length() - 1
    to = {"bit-reversal": [m - 1 - k for k in range(m)], "shuffle": [(k + 1) % m for k in range(m)],
          "unshuffle": [(k - 1) % m for k in range(m)]}[word]
    return targets_of_bits(n, to)


class EverySpec(CommandTest):
    """Each form of the spec language over lengths that include 0, 1, primes and one off the tiles' edges."""

    def check(self, spec, targets, dtype="<f4", shape=None):
        array = self.random_array((len(targets),), dtype)
        self.assert_same(self.permute(array, spec), moved(array, targets, shape), f"{spec} of {dtype}")

    def test_identity_reverse_rotate(self):
        for n in some(LENGTHS):
            i = np.arange(n)
            self.check("identity", i)
            self.check("reverse", n - 1 - i)
            for k in (0, 1, -1, 5, n // 2, n, -3 * n - 2):
                self.check(f"rotate:{k}", (i + k) % n if n else i)

    def test_checked(self):
        """--check makes the same, of any kind of permutation, by rows, and in place."""
        array = self.random_array((1024, 24), "<f4")
        np.save(self.path("in.npy"), array)
        for spec in ("bit-reversal", "random:7", "reverse|rotate:5"):
            done = self.run_riffle("permute", "in.npy", "out.npy", "--force", "--rows", "--check", "--by", spec)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            checked = np.load(self.path("out.npy"))
            self.run_riffle("permute", "in.npy", "out.npy", "--force", "--rows", "--by", spec)
            self.assert_same(checked, np.load(self.path("out.npy")), spec)
        done = self.run_riffle("permute", "in.npy", "--in-place", "--check", "--by", "transpose:1024x24")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_same(np.load(self.path("in.npy")), array.T.copy(), "in place")

    def test_checked_passes(self):
        """--check=passes makes the same, and is refused where there is nothing to compare."""
        np.save(self.path("in.npy"), self.random_array((200003,), "<f4"))
        words = ["permute", "in.npy", "out.npy", "--force", "--algorithm", "bucket", "--by", "random:7"]
        done = self.run_riffle(*words, "--check=passes")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        checked = np.load(self.path("out.npy"))
        self.run_riffle(*words)
        self.assert_same(checked, np.load(self.path("out.npy")), "passes")
        done = self.run_riffle("permute", "in.npy", "new.npy", "--by", "reverse", "--check=passes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a check of passes has nothing to compare", done.stderr)
        done = self.run_riffle("permute", "in.npy", "new.npy", "--by", "reverse", "--check=all")
        self.assertEqual(done.returncode, 2)
        self.assertIn("option --check: check 'all': unknown", done.stderr)

    def test_bit_reversal_shuffle_unshuffle(self):
        for n in some(POWERS):
            for word in ("bit-reversal", "shuffle", "unshuffle"):
                self.check(word, bit_targets(word, n))

    def test_transpose(self):
        for rows, columns in some(SHAPES):
            targets = targets_of_axes((rows, columns), (1, 0))
            for dtype in ("u1", "<f4", "<c16"):
                self.check(f"transpose:{rows}x{columns}", targets, dtype, (columns, rows))

    def test_axes(self):
        for shape, order in some(AXES):
            targets = targets_of_axes(shape, order)
            for dtype in ("<i2", "<f8", "S3"):
                self.check(axes_spec(shape, order), targets, dtype, [shape[k] for k in order])

    def test_axes_as_numpy_writes_it(self):
        x = self.random_array((6, 35, 4), "<f8")
        self.assert_same(self.permute(x, "axes:6x35x4:2,0,1"), np.ascontiguousarray(x.transpose(2, 0, 1)), "axes")
        self.assert_same(self.permute(x, "transpose:21x40"), np.ascontiguousarray(x.reshape(21, 40).T), "T")

    def test_bits(self):
        for m in (1, 2, 5, 9, 12, 17):
            to = self.rng.permutation(m).tolist()
            self.check("bits:" + ",".join(map(str, to)), targets_of_bits(1 << m, to))

    def test_affine(self):
        for m in (1, 2, 3, 7, 10, 13, 17):
            rows = random_affine_rows(self.rng, m)
            c = int(self.rng.integers(0, 1 << m))
            text = "affine:" + ",".join(format(row, "x") for row in rows)
            self.check(text, targets_of_affine(1 << m, rows, 0))
            self.check(f"{text}^{c:x}", targets_of_affine(1 << m, rows, c), "<c16")

    def test_random_is_a_permutation_and_the_same_every_time(self):
        for n in some(LENGTHS):
            numbers = np.arange(n, dtype="<i8")
            once = self.permute(numbers, "random:7")
            self.assertEqual(np.sort(once).tolist(), numbers.tolist())
            self.check("random:7", inverse(once), "S3")
            self.check("~random:7", once)
        self.assertNotEqual(self.permute(numbers, "random:8").tolist(), once.tolist())

    def test_random_affine_is_affine(self):
        for n in some(POWERS):
            targets = inverse(self.permute(np.arange(n, dtype="<i8"), "random-affine:3"))
            i, j = self.rng.integers(0, n, (2, 100))
            self.assertTrue((targets[i] ^ targets[j] ^ targets[i ^ j] == targets[0]).all())
            self.check("random-affine:3", targets, "<i2")

    def test_inverse_and_sequence(self):
        n = 4096
        reversal, reverse = bit_targets("bit-reversal", n), n - 1 - np.arange(n)
        shuffle, rotate = bit_targets("shuffle", n), (np.arange(n) + 5) % n
        self.check("~shuffle", inverse(shuffle))
        self.check("bit-reversal|shuffle", shuffle[reversal])
        self.check("shuffle|rotate:5", rotate[shuffle])
        self.check("~shuffle|rotate:5|reverse", reverse[rotate[inverse(shuffle)]])
        self.check("~transpose:64x64", targets_of_axes((64, 64), (1, 0)), "u1", (64, 64))
        self.check("~transpose:31x33", targets_of_axes((33, 31), (1, 0)), "u1", (31, 33))
        once = inverse(self.permute(np.arange(n), "random:1"))
        self.check("random:1|bit-reversal", reversal[once])

    def test_tables(self):
        self.extra_files = {"table.npy"}
        for n in some(LENGTHS[:-1]):
            targets = self.rng.permutation(n)
            for dtype in ("<i4", "<i8", "<u4", "<u8"):
                np.save(self.path("table.npy"), targets.astype(dtype))
                self.check(f"table:{self.path('table.npy')}", targets)
            self.check(f"~table:{self.path('table.npy')}", inverse(targets), "S3")
        self.check("table:table.npy", targets)
        self.check("table:[2,0,1]", np.array([2, 0, 1]))
        self.check("~table:[2,0,1]", np.array([1, 2, 0]))

    def test_tables_with_structure(self):
        """Tables that the planner may recognize as something simpler."""
        self.extra_files = {"table.npy"}
        n = 4096
        for targets in (np.arange(n), (np.arange(n) + 77) % n, bit_targets("bit-reversal", n),
                        targets_of_axes((16, 32, 8), (2, 0, 1)), n - 1 - np.arange(n)):
            np.save(self.path("table.npy"), targets)
            self.check("table:table.npy", targets)


class EveryArray(CommandTest):
    """Dtypes, orders, ranks and format versions."""

    SPECS = ["reverse", "rotate:11", "bit-reversal", "shuffle", "transpose:32x128", "axes:16x4x64:1,2,0",
             "random:5", "random-affine:5", "transpose:64x64|reverse"]

    def targets(self, spec, n):
        return inverse(self.permute(np.arange(n, dtype="<i8"), spec).ravel())

    def test_every_dtype_with_every_spec(self):
        for spec in self.SPECS:
            targets = self.targets(spec, 4096)
            for dtype in some(DTYPES + MORE_DTYPES):
                array = self.random_array((4096,), dtype)
                got = self.permute(array, spec)
                self.assert_same(got.ravel(), moved(array, targets), f"{spec} of {dtype}")

    def test_every_dtype_at_odd_lengths(self):
        targets = self.targets("random:9", 1009)
        for dtype in some(DTYPES + MORE_DTYPES):
            array = self.random_array((1009,), dtype)
            self.assert_same(self.permute(array, "random:9"), moved(array, targets), f"{dtype}")

    def test_fortran_order(self):
        for shape in [(64, 64), (4096, 1), (8, 16, 32), (2, 2048), (16, 2, 8, 16)]:
            for spec in some(self.SPECS):
                targets = self.targets(spec, 4096)
                for dtype in some(("u1", "<f4", RECORD)):
                    array = self.random_array(shape, dtype, order="F")
                    got = self.permute(array, spec)
                    expected = moved(array, targets, got.shape)
                    self.assert_same(got, expected, f"{spec} of Fortran {shape} {dtype}")

    def test_fortran_order_keeps_the_shape(self):
        for shape in [(31, 33), (7, 1, 9), (3, 5, 7), (65, 129), (0, 4), (2, 0, 3)]:
            array = self.random_array(shape, "<f8", order="F")
            self.assert_same(self.permute(array, "identity"), np.ascontiguousarray(array), f"{shape}")
            n = array.size
            self.assert_same(self.permute(array, "reverse"), moved(array, n - 1 - np.arange(n)), f"{shape}")

    def test_transpose_of_fortran_order(self):
        x = self.random_array((40, 51), "<f4", order="F")
        self.assert_same(self.permute(x, "transpose:40x51"), np.ascontiguousarray(x.T), "x.T")

    def test_format_versions(self):
        for version in [(1, 0), (2, 0), (3, 0)]:
            for order in "CF":
                x = self.random_array((24, 43), "<f4", order)
                self.assert_same(self.permute(x, "transpose:24x43", version=version), np.ascontiguousarray(x.T),
                                 f"version {version}, order {order}")

    def test_unicode_field_names(self):
        x = self.random_array((100,), [("größe", "<f4"), ("名前", "<i8")])
        self.assert_same(self.permute(x, "reverse", version=(3, 0)), x[::-1].copy(), "unicode names")

    def test_a_header_of_more_than_64_kib(self):
        x = self.random_array((5,), [(f"a_long_name_of_field_{k}", "<i2") for k in range(4000)])
        self.assert_same(self.permute(x, "reverse", version=(2, 0)), x[::-1].copy(), "long header")

    def test_ranks(self):
        for shape in [(), (1,), (1, 1), (4,), (2, 2), (2, 1, 2), (1,) * 32, (2,) * 10 + (1,) * 22]:
            x = self.random_array(shape, "<f4")
            n = x.size
            self.assert_same(self.permute(x, "reverse"), moved(x, n - 1 - np.arange(n)), f"shape {shape}")

    def test_32_axes(self):
        shape = (2, 1, 3, 1) + (1,) * 24 + (2, 3, 1, 2)
        order = self.rng.permutation(32).tolist()
        x = self.random_array(shape, "<i2")
        self.assert_same(self.permute(x, axes_spec(shape, order)), np.ascontiguousarray(x.transpose(order)),
                         f"order {order}")

    def test_empty_arrays(self):
        for shape in [(0,), (0, 5), (5, 0), (3, 0, 2)]:
            for spec in ("identity", "reverse", "rotate:3", "random:1", "transpose:0x7", "axes:0x2x3:2,0,1"):
                got = self.permute(np.empty(shape, "<f8"), spec)
                self.assertEqual((got.size, got.dtype), (0, np.dtype("<f8")))
        self.assertEqual(self.permute(np.empty((0, 7)), "transpose:0x7").shape, (7, 0))


class Rows(CommandTest):
    def test_rows_of_every_size(self):
        for n in (1, 2, 97, 128, 1009):
            targets = inverse(self.permute(np.arange(n), "random:3"))
            for rest in some([(), (1,), (3,), (17,), (64,), (2, 3), (5, 1, 7)]):
                for dtype in ("u1", "<f4", RECORD):
                    for order in "CF":
                        x = self.random_array((n, *rest), dtype, order)
                        expected = np.empty(x.shape, x.dtype)
                        expected[targets] = x
                        self.assert_same(self.permute(x, "random:3", "--rows"), expected,
                                         f"{n} rows of {rest} {dtype} {order}")

    def test_rows_with_axes(self):
        for order in "CF":
            x = self.random_array((6 * 35, 3, 5), "<f4", order)
            expected = np.ascontiguousarray(x.reshape(6, 35, 3, 5).transpose(1, 0, 2, 3))
            self.assert_same(self.permute(x, "transpose:6x35", "--rows"), expected, f"transposed rows, {order}")

    def test_rows_of_nothing(self):
        for shape in [(4, 0), (0, 4), (0,), (8, 2, 0), (1 << 40, 0)]:
            got = self.permute(np.empty(shape, "<f4"), "reverse", "--rows")
            self.assertEqual(got.shape, shape)

    def test_long_rows(self):
        x = self.random_array((13, 100003), "u1")
        self.assert_same(self.permute(x, "reverse", "--rows"), x[::-1].copy(), "long rows")


class Views(CommandTest):
    """--view is what stands between NumPy's brackets."""

    def view(self, array, text, *options):
        """permute's --view alone, which must succeed in silence."""
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("permute", "in.npy", "out.npy", "--view", text, *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"--view {text}")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
        return np.load(self.path("out.npy"))

    def random_item(self):
        """A slice or an integer that any array of 4 or more bears, or a slice of any numbers."""
        kind = self.rng.integers(0, 4)
        if kind == 0:
            return str(self.rng.integers(-4, 4))
        parts = [str(k) if k is not None else "" for k in
                 (int(self.rng.integers(-12, 12)) if self.rng.integers(0, 3) else None for _ in range(2))]
        step = int(self.rng.integers(1, 5)) * (-1) ** int(self.rng.integers(0, 2))
        return ":".join(parts) + (f":{step}" if kind > 1 else "")

    def random_text(self, rank):
        items = [self.random_item() for _ in range(self.rng.integers(1, rank + 1))]
        if self.rng.integers(0, 3) == 0:
            items.insert(self.rng.integers(0, len(items) + 1), "...")
        return ("," if self.rng.integers(0, 2) else " , ").join(items)

    def numpy_view(self, array, text):
        part = eval(f"array[{text}]" if "..." in text else f"array[{text}, ...]")  # an array always, never a scalar
        return part.copy(order="C")

    def test_random_slices(self):
        for shape in [(9,), (8, 7), (5, 4, 11), (4, 4, 4, 4, 4)]:
            for _ in some(range(12)):
                for order in "CF":
                    x = self.random_array(shape, self.rng.choice(["u1", "<i2", "<f4", "<f8", "<c16", "S3"]), order)
                    text = self.random_text(len(shape))
                    self.assert_same(self.view(x, text), self.numpy_view(x, text), f"{order} {shape}[{text}]")

    def test_large(self):
        x = self.random_array((700, 300, 5), "<f4")
        for text in ("::-1", "...,::-1", "5:600:2, 100:200", ":, ::7, 1:4", "..., 2"):
            for threads in (1, 2, 3):
                self.assert_same(self.view(x, text, "--threads", threads), self.numpy_view(x, text), text)

    def test_records(self):
        x = self.random_array((40, 30), RECORD)
        self.assert_same(self.view(x, "::3,::-1"), np.ascontiguousarray(x[::3, ::-1]), "records")

    def test_with_by(self):
        for order in "CF":
            x = self.random_array((12, 10, 6), "<f4", order)
            self.assert_same(self.permute(x, "axes:6x10x3:2,0,1", "--view", "::2,:,::-2"),
                             np.ascontiguousarray(x[::2, :, ::-2].transpose(2, 0, 1)), "axes of a view")
            self.assert_same(self.permute(x, "reverse", "--view", "3:9"),
                             np.ascontiguousarray(x[3:9].ravel()[::-1].reshape(6, 10, 6)), "a run of rows")
            self.assert_same(self.permute(x, "reverse", "--rows", "--view", "..., 2"),
                             np.ascontiguousarray(x[..., 2][::-1]), "rows of a view")
            self.assert_same(self.permute(x, "transpose:6x5", "--view", "4, ::2, :"),
                             np.ascontiguousarray(x[4, ::2].reshape(6, 5).T), "one index")

    def test_nothing_and_one(self):
        x = self.random_array((5, 0, 3), "<f4")
        self.assert_same(self.view(x, "1:3,:,2"), np.ascontiguousarray(x[1:3, :, 2]), "no elements")
        y = self.random_array((5, 3), "<f4")
        self.assert_same(self.view(y, "4:2"), np.ascontiguousarray(y[4:2]), "an empty slice")
        self.assertEqual(self.view(y, "-1,-1").tobytes(), y[-1, -1].tobytes())
        self.assertEqual(self.view(y, "-1,-1").shape, ())
        self.assert_same(self.view(y[0, 0], "..."), np.array(y[0, 0]), "rank 0")
        self.assertEqual(self.permute(y, "identity", "--view", "4:2").shape, (0, 3))

    def test_verbose(self):
        np.save(self.path("in.npy"), np.arange(1024, dtype="<f4"))
        done = self.run_riffle("permute", "in.npy", "out.npy", "--view", "::2", "--verbose")
        self.assertRegex(done.stderr, r"512 elements of 4 bytes \(0.0 MiB\) moved by 'copy of a view'")


class InPlace(CommandTest):
    """--in-place puts into IN's place what OUT would have been, to the last byte of its header."""

    def check(self, array, spec, *options):
        np.save(self.path("in.npy"), array)
        done = self.run_riffle("permute", "in.npy", "other.npy", "--by", spec, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{spec} {options}")
        done = self.run_riffle("permute", "in.npy", "--in-place", "--by", spec, *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{spec} {options}")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "other.npy"])
        with open(self.path("in.npy"), "rb") as got, open(self.path("other.npy"), "rb") as expected:
            self.assertEqual(got.read(), expected.read(), f"{spec} of {array.dtype} {array.shape}, {options}, seed {SEED}")
        return np.load(self.path("in.npy"))

    def test_reversals_and_the_identity(self):
        for k, n in enumerate(LENGTHS):
            x = self.random_array((n,), ("u1", "<f4", RECORD)[k % 3])
            self.assert_same(self.check(x, "reverse"), x[::-1].copy(), f"reverse of {n}")
        self.assert_same(self.check(x, "identity"), x, "identity")

    def test_affine(self):
        for m in (1, 10, 17):
            text = "affine:" + ",".join(format(row, "x") for row in random_affine_rows(self.rng, m))
            bits = "bits:" + ",".join(map(str, self.rng.permutation(m)))
            exchange = "bits:" + ",".join(map(str, [m - 1, *range(1, m - 1), 0][:m]))
            for spec, dtype in ((text, "u1"), (text, "<f8"), (bits, "<f4"), (exchange, "<i2"), ("bit-reversal", "<c16")):
                self.check(self.random_array((1 << m,), dtype), spec)

    def test_transposes_of_any_shape(self):
        for k, (rows, columns) in enumerate(SHAPES):
            x = self.random_array((rows, columns), ("<i2", "<f8", RECORD)[k % 3])
            got = self.check(x, f"transpose:{rows}x{columns}")
            self.assert_same(got, np.ascontiguousarray(x.T), f"{rows} x {columns}")
        x = self.random_array((33, 31, 2), "<f4")
        self.assert_same(self.check(x, "axes:33x31x2:2,0,1"), np.ascontiguousarray(x.transpose(2, 0, 1)), "axes")

    def test_rows(self):
        x = self.random_array((6 * 35, 3), "<f4")
        expected = np.ascontiguousarray(x.reshape(6, 35, 3).transpose(1, 0, 2))
        self.assert_same(self.check(x, "transpose:6x35", "--rows"), expected, "rows transposed")

    def test_fortran_order(self):
        for options in ([], ["--rows"]):
            x = self.random_array((64, 33), "<f4", "F")
            self.check(x, "reverse", *options)
        self.assert_same(self.check(x, "transpose:64x33"), np.ascontiguousarray(x.T), "x.T")

    def test_nothing(self):
        for shape in [(0,), (3, 0), (0, 3)]:
            self.check(np.empty(shape, "<f8"), "reverse")

    def test_threads(self):
        x = self.random_array((1000, 517), "<f4")
        for threads in (1, 2, 5):
            self.check(x, "transpose:1000x517", "--threads", threads)

    def test_links_and_permissions(self):
        """A symbolic link stays one; another name of the same file keeps the old array."""
        x = self.random_array((97, 12), "<f4")
        np.save(self.path("x.npy"), x)
        os.chmod(self.path("x.npy"), 0o640)
        os.symlink("x.npy", self.path("link.npy"))
        os.link(self.path("x.npy"), self.path("hard.npy"))
        done = self.run_riffle("permute", "link.npy", "--in-place", "--by", "transpose:97x12", "--verbose")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "link.npy: 1164 elements of 4 bytes .* moved by 'transpose' in place")
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(os.stat(self.path("x.npy")).st_mode & 0o777, 0o640)
        self.assert_same(np.load(self.path("x.npy")), np.ascontiguousarray(x.T), "through a link")
        self.assert_same(np.load(self.path("hard.npy")), x, "under another name")


class Links(CommandTest):
    def test_the_file_that_a_link_leads_to_is_replaced(self):
        x = self.random_array((100,), "<f4")
        np.save(self.path("in.npy"), x)
        os.mkdir(self.path("folder"))
        target, link = self.path("folder/target.npy"), self.path("link.npy")
        np.save(target, np.zeros(3))
        os.symlink("folder/target.npy", self.path("first.npy"))
        os.symlink("first.npy", link)
        done = self.run_riffle("permute", "in.npy", "link.npy", "--by", "reverse")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(os.readlink(link), "first.npy")
        self.assertEqual(os.readlink(self.path("first.npy")), "folder/target.npy")
        self.assertFalse(os.path.islink(target))
        self.assert_same(np.load(target), x[::-1].copy(), "through links")
        self.assertEqual(os.listdir(self.path("folder")), ["target.npy"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["first.npy", "folder", "in.npy", "link.npy"])


class Owners(CommandTest):
    @unittest.skipIf(os.geteuid() != 0, "only root may give files away")
    def test_the_owner_is_kept_or_the_change_is_said(self):
        """By root and by somebody else; test_npy.c has all the cases."""
        target = self.path("out.npy")
        self.open_to_others()
        np.save(self.path("in.npy"), np.arange(100))
        np.save(target, np.zeros(3))
        os.chown(target, 12345, 54321)
        os.chmod(target, 0o666)  # or it is refused: test_protected.py
        arguments = ["permute", "in.npy", "out.npy", "--by", "reverse"]
        done = self.run_riffle(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((os.stat(target).st_uid, os.stat(target).st_gid), (12345, 54321))
        done = self.run_riffle(*arguments, user=65534, group=65534, extra_groups=[])
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, "^riffle: out.npy: has another owner or group than the file that it replaces, .*\n$")
        self.assertEqual((os.stat(target).st_uid, os.stat(target).st_gid), (65534, 65534))
        done = self.run_riffle(*arguments, user=65534, group=65534, extra_groups=[])
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Indexing(CommandTest):
    """The pages' examples of NumPy's indexing."""

    def test_gather_and_scatter(self):
        self.extra_files = {"idx.npy"}
        for shape, options in [((1009,), []), ((1009,), ["--rows"]), ((97, 5, 3), ["--rows"])]:
            x = self.random_array(shape, "<f8")
            idx = self.rng.permutation(shape[0])
            np.save(self.path("idx.npy"), idx)
            out = np.empty_like(x)
            out[idx] = x
            self.assert_same(self.permute(x, "~table:idx.npy", *options), x[idx], "x[idx]")
            self.assert_same(self.permute(x, "table:idx.npy", *options), out, "out[idx] = x")


class Ways(CommandTest):
    """Every algorithm and number of threads gives the same."""

    def test_algorithms(self):
        cases = {"bit-reversal": ("auto", "scatter", "gather", "affine", "bucket"),
                 "transpose:64x1024": ("auto", "scatter", "gather", "axes", "bucket"),
                 "random:2": ("auto", "scatter", "gather", "bucket"),
                 "rotate:9": ("auto", "copy", "scatter", "gather", "bucket")}
        for spec, algorithms in cases.items():
            x = self.random_array((1 << 16,), "<f4")
            expected = self.permute(x, spec)
            for algorithm in algorithms:
                self.assert_same(self.permute(x, spec, "--algorithm", algorithm), expected, f"{spec} {algorithm}")

    def test_threads(self):
        x = self.random_array((1 << 18,), "<f8")
        for spec in ("bit-reversal", "random:2", "transpose:256x1024", "rotate:77"):
            expected = self.permute(x, spec, "--threads", 1)
            for threads in (2, 3, 7):
                self.assert_same(self.permute(x, spec, "--threads", threads), expected, f"{spec}, {threads}")

    def test_verbose_speaks_on_stderr_only(self):
        np.save(self.path("in.npy"), np.arange(1024, dtype="<f4"))
        done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "random:1", "--verbose")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, r"1024 elements of 4 bytes")
        self.assertRegex(done.stderr, r"plan [0-9.]+ s, move [0-9.]+ s, sync [0-9.]+ s")


if __name__ == "__main__":
    main()
