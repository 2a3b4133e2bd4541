# SPDX-License-Identifier: Apache-2.0
"""The numbers of the suites sort and sort-gpu, made as bench/suites/sorts/number.h makes them (zipf's to the last bit of a pow).

By NumPy, or by PyTorch on its default device: `lib` is either. Both wrap integers of 64 bits around; unsigned ones PyTorch lacks."""
import numpy as np

MOST = 2**64 - 1
DTYPES = {"u8": "uint8", "i16": "int16", "i32": "int32", "u32": "uint32", "i64": "int64", "u64": "uint64", "f16": "float16", "f32": "float32",
          "f64": "float64"}


def signed(constant):
    """The signed number with the same bits."""
    return constant - 2**64 if constant >= 2**63 else constant


def shifted(k, bits):
    """Bits from the upper end moved down, zeros behind them."""
    return (k >> bits) & (2**(64 - bits) - 1)


def divided(k, by):
    """By a small number, k taken for unsigned."""
    quotient = shifted(k, 1) // by * 2
    return quotient + (k - quotient * by >= by)


def mixed(k):
    """splitmix64's mixing."""
    k = k + signed(0x9E3779B97F4A7C15)
    k = (k ^ shifted(k, 30)) * signed(0xBF58476D1CE4E5B9)
    k = (k ^ shifted(k, 27)) * signed(0x94D049BB133111EB)
    return k ^ shifted(k, 31)


def reversed_bits(k, bits):
    out = k * 0
    for bit in range(bits):
        out |= ((k >> bit) & 1) << (63 - bit)
    return out


def zipf(k, n, lib):
    part = lib.asarray(shifted(mixed(k), 11), dtype=lib.float64) * 2.0**-53
    return lib.asarray(float(n) ** part, dtype=lib.int64) * (MOST // (n + 1))


def staggered(k, n, lib):
    stretch = k // (n // 16 + 1)
    place = lib.where(stretch % 2 == 0, stretch // 2, 8 + stretch // 2)
    return place * (MOST // 17) + divided(mixed(k), 17)


def halves(k):
    number = mixed(k)
    return (number & signed(2**63)) | ((number & (2**63 - 1)) >> (mixed(~k) & 31))


def clusters(k):
    return (shifted(mixed(k), 32) * 37 >> 32) * (MOST // 37) + shifted(mixed(~k), 36)


def numbers_of(row, lib):
    """Numbers of 64 bits in the row's order, one segment after the other."""
    n, arrays = row["n"], row.get("arrays", 1)
    k, step = lib.arange(n), MOST // n
    orders = {"uniform": lambda: mixed(lib.arange(n * arrays)), "sorted": lambda: k * step, "reversed": lambda: (n - 1 - k) * step,
              "few": lambda: shifted(mixed(k), 60) << 60, "equal": lambda: k * 0 + 2**62,
              "nearly": lambda: lib.where((mixed(k) & 63) == 0, mixed(~k), k * step), "zipf": lambda: zipf(k, n, lib),
              "staggered": lambda: staggered(k, n, lib), "alternating": lambda: reversed_bits(k, (n - 1).bit_length()),
              "halves": lambda: halves(k), "clusters": lambda: clusters(k)}
    numbers = orders[row["by"]]()
    return numbers if len(numbers) == n * arrays else lib.tile(numbers, (arrays,))


def array_of(row, lib=np):
    """They as numbers of the row's type; rows of three integers of 24 bytes. Signed and unsigned ones are in the same order."""
    numbers, kind, elem_bytes = numbers_of(row, lib), row["type"][0], row["elem_bytes"]
    if elem_bytes == 24:
        return lib.stack([shifted(numbers, 54), shifted(mixed(numbers), 54), mixed(~numbers)], 1)
    if kind == "f":
        kept = {2: 11, 4: 24, 8: 53}[elem_bytes]
        numbers = lib.asarray(shifted(numbers, 64 - kept), dtype=lib.float64) * 2.0**-kept
    elif kind == "i":
        numbers = (numbers ^ signed(2**63)) >> (64 - 8 * elem_bytes)
    else:
        numbers = (numbers >> (64 - 8 * elem_bytes)) & (2**(8 * elem_bytes) - 1) if elem_bytes < 8 else numbers
    return lib.asarray(numbers, dtype=getattr(lib, DTYPES[row["type"]]))
