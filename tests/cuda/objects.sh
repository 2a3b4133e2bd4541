#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# objects.sh ARCHITECTURES OBJECT...: the objects that the kernels of plans are in are short, since the first plan of a process
# waits until one is loaded, a millisecond for each MB (src/device/cuda/objects.h): 2 MB at most for each architecture, and
# for the last one's PTX. A check compiles them without effort (RIFFLE_CUDA_EFFORT), some hundredths longer.
set -u
most=$((2000000 * ($1 + 1))) failed=0
shift
[ $# -ge 10 ] || { echo "objects.sh: $# objects, and there is one for each room and size of an element" && exit 1; }
for object in "$@"; do
    bytes=$(wc -c <"$object") || exit 1
    [ "$bytes" -le $most ] && continue
    echo "$object has $bytes bytes, and may have $most"
    failed=1
done
exit $failed
