#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# release.sh FOLDER "PYTHON...": all that is released of the commit at hand, in FOLDER, which is new or empty, each made from the source archive and tried:
#
#     riffle-VERSION.tar.gz     the source archive
#     *.whl                     wheels riffle-arrays, one for each PYTHON, riffle-arrays-machine, riffle-lint and, where nvcc is, riffle-arrays-cuda (packaging/wheel.sh);
#                               on x86-64 with gcc's cross compiler the first three for aarch64 too
#     *.dsc, *.deb and theirs   Debian's source and binary packages, of this system (packaging/deb.sh)
#     SHA256SUMS                the files' hashes
#
# Debian's packages come first, as libriffle's ABI is compared with the committed one then. Where debootstrap can make one the packages are installed in a
# bare Debian of each wheel's Python, which runs the README's examples (tests/packages.sh), aarch64's under QEMU. Nothing is uploaded.
set -euo pipefail
mkdir -p "$1"
[ -z "$(ls -A "$1")" ] || { echo "release.sh: $1 is not empty; remove it, or name another folder" >&2; exit 1; }
folder=$(cd "$1" && pwd) pythons=$2
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define RIFFLE_VERSION "\(.*\)"$/\1/p' include/riffle.h)
name=riffle-$version
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

git archive --prefix="$name/" HEAD | gzip -9n >"$folder/$name.tar.gz"
tar -C "$scratch" -xzf "$folder/$name.tar.gz"
"$scratch/$name/packaging/deb.sh" "$folder" "$folder/$name.tar.gz"
if PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null; then
    CUDA=1 LINT=1 "$scratch/$name/packaging/wheel.sh" "$folder" "$pythons" -DRIFFLE_CUDA=ON -DRIFFLE_CUDA_ARCHITECTURES="${ARCHITECTURES:-RELEASE}"
else
    echo "release.sh: no nvcc: riffle-arrays-cuda is left out" >&2
    LINT=1 "$scratch/$name/packaging/wheel.sh" "$folder" "$pythons" -DRIFFLE_CUDA=OFF
fi
if [ "$(uname -m)" = x86_64 ] && command -v aarch64-linux-gnu-g++ >/dev/null; then
    ARCHITECTURE=aarch64 LINT=1 "$scratch/$name/packaging/wheel.sh" "$folder" "$pythons" -DRIFFLE_CUDA=OFF
else
    echo "release.sh: no aarch64-linux-gnu-g++: wheels for aarch64 are left out" >&2
fi

# try PATTERN SUITE ARCHITECTURE: in that Debian, whose Python takes the wheel, where there is one.
try() {
    [ -z "$(find "$folder" -name "riffle_arrays-*-$1.whl")" ] || ARCHITECTURE=$3 BRING=$folder tests/bare_debian.sh "$2" tests/packages.sh /brought
}
try 'cp311-cp311-*x86_64' bookworm amd64
try 'cp312-abi3-*x86_64' trixie amd64
try 'cp311-cp311-*aarch64' bookworm arm64

(cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
echo "release.sh: $(wc -l <"$folder/SHA256SUMS") files in $folder"
