# SPDX-License-Identifier: Apache-2.0
"""Arrays that the core does not look at itself are read as NumPy arrays, and a result is made of their kind where it has one."""
import sys

from . import _core
from ._arguments import shown, whole
from .errors import InvalidArgument, Unsupported, WrongType

HOST = {1, 3}  # DLPack's kinds of memory that a host reads: its own, and what CUDA has pinned


def adopt(x, name="x"):
    """x as an array that the core knows, and what makes a result x's kind (None: it is so already)."""
    if _core.is_known(x):
        return x, None
    if x is None or isinstance(x, (str, bytes)):
        raise WrongType(f"{name}: {shown(x)}; an array is wanted")
    import numpy
    if not _core.is_known(x):  # NumPy was not imported before: x may be anything
        if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] not in HOST:
            raise Unsupported(f"{name}: a {type(x).__name__} on a device; riffle takes PyTorch's and CuPy's arrays there, and "
                              "JAX's inside jit by riffle.jax")
        space = x.__array_namespace__() if hasattr(x, "__array_namespace__") else None
        try:
            x = numpy.asarray(x)
        except (TypeError, ValueError) as error:
            raise InvalidArgument(f"{name}: {error}") from error
        return x, getattr(space, "from_dlpack", None)
    return x, None


def on_host(x, name):
    """x as NumPy's array; masks, which would be lost, and what is on a GPU are refused."""
    import numpy
    x, _ = adopt(x, name)
    if type(x) is numpy.ndarray:
        return x
    if _core.describe(x, name)[0] >= 0:
        raise Unsupported(f"{name}: on a GPU; this is done on the host, so pass a copy there")
    return numpy.asarray(x)


def writable(out, finish):
    """out, unless results are made of another kind than arrays that can be written."""
    if out is not None and finish is not None:
        raise InvalidArgument("out: x is of a kind whose arrays are not written; leave it out")
    return out


def along(axis, rank, name="axis"):
    """An axis counted from the front."""
    axis = whole(axis, name, -sys.maxsize, sys.maxsize)
    if not -rank <= axis < rank:
        raise InvalidArgument(f"{name}: {axis} of an array of {rank} dimensions")
    return axis % rank


def call(plan, x, out):
    """plan(x, out) for an x that the core does not know."""
    x, finish = adopt(x)
    y = plan(x, writable(out, finish))
    return y if finish is None else finish(y)


KINDS = ("numpy", "torch", "cupy")  # as _core.describe numbers them


def library_of(x):
    """The module of an array that the core knows."""
    return sys.modules[KINDS[_core.describe(x)[3]]]


def numbers_like(x, values):
    """Some int64 where x is."""
    library = library_of(x)
    if library.__name__ == "torch":
        return library.tensor(values, dtype=library.int64, device=x.device)
    if library.__name__ == "numpy":
        return library.array(values, "int64")
    with x.device:
        return library.array(values, "int64")
