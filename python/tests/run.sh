#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FOLDER TESTS [PYTEST-ARGUMENT]...: pytest in the environment that environment.sh made.
set -euo pipefail
folder=$1 tests=$2
[ -e "$folder/requirements.txt" ] || { echo "skipped: no environment in $folder"; exit 77; }
shift 2
export PYTHONPYCACHEPREFIX=$folder/compiled
exec "$folder/bin/python" -m pytest -q -p no:cacheprovider --rootdir "$tests" "$tests" "$@"
