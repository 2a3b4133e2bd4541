# SPDX-License-Identifier: Apache-2.0
"""Minimum cycle bases of graphs."""
from . import _core
from ._arguments import text, whole
from ._arrays import on_host
from .errors import InvalidArgument, LengthError, WrongType

MOST = 1 << 20  # vertices


def _weights(values, edges):
    """Weights as the core takes them, and their kind."""
    import numpy
    numbers = on_host(values, "weight")
    if numbers.shape != (edges,):
        raise LengthError(f"weight: of shape {numbers.shape}; there are {edges} edges, each of which has one")
    if numbers.size == 0 or numbers.dtype.kind == "b":
        numbers = numbers.astype("i8")
    if numbers.dtype.kind not in "iuf" or numbers.dtype.itemsize > 8:
        raise WrongType(f"weight: of {numbers.dtype}; weights are integers or floats of up to 64 bits")
    return numpy.ascontiguousarray(numbers, {"i": "i8", "u": "u8", "f": "f8"}[numbers.dtype.kind]), numbers.dtype.kind


def _refuse(pairs, is_wrong, error, why):
    """Raises for the first vertex that is wrong."""
    if is_wrong.any():
        k = int(is_wrong.ravel().argmax())
        raise error(f"graph: edge {k // 2} has the vertex {pairs.ravel()[k]}; {why}")


def _of_array(edges):
    import numpy
    pairs = on_host(edges, "graph")
    if pairs.size == 0:
        pairs = pairs.reshape(0, 2).astype("i8")
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InvalidArgument(f"graph: of shape {pairs.shape}; edges are of shape (m, 2), two vertices each")
    if pairs.dtype.kind not in "iu":
        raise WrongType(f"graph: of {pairs.dtype}; vertices are integers")
    _refuse(pairs, pairs < 0, InvalidArgument, "vertices are 0 or more")
    _refuse(pairs, pairs >= MOST, LengthError, f"there are {MOST} vertices at most")
    return numpy.ascontiguousarray(pairs, "u8")


def _find(pairs, weight, vertices, all, check, threads):
    numbers, kind = (None, "i") if weight is None else _weights(weight, len(pairs))
    return _core.cycles(pairs, numbers, kind, vertices, bool(all), bool(check), whole(threads, "threads"))


def _around(pairs, cycle):
    """The vertices of a cycle of edges that go around it."""
    if len(cycle) == 1:
        return [int(pairs[cycle[0]][0])]
    a, b = pairs[cycle[0]], pairs[cycle[1]]
    at = int(a[0] if len(cycle) == 2 or a[1] in b else a[1])
    order = []
    for edge in cycle:
        order.append(at)
        at = int(pairs[edge].sum() - at)
    return order


def _of_networkx(graph, weight, all, check, threads):
    import numpy
    if graph.is_directed():
        raise InvalidArgument("graph: is directed; riffle has bases of undirected graphs, graph.to_undirected() is one")
    names = list(graph.nodes)
    number = {name: k for k, name in enumerate(names)}
    rows = [(number[u], number[v], data) for u, v, data in graph.edges(data=True)]
    pairs = numpy.array([row[:2] for row in rows], "u8").reshape(-1, 2)
    values = None if weight is None else [data.get(text(weight, "weight"), 1) for _, _, data in rows]
    first, edges, counts = _find(pairs, values, len(names), all, check, threads)
    return [[names[v] for v in _around(pairs, edges[a:b])] for a, b in zip(first, first[1:])], counts


def minimum_cycle_basis(graph, weight=None, *, vertices=None, all=False, check=False, counts=False, threads=0):
    """Cycles of an undirected graph of which all others are sums, and whose weights add up to least; by weight, the lightest first.

    graph     edges as an array of shape (m, 2), vertices from 0 up: a list of int64 arrays comes back, the numbers of the edges around each
              cycle. Or a graph of networkx, a multigraph too: a list of lists of its nodes, as networkx.minimum_cycle_basis has
    weight    an array of a weight for each edge; of a networkx graph the name of an attribute, which counts as 1 where it is missing. 0 or more;
              None: all are 1
    vertices  how many there are; None: up to the greatest that has an edge
    all       looks for isometric cycles that are heavier than the basis needs too
    check     proves by another way that the basis is one, and of least weight
    counts    a pair instead: the list, and a dict of how it was found, with the total weight
    threads   of the CPU, at most; 0: as many as pay

    Weights are added without rounding, floats too. docs/cycles.md has more."""
    if hasattr(graph, "is_directed") and hasattr(graph, "nodes"):
        if vertices is not None:
            raise InvalidArgument("vertices: of a networkx graph they are its nodes; leave it out")
        found, told = _of_networkx(graph, weight, all, check, threads)
    else:
        pairs = _of_array(graph)
        least = int(pairs.max()) + 1 if pairs.size else 0
        first, edges, told = _find(pairs, weight, least if vertices is None else whole(vertices, "vertices", 0, MOST), all, check, threads)
        found = [edges[a:b] for a, b in zip(first, first[1:])]
    return (found, told) if counts else found
