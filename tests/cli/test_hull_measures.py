# SPDX-License-Identifier: Apache-2.0
"""riffle hull --measure, with --all and without, against rational arithmetic: sets that are hard, of every type; what is drawn of it;
and that points between corners cost no more than others."""
import math
import random
import re
import sys
import xml.etree.ElementTree
from pathlib import Path

import numpy as np

from command import SEED, CommandTest, main, some

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hull"))
from hull_rational import (area_of, exact, generator, is_close, root, square, true_diameter, true_hull, true_rectangle,  # noqa: E402
                           unit_of)

TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "f8", "f8"]
SETS = 20  # sets of each; a set is a process or two
MOST = 24
PRINTED = 1e-11  # 12 digits


def number_of(text):
    return math.inf if text.startswith("more") else float(text)


class HullMeasures(CommandTest):
    def measure(self, points, *options):
        """Returns the printed measures, by name, as text; the ends as numbers."""
        np.save(self.path("points.npy"), points)
        done = self.run_riffle("hull", "points.npy", "out.npy", "--indices", "--measure", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{options}, seed {SEED}")
        found = re.fullmatch(r"corners:   (?P<corners>\d+)\narea:      (?P<area>[^\n]*)\nperimeter: (?P<perimeter>[^\n]*)\ndiameter:  "
                             r"(?P<diameter>[^,\n]*)(, points (?P<first>\d+) and (?P<second>\d+))?\nrectangle: (?P<rectangle>[^,\n]*), "
                             r"[^\n]*\n[^\n]*\n", done.stdout)
        self.assertIsNotNone(found, done.stdout)
        return found.groupdict()

    def check(self, points, keep_all):
        what = f"{points.dtype} {points.tolist()}, all: {keep_all}, seed {SEED}"
        places, unit = exact(points), unit_of(points.dtype)
        hull = true_hull(places, keep_all)
        corners = [places[k] for k in hull]
        found = self.measure(points, *(["--all"] if keep_all else []))
        self.assertEqual(np.load(self.path("out.npy")).tolist(), hull, what)
        self.assertEqual(int(found["corners"]), len(hull), what)
        ends = true_diameter(corners)
        self.assertEqual((int(found["first"]), int(found["second"])), tuple(hull[k] for k in ends), what)
        def expect(name, true):
            self.assertTrue(is_close(number_of(found[name]), true, PRINTED), f"{name} {found[name]} and not {float(min(true, 2**1000))}, {what}")
        expect("diameter", root(square(*(corners[k] for k in ends)) * unit**2))
        expect("perimeter", sum(root(square(a, b) * unit**2) for a, b in zip(corners, corners[1:] + corners[:1])))
        expect("area", area_of(corners) * unit**2)
        if area_of(corners) > 0:
            expect("rectangle", true_rectangle(corners)[0] * unit**2)

    def test_against_rational_arithmetic(self):
        with np.errstate(all="ignore"):
            for order, dtype in enumerate(TYPES):
                r = random.Random(f"{SEED} {order}")
                for _ in some(range(SETS)):
                    point = generator(r, dtype)
                    points = np.array([point() for _ in range(r.randint(1, MOST))], dtype)
                    for keep_all in (False, True):
                        self.check(points, keep_all)

    def test_known(self):
        points = np.array([[3, 0], [3, 3], [1, 0], [2, 0]], "f8")
        for options in ((), ("--all",)):
            found = self.measure(points, *options)
            self.assertEqual((found["diameter"], found["first"], found["second"], found["area"]), ("3.60555127546", "2", "1", "3"))
        line = np.array([[5, 5], [2, 2], [1, 1], [4, 4]], "i2")
        found = self.measure(line, "--all")
        self.assertEqual((found["corners"], found["first"], found["second"], found["area"]), ("4", "2", "0", "0"))
        self.assertTrue(is_close(float(found["perimeter"]), 8 * root(2), PRINTED))

    def test_area_near_the_greatest_double(self):
        for side in (0.96e154, 1.2e154, 1.34e154):
            points = np.array([[-side / 2, -side / 2], [side / 2, -side / 2], [side / 2, side / 2], [-side / 2, side / 2]])
            for keep_all in (False, True):
                self.check(points, keep_all)
            self.assertTrue(is_close(float(self.measure(points)["area"]), side * side, PRINTED))
        self.assertEqual(self.measure(points * 1.01)["area"], "more than 1.79e+308")

    def test_picture(self):
        """The diameter is drawn between the corners that are farthest from each other."""
        points = np.array([[3, 0], [3, 3], [1, 0], [2, 0]], "f8")
        self.measure(points, "--all", "--svg", "hull.svg")
        picture = xml.etree.ElementTree.parse(self.path("hull.svg")).getroot()
        dots = [(dot.get("cx"), dot.get("cy")) for dot in picture.findall("{*}circle")]
        line = picture.find("{*}line")
        order = np.load(self.path("out.npy")).tolist()
        ends = {(line.get("x1"), line.get("y1")), (line.get("x2"), line.get("y2"))}
        self.assertEqual(ends, {dots[order.index(1)], dots[order.index(2)]})

    def test_many_between_corners(self):
        """200,000 points on the sides of a square: 30 minutes where each corner looked at all of them."""
        side = np.arange(50000, dtype="i4")
        none = np.zeros_like(side)
        points = np.concatenate([np.column_stack(pair) for pair in ((side, none), (none + 50000, side), (50000 - side, none + 50000), (none, 50000 - side))])
        found = self.measure(points, "--all")
        self.assertEqual((found["corners"], found["area"], found["perimeter"], found["rectangle"]), ("200000", "2500000000", "200000", "2500000000"))
        self.assertEqual((found["first"], found["second"]), ("0", "100000"))


main()
