# SPDX-License-Identifier: Apache-2.0
"""Functions that tables of measured results have in common."""


def count(n):
    """2^k for a power of two, digits otherwise."""
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 and n > 1024 else f"{n:,}"


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def threads(run):
    return "1 thread" if run.get("threads") == 1 else f"{run.get('threads', '?')} threads"


def device(run):
    """The line above a table."""
    where = f"driver for {run['driver']}" if run["engine"] == "cuda" else threads(run)
    return f"{run['device']}, {where}; riffle {run['version']} ({run['commit']})."


def where(run):
    """The machine, as short as a cell wants it."""
    return run["device"].replace("(R)", "").replace(" Processor", "") + (
        f", {threads(run)}" if run["engine"] == "cpu" else "")


def markdown(heads, rows, texts=1):
    """A table whose first `texts` columns are text and the others numbers."""
    lines = ["| " + " | ".join(heads) + " |", "| --- " * texts + "| --: " * (len(heads) - texts) + "|"]
    return lines + ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
