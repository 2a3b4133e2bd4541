# SPDX-License-Identifier: Apache-2.0
"""A rank's part of an array, as libriffle-mpi has it: in the memory of the host, or of the rank's GPU."""
from contextlib import nullcontext

import numpy

from . import _core
from ._arrays import adopt, library_of, on_host
from .errors import Unsupported


def on_the_host(x, name="x"):
    """A part of NumPy's, in C order."""
    x = on_host(x, name)
    if x.dtype.hasobject:
        raise Unsupported(f"{name}: of dtype object; elements of a fixed size are moved")
    return numpy.ascontiguousarray(x).reshape(x.shape)


class Part:
    """A part of NumPy's, PyTorch's or CuPy's.

    x        it, in C order
    itemsize bytes of an element
    engine   as riffle_engine counts them
    device   the GPU's number, and
    stream   on which its library queues; None: of the host"""

    engine, device, stream = 0, None, None

    def __init__(self, x, name="x"):
        x, _ = adopt(x, name)
        if isinstance(x, numpy.ndarray) or _core.describe(x, name)[0] < 0:
            self.x = on_the_host(x, name)
            self.itemsize = self.x.dtype.itemsize
            return
        self.device, self.itemsize, *_ = _core.describe(x, name)
        self.library, self.engine = library_of(x), 1
        self.is_torch = self.library.__name__ == "torch"
        with self._on(x):
            self.x = x.contiguous() if self.is_torch else self.library.ascontiguousarray(x).reshape(x.shape)
        self.stream = _core.stream(self.x)

    def _on(self, x):
        return self.library.cuda.device(x.device) if self.is_torch else x.device

    def current(self):
        """Makes its GPU current."""
        return self._on(self.x) if self.engine else nullcontext()

    def empty(self, shape):
        """Another array of its elements, where it is."""
        if self.engine and self.is_torch:
            return self.library.empty(shape, dtype=self.x.dtype, device=self.x.device)
        with self.current():
            return (self.library if self.engine else numpy).empty(shape, self.x.dtype)

    def address(self, x):
        """Where its own array, or one that it made, has its elements."""
        if not self.engine:
            return x.ctypes.data
        return x.data_ptr() if self.is_torch else x.data.ptr
