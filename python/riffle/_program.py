# SPDX-License-Identifier: Apache-2.0
"""Array programs: sorting networks, transforms, operations of one's own, compiled into few passes."""
import json
import math

from . import _core, _plots
from ._arguments import text as checked
from ._arguments import whole
from ._arrays import adopt, along, writable
from ._plan import cache
from .errors import InvalidArgument, LengthError, Unsupported

_LETTERS = {"int": "i", "uint": "u", "float": "f", "complex": "c"}


def _type(dtype):
    """riffle's name of a dtype of NumPy's, CuPy's or PyTorch's: "f32"."""
    if getattr(dtype, "isnative", True) is False:
        raise Unsupported(f"x: of dtype {dtype}, the other byte order; pass x.astype({dtype.newbyteorder('=').str!r})")
    name = str(dtype).rpartition(".")[2]
    word = name.rstrip("0123456789")
    return _LETTERS.get(word, word) + name[len(word):]


def program(text, like, definitions=None, axis=None, threads=0):
    """A program compiled for arrays like `like`: plan(x) or plan(x, out) does it.

    text         of the language of docs/programs.md, in which n is log2 of the length: "hadamard n", "fft n", "sort n"
    like         an array of integers, floats of 16 to 64 bits, or complex numbers
    definitions  text of definitions of your own, before the library's
    axis         None: all elements in C order are one array of 2^n; -1: the last axis is, and the others are a batch

    The last ones are kept (riffle.cache). SpecSyntaxError says where a text does not parse."""
    like, _ = adopt(like, "like")
    return _program(text, like, definitions, axis, threads)


def _program(text, x, definitions, axis, threads):
    text, threads = checked(text, "text"), whole(threads, "threads")
    definitions = None if definitions is None else checked(definitions, "definitions")
    device, itemsize, shape, _ = _core.describe(x)
    if axis is not None and along(axis, len(shape)) != len(shape) - 1:
        raise InvalidArgument(f"axis: {axis}; a program is done to all elements (None) or along the last axis (-1)")
    length = math.prod(shape) if axis is None else shape[-1]
    batch = math.prod(shape) // length if length > 0 else 0
    if length == 0 or length & (length - 1) or batch == 0:
        raise LengthError(f"x: {batch} arrays of {length} elements; programs are done to arrays of 2^n")
    name = _type(x.dtype)
    key = (text, definitions, length, name, batch, device, threads)
    return cache.find(key, lambda: _core.program(text, definitions, length.bit_length() - 1, name, batch, device, threads, x))


def run(text, x, definitions=None, axis=None, out=None):
    """Runs a program on x: riffle.run("hadamard n", x). Arguments as riffle.program has them.

    out is an array of x's shape and dtype; it may be x where the program's plan is in_place. Shapes: x.shape."""
    x, finish = adopt(x)
    y = _program(text, x, definitions, axis, 0)(x, writable(out, finish))
    return y if finish is None else finish(y)


_core.ProgramPlan.__doc__ = """A program compiled for a type, a number of arrays of 2^n and a device: riffle.program makes it."""
_core.ProgramPlan.numbers = property(lambda self: json.loads(self.explain_json()), doc="What explain says, as data.")
_core.ProgramPlan.__repr__ = lambda self: f"<riffle.ProgramPlan: {self.batch} x 2^{self.n} elements, {self.stages} stages, {self.passes} passes>"
_core.ProgramPlan.plot = _plots.program
