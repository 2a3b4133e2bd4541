# SPDX-License-Identifier: Apache-2.0
"""Spack's recipe. No place has the source archive yet: `spack dev-build --source-path . riffle@0.1.0` builds the tree at hand."""
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Riffle(CMakePackage):
    """Permutations of arrays, planned and then moved in few passes."""

    license("Apache-2.0")

    version("0.1.0")

    variant("cuda", default=False, description="Build the engine for NVIDIA GPUs")
    variant("mpi", default=False, description="Build libriffle-mpi, for arrays over the ranks of an MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")  # lint compiles kernels by the compiler that is there
    depends_on("cmake@3.21:", type="build")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("mpi", when="+mpi")
    depends_on("elfutils")  # source lines: libdw is loaded when they are asked for

    requires("platform=linux")

    def cmake_args(self):
        return [
            self.define("RIFFLE_TESTS", False),
            self.define("RIFFLE_CCACHE", False),
            self.define_from_variant("RIFFLE_MPI", "mpi"),
            self.define("RIFFLE_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.riffle)("simulate", "--by", "bit-reversal", "--n", "256")
