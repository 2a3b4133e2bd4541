# SPDX-License-Identifier: Apache-2.0
"""Sorts against NumPy's stable ones; a comparison of one's own against Python's."""
import functools
import os
import signal
import threading
import time

import numpy as np
import pytest
import riffle
from arrays import arrays
from hypothesis import given
from hypothesis import strategies as st

PLAIN = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "S3"]


@given(x=arrays(min_dims=1, dtypes=PLAIN), data=st.data())
def test_sort(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    if x.dtype.kind == "b":
        x = x.view("u1") > 99
    if x.dtype.kind == "f":  # zeros and NaNs of a number are not told apart
        x = np.nan_to_num(x) + 0
    y = riffle.sort(x, axis)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, np.sort(x, axis, kind="stable"))
    np.testing.assert_array_equal(riffle.argsort(x, axis), np.argsort(x, axis, kind="stable"))
    down = riffle.argsort(x, axis, descending=True)
    if x.dtype.kind in "iub":
        np.testing.assert_array_equal(down, np.argsort(~x, axis, kind="stable"))
    np.testing.assert_array_equal(riffle.sort(x, axis, descending=True), np.take_along_axis(x, down, axis))
    np.testing.assert_array_equal(riffle.sort(x, None), np.sort(x, None))
    np.testing.assert_array_equal(riffle.argsort(x, None), np.argsort(x, None, kind="stable"))


