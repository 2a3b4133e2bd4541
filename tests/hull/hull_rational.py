# SPDX-License-Identifier: Apache-2.0
"""Hulls and their measures by Python's integers and fractions, which do not round, and sets of points that are hard for them."""
import math
import sys
from fractions import Fraction

import numpy as np

# -------------------------------------------------------------------- the truth

def exact(points):
    """Integers in the same proportions: a float is a whole number of 2^-1074."""
    if points.dtype.kind != "f":
        return [(int(x), int(y)) for x, y in points]
    def whole(value):
        over, under = float(value).as_integer_ratio()
        return over * (2**1074 // under)
    return [(whole(x), whole(y)) for x, y in points]


GREATEST = Fraction(sys.float_info.max)
LEAST = Fraction(10)**-250  # below, doubles have fewer digits


def root(x):
    """The square root of a fraction, as a fraction that is right to 15 digits at least."""
    shift = max(0, 200 - x.numerator.bit_length() + x.denominator.bit_length())
    return Fraction(math.isqrt((x.numerator << 2 * shift) // x.denominator), 1 << shift)


def is_close(mine, true, relative):
    """True if a double is a true fraction, rounded: infinite beyond doubles; near the greatest either; tiny where it is
    tiny."""
    if true > GREATEST:
        return math.isinf(mine) or (true < GREATEST * (1 + Fraction(relative)) and mine > 1.79e308)
    if true < LEAST:
        return 0 <= mine <= 1.01 * LEAST
    return math.isclose(mine, true, rel_tol=relative) or (math.isinf(mine) and true > GREATEST * (1 - Fraction(relative)))


def unit_of(dtype):
    """The unit that the integers of exact() count."""
    return Fraction(1, 2**1074) if np.dtype(dtype).kind == "f" else Fraction(1)


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def boundary(order, keep_all):
    chain = []
    for point in order:
        while len(chain) >= 2 and (turn := cross(chain[-2], chain[-1], point)) <= 0 and not (turn == 0 and keep_all):
            chain.pop()
        chain.append(point)
    return chain


def true_hull(places, keep_all):
    """As indices; places are pairs of integers."""
    first = {}
    for index, place in enumerate(places):
        first.setdefault(place, index)
    order = sorted(first)
    if len(order) < 3 or all(cross(order[0], order[-1], place) == 0 for place in order):
        chain = order if keep_all or len(order) < 3 else [order[0], order[-1]]
    else:
        chain = boundary(order, keep_all)[:-1] + boundary(order[::-1], keep_all)[:-1]
    return [first[place] for place in chain]


def square(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def true_diameter(corners):
    pairs = [(i, j) for i in range(len(corners)) for j in range(i + 1, len(corners))]
    return max(pairs, key=lambda pair: (square(corners[pair[0]], corners[pair[1]]), -pair[0], -pair[1]), default=(0, 0))


def true_rectangle(corners):
    """The square of the side is what an area must be divided by: (side, area as a fraction)."""
    def area(i):
        a, b = corners[i], corners[(i + 1) % len(corners)]
        along = [(b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]) for c in corners]
        return Fraction((max(along) - min(along)) * max(cross(a, b, c) for c in corners), square(a, b))
    return min((area(i), i) for i in range(len(corners)))


def area_of(corners):
    return Fraction(sum(cross(corners[0], a, b) for a, b in zip(corners, corners[1:])), 2)


# ------------------------------------------------------------------------ the sets

def near_line(r, number):
    slope, scale = r.choice([0.0, 1.0, 3.0, r.random()]), 2.0 ** r.randint(-9, 9)
    def point():
        x = number(r.randint(0, 30) * scale)
        y = number(x * number(slope) + r.choice([0, 0.1]))
        return np.nextafter(x, number(r.choice([-1e9, 1e9, x]))), np.nextafter(y, number(r.choice([-1e9, 1e9, y])))
    return point


def wide(r, number):
    low, high = (-140, 120) if number is np.float32 else (-1060, 1020)
    def value():
        return number(np.ldexp(r.choice([-1.0, 1.0, r.random()]), r.randint(low, high)))
    return lambda: (value(), value())


def generator(r, name):
    """A function that gives points of a set, as pairs."""
    if name[0] != "f":
        bits = int(name[1]) * 8
        ends = np.iinfo(name)
        side = r.choice([2, 3, 7, 2**min(bits - 1, r.randint(1, 63))])
        near = r.choice([ends.min, ends.max - side + 1, r.randint(ends.min, ends.max - side + 1)])
        kinds = [lambda: (r.randint(ends.min, ends.max), r.randint(ends.min, ends.max)),
                 lambda: (near + r.randrange(side), near + r.randrange(side)),
                 lambda: (r.choice([ends.min, ends.min + 1, ends.max - 1, ends.max]), r.choice([ends.min, ends.max - 1, ends.max]))]
        return r.choice(kinds)
    number = np.float32 if name == "f4" else np.float64
    tiny = number(2.0**-149 if name == "f4" else 2.0**-1074)
    large = number(3e38 if name == "f4" else r.choice([1e154, 1.3e154, 1e200, 1.79e308]))  # areas near the greatest double, lengths beyond
    side = r.randint(1, 8)
    kinds = [near_line(r, number), near_line(r, number), wide(r, number),
             lambda: (number(r.random()), number(r.random())),
             lambda: (number(r.randrange(side)), number(r.randrange(side))),
             lambda: (tiny * number(r.randrange(side) - 2), tiny * number(r.randrange(side) - 3)),
             lambda: (large * number(r.uniform(-1, 1)), large * number(r.uniform(-1, 1))),
             lambda: (number(r.choice([0.0, -0.0, 1.0])), number(r.choice([0.0, -0.0, 1.0]))),
             lambda: (number(1e30 if name == "f4" else 1e300) * number(r.random()), tiny * number(r.randrange(9)))]
    return r.choice(kinds)
