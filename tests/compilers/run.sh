#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh SOURCE_DIR: a warning is an error where RIFFLE_STRICT is asked for and the list of cmake/RiffleCompilers.cmake has the
# compiler; it is printed, and no more than that, otherwise. This machine's compiler is taken for others.
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# builds ID VERSION STRICT LANGUAGE EXPECTED: whether the program that is warned of becomes an object, `yes` or `no`.
builds() {
    local folder=$scratch/$1-$2-$3 became=yes
    [ -d "$folder" ] || cmake -S "$source/tests/compilers" -B "$folder" -DPRETENDED_ID="$1" -DPRETENDED_VERSION="$2" -DRIFFLE_STRICT="$3" \
        -DRIFFLE_COMPILERS="$source/cmake/RiffleCompilers.cmake" >"$scratch/configure" 2>&1 || { cat "$scratch/configure" && exit 1; }
    cmake --build "$folder" --target "warned_$4" >"$scratch/build" 2>&1 || became=no
    if [ $became != "$5" ] || ! grep -q "narrow" "$scratch/build"; then
        echo "$4 by $1 $2, RIFFLE_STRICT=$3: an object: $became; expected was $5, and a warning" && cat "$scratch/build" && exit 1
    fi
    echo "$4 by $1 $2, RIFFLE_STRICT=$3: as expected"
}

for language in c cpp; do
    for listed in "GNU 12.2.0" "GNU 14.2.0" "Clang 14.0.6" "Clang 19.1.7"; do
        builds ${listed% *} ${listed#* } ON $language no
    done
    builds GNU 12.2.0 OFF $language yes
    builds GNU 99.1.0 ON $language yes
    builds GNU 1.2.0 ON $language yes
    builds Clang 12.0.1 ON $language yes
done
