# SPDX-License-Identifier: Apache-2.0
"""Runs of `riffle lint` on a published set of programs: races.py, gpuverify.py."""
import argparse
import pathlib
import resource
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def arguments(description):
    """Returns a parser of the arguments that scripts for sets share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--riffle", type=pathlib.Path, default=ROOT / "build" / "riffle")
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--compiler", default="g++ 12")
    parser.add_argument("--jobs", type=int, default=2)
    return parser


def commit_of(folder):
    return subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()


def lint(riffle, seconds, words, said="/dev/null", at=None):
    """Runs lint with those words in the folder `at`, and what it says in a file, until `seconds` of processor time; returns the process and its processor
    time: what else the machine does changes nothing."""
    line = [riffle, "lint", "--json", "--timeout", 20 * seconds, *words]
    timed = ["bash", "-c", 'TIMEFORMAT="%U %S"; exec 3>&2; time "$@" 2>"$0"', said, *map(str, line)]
    done = subprocess.run(timed, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, cwd=at,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)))
    return done, sum(map(float, done.stderr.split()[-2:]))
