# SPDX-License-Identifier: Apache-2.0
"""Programs, hulls, the memory machine, lint's assertions, the VAT model."""
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import riffle
from arrays import arrays
from hypothesis import given
from hypothesis import strategies as st

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/lint"
NAIVE = dict(kernel="transpose", grid=(4, 4), block=(32, 8), args=["float:16384", "float:16384:random", "int=128"])


def test_hadamard():
    x = np.random.default_rng(1).integers(-9, 9, 16)
    h = np.array([[1]])
    for _ in range(4):
        h = np.block([[h, h], [h, -h]])
    np.testing.assert_array_equal(riffle.run("hadamard n", x), h @ x)
    batch = np.random.default_rng(2).random((3, 16)).astype("f4")
    np.testing.assert_allclose(riffle.run("hadamard n", batch, axis=-1), batch @ h, rtol=1e-5)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f2", "f4", "f8"])
def test_sort(dtype):
    x = np.random.default_rng(3).integers(0, 99, 64).astype(dtype)
    np.testing.assert_array_equal(riffle.run("sort n", x), np.sort(x))
    np.testing.assert_array_equal(riffle.run("sort n", x[::-1]), np.sort(x))


@given(arrays(1, 3, 4, dtypes=["i1", "u2", "i4", "<u8", "f4", "f8", ">i4", ">f8"]), st.sampled_from([None, -1]))
def test_runs(x, axis):
    """On arrays of any strides; what is no power of two, and the other byte order, is refused and not touched."""
    before, long = x.copy(), x.size if axis is None else x.shape[-1]
    if x.size == 0 or long & (long - 1):
        with pytest.raises(ValueError, match=r"arrays of 2\^n"):
            riffle.run("sort n", x, axis=axis)
    elif not x.dtype.isnative:
        with pytest.raises(NotImplementedError, match="the other byte order"):
            riffle.run("sort n", x, axis=axis)
    elif not np.isnan(x).any():
        y = riffle.run("sort n", x, axis=axis)
        assert (y.shape, y.dtype) == (x.shape, x.dtype)
        np.testing.assert_array_equal(y, np.sort(x, axis).reshape(x.shape))
    np.testing.assert_array_equal(x, before)


def test_fft():
    x = np.random.default_rng(4).random(256) + 0j
    np.testing.assert_allclose(riffle.run("fft n", x), np.fft.fft(x), rtol=1e-10)


def test_program_plans():
    x = np.arange(8.0)
    plan = riffle.program("hadamard n", x)
    assert riffle.program("hadamard n", x) is plan
    assert plan.n == 3 and plan.batch == 1 and plan.stages == 3 and plan.passes >= plan.bound
    assert plan.numbers["stages"] == 3 and "pass" in plan.explain()
    if plan.in_place:
        y = x.copy()
        assert plan(y, y) is y
        np.testing.assert_array_equal(y, plan(x))


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=30), st.sampled_from(["i1", "i4", "i8", "f4", "f8", ">f8", ">i2"]))
def test_hull(points, dtype):
    """Every point lies left of every side, and corners turn left."""
    cloud = np.array(points).astype(dtype)
    corners = cloud[riffle.hull(cloud)].astype(np.int64)
    assert tuple(corners[0]) == min(points)
    sides = np.roll(corners, -1, axis=0) - corners
    for corner, side in zip(corners, sides):
        away = np.array(points) - corner
        assert (side[0] * away[:, 1] - side[1] * away[:, 0] >= 0).all()
    if len(corners) > 2:
        turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
        assert (turns > 0).all()


