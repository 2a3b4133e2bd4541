# SPDX-License-Identifier: Apache-2.0
"""The exceptions of riffle. Every exception is a riffle.Error, and one of Python's own too; its text is the library's sentence."""


class Error(Exception):
    """Any failure of riffle's."""


class InvalidArgument(Error, ValueError):
    """An argument is outside its contract."""


class WrongType(Error, TypeError):
    """An argument is of a type that is of no use there."""


class IndexOutOfRange(InvalidArgument, IndexError):
    """An index names no row."""


class SpecSyntaxError(Error, ValueError):
    """A spec or a program does not parse; the text says at which character."""


class LengthError(Error, ValueError):
    """A length does not suit: too large, not a power of two, another shape."""


class NotAPermutation(Error, ValueError):
    """A table repeats an index or leaves the range."""


class Singular(Error, ValueError):
    """A bit matrix has no inverse over GF(2)."""


class FormatError(Error, ValueError):
    """A file is not what it should be, or does not compile."""


class FileError(Error, OSError):
    """The operating system refused to read or write."""


class OutOfMemory(Error, MemoryError):
    """Memory could not be had; nothing was changed."""


class Unsupported(Error, NotImplementedError):
    """This build, machine or algorithm cannot do it."""


class DeviceError(Error, RuntimeError):
    """The GPU or its driver refused."""


class InternalError(Error, RuntimeError):
    """riffle contradicts itself: please report it."""


class Stopped(Error, RuntimeError):
    """The library was told to stop; of Python's signals their own exception comes instead, KeyboardInterrupt say."""


class Damaged(Error, RuntimeError):
    """A check found that a result is not what it should be."""


# By riffle_status, RIFFLE_OK left out.
CLASSES = dict(enumerate((InvalidArgument, SpecSyntaxError, LengthError, NotAPermutation, Singular, FormatError, FileError,
                          OutOfMemory, Unsupported, DeviceError, InternalError, Stopped, Damaged), start=1))
