# SPDX-License-Identifier: Apache-2.0
"""The memory machine: kernels run without a GPU, with every access counted (docs/machine.md, docs/lint.md)."""
import functools
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core, _html, _plots
from ._arguments import is_checked, real, several, text, whole
from ._arrays import on_host
from ._perm import Perm
from ._program import _type as type_name
from .errors import InvalidArgument, LengthError, WrongType

if TYPE_CHECKING:
    import riffle

LONG = (1 << 64) - 1


class Report:
    """The machine's counts, as data.

    rounds                  a dict for each launch, line, space and operation: "line", "space", "op", "requests",
                            "ideal_requests", "verdict", of lint also "array", "called_from", "share", "advice", ... (docs/machine.md has all)
    wasteful                those of them whose verdict is neither "coalesced" nor "conflict-free"
    hazards                 a dict for each: "kind", "file", "line", "count", "text"
    time_units              and predicted_time_units, None where nothing is known
    predicted_launches      then None, else what was predicted of each launch
    casual_rounds           rounds that were not coalesced, or not free of conflicts
    data                    all of it

    str(report) is the table that the command prints."""

    def __init__(self, report: Any, source: str | None = None) -> None:
        self._report, self.source = report, source

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self._report.json())
        return data

    @property
    def rounds(self) -> list[dict[str, Any]]:
        return list(self.data["rounds"])

    @property
    def wasteful(self) -> list[dict[str, Any]]:
        return [r for r in self.rounds if r["verdict"] not in ("coalesced", "conflict-free")]

    @property
    def hazards(self) -> list[dict[str, Any]]:
        return list(self.data["hazards"])

    @property
    def time_units(self) -> int | None:
        return self.data["time_units"]

    @property
    def predicted_time_units(self) -> int | None:
        return self.data["predicted_time_units"]

    @property
    def predicted_launches(self) -> list[dict[str, Any]] | None:
        return self.data.get("predicted_launches")

    @property
    def casual_rounds(self) -> int:
        return int(self._report.casual_rounds)

    def __str__(self) -> str:
        return str(self._report.text())

    def __repr__(self) -> str:
        return f"<riffle.machine.Report: {self.time_units} time units, {len(self.wasteful)} wasteful of {len(self.rounds)} rows, {len(self.hazards)} kinds of hazards>"

    def _repr_html_(self) -> str:
        return str(_html.report(self))

    def plot(self, ax: Any = None) -> Any:
        """Draws requests line by line (docs/python.md)."""
        return _plots.report(self, ax)


def simulate(p: "riffle.Perm | str", n: int | None = None, elem_bytes: int = 4, algorithm: str = "auto", *, row_length: int = 0, batch: int = 0,
             in_place: bool = False, check: bool = False, **machine: float | str) -> Report:
    """Runs the kernels of one algorithm, moving elements along p, and reports every round.

    p            a Perm, or the text of one for `n` indices
    elem_bytes   4 or 8; other sizes for some algorithms (riffle/machine.h)
    check        the result is read once more, by launches that are counted too (docs/check.md)
    machine      width, latency, shared_latency, dmms, block_threads, shared_bytes; threshold: a row is called uncoalesced, or in
                 conflict, if its requests are more than so many times the fewest (1.25); shared_layout: "ras", "rap" or "xor", a layout
                 of shared memory that is tried beside, and shared_seeds, how many drawings of it (riffle/machine.h)"""
    p = p if isinstance(p, Perm) else Perm(p, n)
    return Report(_core.simulate(p._handle, whole(elem_bytes, "elem_bytes", 1, LONG), text(algorithm, "algorithm"),
                                 whole(row_length, "row_length", 0, LONG), whole(batch, "batch", 0, LONG), bool(in_place), is_checked(check),
                                 _options(machine)))


class Prediction(NamedTuple):
    """The time that simulate would count, known before it runs."""
    time_units: int | None  #: None where nothing is known of a kernel
    is_exact: bool  #: else some blocks of long launches stand for others
    bound: int  #: n/w + L - 1, which no algorithm can beat