def test_hulls_of_sets():
    clouds = np.random.default_rng(5).random((4, 50, 2))
    for cloud, corners in zip(clouds, riffle.hull(clouds)):
        np.testing.assert_array_equal(corners, riffle.hull(cloud))
    np.testing.assert_array_equal(riffle.hull([[0, 0], [1, 0], [2, 0]], all=True), [0, 1, 2])
    corners, lengths = riffle.hull(clouds, padded=True, threads=1, algorithm="auto")
    for row, length, found in zip(corners, lengths, riffle.hull(clouds)):
        np.testing.assert_array_equal(row[:length], found)
    first = [0, 7, 7, 60, 200]
    for begin, end, found in zip(first, first[1:], riffle.hull(clouds.reshape(-1, 2), first=first)):
        np.testing.assert_array_equal(found, riffle.hull(clouds.reshape(-1, 2)[begin:end]) + begin)
    odd = np.frombuffer(b"x" + clouds[0].tobytes(), "f8", 100, 1).reshape(50, 2)  # at an odd address
    np.testing.assert_array_equal(riffle.hull(odd), riffle.hull(clouds[0]))
    assert riffle.hull(np.empty((0, 2))).shape == (0,) and riffle.hull(np.empty((0, 3, 2))) == []


def test_simulate():
    report = riffle.machine.simulate("bit-reversal", 1024, algorithm="scheduled")
    assert report.time_units == report.predicted_time_units and report.casual_rounds == 0
    assert report.predicted_launches is not None and len(report.predicted_launches) == len(report.data["launches"])
    assert {r["space"] for r in report.rounds} == {"global", "shared"}
    assert "time units" in str(report) and "time units" in report._repr_html_() and "0 wasteful" in repr(report)
    assert riffle.machine.simulate(riffle.Perm("reverse", 64), width=4).data["width"] == 4


def test_predict():
    for algorithm in ("scatter", "scheduled", "affine"):
        told = riffle.machine.predict("bit-reversal", 1024, algorithm=algorithm, width=16, latency=50)
        assert told.is_exact and told.bound == 1024 // 16 + 50 - 1
        assert told.time_units == riffle.machine.simulate("bit-reversal", 1024, algorithm=algorithm, width=16, latency=50).time_units
    long = riffle.machine.predict(riffle.Perm("random:1", 2**22), algorithm="scatter")
    assert not long.is_exact and long.time_units is not None and long.time_units > long.bound
    checked = riffle.machine.predict("random:1", 3000, algorithm="gather", check=True)
    assert checked.is_exact and checked.time_units == riffle.machine.simulate("random:1", 3000, algorithm="gather", check=True).time_units
    with pytest.raises(riffle.errors.Unsupported, match="a check needs warps of 32"):
        riffle.machine.simulate("random:1", 3000, check=True, width=8)
    with pytest.raises(riffle.errors.Unsupported, match="does not fit"):
        riffle.machine.predict("random:1", 2**16, algorithm="conflict-free")


def test_explain_program():
    told = riffle.machine.explain_program("sort n", 1 << 12, "u32", algorithm="paper", shared_latency=3, dmms=2)
    assert (told["n"], told["passes"], told["meaning"], told["model"]["dmms"]) == (1 << 12, 156, "exact", 2)
    assert sum(sum(kind["time_units"] for space in ("global", "shared") for kind in launch[space].values()) for launch in told["launches"]) == told["time_units"]
    here = riffle.machine.explain_program("fft n", 1 << 8, "c64", engine="cpu", batch=3, measure=True)
    assert here["engine"] == "cpu" and here["n"] == 3 << 8 and "time_units" not in here
    assert here["measured"]["seconds"] > 0 and here["measured"]["pass_seconds"] > 0
    with pytest.raises(riffle.errors.LengthError, match="2\\^k elements"):
        riffle.machine.explain_program("sort n", 12)
    with pytest.raises(riffle.errors.Unsupported, match="width of 16"):
        riffle.machine.explain_program("sort n", 16, width=16)


