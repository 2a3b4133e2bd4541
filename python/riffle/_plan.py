# SPDX-License-Identifier: Apache-2.0
"""Plans, kept for those who ask again, and moves along permutations by them."""
import atexit
import collections
import math
import os
import sys
import threading

from . import _core, _plots
from ._arguments import check_name, text, whole
from ._arrays import adopt, along, writable
from ._bits import permute_packed
from ._perm import Perm, table_of
from .errors import InvalidArgument, LengthError, Unsupported


class Cache:
    """The plans that were used last, by permutation, length, element size and device. Threads may share it.

    `limit` plans at most, of `limit_bytes` together, are kept; both can be set. `size` and `bytes` say how many there are and
    what they keep, `hits` and `misses` how often one was found."""

    def __init__(self, limit=64, limit_bytes=1 << 30):
        self._plans, self._lock = collections.OrderedDict(), threading.Lock()
        self._limit, self._limit_bytes, self.hits, self.misses = limit, limit_bytes, 0, 0

    def find(self, key, make):
        with self._lock:
            plan = self._plans.get(key)
            if plan is not None:
                self._plans.move_to_end(key)
                self.hits += 1
                return plan
            self.misses += 1
        plan = make()
        with self._lock:
            self._plans[key] = plan
            dropped = self._shrink()
        del dropped  # freed when others may look again
        return plan

    def _shrink(self):
        dropped = []
        while self._plans and (len(self._plans) > self._limit or self._bytes() > self._limit_bytes):
            dropped.append(self._plans.popitem(last=False))
        return dropped

    def _bytes(self):
        return sum(getattr(plan, "bytes", 0) for plan in self._plans.values())

    @property
    def size(self):
        """Plans that are kept."""
        return len(self._plans)

    @property
    def bytes(self):
        """Bytes of their schedules."""
        with self._lock:
            return self._bytes()

    @property
    def limit(self):
        """Plans that are kept at most; 0 for none."""
        return self._limit

    @limit.setter
    def limit(self, limit):
        self._limit = whole(limit, "limit", 0, sys.maxsize)
        self._set()

    @property
    def limit_bytes(self):
        """Bytes that they keep together at most."""
        return self._limit_bytes

    @limit_bytes.setter
    def limit_bytes(self, limit):
        self._limit_bytes = whole(limit, "limit_bytes", 0, sys.maxsize)
        self._set()

    def _set(self):
        with self._lock:
            dropped = self._shrink()
        del dropped

    def clear(self):
        """Keeps no plan any more."""
        with self._lock:
            dropped, self._plans = self._plans, collections.OrderedDict()
        del dropped

    def __repr__(self):
        return f"riffle.cache: {self.size} of {self.limit} plans, {self.bytes} of {self.limit_bytes} bytes, {self.hits} hits"


cache = Cache()
atexit.register(cache.clear)  # while a GPU's driver is there


def _form(like, axis):
    """Device, dimensions before an axis, along it, and bytes of all that lies behind, as a plan has them."""
    device, itemsize, shape, _ = _core.describe(like)
    if axis is None:
        return device, 1, math.prod(shape), itemsize, -1
    axis = along(axis, len(shape))
    return device, math.prod(shape[:axis]), shape[axis], itemsize * math.prod(shape[axis + 1:]), axis


def _plan(p, like, axis, in_place, inverse, algorithm, threads, executions, effort=(False, 0.0), check="none"):
    device, batch, n, elem_bytes, axis = _form(like, axis)
    options = (batch, elem_bytes, axis, device, algorithm, threads, executions, in_place, *effort, check)
    if isinstance(p, str):
        made, key = None, (p, n)
        if "table" in p:
            made = Perm(p, n)
            key = made._key
    else:
        if not isinstance(p, Perm):
            table = table_of(p, "p")
            if _core.describe(table)[0] >= 0:
                if in_place:
                    raise InvalidArgument("p: a table on a GPU; only structured permutations move in place")
                if effort[0]:
                    raise Unsupported("effort: plans are measured on the host only; leave it out")
                return _core.plan_device_table(table, inverse, batch, elem_bytes, axis, algorithm, check)
            p = Perm.table(table)
        made, key = p, p._key
        if made.n != n:
            raise LengthError(f"x: {n} elements to be moved, and the permutation is of {made.n}")

    def make():
        perm = Perm(p, n) if made is None else made
        return _core.plan((~perm if inverse else perm)._handle, like, *options)
    return cache.find((key, inverse, *options), make)


