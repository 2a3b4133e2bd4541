#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# exports.sh libriffle.so libriffle.a: both must offer the functions of include/, and nothing else.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

promised=$(cat "$root"/include/riffle.h "$root"/include/riffle/*.h | tr '\n' ' ' |
    grep -oE 'RIFFLE_API [^;(]*\(' | grep -oE 'riffle_[a-z0-9_]+\($' | tr -d '(' | sort -u)

compare() {
    if ! diff <(echo "$promised") <(sort -u); then
        echo "$1: < is promised by a header and missing, > is exported and no header says so" >&2
        exit 1
    fi
    echo "$1: $(wc -l <<<"$promised") functions, all promised"
}

nm -D --defined-only --extern-only "$1" | awk '$2 !~ /[Aa]/ {print $3}' | compare "$1"
nm --defined-only --extern-only "$2" | awk 'NF == 3 {print $3}' | compare "$2"
