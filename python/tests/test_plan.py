# SPDX-License-Identifier: Apache-2.0
"""Plans as objects, the cache of them, threads, and what 10^5 calls leave behind."""
import gc
import os
import resource
import subprocess
import sys
import threading

import numpy as np
import pytest
import riffle
from arrays import filled

X = np.arange(1024.0, dtype=np.float32)


def test_numbers():
    plan = riffle.plan("bit-reversal", X)
    assert (plan.n, plan.batch, plan.elem_bytes, plan.axis, plan.device) == (1024, 1, 4, None, -1)
    assert (plan.algorithm, plan.passes, plan.threads, plan.in_place) == ("affine", 1, 1, False)
    assert plan.bytes > 0 and plan.workspace_bytes == 0
    assert plan.explain().startswith("permutation  bit-reversal\n")
    assert "<th>algorithm</th><td>affine, 1 pass</td>" in plan._repr_html_()
    assert repr(plan) == "<riffle.Plan: 1 x 1024 elements of 4 bytes by 'affine', 1 pass>"
    assert riffle.plan("bit-reversal", X, algorithm="scatter").algorithm == "scatter"
    inverse = riffle.plan("rotate:3", X, inverse=True)
    np.testing.assert_array_equal(inverse(X), np.roll(X, -3))


def test_batches():
    x = filled((3, 1024, 2), "f4")
    plan = riffle.plan("bit-reversal", x, axis=1)
    assert (plan.batch, plan.n, plan.elem_bytes, plan.axis) == (3, 1024, 8, 1)
    np.testing.assert_array_equal(plan(x).view("u4"), x[:, riffle.Perm("bit-reversal", 1024).to_numpy()].view("u4"))


def test_nothing_to_move():
    for shape in ((0,), (3, 0), (0, 4)):
        plan = riffle.plan("reverse", np.empty(shape), axis=0)
        assert plan(np.empty(shape)).shape == shape
        assert plan.explain()


def test_cache():
    cache = riffle.cache
    cache.clear()
    kept = cache.limit, cache.limit_bytes
    try:
        first = riffle.plan("bit-reversal", X)
        assert riffle.plan("bit-reversal", X + 1) is first
        assert riffle.plan(riffle.Perm("bit-reversal", 1024), X) is first
        p, q = riffle.Perm("bit-reversal", 1024), riffle.Perm("reverse", 1024)
        assert riffle.plan(p | ~q, X) is riffle.plan(p | ~q, X)
        assert riffle.plan("bit-reversal", X, in_place=True) is not first
        assert riffle.plan("bit-reversal", X.astype("f8")) is not first
        assert riffle.plan([1, 0], X[:2]) is not riffle.plan([1, 0], X[:2])  # each a table of its own
        table = riffle.Perm.table(np.random.default_rng(1).permutation(1024))
        assert riffle.plan(table, X) is riffle.plan(table, X)
        cache.limit = 2
        assert cache.size == 2 and cache.bytes > 0
        cache.limit_bytes = 1
        assert cache.size == 0 and cache.bytes == 0
        assert riffle.plan("bit-reversal", X)(X)[1] == X[512]  # not kept, and good all the same
        assert "0 of 2 plans" in repr(cache)
    finally:
        cache.limit, cache.limit_bytes = kept


def test_threads():
    """Threads share plans, a cache that is too small for them, and permutations."""
    x, wrong = filled((1 << 12,), "i4"), []
    perms = [riffle.Perm(f"random:{k}", x.size) for k in range(6)]
    expected = [x[(~p).to_numpy()] for p in perms]
    riffle.cache.limit = 4

    def work(k):
        for turn in range(60):
            p = (k + turn) % len(perms)
            if not np.array_equal(riffle.permute(x, perms[p]), expected[p]):
                wrong.append((k, turn))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    riffle.cache.limit = 64
    assert not wrong


