#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gpu.sh [--library LIBRIFFLE.a] OUTDIR: the package on this machine's GPU, with the PyTorch, CuPy and JAX that its python3 has. Builds the
# library with nvcc into build-gpu, unless one is given, installs the package in an environment that sees those, runs python/tests into OUTDIR/pytest.log and
# bench/python.py into OUTDIR/python.json, whose rows docs/python.md shows (copy it to bench/results/python/DEVICE.json, then bench/tables.py).
# Needs no network: NumPy, pytest, Hypothesis, nanobind and scikit-build-core have to be there.
set -euo pipefail
cd "$(dirname "$0")/../.."
library=''
if [ "${1:-}" = --library ]; then
    library=$2
    shift 2
fi
[ $# -eq 1 ] || { sed -n '4,8s/^# //p' "$0" >&2 && exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
export PATH=$PATH:/usr/local/cuda/bin

if [ -z "$library" ]; then
    generator=()
    command -v ninja >/dev/null && generator=(-G Ninja)
    cmake -S . -B build-gpu "${generator[@]}" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DRIFFLE_CUDA=ON -DRIFFLE_TESTS=OFF >"$out/build.log" 2>&1
    cmake --build build-gpu -j "$(nproc)" --target riffle_static >>"$out/build.log" 2>&1
    library=$PWD/build-gpu/libriffle.a
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv --system-site-packages "$folder"
"$folder/bin/python" -m pip install --quiet --no-index --no-build-isolation --no-deps --config-settings build-dir="$folder/build" \
    --config-settings cmake.define.RIFFLE_PYTHON_LIBRARY="$(realpath "$library")" . >>"$out/build.log" 2>&1 || { tail -n 30 "$out/build.log"; exit 1; }

failed=0
timeout 300 "$folder/bin/python" -B -m pytest -q -p no:cacheprovider --rootdir python/tests python/tests --durations=10 \
    --deselect python/tests/test_documents.py 2>&1 | tee "$out/pytest.log" || failed=1
timeout 200 "$folder/bin/python" -B bench/python.py "$out/python.json" --parts import calls gpu 2>&1 | tee "$out/python.log" || failed=1
exit $failed
