# SPDX-License-Identifier: Apache-2.0
"""asks_server.py SERVER SOURCE: has riffle-lint-mcp lint the kernel `copy` of a source, by the client of the package mcp, and fails unless it came to the end."""
import asyncio
import sys

from mcp import Client, StdioServerParameters, stdio_client


async def ask(server, environment, *calls):
    """The structured contents of calls, each a tool and its arguments; of None the names of tools."""
    out = []
    async with Client(stdio_client(StdioServerParameters(command=server[0], args=server[1:], env=environment))) as client:
        for tool, arguments in calls:
            if tool is None:
                out.append([one.name for one in (await client.list_tools()).tools])
            else:
                out.append((await client.call_tool(tool, arguments)).structured_content)
    return out


def answers(server, environment, *calls):
    return asyncio.run(ask(server, environment, *calls))


def main():
    [found] = answers([sys.argv[1]], None, ("lint", {"source": sys.argv[2], "kernel": "copy", "block": [32], "args": ["float:32", "float:32:random"]}))
    if found["status"] != "done" or found["hazards"]:
        sys.exit(f"asks_server.py: {found}")


if __name__ == "__main__":
    main()
