# SPDX-License-Identifier: Apache-2.0
"""Arrays in the memories of several GPUs of one host: lists of PyTorch's tensors or CuPy's arrays, part p on its GPU.

    parts = [x0, x1]                                    x0 on cuda:0, x1 on cuda:1: one array of x0's elements and then x1's
    y0, y1 = riffle.multigpu.permute(parts, "bit-reversal")
    plan = riffle.multigpu.plan("bit-reversal", parts)  made ready, to be used often
    plan(parts, out=[y0, y1]); print(plan.volume_bytes)

GPUs store into each other's memory along any affine permutation (docs/beyond.md), on their libraries' current streams, and nothing waits. A GPU may have
several parts. There are 1, 2, 4, 8 or 16 parts, dense and alike, that begin on 16 bytes."""
from . import _core
from ._arguments import shown, whole
from ._core import MultigpuPlan
from ._perm import Perm
from .errors import InvalidArgument, LengthError, WrongType

__all__ = ["MultigpuPlan", "explain", "permute", "plan"]

_TRANSPORTS = ("auto", "peers", "copies")  # as riffle_multigpu_transport counts them


def _list(parts, name):
    if not isinstance(parts, (list, tuple)):
        raise WrongType(f"{name}: {shown(parts)}; a list of arrays is wanted, one of each GPU")
    for k, part in enumerate(parts):
        if not _core.is_known(part):
            raise WrongType(f"{name}: part {k} is {shown(part)}; PyTorch's tensors and CuPy's arrays on GPUs are moved")
    return list(parts)


def _perm(p, n):
    p = p if isinstance(p, Perm) else Perm(p, n) if isinstance(p, str) else Perm.table(p)
    if len(p) != n:
        raise LengthError(f"p: a permutation of {len(p)}, and the parts have {n} elements together")
    return p


def _transport(name):
    if name not in _TRANSPORTS:
        raise InvalidArgument(f"transport: {shown(name)}; one of {', '.join(_TRANSPORTS)} is wanted")
    return _TRANSPORTS.index(name)


def plan(p, parts, in_place=False, *, transport="auto"):
    """A MultigpuPlan: p made ready for parts like these.

    p         a Perm over all elements of all parts, the text of one, or a table on the host; an affine one
    parts     arrays on GPUs, which say where and how long they are; nothing of them is kept
    in_place  each part is moved where it is
    transport "peers" store into each other's memory; by "copies" of CUDA's, where there is no access, messages go through the host; "auto" finds out

    Two passes take a workspace of as many bytes as a part on each GPU, by copies of twice as many, which each call gets from the parts' library."""
    parts = _list(parts, "parts")
    return _core.multigpu_plan(_perm(p, _core.multigpu_length(parts))._handle, parts, bool(in_place), _transport(transport))


def permute(parts, p, out=None):
    """y with y[p(i)] = parts[i], both counted through all parts: a list of new parts on the same GPUs, or `out`."""
    return plan(p, parts)(parts, out)


def _call(self, parts, out=None):
    if out is not None and self.in_place:
        raise InvalidArgument("out: the plan moves parts where they are; leave it out")
    return self._call(_list(parts, "parts"), None if out is None else _list(out, "out"))


def explain(p, n, gpus, elem_bytes=4, *, in_place=False, transport="auto", bytes_per_second=0):
    """How so many GPUs would move n elements of so many bytes along p, as `riffle explain --gpus` prints it; needs no GPU.

    bytes_per_second   of a GPU's links, each way: then the time that they take at least is said, too"""
    perm = _perm(p, whole(n, "n", 0, (1 << 64) - 1))
    return _core.multigpu_explain(perm._handle, whole(elem_bytes, "elem_bytes"), whole(gpus, "gpus"), bool(in_place), _transport(transport), float(bytes_per_second))


MultigpuPlan.__call__ = _call
MultigpuPlan.transport = property(lambda self: _TRANSPORTS[self._transport], doc="how elements come into another GPU's memory")
MultigpuPlan.__module__ = __name__
MultigpuPlan.__doc__ = """A permutation made ready for an array in parts on GPUs: riffle.multigpu.plan makes it.

plan(parts) gives new parts, plan(parts, out) writes some; in place plan(parts) moves them and gives them back. One thread at a time may use a plan.
`passes` are 1 where neighbours in the result come from one GPU, and 2 else, in `chunks`, with `workspace_bytes` on each; GPUs store runs of `run_bytes` or more into each
other's memory, `volume_bytes` all together, the least possible."""
