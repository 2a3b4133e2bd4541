#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""interface.py SOURCE_DIR: the public headers are alike, as docs/decisions.md says.

Enumerators begin with their enumeration's name; a value's name is asked for by string, parse and list; yes and no are bool;
executions on a stream take a workspace and its size; a test gives NULL to each function that takes a pointer.
"""
import re
import sys
import unittest
from pathlib import Path

INCLUDE = Path(sys.argv[1]) / "include"
HEADERS = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL) for path in [INCLUDE / "riffle.h", *sorted(INCLUDE.glob("riffle/*.h"))]}
ALL = "\n".join(HEADERS.values())
FUNCTIONS = dict(re.findall(r"RIFFLE_API [^;(]*?\b(riffle_\w+)\(([^;]*)\);", ALL))


class Interface(unittest.TestCase):
    def test_enumerators(self):
        found = re.findall(r"typedef enum (\w+) \{(.*?)\} (\w+);", ALL, re.DOTALL)
        self.assertGreater(len(found), 12)
        for tag, body, name in found:
            self.assertEqual(tag, name)
            prefix = re.sub(r"_kind$", "", name).upper() + "_"
            allowed = ("RIFFLE_OK", "RIFFLE_ERROR_") if name == "riffle_status" else (prefix,)
            for word in re.findall(r"\bRIFFLE_\w+(?=[ ,=}]|$)", re.sub(r"=[^,]*", "", body), re.MULTILINE):
                self.assertTrue(word.startswith(allowed), f"{word} of {name}")

    def test_names_of_values(self):
        named = [name[:-len("_string")] for name in FUNCTIONS if name.endswith("_string") and name not in ("riffle_status_string",)]
        self.assertGreater(len(named), 7)
        for name in named:
            self.assertEqual(" ".join(FUNCTIONS[f"{name}_parse"].split()), f"const char *name, {name} *out")
            self.assertEqual(" ".join(FUNCTIONS[f"{name}_list"].split()), f"{name} *out, size_t capacity")
        for name in FUNCTIONS:
            self.assertFalse(name.endswith("_name"), f"{name}: the name of a value is its _string")

    def test_yes_and_no(self):
        for header, text in HEADERS.items():
            if header != "rap.h":  # device code, where numbers are fields of bits
                self.assertEqual(re.findall(r"\bint \w+[;,)(]", text), [] if header != "cuda.h" else ["int index;"], header)

    def test_executions(self):
        """Executions on a stream take a workspace and its size alike."""
        found = [name for name in FUNCTIONS if re.fullmatch(r"riffle_cuda_(\w+_)?execute|riffle_cuda_(take|put|shuffle)", name)]
        self.assertGreater(len(found), 6)
        for name in found:
            words = " ".join(FUNCTIONS[name].split())
            self.assertTrue(words.endswith("void *workspace, size_t workspace_bytes, struct CUstream_st *stream"), name)

    def test_null(self):
        """Each function that takes a pointer is asked in the test of NULL."""
        asked = set(re.findall(r"\briffle_\w+(?=\()", (INCLUDE.parent / "tests/base/test_null.c").read_text()))
        named = {name for name in FUNCTIONS if re.search("_(parse|list)$", name) and re.sub("_[a-z]+$", "_string", name) in FUNCTIONS}
        self.assertEqual({name for name, words in FUNCTIONS.items() if "*" in words} - asked - named, set())  # named: test_names.c


unittest.main(argv=sys.argv[:1])
