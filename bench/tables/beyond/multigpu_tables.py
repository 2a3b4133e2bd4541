# SPDX-License-Identifier: Apache-2.0
"""The tables of moves between the memories of several GPUs: what bench/multigpu measured, and NCCL's all-to-all by the same GPUs."""
import results
from markdown import device, markdown, milliseconds


def is_by_copies(row):
    return row.get("transport") == "copies"


def link_seconds(run, row):
    """The time that a GPU's links take for what it sends, at the rate of copies between two such GPUs, which have them to themselves."""
    pairs = [pair for pair in results.read_all("multigpu") if pair["gpus"] == 2 and "results" in pair and pair["device"][2:] == run["device"][2:]]
    return row["sent_bytes"] * min(of["link_seconds"] / of["sent_bytes"] for pair in pairs for of in pair["results"])


def cells(run, row):
    stored, link = row["run_bytes"], link_seconds(run, row)
    return [row["case"] + (", in place" if row["in_place"] else "") + (", by copies" if is_by_copies(row) else ""), row["passes"], f"{stored:,}" if stored < 1 << 20 else f"{stored >> 20:,} Mi", milliseconds(row["link_seconds"]),
            milliseconds(link), milliseconds(row["seconds"]), f"{row['seconds'] / link:.2f}"]


def table(run):
    first = run["results"][0]
    alone = [f"NCCL {peer['nccl']}'s all-to-all (PyTorch {peer['torch']}) takes {milliseconds(peer['seconds'])} ms for as many, and permutes nothing."
             for peer in results.read_all("multigpu") if "nccl" in peer and (peer["gpus"], peer["part_bytes"]) == (run["gpus"], first["part_bytes"])]
    sent = f"{device(run)[:-1]}. Each has {first['part_bytes'] >> 30} GiB and sends {first['sent_bytes'] / 2 ** 30:.4g} GiB."
    heads = ["elements", "passes", "run, bytes", "copies, ms", "its links, ms", "ms", "times its links"]
    return "\n".join([" ".join([sent, *alone]), "", *markdown(heads, [cells(run, row) for row in sorted(run["results"], key=is_by_copies)])])


def tables():
    return "\n\n".join(table(run) for run in results.read_all("multigpu") if "results" in run) + "\n"
