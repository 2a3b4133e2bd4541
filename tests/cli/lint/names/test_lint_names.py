# SPDX-License-Identifier: Apache-2.0
"""riffle lint of names and instructions that programs use in families: mathematics, roundings, halves, PTX, and what another file has."""
import json
import pathlib
import tempfile

from command import CommandTest, main

HERE = pathlib.Path(__file__).parent
# A brace is missing in a template: all that follows would pass for its body, a launch that comes before main among it.
OPEN_ENDED = """
__global__ void write(int *to) { to[threadIdx.x] = 1; }
int main() { write<<<1, 32>>>(nullptr); }
template <class T> __device__ void never(T *to) {
    if (to[0]) {
        to[1] = 2;
}
__global__ void race(int *to) { to[0] = threadIdx.x; }
struct launcher { launcher() { race<<<1, 32>>>(nullptr); } } launched_first;
"""


class Names(CommandTest):
    def test_programs_check_what_names_and_instructions_do(self):
        for compiler in self.compilers():
            for name in ("lint_names.cu", "lint_ptx_families.cu", "lint_runtime_names.cu", "lint_unused_templates.cu"):
                done = self.run_riffle("lint", HERE / name, "--json", "--timeout", 300, "--compiler", compiler)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(done.stdout)
                launched = 3 if name == "lint_runtime_names.cu" else 1
                self.assertEqual((report["exit_status"], report["hazards"], report["launched"]), (0, [], launched), done.stderr)

    def test_what_another_file_has_is_missed_only_where_the_program_runs(self):
        for compiler in self.compilers():
            def lint(*words):
                return self.run_riffle("lint", HERE / "lint_other_file.cu", "--timeout", 300, "--compiler", compiler, *words)

            self.assertIn("has no main", lint().stderr)
            self.assertIn("has no main", lint("-DCONSTRUCTOR").stderr)
            done = lint("-DMAIN")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "nothing defines .*(potential|verbose|table)")
            self.assertEqual(lint("-DMAIN", "-DOTHER").returncode, 0)
            self.assertEqual(lint("--kernel", "write", "--block", "32", "--arg", "int:32").returncode, 0)

    def test_a_template_that_is_instantiated_may_lack_no_name(self):
        for compiler in self.compilers():
            done = self.run_riffle("lint", HERE / "lint_unused_templates.cu", "-DINSTANTIATES", "--timeout", 300, "--compiler", compiler)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"lint_unused_templates.cu:24: .*'nothing_of_that_name'")

    def test_a_template_that_does_not_end_is_told_and_hides_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            open_ended = pathlib.Path(folder, "open_ended.cu")
            open_ended.write_text(OPEN_ENDED)
            for compiler in self.compilers():
                done = self.run_riffle("lint", open_ended, "--timeout", 300, "--compiler", compiler)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, r"open_ended.cu:\d+: ")


if __name__ == "__main__":
    main()
