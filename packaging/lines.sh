#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lines.sh LIBRARY: fails unless libriffle-machine, as a package has it, knows the lines of the kernels that it runs: to strip takes them away. It reads the
# library of any processor, and needs none of its run.
set -euo pipefail
readelf --debug-dump=decodedline "$1" 2>/dev/null | grep '^row_wise\.cu  *[1-9]' >/dev/null ||
    { echo "lines.sh: $1 has no lines of kernels; it was stripped" >&2; exit 1; }
