# SPDX-License-Identifier: Apache-2.0
"""The table of moves between the memories of several GPUs: what bench/multigpu measured, and NCCL's all-to-all by the same GPUs."""
import results
from markdown import device, markdown, milliseconds


def cells(row):
    run = row["run_bytes"]
    return [row["case"] + (", in place" if row["in_place"] else ""), row["passes"], f"{run:,}" if run < 1 << 20 else f"{run >> 20:,} Mi",
            f"{row['sent_bytes'] / 2 ** 30:.4g} GiB", milliseconds(row["link_seconds"]), milliseconds(row["seconds"]), f"{row['ratio']:.2f}"]


def table(run):
    part = run["results"][0]["part_bytes"] >> 30
    alone = [f"NCCL {peer['nccl']}'s all-to-all (PyTorch {peer['torch']}) takes {milliseconds(peer['seconds'])} ms for {peer['sent_bytes'] / 2 ** 30:.4g} GiB of each, and permutes nothing."
             for peer in results.read_all("multigpu") if "nccl" in peer and (peer["gpus"], peer["part_bytes"]) == (run["gpus"], part << 30)]
    heads = ["elements", "passes", "run, bytes", "sent by each", "copies alone, ms", "ms", "times that"]
    return "\n".join([" ".join([f"{device(run)[:-1]}, {part} GiB each.", *alone]), "", *markdown(heads, map(cells, run["results"]))])


def tables():
    return "\n\n".join(table(run) for run in results.read_all("multigpu") if "results" in run) + "\n"
