#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh BUILD: compiles cases.c, and of the library what BUILD's linker takes for it, by gcc for aarch64 and has qemu-user run it: each case must
# say what it says here. Nothing is optimized, and of the memory machine's kernels moves of 4 bytes are compiled alone, with the flags that
# KERNEL_FLAGS has: a compiler takes longer than the cases. Where a tool is missing it says so, and ends with status 77.
set -euo pipefail

[ $# = 1 ] || { echo "usage: KERNEL_FLAGS=... run.sh BUILD" >&2; exit 2; }
build=$(realpath "$1")
cd "$(dirname "$0")/../.."
for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64; do
    command -v $tool >/dev/null && continue
    echo "aarch64: skipped: there is no $tool (apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user)" >&2
    exit 77
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/there"
flags=(-O0 -fPIC -I include -I src -I .)
c=(-std=gnu11 -fopenmp "${flags[@]}")
libraries=(-fopenmp -lm -ldl)

objects=$build/CMakeFiles/riffle
find "${objects}_objects.dir" "${objects}_machine_objects.dir" "$build/riffle_machine_move.o" -name '*.o' -print0 | xargs -0 ar crsT "$scratch/all.a"
"${CC:-cc}" "${c[@]}" tests/aarch64/cases.c "$scratch/all.a" -o "$scratch/cases" "${libraries[@]}" -fuse-ld=bfd -Wl,-t >"$scratch/taken"
"$scratch/cases" >"$scratch/here"

# A source is the tree's, or one that the build made. Sets of x86-64 have nothing for this processor, which has a set of its own.
sources() {
    sed -n "s,^${objects}_[a-z_]*\.dir/\(.*\)\.o$,\1,p" "$scratch/taken" | grep -vE '_(ssse3|avx2|avx512|avx512fp16)\.c$'
    find src -name '*_neon.c'
    echo tests/aarch64/cases.c
}
sources | sort -u | while read -r source; do
    object=$scratch/there/${source//\//+}.o
    [ -e "$source" ] || source=$build/$source
    printf '%s\0' -c "$source" -o "$object"
done | xargs -0 -n 4 -P "${JOBS:-$(nproc)}" aarch64-linux-gnu-gcc "${c[@]}" -w
# shellcheck disable=SC2086 # KERNEL_FLAGS are words
aarch64-linux-gnu-g++ -std=c++17 $KERNEL_FLAGS "${flags[@]}" '-DKERNEL_IS_HERE(name,bytes)=((bytes)==4)' -c "$build/kernel_include/move.cpp" -o "$scratch/move.o"
aarch64-linux-gnu-objcopy --redefine-syms=machine/device/hooks.syms "$scratch/move.o" "$scratch/there/move.o"
aarch64-linux-gnu-gcc "$scratch"/there/*.o -o "$scratch/cases" "${libraries[@]}"

qemu-aarch64 -L /usr/aarch64-linux-gnu "$scratch/cases" >"$scratch/there.txt" || { cat "$scratch/there.txt" && exit 1; }
diff "$scratch/here" "$scratch/there.txt" || { echo "aarch64: < is what this machine said, > what aarch64 did" >&2 && exit 1; }
echo "aarch64: $(wc -l <"$scratch/here") cases are alike"
