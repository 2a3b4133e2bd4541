#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Comments are plain English: the subject first. No comment, and no sentence in one, begins with one of WORDS."""
import ast
import io
import re
import tokenize
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["src", "cli", "include", "tests", "bench", "python", "examples", "cmake", "packaging"]
WORDS = "Of|Those|What|Whether|Likewise"
C_LIKE = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".inc"}
HASHED = {".sh", ".cmake", ".txt", ".toml", ".yml", ".yaml"}
# A string or a comment, whichever begins first.
C_WORDS = re.compile(r"""R"(?P<end>\w*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|/\*(?P<block>.*?)\*/|//(?P<line>[^\n]*)""", re.S)
# The first word of all, in either case; or the first behind a full stop, an empty line, a mark of a list or of Doxygen.
BEGINS = re.compile(rf"\A[\s*<!(]*(?:@\w+\s+)?(?i:{WORDS})\b|(?:(?<!\.)[.?!][\"')]*\s+|\n\s*\n\s*|\n\s*- |\n\s*@\w+ )[\"'(]*(?:{WORDS})\b")


def c_comments(text):
    """Comments as (line, words); comments of // on lines one after the other are one."""
    found, end = [], None
    for match in C_WORDS.finditer(text):
        words, line = match["block"] or match["line"], text.count("\n", 0, match.start()) + 1
        if words is None:
            continue
        starts_line = text[text.rfind("\n", 0, match.start()) + 1:match.start()].strip() == ""
        if match["line"] is not None and end == line - 1 and starts_line:
            found[-1][1] += "\n" + words
        else:
            found.append([line, re.sub(r"(?m)^\s*\*+(?!/)", "", words)])
        end = line if match["line"] is not None else None
    return found


def python_comments(text):
    """Docstrings, and comments of #."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            found.append([node.body[0].lineno, ast.get_docstring(node)])
    lines = {token.start[0]: (token.line[:token.start[1]].strip() == "", token.string)
             for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT}
    return found + joined(lines)


def hash_comments(text):
    """Comments of # in shell and CMake: whole lines, and ends of lines without a quotation mark behind the #."""
    lines = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*(#(?!!).*)", line) or re.search(r"""\s(#\s[^"']*)$""", line)
        if match:
            lines[number] = (line[:match.start(1)].strip() == "", match[1])
    return joined(lines)


def joined(lines):
    """Lines by number, (whether the comment begins it, its words), as comments: those one after the other are one."""
    found, end = [], None
    for number, (starts_line, words) in sorted(lines.items()):
        words = words.lstrip("#")
        if starts_line and end == number - 1:
            found[-1][1] += "\n" + words
        else:
            found.append([number, words])
        end = number
    return found


def comments(path, text):
    if path.suffix in C_LIKE or path.name.endswith(".h.in"):
        return c_comments(text)
    if path.suffix in {".py", ".pyi"}:
        return python_comments(text)
    return hash_comments(text) if path.suffix in HASHED or text.startswith("#!") else []


def wrong(path, text):
    """Lines of comments that begin with one of the words, or have a sentence that does, with those words."""
    return [f"{path}:{line + words[:match.end()].count(chr(10))}: {' '.join(words[max(match.end() - 10, 0):match.end() + 40].split())}"
            for line, words in comments(Path(path), text) for match in BEGINS.finditer(words)]


class Samples(unittest.TestCase):
    def test_wrong_comments_are_found(self):
        for path, text in [("a.c", "/* Of the lanes the first. */"), ("a.c", "int a; /* what is left */"), ("a.h", "/** Whether it is so. */"),
                           ("a.h", "int a; /**< of a block */"), ("a.c", "/* SPDX-License-Identifier: X\n *\n * What it does.\n */"),
                           ("a.cu", "/* It is so. Those are\n * not. */"), ("a.cpp", "// It is so.\n// Likewise that."),
                           ("a.c", "char *a = \"/*\"; // those"), ("a.py", "# What it is"), ("a.py", "def f():\n    \"\"\"Whether.\"\"\"\n"),
                           ("a.py", "a = 1  # of a block"), ("a.sh", "a=1 # what is left"), ("CMakeLists.txt", "# A rule.\n# Of these one."),
                           ("a", "#!/bin/sh\n# Those."), ("a.h", "/** All of it:\n *\n * - Whether\n */"),
                           ("a.h", "/** @name What it has\n * All of it. */"), ("a.h", "/** It is so.\n *  @return Whether it was so. */")]:
            self.assertEqual(len(wrong(path, text)), 1, text)

    def test_others_are_not(self):
        for path, text in [("a.c", "/* The first of the lanes, whether it is so or not. Officers. */"),
                           ("a.c", "char *a = \"/* Of \"; char b = '\"';"),
                           ("a.c", "/* 1, 2, ... What follows is a drawing. */"), ("a.py", "a = \"# What\"\nb = '''Of'''\n"), ("a.txt", "set(a \"# of\")"),
                           ("a.json", "# Of"), ("a", "# Of")]:
            self.assertEqual(wrong(path, text), [], text)

    def test_lines_are_told(self):
        self.assertRegex(wrong("a.c", "int a;\n/* It is so.\n * What is not? */")[0], "^a.c:3: ")


class Sources(unittest.TestCase):
    def test_comments_begin_with_their_subject(self):
        paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
                 if path.is_file() and not any(part.startswith(("build", ".", "_skbuild")) for part in path.relative_to(ROOT).parts)]
        self.assertGreater(len(paths), 1000)
        found = []
        for path in paths:
            try:
                found += wrong(path.relative_to(ROOT), path.read_text())
            except UnicodeDecodeError:
                continue  # inputs of tests that are no text
        self.assertFalse(found, f"begin a comment and each of its sentences with the subject, not with {WORDS}:\n" + "\n".join(found))
    def test_documents_do_too(self):
        """Paragraphs, entries of lists and sentences; not code, tables and titles of links."""
        begins = re.compile(rf"(?:^(?:- |\d+\. )?|[.:] )({WORDS}) ", re.MULTILINE)
        for page in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
            prose = re.sub(r"^```.*?^```|^    .*?$|^\|.*?$", "", page.read_text(), flags=re.MULTILINE)
            found = [] if page.name == "CHANGELOG.md" else [prose[match.start():match.end() + 40] for match in begins.finditer(prose)]
            self.assertFalse(found, f"{page.name}: begin sentences with the subject, not with {WORDS}")


unittest.main()