def test_the_gil_is_released():
    """While a plan moves 64 MiB, another thread runs Python."""
    x = np.zeros(1 << 24, np.float32)
    plan, out = riffle.plan("random:1", x), np.empty(1 << 24, np.float32)
    moving, turns = threading.Event(), [0]

    def count():
        moving.wait()
        while moving.is_set():
            turns[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    switch = sys.getswitchinterval()
    sys.setswitchinterval(0.5)  # else Python itself would let the other thread run
    try:
        moving.set()
        plan(x, out)
        seen = turns[0]
    finally:
        sys.setswitchinterval(switch)
        moving.clear()
        thread.join()
    assert seen > 0


LIMITED = """
import os, sys
import numpy as np
import riffle
from threadpoolctl import threadpool_limits

def tasks():
    return len(os.listdir("/proc/self/task"))

x = np.zeros(1 << 22, np.float32)
plan, out = riffle.plan("rotate:5", x), np.empty_like(x)
assert plan.threads == 2, plan.threads
before = tasks()
with threadpool_limits(1):
    plan(x, out)
    assert tasks() == before, "a thread beyond the limit"
plan(x, out)
assert tasks() == before + 1, "no thread without the limit"
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_threadpoolctl_limits_plans_that_were_made_before():
    pytest.importorskip("threadpoolctl")
    subprocess.run([sys.executable, "-c", LIMITED], check=True, env={**os.environ, "OMP_NUM_THREADS": "2"})


def test_measured_plans(tmp_path):
    riffle.wisdom_forget()
    x = filled((3000,), "f4")
    plan = riffle.plan("random:1", x, effort="measure", effort_seconds=0.1)
    np.testing.assert_array_equal(plan(x), riffle.permute(x, "random:1"))
    assert "measured     " in plan.explain()
    assert riffle.plan("random:1", x, effort="measure", effort_seconds=0.1) is plan
    riffle.wisdom_save(tmp_path / "wisdom")
    riffle.wisdom_forget()
    riffle.wisdom_load(tmp_path / "wisdom")
    riffle.cache.clear()
    assert "before: " in riffle.plan("random:1", x, effort="measure").explain()
    riffle.wisdom_forget()
    (tmp_path / "wisdom").write_text("riffle wisdom 1\n")
    with pytest.raises(riffle.errors.FormatError, match="line 2"):
        riffle.wisdom_load(tmp_path / "wisdom")
    with pytest.raises(riffle.errors.FileError, match="cannot be opened"):
        riffle.wisdom_load(tmp_path / "none")
    with pytest.raises(riffle.errors.InvalidArgument, match="effort: 'patient'"):
        riffle.plan("reverse", x, effort="patient")
    for seconds in ("soon", -1, float("nan")):
        with pytest.raises(riffle.errors.InvalidArgument, match="effort_seconds"):
            riffle.plan("reverse", x, effort="measure", effort_seconds=seconds)


def test_nothing_leaks():
    """References and memory after 10^5 calls of each kind, refusals among them."""
    x, out, indices, points = np.arange(8.0), np.empty(8), np.arange(8), np.arange(8).reshape(4, 2)
    plan, p = riffle.plan("bit-reversal", x), riffle.Perm("bit-reversal", 8)

    def refuse():
        try:
            plan(x[:4])
        except ValueError:
            pass

    calls = [(lambda: plan(x), 100_000), (lambda: plan(x, out), 100_000), (lambda: p(3), 100_000), (refuse, 50_000),
             (lambda: riffle.permute(x, p), 30_000), (lambda: riffle.take(x, indices), 30_000), (lambda: riffle.transpose(x[::-1]), 30_000),
             (lambda: riffle.sort(x, return_index=True), 3_000), (lambda: riffle.unique(x, values=out), 3_000),
             (lambda: riffle.hull(points), 3_000), (lambda: riffle.histogram(out.view("u1")), 30_000), (lambda: riffle.bitunshuffle(riffle.bitshuffle(x), "f8"), 10_000), (lambda: riffle.f2.rank(points), 3_000),
             (lambda: riffle.minimum_cycle_basis(points, counts=True), 1_000), (lambda: riffle.Perm("reverse", 8) | ~p, 30_000), (lambda: riffle.plan("reverse", x, executions=1), 10_000)]
    for call, count in calls:
        for _ in range(1000):
            call()
        gc.collect()
        counts = [sys.getrefcount(a) for a in (x, out, indices, plan, p, x.dtype, None)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(count):
            call()
        gc.collect()
        after = [sys.getrefcount(a) for a in (x, out, indices, plan, p, x.dtype, None)]
        assert all(abs(a - b) < 100 for a, b in zip(counts, after)), (counts, after)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1024  # KiB


@pytest.mark.parametrize("spec", ["random:3", "bit-reversal", "rotate:7"])
def test_checked_plans_move_the_same(spec):
    x = np.arange(4096.0).reshape(4, 1024)
    made = riffle.plan(spec, x, axis=1, check=True)
    np.testing.assert_array_equal(made(x), riffle.permute(x, spec, 1))
    np.testing.assert_array_equal(riffle.permute(x, spec, 1, check=True), riffle.permute(x, spec, 1))
    with pytest.raises(riffle.errors.Unsupported, match="check: moves of packed elements have none; leave it out"):
        riffle.permute(np.zeros(16, "u1"), "reverse", bits=1, check=True)


def test_checks_have_names():
    x = np.arange(64)
    for check in (2, b"full", None, [True]):
        for call in (lambda: riffle.permute(x, "reverse", check=check), lambda: riffle.sort(x, check=check),
                     lambda: riffle.machine.predict("reverse", 64, check=check)):
            with pytest.raises(riffle.errors.WrongType, match="it is True, False, or a check's name"):
                call()
    for call in (lambda check: riffle.group(x, x % 4, 4, check=check), lambda check: riffle.machine.simulate("reverse", 64, check=check)):
        with pytest.raises(riffle.errors.InvalidArgument, match="check: 'junk'"):
            call("junk")
    with pytest.raises(riffle.errors.InvalidArgument, match="unknown check 'junk'; there are none, full and passes"):
        riffle.sort(x, check="junk")
    for call in (lambda: riffle.group(x, x % 4, 4, check="passes"), lambda: riffle.machine.simulate("reverse", 64, check="passes")):
        with pytest.raises(riffle.errors.Unsupported, match="'passes' is of permute, plan and sort alone"):
            call()
    assert (riffle.sort(x[::-1].copy(), check="full") == x).all() and (riffle.permute(x, "reverse", check=np.bool_(True)) == x[::-1]).all()


def test_passes_are_checked():
    x = np.arange(1 << 18, dtype="u4")
    made = riffle.plan("random:3", x, algorithm="bucket", check="passes")
    np.testing.assert_array_equal(made(x), riffle.permute(x, "random:3"))
    with pytest.raises(riffle.errors.Unsupported, match="a check of passes has nothing to compare"):
        riffle.permute(x, "bit-reversal", check="passes")
    with pytest.raises(riffle.errors.InvalidArgument, match="unknown check 'passed'; there are none, full and passes"):
        riffle.plan("random:3", x, check="passed")


def test_passes_of_sorts_are_checked():
    x = np.random.default_rng(5).integers(0, 1 << 32, 1 << 18, dtype="u4")
    np.testing.assert_array_equal(riffle.sort(x, check="passes"), np.sort(x))
    np.testing.assert_array_equal(riffle.argsort(x, check="passes"), np.argsort(x, kind="stable"))
    with pytest.raises(riffle.errors.Unsupported, match="numbers of 2 bytes are sorted in one pass"):
        riffle.sort(x.astype("u2"), check="passes")
    assert riffle.sort(x[:0], check="passes").shape == (0,)
    with pytest.raises(riffle.errors.InvalidArgument, match="unknown check 'passed'"):
        riffle.sort(x, check="passed")


def test_a_damaged_result_has_an_error_of_its_own():
    assert riffle.errors.CLASSES[max(riffle.errors.CLASSES)] is riffle.errors.Damaged
    assert issubclass(riffle.errors.Damaged, RuntimeError)
