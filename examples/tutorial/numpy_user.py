#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numpy_user.py: the program of docs/tutorial-numpy.md. Moves arrays by the package `riffle`, and compares each result with
NumPy's."""
import numpy as np

import riffle


def transposed_axes(random):
    image = random.integers(0, 256, (480, 640, 3), dtype=np.uint8)
    planes = riffle.transpose(image, (2, 0, 1))
    np.testing.assert_array_equal(planes, image.transpose(2, 0, 1))

    out = np.empty((3, 480, 640), dtype=np.uint8)
    riffle.transpose(image, (2, 0, 1), out=out)  # no new array
    np.testing.assert_array_equal(out, planes)


def shuffled_rows(random):
    samples = random.random((1000, 64), dtype=np.float32)
    labels = np.arange(1000)
    mixed, order = riffle.shuffle(samples, seed=1), riffle.shuffle(labels, seed=1)

    np.testing.assert_array_equal(mixed, samples[order])  # a sample and its label stay together
    np.testing.assert_array_equal(np.sort(order), labels)


def rows_of_your_own_order(random):
    x = random.random((1000, 64))
    order = random.permutation(1000)
    np.testing.assert_array_equal(riffle.take(x, order), x[order])

    put = np.empty_like(x)
    put[order] = x
    np.testing.assert_array_equal(riffle.permute(x, riffle.Perm.table(order), axis=0), put)


def reversed_bits(random):
    signal = random.random(1 << 16) + 1j * random.random(1 << 16)
    bits = riffle.Perm("bit-reversal", signal.size)
    moved = riffle.permute(signal, bits)

    table = np.zeros(1, dtype=np.int64)
    for _ in range(16):
        table = np.concatenate([2 * table, 2 * table + 1])
    np.testing.assert_array_equal(moved, signal[table])
    np.testing.assert_array_equal(riffle.permute(moved, ~bits), signal)  # ~ is the inverse


def many_arrays_in_one_order(random):
    order = riffle.Perm.table(random.permutation(1 << 14))
    like = np.empty(1 << 14, dtype=np.float32)
    plan, out = riffle.plan(order, like), np.empty_like(like)
    for _ in range(10):
        x = random.random(1 << 14, dtype=np.float32)
        plan(x, out=out)  # nothing is planned, nothing allocated
        np.testing.assert_array_equal(out[order.to_numpy()], x)
    return plan.explain()


def a_table_that_is_none():
    try:
        riffle.permute(np.arange(4.0), np.array([0, 1, 1, 3]))
    except riffle.Error as error:
        return str(error)
    raise AssertionError("a table that names 1 twice was accepted")


def main():
    random = np.random.default_rng()
    transposed_axes(random)
    shuffled_rows(random)
    rows_of_your_own_order(random)
    reversed_bits(random)
    many_arrays_in_one_order(random)
    print(a_table_that_is_none())


main()
