# SPDX-License-Identifier: Apache-2.0
"""The cost of translating a program's addresses: the VAT model (docs/vat.md; Jurkiewicz, Mehlhorn)."""
from typing import Any, NamedTuple

from . import _core
from ._arguments import real, text, whole
from ._perm import entries

LONG = (1 << 64) - 1


class Counts(NamedTuple):
    """The cost of translating a trace: addresses, insertions into the cache, and tau times those."""

    accesses: int
    faults: int
    cost: float


class Preset(NamedTuple):
    """The translation cache of a core, from its vendor's manual; 0 where not known."""

    name: str
    description: str
    entries_4k: int
    entries_2m: int
    entries_1g: int
    entries_upper: int


def replay(trace: Any, policy: str = "lru", *, fanout: int = 0, page: int = 0, height: int = 0, cache: int = 0, tau: float = 0.0) -> Counts:
    """Counts of translating `trace`, byte addresses of shape (m,), with a cache of `cache` nodes.

    policy   "lru", "islru", "min", "ismin", "rrmin" or "lis"
    fanout   K, a power of two; 0: 512            page     P in bytes, a power of two; 0: 4096
    height   d; 0: 4                              cache    W, nodes; 0: 1536
    tau      what a fault costs; 0: 1"""
    import numpy
    addresses = entries(trace, "trace")
    if addresses.dtype.itemsize == 4:
        addresses = numpy.asarray(addresses).astype(numpy.uint64)
    return Counts(*_core.vat_replay(addresses, text(policy, "policy"), whole(fanout, "fanout", 0, LONG), whole(page, "page", 0, LONG),
                                    whole(height, "height"), whole(cache, "cache", 0, LONG), real(tau, "tau")))


def presets() -> list[Preset]:
    """The translation caches of common cores, a typical one first."""
    return [Preset(*one) for one in _core.vat_presets()]


def detect() -> Preset:
    """That of the processor that runs this."""
    return Preset(*_core.vat_detect())
