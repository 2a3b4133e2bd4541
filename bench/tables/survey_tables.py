# SPDX-License-Identifier: Apache-2.0
"""The tables of bench/lint/survey.py's results, by collection and by cause of failure, of bench/lint/nsight.py's, of bench/lint/races.py's, sanitizer.py's, mutants.py's, cutlass.py's, faial.py's and of
bench/lint/gpuverify.py's; and what bench/lint/for_all.py found."""
import collections
import re

import results
from markdown import markdown


def is_program(row):
    return row["main"] and row["outcome"] not in ("no compile", "no main")


def share(part, whole):
    return f"{part} ({100 * part / whole:.0f}%)" if whole else "0"


def files(run):
    """A row for each repository: files, those that compile, programs that need no input, and those that ran to the end."""
    rows = collections.defaultdict(list)
    for row in run["files"]:
        rows[row["repository"]].append(row)
    cells = []
    for name, own in [*sorted(rows.items(), key=lambda item: item[0].lower()), ("**all**", run["files"])]:
        compiled = [row for row in own if row["outcome"] != "no compile"]
        programs = [row for row in compiled if is_program(row) and row["outcome"] != "no launch"]
        ran = [row for row in programs if row["outcome"] == "ran"]
        cells.append([name, len(own), share(len(compiled), len(own)), len(programs), share(len(ran), len(programs)),
                      sum("hazards" in row.get("why", "") for row in ran)])
    heads = ["collection", "files with a kernel", "compile unmodified", "programs that ask for no input", "ran to the end", "with hazards"]
    return [f"{len(run['files'])} files, {run['compiler']}, {run['limit']}; riffle {run['commit']}.", "",
            *markdown(heads, cells, 1)]


# Causes that an outcome's words are put down to; the first that fits.
CAUSES = [("no compile", r"inline PTX", "inline PTX"),
          ("no compile", r"thrust|cub/", "Thrust or CUB"),
          ("no compile", r"cu(dnn|sparse|solver|fft)|npp|nvrtc|nccl", "another library of CUDA's"),
          ("no compile", r"gl_interop|GL/|EGL|D3D|glut|vulkan", "graphics"),
          ("no compile", r"No such file|mpi.h", "a header of its own build or of another library"),
          ("no compile", r"^(cuda|cu[A-Z]|tex|surf|__|CU[A-Z_])", "a name of CUDA's that is missing"),
          ("no compile", r"", "other errors of the compiler"),
          ("no main", r"", "compiles, and is no program by itself"),
          ("no link", r"", "a function of another file or library"),
          ("no launch", r"", "ends before a launch: it wants arguments, input or another device"),
          ("time out", r"", "not done in time"),
          ("crash", r"dynamic parallelism|called by a kernel", "launches from a kernel"),
          ("crash", r"whole grid|cuda::barrier", "a barrier of the whole grid, or of a part of a block"),
          ("crash", r"does not define", "a function of another file or library"),
          ("crash", r"", "a kernel's crash"),
          ("ran", r"", "ran to the end and was reported")]


def cause(row):
    for outcome, words, name in CAUSES:
        if row["outcome"] == outcome and re.search(words, row.get("why", "")):
            return name
    return row["outcome"]


def causes(run):
    counted = collections.Counter(cause(row) for row in run["files"])
    return markdown(["outcome", "files"], counted.most_common(), 1)


def nsight(run):
    """A row for each collection: programs, kernels, and counts that are equal."""
    rows = collections.defaultdict(list)
    for row in run["results"]:
        rows[row["program"].split(": ")[0]].append(row)
    cells = []
    for name, own in [*sorted(rows.items(), key=lambda item: item[0].lower()), ("**all**", run["results"])]:
        counts = [both for row in own for both in row["compared"].values()]
        cells.append([name, len({row["program"] for row in own}), len(own), len(counts), share(sum(map(is_equal, counts)), len(counts))])
    return [f"{run['device']}; Nsight Compute: {run['ncu']}, nvcc: {run['nvcc']}; {run['riffle']}.", "",
            *markdown(["collection", "programs", "kernels", "counts", "equal"], cells, 1)]


def is_equal(both):
    return both["gpu"] == both["machine"]


def differences(run):
    cells = [[re.sub(r".*?: (src/)?", "", row["program"]), row["kernel"], what, f"{both['gpu']:,}", f"{both['machine']:,}"]
             for row in run["results"] for what, both in row["compared"].items() if not is_equal(both)]
    return markdown(["program", "kernel", "count", "GPU", "lint"], cells, 3)


# Races that HiRace, iGUARD and Compute Sanitizer found on each graph: Table I of the paper on HiRace.
OTHERS = {"DAG_100n_200e": (346, 298, 92), "DAG_200n_400e": (346, 298, 92), "DAG_5n_5e": (182, 118, 92),
          "counterDAG_200n_1000e": (346, 298, 56), "counterDAG_5n_5e": (295, 148, 92), "power_law_200n_1000e": (346, 297, 128)}


