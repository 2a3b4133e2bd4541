#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every algorithm, theorem, table and figure of the five papers: its command, their number and ours, for docs/papers.md.

    items.py run RIFFLE               run the commands and write what they find into bench/papers/items.json
    items.py check RIFFLE             exit 1 if a command finds something else; the slow ones, `long`, with RIFFLE_TEST_LONG=1 only
    items.py tables [--check]         rewrite docs/papers.md, or exit 1 if it is not what bench/papers/items.json says

A row of items.json has `item` and `theirs`, what the paper says; then either `none`, why there is no command, or `command` and `ours`. If
the command begins with "riffle" or with a script of bench/papers/ and has patterns to `find`, `ours` is `says` with what the patterns' groups found in its
output. Commands run in the root of the sources. `why` says why both numbers differ.
"""
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA, PAGE = ROOT / "bench/papers/items.json", ROOT / "docs/papers.md"


def rows_of(data):
    return [row for paper in data["papers"] for row in paper["items"]]


def text_of(data):
    """A row a line, so that a diff shows which."""
    def lines(rows):
        return "[\n" + ",\n".join("   " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n  ]"

    papers = ",\n".join(f'  {{"paper": {json.dumps(paper["paper"], ensure_ascii=False)}, "page": "{paper["page"]}", "items": {lines(paper["items"])}}}'
                        for paper in data["papers"])
    return f'{{"papers": [\n{papers}\n ],\n "errors": {lines(data["errors"])}\n}}\n'


# ------------------------------------------------------------------------------------------- running

def output_of(riffle, command):
    first, *others = [str(riffle.parent / word[6:]) if word.startswith("build/") else word for word in shlex.split(command)]
    program = [riffle] if first == "riffle" else [sys.executable, first]
    done = subprocess.run([*program, *others], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stderr}")
    return done.stdout


def found(row, output):
    groups = []
    for pattern in row["find"]:
        match = re.search(pattern, output)
        if match is None:
            sys.exit(f"{row['command']}\nprints nothing like {pattern}")
        groups += match.groups()
    return row["says"].format(*groups)


def answers(riffle, rows):
    """Each row's finding; rows that share a command run it once."""
    commands = list(dict.fromkeys(row["command"] for row in rows))
    with ThreadPoolExecutor(2) as pool:
        outputs = dict(zip(commands, pool.map(lambda command: output_of(riffle, command), commands)))
    return [found(row, outputs[row["command"]]) for row in rows]


def check(riffle, data):
    all_rows = os.environ.get("RIFFLE_TEST_LONG") == "1"
    rows = [row for row in rows_of(data) if "find" in row and (all_rows or not row.get("long"))]
    wrong = [f"{row['item']}: {row['command']}\n  finds '{now}'\n  and not '{row['ours']}'"
             for row, now in zip(rows, answers(riffle, rows)) if now != row["ours"]]
    print("\n".join(wrong) or f"{len(rows)} rows are what their commands find")
    return 1 if wrong else 0


def run(riffle, data):
    rows = [row for row in rows_of(data) if "find" in row]
    for row, now in zip(rows, answers(riffle, rows)):
        row["ours"] = now
    DATA.write_text(text_of(data))


# -------------------------------------------------------------------------------------------- page

HEAD = """# What of each paper stands where

riffle implements five texts. This page has a row for each of their algorithms, theorems, lemmas, tables and figures: the command or the test that shows it, what the
text says, what comes out here, and why both differ, or why there is no command.

The page is made by `bench/papers/items.py tables` from `bench/papers/items.json`. `bench/papers/items.py check build/riffle` runs the commands that begin
with `riffle` or a script and have a number beside the text's, and compares; a test does so too. Commands run in the root of the sources. Times on a GPU
come from the files of `bench/results/`. Rounds such as "casual 0/1, coalesced 2/0" are those that read / those that write.
"""


def command_cell(row):
    return "`" + row["command"].replace("|", "\\|") + "`"


def cells(row):
    if "none" in row:
        return [row["item"], "none", row["theirs"], "–", row["none"]]
    return [row["item"], command_cell(row), row["theirs"], row["ours"], row.get("why", "")]


def grid(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def page(data):
    parts = [HEAD]
    for paper in data["papers"]:
        parts.append(f"## {paper['paper']}\n\nMore in [{paper['page']}]({paper['page']}).\n")
        parts.append(grid(["of the text", "command or test", "the text's", "ours", "why they differ"], map(cells, paper["items"])))
    parts.append("## Errors in the texts\n\nWhere a text and its own formula disagree, the docstring of the function says what was corrected.\n")
    parts.append(grid(["where", "what is wrong", "how it is seen"], ([row["where"], row["wrong"], row["seen"]] for row in data["errors"])))
    return "\n".join(parts)


def is_there(command):
    """A command that begins with a path names a file of the sources."""
    first = command.split()[0]
    return "/" not in first or (ROOT / first).is_file()


def faults(data):
    """Rows that leave something empty, or name a file that is not there."""
    return [row["item"] for row in rows_of(data)
            if not row["theirs"] or not (row.get("none") or (row.get("command") and row.get("ours") and is_there(row["command"])))]


def tables(data, is_check):
    if faults(data):
        sys.exit(f"bench/papers/items.json: empty, or of no file: {'; '.join(faults(data))}")
    if is_check and PAGE.read_text() != page(data):
        sys.exit("stale, run bench/papers/items.py tables: docs/papers.md")
    if not is_check:
        PAGE.write_text(page(data))


def main():
    words, data = sys.argv[1:], json.loads(DATA.read_text())
    if len(words) == 2 and words[0] == "run":
        run(Path(words[1]).resolve(), data)
    elif len(words) == 2 and words[0] == "check":
        sys.exit(check(Path(words[1]).resolve(), data))
    elif words in (["tables"], ["tables", "--check"]):
        tables(data, len(words) == 2)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
