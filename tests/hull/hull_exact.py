#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hull_exact.py LIBRIFFLE.so [--sets N] [--seed S] [--engine cpu|cuda|machine]: hulls and their measures against rational arithmetic.

Random adversarial sets of up to 24 points, thousands in one call: within 1 ulp of a line, on grids, many times the same, huge, tiny
and subnormal, of every type. The hull is compared with one by Python's integers and fractions, which do not round:
corners, collinear points, the farthest two, the smallest rectangle. `make check` does some thousands with a seed that stays
the same; --sets 100000 does as many. On the memory machine each set is a call, which compares its indices with the library's
definition itself; here their number is compared, and the CPU's indices.
"""
import argparse
import ctypes
import random
import sys
from fractions import Fraction
from math import isclose, sqrt

import numpy as np

TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", None, "f4", "f8"]  # by their number in riffle_type
ENGINES = {"cpu": 0, "cuda": 1, "machine": 0}
MOST = 24


class Options(ctypes.Structure):
    _fields_ = [("sets", ctypes.c_uint64), ("all", ctypes.c_int), ("points", ctypes.c_int), ("index_bytes", ctypes.c_size_t),
                ("threads", ctypes.c_uint), ("algorithm", ctypes.c_uint), ("callers_workspace", ctypes.c_int)]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("corners", "outside", "iterations", "problems", "pivots", "reads", "writes")]


class Measures(ctypes.Structure):
    _fields_ = [("area", ctypes.c_double), ("perimeter", ctypes.c_double), ("diameter", ctypes.c_double),
                ("diameter_ends", ctypes.c_uint64 * 2), ("rectangle_area", ctypes.c_double), ("rectangle_length", ctypes.c_double),
                ("rectangle_breadth", ctypes.c_double), ("rectangle", ctypes.c_double * 8), ("rectangle_side", ctypes.c_uint64)]


# ------------------------------------------------------------------- the library

def call(library, name, *arguments):
    if getattr(library, name)(*arguments) != 0:
        sys.exit(f"{name}: {library.riffle_error_detail().decode()}")


def hulls_of(library, engine, points, first, keep_all):
    """The hull of each set, as indices."""
    plan, sets = ctypes.c_void_p(), len(first) - 1
    options = Options(sets=sets, all=keep_all, threads=2)
    kind = next(k for k, name in enumerate(TYPES) if name and points.dtype == np.dtype(name))
    call(library, "riffle_hull_plan_create", ctypes.c_uint64(len(points)), kind, ENGINES[engine], ctypes.byref(options),
         ctypes.byref(plan))
    found, lengths = np.full(len(points), 0xffffffff, np.uint32), np.full(sets, 99, np.uint64)
    call(library, "riffle_hull_execute", plan, *(ctypes.c_void_p(x.ctypes.data) for x in (found, lengths, points, first)))
    library.riffle_hull_plan_free(plan)
    return [found[f:f + length].tolist() for f, length in zip(first[:-1].tolist(), lengths.tolist())]


def corners_on_machine(library, points, keep_all, paper):
    """How many corners the kernels find on the memory machine; they are those of the definition, or the call fails."""
    counts, report = Counts(), ctypes.c_void_p()
    kind = next(k for k, name in enumerate(TYPES) if name and points.dtype == np.dtype(name))
    call(library, "riffle_simulate_hull", ctypes.c_uint64(len(points)), kind, ctypes.c_void_p(points.ctypes.data),
         ctypes.byref(Options(all=keep_all, algorithm=paper)), None, ctypes.byref(counts), ctypes.byref(report))
    library.riffle_report_free(report)
    return counts.corners


def measures_of(library, corners):
    out = Measures()
    kind = next(k for k, name in enumerate(TYPES) if name and corners.dtype == np.dtype(name))
    call(library, "riffle_hull_measure", ctypes.c_uint64(len(corners)), kind, ctypes.c_void_p(corners.ctypes.data), ctypes.byref(out))
    return out


# -------------------------------------------------------------------- the oracle

def exact(points):
    """Integers in the same proportions: a float is a whole number of 2^-1074."""
    if points.dtype.kind != "f":
        return [(int(x), int(y)) for x, y in points]
    def whole(value):
        over, under = float(value).as_integer_ratio()
        return over * (2**1074 // under)
    return [(whole(x), whole(y)) for x, y in points]


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


def check_measures(library, points, places, hull, unit):
    corners = [places[k] for k in hull]
    found = measures_of(library, np.ascontiguousarray(points[hull]))
    assert tuple(found.diameter_ends) == true_diameter(corners), (list(found.diameter_ends), true_diameter(corners))
    if len(hull) < 3:
        return
    area, side = true_rectangle(corners)
    assert found.rectangle_side == side, (found.rectangle_side, side)
    doubled = sum(cross(corners[0], a, b) for a, b in zip(corners, corners[1:]))
    for mine, true in ((found.rectangle_area, area * unit**2), (found.area, Fraction(doubled, 2) * unit**2)):
        if Fraction(10)**-250 < true < Fraction(10)**250:
            assert isclose(mine, float(true), rel_tol=1e-12), (mine, float(true))
    longest = square(*(corners[k] for k in found.diameter_ends)) * unit**2
    if Fraction(10)**-250 < longest < Fraction(10)**250:
        assert isclose(found.diameter, sqrt(longest), rel_tol=1e-14), (found.diameter, sqrt(longest))


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
    side = r.randint(1, 8)
    kinds = [near_line(r, number), near_line(r, number), wide(r, number),
             lambda: (number(r.random()), number(r.random())),
             lambda: (number(r.randrange(side)), number(r.randrange(side))),
             lambda: (tiny * number(r.randrange(side) - 2), tiny * number(r.randrange(side) - 3)),
             lambda: (number(r.choice([0.0, -0.0, 1.0])), number(r.choice([0.0, -0.0, 1.0]))),
             lambda: (number(1e30 if name == "f4" else 1e300) * number(r.random()), tiny * number(r.randrange(9)))]
    return r.choice(kinds)


def check_type(library, engine, name, sets, seed):
    r = random.Random(f"{seed} {name}")
    sizes = [r.randint(0, MOST) for _ in range(sets)]
    first = np.cumsum([0, *sizes]).astype(np.uint64)
    pairs = []
    for size in sizes:
        point = generator(r, name)
        pairs += [point() for _ in range(size)]
    points = np.array(pairs, dtype=name).reshape(-1, 2)
    found = [hulls_of(library, engine, points, first, keep_all) for keep_all in (0, 1)]
    unit = Fraction(1, 2**1074) if name[0] == "f" else Fraction(1)
    for k, begin in enumerate(first[:-1].tolist()):
        own = points[begin:begin + sizes[k]]
        places = exact(own)
        for keep_all in (0, 1):
            mine, true = [index - begin for index in found[keep_all][k]], true_hull(places, keep_all)
            assert mine == true, (name, k, own.tolist(), "all" if keep_all else "strict", mine, true)
            for paper in range(2 - keep_all) if engine == "machine" else ():
                corners = corners_on_machine(library, own, keep_all, paper)
                assert corners == len(true), (name, k, own.tolist(), "paper" if paper else "auto", corners, true)
        check_measures(library, own, places, [index - begin for index in found[0][k]], unit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--sets", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--engine", default="cpu", choices=ENGINES)
    ask = parser.parse_args()
    library = ctypes.CDLL(ask.library)
    library.riffle_error_detail.restype = ctypes.c_char_p
    names = [name for name in TYPES if name]
    shares = {name: ask.sets // (2 * (len(names) - 2)) for name in names}
    shares["f4"] = shares["f8"] = ask.sets // 4
    with np.errstate(all="ignore"):
        for name, sets in shares.items():
            check_type(library, ask.engine, name, sets, ask.seed)
    print(f"{sum(shares.values())} sets on {ask.engine}, seed {ask.seed}: as rational arithmetic says")


main()