@given(x=arrays(min_dims=1, dtypes=["i1", "i4", "u8"]), data=st.data())
def test_parts_of_sorts(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    n, order = x.shape[axis], np.argsort(x, axis, kind="stable")
    count = data.draw(st.integers(0, n))
    first, where = riffle.top(x, count, axis, return_index=True)
    np.testing.assert_array_equal(first, np.sort(x, axis).take(range(count), axis))
    np.testing.assert_array_equal(where, order.take(range(count), axis))
    if n:
        kth = data.draw(st.integers(-n, n - 1))
        y, where = riffle.partition(x, kth, axis, return_index=True)
        np.testing.assert_array_equal(np.take_along_axis(x, where, axis), y)
        sides = np.split(order, [kth % n, kth % n + 1], axis)
        np.testing.assert_array_equal(where, np.concatenate([np.sort(side, axis) for side in sides], axis))
    for mine, numpys in zip(riffle.unique(x, return_index=True), np.unique(x, return_index=True)):
        np.testing.assert_array_equal(mine, numpys)
    y, where = riffle.sort(x, axis, return_index=True)
    np.testing.assert_array_equal(where, order)
    values = np.arange(x.size, dtype="i4").reshape(x.shape)
    y, moved = riffle.sort(x, axis, values=values)
    np.testing.assert_array_equal(moved, np.take_along_axis(values, order, axis))


@given(x=arrays(min_dims=1, dtypes=["i2", "f4", "S3"]), axis=st.sampled_from([-1, 0]), swaps=st.booleans())
def test_out(x, axis, swaps):
    """Into x itself, or into an array of other strides."""
    x = np.nan_to_num(x) + 0 if x.dtype.kind == "f" else x.copy("K")
    expected = np.sort(x, axis, kind="stable")
    out = np.empty(x.shape, x.dtype).T.copy().T if swaps else x
    assert riffle.sort(x, axis, out=out) is out
    np.testing.assert_array_equal(out, expected)


@given(st.lists(st.integers(0, 9), max_size=40), st.data())
def test_segments(numbers, data):
    x = np.array(numbers, "i4")
    first = [0, *sorted(data.draw(st.lists(st.integers(0, len(x)), max_size=5))), len(x)]
    parts = [x[a:b] for a, b in zip(first, first[1:])]
    np.testing.assert_array_equal(riffle.sort(x, first=first), np.concatenate([np.sort(part) for part in parts]))
    np.testing.assert_array_equal(x[riffle.argsort(x, first=np.array(first))], riffle.sort(x, first=first))
    for mine, part in zip(riffle.unique(x, first=first), parts):
        np.testing.assert_array_equal(mine, np.unique(part))
    count = max(map(len, parts)) if max(map(len, parts)) * len(parts) <= len(x) else 0
    for mine, part in zip(riffle.top(x, count, first=first), parts):
        np.testing.assert_array_equal(mine, np.sort(part)[:count])
    merged, where = riffle.merge([np.sort(part) for part in parts], return_index=True)
    np.testing.assert_array_equal(merged, np.sort(x))
    np.testing.assert_array_equal(where, np.argsort(np.concatenate([np.sort(part) for part in parts]), kind="stable"))
    rows = np.sort(np.resize(x, (3, 4)) if len(x) else np.zeros((3, 4)), axis=1)
    np.testing.assert_array_equal(riffle.merge(rows), np.sort(rows, None))


def test_comparisons():
    x = np.random.default_rng(4).integers(-99, 99, 300)
    np.testing.assert_array_equal(riffle.sort(x, before="abs(a) < abs(b)"), sorted(x, key=abs))
    points = np.zeros(200, [("x", "f4"), ("y", "i4")])
    points["x"], points["y"] = np.random.default_rng(5).integers(-9, 9, (2, 200))
    before = lambda a, b: float(b["x"] * b["y"] < a["x"] * a["y"]) - float(a["x"] * a["y"] < b["x"] * b["y"])  # noqa: E731
    expected = sorted(range(200), key=functools.cmp_to_key(lambda i, k: before(points[i], points[k])))
    np.testing.assert_array_equal(riffle.argsort(points, before="a.x * a.y < b.x * b.y", check=True), expected)
    assert riffle.cache.find(next(k for k in riffle.cache._plans if k[0] == "sort"), None) is not None  # compiled once
    with pytest.raises(ValueError, match="the comparison is no order"):
        riffle.sort(x, before="a <= b", check=True)
    with pytest.raises(riffle.errors.SpecSyntaxError, match="the compiler refuses this comparison"):
        riffle.sort(x, before="a <")
    with pytest.raises(ValueError, match="decides alone; leave out order and descending"):
        riffle.sort(x, before="a < b", descending=True)


def test_nan_is_last():
    x = np.array([np.nan, 1, -1, np.nan, 0])
    np.testing.assert_array_equal(riffle.argsort(x), [2, 4, 1, 0, 3])
    np.testing.assert_array_equal(riffle.argsort(x, descending=True), [1, 4, 2, 0, 3])


def test_the_first_with_nan():
    """Many numbers, whose first are selected: NaN come last, and are among them where there is not enough else."""
    x = np.full(1 << 16, np.nan, "f4")
    x[::1000] = np.arange(66)[::-1]
    for descending in (False, True):
        wanted = np.append(np.sort(np.arange(66))[::-1 if descending else 1], [np.nan] * 34)
        np.testing.assert_array_equal(riffle.top(x, 100, descending=descending), wanted)


@pytest.mark.parametrize("count", [1024, 1025, 1500, 5000])
def test_the_first_of_rows(count):
    """As many as a GPU's block selects of a row, and more, up to all of it."""
    x = np.random.default_rng(count).integers(0, 999, (20, 5000)).astype("i4")
    first, where = riffle.top(x, count, return_index=True)
    order = np.argsort(x, kind="stable")[:, :count]
    np.testing.assert_array_equal(first, np.take_along_axis(x, order, 1))
    np.testing.assert_array_equal(where, order)


def test_fields():
    x = np.zeros(500, [("name", "S3"), ("pad", "u1"), ("value", "f4"), ("id", "i8")])
    rng = np.random.default_rng(1)
    x["name"], x["value"], x["id"] = rng.choice([b"a", b"bc", b"d"], 500), rng.integers(0, 9, 500), rng.permutation(500)
    ranks = np.unique(x["name"], return_inverse=True)[1]
    np.testing.assert_array_equal(riffle.sort(x, order=["name", "value"], descending="name"), x[np.lexsort((x["id"], x["pad"], x["value"], -ranks))])
    for order in (None, "name", ["value", "name"], "id"):
        np.testing.assert_array_equal(riffle.argsort(x, order=order), np.argsort(x, order=order, kind="stable"))
        np.testing.assert_array_equal(riffle.sort(x, order=order), np.sort(x, order=order, kind="stable"))


def test_long():
    x = np.random.default_rng(2).integers(0, 1000, 1 << 20)
    np.testing.assert_array_equal(riffle.sort(x), np.sort(x))
    np.testing.assert_array_equal(riffle.argsort(x), np.argsort(x, kind="stable"))


def same(y, z):
    assert y.dtype == z.dtype
    for name in y.dtype.names or ():  # as structures with NaT arrays are not equal
        same(y[name], z[name])
    if y.dtype.names is None:
        np.testing.assert_array_equal(y, z)


def check_tasks(x, places, **how):
    """Each task against what indices in the stable order give."""
    n, expected = len(x), x[places]
    same(riffle.sort(x, **how), expected)
    same(riffle.argsort(x, **how), places.astype("i8"))
    y, where = riffle.sort(x, return_index=True, **how)
    same(y, expected), same(where, places.astype("i8"))
    values = np.arange(n, dtype=">i4")
    y, moved = riffle.sort(x, values=values, **how)
    same(y, expected), same(moved, values[places])
    out = np.empty((2 * n,), x.dtype)[::2]
    assert riffle.sort(x, out=out, **how) is out
    same(out, expected)
    out = x.copy()
    assert riffle.sort(out, out=out, **how) is out
    same(out, expected)
    same(riffle.top(x, n // 2, **how), expected[:n // 2])
    same(riffle.partition(x, n // 2, **how)[n // 2:n // 2 + 1], expected[n // 2:n // 2 + 1])
    halves = [riffle.sort(half, **how) for half in (x[:n // 2], x[n // 2:])]
    same(riffle.merge(halves, **how), expected)
    same(riffle.merge(np.concatenate(halves).astype(x.dtype), [0, n // 2, n], **how), expected)
    columns = np.stack([x, x[::-1]], axis=1).astype(x.dtype)
    same(riffle.sort(columns, axis=0, **how)[:, 0], expected)


@pytest.mark.parametrize("dtype", [">i2", ">u4", ">i8", ">f2", ">f4", ">f8"])
def test_big_endian(dtype):
    x = np.random.default_rng(6).integers(-99, 99, 300).astype(dtype.replace("u", "i")).astype(dtype)
    check_tasks(x, np.argsort(x, kind="stable"))
    check_tasks(x, np.argsort(-x.astype("f8"), kind="stable"), descending=True)
    values, where = riffle.unique(x, return_index=True)
    assert values.dtype == x.dtype
    for mine, numpys in zip((values, where), np.unique(x, return_index=True)):
        np.testing.assert_array_equal(mine, numpys)
    y = riffle.sort(x, before="a > b")
    assert y.dtype == x.dtype and y.tolist() == sorted(x.tolist(), reverse=True)


def test_big_endian_fields():
    """One that is named, and one that is compared behind it."""
    rng = np.random.default_rng(7)
    x = np.zeros(300, np.dtype({"names": ["a", "b", "c"], "formats": [">i4", "<i2", ">f8"], "offsets": [1, 8, 12], "itemsize": 24}))
    x["a"], x["b"], x["c"] = rng.integers(-9, 9, (3, 300))
    check_tasks(x, np.argsort(x, order="b", kind="stable"), order="b")
    check_tasks(x, np.argsort(x, order=["c", "b"], kind="stable"), order=["c", "b"])
    check_tasks(x, np.lexsort((-x["c"], -x["b"], -x["a"].astype("i8"))), descending=True)
    np.testing.assert_array_equal(riffle.argsort(x, before="a.c < b.c"), np.argsort(x["c"], kind="stable"))


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[ns]", ">M8[D]"])
def test_times(dtype):
    """NaT is last, as NumPy has it; where times descend too."""
    numbers = np.random.default_rng(8).integers(-9, 9, 200)
    numbers[::7] = np.iinfo("i8").min
    numbers[3:5] = np.iinfo("i8").max, np.iinfo("i8").min + 1
    x = numbers.view(np.dtype(dtype).newbyteorder("=")).astype(dtype)
    assert np.isnat(x).sum() == len(numbers[::7])
    check_tasks(x, np.argsort(x, kind="stable"))
    down = np.lexsort((-(numbers + 1), np.isnat(x)))  # -(least + 1) is the greatest
    check_tasks(x, down, descending=True)
    fields = np.zeros(200, [("id", "i4"), ("when", dtype)])
    fields["when"], fields["id"] = x, np.arange(200) % 5
    check_tasks(fields, np.argsort(fields, order="when", kind="stable"), order="when")
    down = np.lexsort((fields["id"], np.where(np.isnat(x), 0, -(numbers + 1)), np.isnat(x)))
    check_tasks(fields, down, order="when", descending="when")
    np.testing.assert_array_equal(riffle.unique(x), np.unique(x))


@pytest.mark.parametrize("shape, axis", [((2, 1 << 17), 0), ((3, 99991), -2), ((64, 4099), 0), ((65, 4099), 0), ((2, 3, 30011), 1), ((3, 2, 30011), 0),
                                         ((40000, 3, 2), 1), ((2, 3, 5, 7000), -3)])
def test_short_columns(shape, axis):
    """In strips, where they are many; the last one is narrower."""
    rng = np.random.default_rng(11)
    for dtype in ("i4", "f8", ">u2", "S3"):
        x = (rng.random(shape) * 99).astype(dtype)
        expected, kept = np.sort(x, axis), x.copy()
        same(riffle.sort(x, axis), expected)
        same(x, kept)
        same(riffle.sort(x[..., ::-1], axis), expected[..., ::-1])
    np.testing.assert_array_equal(riffle.sort(x, axis, descending=True), np.flip(expected, axis))
    assert riffle.sort(x, axis, out=x) is x
    same(x, expected)


def test_results_of_lists_and_others():
    """A result is of x's kind where that says how to make one."""
    class Space:
        @staticmethod
        def from_dlpack(y):
            return ["made", y.tolist()]

    class Other:
        def __array__(self, dtype=None, copy=None):
            return np.array([[3, 1], [2, 4]])

        def __array_namespace__(self):
            return Space
    assert riffle.sort(Other()) == ["made", [[1, 3], [2, 4]]] and riffle.sort(Other(), axis=0) == ["made", [[2, 1], [3, 4]]]
    assert riffle.sort([[3, 1], [2, 4]], 0).tolist() == [[2, 1], [3, 4]]


def test_no_segments():
    """first=[0] says that there are none."""
    none, where = np.zeros(0, "i4"), np.array([0], "i4")
    for first in ([0], where):
        assert riffle.sort(none, first=first).tolist() == [] and riffle.argsort(none, first=first).tolist() == []
        assert riffle.sort(none, first=first, values=none)[1].dtype == none.dtype
        assert riffle.top(none, 0, first=first) == riffle.unique(none, first=first) == riffle.hull(np.zeros((0, 2)), first=first) == []
        assert riffle.merge(none, first=first).tolist() == [] and riffle.sort(none, first=first, before="a > b").tolist() == []
        corners, lengths = riffle.hull(np.zeros((0, 2)), first=first, padded=True)
        assert corners.shape == lengths.shape == (0,)


def compiler_that_counts(folder, monkeypatch):
    """CC is a compiler that leaves a line for each of its runs."""
    runs, script = folder / "runs", folder / "cc"
    script.write_text(f'#!/bin/sh\necho run >> "{runs}"\nexec {os.environ.get("CC", "cc")} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    return lambda: len(runs.read_text().splitlines()) if runs.exists() else 0


def test_compiled_once(tmp_path, monkeypatch):
    """A comparison and an operation, of whatever lengths, and with check; another type is another text."""
    runs = compiler_that_counts(tmp_path, monkeypatch)
    for n in (10, 1000, 1, 77, 1 << 12):
        x = np.arange(n)
        assert riffle.sort(x, before="b + 0 < a + 0", check=True).tolist() == x[::-1].tolist()
    assert runs() == 1
    riffle.sort(np.arange(3.0), before="b + 0 < a + 0")
    assert runs() == 2
    for n in (8, 64, 1024):
        assert riffle.run("map {a * 3 + 1}", np.arange(n)).tolist() == (np.arange(n) * 3 + 1).tolist()
    assert runs() == 3


SLOW = "({ for (volatile int k = 0; k < 2000; k++); a < b; })"


@pytest.mark.parametrize("task", [riffle.sort, riffle.argsort, riffle.unique, functools.partial(riffle.sort, check=True)])
def test_interrupts(task):
    """Ctrl-C ends a sort that would take minutes within a second of a processor, however many others want that, and what is asked for
    afterwards is done."""
    x = np.random.default_rng(9).permutation(1 << 22)
    kept = x.copy()
    task(x[:2], before=SLOW)
    sent = []

    def press():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        task(x, before=SLOW)
    assert time.process_time() - sent[0] < 1
    timer.join()
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_array_equal(riffle.sort(x[:50], before=SLOW), np.sort(x[:50]))


def test_signals_that_raise_nothing():
    """The sort goes on."""
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(True))
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
    timer.start()
    try:
        x = np.random.default_rng(10).permutation(20000)
        np.testing.assert_array_equal(riffle.sort(x, before=SLOW), np.sort(x))
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert seen == [True]


def test_refusals():
    for x, words in ((np.zeros(3, "c8"), "of dtype complex64; sorts are of"), (np.array(["b", "a"]), "of dtype <U1; .*; pass x.astype.'S'."),
                     (np.zeros(3, [("a", "i4", (2,))]), "sorts are of")):
        with pytest.raises(riffle.errors.Unsupported, match=words):
            riffle.sort(x)
    with pytest.raises(ValueError, match="order: 'b' is no field; they are a"):
        riffle.sort(np.zeros(3, [("a", "i4")]), order="b")
    with pytest.raises(ValueError, match="order: 'a', and x has no fields"):
        riffle.sort(np.zeros(3), order="a")
    with pytest.raises(ValueError, match="axis: 0 of an array of 0 dimensions"):
        riffle.sort(np.float64(1), axis=0)
    with pytest.raises(ValueError, match="order: 'a' is named twice"):
        riffle.sort(np.zeros(3, [("a", "i4")]), order=["a", "a"])
    with pytest.raises(ValueError, match="descending: 'b' is no field"):
        riffle.sort(np.zeros(3, [("a", "i4")]), descending=["b"])
    x, before = np.arange(6)[::-1].copy(), list(range(5, -1, -1))
    for words, call in (("first: from 0 to 5; it is from 0 to 6", lambda: riffle.sort(x, first=[0, 5], out=x)),
                        ("first: segment 1 begins at 4 and ends at 2", lambda: riffle.sort(x, first=[0, 4, 2, 6], out=x)),
                        ("first: of shape", lambda: riffle.sort(x, first=[], out=x)),
                        ("first: of no segments, and x has 6", lambda: riffle.sort(x, first=[0], out=x)),
                        ("first: of 2 arrays", lambda: riffle.sort(x.reshape(2, 3), first=[0, 6])),
                        ("count: the first 7 of 6", lambda: riffle.top(x, 7)), ("kth: 6; it is from -6 to 5", lambda: riffle.partition(x, 6)),
                        ("values: of shape", lambda: riffle.sort(x, values=x[:3], out=x)), ("values have 4 or 8 bytes", lambda: riffle.sort(x, values=x.astype("i1"))),
                        ("values and indices at once", lambda: riffle.sort(x, values=x, return_index=True)),
                        ("unknown algorithm of sorts 'bubble'", lambda: riffle.sort(x, algorithm="bubble", out=x)),
                        ("runs are a list of arrays", lambda: riffle.merge(x)), ("runs of several dtypes", lambda: riffle.merge([x, x * 1.0])),
                        ("keys and from_keys overlap", lambda: riffle.sort(x[:4], out=x[2:]))):
        with pytest.raises(ValueError, match=words):
            call()
    assert x.tolist() == before


def test_checked_sorts_are_the_same():
    x = np.random.default_rng(5).integers(-50, 50, (30, 400)).astype("<i4")
    np.testing.assert_array_equal(riffle.sort(x, check=True), np.sort(x))
    np.testing.assert_array_equal(riffle.argsort(x, 0, check=True), np.argsort(x, 0, kind="stable"))
    np.testing.assert_array_equal(riffle.merge(np.sort(x, axis=1), check=True), np.sort(x, axis=None))
    for lacks in (functools.partial(riffle.top, count=7), functools.partial(riffle.partition, kth=7), riffle.unique):
        with pytest.raises(riffle.errors.Unsupported, match="check: top, partition and unique have none"):
            lacks(x, check=True)
