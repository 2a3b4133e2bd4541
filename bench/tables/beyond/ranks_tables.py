# SPDX-License-Identifier: Apache-2.0
"""The tables of moves, sorts and plans over a machine's ranks, which bench/mpi/measure.sh measured, and of Dask's arrays: bench/peers/dask_peer.py."""
import results
from markdown import count, markdown

NAMES = {"columns": "`rechunk` to columns", "squares": "`rechunk` to squares", "transpose": "transpose, in chunks of rows"}


def said(run, peer):
    """Where and by what, with the load of whatever else was at work."""
    line = f"{run['device']}, {run['processors']} processors; riffle {run['version']} ({run['commit']}); {peer}"
    return line + (f"; {run['load']:.0f} processes were at work beside." if run["load"] >= 1 else ".")


def of(bench):
    return sorted((run for run in results.read_all("ranks") if run["bench"] == bench), key=lambda run: run["ranks"])


def lines(run, peer, heads, rows, texts=1):
    return [said(run, peer), "", *markdown(heads, rows, texts)]


def moves():
    runs = of("moves")
    rows = [[f"`{row['by']}`", run["ranks"], f"{row['sent_bytes'] / 2 ** 20:,.0f}", f"{row['planning_seconds']:.2f}", f"{row['seconds']:.3f}", f"{row['alltoallv_seconds']:.3f}",
             f"{row['ratio']:.2f}"] for run in runs for row in run["results"]]
    heads = [f"{count(runs[0]['results'][0]['n'])} floats by", "ranks", "MiB sent", "planning, s", "riffle, s", "MPI_Alltoallv and a pass, s", "ratio"] if runs else []
    return lines(runs[0], runs[0]["mpi"], heads, rows) if runs else None


def sort():
    runs = of("sort")
    rows = [[f"{count(row['n'])} {row['type']}", run["ranks"], row["rounds"], f"{row['volume_bytes'] / 2 ** 20:,.0f}", f"{row['first_seconds']:.2f}", f"{row['seconds']:.2f}",
             f"{row['alone_seconds']:.2f}", row["threads"], f"{row['ratio']:.2f}"] for run in runs for row in run["results"]]
    return lines(runs[0], runs[0]["mpi"], ["", "ranks", "rounds", "MiB sent", "first, s", "s", "one memory, s", "its threads", "ratio"], rows) if runs else None


def plan():
    runs = of("plan")
    rows = [[f"`{row['by']}`", count(row["n"]), f"{row['ranks']:,}", f"{row['own']:,}", f"{row['messages']:,}", f"{row['seconds'] * 1e3:.3g}"] for run in runs for row in run["results"]]
    return lines(runs[0], "no rank asks another", ["", "elements", "ranks", "a rank's own", "messages", "ms"], rows) if runs else None


def dask_rows(run):
    for row in run["results"]:
        theirs, ours = row["dask"], row["riffle"]
        yield [NAMES[row["case"]], row["workers"] or "threads", *(f"{who['seconds']:.2f} s, {who['peak']:.2f}" for who in (theirs, ours)), f"{ours['seconds'] / theirs['seconds']:.2f}",
               f"{ours['peak'] / theirs['peak']:.2f}"]


def dask_table(run):
    size = f"{run['side']:,} x {run['side']:,} floats, {run['side'] ** 2 * 4 / 2 ** 30:.3g} GiB"
    return "\n".join(lines(run, f"Dask {run['dask']}; {size}; medians of {run['times']}", ["", "workers", "Dask", "riffle", "of its time", "of its memory"], dask_rows(run)))


def dask():
    runs = results.read_all("dask")
    return ["\n\n".join(map(dask_table, runs))] if runs else None


def tables(what):
    shown = {"moves": moves, "sort": sort, "plan": plan, "dask": dask}[what]()
    return "\n".join(shown) + "\n" if shown else "Not measured yet.\n"
