# SPDX-License-Identifier: Apache-2.0
"""Minimum cycle bases: their weights beside networkx's and igraph's, what is returned, and what is refused.

RIFFLE_TEST_LONG=1: ten thousand graphs, where 300 are usual.
"""
import os

import numpy as np
import pytest
import riffle
from hypothesis import given
from hypothesis import strategies as st


GRAPHS = 10000 if os.environ.get("RIFFLE_TEST_LONG") else 300


def some_graph(rng, most):
    """Loops, parallel edges, components, equal weights and zeros are all there."""
    vertices = int(rng.integers(1, most))
    edges = rng.integers(0, vertices, (int(rng.integers(0, 2 * most)), 2))
    return vertices, edges, rng.integers(0, (1, 2, 5, 1000)[rng.integers(4)] + 1, len(edges))


def networkx_weight(networkx, vertices, edges, weights):
    """The weight of networkx's basis. It takes no multigraphs: a parallel edge or a loop becomes a path of edges, the further ones of weight 0."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(vertices))
    for (a, b), weight in zip(edges.tolist(), weights.tolist()):
        while a == b or graph.has_edge(a, b):
            new = graph.number_of_nodes()
            graph.add_edge(b, new, weight=0)
            b = new
        graph.add_edge(a, b, weight=weight)
    return sum(graph[a][b]["weight"] for cycle in networkx.minimum_cycle_basis(graph, weight="weight") for a, b in zip(cycle, cycle[1:] + cycle[:1]))


def test_weight_of_networkx():
    networkx = pytest.importorskip("networkx")
    seed = int.from_bytes(os.urandom(4), "little")
    rng = np.random.default_rng(seed)
    for _ in range(GRAPHS):
        vertices, edges, weights = some_graph(rng, 10)
        _, counts = riffle.minimum_cycle_basis(edges, weights, vertices=vertices, check=True, counts=True)
        assert counts["total"] == networkx_weight(networkx, vertices, edges, weights), f"seed {seed}"


def test_weight_of_igraph():
    igraph = pytest.importorskip("igraph")
    seed = int.from_bytes(os.urandom(4), "little")
    rng = np.random.default_rng(seed)
    for _ in range(GRAPHS):
        vertices, edges, _ = some_graph(rng, 40)
        _, counts = riffle.minimum_cycle_basis(edges, vertices=vertices, check=True, counts=True)
        theirs = igraph.Graph(vertices, edges.tolist()).minimum_cycle_basis()
        assert counts["total"] == sum(map(len, theirs)), f"seed {seed}"


@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 1 << 30), st.sampled_from(["i1", "u2", "i8", "f4", "f8", None]))
def test_arrays(vertices, edges, seed, dtype):
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, vertices, (edges, 2))
    weight = None if dtype is None else rng.integers(0, 100, edges).astype(dtype) / (8 if dtype[0] == "f" else 1)
    basis, counts = riffle.minimum_cycle_basis(pairs, weight, vertices=vertices, check=True, counts=True)
    assert len(basis) == edges - vertices + counts["components"]
    assert counts["candidate_edges"] <= counts["bound"] == edges * vertices
    weighed = np.ones(edges) if weight is None else weight.astype(float)
    weights = [weighed[cycle].sum() for cycle in basis]
    assert weights == sorted(weights) and sum(weights) == counts["total"]
    for cycle in basis:
        degrees = np.bincount(pairs[cycle].ravel(), minlength=vertices)
        assert set(degrees) <= {0, 2}
    bits = np.zeros((len(basis), edges), bool)
    for k, cycle in enumerate(basis):
        bits[k, cycle] = True
    assert riffle.f2.rank(bits) == len(basis)


def test_shapes():
    assert riffle.minimum_cycle_basis([]) == []
    (cycle,) = riffle.minimum_cycle_basis([[0, 1], [1, 2], [2, 0], [2, 3]])
    assert sorted(cycle.tolist()) == [0, 1, 2] and cycle.dtype == np.int64
    loop, pair = riffle.minimum_cycle_basis([[0, 0], [0, 1], [1, 0]], [1.5, 1, 1])
    assert loop.tolist() == [0] and sorted(pair.tolist()) == [1, 2]


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.grid_2d_graph(4, 5)
    basis = riffle.minimum_cycle_basis(graph)
    assert len(basis) == 12
    for cycle in basis:
        assert len(cycle) == 4 and all(graph.has_edge(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1]))
    many = networkx.MultiGraph([("a", "b", {"w": 2}), ("a", "b", {"w": 3}), ("b", "b")])
    assert sorted(map(sorted, riffle.minimum_cycle_basis(many, "w"))) == [["a", "b"], ["b"]]
    with pytest.raises(riffle.errors.InvalidArgument, match="is directed"):
        riffle.minimum_cycle_basis(networkx.DiGraph([(0, 1)]))


def test_refusals():
    for graph, weight, error, words in [([[0, 1], [-1, 2], [3, -7]], None, riffle.errors.InvalidArgument, "edge 1 has the vertex -1; vertices are 0 or more"),
                                        ([[0, 1], [1 << 20, 2]], None, riffle.errors.LengthError, "edge 1 has the vertex 1048576; there are 1048576 vertices at most"),
                                        (np.array([[0, 2**64 - 1]], "u8"), None, riffle.errors.LengthError, "edge 0 has the vertex 18446744073709551615"),
                                        (None, None, riffle.errors.WrongType, "graph: None; an array is wanted"),
                                        ([[0.5, 1]], None, riffle.errors.WrongType, "vertices are integers"),
                                        ([0, 1, 2], None, riffle.errors.InvalidArgument, "edges are of shape"),
                                        ([[0, 1]], [-1], riffle.errors.InvalidArgument, "that of edge 0 is negative"),
                                        ([[0, 1]], [np.nan], riffle.errors.InvalidArgument, "that of edge 0 is NaN"),
                                        ([[0, 1]], [1, 2], riffle.errors.LengthError, "there are 1 edges"),
                                        ([[0, 1]], ["x"], riffle.errors.WrongType, "weights are integers or floats")]:
        with pytest.raises(error, match=words):
            riffle.minimum_cycle_basis(graph, weight)
    with pytest.raises(riffle.errors.InvalidArgument, match="edge 0 has the vertex 5; vertices are below 3"):
        riffle.minimum_cycle_basis([[0, 5]], vertices=3)
    networkx = pytest.importorskip("networkx")
    with pytest.raises(riffle.errors.WrongType, match=r"weight: \[1, 1\]; a text is wanted"):
        riffle.minimum_cycle_basis(networkx.path_graph(3), [1, 1])
    with pytest.raises(riffle.errors.InvalidArgument, match="vertices: of a networkx graph they are its nodes"):
        riffle.minimum_cycle_basis(networkx.path_graph(3), vertices=3)
