# SPDX-License-Identifier: Apache-2.0
"""libriffle-mpi, by ctypes: where it is, that it is for mpi4py's MPI, and the records of its calls (riffle/mpi.h)."""
import ctypes
import functools
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

from mpi4py import MPI

from ._core import build, version
from .errors import CLASSES, Error, InternalError, InvalidArgument, OutOfMemory, Unsupported

_CODES = {kind: code for code, kind in CLASSES.items()}
_FIELDS = 16  # RIFFLE_SORT_MAX_FIELDS
Handle = c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(c_int) else c_void_p  # MPICH's communicators are ints, Open MPI's pointers


class Layout(Structure):
    _fields_ = [("kind", c_int), ("rank", c_uint), ("shape", c_void_p), ("axis", c_uint), ("chunks", c_uint64), ("owner", c_void_p)]


class Exchange(Structure):
    _fields_ = [("src", Layout), ("dst", Layout), ("relabel", c_bool), ("piece_bits", c_uint), ("page", c_uint64)]


class MoveOptions(Structure):
    _fields_ = [("exchange", Exchange), ("threads", c_uint), ("engine", c_int), ("stream", c_void_p), ("transport", c_int), ("plain_bytes", c_size_t)]


TRANSPORTS = ("auto", "aware", "nccl", "peers", "staged")  # as riffle_mpi_transport counts them


class Field(Structure):
    _fields_ = [("kind", c_int), ("bytes", c_size_t), ("offset", c_size_t), ("descending", c_bool), ("name", c_char_p)]


class Key(Structure):
    _fields_ = [("elem_bytes", c_size_t), ("fields", c_uint), ("field", Field * _FIELDS), ("before", c_char_p)]


class SortOptions(Structure):
    _fields_ = [("value_bytes", c_size_t), ("indices", c_bool), ("threads", c_uint), ("plain_bytes", c_size_t)]


class SortArrays(Structure):
    _fields_ = [("from_keys", c_void_p), ("from_count", c_uint64), ("keys", c_void_p), ("count", c_uint64), ("from_values", c_void_p), ("values", c_void_p),
                ("indices", c_void_p)]


class GroupOptions(Structure):
    _fields_ = [("by", c_int), ("threads", c_uint), ("plain_bytes", c_size_t)]


class Groups(Structure):
    _fields_ = [("first_group", c_uint64), ("groups", c_uint64), ("offsets", POINTER(c_uint64)), ("rows", c_void_p), ("row_bytes", c_size_t),
                ("left_out", c_uint64), ("volume", c_uint64), ("messages", c_uint64)]


_CALLS = {"riffle_perm_parse": [c_char_p, c_uint64, POINTER(c_void_p)],
          "riffle_perm_table_u64": [c_uint64, c_void_p, POINTER(c_void_p)],
          "riffle_type_parse": [c_char_p, POINTER(c_int)],
          "riffle_group_by_parse": [c_char_p, POINTER(c_int)],
          "riffle_exchange_fail": [c_int, c_char_p],
          "riffle_mpi_agree": [Handle, c_int],
          "riffle_mpi_plan_create": [c_void_p, c_size_t, Handle, POINTER(MoveOptions), POINTER(c_void_p)],
          "riffle_mpi_execute": [c_void_p, c_void_p, c_void_p],
          "riffle_mpi_sort_plan_create": [POINTER(Key), c_uint64, c_uint64, Handle, POINTER(SortOptions), POINTER(c_void_p)],
          "riffle_mpi_sort_execute": [c_void_p, POINTER(SortArrays), c_void_p],
          "riffle_mpi_group": [c_uint64, c_size_t, c_void_p, c_int, c_void_p, c_uint64, Handle, POINTER(GroupOptions), POINTER(Groups)]}
_ENDS = {"riffle_perm_free": [c_void_p], "riffle_mpi_plan_elements": [c_void_p, POINTER(c_uint64), POINTER(c_uint64)], "riffle_mpi_plan_free": [c_void_p],
         "riffle_mpi_sort_plan_free": [c_void_p],
         "riffle_mpi_group_free": [POINTER(Groups)]}


# -------------------------------------------------------------------- loading

def _address(library, name):
    """Where a function of the library, or of one that it is linked with, is in memory; None: it has none."""
    function = getattr(library, name, None)
    return None if function is None else ctypes.cast(function, c_void_p).value


