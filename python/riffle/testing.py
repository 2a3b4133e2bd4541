# SPDX-License-Identifier: Apache-2.0
"""Assertions for tests of CUDA kernels, which need no GPU: a kernel is run on the memory machine (docs/lint.md).

    def test_transpose():
        riffle.testing.assert_coalesced("k.cu", kernel="transpose", grid=(4, 4), block=(32, 8), args=["float:16384", ...])

Each takes what riffle.lint takes, raises AssertionError with the lines that are wrong, and returns the report."""
import os
from typing import Any

from . import _html
from .machine import Report, lint


def _fail(file: str | os.PathLike[str], what: str, lines: list[str], report: Report) -> Report:
    if lines:
        name = "source.cu" if "\n" in str(file) else file
        raise AssertionError(f"{name}: {what}\n" + "\n".join(f"  {line}" for line in lines) + f"\n\n{report}")
    return report


def _wasteful(file: str | os.PathLike[str], space: str, what: str, job: dict[str, Any]) -> Report:
    report = lint(file, **job)
    wrong = [f"{r['file']}:{r['line']}: {r['op']}: {r['verdict']}, {r['requests']} requests where {r['ideal_requests']} would do"
             for r in report.wasteful if r["space"] == space]
    return _fail(file, what, wrong, report)


def assert_coalesced(file: str | os.PathLike[str], **job: Any) -> Report:
    """Every access of global memory is coalesced: warps ask for at most `threshold` (1.25) times as many sectors as their elements
    fill."""
    return _wasteful(file, "global", "accesses of global memory that are not coalesced", job)


def assert_conflict_free(file: str | os.PathLike[str], **job: Any) -> Report:
    """No access of shared memory has bank conflicts that make it take more than `threshold` (1.25) times the wavefronts."""
    return _wasteful(file, "shared", "accesses of shared memory with bank conflicts", job)


def _hazards(file: str | os.PathLike[str], kinds: set[str] | None, what: str, job: dict[str, Any]) -> Report:
    report = lint(file, **job)
    wrong = [f"{_html.h_file(h)}: {_html.h_text(h)}" for h in report.hazards if kinds is None or h["kind"] in kinds]
    return _fail(file, what, wrong, report)


def assert_no_races(file: str | os.PathLike[str], **job: Any) -> Report:
    """No two threads meet at an element without a barrier between, one of them writing."""
    return _hazards(file, {"race"}, "races", job)


def assert_no_hazards(file: str | os.PathLike[str], **job: Any) -> Report:
    """No race, no access out of bounds or of what nobody has written, no barrier that not all threads reach."""
    return _hazards(file, None, "hazards", job)
