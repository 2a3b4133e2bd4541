# SPDX-License-Identifier: Apache-2.0
"""Plans of libriffle-mpi's, kept with the communicator that they were made for.

Ranks look for plans each by itself, tell each other the numbers of what they found, and take one that all found. Plans have their numbers, and are
dropped, in one order on all ranks, as each of these calls is one of all."""
import atexit
import functools
import weakref

from mpi4py import MPI

from . import _mpi
from ._plan import Cache


class Plan:
    """A plan of the library's, freed with it.

    key    what was asked for, as this rank knows it
    bytes  of its workspaces on the rank that has most"""

    def __init__(self, free, handle, size):
        self._free, self.handle, self.bytes, self.key = getattr(_mpi.library(), free), handle, size, None

    def __del__(self):
        if not MPI.Is_finalized():
            self._free(self.handle)


class Plans(Cache):
    """A communicator's."""

    def __init__(self):
        super().__init__()
        self._made = 0

    def numbers(self, key):
        """The plans that have this key on this rank, several where other ranks' parts differ; None: what is asked for has no key."""
        if key is None:
            return None
        with self._lock:
            return [number for number, plan in self._plans.items() if plan.key == key]

    def agreed(self, numbers, key, make):
        """The last plan that all ranks found, of their numbers; else a new one of make(), which is kept if it has a key on all ranks."""
        if None in numbers:
            return make()
        found = set.intersection(*map(set, numbers))
        if not found:
            self._made += 1

        def made():
            plan = make()
            plan.key = key
            return plan
        return self.find(max(found, default=self._made), made)

    def __repr__(self):
        return super().__repr__().replace("riffle.cache", "riffle.mpi.cache()")


_all = weakref.WeakSet()


def _end(*_):
    """While MPI runs."""
    for plans in list(_all):
        plans.clear()


atexit.register(_end)


@functools.cache
def _keyval():
    """Made for the first plans: programs may import this module before MPI runs, and when it has ended."""
    MPI.COMM_SELF.Set_attr(MPI.Comm.Create_keyval(delete_fn=_end), True)  # COMM_SELF's attributes go first when MPI ends
    return MPI.Comm.Create_keyval(delete_fn=lambda comm, keyval, plans: plans.clear())


def of(comm):
    """The communicator's plans; none are those of its duplicates."""
    plans = comm.Get_attr(_keyval())
    if plans is None:
        plans = Plans()
        comm.Set_attr(_keyval(), plans)
        _all.add(plans)
    return plans