def _words(library):
    """An MPI's name and version, as short as a sentence wants them."""
    buffer, length = ctypes.create_string_buffer(8192), c_int(0)  # MPICH's longest
    library.MPI_Get_library_version(buffer, ctypes.byref(length))
    return " ".join(buffer.value.decode(errors="replace").split("\n")[0].split(",")[0].split())


def _check_mpi(library, path):
    """Both are linked with one MPI: a communicator of another would be taken for something else."""
    theirs = ctypes.CDLL(MPI.__file__)
    if _address(library, "MPI_Comm_rank") == _address(theirs, "MPI_Comm_rank"):
        return
    raise Unsupported(f"{path} is for {_words(library)}, and mpi4py for {_words(theirs)}; let RIFFLE_LIBRARY_PATH name the folder of a libriffle-mpi that is "
                      "built for mpi4py's (docs/beyond.md), or build mpi4py for the other (pip install --no-binary mpi4py mpi4py)")


def _check_build(library, path):
    """Both are of one build: the records above are laid out as its headers have them."""
    told = getattr(library, "riffle_mpi_build", None)
    if told is not None:
        told.restype = c_char_p
    theirs = "unknown" if told is None else told().decode(errors="replace")
    if theirs != build():
        raise Unsupported(f"{path} is of another build, {theirs}, than this riffle, {build()}; install riffle-arrays and libriffle-mpi of one build (docs/beyond.md), or let "
                          "RIFFLE_LIBRARY_PATH name the folder of a libriffle-mpi that is of this one")


@functools.cache
def library():
    """libriffle-mpi, in the folder that RIFFLE_LIBRARY_PATH names, and only there if it does; else where the loader looks."""
    name = "libriffle-mpi.so." + ".".join(version().split(".")[:2])
    path = os.path.join(os.environ.get("RIFFLE_LIBRARY_PATH") or "", name)
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise Unsupported(f"riffle.mpi needs {path}, which cannot be loaded ({error}); build riffle where MPI is found (docs/beyond.md), or let "
                          "RIFFLE_LIBRARY_PATH name the folder that has it") from None
    _check_mpi(loaded, path)
    _check_build(loaded, path)
    for name, kinds in _CALLS.items():
        getattr(loaded, name).argtypes = kinds
    for name, kinds in _ENDS.items():
        function = getattr(loaded, name)
        function.argtypes, function.restype = kinds, None
    loaded.riffle_error_detail.restype = c_char_p
    return loaded


# -------------------------------------------------------------------- calling

def call(name, *arguments):
    """A call that may fail; it lets other threads of Python on."""
    status = getattr(library(), name)(*arguments)
    if status != 0:
        raise CLASSES.get(status, InternalError)(library().riffle_error_detail().decode(errors="replace"))


def handle_of(comm):
    return Handle(MPI._handleof(comm))


def _code(error):
    """The status by which other ranks raise; exceptions of Python's own, such as WrongType, are arguments that do not suit."""
    kinds = [kind for kind in type(error).__mro__ if kind in _CODES]
    return _CODES[kinds[0]] if kinds else _CODES[OutOfMemory if isinstance(error, MemoryError) else InvalidArgument]


def together(comm, prepare):
    """Gives prepare()'s result, on all ranks; where it raises on one of them, all raise."""
    error = result = None
    try:
        result = prepare()
    except Exception as own:  # the others wait
        error = own
        library().riffle_exchange_fail(_code(error), str(error).encode(errors="replace"))
    try:
        call("riffle_mpi_agree", handle_of(comm), 0 if error is None else _code(error))
    except Error as told:
        if error is None:
            raise told from None
    if error is not None:
        raise error
    return result


def perm_handle(text, table, n):
    """A permutation of libriffle's; free it with riffle_perm_free."""
    out = c_void_p()
    if text is not None:
        call("riffle_perm_parse", text.encode(), n, ctypes.byref(out))
    else:
        call("riffle_perm_table_u64", n, table.ctypes.data, ctypes.byref(out))
    return out


def parsed(function, text):
    """A number by its name."""
    out = c_int()
    call(function, text.encode(), ctypes.byref(out))
    return out.value


def key_of(dtype, fields, before):
    """A sort's key, and what it points to."""
    if len(fields) > _FIELDS:
        raise Unsupported(f"x: {len(fields)} fields are compared; {_FIELDS} are the most")
    key = Key(elem_bytes=dtype.itemsize, fields=len(fields), before=None if before is None else before.encode())
    for k, (kind, size, offset, descending, name) in enumerate(fields):
        key.field[k] = Field(kind, size, offset, descending, None if name is None else name.encode())
    return key
