#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# newest_clang.sh: builds everything with the newest clang that this Debian has (bare_debian.sh bookworm tests/newest_clang.sh).
# Its OpenMP would drive out that of the default clang, hence a Debian of its own.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
cd "$(dirname "$0")/.."
packaging/bootstrap.sh build
newest=$(apt-cache search --names-only '^clang-[0-9]+$' | sed 's/^clang-\([0-9]*\) .*/\1/' | sort -n | tail -n 1)
apt-get install -y -qq --no-install-recommends "clang-$newest" "libclang-rt-$newest-dev" "libomp-$newest-dev" libcmocka-dev >/dev/null
"clang-$newest" --version
cmake -S . -B build-clang -DRIFFLE_STRICT=ON -DCMAKE_C_COMPILER="clang-$newest" -DCMAKE_CXX_COMPILER="clang++-$newest"
cmake --build build-clang -j "${JOBS:-$(nproc)}"
