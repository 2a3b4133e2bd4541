# SPDX-License-Identifier: Apache-2.0
"""riffle vat run: counts beside bounds, the exported trace replayed, guests and hosts against a replay in Python, and what is refused."""
import collections
import json
import re

import numpy as np

from command import SEED, CommandTest, main, some

PROGRAMS = ["sequential-scan", "random-scan", "permute", "binary-search", "van-emde-boas", "heapify", "heapsort",
            "introsort", "transpose-rows", "transpose-recursive", "multiply-rows", "multiply-recursive"]
SMALL = ["--fanout", 4, "--page", 64, "--height", 6, "--cache", 20]


class Lru:
    """The definition: a path from the root down, the least recently used node leaves."""

    def __init__(self, fanout, page, height, cache):
        self.fanout, self.page, self.height, self.cache = fanout, page, height, cache
        self.nodes, self.layers = collections.OrderedDict(), [0] * (height + 1)

    def translate(self, address):
        """The nodes that had to be inserted."""
        came = []
        for layer in range(self.height, -1, -1):
            node = (layer, address // self.page // self.fanout**layer)
            if node not in self.nodes:
                came.append(node)
                self.layers[layer] += 1
                if len(self.nodes) == self.cache:
                    self.nodes.popitem(last=False)
            self.nodes[node] = None
            self.nodes.move_to_end(node)
        return came


class Run(CommandTest):
    def program(self, name, *arguments):
        done = self.run_riffle("vat", "run", name, "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), (name, arguments))
        return json.loads(done.stdout)


class Programs(Run):
    def test_traces_replay_to_the_same_counts(self):
        for name in some(PROGRAMS):
            got = self.program(name, "--n", 300, "--seed", SEED, *SMALL, "--trace", "t.npy")
            trace = np.load(self.path("t.npy"))
            self.assertEqual((len(trace), int((trace["op"] == b"write").sum())), (got["accesses"], got["stores"]), name)
            self.assertTrue((trace["time"] == np.arange(len(trace))).all() and (trace["group"] == trace["address"] // 64).all())
            cache = Lru(4, 64, 6, 20)
            for address in trace["address"].tolist():
                cache.translate(address)
            self.assertEqual(got["layers"], cache.layers, f"{name}, seed {SEED}")
            self.assertEqual(got["faults"], sum(cache.layers))
            self.assertTrue(0 < got["ram"] and 0 <= got["vat_least"] <= got["vat_most"])
            text = "".join(f"{address}\n" for address in trace["address"].tolist())
            again = self.run_riffle("vat", "replay", "-", "--json", *SMALL, input=text)
            self.assertEqual(json.loads(again.stdout)["faults"], got["faults"])
            self.program(name, "--n", 300, "--seed", SEED, *SMALL, "--trace", "t.csv")
            same = json.loads(self.run_riffle("vat", "replay", "t.csv", "--json", *SMALL).stdout)
            self.assertEqual((same["accesses"], same["faults"]), (got["accesses"], got["faults"]), name)
        with open(self.path("t.csv"), newline="") as file:
            text = file.read().replace("\n", "\r\n")
        again = self.run_riffle("vat", "replay", "-", "--json", *SMALL, input=text)
        self.assertEqual(json.loads(again.stdout)["faults"], got["faults"], "with the line ends of another system")

    def test_traces_of_several_arrays_are_refused(self):
        self.run_riffle("simulate", "--by", "reverse", "--n", 64, "--algorithm", "copy", "--trace", "m.csv")
        done = self.run_riffle("vat", "replay", "m.csv")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "line [0-9]+: .* is no access to the global memory of the first line's array; replay traces of one")

    def test_csv_is_the_same_trace(self):
        for ending in ("csv", "npy"):
            self.program("heapify", "--n", 50, "--trace", f"t.{ending}")
        with open(self.path("t.csv"), encoding="ascii") as file:
            head, *lines = [line.rstrip("\n").split(",") for line in file]
        array = np.load(self.path("t.npy"))
        self.assertEqual([int(line[head.index("address")]) for line in lines], array["address"].tolist())

    def test_text(self):
        done = self.run_riffle("vat", "run", "sequential-scan", "--n", "2^12", "--tau", 2)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in ("sequential-scan of 4096: 4096 elements, seed 1", "accesses +4096", "faults +12 ", "cost +24", "RAM +4096 ",
                     "bounds +12 +to 14 faults", "    4 +1  the root", "    0 +8  pages"):
            self.assertRegex(done.stdout, re.compile(f"^{line}", re.MULTILINE))

    def test_policies_and_seeds(self):
        faults = {policy: self.program("permute", "--n", 2000, "--policy", policy, *SMALL)["faults"]
                  for policy in ("lru", "islru", "min", "ismin", "rrmin", "lis")}
        self.assertTrue(faults["min"] <= faults["ismin"] <= faults["islru"] <= faults["lru"], faults)
        self.assertNotEqual(self.program("permute", *SMALL, "--n", 2000, "--seed", 2)["faults"], faults["lru"])
        got = self.program("permute", "--n", 9, "--cache", 4)
        self.assertEqual([got[name] for name in ("ram", "vat_least", "vat_most")], [None] * 3)


class Theorems(Run):
    def test_theorem_and_lemmas(self):
        """Counted by layer against LRU on blocks; bounds on both sides of the faults."""
        for name in some(PROGRAMS):
            got = self.program(name, "--n", 256, *SMALL, "--theorems", "--trace", "t.npy", "--seed", SEED)
            addresses, theorems = np.load(self.path("t.npy"))["address"].tolist(), got["theorems"]
            self.assertEqual(theorems["part"], 20 // 6)
            counted = []
            for layer in range(7):
                blocks, fetched = collections.OrderedDict(), 0
                for address in addresses:
                    block = address // (64 * 4**layer)
                    if block not in blocks:
                        fetched += 1
                        if len(blocks) == 3:
                            blocks.popitem(last=False)
                    blocks[block] = None
                    blocks.move_to_end(block)
                counted.append(fetched)
            self.assertEqual([term[1] for term in theorems["transfers"]], counted, f"{name}, seed {SEED}")
            self.assertEqual(theorems["counted"], sum(counted))
            self.assertLessEqual(theorems["min"], theorems["counted"], name)
            self.assertAlmostEqual(theorems["formula"], sum(term[0] for term in theorems["transfers"]))
            self.assertTrue(theorems["rat_least"] <= theorems["lru"] == got["faults"], name)
            self.assertEqual(theorems["is_cat"], name == "sequential-scan")
            if theorems["is_cat"]:
                self.assertLessEqual(theorems["lru"], theorems["cat_most"])

    def test_text(self):
        done = self.run_riffle("vat", "run", "sequential-scan", "--n", 4096, "--theorems")
        self.assertRegex(done.stdout, "\nTheorem 2.32, W/d = 384 blocks for each layer:\n(.|\n)*\n    0 +10 +8\n +sum .* min with W . 1 nodes: 12\n")
        self.assertRegex(done.stdout, "\nCAT +yes +7 pages up, 0 down, 512 accesses a page.*\nRAT +")


class Nested(Run):
    def naive(self, addresses, fanout, guest, host):
        """The faults by layer of both: (page, height, cache) each."""
        first, second, places = Lru(fanout, *guest), Lru(fanout, *host), {}
        state = {"next": 0, "table": [0, 0]}

        def take(size):
            at = -(-state["next"] // size) * size
            state["next"] = at + size
            return at

        def place(node):
            if node not in places:
                if node[0] == 0:
                    places[node] = take(guest[0])
                else:
                    table, frame = 8 * fanout, max(guest[0], 8 * fanout)
                    if state["table"][0] == state["table"][1]:
                        state["table"] = [take(frame), state["next"]]
                    places[node] = state["table"][0]
                    state["table"][0] += table
            return places[node]

        for address in addresses:
            for node in first.translate(address):
                at = place(node)
                if node[0] > 0 or host[0] >= guest[0]:
                    second.translate(at)
            if host[0] < guest[0]:
                second.translate(places[0, address // guest[0]] + address % guest[0])
        return first.layers, second.layers

    def test_guest_and_host(self):
        trace = self.rng.integers(0, 2**20, 3000).tolist() + list(range(0, 2**20, 300))
        text = "".join(f"{address}\n" for address in trace)
        for guest, host in [((256, 6, 30), (256, 8, 40)), ((256, 6, 30), (4096, 6, 9)), ((4096, 4, 7), (256, 8, 40))]:
            options = [word for name, values in (("", guest), ("host-", host))
                       for key, value in zip(("page", "height", "cache"), values) for word in (f"--{name}{key}", value)]
            done = self.run_riffle("vat", "replay", "-", "--json", "--nested", "--fanout", 4, *options, input=text)
            got = json.loads(done.stdout)
            first, second = self.naive(trace, 4, guest, host)
            self.assertEqual((got["layers"], got["host"]["layers"]), (first, second), f"seed {SEED}")
            self.assertEqual(got["references"], sum(first[:-1]) + sum(second[:-1]))
            self.assertEqual(got["cost"], sum(first) + sum(second))

    def test_a_cold_walk(self):
        """x86-64's 24 references, and what huge pages of the guest, of the host, of both leave of them."""
        for more, references in [([], 24), (["--page", "2^21"], 19), (["--host-page", "2^21"], 19),
                                 (["--page", "2^21", "--host-page", "2^21"], 15), (["--height", 5, "--host-height", 5], 35)]:
            got = self.program("sequential-scan", "--n", 1, "--nested", "--host-cache", 1, *more)
            self.assertEqual((got["references"], got["references_of_walk"]), (references, references))
        done = self.run_riffle("vat", "run", "sequential-scan", "--n", 1, "--nested", "--host-cache", 1)
        self.assertRegex(done.stdout, "\nhost: pages of 4096 bytes, height 4, cache of 1 nodes\n(.|\n)*\nreferences +24 ")
        replayed = self.run_riffle("vat", "replay", "-", "--nested", "--host-cache", 1, input="7\n")
        self.assertRegex(replayed.stdout, "\nreferences +24 .* makes 24\ncost +30\n$")


class Refused(CommandTest):
    def refuses(self, pattern, *arguments, status=2):
        done = self.run_riffle("vat", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_command_lines(self):
        self.refuses("program 'heapfy': unknown; did you mean 'heapify'", "run", "heapfy")
        self.refuses("usage: riffle vat run PROGRAM", "run")
        self.refuses("option --n: ", "run", "permute", "--n", 0)
        self.refuses("--trace 't.txt': has no ending", "run", "permute", "--trace", "t.txt")
        self.refuses("fanout", "run", "permute", "--fanout", 3)
        self.refuses("--theorems divides the cache among 4 layers", "run", "permute", "--theorems", "--cache", 4)
        self.refuses("give --nested as well", "run", "permute", "--host-page", 4096)
        self.refuses("give --cache as well", "run", "permute", "--preset", "native", "--page", "2^13")
        self.refuses("leave out --nested, or --advise", "replay", "x", "--nested", "--advise")
        self.refuses("holds no table of the guest", "run", "permute", "--nested", "--host-page", 64)

    def test_runs(self):
        self.refuses("beyond the tree's 2.12 bytes", "run", "permute", "--n", 513, "--page", 8, "--height", 1, status=1)
        self.refuses("--trace-limit|limit", "run", "permute", "--trace", "t.csv", "--trace-limit", 9, status=1)
        self.refuses("no memory for", "run", "permute", "--n", "2^40", status=1)
        self.refuses("outgrown the host's tree of 2.13 bytes", "run", "permute", "--nested", "--host-height", 1,
                     "--fanout", 2, status=1)


main()
