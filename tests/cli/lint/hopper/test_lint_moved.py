# SPDX-License-Identifier: Apache-2.0
"""riffle lint of what moves beside a kernel's threads: bulk copies, values of st.async, factors of products, counted as an H200 counts it."""
import json
import pathlib

from command import CommandTest, main

ROOT = pathlib.Path(__file__).resolve().parents[4]
# A box that reaches out of its tensor is read by pieces of 16 bytes, of which an H200 counts a sector each.
APART = {("tensor_load", 120, 72)}


class Moved(CommandTest):
    def test_counts_are_the_hardwares(self):
        """Launch by launch, as bench/results/lint/moved.json has them of a GPU; and copies between blocks of a cluster take addresses of 32 bits."""
        done = self.run_riffle("lint", ROOT / "bench/lint/moved.cu", "-arch=sm_90a", "--json", "--timeout", 300)
        report = json.loads(done.stdout)
        self.assertEqual({one["kind"] for one in report["hazards"]}, {"uninitialized"})  # since it copies what nobody has written
        found = {}
        for row in report["moved"]:
            at = (row["launch"], row["what"])
            found[at] = found.get(at, 0) + row["requests"]
        for row in report["rounds"]:
            if row["op"] == "write" and row["array"].endswith(" of the cluster"):
                found[row["launch"], "warps that store to another block"] = row["warps"]
        known = json.loads((ROOT / "bench/results/lint/moved.json").read_text(encoding="utf-8"))["results"]
        self.assertEqual({(row["launch"], row["what"]): row["lint"] for row in known}, found)
        self.assertEqual({(row["kernel"], row["gpu"], row["lint"]) for row in known if row["gpu"] != row["lint"]}, APART)
        copies = next(row for row in report["moved"] if row["what"] == "shared to shared of the cluster")
        self.assertEqual((copies["kernel"], copies["times"], copies["bytes"]), ("bulk_peer", 5, 2560))

    def test_text_has_a_table_of_its_own(self):
        done = self.run_riffle("lint", ROOT / "bench/lint/moved.cu", "-arch=sm_90a", "--kernel", "bulk_load", "--timeout", 300)
        self.assertRegex(done.stdout, r"\nkernel     line         beside the threads +times +bytes +requests\nbulk_load  moved.cu:\d+  global to shared +4 +4096 +128\n")


if __name__ == "__main__":
    main()
