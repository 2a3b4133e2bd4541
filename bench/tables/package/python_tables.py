# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/python.md: what bench/python.py measured, on a host and on a GPU."""
import results
from markdown import count, device, markdown


def seconds(value):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value * 1e9:.0f} ns"


def reach(row):
    """The target, and whether it was met."""
    if row.get("reach") is None:
        return ""
    if "library" in row:
        return f"within {row['reach'] - 1:.0%} of the library: {'yes' if row['seconds'] <= row['reach'] * row['library'] else '**no**'}"
    if "times" in row:
        return f"{row['reach']} times: {'yes' if row['times'] >= row['reach'] else '**no**'}"
    return f"{seconds(row['reach'])}: {'yes' if row['seconds'] <= row['reach'] else '**no**'}"


def cells(row):
    beside = [f"`{row['peer']}`", seconds(row["peer_seconds"]), f"{row['times']:.1f}"] if "times" in row else ["", "", ""]
    both = f"{seconds(row['processor'])} and {seconds(row['peer_processor'])}" if "peer_processor" in row else ""
    return [row["name"], seconds(row["seconds"]), *beside, both, reach(row)]


def gpu_cells(row):
    copies = f"{row['copies']:.2f}" if "copies" in row else ""
    library = f"{row['seconds'] / row['library']:.3f}" if "library" in row else ""
    return [row["name"], seconds(row["seconds"]), copies, library, *cells(row)[2:5], reach(row)]


def table(run):
    where = f"{device(run)[:-1]}, Python {run['python']}, NumPy {run['numpy']}, arrays of {count(1 << run['log2'])} floats"
    where += f"; {run['load']:.0f} processes were at work beside." if run["load"] >= 1 else "."
    if run["engine"] == "cuda":
        head, shown = ["", "riffle", "copies", "over the library", "others", "take", "times", "reach"], gpu_cells
    else:
        head, shown = ["", "riffle", "others", "take", "times", "processor", "reach"], cells
    return "\n".join([where, "", *markdown(head, map(shown, run["results"]), 1)])


def tables(engine):
    shown = [table(run) for run in results.read_all("python") if run["engine"] == engine]
    return "\n\n".join(shown) + "\n" if shown else "Not measured yet.\n"
