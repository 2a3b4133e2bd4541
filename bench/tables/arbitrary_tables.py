# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite arbitrary, by the names of their regions, as bench/tables/affine_tables.py has those of affine."""
from arbitrary import PEERS, SHUFFLES, WAYS, best, random_ones, rows_of
from markdown import count, device, markdown, milliseconds

# The targets along a uniformly random permutation: times a copy at most.
TARGETS = [(1 << 24, 4, 3.0), (1 << 26, 4, 3.5), (1 << 28, 4, 3.5), (1 << 27, 8, 3.5), (1 << 26, 16, 3.0),
           (1 << 25, 32, 2.0), (1 << 24, 64, 1.5), (1 << 23, 128, 1.2), (1 << 30, 1, 10)]
AS_GOOD_AS_DIRECT = [(1 << 20, 4), (1 << 22, 4)]
PLANNED, PLAN_SECONDS, PLAN_BYTES = (1 << 28, 4), 40e-3, 10
OF_THE_BEST = 1.10
NOISE = 1.02  # by which two runs of one kernel may differ


def verdict(reached):
    return "yes" if reached else "**no**"


def ratio(row):
    return f"{row['ratio']:.2f}" if row and "ratio" in row else ""


def chosen(row):
    """The ratio of what auto chose, and its choice."""
    return f"{row['ratio']:.2f} {row['algorithm']}" if row and "ratio" in row else ""


def speed_targets(found):
    cells = []
    for n, size, most in TARGETS:
        row = found.get(((n, size), "auto"))
        if row:
            cells.append([f"{count(n)} of {size} bytes", f"{most:g} copies", f"{row['ratio']:.2f}, {row['algorithm']}",
                          verdict(row["ratio"] <= most)])
    for what in AS_GOOD_AS_DIRECT:
        row, direct = found.get((what, "auto")), best(found, what, ["gather", "scatter"])
        if row and direct:
            cells.append([f"{count(what[0])} of {what[1]} bytes", f"scatter's or gather's {direct:.2f}",
                          f"{row['ratio']:.2f}, {row['algorithm']}", verdict(row["ratio"] <= direct * NOISE)])
    return cells


def plan_targets(found):
    row = found.get((PLANNED, "bucket"))
    if not row:
        return []
    name, each = f"{count(PLANNED[0])} of {PLANNED[1]} bytes", row["plan_bytes"] / row["n"]
    return [[f"planning {name}", f"{milliseconds(PLAN_SECONDS)} ms", f"{milliseconds(row['plan_seconds'])} ms",
             verdict(row["plan_seconds"] <= PLAN_SECONDS)],
            [f"kept of {name}", f"{PLAN_BYTES} bytes an element", f"{each:.2f}", verdict(each <= PLAN_BYTES)]]


def choice_target(run):
    """auto beside the best way of the same permutation, in every row."""
    groups = {}
    for row in rows_of(run):
        if "ratio" in row and row["asked_algorithm"] in WAYS:
            groups.setdefault((row["by"], row["n"], row["elem_bytes"], row.get("table")), {})[row["asked_algorithm"]] = row
    over = [(ways["auto"]["ratio"] / min(row["ratio"] for row in ways.values()), what) for what, ways in groups.items()
            if "auto" in ways and len(ways) > 1]
    if not over:
        return []
    worst, (by, n, size, _) = max(over, key=lambda pair: pair[0])
    late = sum(factor > OF_THE_BEST for factor, _ in over)
    return [[f"auto over the best algorithm, {len(over)} cases", f"{OF_THE_BEST:.2f}",
             f"{worst:.2f} at worst (`{by}`, {count(n)} of {size} bytes); beyond in {late}", verdict(late == 0)]]


def targets(run, runs):
    found = random_ones(run, runs)
    cells = [*speed_targets(found), *plan_targets(found), *choice_target(run)]
    heads = ["`random:1`", "at most", "measured", "reached"]
    return [device(run), "", *markdown(heads, cells, 4)] if rows_of(run) else []


