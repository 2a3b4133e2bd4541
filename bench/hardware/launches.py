# SPDX-License-Identifier: Apache-2.0
"""Which launches are counted on a GPU and on the memory machine, and what they are given.

Each is told twice: to the machine as a command line of `riffle lint`, and to the GPU by a program that makes the same
launches in the same order. Tables of indices and the places of patterns.cu are made here for both.
"""
import struct
from dataclasses import dataclass, field
from pathlib import Path

N, ROWS, COLS, IN_BLOCK, BLOCKS, REPETITIONS = 2**14, 8, 2048, 1024, 4, 3  # as in kernels.cu
LANES, PATTERN_CELLS = 32, 2048  # as in patterns.cu
ELEMENT_TYPES = {4: "uint32_t", 8: "uint64_t"}  # the project's kernels'
CELL_TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint2", 16: "uint4"}


@dataclass
class Launch:
    name: str                  # its name in the tables
    kernel: str                # as `riffle lint --kernel` takes it
    grid: tuple
    block: tuple
    arguments: list            # as `riffle lint --arg` takes them
    shared: int = 0            # bytes
    elem_bytes: int = 4


@dataclass
class Program:
    """A CUDA file with a main() that makes these launches, and no others, in this order."""
    name: str
    suite: str                 # which table its launches stand in
    source: str
    launches: list
    flags: list = field(default_factory=list)
    operands: list = field(default_factory=list)  # operands of main()


# ------------------------------------------------------------------------------------------- tables of indices

def mix(i, bits, key=0):
    """A permutation of 0 .. 2^bits - 1 without order: odd factors and shifts can be undone."""
    mask, half = 2**bits - 1, (bits + 1) // 2
    for factor in (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35):
        i = (i ^ key) * factor & mask
        i ^= i >> half
    return i


def casual(rows, cols):
    """Each row's permutation, next to random."""
    bits = cols.bit_length() - 1
    return [mix(k, bits, row) for row in range(rows) for k in range(cols)]


def conflict_free(rows, cols, key):
    """Each row's permutation: warps in any order, each one's lanes in any order in 32 cells that begin at a multiple
    of 32, which lie in 32 banks."""
    bits = (cols // LANES).bit_length() - 1
    return [LANES * mix(k // LANES, bits, key + row) + mix(k % LANES, 5, key + row + k // LANES)
            for row in range(rows) for k in range(cols)]


def write_npy(path, code, elements):
    """A .npy file; NumPy is not needed for it. The code is struct's: H, I or i."""
    descr = f"<{'u' if code.isupper() else 'i'}{struct.calcsize(code)}"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(elements)},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(elements)}{code}", *elements))


def write_tables(folder):
    """The .npy files that kernels.cu reads and the machine is given."""
    write_npy(folder / "map.npy", "I", casual(1, N))
    write_npy(folder / "identity.npy", "H", list(range(COLS)) * ROWS)
    write_npy(folder / "casual.npy", "H", casual(ROWS, COLS))
    write_npy(folder / "s.npy", "H", conflict_free(ROWS, COLS, 1))
    write_npy(folder / "d.npy", "H", conflict_free(ROWS, COLS, 77))
    write_npy(folder / "block_table.npy", "H", casual(1, IN_BLOCK))
    write_npy(folder / "block_s.npy", "H", conflict_free(1, IN_BLOCK, 5))
    write_npy(folder / "block_d.npy", "H", conflict_free(1, IN_BLOCK, 91))


# ------------------------------------------------------------------------------------- the project's kernels

