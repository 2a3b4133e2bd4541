#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time of processors that building and testing take, whatever else a machine does: user and system time, of children too.

    times.py compile FILE COMMAND...    runs COMMAND, a compiler or a linker, and adds to FILE what it made and its seconds
    times.py tests FILE BUILD...        runs every test of these build folders, one after the other, and adds their seconds
    times.py table BEFORE AFTER         the sums, and the twenty slowest of either file, as a table in Markdown
    times.py order LOG                  the list by which long tests begin first (cmake/RiffleTiers.cmake), of what a check printed

`compile` is a launcher: -DCMAKE_C_COMPILER_LAUNCHER="$PWD/tests/times.py;compile;FILE", likewise CXX and CMAKE_C_LINKER_LAUNCHER.
A line of FILE is the seconds, `compile` or `test`, and a name; what was measured again counts once, as it was last.
"""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

SLOWEST = 20
SHORTEST = 8  # seconds of a test that has a place in the order


def note(file, seconds, kind, name):
    with open(file, "a", encoding="utf-8") as out:
        out.write(f"{seconds:.2f} {kind} {name}\n")


def compile_one(file, *command):
    status = subprocess.call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = command[command.index("-o") + 1] if "-o" in command else command[-1]
    note(file, used.ru_utime + used.ru_stime, "compile", f"{Path.cwd().name}/{os.path.relpath(made)}")
    return status


def settings_of_tests(folder):
    """The environment that RiffleSanitizers.cmake has ctest give to tests."""
    text = (folder / "sanitizer_environment.cmake").read_text(encoding="utf-8")
    return dict(re.findall(r"set\(ENV\{(\w+)\} \"?([^\")]+)\"?\)", text))


def run_test(test, folder):
    """The status and the seconds of one test of ctest's list."""
    given = {one["name"]: one["value"] for one in test.get("properties", [])}
    environment = {**settings_of_tests(folder), **os.environ, **dict(one.split("=", 1) for one in given.get("ENVIRONMENT", []))}
    child = subprocess.Popen(["setarch", "-R", *test["command"]], cwd=given.get("WORKING_DIRECTORY", folder), env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    _, status, used = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def run_tests(file, *folders):
    failed = []
    for folder in map(Path, folders):
        shown = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], check=True, capture_output=True, text=True)
        for test in json.loads(shown.stdout)["tests"]:
            status, seconds = run_test(test, folder)
            note(file, seconds, "test", test["name"])
            if status not in (0, 77):
                failed.append(test["name"])
    print("".join(f"failed: {name}\n" for name in failed), end="")
    return 1 if failed else 0


def read(file):
    found = {"compile": {}, "test": {}}
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        seconds, kind, name = line.split(maxsplit=2)
        found[kind][name] = float(seconds)
    return found


def table(before, after):
    before, after = read(before), read(after)
    for kind, what in (("compile", "compiled or linked"), ("test", "test")):
        old, new = before[kind], after[kind]
        names = sorted(old.keys() | new.keys(), key=lambda name: -max(old.get(name, 0), new.get(name, 0)))
        print(f"| {what} | before, s | after, s |\n| --- | --: | --: |")
        print(f"| all | {sum(old.values()):.0f} | {sum(new.values()):.0f} |")
        for name in names[:SLOWEST]:
            shown = [f"{one[name]:.1f}" if name in one else "" for one in (old, new)]
            print(f"| `{name}` | {shown[0]} | {shown[1]} |")
        print()


def order(log):
    """Tests of some seconds and more, each as its slowest tier took, longest first: the package's tests wait for its installation."""
    took = {}
    for name, seconds in re.findall(r" Test +#\d+: (?:[at]san\.)?(\S+) .* ([\d.]+) sec$", Path(log).read_text(encoding="utf-8"), re.MULTILINE):
        took[name] = max(took.get(name, 0), round(float(seconds)))
    took["python_package"] = took.get("python_package", 0) + took.get("python", 0)
    words = " ".join(f"{name} {took[name]}" for name in sorted(took, key=lambda name: (-took[name], name)) if took[name] >= SHORTEST)
    print("\n".join(textwrap.wrap(f"set(riffle_seconds {words})", 150, subsequent_indent="  ", break_on_hyphens=False)))


def main():
    tasks = {"compile": compile_one, "tests": run_tests, "table": table, "order": order}
    if len(sys.argv) < 3 or sys.argv[1] not in tasks:
        sys.exit(__doc__)
    sys.exit(tasks[sys.argv[1]](*sys.argv[2:]))


main()
