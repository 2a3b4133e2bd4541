# SPDX-License-Identifier: Apache-2.0
#
# A thin front for CMake: each task in one word. Tasks name the tools that are missing and stop. `make bootstrap` installs
# them where there is apt-get; demo, check and check-long do so first, and say what before (packaging/bootstrap.sh).
#
#     make             build the libraries, the command, riffle-bench and examples in build/
#     make bootstrap   install what `make` needs, or what TASK does: build (the default), demo, check or docs
#     make demo        permute NumPy files, compare results and times with NumPy's
#     make check       all tests, then again under the sanitizers
#     make check-long  the fuzzers for a minute each, the tests with larger sizes, on every processor pretended, and, as root with
#                      debootstrap, a build by Debian 12's newest clang and check in a bare Debian 13
#     make docs        the API reference, from the headers, as web pages in build/api/html
#     make wheel       a wheel of the Python package for PYTHON (python3; or several), in build/wheels, each tried in an environment of its own
#     make release     source archive, wheels, Debian packages and their hashes in build/release, each tried; nothing is uploaded
#     make bench       what a copy and each permutation cost on this machine
#     make install     into PREFIX, /usr/local unless told
#     make format      clang-format every C file and kernel
#     make clean       remove the build folders
#
# Variables: BUILD, PREFIX, JOBS, CMAKE_ARGS (of the build in BUILD, and of wheel's), PYTHON (of wheel), FUZZ_SECONDS, STRICT (what has check's builds
# stop at a warning of a compiler that cmake/RiffleCompilers.cmake lists; empty has them stop at none).

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CMAKE_ARGS ?=
FUZZ_SECONDS ?= 60
PYTHON ?= python3
STRICT ?= -DRIFFLE_STRICT=ON
TASK ?= build

.PHONY: all bootstrap demo check check-long docs wheel release bench install format clean
MAKEFLAGS += --no-print-directory

# Ninja, where it is installed, in a folder that is new: make has CMake started twice for each object.
GENERATOR = $(if $(wildcard $(1)/CMakeCache.txt),,$(if $(shell command -v ninja),-G Ninja))

# $(call build,FOLDER,CMAKE-ARGUMENTS,TARGET): configures, quietly if all is well, and builds the target, or all. A check compiles kernels that no GPU here would run
# without effort; whatever is built next has them made anew.
define build
	@mkdir -p $(1)
	@cmake -S . -B $(1) $(GENERATOR) -DRIFFLE_CUDA_EFFORT=FULL $(2) >$(1)/configure.log 2>&1 || { cat $(1)/configure.log; exit 1; }
	cmake --build $(1) -j $(JOBS) $(if $(3),--target $(3))
endef

# $(call test,FOLDER...): one run of ctest over several build folders, so that one summary counts all tests. One test more than there are
# processors, since some wait.
# The thread sanitizer cannot work with every memory layout that a kernel may choose, hence setarch.
define test
	@mkdir -p $(BUILD)/tiers
	@printf 'subdirs("%s")\n' $(abspath $(1)) >$(BUILD)/tiers/CTestTestfile.cmake
	$$(setarch -R true 2>/dev/null && echo setarch -R) ctest --test-dir $(BUILD)/tiers --output-on-failure -j $(shell expr $(JOBS) + 1)
endef

all:
	@packaging/bootstrap.sh --name build
	$(call build,$(BUILD),$(CMAKE_ARGS),riffle_use)

bootstrap:
	@packaging/bootstrap.sh $(TASK)

demo:
	@packaging/bootstrap.sh demo
	$(call build,$(BUILD),$(CMAKE_ARGS),riffle_use)
	@python=$$(sed -n 's/^RIFFLE_PYTHON:STRING=//p' $(BUILD)/CMakeCache.txt) && "$$python" examples/demo.py $(BUILD)/riffle

check:
	@packaging/bootstrap.sh check
	$(call build,$(BUILD),-DRIFFLE_CUDA_EFFORT=CHECK $(CMAKE_ARGS) $(STRICT))
	$(call build,$(BUILD)-asan,-DRIFFLE_TIER=asan -DRIFFLE_SANITIZE=address$(comma)undefined -DRIFFLE_TEST_ALL=OFF $(kernels) $(STRICT))
	$(call build,$(BUILD)-tsan,-DRIFFLE_TIER=tsan -DRIFFLE_SANITIZE=thread$(comma)pointer-overflow -DRIFFLE_TEST_ALL=OFF -DCMAKE_C_COMPILER=clang \
		-DCMAKE_CXX_COMPILER=clang++ $(kernels) $(STRICT))
	$(call test,$(BUILD)-asan $(BUILD)-tsan $(BUILD))

check-long: export RIFFLE_TEST_LONG = 1
check-long:
	@packaging/bootstrap.sh check
	$(call build,$(BUILD),$(CMAKE_ARGS))
	$(call build,$(BUILD)-fuzz,-DRIFFLE_TIER=long -DRIFFLE_FUZZ=ON -DRIFFLE_FUZZ_SECONDS=$(FUZZ_SECONDS) \
		-DRIFFLE_SANITIZE=address$(comma)undefined -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
	$(call build,$(BUILD)-tsan,-DRIFFLE_TIER=tsan -DRIFFLE_SANITIZE=thread$(comma)pointer-overflow -DRIFFLE_TEST_ALL=ON \
		-DRIFFLE_KERNELS_FROM= -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
	$(call build,$(BUILD)-asan,-DRIFFLE_TIER=asan -DRIFFLE_SANITIZE=address$(comma)undefined -DRIFFLE_TEST_ALL=ON $(kernels))
	$(call test,$(BUILD) $(BUILD)-fuzz $(BUILD)-tsan $(BUILD)-asan)
	tests/each_processor.sh $(BUILD)
	JOBS=$(JOBS) tests/bare_debian.sh bookworm tests/newest_clang.sh
	JOBS=$(JOBS) tests/bare_debian.sh trixie make check

docs:
	@packaging/bootstrap.sh --name docs
	@mkdir -p $(BUILD)/api
	RIFFLE_API_FOLDER=$(BUILD)/api doxygen docs/Doxyfile
	@echo "The first page is $(BUILD)/api/html/index.html"

wheel:
	@packaging/bootstrap.sh --name build
	packaging/wheel.sh $(BUILD)/wheels "$(PYTHON)" $(CMAKE_ARGS)

release:
	@packaging/bootstrap.sh --name build
	rm -rf $(BUILD)/release
	JOBS=$(JOBS) packaging/release.sh $(BUILD)/release "$(PYTHON)"

bench: all
	$(BUILD)/riffle bench

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

format:
	git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' 'src/*.cu' 'src/*.cuh' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz

comma := ,
# Kernels for the memory machine are compiled once, in BUILD (cmake/RiffleMachine.cmake); check-long has clang compile them too.
kernels = -DRIFFLE_KERNELS_FROM=$(abspath $(BUILD))
