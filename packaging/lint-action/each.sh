#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# each.sh [OPTION...] FILE.cu...: riffle lint of each file by itself, with the options that stand first: words up to the last one that does not end in .cu.
# Fails if one of them does. With RIFFLE_SARIF=FOLDER each writes its findings there. RIFFLE names the command.
set -eu
riffle=${RIFFLE:-riffle}
command -v "$riffle" >/dev/null || {
    echo "each.sh: $riffle is not installed; docs/lint.md says how to get it" >&2
    exit 1
}
files=0
for word in "$@"; do
    case $word in
    *.cu) files=$((files + 1)) ;;
    *) files=0 ;;
    esac
done
[ "$files" -gt 0 ] || exit 0
options=$(($# - files))
failed=0
number=0
for word in "$@"; do
    number=$((number + 1))
    [ "$number" -gt "$options" ] || continue
    echo "== $word"
    (
        kept=0
        for option in "$@"; do
            [ "$kept" -lt "$options" ] && set -- "$@" "$option"
            kept=$((kept + 1))
        done
        shift "$kept"
        if [ -n "${RIFFLE_SARIF:-}" ]; then set -- "$@" --sarif "$RIFFLE_SARIF/$number.sarif"; fi
        exec "$riffle" lint "$word" "$@"
    ) || failed=1
done
exit "$failed"
