#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Minimum cycle bases by riffle, networkx and igraph: seconds as one JSON document.

    cycles_peers.py [--repeat N] [--only NAME] [--without networkx,igraph,riffle]

riffle is the Python package, on one thread; what is not installed, or would take minutes, is left out. Weights of all bases are compared.
"""
import argparse
import importlib
import json
import re
import time
from pathlib import Path

import numpy as np

SLOW = {"igraph": {"grid 71 x 71"},  # a minute
        "networkx": {"grid 71 x 71", "random 200, 2000", "random 200, 2000, weights", "complete 50"}}


def grid(rows, columns):
    at = np.arange(rows * columns).reshape(rows, columns)
    pairs = [(at[:, :-1], at[:, 1:]), (at[:-1], at[1:])]
    return rows * columns, np.concatenate([np.column_stack((a.ravel(), b.ravel())) for a, b in pairs]), None


def random_graph(vertices, edges, weighted):
    """Simple: each pair once."""
    rng = np.random.default_rng(35)
    upper = np.column_stack(np.triu_indices(vertices, 1))
    pairs = upper[rng.choice(len(upper), edges, replace=False)]
    return vertices, pairs, rng.integers(1, 1000, edges) if weighted else None


GRAPHS = {"grid 10 x 10": lambda: grid(10, 10), "grid 71 x 71": lambda: grid(71, 71), "random 200, 2000": lambda: random_graph(200, 2000, False),
          "random 200, 2000, weights": lambda: random_graph(200, 2000, True), "complete 50": lambda: random_graph(50, 1225, False)}


def riffles(riffle, vertices, edges, weights):
    return lambda: riffle.minimum_cycle_basis(edges, weights, vertices=vertices, counts=True, threads=1)[1]["total"]


def networkxs(networkx, vertices, edges, weights):
    graph = networkx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from((a, b, w) for (a, b), w in zip(edges.tolist(), np.ones(len(edges), int) if weights is None else weights))

    def run():
        basis = networkx.minimum_cycle_basis(graph, weight="weight")
        return float(sum(graph[a][b]["weight"] for cycle in basis for a, b in zip(cycle, cycle[1:] + cycle[:1])))
    return run


def igraphs(igraph, vertices, edges, weights):
    """Its cycles are of least length: it has no weights."""
    graph = igraph.Graph(vertices, edges.tolist())
    return None if weights is not None else lambda: float(sum(map(len, graph.minimum_cycle_basis())))


PEERS = {"riffle": riffles, "igraph": igraphs, "networkx": networkxs}


def timed(run, repeat):
    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        total = run()
        seconds.append(time.perf_counter() - begin)
        if seconds[-1] > 1:
            break
    return min(seconds), total


def measure(name, without, repeat):
    vertices, edges, weights = GRAPHS[name]()
    row = {"graph": name, "vertices": vertices, "edges": len(edges)}
    for peer, make in PEERS.items():
        if peer in without or name in SLOW.get(peer, ()):
            continue
        try:
            run = make(importlib.import_module(peer), vertices, edges, weights)
        except ImportError:
            continue
        if run is None:
            continue
        row[peer], total = timed(run, repeat)
        if row.setdefault("total", total) != total:
            raise SystemExit(f"cycles_peers: {name}: {peer} has a basis of {total}, another of {row['total']}")
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    asked = parser.parse_args()
    versions = {}
    for peer in PEERS:
        try:
            versions[peer] = importlib.import_module(peer).__version__
        except ImportError:
            pass
    rows = [measure(name, asked.without.split(","), asked.repeat) for name in GRAPHS if asked.only in name]
    processor = re.search("model name.*: (.*)", Path("/proc/cpuinfo").read_text())[1]
    print(json.dumps({"engine": "cpu", "device": processor, "threads": 1, "versions": versions, "results": rows}, indent=1))


main()
