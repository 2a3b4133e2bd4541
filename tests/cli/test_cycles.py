# SPDX-License-Identifier: Apache-2.0
"""riffle cycles: what is written, told and refused; bases are proved."""
import json
import os

import numpy as np

from command import SEED, CommandTest, main


class Cycles(CommandTest):
    def cycles(self, edges, weights=None, *options):
        """The basis, checked for being cycles; what --json says."""
        np.save(self.path("edges.npy"), edges)
        if weights is not None:
            np.save(self.path("w.npy"), weights)
            options = ("--weights", "w.npy", *options)
        done = self.run_riffle("cycles", "edges.npy", "basis.npy", "--json", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"seed {SEED}")
        return np.load(self.path("basis.npy")), json.loads(done.stdout)

    def check_basis(self, edges, weights, basis, told):
        self.assertTrue(told["proved"])
        self.assertEqual(told["cycles"], len(edges) - told["vertices"] + told["components"], f"seed {SEED}")
        self.assertEqual(told["bound"], len(edges) * told["vertices"])
        self.assertLessEqual(max(told["candidates"], told["candidate_edges"]), told["bound"])
        self.assertEqual(weights[basis[:, 1]].sum(), told["total"])
        for k in range(told["cycles"]):
            degrees = np.bincount(edges[basis[basis[:, 0] == k, 1]].ravel())
            self.assertLessEqual(set(degrees), {0, 2})

    def test_random(self):
        """Loops, parallel edges, components, equal weights and zeros are all there."""
        for _ in range(20):
            vertices = int(self.rng.integers(1, 200))
            edges = self.rng.integers(0, vertices, (int(self.rng.integers(0, 600)), 2))
            weights = self.rng.integers(0, (1, 2, 5, 1000)[self.rng.integers(4)] + 1, len(edges))
            basis, told = self.cycles(edges, weights, "--check", "--vertices", vertices)
            self.check_basis(edges, weights, basis, told)

    def grid(self, rows, columns):
        at = np.arange(rows * columns).reshape(rows, columns)
        pairs = [(at[:, :-1], at[:, 1:]), (at[:-1], at[1:])]
        return np.concatenate([np.column_stack((a.ravel(), b.ravel())) for a, b in pairs])

    def test_grid(self):
        edges = self.grid(10, 10)
        basis, told = self.cycles(edges, None, "--check", "--all")
        self.assertEqual((told["cycles"], told["total"], told["candidates"], told["candidate_edges"]), (81, 324, 81, 324))
        self.assertEqual(basis.shape, (324, 2))
        for k in range(81):  # edges go around
            ring = edges[basis[basis[:, 0] == k, 1]]
            self.assertTrue(all(set(a) & set(b) for a, b in zip(ring, np.roll(ring, 1, axis=0))))

    def test_types(self):
        edges = self.grid(4, 7)
        weights = self.rng.integers(0, 100, len(edges))
        _, told = self.cycles(edges, weights)
        for dtype in ("i1", "u2", "i4", "u8", "f4", "f8"):
            self.assertEqual(self.cycles(edges.astype("u1"), weights.astype(dtype))[1]["total"], told["total"])
        self.assertEqual(self.cycles(np.asfortranarray(edges.astype("i4")), weights / 8)[1]["total"], told["total"] / 8)
        huge = self.cycles(edges, np.full(len(edges), 2**64 - 1, "u8"))[1]["total"]
        self.assertEqual(huge, float(4 * 18 * (2**64 - 1)))

    def test_matrix(self):
        edges = self.grid(5, 6)
        pairs, told = self.cycles(edges)
        bits = np.unpackbits(self.cycles(edges, None, "--matrix")[0], axis=1, count=len(edges), bitorder="little")
        wanted = np.zeros((told["cycles"], len(edges)), np.uint8)
        wanted[tuple(pairs.T)] = 1
        np.testing.assert_array_equal(bits, wanted)

    def test_nothing(self):
        for edges in (np.zeros((0, 2), int), np.array([[0, 1]]), np.array([[3, 5], [5, 1]])):
            basis, told = self.cycles(edges, None, "--check")
            self.assertEqual((basis.shape, told["cycles"], told["total"]), ((0, 2), 0, 0))
            self.assertEqual(self.cycles(edges, None, "--matrix")[0].shape, (0, (len(edges) + 7) // 8))

    def test_counts(self):
        np.save(self.path("edges.npy"), np.array([[0, 1], [1, 2], [2, 0], [2, 2], [3, 4]]))
        done = self.run_riffle("cycles", "edges.npy", "basis.npy", "--counts", "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, """\
total weight:            4
vertices:                5
edges:                   5
components:              2
cycles of the basis:     2
their edges:             4
searches:                1
vertices in trees:       13
cycles looked at:        1
isometric cycles:        2
their edges:             4
bound: vertices * edges: 25
tried until the basis:   2
proved:                  independent, and of least weight
""")

    def refuses(self, pattern, edges, weights=None, *options, status=1):
        np.save(self.path("edges.npy"), edges)
        if weights is not None:
            np.save(self.path("w.npy"), weights)
            options = ("--weights", "w.npy", *options)
        done = self.run_riffle("cycles", "edges.npy", "out.npy", *options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), pattern)
        self.assertRegex(done.stderr, pattern)
        self.assertFalse(os.path.exists(self.path("out.npy")))

    def test_what_is_refused(self):
        ring = np.array([[0, 1], [1, 2], [2, 0]])
        self.refuses(r"^riffle: edges.npy: edge 1 has the vertex -2; vertices are 0 or more\n$", np.array([[0, 1], [-2, 0]]))
        self.refuses(r"edges.npy: edges are an array of shape \(m, 2\)", np.arange(6))
        self.refuses(r"edges.npy: dtype '<f8'; vertices are little-endian integers", ring.astype(float))
        self.refuses(r"edge 1 has the vertex 2; vertices are below 2", ring, None, "--vertices", 2)
        self.refuses(r"graph: 2097153 vertices; there are 1048576 at most", np.array([[0, 1 << 21]]))
        self.refuses(r"weights: that of edge 2 is negative; weights are 0 or more", ring, np.array([1, 1, -1]))
        self.refuses(r"weights: that of edge 0 is NaN", ring, np.array([np.nan, 1, 1]))
        self.refuses(r"weights: that of edge 1 is infinite", ring, np.array([1, np.inf, 1], "f4"))
        self.refuses(r"w.npy: has to be a list of 3 weights, one for each edge", ring, np.ones(4))
        self.refuses(r"w.npy: dtype '<c16'; weights are little-endian integers", ring, np.ones(3, complex))
        self.refuses(r"doubles with bits from 2\^-200 to 2\^100", ring, np.array([2.0**-200, 2.0**100, 1]))
        self.refuses(r"option --vertices", ring, None, "--vertices", 0, status=2)
        self.refuses(r"nothing.npy", ring, None, "--weights", "nothing.npy")


main()
