#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# dependencies.sh FILE...: programs and libraries that must do without a C++ run-time library, whether it is loaded or
# linked into them.
set -euo pipefail

# refuse FILE WHAT LINES: complains of lines if there are any.
refuse() {
    [ -z "$3" ] && return
    printf '%s %s:\n%s\n' "$1" "$2" "$3" >&2
    exit 1
}

for file in "$@"; do
    symbols=$(nm "$file")
    refuse "$file" "loads a C++ library" "$(readelf -d "$file" | grep NEEDED | grep -E 'stdc\+\+|libc\+\+' || true)"
    # The C library's own end handlers have names of the C++ ABI.
    refuse "$file" "wants C++ symbols" "$(nm -D --undefined-only "$file" | grep -E ' (_Z|__cxa_|__gxx_)' |
        grep -vE ' __cxa_(finalize|atexit)(@|$)' || true)"
    refuse "$file" "has a C++ library in it" "$(grep -E ' (__cxa_throw|__gxx_personality_v0|_ZSt9terminatev)$' <<<"$symbols" || true)"
    echo "$file: $(wc -l <<<"$symbols") symbols, no C++ library"
done
