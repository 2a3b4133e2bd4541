# SPDX-License-Identifier: Apache-2.0
"""Convex hulls in the plane."""
import math

from . import _core
from ._arguments import text, whole
from ._arrays import adopt
from ._plan import cache
from ._program import _type
from ._segments import Segments
from .errors import InvalidArgument


def _planned(points, sets, all, algorithm, threads):
    """Kept on a GPU, for making one waits."""
    device, _, shape, _ = _core.describe(points)
    options = (_type(points.dtype), sets, all, algorithm, threads)
    if device < 0:
        return _core.hull_plan(points, *options)
    key = ("hull", device, math.prod(shape), *options)
    return cache.find(key, lambda: _core.hull_plan(points, *options))


def hull(points, all=False, *, first=None, algorithm="auto", threads=0, padded=False):
    """Indices (int64) of the corners of the convex hull, counter-clockwise from the lexicographically smallest point; exact.

    points     shape (m, 2): float32, float64 or integers, on the host or on a GPU. Shape (k, m, 2) is k sets, of which a list of k
               arrays of indices comes back, each index that of the point in its set
    all        keeps points between two corners too
    first      sets of any lengths: set s has points first[s] up to first[s + 1] of shape (m, 2). A list of arrays of indices,
               among all points
    algorithm  "auto", or "paper": the dissertation's (docs/hull.md), on the CPU its sequential one
    threads    of the CPU, at most; 0: as many as pay
    padded     a pair instead: indices of shape (m,), or (k, m), and how many of each set count, (k,). On a GPU nothing waits then,
               and the numbers are 0 if a point is not finite

    NaN and infinity raise InvalidArgument, which names the first such point. docs/hull.md has more."""
    points, finish = adopt(points, "points")
    shape = tuple(points.shape)
    if len(shape) not in (2, 3) or shape[-1] != 2:
        raise InvalidArgument(f"points: of shape {shape}; points are (m, 2), and sets of them (k, m, 2)")
    if getattr(points.dtype, "isnative", True) is False:
        points = points.astype(points.dtype.newbyteorder("="))
    sets = Segments(points, math.prod(shape[:-2]), shape[-2], first)
    plan = _planned(points, sets.count, bool(all), text(algorithm, "algorithm"), whole(threads, "threads"))
    corners, lengths = _core.numbers(points, [math.prod(shape[:-1])]), _core.numbers(points, [sets.count])
    if corners.shape[0] > 0:
        workspace = _core.hulls(plan, points, sets.first, corners, lengths)
    else:
        lengths *= 0
    if sets.first is None and len(shape) == 3:
        corners = corners.reshape(shape[:-1])
        corners %= max(shape[-2], 1)
    if padded:
        return (corners, lengths) if finish is None else (finish(corners), finish(lengths))
    if _core.describe(points)[0] >= 0 and corners.shape[0] > 0:
        _core.hulls_check(plan, points, workspace)
    counts = lengths.tolist()
    found = sets.cut(corners, counts) if first is not None or len(shape) == 2 else [row[:count] for row, count in zip(corners, counts)]
    found = found if finish is None else [finish(one) for one in found]
    return found if first is not None or len(shape) == 3 else found[0]
