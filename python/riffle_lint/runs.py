# SPDX-License-Identifier: Apache-2.0
"""Runs of `riffle lint` for programs that write kernels: under limits of time and memory, with what it says as data."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple

ROWS, HAZARDS, OUTPUT = 40, 40, 4000  #: the most of a report: the most wasteful rows, hazards, and characters of what the program printed
BLOCKS = ("blocks", "run_blocks", "checked_blocks", "counted_blocks")
OWN = "riffle: "  #: what lint's own messages begin with
SHOWN = 80  #: characters of a call's in a message
LAST_SECONDS = 10  #: in which a run that is over its time, or is told to end, ends itself and what it has started
TURNS = " ".join(map(str, range(LAST_SECONDS)))
#: Whoever is behind stdin holds it as long as the run lasts. Where that ends, as by SIGKILL, what waits here ends the run, and its folder.
WATCH = f'(read gone; kill $$; for turn in {TURNS}; do kill -0 $$ 2>&- && sleep 1; done; rm -r "$TMPDIR"; kill -9 0) <&3 3<&-'
SHELL = f'ulimit -c 0 && ulimit -d "$0" && ulimit -f 2097152 && exec 3<&0 0</dev/null && ({WATCH} &) && exec "$@" 3<&-'  # 1 GiB a file
#: The command's advice in a tool's words.
ADVICE = ("allow more with --timeout", "allow more with seconds, of which the server's --seconds are the most")


class Limits(NamedTuple):
    """The most that a run may take."""
    seconds: int = 120  #: of lint, its compiler and the program together; the most that a call may ask for
    megabytes: int = 4096  #: of data of each process
    is_over: Callable[[], bool] = lambda: False  #: asked all the while: nobody waits for the run any more


class Refused(ValueError):
    """A call that says something impossible."""


class Ended(NamedTuple):
    """How a run came to its end, and what it said."""
    status: int | None  #: its exit status, -k by signal k, None if its time was over and it did not end by itself
    report: str
    messages: list[str]  #: lint's own
    printed: str  #: all that the program has, and a compiler


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


def shown(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def checked_text(text: str, name: str) -> None:
    """Files, words of a command and C++ have no such characters."""
    found = re.search("[\0\ud800-\udfff]", text)
    if found:
        raise Refused(f"{name}: has {'a NUL' if found[0] == chr(0) else 'half of a surrogate pair'} as character {found.start()}; give it without")


def put_source(source: str, folder: Path) -> Path:
    """The file of a source, which is written into the folder if it is a text."""
    checked_text(source, "source")
    if not is_text(source):
        file = os.path.realpath(source)
        if not os.path.isfile(file):
            raise Refused(f"{shown(source)}: is no file, and a source has braces or several lines")
        return Path(file)
    file = folder / "source.cu"
    file.write_text(source, encoding="utf-8")
    return file


def checked_flags(flags: list[str]) -> list[str]:
    """The compiler's -I, -D, -L and -l, each in one word; other options are parameters of a call."""
    for flag in flags:
        if flag[:2] not in ("-I", "-D", "-L", "-l") or len(flag) == 2:
            raise Refused(f"{flag}: is none of -I, -D, -L and -l with its value, as in -DTILE=32")
    return flags


def wait_for(process: subprocess.Popen[bytes], seconds: float, is_over: Callable[[], bool]) -> int | None:
    until = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < until and not is_over():
        time.sleep(0.05)
    return process.returncode


def end(process: subprocess.Popen[bytes]) -> None:
    """Tells lint to end, which ends all that it has started and removes its files, and ends it if it does not."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        wait_for(process, LAST_SECONDS, lambda: False)


def said_of(text: str, hidden: str) -> tuple[list[str], str]:
    """Lint's own messages, and all else. Places in `hidden` are left out."""
    lines = text.replace(hidden + "/", "").split("\n")
    own = [line for line in lines if line.startswith(OWN)]
    return [line[len(OWN):] for line in own], "\n".join(line for line in lines if not line.startswith(OWN))


