# SPDX-License-Identifier: Apache-2.0
"""`riffle lint` as a command of its own."""
import os
import sys


def main():
    command = os.path.join(os.path.dirname(__file__), "riffle")
    os.execv(command, [command, "lint", *sys.argv[1:]])
