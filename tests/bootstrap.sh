#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bootstrap.sh SOURCE_DIR: packaging/bootstrap.sh on a machine that has nothing, as root and as somebody else. Such a
# machine is a PATH with a handful of programs, apt-get and sudo among them only to say how they are called.
set -euo pipefail
bootstrap=$1/packaging/bootstrap.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bare=$scratch/bin
mkdir "$bare"
for tool in bash cat env mktemp rm; do ln -s "$(command -v $tool)" "$bare"; done

# program NAME LINE: puts a program on the bare machine.
program() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bare/$1"
    chmod +x "$bare/$1"
}

# prints WHAT TASK STATUS EXPECTED: what bootstrap says ends with EXPECTED, and so does its status. TASK may have --name before it.
prints() {
    local status=0 printed task
    read -ra task <<<"$2"
    printed=$(PATH=$bare bash "$bootstrap" "${task[@]}" 2>&1) || status=$?
    if [ "$status" != "$3" ] || [[ $printed != *"$4" ]]; then
        printf '%s: status %s\n%s\nbut expected was status %s\n%s\n' "$1" "$status" "$printed" "$3" "$4" >&2
        exit 1
    fi
    echo "$1: as expected"
}

build="gcc libc6-dev g++ cmake libdw-dev"
# Debian's python3, which is asked first, may be here and have NumPy, headers and venv.
python=" python3 python3-numpy" headers=" python3-dev python3-venv"
/usr/bin/python3 -c 'import numpy' 2>/dev/null && python= &&
    /usr/bin/python3 -c 'import ensurepip, os, sysconfig, venv
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' 2>/dev/null && headers=
check="libcmocka-dev libfftw3-dev libhwy-dev$headers openmpi-bin libopenmpi-dev gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user pkg-config clang libclang-rt-dev lld llvm libomp-dev"
program id 'echo 1000'
prints "no apt-get" build 1 "riffle: missing for build: a C compiler; a C++ compiler; cmake; libdw;
riffle: please install them and run make again"
prints "no apt-get, named" "--name build" 1 "riffle: missing for build: a C compiler; a C++ compiler; cmake; libdw;
riffle: please install them and run make again"
program apt-get 'echo "${DEBIAN_FRONTEND:-asks} apt-get $*"'
prints "named, not installed" "--name build" 1 "riffle: missing for build: a C compiler; a C++ compiler; cmake; libdw;
riffle: \`make bootstrap TASK=build\` installs them with apt-get: $build"
prints "no sudo" build 1 "
riffle: there is no sudo; please run as root: apt-get install $build"
program sudo 'echo sudo; unset DEBIAN_FRONTEND; "$@"'
prints "sudo" build 0 "
riffle: installing with apt-get: $build
sudo
asks apt-get update -qq
sudo
noninteractive apt-get install -y -qq --no-install-recommends $build"
rm "$bare/sudo"
program id 'echo 0'
installs=" apt-get install -y -qq --no-install-recommends"
prints "root, build" build 0 "
noninteractive$installs $build"
prints "root, demo" demo 0 "
noninteractive$installs $build$python"
prints "root, check" check 0 "
noninteractive$installs $build$python $check"
prints "root, docs" docs 0 "
noninteractive$installs doxygen"

# Plain `make`, `make wheel` and `make docs` install nothing; bootstrap, demo and check do.
for task in all wheel docs bootstrap demo check; do
    calls=$(make -C "$1" -n "$task" 2>/dev/null | grep -o 'bootstrap\.sh.*' | head -n 1)
    case $task in
    all | wheel) expected='bootstrap.sh --name build' ;;
    docs) expected='bootstrap.sh --name docs' ;;
    bootstrap) expected='bootstrap.sh build' ;;
    *) expected="bootstrap.sh $task" ;;
    esac
    [ "$calls" = "$expected" ] || { printf 'make %s calls %s, not %s\n' "$task" "$calls" "$expected" >&2 && exit 1; }
    echo "make $task: $calls"
done
