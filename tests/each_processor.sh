#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# each_processor.sh BUILD [CTEST-ARGUMENTS]: the tests that make plans, once for each recorded processor
# (RIFFLE_PROCESSOR, docs/command.md). No result may depend on the processor that a test happens to run on.
set -euo pipefail

build=${1:?usage: each_processor.sh BUILD [CTEST-ARGUMENTS]}
shift
refusal=$(RIFFLE_PROCESSOR=? "$build/riffle" info 2>&1) || true # which lists the records
names=$(sed -n 's/^riffle: RIFFLE_PROCESSOR: .*; take \(.*\), or leave it unset$/\1/p' <<<"$refusal")
[ -n "$names" ] || { echo "each_processor.sh: riffle lists no processors: $refusal" >&2; exit 1; }
# Tests that make no plan of the cpu engine, and so need not be run again.
others='fuzz|exports|headers|install|lint|congestion|rap|npy|gf2|hmm|machine|vat|python_package|simulate|tables|io_bounds|cuda'

failed=()
for name in ${names//,/}; do
    echo "RIFFLE_PROCESSOR=$name"
    RIFFLE_PROCESSOR=$name ctest --test-dir "$build" -E "$others" --output-on-failure --progress "$@" || failed+=("$name")
done
[ ${#failed[@]} -eq 0 ] || { echo "each_processor.sh: failed with ${failed[*]}" >&2; exit 1; }
