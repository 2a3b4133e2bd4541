#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sizes.sh BUILD [OBJECTS]: bytes of each library in BUILD, stripped as packages have it, and of its sections, the largest first; then of the
# 20 largest OBJECTS files of libriffle (20 unless told).
set -euo pipefail
build=$1 most=${2-20}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for library in "$build"/libriffle.so "$build"/libriffle-*.so.*; do
    [ -f "$library" ] && { [ "$library" = "$build/libriffle.so" ] || [ ! -L "$library" ]; } || continue # a link to another one is not counted twice
    strip --strip-unneeded -o "$scratch/library" "$library"
    printf '%s: %s bytes stripped\n' "$(basename "$library")" "$(stat -c %s "$scratch/library")"
    size -A "$scratch/library" | awk '$2 >= 1000 && $1 ~ /^[._]/ { printf "%12d %s\n", $2, $1 }' | sort -rn
done

printf 'objects of libriffle: text and data\n'
objects=$build/CMakeFiles/riffle_objects.dir
find "$objects" -name '*.o' -print0 | xargs -0 size | awk -v folder="$objects/" '$6 ~ /\.o$/ { sub(folder, "", $6); printf "%12d %s\n", $1 + $2, $6 }' |
    sort -rn | sed "${most}q"
