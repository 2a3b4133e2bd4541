#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sorts.py: the program of docs/tutorial-sort.md. Sorts numbers, records and much else by the package `riffle`, and compares each
result with NumPy's."""
import numpy as np

import riffle


def numbers(random):
    x = random.integers(-1000, 1000, 100_000)
    np.testing.assert_array_equal(riffle.sort(x), np.sort(x, kind="stable"))
    np.testing.assert_array_equal(riffle.argsort(x), np.argsort(x, kind="stable"))

    down, order = riffle.sort(x, descending=True, return_index=True)
    np.testing.assert_array_equal(down, x[order])

    table = random.random((1000, 8), dtype=np.float32)
    np.testing.assert_array_equal(riffle.sort(table, axis=0), np.sort(table, axis=0))


def what_goes_along(random):
    key = random.integers(0, 1 << 20, 100_000, dtype=np.uint32)
    weight = random.random(100_000)
    keys, weights = riffle.sort(key, values=weight)
    order = np.argsort(key, kind="stable")
    np.testing.assert_array_equal(keys, key[order])
    np.testing.assert_array_equal(weights, weight[order])


def records(random):
    trades = np.empty(10_000, dtype=[("day", "u2"), ("price", "f4"), ("buyer", "u4")])
    trades["day"] = random.integers(0, 250, trades.size)
    trades["price"] = random.integers(1, 100, trades.size)
    trades["buyer"] = np.arange(trades.size)
    ranked = riffle.sort(trades, order=["day", "price"], descending=["price"])
    np.testing.assert_array_equal(ranked, trades[np.lexsort((-trades["price"], trades["day"]))])


def parts_of_a_sort(random):
    x = random.integers(0, 5000, 100_000)
    np.testing.assert_array_equal(riffle.top(x, 10, descending=True), np.sort(x)[::-1][:10])
    assert riffle.partition(x, 777)[777] == np.sort(x)[777]
    np.testing.assert_array_equal(riffle.unique(x), np.unique(x))

    days = [np.sort(random.integers(0, 5000, n)) for n in (100, 7, 2000)]
    np.testing.assert_array_equal(riffle.merge(days), np.sort(np.concatenate(days)))


def segments(random):
    x = random.random(5000)
    first = [0, 700, 700, 5000]  # segments of 700, 0 and 4300 elements
    parts = [np.sort(x[begin:end]) for begin, end in zip(first, first[1:])]
    np.testing.assert_array_equal(riffle.sort(x, first=first), np.concatenate(parts))


def an_order_of_your_own(random):
    x = random.integers(-100, 100, 1000, dtype=np.int32)
    small_first = riffle.sort(x, before="abs(a) < abs(b)", check=True)
    np.testing.assert_array_equal(small_first, x[np.argsort(np.abs(x), kind="stable")])


def an_order_that_is_none():
    try:
        riffle.sort(np.array([3, 1, 2], dtype=np.int32), before="a <= b", check=True)
    except riffle.Error as error:
        return str(error)
    raise AssertionError("a comparison by which a number comes before itself was accepted")


def main():
    random = np.random.default_rng()
    numbers(random)
    what_goes_along(random)
    records(random)
    parts_of_a_sort(random)
    segments(random)
    an_order_of_your_own(random)
    print(an_order_that_is_none())


main()