def races(run):
    cells = [[name, one["racy"], one["found"], *OTHERS[name], f"{one['false alarms']} of {one['right']}",
              f"{one['bounds found']} of {one['bounds']}", f"{one['seconds'] / one['programs']:.2f} s"] for name, one in run["graphs"].items()]
    heads = ["graph", "programs with races", "lint", "HiRace", "iGUARD", "Compute Sanitizer", "false alarms of lint", "out of bounds, told by lint",
             "lint's processor time, a program"]
    programs = {one["programs"] for one in run["graphs"].values()}
    return [f"{max(programs)} programs, {run['launch']}; {run['compiler']}; riffle {run['commit']}.", "", *markdown(heads, cells, 1)]


def moved(run):
    cells = [[what, f"`{counter.removesuffix('.sum')}`", sum(row["what"] == what for row in run["results"]),
              sum(row["what"] == what and row["gpu"] == row["lint"] for row in run["results"])] for what, counter in run["counters"].items()]
    return [f"{run['device']}; Nsight Compute: {run['ncu']}, nvcc: {run['nvcc']}; riffle {run['commit']}.", "",
            *markdown(["moved", "counter", "launches that have it", "equal"], cells, 2)]


def sanitizer(run):
    count = run["count"]
    seconds = [f"{count[tool + ' seconds'] / count['programs']:.1f} s" for tool in ("racecheck", "memcheck")]
    right = f"{count['false alarms']} of {count['right']}"
    cells = [["racecheck", f"races: {count['found']} of {count['racy']}", right, seconds[0]],
             ["memcheck", f"accesses out of bounds: {count['bounds found']} of {count['bounds']}", right, seconds[1]]]
    return [f"{run['device']}; {run['sanitizer'].split(' (')[0].replace('Version', 'Compute Sanitizer')}; {count['programs']} of the {run['of']} programs on {run['graph']},"
            f" {run['jobs']} at a time; riffle {run['commit']}.", "", *markdown(["tool", "found", "false alarms of both", "time, a program"], cells, 1)]


NOT_RUN = (("blocks of more threads than CUDA has", "was refused"), ("a function that nothing defines", "nothing defines"), ("other causes", ""))


def gpuverify(run):
    count = run["count"]
    failed = [one["failed"] for one in run["wrong"] if "failed" in one]
    causes = collections.Counter(next(cause for cause, mark in NOT_RUN if mark in one) for one in failed)
    cells = [[what, f"{count[kind + ' found']} of {count[kind]}"] for kind, what in
             (("race", "with a race, told by lint"), ("barrier", "with a barrier that not all threads reach, told by lint"),
              ("out-of-bounds", "with an access through NULL, told by lint"))]
    cells += [["right, with a race or a barrier told all the same", f"{count['false alarms']} of {count['right']}"],
              *[[f"not run: {cause}", str(causes[cause])] for cause, _ in NOT_RUN],
              ["not judged", str(count["not judged"])],
              ["lint's processor time, a kernel", f"{count['seconds'] / (count['kernels'] - count['not judged']):.2f} s"]]
    return [f"{count['kernels']} kernels; {run['compiler']}; riffle {run['commit']}.", "", *markdown(["kernels", "number"], cells, 1)]


def tells(row):
    """A program's outcome, and hazards or, in place of a report, the first of lint's own words."""
    if row["verdict"] == "refused":
        return "refused", row["said"].removeprefix("riffle: ").rpartition("examples/cute/tutorial/")[2].split("; ")[0]
    hazards = sorted({f"{one['kind']}: {one['text']}" for one in row["hazards"] if one["kind"] != "same-value"})
    return "ran to the end" if row["verdict"] == "ran" else row["verdict"], "; ".join(hazards) or "no hazard"


def cutlass(run):
    cells = [[f"`{' '.join([row['program'], *row['arguments']])}`", *tells(row), f"{row['seconds']:.0f} s"] for row in run["programs"]]
    return [f"CUTLASS {run['version']}, {run['compiler']}; riffle {run['commit']}.", "",
            *markdown(["program", "outcome", "lint tells", "processor time"], cells, 3)]


def faial(run):
    """Numbers of tests by what is expected of them and what lint tells."""
    def of(room, verdict, expected=None):
        return sum(one["verdict"] == verdict and one["test"].startswith(room) and expected in (None, one["expected"]) for one in run["tests"])

    cells = [["kernels with a race, told by lint", f"{of('drf', 'right', '1')} of {of('drf', 'right', '1') + of('drf', 'wrong', '1')}"],
             ["kernels without, with one told all the same", f"{of('drf', 'wrong', '0')} of {of('drf', 'right', '0') + of('drf', 'wrong', '0')}"],
             ["costs of a warp that are Faial's", f"{of('bc', 'equal')} of {sum(of('bc', one) for one in ('equal', 'less', 'more'))}"],
             ["costs below Faial's, which are bounds", of("bc", "less")], ["costs above", of("bc", "more")],
             ["not run: templates, functions that nothing defines, what does not end", of("", "not run")], ["not judged: other options, formulas", of("", "not judged")]]
    return [f"{len(run['tests'])} tests; {run['compiler']}; riffle {run['commit']}.", "", *markdown(["tests", "number"], cells, 1)]


