#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""light.py FOLDER RESULTS.json [--steps make pip wheel first library] [--python python3]: what riffle takes to get, without nvcc.

    make      `make` in a clean clone of this repository's commit
    library   the bytes of the libraries that it built, stripped as packages have them
    pip       `pip install .` in another clean clone, into an environment of its own
    wheel     a wheel as packages have it (packaging/wheel.sh), its bytes, and its installation where NumPy is already
    first     an empty environment, that wheel with NumPy from the index, and the README's lines of Python, together

Everything is made below FOLDER, which is new or empty, by compilers that no cache helps. `library` wants what `make` built, `first` what `wheel` did. Each step has the
clock's seconds, which other work on the machine makes more, and those of processors, of all that it started. Results of other steps stay in RESULTS.json
if they are of the same commit. Run it on an idle machine."""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NO_CUDA = "-DRIFFLE_CUDA=OFF"
EXPECTED = "[0. 4. 2. 6. 1. 5. 3. 7.]"  # printed by the README's lines


def said(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout.strip()


class Steps:
    """Each makes what it wants in the folder, and gives rows."""

    def __init__(self, folder, python):
        self.folder, self.python = folder, python
        self.quiet = {**os.environ, "CCACHE_DISABLE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "OMP_WAIT_POLICY": "passive"}

    def timed(self, name, reach, *commands, cwd=None):
        """Runs commands one after the other; their row. Their output is kept in the folder, and shown where one fails."""
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        log = self.folder / f"{name.replace(' ', '-').replace('/', '-')}.log"
        with open(log, "w", encoding="utf-8") as out:
            for command in commands:
                if subprocess.run(command, cwd=cwd or self.folder, env=self.quiet, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
                    sys.exit(f"{name}: {' '.join(map(str, command))} failed:\n{log.read_text()[-3000:]}")
        seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"name": name, "seconds": round(seconds, 2), "processor_seconds": round(processor, 2), "reach_seconds": reach}

    def clone(self, name):
        """The commit at hand, without what is not in it."""
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, self.folder / name], check=True)
        return self.folder / name

    def environment(self, name):
        return [self.python, "-m", "venv", name], self.folder / name / "bin"

    def make(self):
        yield self.timed("make", 50, ["make", f"CMAKE_ARGS={NO_CUDA}"], cwd=self.clone("made"))

    def library(self):
        for name, reach in (("libriffle.so", 2_000_000), ("libriffle-machine.so.0.1", None)):
            stripped = self.folder / name
            subprocess.run(["strip", "--strip-unneeded", "-o", stripped, self.folder / "made/build" / name], check=True)
            yield {"name": name, "bytes": stripped.stat().st_size, "reach_bytes": reach}

    def pip(self):
        make, programs = self.environment("pip")
        subprocess.run(make, cwd=self.folder, check=True)
        install = [programs / "pip", "install", "--no-cache-dir", ".", "--config-settings", f"cmake.define.{NO_CUDA[2:]}"]
        yield self.timed("pip install .", 90, install, cwd=self.clone("pipped"))

    def wheel(self):
        yield self.timed("packaging/wheel.sh", None, [self.clone("wheeled") / "packaging/wheel.sh", self.folder / "wheels", self.python, NO_CUDA])
        yield {"name": "the wheel", "bytes": self.wheel_made().stat().st_size, "reach_bytes": 2_000_000}
        yield {"name": "the memory machine's wheel", "bytes": self.wheel_made("_machine").stat().st_size, "reach_bytes": None}
        make, programs = self.environment("installed")
        for command in (make, [programs / "pip", "install", "--quiet", "numpy"]):
            subprocess.run(command, cwd=self.folder, env=self.quiet, check=True)
        yield self.timed("pip install WHEEL", 5, [programs / "pip", "install", "--no-index", self.wheel_made()])

    def wheel_made(self, part=""):
        return next((self.folder / "wheels").glob(f"riffle_arrays{part}-*.whl"))

    def first(self):
        lines = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]
        make, programs = self.environment("first")
        row = self.timed("first permutation", 30, make, [programs / "pip", "install", "--no-cache-dir", self.wheel_made()], [programs / "python", "-c", lines])
        if not (self.folder / "first-permutation.log").read_text().endswith(EXPECTED + "\n"):
            sys.exit(f"the README's lines do not print {EXPECTED}")
        yield row


def machine(python):
    """Where and of what: the processor's name, the compilers, the commit."""
    names = re.findall(r"^(?:model name|CPU part)\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    compilers = {name: said(name, "--version").splitlines()[0] for name in ("cc", "c++", "cmake", "ninja", python) if shutil.which(name)}
    commit = said("git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*")
    return {"device": names[0] if names else "unknown", "processors": len(os.sched_getaffinity(0)), "commit": commit, "compilers": compilers,
            "load": os.getloadavg()[0]}


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("folder", type=Path)
    asked.add_argument("results", type=Path)
    every = ["make", "library", "pip", "wheel", "first"]
    asked.add_argument("--steps", nargs="+", choices=every, default=every)
    asked.add_argument("--python", default="python3")
    asked = asked.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    document = {**machine(asked.python), "results": []}
    if asked.results.exists():
        kept = json.loads(asked.results.read_text())
        document["results"] = kept["results"] if kept["commit"] == document["commit"] else []
    steps = Steps(asked.folder.resolve(), asked.python)
    for step in asked.steps:
        for row in getattr(steps, step)():
            print(json.dumps(row), flush=True)
            document["results"] = [one for one in document["results"] if one["name"] != row["name"]] + [row]
            asked.results.write_text(json.dumps(document, indent=1) + "\n")


main()