def test_explain_sort():
    told = riffle.machine.explain_sort(5000, latency=50)
    assert (told["algorithm"], told["engine"], told["model"]["latency"]) == ("k-partition", "cuda", 50)
    assert told["time_units"] > 5000 / 32 and len(told["launches"]) >= 1
    merged = riffle.machine.explain_sort(7680, algorithm="two-phase", streams=4, index_bytes=4)
    assert (merged["algorithm"], merged["segments"]) == ("two-phase", 4)
    first = riffle.machine.explain_sort(2**26, "f32", top=100, index_bytes=4)
    assert first["launches"][0]["kernel"] == "select_sample" and first["time_units"] < riffle.machine.explain_sort(2**26, "f32")["time_units"] / 4
    assert riffle.machine.explain_sort(5000, partition=7)["launches"][0]["kernel"] == "part_blocks"
    here = riffle.machine.explain_sort(1000, "f64", engine="cpu", measure=True)
    assert here["threads"] >= 1 and here["measured"]["runs"] >= 2 and here["measured"]["comparing_seconds"] > 0
    for streams, engine in ((7, "cuda"), (1001, "cuda"), (7, "cpu")):
        with pytest.raises(riffle.errors.InvalidArgument, match=f"1000 elements are no {streams} segments of as many"):
            riffle.machine.explain_sort(1000, engine=engine, streams=streams)
    with pytest.raises(riffle.errors.InvalidArgument, match="quicksort"):
        riffle.machine.explain_sort(10, algorithm="quicksort")


def test_explain_hull():
    told = riffle.machine.explain_hull(5000, "f64", latency=50)
    assert (told["algorithm"], told["engine"], told["model"]["latency"], told["n"]) == ("auto", "cuda", 50, 5000)
    assert told["meaning"] == "expected" and told["time_units"] == sum(
        counts[space][op]["time_units"] for counts in told["launches"] for space in ("global", "shared") for op in ("read", "write"))
    paper = riffle.machine.explain_hull(5000, algorithm="paper", latency=50)
    assert [launch["kernel"] for launch in paper["launches"]] == ["hull_take_all", "hull_paper", "hull_results"]
    sets = riffle.machine.explain_hull(64, "i16", sets=8, all=True, points=True)
    assert (sets["segments"], sets["type"]) == (8, "i16") and sets["time_units"] > 0
    here = riffle.machine.explain_hull(1000, "f32", engine="cpu", measure=True)
    assert here["threads"] >= 1 and here["measured"]["runs"] >= 2 and "time_units" not in here
    with pytest.raises(riffle.errors.InvalidArgument, match="9 points are no 2 sets of as many"):
        riffle.machine.explain_hull(9, sets=2)
    with pytest.raises(riffle.errors.Unsupported, match="c64"):
        riffle.machine.explain_hull(9, "c64")


def test_explain_group():
    told = riffle.machine.explain_group(5000, 8, 64, "u16", latency=50)
    assert (told["algorithm"], told["engine"], told["model"]["latency"], told["groups"]) == ("staged", "cuda", 50, 64)
    assert told["meaning"] == "expected" and told["time_units"] == sum(
        counts[space][op]["time_units"] for counts in told["launches"] for space in ("global", "shared") for op in ("read", "write"))
    experts = riffle.machine.explain_group(700, 256, 8, keys_per_row=2, index_bytes=4)
    assert (experts["algorithm"], experts["keys_per_row"]) == ("one", 2)
    checked = riffle.machine.explain_group(5000, 8, 64, "u16", check=True)
    assert [launch["kernel"] for launch in checked["launches"]][-2:] == ["check_rows", "check_run"]
    table = riffle.machine.explain_group(5000, 8, 64, "u16", columns=(4, 2))
    assert (told["column_bytes"], table["column_bytes"]) == ([], [4, 2]) and len(table["launches"]) == len(told["launches"]) + 2
    with pytest.raises(riffle.errors.LengthError, match="65 columns"):
        riffle.machine.explain_group(9, 4, 2, columns=[1] * 65)
    here = riffle.machine.explain_group(10000, 4, 3, engine="cpu", measure=True)
    assert here["threads"] >= 1 and here["measured"]["runs"] >= 2 and "time_units" not in here
    with pytest.raises(riffle.errors.InvalidArgument, match="0 groups"):
        riffle.machine.explain_group(9, 4, 0)
    with pytest.raises(riffle.errors.Unsupported, match="f32"):
        riffle.machine.explain_group(9, 4, 2, "f32")


