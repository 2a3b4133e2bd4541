# SPDX-License-Identifier: Apache-2.0
"""riffle-lint-mcp: `riffle lint` for programs that write kernels, by the Model Context Protocol over stdin and stdout. It wants the package mcp."""
import argparse
import sys
from typing import Any

from riffle_lint import compare as pairs
from riffle_lint import launch, runs
from riffle_lint.calls import Calls

ABOUT = """Runs CUDA kernels and programs on a model of a GPU, without one: races, accesses out of bounds, reads of what nobody wrote and barriers that not all threads
reach, with their lines; sectors of global and wavefronts of shared memory of each line beside the fewest that would do; and what would mend that. GPUs up to Hopper
(sm_90) are modelled."""
LAUNCH = """
    kernel: the kernel's name, with template arguments if it has any.
    block, grid: threads of a block and blocks, one to three numbers. Without block the source is a whole program, whose main is run.
    args: an argument for each parameter, in order: "float:1024:random" is an array (none, zero, index, random or permutation), "int=128" a number, "float:null" no array.
    shared_bytes: dynamic shared memory.
    flags: the compiler's -I, -D, -L and -l, as "-DTILE=32"; architecture: nvcc's -arch, as "sm_90a"; standard: "c++17" or "c++20".
    seconds: until when lint is to be done, compilation included; the server has a limit of its own."""
LINT = f"""Lints CUDA C++ without a GPU: hazards, counts of each line, advice.

    source: the source's text, or a file's name.{LAUNCH}
    program_args: what main gets.

Returns status (done; partial: cut by time or by the kernel's end, or some blocks did not run; failed: message says why), hazards, rows (the most wasteful lines first:
requests are sectors of global memory or wavefronts of shared memory, ideal_requests the fewest), advice that has been tried, totals, blocks, run_blocks, checked_blocks
and counted_blocks (sampled says so where these are fewer), and what the program printed."""
COMPARE = f"""Compares two versions of a kernel, or of a program: whether they compute the same, and their counts side by side.

    before, after: each version's text, or a file's name. Arrays begin alike in both.{LAUNCH}
    kernel_after, grid_after, block_after, shared_bytes_after: where the second version's differ.
    tolerance: how far apart numbers may be, as a part of the greater one; 0: the same values.

Returns equal (null where one did not come to its end, or some of its blocks did not run: message says why), arrays (of each array argument, with the first element that
differs), counts (before, after, ratio; of all blocks), and what lint tells of each version. Programs are equal that print the same and end with the same status."""


def words_of(kernel: str, flags: list[str], architecture: str, standard: str) -> list[str]:
    words = list(runs.checked_flags(flags))
    for option, value in (("--kernel", kernel), ("--gpu-architecture", architecture), ("--std", standard)):
        words += [option, value] if value else []
    return words


def sides(numbers: list[int], name: str) -> list[int]:
    if len(numbers) > 3 or any(one < 1 for one in numbers):
        raise runs.Refused(f"{name}: {numbers} is not one to three numbers from 1 on")
    return numbers


def lint(limits: runs.Limits, source: str, kernel: str, block: list[int], grid: list[int], args: list[str], shared_bytes: int, words: list[str], program_args: list[str],
         seconds: int) -> dict[str, Any]:
    if not block:
        return runs.lint(source, words + (["--", *program_args] if program_args else []), seconds, limits)
    for option, numbers in (("--block", sides(block, "block")), ("--grid", sides(grid, "grid"))):
        words += [option, ",".join(map(str, numbers))]
    for one in args:
        words += ["--arg", one]
    return runs.lint(source, [*words, "--shared", str(shared_bytes)], seconds, limits)


def server(limits: runs.Limits, calls: Calls) -> Any:
    """The server with its two tools."""
    from mcp.server import MCPServer

    made = MCPServer("riffle-lint", instructions=ABOUT)

    @made.tool(name="lint", description=LINT)
    async def lint_tool(source: str, kernel: str = "", block: list[int] = [], grid: list[int] = [1], args: list[str] = [], shared_bytes: int = 0, flags: list[str] = [],  # noqa: B006
                        architecture: str = "", standard: str = "", program_args: list[str] = [], seconds: int = 0) -> dict[str, Any]:  # noqa: B006
        def work(ours: runs.Limits) -> dict[str, Any]:
            return lint(ours, source, kernel, block, grid, args, shared_bytes, words_of(kernel, flags, architecture, standard), program_args, seconds)

        try:
            return await calls.run(limits, work)
        except runs.Refused as refusal:
            return {"status": "failed", "message": str(refusal)}

    @made.tool(name="compare", description=COMPARE)
    async def compare_tool(before: str, after: str, kernel: str = "", block: list[int] = [], grid: list[int] = [1], args: list[str] = [], shared_bytes: int = 0,  # noqa: B006
                           kernel_after: str = "", grid_after: list[int] = [], block_after: list[int] = [], shared_bytes_after: int = -1, tolerance: float = 0,  # noqa: B006
                           flags: list[str] = [], architecture: str = "", standard: str = "", seconds: int = 0) -> dict[str, Any]:  # noqa: B006
        def work(ours: runs.Limits) -> dict[str, Any]:
            old = pairs.Version(before, kernel, sides(grid, "grid"), sides(block, "block"), shared_bytes)
            new = pairs.Version(after, kernel_after or kernel, sides(grid_after, "grid_after") or grid, sides(block_after, "block_after") or block,
                                shared_bytes if shared_bytes_after < 0 else shared_bytes_after)
            arguments = [launch.argument_of(one) for one in args] if block else []
            return pairs.compare(old, new, arguments, words_of("", flags, architecture, standard), tolerance, runs.bounded(seconds, ours), ours)

        try:
            return await calls.run(limits, work)
        except runs.Refused as refusal:
            return {"status": "failed", "equal": None, "message": str(refusal)}

    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="riffle-lint-mcp", description="riffle lint as a server of the Model Context Protocol, over stdin and stdout.",
                                     epilog="It compiles and runs what it is given, with the rights of who started it.")
    parser.add_argument("--seconds", type=int, default=runs.Limits().seconds, help="the most for a run (%(default)s); what is not done then is ended")
    parser.add_argument("--megabytes", type=int, default=runs.Limits().megabytes, help="the most data of each process of a run (%(default)s)")
    given = parser.parse_args()
    if min(given.seconds, given.megabytes) < 1:
        parser.error("limits are from 1 on")
    try:
        import mcp.server  # noqa: F401
    except ImportError:
        sys.exit("riffle-lint-mcp: wants the package mcp: pip install 'riffle-lint[mcp]'")
    calls = Calls()
    calls.end_by_signals()
    server(runs.Limits(given.seconds, given.megabytes), calls).run()


if __name__ == "__main__":
    main()
