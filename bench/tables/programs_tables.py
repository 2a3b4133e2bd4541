# SPDX-License-Identifier: Apache-2.0
"""The table of the suite programs, as bench/tables/affine_tables.py has those of affine; and what passes take by each level of vectors."""
import results
from markdown import count, device, markdown, milliseconds

# The targets on an H200, by group, length and type: copies, copies a pass, or times what others take.
WANTED = {("hadamard", 20, "f32"): "2", ("hadamard", 24, "f32"): "2.4", ("hadamard", 28, "f32"): "3.5", ("batch", 13, "f32"): "1.08", ("batch", 15, "f32"): "1.15",
          ("batch", 15, "f16"): "1.25", ("sort", 24, "u32"): "1.3 a pass", ("sort", 28, "u32"): "1.3 a pass", ("rows", 10, "u32"): "3",
          ("fft", 24, "c64"): "1.5 times others", ("fft", 28, "c64"): "1.5 times others"}


def key_of(row):
    return row["group"], row["by"], row["n"], row.get("arrays", 1), row["type"]


def rows_of(run):
    return [row for row in run["results"] if row["suite"] == "programs"]


def peers_of(run, runs):
    """The fastest of other programs on the same device, by what is done."""
    best = {}
    for other in runs:
        if other.get("device") != run["device"]:
            continue
        for row in other["results"]:
            if row["suite"] not in ("programs", "programs-peers") or row["algorithm"] in ("fused", "paper") or "ratio" not in row:
                continue
            key = row["by"], row["n"], row.get("arrays", 1), row["type"]
            if key not in best or row["ratio"] < best[key]["ratio"]:
                best[key] = row
    return best


def arrays_of(key):
    return count(key[2]) if key[3] == 1 else f"{count(key[3])} x {count(key[2])}"


def copies(row):
    return f"{row['ratio']:.2f}" if row and "ratio" in row else "-"


def table(run, runs, engine):
    """A program a row: fused, in the paper's way, and the fastest of others."""
    if run["engine"] != engine or not rows_of(run):
        return []
    found, peers, cells = {(key_of(row), row["algorithm"]): row for row in rows_of(run)}, peers_of(run, runs), []
    for key in dict.fromkeys(key_of(row) for row in rows_of(run) if row["algorithm"] in ("fused", "paper")):
        fused, paper, peer = found.get((key, "fused"), {}), found.get((key, "paper"), {}), peers.get(key[1:])
        is_timed = "ratio" in fused
        times = f"{paper['ratio'] / fused['ratio']:.1f}" if is_timed and "ratio" in paper else "-"
        cells.append([f"`{key[1]}`", key[4], arrays_of(key),
                      f"{fused['passes']} ({fused['bound']})" if is_timed else "-",
                      milliseconds(fused["seconds"]) if is_timed else "-", copies(fused),
                      f"{fused['ratio'] / fused['passes']:.2f}" if is_timed else "-",
                      *([WANTED.get((key[0], key[2].bit_length() - 1, key[4]), "")] if engine == "cuda" else []), paper.get("passes", "-"), copies(paper), times,
                      f"{copies(peer)} ({peer.get('how', peer['algorithm'])})" if peer else "-"])
    heads = ["program", "type", "elements", "passes (bound)", "ms", "copies", "copies a pass", *(["wanted"] if engine == "cuda" else []), "passes, paper's way", "its copies",
             "times as many", "others' copies"]
    return [device(run), "", *markdown(heads, cells, 3)]


def levels():
    """A program a row, a level of vectors a column: runs of one processor by each level's loops."""
    runs = [run for run in map(results.read, ("levels/xeon-programs.json", "levels/xeon-programs-avx2.json")) if run]
    if not runs:
        return "Not measured yet.\n"
    found = {(key_of(row), run["vectors"]): row for run in runs for row in rows_of(run) if row["algorithm"] == "fused"}
    cells = [[f"`{key[1]}`", key[4], arrays_of(key), *[f"{milliseconds(row['seconds'])}, {row['ratio'] / row['passes']:.2f}" for row in (found[key, run["vectors"]] for run in runs)]]
             for key in dict.fromkeys(key for key, _ in found)]
    return "\n".join([device(runs[0]), "", *markdown(["program", "type", "elements", *[f"{run['vectors']}: ms, copies a pass" for run in runs]], cells, 3)]) + "\n"


SHOWN = {"programs-gpu": lambda run, runs: table(run, runs, "cuda"), "programs-host": lambda run, runs: table(run, runs, "cpu")}
