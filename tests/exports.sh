#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# exports.sh libriffle.so libriffle.a [libriffle-NAME.so.*]...: the first two must offer the functions of include/, and nothing else; the
# libraries that they load must offer one table each, and nothing else. Debian's lists of symbols name the functions too, libriffle-mpi's those of
# mpi/include.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

# promises HEADER...: the functions that these headers mark as exported.
promises() { cat "$@" | tr '\n' ' ' | grep -oE 'RIFFLE_(MPI_)?API [^;(]*\(' | grep -oE 'riffle_[a-z0-9_]+\($' | tr -d '(' | sort -u; }

# listed PACKAGE: the functions that Debian's list of the package's symbols names.
listed() { sed -n 's/^ \(.*\)@Base .*/\1/p' "$root/packaging/debian/$1.symbols"; }

compare() {
    if ! diff <(echo "$promised") <(sort -u); then
        echo "$1: < is promised by a header and missing, > is exported and no header says so" >&2
        exit 1
    fi
    echo "$1: $(wc -l <<<"$promised") functions, all promised"
}

promised=$(promises "$root"/mpi/include/riffle/mpi.h)
listed libriffle-mpi0.1 | compare packaging/debian/libriffle-mpi0.1.symbols
promised=$(promises "$root"/include/riffle.h "$root"/include/riffle/*.h)
nm -D --defined-only --extern-only "$1" | awk '$2 !~ /[Aa]/ {print $3}' | compare "$1"
nm --defined-only --extern-only "$2" | awk 'NF == 3 {print $3}' | compare "$2"
listed libriffle0.1 | compare packaging/debian/libriffle0.1.symbols

for module in "${@:3}"; do
    name=$(basename "$module" | sed 's/^libriffle-//; s/[.]so.*//')
    offered=$(nm -D --defined-only --extern-only "$module" | awk '$2 !~ /[Aa]/ {print $3}')
    if [ "$offered" != "riffle_${name}_library" ]; then
        printf '%s must offer riffle_%s_library alone, and offers:\n%s\n' "$module" "$name" "$offered" >&2
        exit 1
    fi
    echo "$module: $offered alone"
done
