#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""npy_files.py [RIFFLE]: the program of docs/tutorial-files.md. Moves arrays by the command `riffle`, or RIFFLE, in a folder
of its own, and compares each result with NumPy's."""
import os
import subprocess
import sys
import tempfile

import numpy as np

RIFFLE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "riffle"


def riffle(*arguments):
    """Runs the command. Where it fails, its message is the exception's."""
    done = subprocess.run([RIFFLE, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def shuffle_rows(random):
    samples = random.random((1000, 64), dtype=np.float32)
    labels = np.arange(1000)
    np.save("samples.npy", samples)
    np.save("labels.npy", labels)
    riffle("permute", "samples.npy", "samples-1.npy", "--rows", "--by", "random:1")
    riffle("permute", "labels.npy", "labels-1.npy", "--by", "random:1")

    order = np.load("labels-1.npy")  # sample order[k] is now row k
    np.testing.assert_array_equal(np.load("samples-1.npy"), samples[order])
    np.testing.assert_array_equal(np.sort(order), labels)


def your_own_order(random):
    x = random.random((1000, 64))
    order = random.permutation(1000)
    np.save("x.npy", x)
    np.save("order.npy", order)
    riffle("permute", "x.npy", "picked.npy", "--rows", "--by", "~table:order.npy")
    riffle("permute", "x.npy", "put.npy", "--rows", "--by", "table:order.npy")

    np.testing.assert_array_equal(np.load("picked.npy"), x[order])
    put = np.empty_like(x)
    put[order] = x
    np.testing.assert_array_equal(np.load("put.npy"), put)


def channels_first(random):
    image = random.integers(0, 256, (480, 640, 3), dtype=np.uint8)
    np.save("image.npy", image)
    riffle("permute", "image.npy", "channels.npy", "--by", "axes:480x640x3:2,0,1")

    np.testing.assert_array_equal(np.load("channels.npy"), image.transpose(2, 0, 1))


def bit_reversal(random):
    signal = random.random(1 << 16) + 1j * random.random(1 << 16)
    np.save("signal.npy", signal)
    riffle("permute", "signal.npy", "reversed.npy", "--by", "bit-reversal")

    table = np.zeros(1, dtype=np.int64)
    for _ in range(16):
        table = np.concatenate([2 * table, 2 * table + 1])
    np.testing.assert_array_equal(np.load("reversed.npy"), signal[table])


def a_table_that_is_none():
    np.save("order.npy", np.array([0, 1, 1, 3]))
    np.save("four.npy", np.arange(4.0))
    try:
        riffle("permute", "four.npy", "out.npy", "--by", "table:order.npy")
    except RuntimeError as error:
        return str(error)
    raise AssertionError("a table that names 1 twice was accepted")


def main():
    random = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for step in (shuffle_rows, your_own_order, channels_first, bit_reversal):
            step(random)
            print(f"{step.__name__}: as NumPy has it")
        print(a_table_that_is_none())
        os.chdir("/")


main()