def test_simulate_what_explain_tells():
    program = riffle.machine.simulate_program("hadamard n", 4096, latency=50)
    assert program.time_units == program.predicted_time_units and program.hazards == []
    sort = riffle.machine.simulate_sort(5000, "u32", index_bytes=4, latency=50)
    assert (sort.data["n"], sort.data["latency"], sort.hazards) == (5000, 50, [])
    worst, plain = (riffle.machine.simulate_sort(4 * 1920, algorithm="pairwise", streams=4, worst=is_worst) for is_worst in (True, False))
    assert worst.time_units > plain.time_units and plain.data["block_exchanges"]["counted"] > 0
    top = riffle.machine.simulate_sort(5000, top=10)
    assert top.data["launches"][-1]["kernel"] == "sort_gather" and top.hazards == []
    with pytest.raises(riffle.errors.InvalidArgument, match="1000 elements are no 3 segments"):
        riffle.machine.simulate_sort(1000, streams=3)


def test_simulate_hulls_and_groups_of_arrays():
    points = np.random.default_rng(5).integers(-99, 99, (2, 500, 2), dtype=np.int16)
    assert riffle.machine.simulate_hull(points, all=True).hazards == []
    with pytest.raises(riffle.errors.InvalidArgument, match="points are"):
        riffle.machine.simulate_hull(points[..., 0])
    with pytest.raises(riffle.errors.InvalidArgument, match="point 1"):
        riffle.machine.simulate_hull([[0., 1.], [0., np.nan]])
    keys = np.random.default_rng(6).integers(0, 9, 5000, dtype=np.uint16)
    plain = riffle.machine.simulate_group(keys, 8, 8)
    assert plain.hazards == [] and plain.time_units < riffle.machine.simulate_group(keys[::-1], 8, 8, columns=[4], check=True).time_units
    assert riffle.machine.simulate_group(keys.reshape(2500, 2), 8, 16, index_bytes=4).hazards == []
    with pytest.raises(riffle.errors.LengthError, match="rows, k"):
        riffle.machine.simulate_group(keys.reshape(-1, 2, 2), 8, 8)
    with pytest.raises(riffle.errors.LengthError, match="rows, k"):
        riffle.machine.simulate_group(np.uint16(1), 8, 8)
    with pytest.raises(riffle.errors.LengthError, match="rows have none"):
        riffle.machine.simulate_group(keys[:, None][:, :0], 8, 8)
    with pytest.raises(riffle.errors.WrongType, match="columns: 4"):
        riffle.machine.simulate_group(keys, 8, 8, columns=4)
    with pytest.raises(riffle.errors.Unsupported, match="f64"):
        riffle.machine.simulate_group(keys.astype(float), 8, 8)


def test_explain_checks_of_sorts():
    told = riffle.machine.explain_sort(5000, "u32", index_bytes=4, check=True)
    kernels = [launch["kernel"] for launch in told["launches"]]
    assert kernels[0] == kernels[-1] == "sort_check" and told["time_units"] > riffle.machine.explain_sort(5000, "u32", index_bytes=4)["time_units"]


def test_explain_ungroup():
    told = riffle.machine.explain_ungroup(5000, 24, 10000, keys_per_row=2, sum="f32", weights=True, latency=50)
    assert (told["algorithm"], told["meaning"], told["rows"], told["weights"], told["model"]["latency"]) == ("sums", "expected", 10000, True, 50)
    assert [launch["kernel"] for launch in told["launches"]] == ["ungroup_f32"]
    here = riffle.machine.explain_ungroup(10000, 8, 10000, engine="cpu", index_bytes=8, measure=True)
    assert here["threads"] >= 1 and here["measured"]["runs"] >= 2 and "time_units" not in here
    with pytest.raises(riffle.errors.InvalidArgument, match="2 places each; say of which numbers"):
        riffle.machine.explain_ungroup(9, 4, 9, keys_per_row=2)


