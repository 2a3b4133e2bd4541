#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# exports.sh libriffle.so libriffle.a [libriffle-NAME.so.*]...: the first two must offer the functions of include/, and nothing else; the
# libraries that they load must offer one table each, and nothing else. Debian's list of symbols names the functions too.
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
sed -n 's/^ \(.*\)@Base .*/\1/p' "$root/packaging/debian/libriffle0.1.symbols" | compare packaging/debian/libriffle0.1.symbols

for module in "${@:3}"; do
    name=$(basename "$module" | sed 's/^libriffle-//; s/[.]so.*//')
    offered=$(nm -D --defined-only --extern-only "$module" | awk '$2 !~ /[Aa]/ {print $3}')
    if [ "$offered" != "riffle_${name}_library" ]; then
        printf '%s must offer riffle_%s_library alone, and offers:\n%s\n' "$module" "$name" "$offered" >&2
        exit 1
    fi
    echo "$module: $offered alone"
done
