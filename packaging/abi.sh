#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# abi.sh LIBRARY [--renew]: compares the ABI of libriffle.so, built with debugging information, with the baseline packaging/libriffle.abi by
# abidiff: functions may have been added, and nothing else changed. --renew makes LIBRARY's the baseline: a release that may break programs
# (docs/library.md) has a new one.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
baseline=$root/packaging/libriffle.abi
library=$1
command -v abidiff >/dev/null || { echo "abi.sh: abidiff is missing (apt-get install abigail-tools)" >&2; exit 1; }
[ "$(uname -m)" = x86_64 ] || { echo "abi.sh: not compared, the baseline is x86-64's"; exit 0; }
readelf -S "$library" | grep '\.debug_info' >/dev/null || { echo "abi.sh: $library has no debugging information to compare; build it with -g" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Both sides are written by abidw: abidiff would take what the library keeps to itself into account.
abidw --exported-interfaces-only --headers-dir "$root/include" --drop-private-types --drop-undefined-syms --no-elf-needed --no-show-locs \
    --no-comp-dir-path --no-corpus-path --no-parameter-names --out-file "$scratch/abi" "$library"
if [ "${2-}" = --renew ]; then
    cp "$scratch/abi" "$baseline"
else
    abidiff --no-added-syms "$baseline" "$scratch/abi" ||
        { echo "abi.sh: the ABI is not the baseline's; mend it, or renew the baseline (--renew)" >&2; exit 1; }
fi
