#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# headers.sh include/: every public header compiles alone, in C and in C++, without a warning.
set -euo pipefail
cd "$1"
warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT

find . -name '*.h' | sort | while read -r header; do
    for language in "cc c c11" "c++ c++ c++11" "c++ c++ c++20"; do
        read -r compiler suffix standard <<<"$language"
        printf '#include "%s"\nint main(void) { return 0; }\n' "$header" >"$alone/alone.$suffix"
        "$compiler" "-std=$standard" "${warnings[@]}" -I . -fsyntax-only "$alone/alone.$suffix"
        echo "$header: $standard"
    done
done
