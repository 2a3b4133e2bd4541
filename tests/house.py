#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rooms of src/: who may know whom, and a picture of it for docs/architecture.md.

    house.py            check the rooms and write docs/images/house.svg
    house.py --check    check the rooms and the picture: exit 1 if one of them is not as it should be

A room is a folder of src/, a floor a row of rooms. A file may include what is in its own room or on a floor below. Each
exception has a reason. The command and the examples see include/ only. Kernels are launched in src/device alone.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/images/house.svg"
# From the ground up. A room that has no folder is not drawn; a folder that is no room is an error.
FLOORS = [
    {"base": "how functions fail; memory"},
    {"npy": "NumPy's files", "hull": "predicates on points, exact", "sort": "keys, and what sorting is"},
    {"perm": "WHAT moves: permutations, the spec language"},
    {"vat": "address translation", "machine": "the memory machine", "program": "array programs, compiled"},
    {"device": "what launches: a GPU, the memory machine"},
    {"kernels": "what runs on devices, in CUDA"},
    {"models": "WHY: what moves cost"},
    {"plan": "HOW: algorithm, passes, schedules"},
    {"engines": "where a plan runs"},
    {"papers": "what only reproduces papers"},
]
EXCEPTIONS = {("plan", "papers"): "its lists of algorithms and of pass kinds have the papers' own in them",
              ("kernels", "papers"): "its list of kernels has the papers' own in it"}
# Who launches: rooms, and folders whose reason stands beside.
LAUNCHES = re.compile(r"\b(?:cudaLaunch(?:CooperativeK|K)ernel\w*|cudaLaunchConfig_t|cuLaunch\w+|machine_run)\b")
LAUNCHERS = {"src/device": "the one place that launches",
             "src/machine": "it defines machine_run, and takes cudaLaunch* for those who lint",
             "cli/bench/cuda": "the command's own kernels, measured beside the library's; it sees include/ only"}
CHEVRONS = {"src/engines/cuda/planner": "steps of planning on a GPU, which are no plan's launches",
            "src/engines/cuda/table": "the same of tables"}
OUTSIDE = {"cli": "the command", "examples": "programs as users write them", "python": "the Python package"}
SOURCE = {".c", ".h", ".cu", ".cuh", ".cpp", ".inc"}
WIDTH, LEFT, ROW, GAP = 760, 16, 64, 8
FILLS = ["#eef3f7", "#dfe9f1"]


def rooms():
    return {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}


def files(folder):
    return [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SOURCE]


def included(path):
    """The files of src/ that a file includes, as the compiler finds them."""
    top = path.relative_to(ROOT).parts[0]  # cli/ has a vat/ as src/ has
    for name in re.findall(r'^#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE):
        places = [path.parent / name, ROOT / top / name, ROOT / "src" / name]
        found = next((place.resolve() for place in places if place.exists()), None)
        if found is not None and ROOT / "src" in found.parents:
            yield found


def room_of(path):
    return path.relative_to(ROOT / "src").parts[0]


def wrong_includes():
    """Returns includes of rooms that are not below, and exceptions that nothing needs any more."""
    floor = {room: level for level, names in enumerate(FLOORS) for room in names}
    needed, wrong = set(), [f"src/{room}: say in tests/house.py on which floor it is" for room in rooms() - set(floor)]
    for path in files("src"):
        here = room_of(path)
        for other in included(path):
            there = room_of(other)
            if here == there or not {here, there} <= set(floor) or floor[there] < floor[here]:
                continue
            needed.add((here, there))
            if (here, there) not in EXCEPTIONS:
                wrong.append(f"{path.relative_to(ROOT)} includes {other.relative_to(ROOT)}, which is not below src/{here}")
    wrong += [f"tests/house.py: nothing of {a} includes {b} any more" for a, b in set(EXCEPTIONS) - needed]
    return wrong + [f"{path.relative_to(ROOT)} includes {other.relative_to(ROOT)}: it may see include/ only"
                    for folder in OUTSIDE for path in files(folder) for other in included(path)]


def within(path, folders):
    return any(ROOT / folder in path.parents for folder in folders)


def wrong_launches():
    """Who launches a kernel outside of src/device."""
    wrong = []
    for path in files("src") + files("cli"):
        words = path.read_text()
        if LAUNCHES.search(words) and not within(path, LAUNCHERS):
            wrong.append(f"{path.relative_to(ROOT)} launches by itself: append to a list, and have a device queue it (device/device.h)")
        if "<<<" in words and not within(path, [*LAUNCHERS, *CHEVRONS]):
            wrong.append(f"{path.relative_to(ROOT)} launches by <<< >>>: append to a list, and have a device queue it (device/device.h)")
    return wrong


def text(x, y, words, size=12, weight="normal"):
    words = words.replace("&", "&amp;")
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}">{words}</text>'


def box(x, y, width, name, words, below, fill):
    return [f'<rect x="{x}" y="{y}" width="{width}" height="{ROW - GAP}" rx="4" fill="{fill}" stroke="#5b7083"/>',
            text(x + 8, y + 17, name, 13, "bold"), text(x + 8, y + 33, words), text(x + 8, y + 48, below, 11)]


def folders_of(room):
    names = sorted(path.name for path in (ROOT / "src" / room).iterdir() if path.is_dir())
    return " ".join(f"{name}/" for name in names)


def row(y, boxes, fill):
    width = (WIDTH - 2 * LEFT - GAP * (len(boxes) - 1)) / len(boxes)
    return [line for k, words in enumerate(boxes) for line in box(round(LEFT + k * (width + GAP)), y, round(width), *words, fill)]


def picture():
    floors = [[(f"src/{room}/", words, folders_of(room)) for room, words in names.items() if room in rooms()]
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


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = wrong_includes() + wrong_launches()
    if not sys.argv[1:]:
        PICTURE.write_text(picture())
    elif not PICTURE.exists() or PICTURE.read_text() != picture():
        wrong.append(f"{PICTURE.relative_to(ROOT)} is stale: run tests/house.py")
    sys.exit("\n".join(wrong) if wrong else 0)


main()
