#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# needs.sh libriffle.so libriffle.a: the kernels are compiled as C++, and the library stays one of C: it needs no C++
# run-time library, and no symbol that one has. (__cxa_atexit, __cxa_finalize are the C library's.)
set -euo pipefail

libraries=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
symbols=$(nm -D --undefined-only "$1" && nm --undefined-only "$2")
[ -n "$libraries" ] && grep -q ' malloc' <<<"$symbols" # or nothing was looked at

if grep -E '^lib(std)?c\+\+' <<<"$libraries" ||
    awk '{print $NF}' <<<"$symbols" | grep -vE '^__cxa_(atexit|finalize)(@|$)' | grep -E '^(_Z|__cxa_|__gxx_)'; then
    echo "these are of C++, which libriffle must not need" >&2
    exit 1
fi
echo "no C++ among:" $libraries
