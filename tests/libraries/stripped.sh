#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# stripped.sh RIFFLE LIBRARY STRIP: the memory machine without debug information, as a packager may leave it, knows no lines, and counts
# the same: a barrier that the compiler has made two call sites of is one.
set -euo pipefail
riffle=$1 library=$2 strip=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$library" "$folder"
"$strip" --strip-debug "$folder/$(basename "$library")"

failed=0
counts() { "$riffle" simulate "$@" | grep -v '^kernel \|[^ ]:[0-9][0-9]* '; } # without the rows of lines
for arguments in "--by transpose:34x37 --n 1258 --in-place" "--by transpose:12x32 --n 384 --elem-bytes 2 --in-place" \
    "--by random:1 --n 4096 --algorithm scheduled" "--by random:1 --n 256 --in-blocks 1 --algorithm gather" "--sort --n 3000" "--hull disc --n 2000"; do
    read -ra split <<<"$arguments"
    counts "${split[@]}" >"$folder/whole"
    [ -s "$folder/whole" ] || { echo "stripped.sh: simulate $arguments counts nothing" && exit 1; }
    RIFFLE_LIBRARY_PATH=$folder counts "${split[@]}" >"$folder/stripped" || failed=1
    diff "$folder/whole" "$folder/stripped" || { echo "stripped.sh: simulate $arguments" && failed=1; }
done
exit $failed
