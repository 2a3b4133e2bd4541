# SPDX-License-Identifier: Apache-2.0
"""riffle lint of mbarriers, bulk copies and tensor maps: copies land when the phase ends that they are waited for by."""
import functools
import json
import os
import pathlib

from command import CommandTest, commented_line, main

FILE = pathlib.Path(__file__).parent / "lint_bulk.cu"
line = functools.partial(commented_line, FILE)


class Bulk(CommandTest):
    def test_right_ones_have_no_hazard(self):
        """They compute what they should, by PTX and by libcu++'s names."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr, report["hazards"], report["partial"], report["exit_status"]), (0, "", [], False, 0))

    def test_ptx_of_libcuxx_wants_no_toolkit(self):
        """In a whole program too, beside cuda::barrier."""
        done = self.run_riffle("lint", FILE.parent / "lint_ptx_header.cu", "--json", "--timeout", 300, env=dict(os.environ, CUDA_HOME="/nonexistent"))
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["hazards"], report["partial"], report["exit_status"]), ([], False, 0))

    def test_each_wrong_one_is_told(self):
        """At the line of the access, with that of the copy."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300, "-DHAZARDS")
        report = json.loads(done.stdout)
        found = {(one["kernel"], one["kind"], *sorted({one["line"], one.get("other_line", one["line"])})): one["text"] for one in report["hazards"]}
        copies, reads = line("ring copies"), line("ring reads")
        self.assertEqual({key[:2] for key in found}, {
            ("ring<1>", "race"), ("ring<2>", "race"), ("ring<2>", "endless"), ("ring<3>", "race"), ("ring<4>", "uninitialized"), ("ring<4>", "race"),
            ("there_and_back<1>", "race"), ("there_and_back<2>", "race"), ("there_and_back<3>", "race")})
        self.assertTrue(all("no barrier is between that and its initialization by another thread" in text for (kernel, *_), text in found.items() if kernel == "ring<1>"))
        self.assertIn("waits in vain for a phase of an mbarrier: 1 of its 1 arrivals are missing, and 0 bytes", next(text for key, text in found.items() if key[:2] == ("ring<2>", "endless")))
        self.assertIn("still under way: no phase of its mbarrier has ended with its bytes", found["ring<3>", "race", copies, reads])
        self.assertIn("which nothing has written", found["ring<4>", "uninitialized", reads])
        writes, stores = line("back writes"), line("back stores")
        self.assertIn("copies in bulk what threads have written, and no fence.proxy.async is between", found["there_and_back<1>", "race", writes, stores])
        self.assertIn("has written", found["there_and_back<2>", "race", writes, stores])
        self.assertIn("still reads: its thread has not waited for the group", found["there_and_back<3>", "race", stores, line("back reuses")])

    def test_what_is_refused_is_named(self):
        """With its line: the groups of docs/lint.md."""
        for name, operands in [("cp.async.bulk.tensor.3d.shared::cluster.global.im2col", ".mbarrier::complete_tx::bytes [%0], [%1, {%0, %0, %0}], [%0], {%2}"),
                               ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", " [%1], [%0], %0")]:
            source = pathlib.Path(self.path("k.cu"))
            source.write_text(f'__global__ void k(int *a) {{\n    asm volatile("{name}{operands};" :: "r"(1), "l"(a), "h"((short)0));\n}}\n', encoding="utf-8")
            done = self.run_riffle("lint", source, "--kernel", "k", "--block", 32, "--arg", "int:32")
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)
            self.assertRegex(done.stderr, f"^riffle: inline PTX `{name}.*` at .*k.cu:2 is not supported\n$")


if __name__ == "__main__":
    main()
