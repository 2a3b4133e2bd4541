# SPDX-License-Identifier: Apache-2.0
"""riffle lint of products of a warpgroup, of barriers by number and of st.async: sums land where their group is waited for."""
import functools
import json
import pathlib

from command import CommandTest, commented_line, main

FILE = pathlib.Path(__file__).parent / "lint_wgmma.cu"
line = functools.partial(commented_line, FILE)


class Warpgroups(CommandTest):
    def test_right_ones_have_no_hazard(self):
        """They compute plain sums: both majors, all swizzles, all types; and what is read by descriptors is not counted."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr, report["hazards"], report["partial"], report["exit_status"]), (0, "", [], False, 0))
        self.assertFalse([one for one in report["rounds"] if one["line"] in (line("first product"), line("second product"))])

    def test_each_wrong_one_is_told(self):
        """At the line of the access, with that of the product."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300, "-DHAZARDS")
        report = json.loads(done.stdout)
        found = {(one["kernel"], one["kind"], *sorted({one["line"], one.get("other_line", one["line"])})): one["text"] for one in report["hazards"]}
        first, second = line("first product"), line("second product")
        self.assertIn("reads a register of the product", found["waited<1>", "race", second, line("reads early")])
        self.assertIn("still reads: its thread has not waited for the group", found["waited<2>", "race", second, line("overwrites early")])
        self.assertIn("no fence.proxy.async is between", found["waited<3>", "race", line("fills"), first])
        self.assertIn("multiplies without a wgmma.fence before", found["waited<4>", "race", first])
        self.assertIn("for whose group it has not waited", found["waited<5>", "race", second, line("reads what was not committed")])
        self.assertIn("in a warpgroup that has not four warps of 32 threads", found["waited<0>", "barrier", first])
        self.assertIn("has written", found["pairs<1>", "race", line("pairs write"), line("pairs read")])
        self.assertIn("waits in vain at barrier 2: 64 of its 128 threads are missing", found["pairs<2>", "endless", line("pairs wait")])
        self.assertEqual({key[:2] for key in found}, {("waited<0>", "barrier"), *((f"waited<{k}>", "race") for k in range(1, 6)),
                                                      ("waited<2>", "same-value"), ("pairs<1>", "race"), ("pairs<1>", "endless"), ("pairs<2>", "endless")})

    def test_what_is_refused_is_named(self):
        """Sparse products, shapes that are none, and sums in registers of the statement's own."""
        for name, operands in [("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", " {%0, %0, %0, %0}, %1, %1, %0, 0, 1, 1, 1, 0, 0"),
                               ("wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16", " {%0, %0, %0, %0}, %1, %1, 1, 1, 1, 0, 0"),
                               ("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8", " {%0, %0}, %1, %1, 1"),
                               ("wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16", " {%0, %0}, %1, %1, 1, 1, 1, 0, 0")]:
            source = pathlib.Path(self.path("k.cu"))
            source.write_text(f'__global__ void k(int *a) {{\n    float d = 0;\n    asm volatile("{name}{operands};" : "+f"(d) : "l"(a));\n}}\n', encoding="utf-8")
            done = self.run_riffle("lint", source, "--kernel", "k", "--block", 128, "--arg", "int:32")
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)
            self.assertRegex(done.stderr, f"^riffle: inline PTX `{name}.*` at .*k.cu:3 is not supported\n$")


if __name__ == "__main__":
    main()