def predict(p: "riffle.Perm | str", n: int | None = None, elem_bytes: int = 4, algorithm: str = "auto", *, row_length: int = 0, batch: int = 0,
            in_place: bool = False, check: bool = False, **machine: float | str) -> Prediction:
    """The time units that simulate would count, and nothing is run. Arguments are simulate's."""
    p = p if isinstance(p, Perm) else Perm(p, n)
    return Prediction(**_core.predict(p._handle, whole(elem_bytes, "elem_bytes", 1, LONG), text(algorithm, "algorithm"),
                                      whole(row_length, "row_length", 0, LONG), whole(batch, "batch", 0, LONG), bool(in_place), is_checked(check),
                                      _options(machine)))


def explain_program(program: str, n: int, type: str = "f32", *, engine: str = "cuda", algorithm: str = "auto", batch: int = 1,
                    definitions: str | None = None, measure: bool = False, **machine: float | str) -> dict[str, Any]:
    """In which passes a program is done to 2^k = n elements; on a GPU, which need not be there, what each launch is predicted to take.

    program      of the language of docs/programs.md: "sort n"; definitions: text of definitions of your own
    type         "f32", "u8", "c64", ...
    engine       "cuda" or "cpu", which has passes alone
    algorithm    "auto", "fused" or "paper"
    measure      run it, too, beside a copy, where the engine is: result["measured"]
    machine      width, latency, shared_latency, dmms

    The result is what riffle explain --json prints (docs/command.md): its n is the elements of all arrays of the batch."""
    told: dict[str, Any] = json.loads(_core.explain_program(
        *_program(program, definitions, n, type, algorithm, batch), text(engine, "engine"), bool(measure), _options(machine)))
    return told


def explain_sort(n: int, type: str = "u32", *, engine: str = "cuda", algorithm: str = "auto", streams: int = 0, top: int = 0,
                 partition: int = 0, index_bytes: int = 0, check: bool = False, measure: bool = False, **machine: float | str) -> dict[str, Any]:
    """How n numbers are sorted; on a GPU, which need not be there, what each launch is predicted to take.

    algorithm    "auto", "two-phase", "k-partition" or "pairwise"
    streams      so many sorted ones are merged instead, if it is not 0
    top          so many of the first are found alone, if it is not 0
    partition    so many of the first are brought to the front alone, if it is not 0
    index_bytes  4 or 8: the stable order as indices comes with it
    check        the result is read once more, too

    Other arguments, and the result, as explain_program has them."""
    told: dict[str, Any] = json.loads(_core.explain_sort(
        *_sort(n, type, algorithm, streams, top, partition, index_bytes, check), text(engine, "engine"), bool(measure), _options(machine)))
    return told


def explain_hull(n: int, type: str = "f32", *, engine: str = "cuda", algorithm: str = "auto", sets: int = 1, all: bool = False,
                 points: bool = False, measure: bool = False, **machine: float | str) -> dict[str, Any]:
    """How the hull of n points is found, or one of each of `sets` sets of as many; on a GPU, which need not be there, what each launch is
    predicted to take.

    type         of coordinates: "f32", "f64", or an integer's
    algorithm    "auto" or "paper", the dissertation's
    all          with points between two corners
    points       as points, and not as indices

    Other arguments, and the result, as explain_program has them."""
    told: dict[str, Any] = json.loads(_core.explain_hull(
        whole(n, "n", 0, LONG), text(type, "type"), text(algorithm, "algorithm"), whole(sets, "sets", 1, LONG), bool(all), bool(points),
        text(engine, "engine"), bool(measure), _options(machine)))
    return told


def explain_group(n: int, row_bytes: int, groups: int, type: str = "i32", *, engine: str = "cuda", keys_per_row: int = 1, index_bytes: int = 0,
                  columns: Sequence[int] = (), check: bool = False, measure: bool = False, **machine: float | str) -> dict[str, Any]:
    """How n rows of row_bytes bytes are grouped by keys; on a GPU, which need not be there, what each launch is predicted to take, of keys whose
    groups are drawn evenly.

    type          of keys, an integer's
    keys_per_row  keys of each row
    index_bytes   4 or 8: places come with it
    columns       bytes of a row of each further column, which goes to the same places
    check         the result is read once more, too

    Other arguments, and the result, as explain_program has them."""
    told: dict[str, Any] = json.loads(_core.explain_group(
        whole(n, "n", 0, LONG), whole(row_bytes, "row_bytes", 0, LONG), text(type, "type"), whole(groups, "groups", 0, LONG),
        whole(keys_per_row, "keys_per_row", 1, LONG), whole(index_bytes, "index_bytes", 0, LONG),
        _columns(columns), is_checked(check), text(engine, "engine"), bool(measure), _options(machine)))
    return told


