# SPDX-License-Identifier: Apache-2.0
"""riffle vat replay: traces of both kinds against a replay in Python, --advise, and what is refused."""
import collections
import json
import pathlib
import re

from command import SEED, CommandTest, main

HERE = pathlib.Path(__file__).parent
SORT = HERE / "traces" / "sort.lackey"  # the beginning of Debian's sort, and a stretch from its middle
FIELDS = ["policy", "fanout", "page", "height", "cache", "accesses", "faults", "cost"]
POLICIES = ["lru", "islru", "min", "ismin", "rrmin", "lis"]


def lru(accesses, fanout=512, page=4096, height=4, cache=1536):
    """The definition: translations and faults of (address, bytes) pairs."""
    nodes, translations, faults = collections.OrderedDict(), 0, 0
    for address, size in accesses:
        for leaf in range(address // page, (address + size - 1) // page + 1):
            translations += 1
            for layer in range(height, -1, -1):
                node = (layer, leaf // fanout**layer)
                if node not in nodes:
                    faults += 1
                    if len(nodes) == cache:
                        nodes.popitem(last=False)
                nodes[node] = None
                nodes.move_to_end(node)
    return translations, faults


def lackey_accesses(text, kinds="LSM"):
    found = re.findall(rf"^(?: ([{kinds}])|([{kinds}]) ) ([0-9a-f]+),(\d+)$", text, re.MULTILINE)
    return [(int(address, 16), int(size)) for _, _, address, size in found]


class Vat(CommandTest):
    def presets(self):
        done = self.run_riffle("vat", "replay", "--presets")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.split()[0] for line in done.stdout.split("\n\n")[0].splitlines()[1:]]

    def replay(self, text, *arguments):
        """The JSON for a trace on standard input."""
        done = self.run_riffle("vat", "replay", "-", "--json", *arguments, input=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return json.loads(done.stdout)

    def random_lackey(self, count, span):
        accesses = list(zip(self.rng.integers(0, span, count).tolist(), self.rng.integers(1, 65, count).tolist()))
        return accesses, "".join(f" {kind} {address:08x},{size}\n" for kind, (address, size) in
                                 zip(self.rng.choice(list("LSM"), count), accesses))


class Presets(Vat):
    def test_presets_are_listed_and_known(self):
        self.assertGreater(len(self.presets()), 1)
        for name in ["native", *self.presets()]:
            done = self.run_riffle("vat", "replay", "-", "--preset", name, "--json", input="1\n")
            self.assertEqual((done.returncode, json.loads(done.stdout)["faults"]), (0, 5), done.stderr)


class Traces(Vat):
    def test_json(self):
        document = self.replay("0\n4096\n1\n", "--tau", "2.5")
        self.assertEqual(list(document), FIELDS)
        self.assertEqual(list(document.values()), ["lru", 512, 4096, 4, 1536, 3, 6, 15])

    def test_text(self):
        done = self.run_riffle("vat", "replay", SORT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        translations, faults = lru(lackey_accesses(SORT.read_text()))
        self.assertRegex(done.stdout, "^policy lru, fan-out 512, pages of 4096 bytes, height 4, cache of 1536 nodes, tau 1\n")
        self.assertRegex(done.stdout, rf"\naccesses +{translations}\nfaults +{faults}   .* in 1000 accesses\ncost +{faults}\n$")

    def test_ways_to_write_addresses(self):
        plain = self.replay("1\n255\n65535\n")
        self.assertEqual(self.replay("# a trace\n\n  0x1\n0XfF # the last\r\n\t65535 \n \n#"
                                     "\n"), plain)

    def test_random_addresses(self):
        for fanout, page, height, cache in [(2, 1, 10, 30), (4, 16, 5, 6), (2**4, 4, 3, 100)]:
            bits = height * (fanout.bit_length() - 1) + page.bit_length() - 1
            trace = self.rng.integers(0, 2**bits, 3000).tolist()
            text = "".join(f"{a:#x}\n" if a % 2 else f"{a}\n" for a in trace)
            got = self.replay(text, "--fanout", fanout, "--page", page, "--height", height, "--cache", cache)
            expected = lru([(address, 1) for address in trace], fanout, page, height, cache)
            self.assertEqual((got["accesses"], got["faults"]), expected, f"seed {SEED}")

    def test_lackey(self):
        text = SORT.read_text()
        for page in (2**12, 2**6, 2**3):
            options = ["--page", page, "--height", 4, "--fanout", 2**9 if page > 2**10 else 2**11, "--cache", 9]
            for kinds, more in (("LSM", []), ("ILSM", ["--instructions"])):
                got = self.replay(text, *options, *more)
                expected = lru(lackey_accesses(text, kinds), options[5], page, 4, 9)
                self.assertEqual((got["accesses"], got["faults"]), expected)
        self.assertEqual(len(lackey_accesses(text)), 17)
        self.assertEqual(self.replay(text)["accesses"], 18, "one crosses from a page to the next")

    def test_long_streams(self):
        """Longer than the reader's pieces, with lines across their borders."""
        accesses, text = self.random_lackey(200000, 2**24)
        expected = lru(accesses, cache=300)
        with open(self.path("trace"), "w", encoding="ascii") as file:
            file.write(text)
        for place, given in (("-", text), ("trace", None)):
            done = self.run_riffle("vat", "replay", place, "--json", "--cache", 300, input=given)
            document = json.loads(done.stdout)
            self.assertEqual((document["accesses"], document["faults"]), expected, f"seed {SEED}")

    def test_policies(self):
        accesses, text = self.random_lackey(2000, 2**21)
        faults = {policy: self.replay(text, "--policy", policy, "--cache", 40)["faults"] for policy in POLICIES}
        self.assertEqual(faults["lru"], lru(accesses, cache=40)[1], f"seed {SEED}")
        self.assertTrue(faults["min"] <= faults["ismin"] <= faults["islru"] <= faults["lru"], f"{faults}, seed {SEED}")
        self.assertTrue(faults["rrmin"] <= faults["min"] and faults["lis"] <= faults["min"], f"{faults}, seed {SEED}")

    def test_default_heights_span_48_bits(self):
        for page, height in ((2**12, 4), (2**21, 3), (2**30, 2), (2**16, 4), (2**48, 1)):
            self.assertEqual(self.replay(f"{2**48 - 1}\n", "--page", page)["height"], height)


class Advise(Vat):
    def test_is_three_replays(self):
        accesses, text = self.random_lackey(20000, 2**28)
        advised = self.replay(text, "--advise", "--cache", 200, "--tau", 2, "--policy", "islru")
        self.assertEqual(list(advised), ["touched_pages", "steps", "sequential_steps", "pages"])
        touched = {page for address, size in accesses for page in range(address >> 12, ((address + size - 1) >> 12) + 1)}
        self.assertEqual(advised["touched_pages"], len(touched), f"seed {SEED}")
        single = [self.replay(text, "--page", page, "--cache", 200, "--tau", 2, "--policy", "islru")
                  for page in ("2^12", "2^21", "2^30")]
        self.assertEqual(advised["pages"], single, f"seed {SEED}")
        self.assertEqual([page["height"] for page in single], [4, 3, 2])

    def test_steps(self):
        """Three arrays gone through at a time are in order; 17 pages in turn are all steps, 16 are none."""
        in_order = "".join(f"{(array << 30) + 512 * k}\n" for k in range(8000) for array in range(3))
        found = self.replay(in_order, "--advise")
        self.assertEqual((found["steps"], found["sequential_steps"]), (3000, 2997))
        for pages, steps in ((16, 16), (17, 1700)):
            turns = "".join(f"{2 * page * 4096}\n" for page in range(pages)) * 100
            found = self.replay(turns, "--advise")
            self.assertEqual((found["steps"], found["sequential_steps"]), (steps, 0))

    def advice(self, trace, *arguments):
        text = "".join(f"{address}\n" for address in trace)
        done = self.run_riffle("vat", "replay", "-", "--advise", *arguments, input=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("4 KiB", "2 MiB", "1 GiB"):
            self.assertRegex(done.stdout, re.compile(f"^{name} +[234] +[0-9]+ +[0-9]+ ", re.MULTILINE))
        return done.stdout

    def test_words(self):
        self.assertRegex(self.advice(range(0, 2**22, 8)), "hardly be noticed(.|\n)*order would save little")
        scattered = self.rng.integers(0, 2**26, 60000).tolist()
        jumps = self.advice(scattered, "--cache", 1000)
        self.assertRegex(jumps, "2 MiB pages would save(.|\n)*MADV_HUGEPAGE(.|\n)*jumps between pages")
        passes = list(range(0, 2**23, 512)) * 4
        self.assertRegex(self.advice(passes, "--cache", 1000), "gone through in order: .* fewer passes")
        self.assertRegex(self.advice(passes[: len(passes) // 4]), "of the faults are first touches of pages and of nodes above them, which no order saves")

    def test_preset(self):
        name = self.presets()[1]
        given = self.replay("1\n", "--advise", "--preset", name)
        caches = [page["cache"] for page in given["pages"]]
        single = [self.replay("1\n", "--page", page, "--preset", name)["cache"] for page in ("2^12", "2^21", "2^30")]
        self.assertEqual(caches, single)


class BadTraces(Vat):
    def refuses(self, text, message, *arguments):
        done = self.run_riffle("vat", "replay", "-", *arguments, input=text)
        self.assertEqual((done.returncode, done.stdout), (1, ""), f"{text[:80]!r}: {done.stderr}")
        self.assertRegex(done.stderr, "^riffle: standard input: " + message)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_junk_lines(self):
        for junk in ("x", "-1", "+1", "1e3", "0x", "1 2", "1,2", "0xg", "18446744073709551616", "0x10000000000000000",
                     "\0", "==1== valgrind", " L 10,4"):
            self.refuses(f"1\n# 2\n{junk}\n4\n", "line 3: '.*' is no address; write one a line")
        for junk in ("x", " X 10,4", " L 10", " L 10,", " L 10,0", " L 10,65537", " L 0x10,4", " L g,4", "L 10,4",
                     " L 10,4 5", "17", "=1= x", " L 12345678123456789,4", "I 10,4"):
            self.refuses(f"==7== Lackey\n L 10,4\n{junk}\n", "line 3: '.*' is no line of lackey's; .*--log-file")
        self.refuses("hello\n1\n", "line 1: 'hello' is neither an address .* nor a line of valgrind")
        self.refuses("a" * 2**21, "line 1: longer than 1048576 bytes")

    def test_addresses_beyond_the_tree(self):
        self.refuses(f"1\n{2**48}\n", "line 2: '281474976710656' lies beyond K.d P, .* 0xffffffffffff; choose a larger --height")
        self.refuses(f"{2**48}\n", "line 1: .* beyond", "--advise")
        self.refuses("15\n16\n", "line 2: '16' lies beyond K.d P, whose last address is 0xf;",
                     "--fanout", 4, "--page", 4, "--height", 1)
        self.refuses(" L fffffffffffe,3\n", "line 1: ' L fffffffffffe,3' lies beyond")
        self.assertEqual(self.replay(" L fffffffffffe,2\n")["accesses"], 1)
        self.assertEqual(self.replay(f"{2**64 - 1}\n", "--fanout", 2**13, "--height", 4)["accesses"], 1)

    def test_a_last_line_without_a_newline(self):
        """It counts, with a warning; what is no access is refused there as elsewhere."""
        for text, accesses in [("1\n23", 2), ("1\n# a comm", 1), (" L 10,4\n S 1ff,8", 2), (" L 10,4\n==3== Coun", 1),
                               ("5\n" + " " * (2**20 - 2) + "7", 2)]:
            done = self.run_riffle("vat", "replay", "-", "--json", input=text)
            self.assertEqual((done.returncode, json.loads(done.stdout)["accesses"]), (0, accesses), done.stderr)
            self.assertRegex(done.stderr, "^riffle: standard input: line 2: ends without a newline; .* cut off\n$")
        self.refuses("1\n0x", "line 2: '0x' is no address")
        self.refuses(" L 10,4\n S 1ff", "line 2: ' S 1ff' is no line of lackey's")

    def test_nothing(self):
        for text in ("", "\n\n", "# nothing\n"):
            self.refuses(text, "holds no accesses; write an address a line, or trace a program")
        self.refuses("==7== Lackey\nI  04001090,3\n", "holds no loads or stores; --instructions counts")

    def test_files_that_cannot_be_read(self):
        for name, reason in (("missing", "No such file"), (".", "[Dd]irectory")):
            done = self.run_riffle("vat", "replay", name)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, f"^riffle: {re.escape(name)}: cannot be read: .*{reason}")


class WrongCommandLine(CommandTest):
    def refuses(self, pattern, *arguments):
        done = self.run_riffle("vat", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, pattern)

    def test_words(self):
        self.refuses("^Usage: riffle vat COMMAND")
        self.refuses("vat: command 'repaly': unknown; did you mean 'replay'", "repaly")
        self.refuses("option '--hlep': unknown; did you mean '--help'", "--hlep")
        self.refuses("vat replay: 0 of 1 file names given; usage: riffle vat replay TRACE", "replay")
        self.refuses("y: not expected here; usage: riffle vat replay TRACE", "replay", "x", "y")
        self.refuses("policy 'lur': unknown; did you mean 'lru'", "replay", "x", "--policy", "lur")
        self.refuses("preset 'natvie': unknown; did you mean 'native'", "replay", "x", "--preset", "natvie")
        self.refuses("option --cache: given twice", "replay", "x", "--cache", 9, "--cache", 9)

    def test_numbers(self):
        for option, values in {"--fanout": ("0", "1", "x", "2^64"), "--page": ("0", "-1", "4K"),
                               "--height": ("0", "65"), "--cache": ("0", "1.5"),
                               "--tau": ("0", "-1", "x", "1e", "inf", "nan", "", "1e999", " 1")}.items():
            for value in values:
                self.refuses(f"option {option}: ", "replay", "x", option, value)

    def test_what_does_not_go_together(self):
        self.refuses("fanout", "replay", "x", "--fanout", 3)
        self.refuses("page", "replay", "x", "--page", 5000)
        self.refuses("height", "replay", "x", "--height", 7)
        for policy in ("ismin", "rrmin", "lis"):
            self.refuses(f"4 nodes are too few for {policy}.*; take at least 5", "replay", "x", "--policy", policy,
                         "--cache", 4)
        self.refuses("--advise has the trees of x86-64; leave out", "replay", "x", "--advise", "--page", "2^21")
        self.refuses("give --cache as well", "replay", "x", "--preset", "native", "--page", "2^13")


main()
