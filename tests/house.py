#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rooms of src/ and machine/: who may know whom, and a picture of it for docs/architecture.md.

    house.py            check the rooms and write docs/images/house.svg
    house.py --check    check the rooms and the picture: exit 1 if one of them is not as it should be
    house.py --lines    count the files and the lines of code, without comments and blanks, of each room and of what stands beside them

A room is a folder of src/, or machine/; a floor is a row of rooms. A file may include what is in its own room or on a floor
below, so no room knows one beside it; nor may it call a public function of such a room. Inside a room, and between rooms with an exception, no folders include each other in a
circle; no files include each other in one anywhere, and no files call each other in one. Each exception has a reason. The command and the examples see include/ only. Kernels are launched in src/device alone.
No folder has more than 25 files beside its folders, no file more than 450 lines.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/images/house.svg"
# From the ground up. A room that has no folder is not drawn; a folder that is no room is an error.
FLOORS = [
    {"base": "how functions fail; processors, threads, memory"},
    {"npy": "the .npy format"},
    {"perm": "WHAT moves; the spec language", "custom": "code that users write",
     "machine": "the memory machine, lint, VAT"},
    {"models": "WHY: what moves cost", "device": "what launches: a GPU, the memory machine",
     "exchange": "moves between ranks"},
    {"check": "results read once more"},
    {"plan": "HOW: algorithm, passes, schedules of permutations"},
    {"move": "permutations", "program": "array programs", "sort": "sorts and merges", "hull": "convex hulls",
     "histogram": "small keys", "group": "rows by keys", "f2": "matrices over F2"},
    {"papers": "what only reproduces papers", "cycles": "minimum cycle bases of graphs", "bits": "arrays of bits",
     "multigpu": "moves between the memories of GPUs"},
]
EXCEPTIONS = {("plan", "papers"): "its lists of algorithms and of pass kinds have the papers' own in them",
              ("plan", "move"): "schedules are made of the tables that kernels take (move/kernels)",
              ("move", "papers"): "its list of kernels has the papers' own in it",
              ("hull", "papers"): "the dissertation's hull is one of its algorithms",
              ("program", "papers"): "the BMMC paper's way is one of its algorithms",
              ("sort", "papers"): "simulate makes the published worst inputs",
              ("sort", "move"): "values are gathered by a move's loop"}
TOP = {"machine": "machine"} # rooms beside src/
# Files that call each other, since what they do is recursive.
RECURSIVE = {("src/perm/affine", "src/perm/perm", "src/perm/rotation"): "a kind's operations may give another kind",
             ("machine/lint/arguments/arguments", "machine/lint/arguments/settings"): "a structure's field is an argument",
             ("machine/runtime/access", "machine/runtime/bulk", "machine/runtime/clusters", "machine/runtime/launch_run", "machine/runtime/waits"): "a launch resumes threads, which call it"}
# Who launches: rooms, and folders whose reason stands beside.
LAUNCHES = re.compile(r"\b(?:cudaLaunch(?:CooperativeK|K)ernel\w*|cudaLaunchConfig_t|cuLaunch\w+|machine_run)\b")
LAUNCHERS = {"src/device": "the one place that launches",
             "machine": "it defines machine_run, and takes cudaLaunch* for those who lint",
             "bench/suites/gpu": "riffle-bench's own kernels, measured beside the library's; it sees include/ only"}
CHEVRONS = {"src/move/cuda/planner": "steps of planning on a GPU, which are no plan's launches",
            "src/move/cuda/table": "the same of tables"}