def test_simulate_in_blocks():
    report = riffle.machine.simulate_in_blocks("bit-reversal", 1024, algorithm="gather", blocks=2, shared_latency=5)
    assert (report.data["in_block"]["reads"], report.data["in_block"]["writes"]) == (4096, 2048)
    assert report.time_units == report.predicted_time_units
    with pytest.raises(riffle.errors.Unsupported):
        riffle.machine.simulate_in_blocks("reverse", 64, algorithm="affine")


@pytest.mark.lines
def test_lint_of_a_text(tmp_path):
    """The same report as of a file that has it, and nothing stays behind."""
    source = "__global__ void scale(float *a) {\n    a[2 * threadIdx.x] *= 2;\n}\n"
    job = dict(kernel="scale", block=32, args=["float:64:index"])
    (tmp_path / "source.cu").write_text(source)
    report = riffle.lint(source, **job)
    assert report.data == riffle.lint(tmp_path / "source.cu", **job).data
    assert [(r["file"], r["line"]) for r in report.wasteful] == [("source.cu", 2)] * 2
    assert "a[2 * threadIdx.x]" in report._repr_html_()
    with pytest.raises(riffle.errors.FormatError, match="source.cu:1"):
        riffle.lint("__global__ void scale(flot *a) {}\n", **job)
    riffle.testing.assert_no_hazards(source, **job)


@pytest.mark.skipif(not shutil.which("clang++"), reason="LLVM's text is clang's")
def test_lint_for_all():
    """Claims as objects, of a file and of a text."""
    source = "__global__ void scale(float *a, int n) {\n    if (threadIdx.x <= n) a[2 * threadIdx.x] *= 2;\n}\n"
    claims = riffle.lint_for_all(source, lengths={"a": "2 * n + 2"})
    assert [(one.line, one.op, one.verdict, one.bounds) for one in claims.all] == [(2, "read", "refuted", "proved"), (2, "write", "refuted", "proved")]
    assert claims.wasteful == claims.all and claims.out_of_bounds == [] and "bounds: in 2" in str(claims)
    found = riffle.lint_for_all(source, "scale", block=32, lengths={"a": 8}, threshold=3.0)
    assert found.wasteful == [] and len(found.out_of_bounds) == 2 and " of 8 where " in found.out_of_bounds[0].bounds_example
    naive = riffle.lint_for_all(EXAMPLES / "transpose_naive.cu", block=(32, 8))
    assert [one.claim for one in naive.wasteful] == ["32-way bank conflict, always"] and "no-length" in {one.bounds for one in naive.all}
    with pytest.raises(riffle.errors.FormatError):
        riffle.lint_for_all(source, lengths={"a": "m"})
    with pytest.raises(riffle.errors.InvalidArgument, match="no kernel has such a parameter"):
        riffle.lint_for_all(source, lengths={"b": "n"})


@pytest.mark.lines
def test_lint():
    report = riffle.lint(EXAMPLES / "transpose_naive.cu", **NAIVE)
    assert report.hazards == [] and report.casual_rounds == 4
    shown = report._repr_html_()
    assert "transpose_naive.cu:24" in shown and "shared read: 16384 for 512" in shown
    with pytest.raises(riffle.errors.FormatError):
        riffle.lint(EXAMPLES / "transpose_naive.cu", "xyzzy")


@pytest.mark.lines
def test_lint_under_a_layout():
    """The tile's columns, 32-way conflicts as they lie, are free of them under RAP; under RAS they are not."""
    file = EXAMPLES / "transpose_naive.cu"
    laid = {name: riffle.lint(file, shared_layout=name, shared_seeds=4, **NAIVE) for name in ("rap", "ras")}
    read = {name: next(r for r in report.rounds if (r["space"], r["op"]) == ("shared", "read")) for name, report in laid.items()}
    assert [(r.data["shared_layout"], r.data["shared_seeds"]) for r in laid.values()] == [("rap", 4), ("ras", 4)]
    assert (read["rap"]["requests"], read["rap"]["laid_requests"], read["rap"]["laid_worst"]) == (16384, 512, 1)
    assert 512 < read["ras"]["laid_requests"] < 16384 and read["ras"]["laid_worst"] > 1
    with pytest.raises(riffle.errors.InvalidArgument, match="shared_layout: sideways: no layout"):
        riffle.lint(file, shared_layout="sideways", **NAIVE)


