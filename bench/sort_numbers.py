# SPDX-License-Identifier: Apache-2.0
"""The numbers of the suites sort and sort-gpu, made as cli/bench/sorts/numbers.c makes them (zipf's to the last bit of a pow)."""
import numpy as np

DTYPES = {"u8": "u1", "i16": "<i2", "u32": "<u4", "u64": "<u8", "i64": "<i8", "f16": "<f2", "f32": "<f4", "f64": "<f8"}


def mixed(k):
    """splitmix64's mixing."""
    with np.errstate(over="ignore"):
        k = k + np.uint64(0x9E3779B97F4A7C15)
        k = (k ^ (k >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        k = (k ^ (k >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return k ^ (k >> np.uint64(31))


def reversed_bits(k, bits):
    out = np.zeros_like(k)
    for bit in range(bits):
        out |= ((k >> np.uint64(bit)) & np.uint64(1)) << np.uint64(63 - bit)
    return out


def zipf(k, n):
    with np.errstate(over="ignore"):
        return (float(n) ** ((mixed(k) >> np.uint64(11)) * 2.0**-53)).astype(np.uint64) * np.uint64((2**64 - 1) // (n + 1))


def staggered(k, n):
    stretch = k // np.uint64(n // 16 + 1)
    place = np.where(stretch % np.uint64(2) == 0, stretch // np.uint64(2), np.uint64(8) + stretch // np.uint64(2))
    return place * np.uint64((2**64 - 1) // 17) + mixed(k) // np.uint64(17)


def numbers_of(row):
    """Numbers of 64 bits in the row's order, one segment after the other."""
    n, arrays = row["n"], row.get("arrays", 1)
    k = np.arange(n, dtype=np.uint64)
    step = np.uint64((2**64 - 1) // n)
    orders = {"uniform": lambda: mixed(np.arange(n * arrays, dtype=np.uint64)), "sorted": lambda: k * step, "reversed": lambda: k[::-1] * step,
              "few": lambda: mixed(k) >> np.uint64(60) << np.uint64(60), "equal": lambda: np.full(n, 2**62, np.uint64),
              "nearly": lambda: np.where(mixed(k) % np.uint64(64) == 0, mixed(~k), k * step), "zipf": lambda: zipf(k, n),
              "staggered": lambda: staggered(k, n), "alternating": lambda: reversed_bits(k, (n - 1).bit_length())}
    numbers = orders[row["by"]]()
    return numbers if len(numbers) == n * arrays else np.tile(numbers, arrays)


def array_of(row):
    """They as numbers of the row's type; rows of three integers of 24 bytes."""
    if row["elem_bytes"] == 24:
        numbers = numbers_of(row)
        return np.stack([numbers >> np.uint64(54), mixed(numbers) >> np.uint64(54), mixed(~numbers)], 1).view("<i8")
    numbers, dtype = numbers_of(row), np.dtype(DTYPES[row["type"]])
    if dtype.kind == "f":
        kept = {2: 11, 4: 24, 8: 53}[dtype.itemsize]
        return ((numbers >> np.uint64(64 - kept)) * 2.0**-kept).astype(dtype)
    if dtype.kind == "i":
        numbers = numbers ^ np.uint64(2**63)
    return (numbers >> np.uint64(64 - 8 * dtype.itemsize)).astype(f"u{dtype.itemsize}").view(dtype)
