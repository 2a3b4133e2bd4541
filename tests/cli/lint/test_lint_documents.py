# SPDX-License-Identifier: Apache-2.0
"""riffle lint's documents: SARIF, HTML and comparisons with an earlier report, of files and kernels with hostile names too."""
import html.parser
import json
import os
import unittest

from command import CommandTest, main

KERNELS = """__global__ void strided(int *a) { a[STRIDE * threadIdx.x] = 1; }
__global__ void columns(int *a) {
    __shared__ volatile int s[1024];
    s[32 * threadIdx.x] = 1;
    a[threadIdx.x] = s[32 * threadIdx.x] + (s[1] < "<b>&"[a[0] & 1]);
}
template <class A, class B> struct pair {};
template <class T> __global__ void races(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
"""

VOID = {"meta", "br", "rect", "line"}


class Page(html.parser.HTMLParser):
    """Checks that tags match, and gathers text, tags and attributes."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.tags = [], "", []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data


class Documents(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("k.cu", KERNELS)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def lint(self, kernel, *options, status=0, file="k.cu", stride=8):
        done = self.run_riffle("lint", file, "--kernel", kernel, "--block", 32, "--arg", "int:1024:zero", f"-DSTRIDE={stride}",
                               *options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def results(self, kernel, file="k.cu"):
        self.lint(kernel, "--sarif", "out.sarif", file=file)
        document = json.loads(self.read("out.sarif"))
        self.assertEqual((document["version"], len(document["runs"])), ("2.1.0", 1))
        run = document["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
        return run["results"]

    def test_sarif(self):
        results = self.results("columns")
        self.assertEqual([(one["ruleId"], one["level"], one["locations"][0]["physicalLocation"]["region"]["startLine"])
                          for one in results], [("uninitialized", "error", 5), ("race", "error", 5), ("conflict", "warning", 4), ("conflict", "warning", 5)])
        self.assertIn("pad the rows of s, 32 elements long, by 1", results[2]["message"]["text"])
        race = next(one for one in self.results("races<pair<int, char>>") if one["ruleId"] == "race")
        self.assertEqual(race["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "races<pair<int, char>>")
        self.assertEqual(race["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 8)
        self.assertEqual(self.results("strided")[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "k.cu")

    def test_html(self):
        """A box for each lane and each bank, a line from each lane; nothing is loaded, and no text is taken for a tag."""
        self.lint("columns", "--html", "out.html")
        page = Page(self.read("out.html"))
        tags = [tag for tag, _ in page.tags]
        self.assertEqual((tags.count("svg"), tags.count("line"), tags.count("rect")), (2, 2 * 32, 2 * (32 + 32)))
        self.assertFalse({"script", "link", "img", "iframe", "b"} & set(tags))
        self.assertEqual({attributes.get("href", "#L5")[:2] for _, attributes in page.tags if "src" not in attributes}, {"#L"})
        self.assertEqual([attributes["class"] for _, attributes in page.tags if attributes.get("id") in ("L3", "L4") and "class" in attributes], ["bad"])
        self.assertIn('(s[1] < "<b>&"[a[0] & 1]);', page.text)
        self.assertIn("shared write of s: 32 requests, fewest 1", page.text)
        self.lint("strided", "--html", "out.html")
        tags = [tag for tag, _ in Page(self.read("out.html")).tags]
        self.assertEqual((tags.count("line"), tags.count("rect")), (32, 32 + 32))

    def test_hostile_names(self):
        for name in ("<script>alert(1)</script>.cu".replace("/", "\u2215"), "a&amp;'b.cu", "\x1b[31m.cu", "\u00fc \u4e2d%41.cu"):
            self.write(name, KERNELS)
            (result,) = self.results("strided", name)
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            self.assertRegex(uri, r"^(?:[\w.~/-]|%[0-9A-F]{2})+$")
            self.lint("strided", "--html", "out.html", file=name)
            self.assertNotIn("script", [tag for tag, _ in Page(self.read("out.html")).tags])

    def test_a_name_that_is_no_text(self):
        name = os.fsencode(self.path("")) + b"a\xff\xc3.cu"
        with open(name, "w", encoding="utf-8") as file:
            file.write(KERNELS)
        done = self.lint("strided", "--json", "--html", "out.html", "--sarif", "out.sarif", file=os.fsdecode(name))
        self.assertEqual(json.loads(done.stdout)["rounds"][0]["file"], "a\ufffd\ufffd.cu")
        Page(self.read("out.html"))
        json.loads(self.read("out.sarif"))

    def test_comparison(self):
        self.write("before.json", self.lint("strided", "--json", stride=4).stdout)
        for stride, says, found in [(8, r"worse: strided, global write of argument 1: wasted sectors 12 -> 28", 1),
                                    (1, r"better: strided, global write of argument 1: wasted sectors 12 -> 0", 0), (4, "", 0)]:
            done = self.lint("strided", "--compare", "before.json", "--fail-on", "uncoalesced", status=found, stride=stride)
            self.assertEqual((done.stdout.partition("hazards: 0\n")[2], done.stderr), (says + "\n" if says else "", ""))
        done = self.lint("strided", "--compare", "before.json", "--json", "--fail-on", "uncoalesced:100", "--fail-on", "hazard", stride=8)
        json.loads(done.stdout)
        self.assertRegex(done.stderr, "^worse: ")

    def test_comparison_of_hazards(self):
        self.write("before.json", '{"rounds": [], "hazards": []}')
        done = self.lint("races<int>", "--compare", "before.json", "--fail-on", "race", status=1)
        self.assertIn("\nworse: races<int>, race: hazards 0 -> ", done.stdout)

    def test_files_that_cannot_be(self):
        """Found before anything is compiled: there is no compiler here."""
        self.write("before.json", "{}")
        for words, says in [(("--compare", "before.json"), "before.json: has no rounds; give what --json printed"),
                            (("--compare", "none.json"), "none.json: cannot be read: No such file"),
                            (("--compare", "."), ".: cannot be read: Is a directory"),
                            (("--html", "none/x"), "none/x: cannot be written: No such file"),
                            (("--html", "."), ".: cannot be written: Is a directory"),
                            (("--html", "k.cu/x"), "k.cu/x: cannot be written: Not a directory"),
                            (("--sarif", "x/"), "x/: cannot be written: No such file"),
                            (("--sarif", "x" * 300), "cannot be written: File name too long"),
                            (("--sarif", "none/x"), "none/x: cannot be written: No such file")]:
            compiler = () if words[1] == "before.json" else ("--compiler", "none")
            done = self.lint("strided", *words, *compiler, status=1)
            self.assertIn(says, done.stderr)
            self.assertFalse(os.path.exists(self.path("x")))

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_files_that_may_not_be_written(self):
        self.write("x", "")
        os.chmod(self.path("x"), 0o400)
        self.assertIn("x: cannot be written: Permission denied", self.lint("strided", "--html", "x", "--compiler", "none", status=1).stderr)

    def test_documents_appear_whole(self):
        """In the place of what was there, which stays where they cannot be written: with its name for others, and what may be done to it."""
        for option in ("--html", "--sarif"):
            self.write("x", "what was here before")
            os.chmod(self.path("x"), 0o640)
            os.link(self.path("x"), self.path("also"))
            self.lint("strided", option, "x")
            self.assertNotEqual(self.read("x"), "what was here before")
            self.assertEqual(self.read("also"), "what was here before")
            self.assertEqual(os.stat(self.path("x")).st_mode & 0o777, 0o640)
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])
            os.remove(self.path("also"))
            done = self.run_at("renameat:error:16", "lint", "k.cu", "--kernel", "strided", "--block", 32, "--arg", "int:1024:zero",
                               "-DSTRIDE=2", option, "x")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("x: cannot be put in place: Device or resource busy", done.stderr)
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])

    def test_documents_into_what_is_no_file(self):
        for words in (("--sarif", "/dev/null"), ("--html", "link")):
            if not os.path.lexists(self.path("link")):
                os.symlink("page", self.path("link"))
            self.lint("strided", *words)
        Page(self.read("page"))

    def test_nothing_that_is_read_is_written_to(self):
        self.write("before.json", "{}")
        for words, says in [(("--html", ""), "--html '': names no file; write a name"),
                            (("--html", "./k.cu"), "./k.cu: the program and what --html writes are the same file; give --html another name"),
                            (("--sarif", "k.cu"), "k.cu: the program and what --sarif writes are the same file; give --sarif another name"),
                            (("--html", "x", "--sarif", "./x"), "x: what --sarif writes and what --html writes are the same file"),
                            (("--compare", "before.json", "--html", "before.json"), "what is compared with and what --html writes are the same")]:
            source, names = self.read("k.cu"), sorted(os.listdir(self.folder))
            done = self.lint("strided", *words, status=2)
            self.assertIn(says, done.stderr)
            self.assertEqual((done.stdout, self.read("k.cu"), sorted(os.listdir(self.folder))), ("", source, names))


if __name__ == "__main__":
    main()
