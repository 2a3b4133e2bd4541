# SPDX-License-Identifier: Apache-2.0
"""What translating a program's addresses costs: the VAT model (docs/vat.md; Jurkiewicz, Mehlhorn)."""
import collections

from . import _core
from ._arguments import real, text, whole
from ._perm import entries

LONG = (1 << 64) - 1
Counts = collections.namedtuple("Counts", "accesses faults cost")
Counts.__doc__ = "What translating a trace took: addresses, insertions into the cache, and tau times those."
Preset = collections.namedtuple("Preset", "name description entries_4k entries_2m entries_1g entries_upper")
Preset.__doc__ = "The translation cache of a core, from its vendor's manual; 0 where not known."


def replay(trace, policy="lru", *, fanout=0, page=0, height=0, cache=0, tau=0.0):
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


def presets():
    """The translation caches of common cores, a typical one first."""
    return [Preset(*one) for one in _core.vat_presets()]


def detect():
    """That of the processor that runs this."""
    return Preset(*_core.vat_detect())
