# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite axes, by the names of their regions, as bench/tables/affine_tables.py has those of affine."""
from axes import GROUPS, HOST_PEERS, PEERS, both, geometric_mean, group_of, host_peers_of, peers_of, rows_of, versions, what_moves
from markdown import count, device, markdown, milliseconds

TTC_MEAN, TTC_WORST, TTC_AHEAD = 1.06, 1.15, 50
WORST = {1: 1.9, 2: 1.4, 4: 1.25, 8: 1.25, 16: 1.25}  # ratios of the table's and of random shapes, by bytes each
MEAN_OF_WIDE = 1.15
PLAN_SECONDS = 50e-6
AS_GOOD = 1.02  # two runs of one kernel differ by as much
SLOWEST = 5


def verdict(reached):
    return "yes" if reached else "**no**"


def order(row):
    return f"`{row['by'].removeprefix('axes:')}`"


def cell(row):
    """A peer's: "-" for what it refuses, nothing for what was not measured."""
    return "" if row is None else f"{row['ratio']:.2f}" if "ratio" in row else "-"


def columns(rows, peers):
    """The peers that were asked for any of the rows."""
    return [name for name in PEERS if any((what_moves(row), name) in peers for row in rows)]


def on_gpu(run):
    return run["engine"] == "cuda" and bool(rows_of(run))


def mean_and_worst(rows, of):
    ratios = f"{geometric_mean(rows):.2f} / {max(row['ratio'] for row in rows):.2f}"
    return ratios if len(rows) == of else f"{ratios} ({len(rows)})"


def ahead_of(pairs):
    return f"{sum(row['ratio'] < peer['ratio'] for row, peer in pairs)} of {len(pairs)}" if pairs else "-"


def groups(run, runs):
    """A group a row: means and worst cases, riffle's and peers'; and how often a peer was slower."""
    if not on_gpu(run):
        return []
    peers, names, cells = peers_of(run, runs), versions(run, runs), []
    asked = columns(rows_of(run), peers)
    for group, words in GROUPS.items():
        rows = rows_of(run, group)
        pairs = {name: both(rows, peers, name) for name in asked}
        if rows:
            cells.append([words, len(rows), mean_and_worst(rows, len(rows)),
                          *[mean_and_worst([peer for _, peer in pairs[name]], len(rows)) if pairs[name] else "-" for name in asked],
                          *[ahead_of(pairs[name]) for name in asked]])
    heads = ["shapes", "number", "riffle", *[names[name] for name in asked], *[f"ahead of {PEERS[name]}" for name in asked]]
    note = "Times a cudaMemcpy: the geometric mean / the worst (of how many, where a library refuses some)."
    return [f"{device(run)} {note}", "", *markdown(heads, cells)]


def worst_target(words, rows, most):
    worst = max(rows, key=lambda row: row["ratio"])
    return [f"{words}, the worst", f"{most:g}", f"{worst['ratio']:.2f} ({order(worst)})", verdict(worst["ratio"] <= most)]


def mean_target(words, rows, most):
    return [f"{words}, geometric mean", f"{most:g}", f"{geometric_mean(rows):.3f}", verdict(geometric_mean(rows) <= most)]


def ttc_targets(run, peers):
    for group in ("ttc-4", "ttc-8"):
        rows = rows_of(run, group)
        if not rows:
            continue
        yield mean_target(GROUPS[group], rows, TTC_MEAN)
        yield worst_target(GROUPS[group], rows, TTC_WORST)
        pairs = both(rows, peers, "cutensor")
        if pairs:
            ahead = sum(row["ratio"] < peer["ratio"] for row, peer in pairs)
            yield [f"{GROUPS[group]}, ahead of cuTENSOR", f"{TTC_AHEAD} of 57", ahead_of(pairs), verdict(ahead >= TTC_AHEAD)]


def other_targets(run, peers):
    rows = [row for row in rows_of(run) if not group_of(row).startswith("ttc")]
    wide = [row for row in rows if row["elem_bytes"] >= 4]
    yield mean_target("the table's and random ones, 4 to 16 bytes", wide, MEAN_OF_WIDE)
    for size in sorted({row["elem_bytes"] for row in rows}, reverse=True):
        yield worst_target(f"the same of {size} {'byte' if size == 1 else 'bytes'}", [row for row in rows if row["elem_bytes"] == size], WORST[size])
    pairs = both(rows, peers, "cutensor")
    if pairs:
        behind = [(row, peer) for row, peer in pairs if row["ratio"] > peer["ratio"] * AS_GOOD]
        yield ["the table's and random ones, behind cuTENSOR", "none", f"{len(behind)} of {len(pairs)}", verdict(not behind)]


def plan_target(run):
    longest = max(rows_of(run), key=lambda row: row["plan_seconds"])
    return ["plan, the longest", f"{milliseconds(PLAN_SECONDS)} ms", f"{milliseconds(longest['plan_seconds'])} ms ({order(longest)})",
            verdict(longest["plan_seconds"] <= PLAN_SECONDS)]


