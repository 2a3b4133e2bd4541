#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# environment.sh PYTHON SOURCE_DIR LIBRARY FOLDER: a virtual environment in FOLDER, with what requirements.txt lists, in which
# the package is installed by `pip install`, with LIBRARY (libriffle.a) as the library. Exits with 77, and says why, where there
# is no Python with headers and venv, or no package index to be reached. The binding alone is compiled, without optimization, which takes
# half the time; wheels have it as users get it (packaging/wheel.sh).
set -euo pipefail
python=$1 source=$2 library=$3 folder=$4
requirements=$source/python/tests/requirements.txt

skip() {
    printf 'skipped: %s\n' "$1"
    exit 77
}

"$python" -c 'import ensurepip, os, sysconfig, venv
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' 2>/dev/null ||
    skip "$python has no headers or no venv (python3-dev, python3-venv)"
if ! cmp -s "$requirements" "$folder/requirements.txt"; then
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/pip" install --quiet --no-compile --only-binary :all: --disable-pip-version-check --retries 1 -r "$requirements" 2>"$folder/pip.log" ||
        { cat "$folder/pip.log"; rm -rf "$folder"; skip "what $requirements lists is not to be had"; }
    cp "$requirements" "$folder"
fi
"$folder/bin/pip" install --quiet --no-compile --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
    --config-settings build-dir="$folder/build" --config-settings cmake.build-type=None --config-settings cmake.define.RIFFLE_PYTHON_LIBRARY="$library" "$source"
echo "installed: $("$folder/bin/python" -c 'import riffle; print(riffle.__file__)')"
