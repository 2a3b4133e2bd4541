# SPDX-License-Identifier: Apache-2.0
"""How often each small key stands in an array."""
from . import _core
from ._arguments import whole
from ._arrays import adopt, writable
from .errors import InvalidArgument, Unsupported


def _name(dtype):
    """NumPy's name of a dtype, of PyTorch's too."""
    return str(dtype).rpartition(".")[2]


def histogram(keys, *, out=None, threads=None):
    """How often each key stands in an array: numpy.bincount(keys.ravel(), minlength=256), for uint16 minlength=65536, as int64.

    keys     of uint8, bool or uint16, of any shape, on the host or on a GPU, where nothing waits. False is key 0 and True key 1 of 256
    out      where the counts go: int64 of shape (256,), for uint16 (65536,), where the keys are; it shares no memory with them
    threads  of the CPU, at most; None or 0: as many as pay

    The keys are read once. docs/python.md has more."""
    keys, finish = adopt(keys, "keys")
    if getattr(keys.dtype, "isnative", True) is False:
        keys = keys.astype(keys.dtype.newbyteorder("="))
    if _name(keys.dtype) not in ("uint8", "bool", "uint16"):
        raise Unsupported(f"keys: of dtype {keys.dtype}; histograms are of uint8, bool and uint16, as keys.astype('u1') makes them")
    out = writable(out, finish)
    if out is not None and _core.is_known(out) and _name(out.dtype) != "int64":
        raise InvalidArgument(f"out: of dtype {out.dtype}; counts are int64")
    counts = _core.histogram(keys, out, 0 if threads is None else whole(threads, "threads"))
    return counts if finish is None else finish(counts)