def columns(found, whats, names):
    """The names of the ways that anything was measured by."""
    return [name for name in names if any((what, name) in found for what in whats)]


def ways_of(run, found, whats):
    """A length and size a row, a way a column; what a peer was slower by is easily seen then."""
    riffle, peers = columns(found, whats, WAYS[1:]), columns(found, whats, PEERS)
    cells = [[count(n), size, milliseconds(found[((n, size), "auto")]["copy_seconds"]), chosen(found[((n, size), "auto")]),
              *[ratio(found.get(((n, size), way))) for way in [*riffle, *peers]]] for n, size in whats]
    heads = ["elements", "bytes each", "cudaMemcpy, ms", "auto and its choice", *riffle, *[PEERS[peer] for peer in peers]]
    return markdown(heads, cells, 0)


def shapes(run, found, *groups):
    """The moves of the groups, in the order of the run, as far as auto has made them."""
    return [what for what in dict.fromkeys((row["n"], row["elem_bytes"]) for row in rows_of(run, *groups))
            if (what, "auto") in found]


def ways(run, runs):
    found = random_ones(run, runs)
    whats = shapes(run, found, "ways")
    picture = "![Time over a copy's against the length, for every way](images/arbitrary-ways.svg)"
    note = "`random:1`, times a cudaMemcpy. Scheduling 2^28 takes the host half a minute: that figure is of the suite hmm."
    return [picture, "", f"{device(run)} {note}", "", *ways_of(run, found, whats)] if whats else []


def sizes(run, runs):
    found = random_ones(run, runs)
    whats = shapes(run, found, "sizes", "rows")
    return [f"{device(run)} `random:1`, times a cudaMemcpy.", "", *ways_of(run, found, whats)] if whats else []


def crossovers(run, runs):
    found, cells = random_ones(run, runs), []
    whats = sorted(shapes(run, found, "crossovers", "ways"), key=lambda what: (what[1], what[0]))
    most = max((row["n"] for row in rows_of(run, "crossovers")), default=0)
    for n, size in whats:
        if n <= most:
            direct, bucket = found.get(((n, size), "gather")), found.get(((n, size), "bucket"))
            cells.append([count(n), size, chosen(found[((n, size), "auto")]), ratio(direct), ratio(bucket),
                          "yes" if found[((n, size), "auto")]["in_l2"] else "no"])
    picture = "![Gather and bucket passes of short arrays](images/arbitrary-crossovers.svg)"
    heads = ["elements", "bytes each", "auto and its choice", "gather", "bucket", "in L2"]
    return [picture, "", f"{device(run)} `random:1`, times a cudaMemcpy.", "", *markdown(heads, cells, 0)] if cells else []


def tables(run, runs):
    """Permutations other than random, and random ones given as a table too."""
    found = {}
    for row in rows_of(run, "tables"):
        found.setdefault((row["by"], row["n"]), {})[row["asked_algorithm"]] = row
    cells = []
    for (by, n), ways in found.items():
        auto = ways.get("auto", {})
        if "ratio" in auto:
            cells.append([f"`{by}`", count(n), chosen(auto), *[ratio(ways.get(way)) for way in WAYS[1:4]],
                          milliseconds(auto["plan_seconds"])])
    heads = ["table of", "elements", "auto and its choice", *WAYS[1:4], "plan, ms"]
    note = "Elements of 4 bytes, planned by riffle_cuda_plan_table from a table of 4-byte entries; times a cudaMemcpy."
    return [f"{device(run)} {note}", "", *markdown(heads, cells)] if cells else []