def faial_other(run):
    cells = [[f"`{one['test']}`", {"0": "no race", "1": "a race"}.get(one["expected"], "") if one["test"].startswith("drf") else one["expected"],
              ", ".join(one["kinds"]) or "nothing" if "kinds" in one else f"{one['cost']:g}"] for one in run["tests"] if one["verdict"] in ("wrong", "less", "more")]
    return markdown(["test", "Faial", "lint"], cells, 3) if cells else ["None."]


def gpuverify_wrong(run):
    cells = [[f"`{one['kernel']}`", one["expected"] or "nothing", ", ".join(one["kinds"]) or "nothing"] for one in run["wrong"] if "kinds" in one]
    return markdown(["kernel", "has", "lint tells"], cells, 3)


def mutants(run):
    cells = collections.defaultdict(lambda: [0, 0])
    for row in run["rows"]:
        cells[row["kind"]][0] += row["right"]
        cells[row["kind"]][1] += 1
    clean, programs = cells.pop("")
    rows = [[what, f"{seen} of {of}"] for what, (seen, of) in sorted(cells.items())]
    rows.append(["**all**", f"{sum(seen for seen, _ in cells.values())} of {sum(of for _, of in cells.values())}"])
    return [f"{programs} programs, {clean} without a hazard as they are; {run['compiler']}; riffle {run['commit']}.", "",
            *markdown(["to be told", "faults told"], rows, 1)]


def mutants_wrong(run):
    """Programs and faults that were not told as the list states."""
    cells = [[row["program"], row["mutant"] or "as it is", row["kind"] or "nothing", row.get("failed") or ", ".join(row["told"]) or "nothing"]
             for row in run["rows"] if not row["right"]]
    return markdown(["program", "fault", "to be told", "lint tells"], cells, 4) if cells else ["None."]


def for_all(run):
    """Accesses by what riffle lint --for-all says of them, a row for each repository."""
    rows = collections.defaultdict(list)
    for row in run["rows"]:
        rows["/".join(row["file"].split("/")[:2])].append(row)
    cells = []
    for name, own in [*sorted(rows.items(), key=lambda item: item[0].lower()), ("**all**", run["rows"])]:
        counts = [sum(row.get(verdict, 0) for row in own) for verdict in ("proved", "refuted", "not-affine", "open")]
        within = [sum(row.get("bounds", {}).get(verdict, 0) for row in own) for verdict in ("proved", "refuted", "open")]
        cells.append([name, sum("said" not in row for row in own), sum(counts), *counts, share(counts[0] + counts[1], sum(counts)), *within])
    heads = ["collection", "files that compile", "accesses", "proved", "refuted", "not affine", "not decided", "decided", "in bounds", "out", "open"]
    return [f"{run['compiled']} of {run['files']} files compile alone; riffle {run['commit']}, any block whose x is a multiple of 32. The last three columns have the"
            " accesses to arrays of known length, which are shared and static ones here.", "",
            *markdown(heads, cells, 1)]


SHOWN = {"cutlass": ("cutlass.json", cutlass), "faial": ("faial.json", faial), "faial-other": ("faial.json", faial_other), "for-all": ("for_all.json", for_all),
         "gpuverify": ("gpuverify.json", gpuverify), "gpuverify-wrong": ("gpuverify.json", gpuverify_wrong), "races": ("races.json", races),
         "sanitizer": ("sanitizer.json", sanitizer), "moved": ("moved.json", moved),
         "mutants": ("mutants.json", mutants), "mutants-wrong": ("mutants.json", mutants_wrong), "files": ("survey.json", files), "causes": ("survey.json", causes),
         "unseen": ("unseen.json", files), "unseen-causes": ("unseen.json", causes),
         "unseen2": ("unseen2.json", files), "unseen2-causes": ("unseen2.json", causes),
         "unseen3": ("unseen3.json", files), "unseen3-causes": ("unseen3.json", causes),
         "unseen4": ("unseen4.json", files), "unseen4-causes": ("unseen4.json", causes),
         "nsight": ("nsight.json", nsight), "differences": ("nsight.json", differences),
         "hopper": ("nsight_hopper.json", nsight), "hopper-differences": ("nsight_hopper.json", differences)}


def region(what):
    name, show = SHOWN[what]
    run = results.read(f"lint/{name}")
    return show(run) if run else []
