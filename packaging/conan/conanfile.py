# SPDX-License-Identifier: Apache-2.0
"""Conan 2's recipe, for the source tree that it lies in: `conan create packaging/conan`."""
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ("CMakeLists.txt", "LICENSE", "bench/suites/*", "cli/*", "cmake/*", "docs/*", "include/*", "machine/*", "packaging/*.in", "packaging/riffle.1",
           "src/*")


class Riffle(ConanFile):
    name = "riffle"
    description = "Permutations of arrays, planned and then moved in few passes"
    license = "Apache-2.0"
    topics = ("permutation", "transpose", "hpc", "cuda")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "cuda": [True, False]}
    default_options = {"shared": True, "cuda": False}

    def set_version(self):
        header = load(self, ROOT / "include/riffle.h")
        self.version = header.split('#define RIFFLE_VERSION "')[1].split('"')[0]

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, ROOT, self.export_sources_folder)

    def configure(self):  # C, and C++ without its library
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("riffle is for Linux on x86_64 and armv8")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for left_out in ("TESTS", "MPI", "CCACHE"):
            toolchain.cache_variables[f"RIFFLE_{left_out}"] = False
        toolchain.cache_variables["RIFFLE_CUDA"] = "ON" if self.options.cuda else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        for target in ("riffle_shared", "riffle_static", "riffle_command"):
            cmake.build(target=target)

    def package(self):
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):  # Conan makes the consumer's files
            rmdir(self, Path(self.package_folder) / folder)
        rm(self, "libriffle.a" if self.options.shared else "libriffle.so*", Path(self.package_folder) / "lib")
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")

    def package_info(self):
        self.cpp_info.libs = ["riffle"]
        self.cpp_info.set_property("cmake_target_aliases", [] if self.options.shared else ["riffle::static"])
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        if not self.options.shared:
            self.cpp_info.system_libs = ["m", "dl", "pthread"]
            self.cpp_info.exelinkflags = self.cpp_info.sharedlinkflags = ["-fopenmp"]
        # The libraries that libriffle loads lie there, wherever the program lies.
        self.runenv_info.define_path("RIFFLE_LIBRARY_PATH", str(Path(self.package_folder) / "lib"))