def run(words: list[str], seconds: int, limits: Limits, folder: Path) -> Ended:
    """Runs the command with those words until the time is over or nobody waits any more, its files in the folder."""
    files = folder / "stdout", folder / "stderr"
    whole = ["/bin/sh", "-c", SHELL, str(1024 * limits.megabytes), command(), "lint", "--json", "--timeout", str(seconds), *words]
    for word in words:
        checked_text(word, f"argument {shown(word)!r}")
    with open(files[0], "wb") as out, open(files[1], "wb") as err:
        try:
            process = subprocess.Popen(whole, stdin=subprocess.PIPE, stdout=out, stderr=err, cwd=folder, env={**os.environ, "TMPDIR": str(folder)},
                                       start_new_session=True)  # pylint: disable=consider-using-with
        except OSError as error:
            raise Refused(f"riffle lint cannot be started: {error.strerror}") from error
        try:
            status = wait_for(process, seconds + LAST_SECONDS, limits.is_over)
        finally:
            end(process)
            if process.stdin:
                process.stdin.close()
    said = said_of(files[1].read_bytes().decode("utf-8", "backslashreplace"), str(folder))  # bytes that differ stay different
    return Ended(status, files[0].read_text(encoding="utf-8", errors="replace"), *said)


def totals_of(report: dict[str, Any]) -> dict[str, Any]:
    """The counts of a whole report: what was asked for, and the fewest that would do."""
    out: dict[str, Any] = {"time_units": report["time_units"], "hazards": sum(one["count"] for one in report["hazards"] if one["kind"] != "same-value")}
    for space, unit in (("global", "sectors"), ("shared", "wavefronts")):
        rows = [one for one in report["rounds"] if one["space"] == space]
        for name, key in (("", "requests"), ("fewest_", "ideal_requests"), ("warps_", "warps")):
            out[f"{space}_{name}{unit if name != 'warps_' else 'accessing'}"] = sum(one[key] for one in rows)
    return out


def row_of(one: dict[str, Any]) -> dict[str, Any]:
    names = "kernel file line space op array called_from warps requests ideal_requests share verdict error advice".split()
    return {name: one[name] for name in names if one.get(name) not in (None, "")}


def message_of(ended: Ended, seconds: int) -> str:
    """Why there is less than one has asked for; empty where there is nothing to say."""
    if ended.status is None:
        return f"not done after {seconds} seconds, and did not end by itself; it was ended"
    if ended.messages or ended.status >= 0:
        return " ".join(ended.messages).replace(*ADVICE)
    return f"lint was ended by signal {-ended.status} ({signal.Signals(-ended.status).name}), which neither it nor this server has sent"


def sample_of(report: dict[str, Any]) -> dict[str, Any]:
    """How many blocks there are, and how many of them ran, were looked at and were counted; in words, where some were passed over."""
    return {name: report[name] for name in (*BLOCKS, "sampled") if name in report}


def report_of(text: str) -> dict[str, Any] | None:
    """The report, None if there is none or it has no end."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def summary_of(ended: Ended, seconds: int) -> dict[str, Any]:
    """A run as data: `status` is done, partial or failed; `message` has lint's own words, `output` the program's last ones."""
    message = message_of(ended, seconds)
    out: dict[str, Any] = {"status": "failed", "message": message, "hazards": [], "rows": [], "advice": []}
    if ended.printed.strip():
        out["output"] = ended.printed.removesuffix("\n")[-OUTPUT:]
    report = report_of(ended.report)
    if report is None:
        out["message"] = message or f"lint ended with status {ended.status} and without a report"
        return out
    sample = sample_of(report)
    idle = report.get("nothing_counted")
    out["status"] = "failed" if idle else "partial" if report["partial"] or ended.status is None or sample["run_blocks"] < sample["blocks"] else "done"
    out["message"] = idle or message or sample.get("sampled", "")
    out.update(sample)
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
    with tempfile.TemporaryDirectory(prefix="riffle-lint-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        file = put_source(source, folder)
        return summary_of(run([str(file), *words], seconds, limits, folder), seconds)