OUTSIDE = {"cli": "the command", "mpi": "moves over MPI's ranks", "examples": "programs as users write them", "python": "the Python package"}
MEASURING = ["bench/suites", "bench/peers/cuda_peers"]  # they see include/ and cli/, and cli/ does not see them
CROWD, CROWDED = 25, ["src", "machine", "cli", "mpi", "bench", "tests"]
CORPUS = re.compile(r"tests/fuzz/corpus_\w+$")  # inputs, a file each, which nobody reads in order
LENGTH = 450
LONG = {"machine/device/cuda/runtime/textures.h": "CUDA's textures and surfaces, as host code knows them"}
INCLUDED_FROM = ["", "src", "include", "cli", "bench", "bench/suites", "tests", "mpi"]  # folders that compilers look in
SOURCE = {".c", ".h", ".cu", ".cuh", ".cpp", ".inc"}
WIDTH, LEFT, ROW, GAP = 760, 16, 64, 8
FILLS = ["#eef3f7", "#dfe9f1"]


def folder_of(room):
    return ROOT / TOP.get(room, f"src/{room}")


def rooms():
    return {path.name for path in (ROOT / "src").iterdir() if path.is_dir()} | set(TOP)


def room_files():
    return files("src") + [path for folder in TOP.values() for path in files(folder)]


def files(folder):
    return [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SOURCE]


