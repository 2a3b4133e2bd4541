# SPDX-License-Identifier: Apache-2.0
"""riffle permutes arrays: bit reversals, transposes, axis permutations, shuffles, any table of indices.

    p = riffle.Perm("bit-reversal", 1 << 20)      # WHAT moves: i -> p(i)
    y = riffle.permute(x, p)                      # y.ravel()[p(i)] = x.ravel()[i]
    plan = riffle.plan(p, x)                      # made ready, to be used often
    plan(x, out=y); print(plan.explain())

Arrays are NumPy's, PyTorch's or CuPy's, looked at where they are; a result is of the same kind. On a GPU work is queued on the
library's current stream, and nothing waits. Anything that can be read as a NumPy array (a list, a memoryview, a JAX array on the
host) is. docs/python.md has all of it.
"""
import importlib as _importlib

from . import errors
from ._core import Plan, ProgramPlan, version as _version
from ._bits import bitshuffle, bitunshuffle
from ._cycles import minimum_cycle_basis
from ._group import Grouped, group, ungroup
from ._histogram import histogram
from ._hull import hull
from ._moves import shuffle, take, transpose
from ._perm import Perm, recognize
from ._plan import cache, permute, plan, wisdom_forget, wisdom_load, wisdom_save
from ._program import program, run
from ._sort import argsort, merge, partition, sort, top, unique
from .errors import Error

__version__ = _version()
__all__ = ["Error", "Grouped", "Perm", "Plan", "ProgramPlan", "argsort", "bitshuffle", "bitunshuffle", "cache", "errors", "f2", "group", "histogram", "hull", "lint", "lint_for_all", "machine", "merge",
           "minimum_cycle_basis", "partition", "permute", "plan", "program", "recognize", "run", "shuffle", "sort", "take", "testing", "top", "transpose", "ungroup", "unique", "vat",
           "wisdom_forget", "wisdom_load", "wisdom_save"]

_LATER = {"f2", "machine", "vat", "testing", "torch", "jax", "dask", "mpi", "multigpu"}  # imported where they are first named


def __getattr__(name):
    if name in _LATER:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in ("lint", "lint_for_all"):
        return getattr(_importlib.import_module(f"{__name__}.machine"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_LATER, "lint", "lint_for_all"})