@pytest.mark.lines
def test_assertions():
    check = riffle.testing
    assert check.assert_coalesced(EXAMPLES / "transpose_naive.cu", **NAIVE).casual_rounds == 4
    with pytest.raises(AssertionError, match="transpose_naive.cu:24: read: 32-way bank conflict, 16384 requests where 512"):
        check.assert_conflict_free(EXAMPLES / "transpose_naive.cu", **NAIVE)
    check.assert_conflict_free(EXAMPLES / "transpose_padded.cu", **NAIVE)
    check.assert_conflict_free(EXAMPLES / "transpose_naive.cu", threshold=32, **NAIVE)
    race = dict(kernel="reverse", grid=4, block=256, args=["int:1024:index"])
    with pytest.raises(AssertionError, match="race.cu:17: race in reverse"):
        check.assert_no_races(EXAMPLES / "race.cu", **race)
    with pytest.raises(AssertionError, match="uninitialized"):
        check.assert_no_hazards(EXAMPLES / "race.cu", **race)
    check.assert_no_races(EXAMPLES / "race.cu", flags=["-DFIXED"], **race)


def test_vat():
    addresses = np.arange(1000) * 4096
    counts = riffle.vat.replay(addresses, cache=16, height=2, fanout=8 << 10, tau=2.0)
    assert counts.accesses == 1000 and counts.cost == 2 * counts.faults >= 2000
    assert riffle.vat.replay(addresses.astype("u4")) == riffle.vat.replay(addresses)
    assert riffle.vat.replay(addresses, "min").faults <= riffle.vat.replay(addresses).faults
    assert riffle.vat.presets()[0].entries_4k > 0 and riffle.vat.detect().name


def test_vat_curve():
    assert "heapify" in riffle.vat.programs()
    points = riffle.vat.curve(["permute", "introsort"], [2**8, 2**10], cache=16, tau=30)
    assert [(p.program, p.n) for p in points] == [("permute", 256), ("permute", 1024), ("introsort", 256), ("introsort", 1024)]
    for p in points:
        assert p.time == p.ram + 30 * p.faults and 0 < p.faults <= p.vat_most and np.isnan(p.em_time) and p.note == ""
    alone, = riffle.vat.curve("permute", [1000], cache=16, replay=0)
    assert np.isnan(alone.faults) and alone.vat_most > 0
    levels = riffle.vat.curve("random-scan", [2**12], memory=([2**12, 2**14], [1, 2, 10]))[0]
    assert abs(levels.em_time - 2**12 * (1 + 0.875 * 1 + 0.5 * 8)) < 1e-6
    nested, = riffle.vat.curve("sequential-scan", [1], nested=True, host_cache=1)
    assert nested.references == 24 and nested.note
    with pytest.raises(riffle.errors.InvalidArgument, match="nested=True"):
        riffle.vat.curve("permute", [8], host_page=4096)
    with pytest.raises(riffle.errors.InvalidArgument, match="xyzzy"):
        riffle.vat.curve("xyzzy", [8])
    with pytest.raises(riffle.errors.InvalidArgument, match="random-scan's"):
        riffle.vat.curve("permute", [8], memory=([64], [1, 2]))


def test_import_brings_no_array_library():
    words = "import sys, riffle; print([m for m in ('numpy', 'torch', 'cupy', 'jax') if m in sys.modules], riffle.machine.lint is riffle.lint)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[] True\n", "")
    assert "lint" in dir(riffle)
    with pytest.raises(AttributeError, match="xyzzy"):
        riffle.xyzzy
