# SPDX-License-Identifier: Apache-2.0
"""riffle lint of blocks that wait for each other, which run at once, and whose accesses CUDA's memory model orders; and of kernels that launch."""
import functools
import json
import pathlib

from command import CommandTest, commented_line, main, program_alone

FILE = pathlib.Path(__file__).parent / "lint_blocks.cu"
line = functools.partial(commented_line, FILE)


class Blocks(CommandTest):
    def test_blocks_wait_for_each_other(self):
        """The right kernels compute what they should and have no hazard, and each wrong one has its own."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "".join(f"riffle: a launch was refused: {why}\n" for why in (
            "kernel sums: a block of 2048 x 1 x 1 threads on a machine with 1024 a block",
            "kernel sums: a cooperative launch has all blocks under way at once, and 1057 x 1 x 1 blocks of 256 threads are more than "
            "the 1056 that an H200 has",
            "kernel leaf: a block of 1025 x 1 x 1 threads on a machine with 1024 a block")))
        report = json.loads(done.stdout)
        found = {(one["kernel"], one["kind"], *sorted({one["line"], one.get("other_line", one["line"])})): one for one in report["hazards"]}

        def race(kernel):
            return kernel, "race", *sorted(line(kernel.split("<")[0] + how) for how in (" writes", " reads"))
        self.assertEqual(set(found), {
            race("unsynced"), race("flagged<1>"), race("flagged<2>"),
            race("last_block<1>"), ("locked<1>", "race", line("locked")), race("references<1>"), race("assembled<1>"),
            race("warped<1>"), race("warped<2>"), ("baton<1>", "race", line("baton")), ("baton<2>", "race", line("baton")),
            ("claims", "race", line("claims")), ("serial<1>", "race", line("serial")), race("counted<1>"),
            ("leaf", "out-of-bounds", line("leaf")), ("left", "barrier", line("left")), ("never", "endless", line("never")), ("unset", "endless", line("unset")),
            ("sums", "barrier", line("sums syncs"))})
        self.assertEqual(found["left", "barrier", line("left")]["text"], "3 of 4 blocks have come to this barrier of the grid; 1 has left the kernel before")
        self.assertEqual(found["never", "endless", line("never")]["text"],
                         "thread (0,0,0) of block (0,0,0) waits in vain: it finds the same here over and over, and none of the blocks under way can go on (5)")
        self.assertEqual(found["sums", "barrier", line("sums syncs")]["text"],
                         "thread (0,0,0) of block (0,0,0) comes to a barrier of the grid, which wants a cooperative launch (cudaLaunchCooperativeKernel)")
        self.assertEqual({row["file"] for row in report["rounds"]} | {word.rsplit(":", 1)[0] for row in report["rounds"] for word in row.get("called_from", "").split(" < ") if word},
                         {"lint_blocks.cu"})
        self.assertIn("has written at lint_blocks.cu:" + str(line("flagged writes")) + " in the same launch", found[race("flagged<1>")]["text"])

    @program_alone
    def test_blocks_wait_where_nobody_looks(self):
        """Blocks beyond --checks wait too."""
        done = self.run_riffle("lint", FILE, "--accesses", 1, "--checks", 1, "--timeout", 300)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 3, done.stderr)

    def test_more_blocks_than_a_gpu_has_at_once(self):
        """A kernel by hand may have them, but no barrier of all then."""
        done = self.run_riffle("lint", FILE, "--json", "--kernel", "left", "--grid", 134, "--block", 32, "--shared", 200000, "--arg", "int:2^13")
        self.assertEqual([one["text"] for one in json.loads(done.stdout)["hazards"]],
                         ["132 of 134 blocks have come to this barrier of the grid; 1 has left the kernel before; 1 has not begun, since a GPU has no more at once"])

    def test_a_kernel_by_hand_launches(self):
        """Its launches run behind it, with a refused one told; a call that only host code has ends it, and what ran until then is reported."""
        done = self.run_riffle("lint", FILE, "--json", "--kernel", "parent", "--block", 32, "--arg", "int:32", "--arg", "int:64:index")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 1))
        report = json.loads(done.stdout)
        self.assertEqual({(row["kernel"], row["op"], row["warps"]) for row in report["rounds"]},
                         {("parent", "write", 1)} | {(name, op, warps) for op in ("read", "write") for name, warps in (
                             ("child<int>", 1), ("child<T>", 3), ("leaf", 3))})
        self.assertEqual((report["hazards"], report["refused"][0]["line"]), ([], line("refused")))
        done = self.run_riffle("lint", FILE, "--json", "--kernel", "waits", "--block", 1, "--arg", "int:32:index")
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr, report["partial"], report["hazards"]), (1, "", True, []))
        self.assertEqual({row["kernel"] for row in report["rounds"]}, {"leaf"})
        self.assertEqual([(one["line"], one["text"]) for one in report["refused"]], [
            (line("waits"), "kernel waits calls cudaDeviceSynchronize: kernels may launch others, and call little else of the runtime; its launch ended there")])


if __name__ == "__main__":
    main()
