# SPDX-License-Identifier: Apache-2.0
"""riffle.Perm: permutations as values."""
import functools
import operator
import re
import sys

from . import _core, _plots
from ._arguments import text, whole
from ._arrays import adopt
from .errors import IndexOutOfRange, InvalidArgument, LengthError, NotAPermutation


class Perm:
    """A permutation P of 0..n-1: index i goes to P(i), and moving x along it means y[P(i)] = x[i]. An immutable value.

    `spec` is a text of the spec language (docs/spec.md): "bit-reversal", "transpose:3x4", "axes:2x3x4:2,0,1", "rotate:5",
    "random:SEED", "table:[2,0,1]", "~SPEC" for the inverse, "A|B" for A and then B. `n` is the length, at most 2^40.

        p(i)         the image of an index, or an array of the images of an array of indices
        p | q        p, and then q            ~p       the inverse
        p == q       the same images          len(p)   n

    SpecSyntaxError says where a text does not parse; LengthError that n does not suit.
    """

    __slots__ = ("_handle", "_key", "_text", "__weakref__")  # its text, where that is known to be short

    def __init__(self, spec, n):
        self._handle = _core.perm_parse(text(spec, "spec"), whole(n, "n", 0, (1 << 64) - 1))
        # A table's file may change, so its text says nothing.
        self._key = object() if "table" in spec else (spec, self._handle.n)
        self._text = None if "table" in spec else _core.perm_short_spec(self._handle)

    @classmethod
    def _of(cls, handle, key=None, is_short=False):
        self = object.__new__(cls)
        self._handle = handle
        self._key = object() if key is None else key
        self._text = _core.perm_short_spec(handle) if is_short else None
        return self

    @classmethod
    def table(cls, table):
        """P(i) = table[i]: integers of shape (n,), on the host, copied.

        To gather, y = x[indices], move along ~Perm.table(indices). NotAPermutation names two indices that clash, or the one
        that is out of range."""
        table = table_of(table, "table")
        try:
            return cls._of(_core.perm_table(table))
        except NotAPermutation:
            _refuse_below_zero(table)
            raise

    @property
    def n(self):
        """How many indices it permutes."""
        return self._handle.n

    @property
    def spec(self):
        """Its text: Perm(p.spec, p.n) == p."""
        return _core.perm_spec(self._handle)

    @property
    def output_shape(self):
        """The shape that it gives to a result, a transpose's say, or None."""
        return _core.perm_output_shape(self._handle)

    def distribution(self, width=32):
        """D_w(P), from n/w to n: what a scatter pays in whole memory transactions (Kasagi, Nakano, Ito 2013, section IV)."""
        return _core.perm_distribution(self._handle, whole(width, "width"))

    def to_numpy(self):
        """The table, int64 of shape (n,): y[p.to_numpy()] = x moves x along p, and x[(~p).to_numpy()] is the same."""
        import numpy
        table = numpy.empty(self.n, numpy.int64)
        _core.perm_map(self._handle, 0, table)
        return table

    def __call__(self, i):
        try:
            index = operator.index(i)
        except TypeError:
            return self._images(i)
        if not -self.n <= index < self.n:
            raise IndexOutOfRange(f"index {index} of a permutation of {self.n}")
        return _core.perm_at(self._handle, index)

    def _images(self, indices):
        import numpy
        images = numpy.array(indices, subok=True)
        if images.dtype.kind not in "iu" and images.size > 0:
            raise InvalidArgument(f"i: of dtype {images.dtype}; indices are integers")
        if images.dtype.kind == "u":
            images = numpy.minimum(images, images.dtype.type(min(self.n, numpy.iinfo(images.dtype).max)))  # n: what is beyond int64 too
        images = images.astype(numpy.int64)
        _core.perm_look_up(self._handle, images)
        return images

    def __len__(self):
        return self._handle.n

    def __or__(self, then):
        if not isinstance(then, Perm):
            return NotImplemented
        return Perm._of(_core.perm_compose(self._handle, then._handle), ("|", self._key, then._key),
                        self._text is not None and then._text is not None)

    def __invert__(self):
        return Perm._of(_core.perm_invert(self._handle), ("~", self._key), self._text is not None)

    def __eq__(self, other):
        return _core.perm_equal(self._handle, other._handle) if isinstance(other, Perm) else NotImplemented

    def __hash__(self):
        return _core.perm_hash(self._handle)

    def __repr__(self):
        return _core.perm_quoted(self._handle)

    plot = _plots.perm

    def __reduce__(self):
        return Perm, (self.spec, self.n)


@functools.cache
def _is_integer(dtype):
    return re.fullmatch(r"torch\.u?int\d+", str(dtype)) is not None


def entries(indices, name):
    """Integers as the core reads them: 4 or 8 bytes, this machine's byte order."""
    indices, _ = adopt(indices, name)
    if hasattr(indices, "element_size"):  # PyTorch's dtypes say less of themselves
        if not _is_integer(indices.dtype):
            raise InvalidArgument(f"{name}: of dtype {indices.dtype}; indices are integers")
        return indices if indices.element_size() >= 4 else indices.long()
    if indices.dtype.kind not in "iu":
        if indices.size > 0:
            raise InvalidArgument(f"{name}: of dtype {indices.dtype}; indices are integers")
        indices = indices.astype("int64")
    if indices.dtype.itemsize < 4 or not indices.dtype.isnative:
        indices = indices.astype("int64")
    return indices


def table_of(indices, name):
    """The same for a table, which has one dimension."""
    table = entries(indices, name)
    if len(table.shape) != 1:
        raise LengthError(f"{name}: of shape {tuple(table.shape)}; a table is of shape (n,)")
    return table


def _refuse_below_zero(table):
    """Raises where the first index that is out of range is below zero, which the core takes for a large number."""
    import numpy
    given = numpy.asarray(table)
    wrong = (given < 0) | (given >= given.size)
    k = int(wrong.argmax())
    if wrong.any() and given[k] < 0:
        raise NotAPermutation(f"table: index {k} maps to {given[k]}; a table of {given.size} has numbers from 0 to {given.size - 1}") from None


def recognize(perm):
    """The same permutation in the most structured form that an O(n) look finds: of a table (integers of shape (n,)) or a
    Perm. A table that is a rotation, a reflection, a transpose or affine becomes one; anything else comes back as it was."""
    perm = perm if isinstance(perm, Perm) else Perm.table(perm)
    return Perm._of(_core.perm_recognize(perm._handle), is_short=True)