def targets(run, runs):
    if not on_gpu(run):
        return []
    peers = peers_of(run, runs)
    cells = [*ttc_targets(run, peers), *other_targets(run, peers), plan_target(run)]
    return [device(run), "", *markdown(["shapes", "wanted", "measured", "reached"], cells, 4)]


def listed(run, runs, rows):
    """A shape a row."""
    if run["engine"] != "cuda" or not rows:
        return []
    peers, names = peers_of(run, runs), versions(run, runs)
    asked = columns(rows, peers)
    cells = [[order(row), row["algorithm"], row["elem_bytes"], milliseconds(row["copy_seconds"]), f"{row['ratio']:.2f}",
              *[cell(peers.get((what_moves(row), name))) for name in asked], f"{row['plan_seconds'] * 1e6:.3g}"] for row in rows]
    heads = ["shape and order", "algorithm", "bytes each", "cudaMemcpy, ms", "riffle", *[names[name] for name in asked], "plan, µs"]
    return [f"{device(run)} Times a cudaMemcpy; - is refused.", "", *markdown(heads, cells, 2)]


def table(run, runs):
    return listed(run, runs, rows_of(run, "table"))


def ttc_4(run, runs):
    return listed(run, runs, rows_of(run, "ttc-4"))


def ttc_8(run, runs):
    return listed(run, runs, rows_of(run, "ttc-8"))


def random(run, runs):
    """The slowest of each size, for riffle."""
    slowest = [row for group in GROUPS if group.startswith("random")
               for row in sorted(rows_of(run, group), key=lambda row: -row["ratio"])[:SLOWEST]]
    return listed(run, runs, slowest)


def host(run, runs):
    """On a CPU, of arrays made smaller, and peers' of the same."""
    peers, cells = host_peers_of(run), []
    asked = [name for name in HOST_PEERS if any(peer == name for _, peer in peers)]
    for group, words in GROUPS.items():
        if rows := rows_of(run, group):
            pairs = [both(rows, peers, name) for name in asked]
            cells.append([words, len(rows), count(max(row["n"] * row["elem_bytes"] for row in rows)), mean_and_worst(rows, len(rows)),
                          *[mean_and_worst([peer for _, peer in found], len(rows)) if found else "-" for found in pairs],
                          *[ahead_of(found) for found in pairs]])
    heads = ["shapes", "number", "bytes at most", "times a copy", *[HOST_PEERS[name] for name in asked], *[f"ahead of {HOST_PEERS[name]}" for name in asked]]
    note = "The geometric mean / the worst (of how many, where a peer has no right plan for some)." if asked else "The geometric mean / the worst."
    return [f"{device(run)} {note}", "", *markdown(heads, cells)] if run["engine"] == "cpu" and cells else []


def hptt_cells(row, peer):
    moved = [f"{peer['ratio']:.2f}", f"{peer['plan_seconds']:.2g}"] if "ratio" in peer else ["-", "-"]
    return [order(row), row["elem_bytes"], milliseconds(row["copy_seconds"]), f"{row['ratio']:.2f}", f"{row['plan_seconds'] * 1e6:.3g}",
            *moved, peer["wrong_plans"]]


def hptt(run, runs):
    """On a CPU, HPTT's plans by its measuring, a shape a row."""
    peers = host_peers_of(run)
    pairs = [(row, peers[what_moves(row), "hptt-measure"]) for row in rows_of(run) if (what_moves(row), "hptt-measure") in peers]
    heads = ["shape and order", "bytes each", "copy, ms", "riffle", "plan, µs", "HPTT by its measuring", "plan, s", "wrong plans"]
    note = "Times a copy; - is no right plan."
    return [f"{device(run)} {note}", "", *markdown(heads, [hptt_cells(*pair) for pair in pairs])] if pairs else []


def taken(name, pairs, of):
    """A peer's mean, and riffle's of the same where the peer refuses some."""
    peer = f"with {name} {geometric_mean([peer for _, peer in pairs]):.2f}"
    own = f"{geometric_mean([row for row, _ in pairs]):.2f}"
    return peer if len(pairs) == of else f"{peer} (of the {len(pairs)} that it takes, where riffle takes {own})"


def claim(run, runs):
    """A sentence for docs/benchmarks.md."""
    rows, peers = rows_of(run), peers_of(run, runs)
    if not on_gpu(run):
        return []
    sizes = sorted({row["elem_bytes"] for row in rows})
    others = [taken(words, pairs, len(rows)) for name, words in PEERS.items() if (pairs := both(rows, peers, name))]
    return [f"Tensors of any shape: {len(rows)} shapes and orders of axes, of {sizes[0]} to {sizes[-1]} bytes an element, take on "
            f"an {run['device']} {', '.join([f'{geometric_mean(rows):.2f} copies with riffle', *others])}, in the geometric mean "
            "([axes.md](axes.md))."]


SHOWN = {"axes-groups": groups, "axes-targets": targets, "axes-table": table, "axes-ttc-4": ttc_4, "axes-ttc-8": ttc_8,
         "axes-random": random, "axes-host": host, "axes-hptt": hptt, "axes-claim": claim}
