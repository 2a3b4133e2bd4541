# SPDX-License-Identifier: Apache-2.0
"""riffle lint of more blocks than it counts: those that are counted stand for all, hazards are looked for in all, and limits of both are told."""
import functools
import json
import os
import pathlib

from command import CommandTest, commented_line, main, program_alone

FILE = pathlib.Path(__file__).parent / "lint_sampled.cu"
line = functools.partial(commented_line, FILE)
LATE = ["--timeout", 300]
FEW = ["--accesses", 1024]  # 5 to 9 blocks of a kernel


LATER = """__global__ void k(float *a, const float *b) {
    int t = threadIdx.x, reps = blockIdx.x < 512 ? 8 : 64, stride = blockIdx.x < 512 ? 1 : 32;
    float s = 0;
    for (int j = 0; j < reps; j++) s += b[(j * 32 + t * stride) & 1023];
    a[blockIdx.x * 32 + t] = s;
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 1024 * 32 * 4);
    cudaMalloc(&b, 4096);
    cudaMemset(b, 0, 4096);
    k<<<1024, 32>>>(a, b);
}
"""


WAITS = """__global__ void k(int *a) {
    for (int turn = 0; turn < 64; turn++) __syncthreads();
    a[blockIdx.x * 32 + threadIdx.x] = 1;
}
int main() {
    int *a;
    cudaMalloc(&a, 64 * 32 * sizeof *a);
    k<<<64, 32>>>(a);
}
"""


LONG = """__global__ void k(float *a, float *b) {
    if (threadIdx.x > 0) return;
    for (int i = 0; i < 1 << 17; i++) {
        a[0] = a[0] + 1;
        for (int j = 0; j < 128; j++) b[0] = a[0]; // goes on
    }
}
int main() {
    float *a, *b, got;
    cudaMalloc(&a, sizeof *a);
    cudaMalloc(&b, sizeof *b);
    cudaMemset(a, 0, sizeof *a);
    k<<<1, 32>>>(a, b);
    cudaMemcpy(&got, b, sizeof got, cudaMemcpyDeviceToHost);
    return got == 1 << 17 ? 0 : 3;
}
"""


def quotient(counts):
    return counts["requests"] / counts["ideal_requests"]


