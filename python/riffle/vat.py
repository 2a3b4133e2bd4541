# SPDX-License-Identifier: Apache-2.0
"""The cost of translating a program's addresses: the VAT model (docs/vat.md; Jurkiewicz, Mehlhorn)."""
import math
from typing import Any, Iterable, NamedTuple, Optional

from . import _core
from ._arguments import real, several, text, whole
from ._perm import entries
from .errors import Error, InvalidArgument

LONG = (1 << 64) - 1
EM_CACHE, EM_BLOCK = 32 << 20, 64  # bytes


class Counts(NamedTuple):
    """The cost of translating a trace: addresses, insertions into the cache, and tau times those."""

    accesses: int
    faults: int
    cost: float


class Point(NamedTuple):
    """A program's cost for one size, in all: by the machines' closed forms, and counted. nan: not known.

    Quotients are the chapter's curves: time / ram is Figure 2.1's, time / em_time Figure 2.2's, time / n Figure 2.6's."""

    program: str
    n: int
    elements: int       # 8 bytes each, that it works on
    ram: float          # operations
    em: float           # block transfers, for a cache of 32 MiB and blocks of 64 bytes
    em_time: float      # T_EM (section 2.1.1), where `memory` is given
    vat_least: float    # faults, bounds; of both translations with a host
    vat_most: float
    accesses: float     # counted, as those below
    faults: float
    host_faults: float
    references: float   # nodes fetched from memory by both caches: all but roots
    time: float         # 1 an operation, or T_EM, and tau a fault
    note: str           # why there are no bounds, or ""


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


def programs() -> list[str]:
    """The chapter's programs: "sequential-scan", "random-scan", "permute", ..."""
    return list(_core.vat_programs())


def curve(programs: Any, sizes: Iterable[int], *, policy: str = "lru", fanout: int = 0, page: int = 0, height: int = 0, cache: int = 0, tau: float = 0.0,
          nested: bool = False, host_page: int = 0, host_height: int = 0, host_cache: int = 0,
          memory: Optional[tuple[Iterable[int], Iterable[float]]] = None, seed: int = 1, replay: int = 1 << 22) -> list[Point]:
    """The chapter's programs over sizes, as `riffle vat curve` prints them: a Point for each program and size, by program.

    programs  a name of programs(), or several
    sizes     elements, from 1 on
    policy, fanout, page, height, cache, tau  as of replay()
    nested    translate twice: the tree is a guest's, and a host of the same fan-out and policy translates what its nodes stand for
    host_page, host_height, host_cache  the host's; 0: 4096, 4, and the guest's W
    memory    T_EM's hierarchy, for random-scan: bytes of each cache, and times, the memory's last
    seed      of the programs' random numbers
    replay    programs of up to so many operations are counted; 0: none"""
    guest = (whole(fanout, "fanout", 0, LONG) or 512, whole(page, "page", 0, LONG) or 4096, whole(height, "height") or 4,
             whole(cache, "cache", 0, LONG) or 1536, real(tau, "tau") or 1.0)
    given = (whole(host_page, "host_page", 0, LONG), whole(host_height, "host_height"), whole(host_cache, "host_cache", 0, LONG))
    if any(given) and not nested:
        raise InvalidArgument("host_page, host_height and host_cache are of a virtual machine; give nested=True as well")
    host = (guest[0], given[0] or 4096, given[1] or 4, given[2] or guest[3], guest[4]) if nested else None
    levels = None if memory is None else _levels(memory)
    names = [text(programs, "programs")] if isinstance(programs, str) else [text(one, "programs") for one in several(programs, "programs")]
    if levels is not None and any(name != "random-scan" for name in names):
        raise InvalidArgument("memory: gives T_EM, which is random-scan's; give that program alone")
    counts = [whole(n, "sizes", 1, LONG) for n in several(sizes, "sizes")]
    operations = whole(replay, "replay", 0, LONG)
    return [_point(name, n, text(policy, "policy"), guest, host, levels, whole(seed, "seed", 0, LONG), operations) for name in names for n in counts]


def _levels(memory):
    """Sizes in elements of 8 bytes, and times."""
    parts = several(memory, "memory")
    if len(parts) != 2:
        raise InvalidArgument(f"memory: {len(parts)} parts; give bytes of each cache, and times")
    return [whole(size, "memory", 8, LONG) / 8 for size in several(parts[0], "memory")], [real(time, "memory") for time in several(parts[1], "memory")]


def _point(program, n, policy, guest, host, levels, seed, replay):
    elements = _core.vat_elements(program, n)
    least = most = faults = host_faults = accesses = references = time = math.nan
    note = ""
    try:
        ram, em, least, most = _core.vat_cost(program, n, guest, host, EM_CACHE, EM_BLOCK)
    except Error as error:  # operations do not depend on the tree
        note = str(error)
        ram, em, _, _ = _core.vat_cost(program, n, (512, 4096, 4, 1536, 1.0), None, EM_CACHE, EM_BLOCK)
    em_time = math.nan if levels is None else _core.vat_em_time(n, *levels)
    if ram <= replay:
        counted, below = _core.vat_program(program, n, seed, policy, guest, host)
        accesses, faults, cost, references = counted
        if below is not None:
            _, host_faults, host_cost, host_references = below
            cost, references = cost + host_cost, references + host_references
        time = (ram if levels is None else em_time) + cost
    return Point(program, n, elements, ram, em, em_time, least, most, accesses, faults, host_faults, references, time, note)


def presets() -> list[Preset]:
    """The translation caches of common cores, a typical one first."""
    return [Preset(*one) for one in _core.vat_presets()]


def detect() -> Preset:
    """That of the processor that runs this."""
    return Preset(*_core.vat_detect())
