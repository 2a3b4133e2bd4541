#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# aarch64.sh BUILD: builds the command for aarch64 in BUILD-aarch64 with gcc, and has qemu-user run it: each case must write
# what BUILD's riffle writes, byte for byte. Where a tool is missing it says so, and ends with status 77. The build is without
# optimization. With RIFFLE_TEST_LONG it has the memory machine, which counts kernels of moves and sorts alone there, for elements of 4 bytes,
# which all that is simulated here has: a sixth of the time of all kernels.
set -euo pipefail

[ $# = 1 ] || { echo "usage: aarch64.sh BUILD" >&2; exit 2; }
build=$1-aarch64
here=$(realpath "$1/riffle")
cd "$(dirname "$0")/.."
for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64; do
    command -v $tool >/dev/null && continue
    echo "aarch64.sh: skipped: there is no $tool (apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user)" >&2
    exit 77
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# quietly COMMAND...: shows what the command printed only if it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" && exit 1; }
}

alone=ON
[ -z "${RIFFLE_TEST_LONG:-}" ] || alone=OFF
ninja=()
[ -e "$build/CMakeCache.txt" ] || ! command -v ninja >/dev/null || ninja=(-G Ninja)
quietly cmake -S . -B "$build" "${ninja[@]}" -DRIFFLE_ALONE=$alone -DRIFFLE_CUDA=OFF -DRIFFLE_TESTS=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0 "-DCMAKE_CXX_FLAGS=-DKERNEL_IS_HERE\(name,bytes\)=\(\(bytes\)==4\)" \
    "-DRIFFLE_KERNELS_WITHOUT_HOOKS=program;hull;hull_steps;once;merge;bits;histogram;group"
quietly cmake --build "$build" -j "${JOBS:-$(nproc)}" --target riffle_command
there=$(realpath "$build/riffle")
cd "$scratch"
failed=0

fails() {
    echo "aarch64: $*: FAILED" >&2
    failed=1
}

# riffle_there ARGUMENT...: the command for aarch64.
riffle_there() {
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$there" "$@"
}

# alike COMMAND OPTION...: riffle COMMAND $input OUT OPTION... writes the same OUT on both.
input=in.npy
alike() {
    local command=$1
    shift
    "$here" "$command" "$input" here.npy "$@" >/dev/null
    if riffle_there "$command" "$input" there.npy "$@" >/dev/null && cmp here.npy there.npy; then
        echo "aarch64: $command $*: alike"
    else
        fails "$command $*"
    fi
    rm -f here.npy there.npy
}

# simulates OPTION...: the memory machine runs kernels there, and checks their results itself.
simulates() {
    if riffle_there simulate "$@" >/dev/null; then echo "aarch64: simulate $*: runs"; else fails "simulate $*"; fi
}

/usr/bin/env python3 - <<'EOF'
import struct
numbers = [(k * 2654435761) % 2**32 for k in range(4096)]

def write(name, descr, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (4096,), }" % descr
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


write("in.npy", "<u4", struct.pack("<4096I", *numbers))
write("halves.npy", "<f2", struct.pack("<4096e", *((x % 4001 - 2000) / 64 for x in numbers)))
EOF
for by in bit-reversal reverse rotate:5 random:1 transpose:64x64 axes:16x8x32:2,0,1 '~random-affine:3|shuffle'; do alike permute --by "$by"; done
alike permute --by bit-reversal --algorithm affine
alike permute --by random:1 --algorithm bucket
alike permute --by random:1 --algorithm once
for by in shuffle random:7 axes:64x64:1,0 axes:32x4x32:1,0,2 axes:8x8x64:2,1,0 'bits:3,1,2,0,5,4,7,6,9,8,11,10'; do alike permute --by "$by"; done
for view in ::-1 ::-3 5:4091 ::2; do alike permute --view "$view"; done
alike sort
alike sort --descending
for by in 'sort n' 'hadamard n' 'reed-muller n'; do alike run --by "$by"; done
input=halves.npy
for by in 'sort n' 'hadamard n' 'moebius n' 'zeta n' 'parm 5 (pair swap) id'; do alike run --by "$by"; done
for by in bit-reversal reverse random:1 axes:16x8x32:2,0,1; do alike permute --by "$by"; done
alike permute --view ::-1
alike sort
[ $alone = OFF ] || exit $failed
input=in.npy
for algorithm in scatter gather affine scheduled; do simulates --by bit-reversal --n 1024 --algorithm $algorithm; done
simulates --by transpose:32x32 --n 1024
simulates --by random:1 --n 1024
simulates --by reverse --n 1024
simulates --by axes:32x4x8:2,0,1 --n 1024
simulates --sort --n 4096
exit $failed
