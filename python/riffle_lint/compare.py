# SPDX-License-Identifier: Apache-2.0
"""Two versions of a kernel or of a program side by side: whether they compute the same, and what each takes."""
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from riffle_lint.launch import Argument, difference, program_of
from riffle_lint.runs import Limits, put_source, run, summary_of

WHOLE = ("--accesses", "--work")  #: what 0 is all of: sums of samples are not compared, nor results of some blocks


class Version(NamedTuple):
    """A source, and of a kernel its launch; without a block the source is a program."""
    source: str
    kernel: str
    grid: list[int]
    block: list[int]
    shared_bytes: int


class Run(NamedTuple):
    """A version's end: lint's summary, and what was computed."""
    summary: dict[str, Any]
    printed: str  #: all of it
    arrays: list[bytes]  #: what each argument that is an array holds at the end


def run_version(version: Version, arguments: list[Argument], words: list[str], seconds: int, limits: Limits) -> Run:
    with tempfile.TemporaryDirectory(prefix="riffle-lint-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        file = put_source(version.source, folder)
        words = [word for option in WHOLE if option not in words for word in (option, "0")] + words
        if version.block:
            words = ["-I", str(file.parent), *words]
            program = program_of(file, version.kernel, version.grid, version.block, arguments, version.shared_bytes)
            file = folder / "launch.cu"
            file.write_text(program, encoding="utf-8")
        ended = run([str(file), *words], seconds, limits, folder)
        files = [folder / f"array.{k}" for k, one in enumerate(arguments) if one.count]
        return Run(summary_of(ended, seconds), ended.printed, [one.read_bytes() if one.exists() else b"" for one in files])


def fallen(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The counts side by side, and what became of each."""
    return {name: {"before": number, "after": after[name], "ratio": round(after[name] / number, 4) if number else None} for name, number in before.items()}


def compare(before: Version, after: Version, arguments: list[Argument], words: list[str], tolerance: float, seconds: int, limits: Limits) -> dict[str, Any]:
    """Runs both, all of their blocks. `equal` is None where one of them did not come to its end, and `message` says so."""
    old, new = (run_version(one, arguments, words, seconds, limits) for one in (before, after))
    both = {"before": old.summary, "after": new.summary}
    out: dict[str, Any] = {"equal": None, "message": "; ".join(f"{name}: {one['message']}" for name, one in both.items() if one["message"]), **both}
    if all("totals" in one for one in both.values()):
        out["counts"] = fallen(old.summary["totals"], new.summary["totals"])
    if any(one["status"] != "done" for one in both.values()):
        return out
    if not before.block:
        out["equal"] = (old.summary["exit_status"], old.printed) == (new.summary["exit_status"], new.printed)
        return out
    if any(one["exit_status"] for one in both.values()):
        return out
    arrays = [(k, one) for k, one in enumerate(arguments) if one.count]
    out["arrays"] = [difference(k, one, a, b, tolerance) for (k, one), a, b in zip(arrays, old.arrays, new.arrays)]
    out["equal"] = all(one["equal"] for one in out["arrays"])
    return out
