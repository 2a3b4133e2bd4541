# SPDX-License-Identifier: Apache-2.0
"""Runs of `riffle lint` for programs that write kernels: under limits of time and memory, with what it says as data."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROWS, HAZARDS, OUTPUT = 40, 40, 4000  #: the most of a report: the most wasteful rows, hazards, and characters of what the program printed
SHELL = 'ulimit -c 0 && ulimit -d "$0" && ulimit -f 2097152 && exec "$@"'  # 1 GiB a file


class Limits(NamedTuple):
    """The most that a run may take."""
    seconds: int = 120  #: of lint, its compiler and the program together; the most that a call may ask for
    megabytes: int = 4096  #: of data of each process


class Refused(ValueError):
    """A call that says something impossible."""


def command() -> str:
    """The command: RIFFLE, the one beside this file, which a wheel has, or the first on PATH."""
    beside = Path(__file__).parent / "riffle"
    found = os.environ.get("RIFFLE") or (str(beside) if beside.exists() else shutil.which("riffle"))
    if not found:
        raise Refused("the command riffle is not there: install riffle-lint, or put riffle on PATH")
    return found


def is_text(source: str) -> bool:
    """True of CUDA C++, false of a file's name."""
    return "\n" in source or "{" in source


def put_source(source: str, folder: Path) -> Path:
    """The file of a source, which is written into the folder if it is a text."""
    if not is_text(source):
        file = Path(source).resolve()
        if not file.is_file():
            raise Refused(f"{source}: is no file, and a source has braces or several lines")
        return file
    file = folder / "source.cu"
    file.write_text(source, encoding="utf-8")
    return file


def checked_flags(flags: list[str]) -> list[str]:
    """The compiler's -I, -D, -L and -l, each in one word; other options are parameters of a call."""
    for flag in flags:
        if flag[:2] not in ("-I", "-D", "-L", "-l") or len(flag) == 2:
            raise Refused(f"{flag}: is none of -I, -D, -L and -l with its value, as in -DTILE=32")
    return flags


def run(words: list[str], seconds: int, limits: Limits, folder: Path) -> tuple[int | None, str, str]:
    """Runs the command with those words until the time is over, its files in the folder; returns its exit status, None if it was ended, its report, and what it and
    the program said besides."""
    files = folder / "stdout", folder / "stderr"
    environment = {**os.environ, "TMPDIR": str(folder)}
    with open(files[0], "wb") as out, open(files[1], "wb") as err:
        with subprocess.Popen(["/bin/sh", "-c", SHELL, str(1024 * limits.megabytes), command(), "lint", "--json", "--timeout", str(seconds), *words], stdin=subprocess.DEVNULL,
                              stdout=out, stderr=err, cwd=folder, env=environment, start_new_session=True) as process:
            try:
                status = process.wait(seconds + 10)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)  # all that it has started, a program's own children too
                except ProcessLookupError:
                    pass
    said, report = (file.read_text(encoding="utf-8", errors="replace") for file in reversed(files))
    return status, report, said


def totals_of(report: dict[str, Any]) -> dict[str, Any]:
    """The counts of a whole report: what was asked for, and the fewest that would do."""
    out: dict[str, Any] = {"time_units": report["time_units"], "hazards": sum(one["count"] for one in report["hazards"] if one["kind"] != "same-value")}
    for space, unit in (("global", "sectors"), ("shared", "wavefronts")):
        rows = [one for one in report["rounds"] if one["space"] == space]
        for name, key in (("", "requests"), ("fewest_", "ideal_requests"), ("warps_", "warps")):
            out[f"{space}_{name}{unit if name != 'warps_' else 'accessing'}"] = sum(one[key] for one in rows)
    return out


def row_of(one: dict[str, Any]) -> dict[str, Any]:
    names = "kernel file line space op array called_from warps requests ideal_requests share verdict advice".split()
    return {name: one[name] for name in names if one.get(name) not in (None, "")}


def summary_of(status: int | None, text: str, said: str, seconds: int, hidden: str = "") -> dict[str, Any]:
    """A run as data: `status` is done, partial or failed; `message` has lint's own words, `output` the program's last ones. Places in `hidden` are left out."""
    said = said.replace(hidden + "/", "") if hidden else said
    own = [line for line in said.splitlines() if line.startswith("riffle: ")]
    message = " ".join(line[len("riffle: "):] for line in own)
    if status is None:
        message = f"not done after {seconds} seconds, and did not end by itself; it was ended"
    out: dict[str, Any] = {"status": "failed", "message": message, "hazards": [], "rows": [], "advice": []}
    others = "\n".join(line for line in said.splitlines() if line not in own)
    if others:
        out["output"] = others[-OUTPUT:]
    if not text.startswith("{"):
        return out
    report = json.loads(text)
    idle = report.get("nothing_counted")
    out["status"] = "failed" if idle else "partial" if report["partial"] or status is None else "done"
    out["message"] = idle or message
    rows = sorted(report["rounds"], key=lambda one: -one["share"])
    out["hazards"] = report["hazards"][:HAZARDS]
    out["rows"] = [row_of(one) for one in rows[:ROWS]]
    out["advice"] = [f"{one['file']}:{one['line']}, {one['space']} {one['op']} of {one['array']}: {one['advice']}" for one in rows if one.get("advice")]
    out["left_out"] = {"rows": max(0, len(rows) - ROWS), "hazards": max(0, len(report["hazards"]) - HAZARDS)}
    out["totals"] = totals_of(report)
    for name in ("exit_status", "lines_unknown"):
        if name in report:
            out[name] = report[name]
    return out


def bounded(seconds: int, limits: Limits) -> int:
    if seconds < 0:
        raise Refused(f"seconds: {seconds} is below 0")
    return min(seconds or limits.seconds, limits.seconds)


def lint(source: str, words: list[str], seconds: int, limits: Limits) -> dict[str, Any]:
    """Lints a source with the command's words."""
    seconds = bounded(seconds, limits)
    with tempfile.TemporaryDirectory(prefix="riffle-lint-") as place:
        folder = Path(place)
        file = put_source(source, folder)
        return summary_of(*run([str(file), *words], seconds, limits, folder), seconds, place)