def explain_ungroup(n: int, row_bytes: int, rows: int, *, engine: str = "cuda", keys_per_row: int = 1, sum: str = "none", weights: bool = False,
                    index_bytes: int = 4, measure: bool = False, **machine: float | str) -> dict[str, Any]:
    """How n rows of row_bytes bytes are brought back from `rows` grouped ones; on a GPU, which need not be there, what the launch is predicted to
    take, of places that are drawn evenly.

    keys_per_row  places of each row
    sum           "f32", "f64", "f16" or "bf16": the numbers of rows that are added up; "none": each row has one place
    weights       each times its weight
    index_bytes   4 or 8: of a place

    Other arguments, and the result, as explain_program has them."""
    told: dict[str, Any] = json.loads(_core.explain_ungroup(
        whole(n, "n", 0, LONG), whole(row_bytes, "row_bytes", 0, LONG), whole(rows, "rows", 0, LONG), whole(keys_per_row, "keys_per_row", 1, LONG),
        text(sum, "sum"), bool(weights), whole(index_bytes, "index_bytes", 0, LONG), text(engine, "engine"), bool(measure), _options(machine)))
    return told


def simulate_program(program: str, n: int, type: str = "f32", *, algorithm: str = "auto", batch: int = 1, definitions: str | None = None,
                     **machine: float | str) -> Report:
    """Does a program to 2^k = n elements, by the launches of a GPU, and reports every round. Arguments are explain_program's."""
    return Report(_core.simulate_program(*_program(program, definitions, n, type, algorithm, batch), _options(machine)))


def simulate_sort(n: int, type: str = "u32", *, algorithm: str = "auto", streams: int = 0, top: int = 0, partition: int = 0, index_bytes: int = 0,
                  check: bool = False, worst: bool = False, **machine: float | str) -> Report:
    """Sorts n random numbers by the launches of a GPU, and reports every round; of merges data["block_exchanges"] beside the bounds, too.

    worst    keys are the published worst case of merging two at a time, where streams is a power of two, and n a multiple of 1920 a stream

    Other arguments are explain_sort's."""
    return Report(_core.simulate_sort(*_sort(n, type, algorithm, streams, top, partition, index_bytes, check), bool(worst), _options(machine)))


def simulate_hull(points: Any, all: bool = False, *, algorithm: str = "auto", **machine: float | str) -> Report:
    """Finds the hull of points by the launches of a GPU, and reports every round.

    points       shape (m, 2), of the host: float32, float64 or integers; shape (k, m, 2) is k sets
    all          with points between two corners
    algorithm    "auto" or "paper", the dissertation's"""
    points, kind = _in_order(points, "points")
    if points.ndim not in (2, 3) or points.shape[-1] != 2:
        raise InvalidArgument(f"points: of shape {points.shape}; points are (m, 2), and sets of them (k, m, 2)")
    return Report(_core.simulate_hull(points, kind, text(algorithm, "algorithm"), points.shape[0] if points.ndim == 3 else 1, bool(all), _options(machine)))


def simulate_group(keys: Any, groups: int, row_bytes: int, *, index_bytes: int = 0, columns: Sequence[int] = (), check: bool = False,
                   **machine: float | str) -> Report:
    """Groups rows of row_bytes bytes, of the machine's making, by keys, by the launches of a GPU, and reports every round.

    keys    integers of the host, one a row, or of shape (rows, k): k of each

    Other arguments are explain_group's."""
    keys, kind = _in_order(keys, "keys")
    if keys.ndim not in (1, 2):
        raise LengthError(f"keys: of shape {keys.shape}; they are (rows,), or (rows, k)")
    if keys.shape[-1] == 0 and keys.ndim == 2:
        raise LengthError("keys: rows have none; they have one at least")
    return Report(_core.simulate_group(keys, kind, whole(row_bytes, "row_bytes", 0, LONG), whole(groups, "groups", 0, LONG),
                                       whole(index_bytes, "index_bytes", 0, LONG), _columns(columns), is_checked(check), _options(machine)))