def included(path):
    """The files of rooms that a file includes, as the compiler finds them."""
    top = path.relative_to(ROOT).parts[0]  # cli/ has a hull/ as src/ has
    for name in re.findall(r'^#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE):
        places = [path.parent / name, ROOT / top / name, ROOT / "src" / name, ROOT / name]
        found = next((place.resolve() for place in places if place.exists()), None)
        if found is not None and within(found, ["src", *TOP.values()]):
            yield found


def reachable(path):
    """Every file of ours that a file includes, wherever both are: by "" or <>, from its own folder or one that a compiler is told."""
    top = path.relative_to(ROOT).parts[0]
    for name in re.findall(r'^#\s*include\s+["<]([^">]+)[">]', path.read_text(), re.MULTILINE):
        found = next((place for place in [path.parent / name, *(ROOT / folder / name for folder in [top, *INCLUDED_FROM])] if place.is_file()), None)
        if found is not None and found.resolve() != path:  # riffle/mpi.h includes MPI's
            yield found.resolve()


def within(path, folders):
    return any(ROOT / folder in path.parents for folder in folders)


def room_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "src" else parts[0]


def wrong_includes():
    """Returns includes of rooms that are not below, and exceptions that nothing needs any more."""
    floor = {room: level for level, names in enumerate(FLOORS) for room in names}
    needed, wrong = set(), [f"{room}: say in tests/house.py on which floor it is" for room in rooms() - set(floor)]
    for path in room_files():
        here = room_of(path)
        for other in included(path):
            there = room_of(other)
            if here == there or not {here, there} <= set(floor) or floor[there] < floor[here]:
                continue
            needed.add((here, there))
            if (here, there) not in EXCEPTIONS:
                wrong.append(f"{path.relative_to(ROOT)} includes {other.relative_to(ROOT)}, which is not below {here}")
    wrong += [f"tests/house.py: nothing of {a} includes {b} any more" for a, b in set(EXCEPTIONS) - needed]
    return wrong + [f"{path.relative_to(ROOT)} includes {other.relative_to(ROOT)}: it may see include/ only"
                    for folder in [*OUTSIDE, *MEASURING] for path in files(folder) for other in included(path)]


CALLABLE = re.compile(r"\b(riffle_\w+)\(")
FUNCTION = re.compile(r"^(?!static|typedef|return|else)(?:[a-z_]\w* )+\**(?!riffle_)(\w+)\([^;{]*\)\s*\{", re.MULTILINE)
STATIC = re.compile(r"^static [^;{=]*?(\w+)\(", re.MULTILINE)
DEFINED = re.compile(r"^(?:[a-z]\w* )+\**(riffle_\w+)\([^;]*$", re.MULTILINE)


def code_of(path):
    """The text of a file without comments and strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', "", path.read_text(), flags=re.DOTALL)


def wrong_calls():
    """Calls, by way of a public header, of what stands in a room that is not below."""
    floor = {room: level for level, names in enumerate(FLOORS) for room in names}
    codes = {path: code_of(path) for path in room_files() if path.suffix == ".c"}
    home = {name: room_of(path) for path, code in codes.items() for name in DEFINED.findall(code)}
    return [f"{path.relative_to(ROOT)} calls {name} of {home[name]}, which is not below {room_of(path)}"
            for path, code in codes.items() for name in sorted(set(CALLABLE.findall(code)) & set(home))
            if home[name] != room_of(path) and floor[home[name]] >= floor[room_of(path)]
            and (room_of(path), home[name]) not in EXCEPTIONS]


def circles(arrows):
    """The sets of nodes that reach each other, of more than one node."""
    reached = {}
    for start in arrows:
        seen, rest = set(), [start]
        while rest:
            rest += (new := arrows.get(rest.pop(), set()) - seen)
            seen |= new
        reached[start] = seen
    return {frozenset({b for b in reached[a] if a in reached.get(b, ())}) for a in arrows if a in reached[a]}


def wrong_circles():
    """Folders that include each other in a circle."""
    arrows = {}
    for path in room_files():
        here = str(path.parent.relative_to(ROOT))
        arrows.setdefault(here, set()).update(str(other.parent.relative_to(ROOT)) for other in included(path) if other.parent != path.parent)
    return [f"{', '.join(sorted(circle))} include each other in a circle" for circle in circles(arrows)]


def wrong_file_circles():
    """Files that include each other in a circle."""
    arrows = {str(path.relative_to(ROOT)): {str(other.relative_to(ROOT)) for other in reachable(path)}
              for folder in [*CROWDED, "include", "examples"] for path in files(folder)}
    return [f"{', '.join(sorted(circle))} include each other in a circle" for circle in circles(arrows)]


def call_circles(folders):
    """Files that call each other in a circle; a function's name that two files have is left out."""
    codes = {}
    for path in (path for folder in folders for path in files(folder) if path.suffix in {".c", ".inc"}):
        unit = str(path.relative_to(ROOT).with_suffix(""))
        codes[unit] = codes.get(unit, "") + code_of(path)
    homes = {}
    for unit, code in codes.items():
        for name in FUNCTION.findall(code):
            homes.setdefault(name, set()).add(unit)
    homes = {name: min(found) for name, found in homes.items() if len(found) == 1}
    arrows = {unit: {homes[name] for name in set(re.findall(r"\w+", code)) - set(STATIC.findall(code)) if homes.get(name, unit) != unit}
              for unit, code in codes.items()}
    return {tuple(sorted(circle)) for circle in circles(arrows)}


def wrong_callers():
    """Circles of calls, in the library and in the command, and exceptions that nothing needs any more."""
    found = call_circles(["src", *TOP.values()]) | call_circles(["cli"])
    return [*(f"{', '.join(circle)} call each other in a circle" for circle in sorted(found - set(RECURSIVE))),
            *(f"tests/house.py: {', '.join(circle)} are no circle any more" for circle in sorted(set(RECURSIVE) - found))]


def wrong_launches():
    """Who launches a kernel outside of src/device."""
    wrong = []
    for path in room_files() + files("cli") + files("bench/suites"):
        words = path.read_text()
        if LAUNCHES.search(words) and not within(path, LAUNCHERS):
            wrong.append(f"{path.relative_to(ROOT)} launches by itself: append to a list, and have a device queue it (device/device.h)")
        if "<<<" in words and not within(path, [*LAUNCHERS, *CHEVRONS]):
            wrong.append(f"{path.relative_to(ROOT)} launches by <<< >>>: append to a list, and have a device queue it (device/device.h)")
    return wrong


def wrong_crowds():
    """Folders that want folders inside, each of one idea."""
    folders = {path for top in CROWDED for path in [ROOT / top, *(ROOT / top).rglob("*")] if path.is_dir() and path.name != "__pycache__"}
    counts = {str(folder.relative_to(ROOT)): sum(path.is_file() for path in folder.iterdir()) for folder in sorted(folders)}
    return [f"{name} has {count} files, and may have {CROWD}: give what is one idea a folder inside"
            for name, count in counts.items() if count > CROWD and not CORPUS.search(name)]


def wrong_lengths():
    """Files in which more than one idea may be found, and exceptions that nothing needs any more."""
    lines = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in room_files() + files("cli")}
    long = {name for name, count in lines.items() if count > LENGTH}
    return [*(f"{name} has {lines[name]} lines, and may have {LENGTH}: split it by its ideas" for name in sorted(long - set(LONG))),
            *(f"tests/house.py: {name} is not that long any more" for name in sorted(set(LONG) - long))]


