# SPDX-License-Identifier: Apache-2.0
"""Two versions of a kernel or of a program side by side: whether they compute the same, and what each takes."""
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from riffle_lint.launch import Argument, difference, program_of
from riffle_lint.runs import Limits, put_source, run, summary_of


class Version(NamedTuple):
    """A source, and of a kernel its launch; without a block the source is a program."""
    source: str
    kernel: str
    grid: list[int]
    block: list[int]
    shared_bytes: int


def run_version(version: Version, arguments: list[Argument], words: list[str], seconds: int, limits: Limits) -> tuple[dict[str, Any], list[bytes]]:
    """Lint's summary, and what each argument that is an array holds at the end."""
    with tempfile.TemporaryDirectory(prefix="riffle-lint-") as place:
        folder = Path(place)
        file = put_source(version.source, folder)
        if version.block:
            words = ["-I", str(file.parent), *words]
            program = program_of(file, version.kernel, version.grid, version.block, arguments, version.shared_bytes)
            file = folder / "launch.cu"
            file.write_text(program, encoding="utf-8")
        found = summary_of(*run([str(file), *words], seconds, limits, folder), seconds, place)
        files = [folder / f"array.{k}" for k, one in enumerate(arguments) if one.count]
        return found, [one.read_bytes() if one.exists() else b"" for one in files]


def fallen(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The counts side by side, and what became of each."""
    return {name: {"before": number, "after": after[name], "ratio": round(after[name] / number, 4) if number else None} for name, number in before.items()}


def compare(before: Version, after: Version, arguments: list[Argument], words: list[str], tolerance: float, seconds: int, limits: Limits) -> dict[str, Any]:
    """Runs both. `equal` is None where one of them did not come to its end."""
    made = [run_version(one, arguments, words, seconds, limits) for one in (before, after)]
    (first, old), (second, new) = made
    out: dict[str, Any] = {"equal": None, "before": first, "after": second}
    if "totals" in first and "totals" in second:
        out["counts"] = fallen(first["totals"], second["totals"])
    if first["status"] != "done" or second["status"] != "done":
        return out
    if not before.block:
        out["equal"] = all(first.get(name) == second.get(name) for name in ("exit_status", "output"))
        return out
    if first["exit_status"] or second["exit_status"]:
        return out
    arrays = [(k, one) for k, one in enumerate(arguments) if one.count]
    out["arrays"] = [difference(k, one, a, b, tolerance) for (k, one), a, b in zip(arrays, old, new)]
    out["equal"] = all(one["equal"] for one in out["arrays"])
    return out
