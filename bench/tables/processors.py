# SPDX-License-Identifier: Apache-2.0
"""Times of structured permutations on a CPU, with AVX-512 VBMI and without: sentences for docs/benchmarks.md, --help and the manual page.

Their figures are those of the suites cpu and axes. The loops of riffle move single elements within registers by byte
permutations, which of a CPU's instructions AVX-512 VBMI alone has, so that its CPUs are a class of their own."""
import textwrap

from axes import geometric_mean, rows_of
from markdown import count, where

FULL = "AVX-512 VBMI"
HAVE_FULL = {FULL, "AVX-512 FP16"}  # a processor with FP16 has VBMI, too
VECTORS = {"Intel(R) Xeon(R) Processor": FULL}  # for results from before `riffle bench` wrote them
STRUCTURED = {"affine", "axes"}
HELP_COLUMNS = 76
NAMED = "(bit reversal, transpose, any affine map)"
TABLES = "an arbitrary table about 4 to 8 times if its plan is used often (as the library can), and for one execution as long as indexing does with all processors."


def vectors(run):
    return run.get("vectors") or VECTORS[run["device"]]


def structured_of(run):
    """The rows of the suite cpu that the planner does in one pass, but for the identity."""
    return [row for row in run["results"] if row["suite"] == "cpu" and row["algorithm"] in STRUCTURED and "ratio" in row]


class Class:
    """The CPUs that have AVX-512 VBMI, or those that do not: their rows of both suites."""

    def __init__(self, runs, full):
        runs = [run for run in runs if run["engine"] == "cpu" and (structured_of(run) or rows_of(run)) and (vectors(run) in HAVE_FULL) == full]
        self.structured = [row for run in runs for row in structured_of(run)]
        self.shapes = [row for run in runs for row in rows_of(run)]
        self.where = "; ".join(dict.fromkeys(where(run) if full else f"{where(run)}, {vectors(run)}" for run in runs))


def classes(runs):
    """Both, by the words for them."""
    return {f"with {FULL}": Class(runs, True), "without": Class(runs, False)}


def figures(rows, also=""):
    return f"{geometric_mean(rows):.1f} copies ({max(row['ratio'] for row in rows):.1f} at most{also})"


def claim(runs):
    """A paragraph for docs/benchmarks.md."""
    cpus = classes(runs)
    structured = [f"{figures(cpu.structured, f'; {cpu.where}')} {words}" for words, cpu in cpus.items() if cpu.structured]
    shapes = [f"{figures(cpu.shapes)} {words}" for words, cpu in cpus.items() if cpu.shapes]
    sizes = sorted({row["elem_bytes"] for cpu in cpus.values() for row in cpu.structured})
    largest = max(row["n"] * row["elem_bytes"] for cpu in cpus.values() for row in cpu.shapes)
    return [f"On a CPU a structured permutation {NAMED} of a large array of {sizes[0]} to {sizes[-1]} bytes an element takes, in the geometric "
            f"mean, {', '.join(structured)}; a tensor of any shape, of up to {count(largest)} bytes, {', '.join(shapes)}. "
            "The tables below have each row."]


def short(runs):
    """The same, of large arrays, for --help and the manual page."""
    measured = [f"{figures(cpu.structured)} on a CPU {words}" for words, cpu in classes(runs).items() if cpu.structured]
    return f"A structured permutation {NAMED} takes {', '.join(measured)}; {TABLES}"


def about(runs):
    """The lines of --help."""
    return textwrap.wrap(f"Permutes the arrays of .npy files. {short(runs)}", HELP_COLUMNS)


def c_lines(runs):
    """The field of cli/main.c that has them."""
    lines = [f'"{line}\\n"' for line in about(runs)]
    return "    .about = " + f"\n{' ' * 13}".join(lines) + ",\n"


def manual_lines(runs):
    """In the manual page's marks."""
    return "\n".join(textwrap.wrap(short(runs), 116, break_on_hyphens=False)).replace("-", "\\-") + "\n"