def simulate_in_blocks(p: "riffle.Perm | str", n: int | None = None, elem_bytes: int = 4, algorithm: str = "conflict-free", *, blocks: int = 1,
                       **machine: float) -> Report:
    """Moves an array along p within the shared memory of each of `blocks` blocks, as the DMM paper does (docs/machine.md).

    algorithm    copy, scatter, gather or conflict-free; data["in_block"] of the report has the counts of the move alone
    machine      as simulate has it"""
    p = p if isinstance(p, Perm) else Perm(p, n)
    return Report(_core.simulate_in_blocks(p._handle, whole(elem_bytes, "elem_bytes", 1, LONG), text(algorithm, "algorithm"),
                                           whole(blocks, "blocks", 0, 2**31 - 1), _options(machine)))


def _program(program, definitions, n, type, algorithm, batch):
    """A program's arguments, as the core has them."""
    bits = whole(n, "n", 1, LONG).bit_length() - 1
    if n != 1 << bits:
        raise LengthError(f"n: {n}; programs are done to arrays of 2^k elements")
    return (text(program, "program"), None if definitions is None else text(definitions, "definitions"), bits, text(type, "type"),
            text(algorithm, "algorithm"), whole(batch, "batch", 0, LONG))


def _sort(n, type, algorithm, streams, top, partition, index_bytes, check):
    """A sort's arguments, as the core has them."""
    return (whole(n, "n", 0, LONG), text(type, "type"), text(algorithm, "algorithm"), whole(streams, "streams", 0, LONG), whole(top, "top", 0, LONG),
            whole(partition, "partition", 0, LONG), whole(index_bytes, "index_bytes", 0, LONG), is_checked(check))


def _columns(columns):
    return [whole(b, f"columns[{k}]", 0, LONG) for k, b in enumerate(several(columns, "columns"))]


def _in_order(x, name):
    """x in C order on the host, and riffle's name of its type."""
    import numpy
    x = on_host(x, name)
    kind = type_name(x.dtype)
    return numpy.asarray(x, order="C"), kind


def _options(machine):
    """The machine's own numbers; the core knows which there are."""
    readers = {"threshold": real, "shared_layout": text}
    return {name: readers.get(name, whole)(value, name) for name, value in machine.items()}


def _extent(size, name):
    sizes = list(size) if isinstance(size, (tuple, list)) else [size]
    if not 1 <= len(sizes) <= 3:
        raise InvalidArgument(f"{name}: {len(sizes)} numbers; it has one to three")
    return [whole(number, name) for number in sizes]


def _texts(words, name):
    if isinstance(words, str):
        raise WrongType(f"{name}: a text; it is a list of texts")
    return [text(word, name) for word in words]


def _in_file(source: str, work: "Callable[[str], Any]") -> Any:
    """Does the work to a file that has the source, which lies there meanwhile."""
    with tempfile.TemporaryDirectory(prefix="riffle-") as folder:
        file = os.path.join(folder, "source.cu")
        with open(file, "w", encoding="utf-8") as out:
            out.write(source)
        return work(file)


def lint(file: str | os.PathLike[str], kernel: str, *, grid: int | Sequence[int] = 1, block: int | Sequence[int] = 1, args: Sequence[str] = (),
         shared_bytes: int = 0, seed: int = 0, compiler: str = "", flags: Sequence[str] = (), **machine: float | str) -> Report:
    """Runs a kernel of a CUDA file on the machine, without a GPU, and reports how each line uses memory.

    file, kernel   the source's file, or the source itself, which has several lines; and the kernel's name with its template arguments:
                   "transpose<float, 32>". Reports call a source without a file source.cu
    grid, block    numbers, or up to three of them
    args           a text for each parameter, as the command takes them: "float:1024:random", "int=5", "float:x.npy"
    flags          for the compiler and, of -L and -l, its linker: ("-DTILE=32", "-lz"); and nvcc's "-arch=sm_90a"
    machine        as simulate has it

    It wants a C++ compiler. FormatError has its first error where the file does not compile. docs/lint.md has more."""
    file = text(os.fspath(file) if isinstance(file, os.PathLike) else file, "file")
    if "\n" in file:
        job: dict[str, Any] = {"grid": grid, "block": block, "args": args, "shared_bytes": shared_bytes, "seed": seed, "compiler": compiler, "flags": flags}
        made: Report = _in_file(file, lambda name: lint(name, kernel, **job, **machine))
        made.source = file
        return made
    report = _core.lint(file, text(kernel, "kernel"), _extent(grid, "grid"), _extent(block, "block"), whole(shared_bytes, "shared_bytes", 0, LONG),
                        _texts(args, "args"), whole(seed, "seed", 0, LONG), text(compiler, "compiler"), _texts(flags, "flags"), _options(machine))
    return Report(report, file)


