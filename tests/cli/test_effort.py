# SPDX-License-Identifier: Apache-2.0
"""--effort measure and --wisdom, of permute and explain: what is tried, what is kept, what is refused."""
import os

import numpy as np

from command import CommandTest, main


class Effort(CommandTest):
    def setUp(self):
        super().setUp()
        self.x = np.arange(1 << 12, dtype=np.uint32)
        np.save(self.path("in.npy"), self.x)

    def permute(self, *options):
        done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse", *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), options)

    def fails(self, status, pattern, *arguments):
        done = self.run_riffle(*arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
        self.assertRegex(done.stderr, pattern)

    def test_moves_as_without(self):
        self.permute("--effort", "measure", "--effort-seconds", "1", "--wisdom", "wisdom")
        np.testing.assert_array_equal(np.load(self.path("out.npy")), self.x[::-1])
        first = open(self.path("wisdom")).read()
        self.assertTrue(first.startswith("riffle wisdom 1\n"))
        self.assertEqual(first.count("\n"), 3)
        self.permute("--effort", "measure", "--wisdom", "wisdom")
        self.assertEqual(open(self.path("wisdom")).read(), first)

    def test_explains_what_was_tried(self):
        ask = ["explain", "--by", "random:1", "--n", "5000", "--effort", "measure", "--wisdom", "wisdom"]
        text = self.run_riffle(*ask).stdout
        self.assertRegex(text, r"measured     gather, 1 thread, [0-9.e+]+ us")
        self.assertEqual(text.count(", taken\n"), 1)
        self.assertRegex(self.run_riffle(*ask).stdout, r"measured     before: \w+, 1 thread, [0-9.e+]+ us\n")

    def test_a_damaged_file_is_refused(self):
        self.permute("--effort", "measure", "--wisdom", "wisdom")
        os.unlink(self.path("out.npy"))
        with open(self.path("wisdom"), "r+b") as file:
            file.truncate(30)
        self.fails(1, "wisdom: line 2: cut short or changed", "permute", "in.npy", "out.npy", "--by", "reverse", "--effort",
                   "measure", "--wisdom", "wisdom")
        self.assertFalse(os.path.exists(self.path("out.npy")))
        self.fails(1, "in.npy: no file of riffle_wisdom_save", "explain", "--by", "reverse", "--n", "8", "--effort", "measure",
                   "--wisdom", "in.npy")

    def test_options_that_belong_together(self):
        for options, name in ((["--wisdom", "w"], "wisdom"), (["--effort-seconds", "2"], "effort-seconds")):
            for command in (["permute", "in.npy", "out.npy"], ["explain", "--n", "8"]):
                self.fails(2, f"--{name} says how plans are measured; give --effort measure too", *command, "--by", "reverse", *options)
        self.fails(2, "effort 'patient': unknown; the choices are estimate, measure", "permute", "in.npy", "out.npy", "--by",
                   "reverse", "--effort", "patient")
        self.fails(2, "--sort has no --effort", "explain", "--sort", "u32", "--n", "8", "--effort", "measure")


main()
