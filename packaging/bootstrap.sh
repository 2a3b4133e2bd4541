#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bootstrap.sh [--name] build|demo|check|docs: sees to it that the tools for a task are there. Missing ones are named, and then
# installed with apt-get where that exists. With --name nothing is installed: it fails after it has named them.
set -euo pipefail

name=''
[ "${1-}" != --name ] || { name=1 && shift; }
task=${1:?usage: bootstrap.sh [--name] build|demo|check|docs}
missing=()  # missing tools, in words
packages=() # their packages on Debian and Ubuntu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# need WHAT PACKAGES TEST...: notes WHAT as missing unless the command TEST... succeeds.
need() {
    local what=$1 wanted=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        missing+=("$what")
        read -ra wanted <<<"$wanted"
        packages+=("${wanted[@]}")
    fi
}

# compiles COMPILER SOURCE FLAGS...: whether this compiler makes a program of the source.
compiles() {
    local compiler=$1 source=$2
    shift 2
    "$compiler" -x c -o "$scratch/program" - "$@" <<<"$source"
}

# numpy_python: whether a Python that the build will look at has NumPy.
numpy_python() {
    /usr/bin/python3 -c 'import numpy' || python3 -c 'import numpy'
}

# package_python: whether that Python can build riffle's package in a virtual environment.
package_python() {
    local python=python3 able='import ensurepip, os, sysconfig, venv
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))'
    ! /usr/bin/python3 -c 'import numpy' || python=/usr/bin/python3
    "$python" -c "$able"
}

if [ "$task" = docs ]; then
    need doxygen doxygen doxygen --version
else
    need "a C compiler" "gcc libc6-dev" compiles cc 'int main(void) { return 0; }'
    need "a C++ compiler" g++ c++ --version
    need cmake cmake cmake --version
    need "libdw" libdw-dev compiles cc '#include <elfutils/libdwfl.h>
        int main(void) { return 0; }'
fi
if [ "$task" = demo ] || [ "$task" = check ]; then
    need "Python with NumPy" "python3 python3-numpy" numpy_python
fi
if [ "$task" = check ]; then
    main='int main(void) { return 0; }'
    need "cmocka" libcmocka-dev compiles cc "#include <stdarg.h>
        #include <stddef.h>
        #include <setjmp.h>
        #include <stdint.h>
        #include <cmocka.h>
        $main" -lcmocka
    need "FFTW" libfftw3-dev compiles cc "#include <fftw3.h>
        $main" -lfftw3
    need "Highway's vector sorts" libhwy-dev compiles cc "$main" -l:libhwy_contrib.so.1
    need "Python's headers and venv" "python3-dev python3-venv" package_python
    need "Open MPI" "openmpi-bin libopenmpi-dev" mpirun --version
    need "a compiler for aarch64" "gcc-aarch64-linux-gnu g++-aarch64-linux-gnu" aarch64-linux-gnu-g++ --version
    need "an emulator of aarch64" qemu-user qemu-aarch64 --version
    need pkg-config pkg-config pkg-config --version
    need "clang" clang clang --version
    need "clang's sanitizers" libclang-rt-dev compiles clang "$main" -fsanitize=thread
    need "LLVM's linker" lld ld.lld --version
    need "llvm-symbolizer" llvm llvm-symbolizer --version
    need "clang's OpenMP" libomp-dev compiles clang "#include <omp.h>
        $main" -fopenmp
fi
[ ${#missing[@]} -gt 0 ] || exit 0

printf 'riffle: missing for '%s':' "$task" >&2
printf ' %s;' "${missing[@]}" >&2
if [ "$name" ] && command -v apt-get >/dev/null; then
    printf '\nriffle: `make bootstrap TASK=%s` installs them with apt-get: %s\n' "$task" "${packages[*]}" >&2
    exit 1
fi
if ! command -v apt-get >/dev/null; then
    printf '\nriffle: please install them and run make again\n' >&2
    exit 1
fi

if [ "$(id -u)" = 0 ]; then
    as_root=()
elif command -v sudo >/dev/null; then
    as_root=(sudo)
else
    printf '\nriffle: there is no sudo; please run as root: apt-get install %s\n' "${packages[*]}" >&2
    exit 1
fi
printf '\nriffle: installing with apt-get: %s\n' "${packages[*]}" >&2
"${as_root[@]}" apt-get update -qq
# sudo passes no variables on, env does.
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
