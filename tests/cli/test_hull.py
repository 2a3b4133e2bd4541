# SPDX-License-Identifier: Apache-2.0
"""riffle hull: files of every type and order against a hull by Python's integers, measures, pictures, and what is refused."""
import os
import pathlib
import re
import resource
import xml.etree.ElementTree

import numpy as np

from command import SEED, CommandTest, main, some

TYPES = ["i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"]


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull_of(points):
    """Indices of the strict hull of points that are small whole numbers."""
    first = {}
    for index, place in enumerate(tuple(map(int, point)) for point in points):
        first.setdefault(place, index)
    def boundary(order):
        chain = []
        for place in order:
            while len(chain) > 1 and cross(chain[-2], chain[-1], place) <= 0:
                chain.pop()
            chain.append(place)
        return chain[:-1]
    order = sorted(first)
    return [first[place] for place in (boundary(order) + boundary(order[::-1]) if len(order) > 1 else order)]


class Hull(CommandTest):
    def hull(self, points, *options, files=()):
        np.save(self.path("points.npy"), points)
        done = self.run_riffle("hull", "points.npy", "out.npy", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{options}, seed {SEED}")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["out.npy", "points.npy", *files]))
        self.printed = done.stdout
        return np.load(self.path("out.npy"))

    def test_every_type(self):
        for dtype in some(TYPES):
            for n, side in ((5000, 100), (12, 4), (3, 1), (1, 1), (0, 1)):
                points = self.rng.integers(0, side, (n, 2)).astype(dtype)
                indices = np.array(hull_of(points), "<i8")
                self.assert_same(self.hull(points, "--indices"), indices, f"{n} of {dtype}")
                self.assert_same(self.hull(points, "--threads", 2), points[indices], f"{n} of {dtype}")
                self.assertEqual(self.printed, "")

    def test_orders(self):
        points = np.asfortranarray(self.rng.integers(-50, 50, (777, 2)))
        self.assert_same(self.hull(points), points[hull_of(points)], "Fortran order")

    def test_algorithms(self):
        points = self.rng.integers(-50, 50, (777, 2))
        self.assert_same(self.hull(points, "--algorithm", "auto"), points[hull_of(points)], "auto")
        self.assert_same(self.hull(points, "--algorithm", "paper"), points[hull_of(points)], "paper")
        self.assert_same(self.hull(points, "--algorithm", "paper", "--indices"), np.array(hull_of(points)), "paper, indices")
        np.save(self.path("points.npy"), points)
        done = self.run_riffle("hull", "points.npy", "out.npy", "--algorithm", "paper", "--all")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("finds corners and not the points between them; use another algorithm", done.stderr)
        done = self.run_riffle("hull", "points.npy", "out.npy", "--algorithm", "fastest")
        self.assertIn("auto", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_points_that_begin_anywhere(self):
        for dtype in some(TYPES):
            points = self.rng.integers(0, 100, (500, 2)).astype(dtype)
            for order, pad in (("C", 1), ("C", 4), ("F", 3)):
                text = f"{{'descr': '{points.dtype.str}', 'fortran_order': {order == 'F'}, 'shape': (500, 2), }}"
                text += " " * ((pad - 10 - len(text) - 1) % 64) + "\n"
                with open(self.path("points.npy"), "wb") as file:
                    file.write(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + points.tobytes(order))
                self.assertEqual((10 + len(text)) % 64, pad)
                done = self.run_riffle("hull", "points.npy", "out.npy", "--measure", "--svg", "hull.svg")
                self.assertEqual((done.returncode, done.stderr), (0, ""), f"{dtype}, {order}, seed {SEED}")
                self.assert_same(np.load(self.path("out.npy")), points[hull_of(points)], f"{dtype}, {order}")

    def test_all(self):
        square = np.array([[0, 0], [1, 0], [2, 0], [2, 2], [1, 1], [0, 2], [1, 0]], "<f4")
        self.assert_same(self.hull(square, "--all", "--indices"), np.array([0, 1, 2, 3, 5]), "all")
        self.assert_same(self.hull(square, "--indices"), np.array([0, 2, 3, 5]), "strict")

    def test_measure(self):
        points = np.array([[0, 0], [1, 7], [7, 1], [8, 8], [4, 4]], "<i2")  # a rhombus: its sides' square is 50, 64 * 48 / 50 is the rectangle
        self.hull(points, "--measure")
        self.assertRegex(self.printed, r"^corners:   4\narea:      48\nperimeter: 28\.28427124\d+\ndiameter:  11\.3137084\d+, points 0 and 3\n"
                                       r"rectangle: 61\.44, [\d., by]+\n           \([^\n]*\)\n$")
        self.hull(points[:0], "--measure")
        self.assertIn("area:      0\n", self.printed)

    def test_measures_beyond_doubles(self):
        far = 1.5e308
        square = np.array([[-far, -far], [far, -far], [far, far], [-far, far]])
        self.hull(square, "--measure")
        more = "more than 1.79e+308"
        self.assertIn(f"area:      {more}\nperimeter: {more}\ndiameter:  {more}, points 0 and 2\nrectangle: {more}, {more} by {more}\n           "
                      "(-1.5e+308, -1.5e+308) (1.5e+308, -1.5e+308) (1.5e+308, 1.5e+308) (-1.5e+308, 1.5e+308)\n", self.printed)
        turned = np.array([[-far, 0], [0, -far], [far, 0], [0, far]])  # sides beyond doubles, at an angle
        self.hull(turned, "--measure")
        self.assertIn(f"rectangle: {more}, {more} by {more}\n           (-1.5e+308, ", self.printed)
        flat = np.array([[-far, 0], [far, 0], [far, 1], [-far, 1]])
        self.hull(flat, "--measure")
        self.assertIn(f"{more} by 1\n           (-1.5e+308, 0) (1.5e+308, 0) (1.5e+308, 1) (-1.5e+308, 1)\n", self.printed)
        for points in (square, turned, flat, *self.rng.uniform(-1, 1, (40, 3, 2)) * 1.79e308):  # a triangle's rectangle may be beyond too
            self.hull(points, "--measure", "--svg", "hull.svg", files=["hull.svg"])
            self.assertNotRegex(self.printed, "nan|inf", f"{points}")
            with open(self.path("hull.svg")) as file:
                self.assertNotRegex(file.read(), "nan|inf", f"{points}")
            os.remove(self.path("hull.svg"))

    def test_explain(self):
        large = self.run_riffle("explain", "--hull", "f32", "--n", "2^17")
        self.assertEqual((large.returncode, large.stderr), (0, ""))
        self.assertRegex(large.stdout, r"^hull        131072 points of type f32, corners alone, as indices\nalgorithm   auto: sieve and chain[^\n]*\nphases      the hull of a "
                                       r"sample of 8192 points is made a sieve\n(.*\n)*bound       1048576 bytes are read: each point once\n$")
        few = self.run_riffle("explain", "--hull", "i16", "--n", 1).stdout
        self.assertEqual(few, "hull        1 point of type i16, corners alone, as indices\nalgorithm   auto: chain\nphases      points are sorted by x, and walked "
                              "once; all decisions are exact\nbound       4 bytes are read: each point once\n")
        for options, status, words in ((["--sort", "u8"], 2, "explain: --sort has no --hull; leave it out"),
                                       (["--order"], 2, "explain: --hull has no --order, which is for --sort; leave it out"),
                                       (["--batch", 2], 2, "explain: --hull has no --batch, which is for --by; leave it out"),
                                       (["--by", "reverse"], 2, "explain: --by has no --hull; leave it out")):
            done = self.run_riffle("explain", "--hull", "f32", "--n", 9, *options)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (status, "", f"riffle: {words}\n"))
        done = self.run_riffle("explain", "--hull", "c64", "--n", 9)
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_picture(self):
        points = self.rng.normal(size=(5000, 2))
        for options in ((), ("--measure",)):
            self.hull(points, "--svg", "hull.svg", *options, files=["hull.svg"])
            picture = xml.etree.ElementTree.parse(self.path("hull.svg")).getroot()
            count = len(re.findall("M", picture.find("{*}path").get("d")))
            self.assertTrue(1000 < count <= 2000, count)
            self.assertEqual(len(picture.findall("{*}circle")), len(np.load(self.path("out.npy"))))
            self.assertEqual(len(picture.findall("{*}line")), len(options))
            inside = [float(x) for x in re.findall(r"[\d.]+", picture.find("{*}polygon").get("points"))]
            self.assertTrue(min(inside) >= 0 and max(inside) <= 520, inside)
        for few in (points[:1], points[:0], np.zeros((5, 2))):
            self.hull(few, "--svg", "hull.svg", "--measure", files=["hull.svg"])
            with open(self.path("hull.svg")) as file:
                self.assertNotIn("nan", file.read())

    def refuses(self, pattern, array, *options):
        np.save(self.path("points.npy"), array)
        done = self.run_riffle("hull", "points.npy", "out.npy", *options)
        self.assertEqual((done.returncode, done.stdout), (1, ""), options)
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(os.listdir(self.folder), ["points.npy"])

    def test_what_is_refused(self):
        points = self.rng.normal(size=(20000, 2))
        self.refuses(r"^riffle: points.npy: points are an array of shape \(n, 2\), and this one has another; ", points.ravel())
        self.refuses(r"points are an array of shape \(n, 2\)", points.reshape(-1, 4))
        for dtype in (">f8", "<f2", "<c8", "S3", "?"):
            self.refuses(r"points are little-endian integers, float32 or float64; convert them with astype$", points.astype(dtype))
        points[15000, 1] = np.nan
        points[16000, 0] = np.inf
        self.refuses(r"^riffle: points.npy: point 15000 is \(.*, nan\); hulls are of finite points$", points)
        self.refuses("^riffle: no/such.svg: there is no folder no\n$", points[:9], "--svg", "no/such.svg")

    def test_a_picture_in_an_arrays_place(self):
        np.save(self.path("points.npy"), self.rng.normal(size=(100, 2)))
        os.symlink("points.npy", self.path("link.svg"))
        os.link(self.path("points.npy"), self.path("hard.svg"))
        os.symlink(".", self.path("here"))
        def holds():
            return {name: pathlib.Path(self.path(name)).read_bytes() for name in os.listdir(self.folder) if name != "here"}
        before = holds()
        pictures = [(name, "input") for name in ("points.npy", "link.svg", "hard.svg", "here/points.npy", self.path("points.npy"))]
        for there in (False, True):
            for svg, which in pictures + [(name, "output") for name in ("out.npy", "./out.npy", "here/out.npy", self.path("out.npy"))]:
                done = self.run_riffle("hull", "points.npy", "out.npy", "--svg", svg)
                self.assertEqual((done.returncode, done.stdout), (2, ""), svg)
                self.assertEqual(done.stderr, f"riffle: {svg}: the picture and the {which} are the same file; give the picture another name\n")
                self.assertEqual(holds(), before, svg)
            with open(self.path("out.npy"), "wb") as file:
                file.write(b"old")
            before = holds()

    def test_a_picture_takes_its_place_when_it_is_whole(self):
        np.save(self.path("points.npy"), self.rng.normal(size=(5000, 2)))
        with open(self.path("hull.svg"), "w") as file:
            file.write("old")
        os.chmod(self.path("hull.svg"), 0o640)
        os.symlink("hull.svg", self.path("link.svg"))
        names = sorted(os.listdir(self.folder))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))  # as if the disk were full, for all but OUT
        for svg in ("hull.svg", "link.svg", "new.svg"):
            done = self.run_riffle("hull", "points.npy", "out.npy", "--svg", svg, preexec_fn=limit)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, rf"^riffle: {svg}: no room for its \d+ bytes in the folder (\.|{self.folder}): File too large\n$")
            self.assertEqual(sorted(os.listdir(self.folder)), names)
            with open(self.path("hull.svg")) as file:
                self.assertEqual(file.read(), "old")
        old = os.stat(self.path("hull.svg"))
        self.assertEqual(self.run_riffle("hull", "points.npy", "out.npy", "--svg", "link.svg").returncode, 0)
        new = os.stat(self.path("hull.svg"))
        self.assertTrue(os.path.islink(self.path("link.svg")))
        self.assertEqual((new.st_mode, new.st_uid, new.st_gid), (old.st_mode, old.st_uid, old.st_gid))
        self.assertNotEqual(new.st_ino, old.st_ino)
        xml.etree.ElementTree.parse(self.path("hull.svg"))
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([*names, "out.npy"]))
        printed = self.run_riffle("hull", "points.npy", "out.npy", "--svg", "/dev/stdout").stdout  # a pipe is written itself
        with open(self.path("hull.svg")) as file:
            self.assertEqual(printed, file.read())

    def test_a_picture_without_a_name(self):
        np.save(self.path("points.npy"), np.zeros((3, 2)))
        done = self.run_riffle("hull", "points.npy", "out.npy", "--svg", "")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "riffle: --svg '': names no file; write a name\n")
        self.assertEqual(os.listdir(self.folder), ["points.npy"])


main()