def flat_launches(folder, size, arrays):
    def flat(name, kernel, *arguments):
        return Launch(name, f"{kernel}<{ELEMENT_TYPES[size]}>", (N // 256,), (256,), arrays + list(arguments), 0,
                      size)

    n, table = f"uint64_t={N}", f"uint32_t:{folder}/map.npy"
    return [flat("copy", "copy", n, "uint64_t=0", "uint32_t=0"),
            flat("copy, reflected", "copy", n, "uint64_t=5", "uint32_t=1"),
            flat("scatter", "scatter", table, n, "uint32_t=1"),
            flat("gather", "gather", table, n, "uint32_t=1")]


def tile_launches(size, arrays):
    def transpose(rows, cols):
        tiles = -(-rows // 32) * -(-cols // 32)
        return Launch(f"transpose, {rows} x {cols}", f"transpose<{ELEMENT_TYPES[size]}>", (tiles,), (32, 32),
                      arrays + [f"uint64_t={rows}", f"uint64_t={cols}"], 32 * 32 * size, size)

    return [transpose(N // 128, 128), transpose(100, 130)]


def row_launches(folder, size, arrays):
    def rows(name, s, d):
        sides = [f"uint16_t:{folder}/{s}.npy", f"uint16_t:{folder}/{d}.npy"]
        ends = [f"uint32_t={COLS}", f"uint64_t={N}", f"uint64_t={N}"]
        return Launch(f"row_wise, {name}", f"row_wise<{ELEMENT_TYPES[size]}>", (ROWS,), (1024,),
                      arrays + sides + ends, 2 * COLS * size, size)

    return [rows("scheduled", "s", "d"), rows("unscheduled", "identity", "casual")]


def in_block_launches(folder, size, arrays):
    def in_block(name, *tables):
        ends = [f"uint32_t={IN_BLOCK}", f"uint32_t={IN_BLOCK}", f"uint64_t={REPETITIONS}"]
        return Launch(f"{name}_in_block", f"{name}_in_block<{ELEMENT_TYPES[size]}>", (BLOCKS,), (256,),
                      arrays + [f"uint16_t:{folder}/block_{table}.npy" for table in tables] + ends,
                      2 * IN_BLOCK * size + len(tables) * 2 * IN_BLOCK, size)

    return [in_block("copy"), in_block("scatter", "table"), in_block("gather", "table"),
            in_block("conflict_free", "s", "d")]


def kernels(folder):
    launches = []
    for size, letters in ELEMENT_TYPES.items():
        arrays = [f"{letters}:{N}", f"{letters}:{N}:random"]
        launches += flat_launches(folder, size, arrays) + tile_launches(size, arrays)
        launches += row_launches(folder, size, arrays) + in_block_launches(folder, size, arrays)
    return Program("kernels", "kernels", "bench/hardware/kernels.cu", launches, operands=[str(folder)])


# ---------------------------------------------------------------------------------------- lint's examples

def examples():
    square = ["float:16384", "float:16384:random", "int=128"]
    programs = [Program(f"transpose_{way}", "kernels", f"examples/lint/transpose_{way}.cu",
                        [Launch(f"transpose_{way}.cu", "transpose", (4, 4), (32, 8), square)])
                for way in ("naive", "padded", "skewed")]
    sums = [Launch(f"reduce_strided.cu, {kernel}", kernel, (16,), (256,), ["float:16", "float:4096:random"])
            for kernel in ("modulo", "strided", "sequential")]
    worked = [Launch(f"worked_example.cu, {kernel}", kernel, (1,), (8,), ["int:8", "int:16:index"])
              for kernel in ("umm", "dmm")]
    reverse = [Launch(f"race.cu{which}", "reverse", (4,), (256,), ["int:1024:index"]) for which in ("", ", FIXED")]
    return programs + [
        Program("reduce_strided", "kernels", "examples/lint/reduce_strided.cu", sums),
        Program("worked_example", "kernels", "examples/lint/worked_example.cu", worked),
        Program("race", "kernels", "examples/lint/race.cu", reverse[:1]),
        Program("race_fixed", "kernels", "examples/lint/race.cu", reverse[1:], flags=["-DFIXED"]),
    ]


# ----------------------------------------------------------------------------------------------- patterns

def shared_patterns():
    """The cell that each lane accesses; -1 for none."""
    lanes = range(LANES)
    patterns = {f"stride {stride}": [stride * t for t in lanes] for stride in (1, 2, 3, 4, 8, 16, 32, 33)}
    patterns |= {"one cell": [0] * LANES, "each half one cell": [t // 16 for t in lanes],
                 "both halves the same": [t % 16 for t in lanes], "pairs": [t // 2 for t in lanes],
                 "quarters the same": [t % 8 for t in lanes], "random": [mix(t, 10) >> 4 for t in lanes],
                 "even lanes": [t if t % 2 == 0 else -1 for t in lanes],
                 "a lane of each quarter": [t if t % 8 == 0 else -1 for t in lanes]}
    return patterns


def global_patterns(size):
    lanes = range(LANES)
    patterns = {f"from byte {offset}": [offset // size + t for t in lanes]
                for offset in (0, 4, 16, 132) if offset % size == 0}
    return patterns | {"stride 2": [2 * t for t in lanes], "stride 32": [32 * t for t in lanes],
                       "random": [mix(t, 10) for t in lanes], "one cell": [0] * LANES}


def added_patterns():
    return {name: shared_patterns()[name] for name in ("one cell", "stride 1", "stride 32", "pairs", "random")}


def pattern_launch(folder, kind, size, name, places):
    """One launch, with its places in a file for the machine."""
    path = folder / f"{kind}-{size}-{name.replace(' ', '_')}.npy"
    write_npy(path, "i", places)
    place, cells, shared = f"int:{path}", (max(places) // 128 + 1) * 128, 0
    arrays = [f"{CELL_TYPES[size]}:{PATTERN_CELLS}", f"{CELL_TYPES[size]}:{PATTERN_CELLS}:random", place]
    if kind == "shared_access":
        arrays, shared = arrays + [f"unsigned={cells}"], 2 * cells * size
    elif kind == "global_add":
        arrays = [f"int:{PATTERN_CELLS}:zero", f"int:{PATTERN_CELLS}", place]
    elif kind != "global_access":
        arrays = [f"int:{PATTERN_CELLS}", place]
    kernel = f"{kind}<{CELL_TYPES[size]}>" if kind.endswith("_access") else kind
    return Launch(f"{kind}, {name}", kernel, (1,), (LANES,), arrays, shared, size)


def pattern_program(folder, title, cases):
    """Cases are (kind, bytes, name, places); the program is told the places of all in one file."""
    told = folder / f"{title}.txt"
    told.write_text("".join(f"{kind} {size} {' '.join(map(str, places))}\n" for kind, size, _, places in cases))
    launches = [pattern_launch(folder, *case) for case in cases]
    return Program(title, "patterns", "bench/hardware/patterns.cu", launches, operands=[str(told)])


def patterns(folder):
    shared = [("shared_access", size, *pattern) for size in CELL_TYPES for pattern in shared_patterns().items()]
    whole = [("global_access", size, *pattern) for size in CELL_TYPES for pattern in global_patterns(size).items()]
    added = [(kind, 4, *pattern) for kind in ("shared_add", "shared_count", "global_add")
             for pattern in added_patterns().items()]
    return [pattern_program(folder, "global_and_atomics", whole + added), pattern_program(folder, "shared", shared)]


def programs(folder):
    """All of them, their files written into a folder; those that matter most come first."""
    folder = Path(folder)
    write_tables(folder)
    return [kernels(folder), *examples(), *patterns(folder)]
