# SPDX-License-Identifier: Apache-2.0
"""riffle lint of programs with CUB and Thrust, compiled with the headers that come with nvcc. Skipped where there are none."""
import glob
import json
import os
import pathlib
import shutil
import unittest

from command import COMPILERS, LONG, CommandTest, commented_line, main, program_alone

HERE = pathlib.Path(__file__).parent


def has_cccl():
    """The toolkit that lint would take."""
    nvcc = shutil.which("nvcc")
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or \
        (os.path.dirname(os.path.dirname(os.path.realpath(nvcc))) if nvcc else "/usr/local/cuda")
    return bool(glob.glob(home + "/include/cccl/cub") or glob.glob(home + "/targets/*/include/cccl/cub"))


INSTALLED = has_cccl()


def line(file, name):
    """The number of the line that ends with this comment."""
    return commented_line(HERE / file, name)


class Cccl(CommandTest):
    def lint(self, file, *words, **options):
        return self.run_riffle("lint", HERE / file, *words, **options)

    @program_alone
    @unittest.skipUnless(INSTALLED, "CUB's headers, which come with nvcc, are not installed")
    def test_collectives_of_blocks_and_warps(self):
        """Results are those of plain loops, which the program checks. Accesses are counted at CUB's lines, told with the user's, and a missing
        barrier is told at the user's."""
        file = "lint_cub_block.cu"
        for compiler in self.compilers():
            done = self.lint(file, "--json", "--compiler", compiler)
            self.assertEqual((done.returncode, done.stderr), (0, "0 wrong\n"))
            report = json.loads(done.stdout)
            self.assertEqual({(one["kernel"], one["kind"], *sorted((one["line"], one["other_line"]))) for one in report["hazards"]},
                             {("twice", "race", line(file, "reads"), line(file, "writes"))})
            self.assertEqual({one["file"] for one in report["hazards"]}, {file})
            at = {name: f"{file}:{line(file, name)}" for name in ("loads", "reduces")}
            rows = [row for row in report["rounds"] if row["kernel"].startswith("collect")]
            loads = [row for row in rows if row["space"] == "global" and row["op"] == "read"]
            # 3 blocks of 256 integers, 4 sectors a warp
            self.assertEqual([(row["requests"], row["called_from"].split(" < ")[-1]) for row in loads], [(3 * 32, at["loads"])])
            # the sum of each of 2 warps is written, and one thread reads that of the other
            sums = {row["op"]: (row["space"], row["requests"]) for row in rows if row.get("called_from", "").endswith(at["reduces"])}
            self.assertEqual(sums, {"write": ("shared", 3 * 2), "read": ("shared", 3)})

    def check_algorithm(self, name, kernels, *words):
        done = self.lint("lint_cub_device.cu", "-D", name, "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, "0 wrong\n"))
        report = json.loads(done.stdout)
        self.assertEqual((report["hazards"], report["partial"]), ([], False))
        self.assertEqual({one["kernel"] for one in report["launches"]}, kernels)

    @unittest.skipUnless(INSTALLED and LONG, "CUB's headers, which come with nvcc, are not installed, or RIFFLE_TEST_LONG is not set")
    def test_algorithms_of_the_device(self):
        """A compiler has some ten seconds of work for each. Blocks of a scan look back at each other's sums; kernels have CUB's names for them."""
        for compiler in COMPILERS:
            self.check_algorithm("SCAN", {"DeviceScanInitKernel", "DeviceScanKernel"}, "--compiler", compiler)
            self.check_algorithm("REDUCE", {"DeviceReduceKernel", "DeviceReduceSingleTileKernel"}, "--compiler", compiler)
            self.check_algorithm("SELECT", {"DeviceCompactInitKernel", "DeviceSelectSweepKernel"}, "--compiler", compiler)
            self.check_algorithm("SORT", {"DeviceRadixSortHistogramKernel", "DeviceRadixSortExclusiveSumKernel", "DeviceRadixSortOnesweepKernel"},
                                 "--compiler", compiler)
            self.check_algorithm("HISTOGRAM", {"DeviceHistogramInitKernel", "DeviceHistogramSweepKernel"}, "--compiler", compiler)

    @unittest.skipUnless(INSTALLED and LONG, "Thrust's headers, which come with nvcc, are not installed, or RIFFLE_TEST_LONG is not set")
    def test_thrust_by_its_own_headers(self):
        """A header that riffle lacks has all of them taken from CUDA; what Thrust does is launched and counted then."""
        done = self.lint("lint_thrust_own.cu", "--json", "--compiler", COMPILERS[0])
        self.assertEqual((done.returncode, done.stderr), (0, "0 wrong\n"))
        report = json.loads(done.stdout)
        self.assertEqual((report["hazards"], report["partial"]), ([], False))
        self.assertEqual({one["kernel"] for one in report["launches"]},
                         {"static_kernel", "twice", "transform_kernel", "DeviceReduceKernel", "DeviceReduceSingleTileKernel"})

    @program_alone
    def test_without_a_toolkit_its_headers_are_named(self):
        os.mkdir(self.path("none"))
        done = self.lint("lint_cub_block.cu", env={**os.environ, "CUDA_HOME": self.path("none")})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^riffle: .*lint_cub_block.cu:\d+: cub/block/block_load.cuh: the machine does not supply this part of CUDA, "
                                      r"but takes CUDA's own header where it is installed; put its nvcc on PATH, or name its folder by CUDA_HOME\n$")


if __name__ == "__main__":
    main()