class Sampled(CommandTest):
    def report(self, *words):
        done = self.run_riffle("lint", FILE, "--json", *LATE, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_hazards_of_blocks_that_are_not_counted(self):
        """All are told that are where every block is counted, each as often, in the same words."""
        every, few = self.report("--accesses", 0), self.report(*FEW)
        self.assertEqual({(one["kernel"], one["kind"], one["line"]) for one in few["hazards"]}, {
            ("below", "out-of-bounds", line("below")), ("unsynced", "race", line("unsynced writes")), ("meets", "race", line("meets")),
            ("unsynced", "uninitialized", line("unsynced reads")), ("unset", "uninitialized", line("unset")),
            ("misaligned", "misaligned", line("misaligned")), ("misaligned", "race", line("misaligned"))})
        self.assertEqual(few["hazards"], every["hazards"])
        self.assertEqual((few["exit_status"], few["blocks"], few["run_blocks"], few["checked_blocks"]), (0, *3 * [few["blocks"]]))
        self.assertEqual((every["counted_blocks"], few["counted_blocks"] < few["blocks"] / 8), (every["blocks"], True))

    def test_counted_blocks_stand_for_all(self):
        """A kernel that wastes more in later blocks: the quotient of the sample is within the error that it states of that of all blocks."""
        def strided(*words):
            return next(row for row in self.report(*words)["rounds"] if row["line"] == line("strided") and row["op"] == "read")
        every, few, first = strided("--accesses", 0), strided("--accesses", 2560), strided("--accesses", 128)
        self.assertNotIn("error", every)
        self.assertIsNone(first["error"], "a single block tells nothing of others")
        self.assertAlmostEqual(quotient(few) / quotient(every), 1, delta=few["error"])
        self.assertTrue(0 < few["error"] < 0.5, few["error"])

    @program_alone
    def test_blocks_of_unlike_cost(self):
        """Later blocks make more accesses, so that fewer of them are counted: each stands for more, and the error holds of estimates."""
        pathlib.Path(self.path("later.cu")).write_text(LATER, encoding="utf-8")
        def read(words):
            done = self.run_riffle("lint", "later.cu", "--json", *LATE, "--accesses", words)
            return next(row for row in json.loads(done.stdout)["rounds"] if row["line"] == 4)
        every = read(0)
        for most in (30000, 100000, 300000, 600000):
            few = read(most)
            estimate = few.get("estimate", few)
            self.assertTrue(0 < few["error"] < 0.3, few["error"])
            self.assertAlmostEqual(quotient(estimate) / quotient(every), 1, delta=few["error"], msg=most)
            self.assertAlmostEqual(estimate["warps"] / every["warps"], 1, delta=0.3, msg=most)
        said = self.run_riffle("lint", "later.cu", *LATE, "--accesses", 30000).stdout
        self.assertRegex(said, r"blocks were counted; of all blocks requests / ideal is \d\.\d\d within \d+\.\d%, with 95%, in the least certain row \(later.cu:[45]\)")

    def test_limits_are_told(self):
        """The block with the fault is none of those drawn for so many accesses."""
        words = ["--accesses", 1280, "--kernel", "unsynced"]
        said = self.run_riffle("lint", FILE, *LATE, *words).stdout
        self.assertRegex(said, r"\nsampled: 7 of 96 blocks were counted; how sure they are is not known of 3 rows; hazards were looked for in all; see --accesses, --checks and --work\n")
        said = self.run_riffle("lint", FILE, *LATE, *words, "--checks", 2048).stdout
        self.assertRegex(said, "hazards were looked for in 17; see")
        self.assertIn("\nhazards: 0\n", said, "the fault is in the last block but one")

    def test_blocks_are_left_out(self):
        """Units of work are 16 a thread and 8 an access that is looked at: a program comes to its end without the rest, and without its results."""
        report = self.report("--work", 2**17)
        self.assertEqual((report["exit_status"], report["partial"]), (3, False))
        self.assertLess(report["run_blocks"], 96)
        self.assertEqual((report["checked_blocks"], report["counted_blocks"], report["hazards"]), (*2 * [report["run_blocks"]], []))
        self.assertEqual(report["blocks"], self.report()["blocks"])
        said = self.run_riffle("lint", FILE, *LATE, "--work", 2**17).stdout
        self.assertIn(f"{report['blocks'] - report['run_blocks']} did not run, so that results are not what they would be", said)

    @program_alone
    def test_waits_are_work(self):
        """A thread that goes on behind a barrier is 16 units: 32 threads with 64 of them and a write are 33536, so that 4 blocks are 2^17."""
        pathlib.Path(self.path("waits.cu")).write_text(WAITS, encoding="utf-8")
        report = json.loads(self.run_riffle("lint", "waits.cu", "--json", *LATE, "--work", 2**17).stdout)
        self.assertEqual((report["blocks"], report["run_blocks"]), (64, 4))

    @program_alone
    def test_a_long_loop_is_no_endless_one(self):
        """One of 2^25 accesses comes to its end, of which as many are counted as may be; and one that --work does not suffice for is no hazard,
        and no success either."""
        file = pathlib.Path(self.path("long.cu"))
        file.write_text(LONG, encoding="utf-8")
        report = json.loads(self.run_riffle("lint", file, "--json", *LATE).stdout)
        self.assertEqual((report["exit_status"], report["hazards"], report["partial"]), (0, [], False))
        self.assertEqual((report["run_blocks"], report["checked_blocks"], report["counted_blocks"]), (1, 1, 0))
        self.assertLess(sum(row["warps"] for row in report["rounds"]), 2**24 + 2**17)
        done = self.run_riffle("lint", file, *LATE, "--work", 2**25, "--fail-on", "race")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nhazards: 0\n", done.stdout)
        self.assertRegex(done.stdout, rf"partial: long.cu:{commented_line(file, 'goes on')}: k: thread \(0,0,0\) of block \(0,0,0\) did not end within \d+ accesses: raise --work")
        self.assertIn("1 block did not run, so nothing is known of hazards there", done.stderr)
        report = json.loads(self.run_riffle("lint", file, "--json", *LATE, "--work", 2**25).stdout)
        self.assertRegex(report["unfinished"], r"did not end within \d+ accesses$")

    def test_blocks_that_did_not_run_are_no_success(self):
        """With --fail-on of a hazard; without one, or of a row, the report alone says so. Blocks that ran unseen are told."""
        def judged(*words):
            done = self.run_riffle("lint", FILE, *LATE, "--kernel", "right", "--sarif", "s.json", *words)
            with open(self.path("s.json"), encoding="utf-8") as document:
                return done.returncode, done.stderr, json.load(document)["runs"][0]["invocations"][0]["executionSuccessful"]
        few = ["--work", 2**16]
        unrun = r"riffle: .*lint_sampled.cu: \d+ blocks did not run, so nothing is known of hazards there; run more with --work, all by 0\n"
        for on in ("hazard", "race"):
            status, said, successful = judged(*few, "--fail-on", on)
            self.assertRegex(said, unrun)
            self.assertEqual((status, successful), (1, False))
        for words in ([], ["--fail-on", "conflict"]):
            self.assertEqual(judged(*few, *words), (0, "", False))
        self.assertEqual(judged("--work", 0, "--fail-on", "hazard"), (0, "", True))
        status, said, successful = judged(*FEW, "--checks", 2048, "--fail-on", "hazard")
        self.assertRegex(said, r"in \d+ blocks that ran no hazard was looked for; look in more with --checks, in all by 0\n")
        self.assertEqual((status, successful), (0, True))

    @program_alone
    def test_processors_change_nothing(self):
        """Reports are the same on one processor and on all, and from run to run."""
        def printed(*words):
            return self.run_riffle("lint", FILE, "--json", *LATE, *words).stdout
        usual = os.sched_getaffinity(0)
        for words in (FEW, [*FEW, "--checks", 4096], ["--work", 2**20]):
            wide = printed(*words)
            try:
                os.sched_setaffinity(0, {min(usual)})
                narrow = printed(*words)
            finally:
                os.sched_setaffinity(0, usual)
            self.assertEqual(wide, narrow, words)


if __name__ == "__main__":
    main()
