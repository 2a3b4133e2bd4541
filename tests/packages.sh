#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# packages.sh FOLDER: installs the packages of `make release` that lie in FOLDER and runs what the README shows with each. It is for a
# Debian that can be thrown away (tests/bare_debian.sh): as root, it installs. NumPy is Debian's, so that no index of Python's is asked.
set -euo pipefail
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() { printf 'packages.sh: %s\n' "$*"; }

# lines LANGUAGE [PAGE]: what the README, or another page, has in that language.
lines() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/d;p}" "$root/${2-README.md}"; }

shopt -s nullglob
debs=("$folder"/*_"$(dpkg --print-architecture)".deb) tests=(use ranks)
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
if [ ${#debs[@]} = 0 ]; then
    tests=()
elif ! apt-get install --simulate -qq --no-install-recommends "${debs[@]}" >/dev/null 2>&1; then
    say "Debian: libriffle-mpi is for the MPI of the Debian that it was made on, and left out"
    tests=(use)
    mapfile -t debs < <(printf '%s\n' "${debs[@]}" | grep -v /libriffle-mpi)
fi
apt-get install -qq --yes --no-install-recommends "${debs[@]}" g++ libc6-dev libdw1 pkg-config python3-numpy python3-venv \
    ${tests[1]:+mpi-default-bin openssh-client} >"$scratch/log" 2>&1 || { tail -n 30 "$scratch/log" >&2; exit 1; }
python3 -m venv --system-site-packages "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --no-index --find-links "$folder" 'riffle-arrays[machine]' riffle-lint
cd "$scratch"
ln -s "$root/examples" examples
lint=$(lines sh docs/command.md | grep '^riffle lint .*--arg ') # the one beside it, --for-all, wants clang

if [ ${#debs[@]} = 0 ]; then
    say "Debian: no packages for $(dpkg --print-architecture), so wheels alone"
else
    say "Debian: the command"
    lines sh | grep '^python3 ' | sh -e
    lines sh | grep '^riffle permute in.npy' | sh -e
    python3 -c 'import numpy as np; np.testing.assert_array_equal(np.load("out.npy").ravel(), np.load("in.npy").reshape(1024, 4096).T.ravel())'
    sh -ec "$lint" >lint.deb

    say "Debian: a program"
    lines c >hello.c
    read -ra flags < <(pkg-config --cflags --libs riffle)
    gcc hello.c -o hello "${flags[@]}"
    [ "$(./hello)" = "0 4 2 6 1 5 3 7" ] || { say "the README's program says something else"; exit 1; }
    for test in "${tests[@]}"; do (cd "$root" && AUTOPKGTEST_TMP=$scratch packaging/debian/tests/$test); done
fi

say "wheel: riffle-arrays"
lines python >first.py
[ "$(venv/bin/python first.py)" = "[0. 4. 2. 6. 1. 5. 3. 7.]" ] || { say "the README's Python says something else"; exit 1; }
venv/bin/python -c 'from riffle import machine
assert "row_wise.cu:" in str(machine.simulate("random:1", 1024, algorithm="scheduled")), "the wheels do not know the lines of kernels"'

say "wheel: riffle-lint"
sh -ec "venv/bin/riffle-lint ${lint#riffle lint }" >lint.wheel
[ ! -e lint.deb ] || cmp lint.deb lint.wheel
[ -s lint.wheel ]
say "all is well"
