# SPDX-License-Identifier: Apache-2.0
"""Convex hulls in the plane."""
import math

from . import _core
from ._arrays import adopt
from .errors import InvalidArgument, Unsupported


def hull(points, all=False):
    """Indices (int64) of the corners of the convex hull, counter-clockwise from the lexicographically smallest point; exact.

    points   shape (m, 2): float32, float64 or integers, on the host. Shape (k, m, 2) is k sets, of which a list of k arrays
             of indices comes back, each index that of the point in its set.
    all      keeps points between two corners too

    NaN and infinity raise InvalidArgument, which names the first such point. docs/hull.md has more."""
    points, _ = adopt(points, "points")
    device, _, shape, kind = _core.describe(points)
    if device >= 0:
        raise Unsupported("points: on a GPU; hulls are found on the host")
    if len(shape) not in (2, 3) or shape[-1] != 2:
        raise InvalidArgument(f"points: of shape {shape}; points are (m, 2), and sets of them (k, m, 2)")
    import numpy
    points = numpy.asarray(points)
    if not points.dtype.isnative:
        points = points.astype(points.dtype.newbyteorder("="))
    sets, each = math.prod(shape[:-2]), shape[-2]
    corners, lengths = numpy.empty(sets * each, numpy.int64), numpy.zeros(max(sets, 1), numpy.int64)
    if corners.size:
        _core.hulls(points, points.dtype.kind, sets, all, corners, lengths)
    found = [corners[k * each:k * each + lengths[k]] - k * each for k in range(sets)]
    return found if len(shape) == 3 else found[0]
