#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hull_exact.py LIBRIFFLE.so [--sets N] [--seed S] [--engine cpu|cuda|machine]: hulls and their measures against rational arithmetic.

Random adversarial sets of up to 24 points, thousands in one call: within 1 ulp of a line, on grids, many times the same, huge, tiny
and subnormal, of every type. The hull is compared with one by Python's integers and fractions, which do not round:
corners, collinear points, the farthest two, the smallest rectangle, with the points between corners and without. `make check` does some
thousands with a seed that stays the same; --sets 100000 does as many. On the memory machine each set is a call, which compares its indices with the library's
definition itself; here their number is compared, and the CPU's indices.
"""
import argparse
import ctypes
import random
import sys

import numpy as np

from hull_rational import area_of, exact, generator, is_close, root, square, true_diameter, true_hull, true_rectangle, unit_of

TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", None, "f4", "f8"]  # by their number in riffle_type
ENGINES = {"cpu": 0, "cuda": 1, "machine": 0}
MOST = 24


class Options(ctypes.Structure):
    _fields_ = [("segments", ctypes.c_uint64), ("all", ctypes.c_bool), ("points", ctypes.c_bool), ("index_bytes", ctypes.c_size_t),
                ("threads", ctypes.c_uint), ("algorithm", ctypes.c_uint), ("callers_workspace", ctypes.c_bool)]


class Arrays(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("hulls", "lengths", "points", "first")]


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
    options = Options(segments=sets, all=keep_all, threads=2)
    kind = next(k for k, name in enumerate(TYPES) if name and points.dtype == np.dtype(name))
    call(library, "riffle_hull_plan_create", ctypes.c_uint64(len(points)), kind, ENGINES[engine], ctypes.byref(options),
         ctypes.byref(plan))
    found, lengths = np.full(len(points), 0xffffffff, np.uint32), np.full(sets, 99, np.uint64)
    call(library, "riffle_hull_execute", plan, ctypes.byref(Arrays(*(x.ctypes.data for x in (found, lengths, points, first)))))
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


def check_measures(library, points, places, hull):
    unit = unit_of(points.dtype)
    corners = [places[k] for k in hull]
    found = measures_of(library, np.ascontiguousarray(points[hull]))
    assert tuple(found.diameter_ends) == true_diameter(corners), (list(found.diameter_ends), true_diameter(corners))
    if area_of(corners) == 0:
        return
    area, side = true_rectangle(corners)
    assert found.rectangle_side == side, (found.rectangle_side, side)
    for mine, true in ((found.rectangle_area, area * unit**2), (found.area, area_of(corners) * unit**2)):
        assert is_close(mine, true, 1e-12), (mine, true)
    longest = root(square(*(corners[k] for k in found.diameter_ends)) * unit**2)
    assert is_close(found.diameter, longest, 1e-14), (found.diameter, longest)


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
    for k, begin in enumerate(first[:-1].tolist()):
        own = points[begin:begin + sizes[k]]
        places = exact(own)
        for keep_all in (0, 1):
            mine, true = [index - begin for index in found[keep_all][k]], true_hull(places, keep_all)
            assert mine == true, (name, k, own.tolist(), "all" if keep_all else "strict", mine, true)
            for paper in range(2 - keep_all) if engine == "machine" else ():
                corners = corners_on_machine(library, own, keep_all, paper)
                assert corners == len(true), (name, k, own.tolist(), "paper" if paper else "auto", corners, true)
            check_measures(library, own, places, mine)


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