def text(x, y, words, size=12, weight="normal"):
    words = words.replace("&", "&amp;")
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}">{words}</text>'


def box(x, y, width, name, words, below, fill):
    return [f'<rect x="{x}" y="{y}" width="{width}" height="{ROW - GAP}" rx="4" fill="{fill}" stroke="#5b7083"/>',
            text(x + 8, y + 17, name, 13, "bold"), text(x + 8, y + 33, words), text(x + 8, y + 48, below, 11)]


def folders_of(room):
    names = sorted(path.name for path in folder_of(room).iterdir() if path.is_dir())
    return " ".join(f"{name}/" for name in names)


def row(y, boxes, fill):
    width = (WIDTH - 2 * LEFT - GAP * (len(boxes) - 1)) / len(boxes)
    return [line for k, words in enumerate(boxes) for line in box(round(LEFT + k * (width + GAP)), y, round(width), *words, fill)]


def picture():
    floors = [[(f"{TOP.get(room, f'src/{room}')}/", words, folders_of(room)) for room, words in names.items() if room in rooms()]
              for names in reversed(FLOORS)]
    headers = " ".join(sorted(path.name for path in (ROOT / "include/riffle").glob("*.h")))
    above = [[(f"{name}/", words, "") for name, words in OUTSIDE.items()],
             [("include/", "the public headers: all that the row above sees", f"riffle.h, riffle/: {headers}")]]
    height = ROW * (len(above) + len(floors)) + 2 * LEFT - GAP
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
             'font-family="sans-serif" fill="#111">', "<title>The house: a room knows only rooms below it</title>",
             f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#fff"/>']
    for k, boxes in enumerate(above + floors):
        lines += row(LEFT + ROW * k, boxes, "#fdebd3" if k < len(above) else FILLS[k % 2])
    return "\n".join([*lines, "</svg>"]) + "\n"


COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')|/\*.*?\*/|//[^\n]*', re.DOTALL)


def code_lines(path):
    """How many lines of a file have more than comments and blanks."""
    code = COMMENT.sub(lambda found: found[1] or "\n" * found[0].count("\n"), path.read_text())
    return sum(line.strip() != "" for line in code.splitlines())


def print_lines():
    """A row for each room, for what stands beside src/, and the two sums."""
    parts = [f"src/{room}" for room in sorted(rooms() - set(TOP))] + [*TOP.values(), "cli", "bench/suites"]
    counts = {part: (len(files(part)), sum(map(code_lines, files(part)))) for part in parts}
    inside = [counts[part] for part in parts if part.startswith("src/")]
    rows = {**counts, "src": tuple(map(sum, zip(*inside))), "all": tuple(map(sum, zip(*counts.values())))}
    print(f"{'':14}{'files':>8}{'lines':>10}")
    for name, (number, lines) in rows.items():
        print(f"{name:14}{number:8,}{lines:10,}")


def main():
    if sys.argv[1:] == ["--lines"]:
        print_lines()
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = wrong_includes() + wrong_calls() + wrong_circles() + wrong_file_circles() + wrong_callers() + wrong_launches() + wrong_crowds() + wrong_lengths()
    if not sys.argv[1:]:
        PICTURE.write_text(picture())
    elif not PICTURE.exists() or PICTURE.read_text() != picture():
        wrong.append(f"{PICTURE.relative_to(ROOT)} is stale: run tests/house.py")
    sys.exit("\n".join(wrong) if wrong else 0)


main()
