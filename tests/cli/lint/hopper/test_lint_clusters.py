# SPDX-License-Identifier: Apache-2.0
"""riffle lint of clusters: blocks that wait for each other by the cluster's barrier and access each other's shared memory."""
import functools
import json
import pathlib

from command import CommandTest, commented_line, main, program_alone

FILE = pathlib.Path(__file__).parent / "lint_clusters.cu"
line = functools.partial(commented_line, FILE)


class Clusters(CommandTest):
    @program_alone
    def test_right_ones_have_no_hazard(self):
        """They compute what they should, in clusters of several shapes."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr, report["hazards"], report["partial"], report["exit_status"]), (0, "", [], False, 0))
        adds = [one for one in report["rounds"] if (one["line"], one["space"], one["op"]) == (line("counts adds"), "shared", "atomic")]
        self.assertTrue(adds and all(one["requests"] == one["ideal_requests"] > 0 for one in adds), adds)  # each block has banks of its own

    def told(self, found, kernels, kind, wanted):
        """Nothing else is found of kernels by that name than texts of one kind, which `wanted` has by kernel and line."""
        self.assertEqual({key for key in found if key[0].startswith(kernels)}, {(name, kind, line(at)) for name, at in wanted})
        for (name, at), text in wanted.items():
            self.assertIn(text, found[name, kind, line(at)])

    def test_each_missing_barrier_is_told(self):
        """And blocks that wait for a barrier in vain, ask for what no block has, or arrive twice."""
        done = self.run_riffle("lint", FILE, "--json", "--timeout", 300, "-DHAZARDS")
        self.assertIn("clusters of 4 x 1 x 1 blocks in a grid of 6 x 1 x 1: a grid is made of whole clusters\ninvalid configuration argument\n", done.stderr)
        report = json.loads(done.stdout)
        found = {(one["kernel"], one["kind"], *sorted({one["line"], one.get("other_line", one["line"])})): one["text"] for one in report["hazards"]}
        adds, reads, writes = line("counts adds"), line("shifted reads"), line("shifted writes")
        self.assertIn(" of block 1 of the cluster, which may not have begun: a barrier of the cluster is missing before the first access to another block",
                      found["counts", "race", adds])
        self.assertIn("has updated", found["counts", "race", adds, line("counts reads")])
        self.assertIn("which may not have begun", found["shifted<1>", "race", reads])
        self.assertIn("accesses shared memory of block (0,0,0), which may have left the kernel by then", found["shifted<2>", "race", reads])
        self.assertIn("which nothing has written in this block", found["shifted<3>", "uninitialized", reads])
        self.assertIn("has read", found["shifted<3>", "race", writes, reads])
        self.assertIn("block (0,0,0) has written", found["halves<1>", "race", line("halves writes"), line("halves reads")])
        self.assertEqual("63 of 64 threads of a cluster have arrived at its barrier, and none of the others can", found["stuck", "barrier", line("stuck")])
        self.assertEqual({name for name, *_ in found if not name.startswith(("beyond", "turns"))}, {"counts", "shifted<1>", "shifted<2>", "shifted<3>", "halves<1>", "stuck"})
        again = "arrives at the barrier of the cluster again, without a wait since it last did"
        wanted = {("turns<1>", "turns arrives"): again, ("turns<2>", "turns arrives by PTX"): again, ("turns<3>", "turns meets"): again,
                  ("turns<4>", "turns waits"): "waits at the barrier of the cluster and has not arrived at it"}
        self.told(found, "turns", "barrier", wanted)
        beyond, nobody = "asks for shared memory of the block of rank 2 in a cluster of 2, whose last rank is 1", "in no array of the launch"
        wanted = {("beyond<1>", "beyond maps"): beyond, ("beyond<1>", "beyond reads"): nobody, ("beyond<2>", "beyond maps by PTX"): beyond,
                  ("beyond<3>", "beyond maps an argument"): "asks where another block of the cluster has what is not in shared memory",
                  ("beyond<3>", "beyond reads"): nobody}
        self.told(found, "beyond", "out-of-bounds", wanted)


if __name__ == "__main__":
    main()
