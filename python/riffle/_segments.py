# SPDX-License-Identifier: Apache-2.0
"""Parts of an array that are done each by itself: all as long, or where `first` says that they begin."""
from . import _core
from ._arrays import numbers_like
from ._perm import entries
from .errors import InvalidArgument, LengthError


class Segments:
    """`count` segments of `length` things each; with `first` of `length` things together, of which segment s has first[s] up to
    first[s + 1].

    first     None, or int64 where `like` is, as the core reads it
    numbers   the same as a list, None where that would mean to wait for a GPU"""

    def __init__(self, like, count, length, first):
        self.first, self.numbers, self.count, self.length = None, None, count, length
        if first is not None:
            self._read(like, entries(first, "first"))

    def _read(self, like, first):
        if self.count != 1:
            raise LengthError(f"first: of {self.count} arrays, which are segments already")
        if len(first.shape) != 1 or first.shape[0] < 1:
            raise LengthError(f"first: of shape {tuple(first.shape)}; of s segments it has s + 1 numbers")
        self.count = first.shape[0] - 1
        if self.count == 0 and self.length > 0:
            raise LengthError(f"first: of no segments, and x has {self.length}")
        device, itemsize, _, _ = _core.describe(first)
        if device < 0:
            self.numbers = [int(number) for number in first]
            self._check()
            first = numbers_like(like, self.numbers)
        elif (device, itemsize) != (_core.describe(like)[0], 8):
            raise InvalidArgument("first: on a GPU it is of int64, and where x is")
        self.first = first

    def _check(self):
        numbers = self.numbers
        if numbers[0] != 0 or numbers[-1] != self.length:
            raise InvalidArgument(f"first: from {numbers[0]} to {numbers[-1]}; it is from 0 to {self.length}, the length of x")
        for k in range(self.count):
            if numbers[k] > numbers[k + 1]:
                raise InvalidArgument(f"first: segment {k} begins at {numbers[k]} and ends at {numbers[k + 1]}")

    def begins(self):
        """Where segments begin among all; waits for a GPU whose numbers were not given."""
        if self.first is None:
            return [k * self.length for k in range(self.count)]
        return (self.first.tolist() if self.numbers is None else self.numbers)[:-1]

    def cut(self, array, lengths, begins=None):
        """The first results of each segment, so many as `lengths` says."""
        begins = self.begins() if begins is None else begins
        return [None if array is None else array[begin:begin + length] for begin, length in zip(begins, lengths)]
