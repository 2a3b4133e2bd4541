# SPDX-License-Identifier: Apache-2.0
"""Plans of libriffle-mpi's, kept with the communicator that they were made for.

Ranks look for a plan each by itself, tell each other the number of what they found, and take it where all found the same one. Plans have their numbers, and are
dropped, in one order on all ranks, as each of these calls is one of all."""
import atexit
import weakref

from mpi4py import MPI

from . import _mpi
from ._plan import Cache

NAMELESS, NEW = -1, 0  # in place of a plan's number: what is asked for has no key; no plan has it


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

    def number(self, key):
        """The plan that has this key on this rank, or why there is none."""
        if key is None:
            return NAMELESS
        with self._lock:
            return next((number for number, plan in reversed(self._plans.items()) if plan.key == key), NEW)

    def agreed(self, numbers, key, make):
        """The plan that all ranks found, of their numbers; else a new one of make(), which is kept if it has a key on all ranks."""
        if min(numbers) == NAMELESS:
            return make()
        if min(numbers) != max(numbers) or numbers[0] == NEW:
            self._made += 1
            numbers = [self._made]

        def made():
            plan = make()
            plan.key = key
            return plan
        return self.find(numbers[0], made)

    def __repr__(self):
        return super().__repr__().replace("riffle.cache", "riffle.mpi.cache()")


_all = weakref.WeakSet()


def _end(*_):
    """While MPI runs."""
    for plans in list(_all):
        plans.clear()


atexit.register(_end)
_with_comm = MPI.Comm.Create_keyval(delete_fn=lambda comm, keyval, plans: plans.clear())
_with_mpi = MPI.Comm.Create_keyval(delete_fn=_end)  # COMM_SELF's attributes go first when MPI ends
MPI.COMM_SELF.Set_attr(_with_mpi, True)


def of(comm):
    """The communicator's plans; none are those of its duplicates."""
    plans = comm.Get_attr(_with_comm)
    if plans is None:
        plans = Plans()
        comm.Set_attr(_with_comm, plans)
        _all.add(plans)
    return plans
