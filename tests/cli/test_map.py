# SPDX-License-Identifier: Apache-2.0
"""riffle map: where indices go, all of them or some, forwards and backwards, and what is refused."""
import json
import subprocess

import numpy as np

from command import RIFFLE, SEED, CommandTest, inverse, main, targets_of_axes, targets_of_bits


class Map(CommandTest):
    def map(self, by, n, *arguments):
        done = self.run_riffle("map", "--by", by, "--n", n, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{by} {n} {arguments}")
        return done.stdout

    def test_all(self):
        table = self.rng.permutation(10007)
        np.save(self.path("table.npy"), table)
        for by, targets in {"reverse": np.arange(1000)[::-1], "rotate:3": (np.arange(5000) + 3) % 5000,
                            "bit-reversal": targets_of_bits(4096, range(12)[::-1]),
                            "axes:13x17x19:2,0,1": targets_of_axes((13, 17, 19), (2, 0, 1)),
                            "table:table.npy": table, "identity": np.arange(0), "shuffle": np.arange(1)}.items():
            for options, to in [([], targets), (["--inverse"], inverse(targets))]:
                lines = "".join(f"{i} -> {p}\n" for i, p in enumerate(to))
                self.assertEqual(self.map(by, len(to), *options), lines, f"{by} {options}, seed {SEED}")
                document = json.loads(self.map(by, len(to), "--json", *options))
                self.assertEqual(document, {"n": len(to), "inverse": options != [],
                                            "map": [[i, p] for i, p in enumerate(to.tolist())]}, f"{by} {options}")

    def test_some(self):
        self.assertEqual(self.map("reverse", 8, 3, "2^2", 3), "3 -> 4\n4 -> 3\n3 -> 4\n")
        self.assertEqual(self.map("rotate:5", "2^40", 0, "2^39"), f"0 -> 5\n{2**39} -> {2**39 + 5}\n")
        self.assertEqual(self.map("rotate:5", "2^40", "--inverse", 0), f"0 -> {2**40 - 5}\n")
        self.assertEqual(self.map("shuffle", 8, "--json", 5, 1),
                         '{"n": 8, "inverse": false, "map": [\n  [5, 3],\n  [1, 2]]}\n')

    def test_the_distribution(self):
        """D_w by its definition, of the map and of its inverse; a last warp that is not full counts."""
        for by, n, width in (("random:3", 1000, 32), ("rotate:5", 97, 8), ("bit-reversal", 4096, 32), ("transpose:24x36", 864, 16), ("identity", 0, 4)):
            pairs = [line.split(" -> ") for line in self.map(by, n).splitlines()]
            targets = np.array([int(to) for _, to in pairs], dtype=np.int64)
            for options, to in ([], targets), (["--inverse"], inverse(targets)):
                wanted = sum(len(set(to[k:k + width] // width)) for k in range(0, n, width))
                told = json.loads(self.map(by, n, "--distribution", width, "--json", *options))
                self.assertEqual(told, {"n": n, "inverse": options != [], "width": width, "distribution": wanted}, by)
                self.assertEqual(self.map(by, n, "--distribution", width, *options),
                                 f"D_{width} = {wanted}, where {-(-n // width)} is the least and {n} the most\n")
        self.refuses(2, "map: --distribution is of all indices; leave out those that are given", "--by", "reverse", "--n", 8, "--distribution", 4, 1)
        self.refuses(2, "option --distribution: '33' is no number from 1 to 32", "--by", "reverse", "--n", 8, "--distribution", 33)

    def test_a_reader_may_leave(self):
        """2^40 lines are made as they are read."""
        with subprocess.Popen([RIFFLE, "map", "--by", "random:1", "--n", "2^40"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            lines = [process.stdout.readline() for _ in range(10000)]
            process.stdout.close()
            self.assertNotEqual(process.wait(60), 0)
        self.assertEqual([int(line.split(" -> ")[0]) for line in lines], list(range(10000)))

    def refuses(self, status, pattern, *arguments):
        done = self.run_riffle("map", *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
        self.assertRegex(done.stderr, pattern)

    def test_what_is_refused(self):
        reverse = ["--by", "reverse", "--n", 8]
        for word in ("8", "2^3", "x", "+1", "", "1.0", "99999999999999999999999"):
            self.refuses(2, rf"^riffle: map: index '{word.replace('^', '.').replace('+', '.')}' is no number from 0 to 7; "
                         r"write it in decimal or as 2\^K\n$", *reverse, 3, word)
        self.refuses(2, "index '0': an array of 0 elements has none", "--by", "reverse", "--n", 0, 0)
        self.refuses(2, "option -1: unknown", *reverse, "-1")
        self.refuses(2, "map: no permutation given(.|\n)*map: no length given")
        self.refuses(2, "did you mean 'reverse'(.|\n)*revers\n", "--by", "revers", "--n", 8)
        for program in ("hadamard n", "hadamrd n", "bit-reversal | sort n", "sort"):
            self.refuses(2, rf"^riffle: --by: '{program}' is no permutation; it reads as an array program, which 'riffle run' does\n$".replace("|", "."),
                         "--by", program, "--n", 8)
        self.refuses(1, "not a power of two|power of two", "--by", "bit-reversal", "--n", 12)


main()