def _effort(effort, seconds):
    if effort not in ("estimate", "measure"):
        raise InvalidArgument(f"effort: {effort!r}; it is 'estimate' or 'measure'")
    try:
        seconds = float(seconds)
    except (TypeError, ValueError):
        raise InvalidArgument(f"effort_seconds: {seconds!r} is no number") from None
    return effort == "measure", seconds


def wisdom_load(path):
    """Takes in what wisdom_save wrote: how plans of effort "measure" went fastest. FormatError where the file is of another kind, cut
    short or changed; then nothing is taken."""
    _core.wisdom_load(os.fspath(path))


def wisdom_save(path):
    """Writes what effort "measure" found in this process, and what was loaded, to a file, in the place of one that is there."""
    _core.wisdom_save(os.fspath(path))


def wisdom_forget():
    """Forgets it all."""
    _core.wisdom_forget()


def plan(p, like, *, axis=None, in_place=False, inverse=False, algorithm="auto", threads=0, executions=0,
         effort="estimate", effort_seconds=0, check=False):
    """A plan that moves arrays like `like` along p: plan(x) or plan(x, out), where y[p(i)] = x[i].

    p           a Perm, the text of one, or a table: integers of shape (n,). A table on a GPU stays there.
    like        an array: its shape, element size and device are those that the plan is for
    axis        None: all elements in C order are one array of n; else n is the length of that axis
    in_place    plan(x) moves x within itself, and returns it (Unsupported where p does not allow that)
    inverse     moves along the inverse: y[i] = x[p(i)], which is x[p] of a table
    algorithm   docs/command.md has the names; "auto" chooses
    threads     of the CPU, at most; 0: as many as pay
    executions  how often it will be used; 0: often
    effort      "measure": on the host candidates are executed, and the fastest is taken; see riffle.wisdom_save
    effort_seconds  "measure" begins no candidate after so many; 0: one second
    check       True, "full": each call reads its result once more, waits on a GPU, and raises Damaged if it is not what was moved; "passes": of
                moves by buckets, in several passes, what these leave to each other is added up (docs/check.md)

    The last plans are kept (riffle.cache), so asking again is cheap. Threads may share one. Shapes: x as `like`, y the same, or
    with p.output_shape in the place of the axis."""
    like, _ = adopt(like, "like")
    return _plan(p, like, axis, bool(in_place), bool(inverse), text(algorithm, "algorithm"), whole(threads, "threads"),
                 whole(executions, "executions"), _effort(effort, effort_seconds), check_name(check))


def permute(x, p, axis=None, out=None, *, bits=None, order="little", check=False):
    """y with y[p(i)] = x[i], of x's kind: all elements in C order, or along one axis.

    x     an array of any dtype of a fixed size, any strides, up to 32 dimensions
    p     a Perm, the text of one, or a table: integers of shape (n,), n the elements of x or the length of the axis
    out   where the result goes: of its shape and x's dtype. x itself: it is moved in place, where p allows that
    bits  1, 2 or 4: x is of uint8, on the host, and p moves elements of so many bits, packed in bytes; along the last axis or None
    order where in bytes their first elements are: "little", the lowest bits, or "big", as numpy.packbits has them
    check: True, "full" reads the result once more, and raises Damaged if it is not what was moved; "passes" as for plan; not of packed elements

    Shapes: x.shape, or with p.output_shape in the place of the axis (of all axes, if None): permute(x, "transpose:3x4") has
    shape (4, 3)."""
    if bits is not None:
        if check_name(check) != "none":
            raise Unsupported("check: moves of packed elements have none; leave it out")
        return permute_packed(x, p, axis, out, bits, order)
    x, finish = adopt(x)
    out = writable(out, finish)
    in_place = out is not None and (out is x or _core.is_known(out) and _core.are_same(x, out))
    y = _plan(p, x, axis, in_place, False, "auto", 0, 0, check=check_name(check))(x, out)
    return y if finish is None else finish(y)


def _html(self):
    from ._html import plan as as_table
    return as_table(self)


_core.Plan.__doc__ = """A permutation made ready for arrays of one shape, element size and device: riffle.plan makes it.

plan(x) gives a new array, plan(x, out) writes one: y[p(i)] = x[i]. Any number of threads may use one plan."""
_core.Plan.__repr__ = lambda self: (f"<riffle.Plan: {self.batch} x {self.n} elements of {self.elem_bytes} bytes by "
                                    f"'{self.algorithm}', {self.passes} pass{'' if self.passes == 1 else 'es'}>")
_core.Plan._repr_html_, _core.Plan.plot = _html, _plots.plan
