# SPDX-License-Identifier: Apache-2.0
"""The tables of moves over MPI between the memories of GPUs: what bench/mpi/gpus.c measured."""
import results
from markdown import markdown, milliseconds

NAMES = {"aware": "CUDA-aware MPI", "nccl": "NCCL", "peers": "peers", "staged": "staging"}


def table(run):
    first = run["results"][0]
    rows = [[row["case"], NAMES[row["transport"]], milliseconds(row["planning_seconds"]), milliseconds(row["seconds"]), f"{row['volume_bytes'] / run['ranks'] / row['seconds'] / 1e9:.3g}"]
            for row in run["results"]]
    said = (f"{run['ranks']} ranks, each with an {run['device']}, driver for {run['driver']}; riffle {run['version']} ({run['commit']}); {run['mpi']}. Each has {first['part_bytes'] >> 30} GiB and sends "
            f"{first['volume_bytes'] / run['ranks'] / 2 ** 30:.4g} GiB. A copy of {first['part_bytes'] >> 30} GiB in a GPU's own memory takes {milliseconds(first['copy_seconds'])} ms.")
    return "\n".join([said, "", *markdown(["elements", "transport", "planning, ms", "ms", "GB/s that a rank sends"], rows, 2)])


def tables():
    return "\n\n".join(table(run) for run in results.read_all("mpi")) + "\n"
