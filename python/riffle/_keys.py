# SPDX-License-Identifier: Apache-2.0
"""The compared parts of an array's elements: the fields, and the array as the core reads it."""
from ._arguments import several
from ._program import _type
from .errors import InvalidArgument, Unsupported

SIGNED, UNSIGNED, FLOAT, BYTES = range(4)  # riffle_sort_key_kind
_KINDS = {"i": SIGNED, "u": UNSIGNED, "b": UNSIGNED, "f": FLOAT, "S": BYTES, "m": SIGNED, "M": SIGNED}
_LATEST = (1 << 63) - 1  # added to a time, modulo 2^64, it makes the earliest 0, and NaT, the least int64, the greatest number


class Keys:
    """The keys of a dtype's elements.

    fields    kind, bytes, offset, descending and name of each, in the order in which they are compared
    is_ready  whether the core reads arrays of this dtype as they are. Numbers of the other byte order are turned, and times that
              ascend become unsigned numbers among which NaT is last, as NumPy has it; where they descend NaT is last as it is"""

    def __init__(self, dtype, descending, order, before):
        self._dtype = dtype
        self._native = dtype if getattr(dtype, "isnative", True) else dtype.newbyteorder("=")
        names = _compared(dtype, descending, order)
        down = _descending(names, descending)
        self.fields = tuple(self._field(name, name in down, before) for name in names)
        self._times = [name for name in names if name not in down and before is None and self._of(name).kind in ("m", "M")] \
            if hasattr(dtype, "kind") else []
        self.is_ready = self._native is dtype and not self._times

    def _of(self, name):
        return self._native if name is None else self._native.fields[name][0]

    def _field(self, name, is_down, before):
        kind, size = _kind(self._of(name))
        if kind == SIGNED and before is None and not is_down and getattr(self._of(name), "kind", "i") in ("m", "M"):
            kind = UNSIGNED
        offset = 0 if name is None else self._native.fields[name][1]
        return kind, size, offset, is_down, name if before is not None else None

    def _columns(self, x):
        return [(x if name is None else x[name]).view("u8") for name in self._times]

    def read(self, x):
        """x, or a copy, as the core reads it."""
        if self.is_ready:
            return x
        x = x.astype(self._native)
        for column in self._columns(x):
            column += column.dtype.type(_LATEST)
        return x

    def give(self, x):
        """Returns the core's result for such arrays, in x's dtype again."""
        if self.is_ready or x is None:
            return x
        for column in self._columns(x):
            column -= column.dtype.type(_LATEST)
        return x if self._native is self._dtype else x.astype(self._dtype)


def _compared(dtype, descending, order):
    """The fields' names, the first that decides before the others; None stands for an element that has none."""
    names = getattr(dtype, "names", None)
    if names is None:
        if order is not None:
            raise InvalidArgument(f"order: {order!r}, and x has no fields")
        if not _is_answer(descending):
            raise InvalidArgument(f"descending: {descending!r}, and x has no fields")
        return [None]
    first = _named(order, names, "order")
    return [*first] + [name for name in names if name not in first]


def _is_answer(descending):
    return isinstance(descending, (bool, int)) or type(descending).__name__ in ("bool_", "bool")


def _descending(names, descending):
    if _is_answer(descending):
        return set(names if descending else ())
    return set(_named(descending, names, "descending"))


def _named(order, names, what):
    """Names of fields, each once."""
    given = [] if order is None else [order] if isinstance(order, str) else several(order, what)
    for k, name in enumerate(given):
        if name not in names:
            raise InvalidArgument(f"{what}: {name!r} is no field; they are {', '.join(names)}")
        if name in given[:k]:
            raise InvalidArgument(f"{what}: {name!r} is named twice")
    return given


def _kind(dtype):
    if not hasattr(dtype, "kind"):  # PyTorch's
        name = _type(dtype)
        kind, size = ("u", 1) if name == "bool" else (name[0], int(name[1:]) // 8 if name[1:].isdigit() else 0)
        is_sorted = kind in "iuf" and size > 0
    else:
        kind, size = dtype.kind, dtype.itemsize
        is_sorted = kind in _KINDS and dtype.subdtype is None and not (kind == "f" and size > 8)
    if not is_sorted:
        hint = "; pass x.astype('S') if all of it is ASCII" if kind == "U" else ""
        raise Unsupported(f"x: of dtype {dtype}; sorts are of integers, floats of 16 to 64 bits, times, and bytes ('S10'){hint}")
    return _KINDS[kind], size