def shuffles(run, runs):
    """Everything that it takes to shuffle an array once, and to do the same again."""
    found, cells = random_ones(run, runs), []
    whats = shapes(run, found, "ways")
    names = columns(found, whats, SHUFFLES)
    for what in whats:
        own, once = found[(what, "auto")], found.get((what, "gather"))
        others = [found.get((what, name)) for name in names]
        if once and any(others):
            cells.append([count(what[0]), milliseconds(once["plan_seconds"] + once["seconds"]),
                          milliseconds(own["plan_seconds"] + own["seconds"]), milliseconds(own["seconds"]), *[milliseconds(row["seconds"]) if row else "" for row in others]])
    heads = ["elements", "`random:1` once: planned and gathered", "planned for many, executed once", "executed again", *[SHUFFLES[name] for name in names]]
    return [f"{device(run)} Milliseconds for elements of 4 bytes.", "", *markdown(heads, cells, 0)] if cells else []


def plan(run, runs):
    """Costs of plans: of auto's choice, and of bucket passes where that is another."""
    rows = [row for row in rows_of(run, "ways", "sizes", "rows", "tables")
            if "ratio" in row and row["asked_algorithm"] in ("auto", "bucket")]
    auto = {(row["by"], row["n"], row["elem_bytes"], row["algorithm"]) for row in rows if row["asked_algorithm"] == "auto"}
    cells = []
    for row in rows:
        if row["asked_algorithm"] != "auto" and (row["by"], row["n"], row["elem_bytes"], row["algorithm"]) in auto:
            continue
        n, each = row["n"], row.get("planning_bytes", 0) / row["n"]
        cells.append([f"{'table of ' if row.get('table') else ''}`{row['by']}`", row["asked_algorithm"], row["algorithm"],
                      count(n), row["elem_bytes"], row["passes"], milliseconds(row["plan_seconds"]),
                      f"{row['plan_bytes'] / n:.2f}", f"{row['workspace_bytes'] / n:.2f}", f"{each:.1f}" if each else ""])
    heads = ["permutation", "asked for", "algorithm", "elements", "bytes each", "passes", "plan, ms",
             "kept, bytes an element", "workspace", "while planning, at most"]
    return [device(run), "", *markdown(heads, cells, 3)] if cells else []


def checked(run, runs):
    """A move by buckets, and the same with each check, in copies."""
    rows = rows_of(run, "checked")
    cells = []
    for plain in rows:
        same = {row.get("check"): row for row in rows if (row["n"], row["elem_bytes"]) == (plain["n"], plain["elem_bytes"])}
        if "check" not in plain and {"full", "passes"} <= same.keys():
            full, passes = same["full"], same["passes"]
            cells.append([count(plain["n"]), plain["elem_bytes"], plain["passes"], milliseconds(plain["copy_seconds"]), f"{plain['ratio']:.2f}",
                          f"{full['ratio']:.2f}", f"{passes['ratio']:.2f}", f"{passes['seconds'] / plain['seconds']:.3f}"])
    heads = ["elements", "bytes each", "passes", "a copy, ms", "the move, copies", "with FULL", "with PASSES", "PASSES, times the move"]
    return [device(run), "", *markdown(heads, cells)] if cells else []


def skipped(run, runs):
    """The moves that could not be measured, and why."""
    cells = [[f"`{row['by']}`", row["asked_algorithm"], count(row["n"]), row["elem_bytes"], row["skipped"]]
             for row in rows_of(run) if "skipped" in row]
    heads = ["permutation", "asked for", "elements", "bytes each", "why not"]
    if rows_of(run) and not cells:
        return [f"{device(run)} Everything was measured."]
    return [device(run), "", *markdown(heads, cells, 5)] if cells else []


SHOWN = {"arbitrary-targets": targets, "arbitrary-ways": ways, "arbitrary-sizes": sizes, "arbitrary-tables": tables,
         "arbitrary-shuffles": shuffles, "arbitrary-plan": plan, "arbitrary-crossovers": crossovers,
         "arbitrary-skipped": skipped, "arbitrary-checked": checked}