class Claim(NamedTuple):
    """An access, and all that lint_for_all says of it for every launch (docs/lint.md)."""
    kernel: str
    file: str
    line: int
    space: str  #: "global" or "shared"
    op: str  #: "read", "write" or "atomic"
    array: str
    index: str  #: the element that a thread accesses: "blockIdx.x*blockDim.x + threadIdx.x"
    bytes: int
    verdict: str  #: "proved", "refuted", "not-affine" or "open": coalesced, or free of bank conflicts
    claim: str  #: the same as words
    example: str  #: refuted: numbers with which it is not, "" where it never is
    always: bool
    bounds: str  #: "proved", "refuted", "open" or "no-length": within its array
    why: str = ""  #: open: what is in the way of a verdict
    bounds_example: str = ""  #: refuted: the element, and the launch's numbers
    bounds_why: str = ""  #: open: what is in the way
    requests: int | None = None  #: of a full warp, and the fewest
    ideal_requests: int | None = None


class Claims:
    """Claims for every launch, as data.

    all               a Claim for each access
    wasteful          those of them that are refuted
    out_of_bounds     those whose bounds are
    data              all of it, with functions that are called and were not seen

    str(claims) is the table that the command prints."""

    def __init__(self, claims: Any) -> None:
        self._claims = claims

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self._claims.json())
        return data

    @functools.cached_property
    def all(self) -> list[Claim]:
        return [Claim(**one) for one in self.data["claims"]]

    @property
    def wasteful(self) -> list[Claim]:
        return [one for one in self.all if one.verdict == "refuted"]

    @property
    def out_of_bounds(self) -> list[Claim]:
        return [one for one in self.all if one.bounds == "refuted"]

    def __str__(self) -> str:
        return str(self._claims.text())

    def __repr__(self) -> str:
        return f"<riffle.machine.Claims: {len(self.all)} accesses, {len(self.wasteful)} wasteful, {len(self.out_of_bounds)} out of bounds>"


def lint_for_all(file: str | os.PathLike[str], kernel: str = "", *, block: int | Sequence[int] | None = None, lengths: Mapping[str, str | int] | None = None,
                 compiler: str = "", flags: Sequence[str] = (), **machine: float | str) -> Claims:
    """Says of each access of a CUDA file's kernels, without running them, whether it is coalesced or free of bank conflicts, and in bounds, in
    every launch: by proof, or by an example in which it is not.

    file, kernel   as lint has them; without a kernel all that are launched or are no templates
    block          the launch's, if it is always the same
    lengths        to how many elements pointers point that are parameters, in C++ over the others: {"a": "n*m"}
    flags          for the compiler: ("-DTILE=32",); and nvcc's "-arch=sm_90a"
    machine        threshold, as simulate has it

    It wants clang. docs/lint.md says what is assumed."""
    file = text(os.fspath(file) if isinstance(file, os.PathLike) else file, "file")
    if "\n" in file:
        job: dict[str, Any] = {"block": block, "lengths": lengths, "compiler": compiler, "flags": flags}
        made: Claims = _in_file(file, lambda name: lint_for_all(name, kernel, **job, **machine))
        return made
    of = [f"{text(name, 'lengths')}={length}" for name, length in (lengths or {}).items()]
    return Claims(_core.lint_for_all(file, text(kernel, "kernel"), [] if block is None else _extent(block, "block"), _texts(of, "lengths"),
                                     text(compiler, "compiler"), _texts(flags, "flags"), _options(machine)))
