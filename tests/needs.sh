#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# needs.sh libriffle.so libriffle.a [libriffle-NAME.so.*]...: kernels are compiled as C++, and the libraries stay ones of C: they need no
# C++ run-time library, and no symbol that one has. (__cxa_atexit, __cxa_finalize are the C library's.) Nor do they need each other:
# libriffle loads the others when they are asked for.
set -euo pipefail

libraries=$(for file in "$1" "${@:3}"; do readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; done | sort -u)
symbols=$(nm -D --undefined-only "$1" && nm --undefined-only "$2" && for file in "${@:3}"; do nm -D --undefined-only "$file"; done)
[ -n "$libraries" ] && grep -q ' malloc' <<<"$symbols" # or nothing was looked at

if grep -E '^lib(riffle|cuda)' <<<"$libraries"; then
    echo "these are to be loaded, not needed" >&2
    exit 1
fi
if grep -E '^lib(std)?c\+\+' <<<"$libraries" ||
    awk '{print $NF}' <<<"$symbols" | grep -vE '^__cxa_(atexit|finalize)(@|$)' | grep -E '^(_Z|__cxa_|__gxx_)'; then
    echo "these are of C++, which libriffle must not need" >&2
    exit 1
fi
echo "no C++ among:" $libraries
