# SPDX-License-Identifier: Apache-2.0
"""Calls of the server's tools, each in a thread, whose runs end when nobody waits for them any more: the call is cancelled, stdin ends, or the server is told to end."""
import os
import signal
import time
from typing import Any, Callable

from riffle_lint.runs import Limits


class Call:
    """A call under way. Its flag is all that a signal's handler touches: a lock could be held by what it interrupts."""

    def __init__(self) -> None:
        self.is_over = False


class Calls:
    """All calls under way."""

    def __init__(self) -> None:
        self.under_way: set[Call] = set()
        self.is_over = False

    async def run(self, limits: Limits, work: Callable[[Limits], dict[str, Any]]) -> dict[str, Any]:
        """Does work in a thread. Where the call is cancelled, as all are when stdin ends, the thread ends its run and its files, which this does not wait for."""
        import anyio.to_thread  # the package mcp has it

        call = Call()

        def work_in_thread() -> dict[str, Any]:
            self.under_way.add(call)
            try:
                return work(limits._replace(is_over=lambda: call.is_over or self.is_over))
            finally:
                self.under_way.discard(call)

        try:
            return await anyio.to_thread.run_sync(work_in_thread, abandon_on_cancel=True)
        finally:
            call.is_over = True

    def end_by_signals(self) -> None:
        """SIGTERM, SIGINT and SIGHUP end all runs, and then the server."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.end)

    def end(self, number: int, _frame: Any) -> None:
        self.is_over = True
        while self.under_way:
            time.sleep(0.05)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
