#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# deb.sh FOLDER ARCHIVE: Debian's source and binary packages in FOLDER, from the source archive and packaging/debian, by dpkg-buildpackage.
# The symbols files list what the libraries export (rules), and libriffle's ABI is compared with the committed one (abi.sh). Then lintian has to be
# silent, but for bytes in the libraries that it reads as a misspelt word.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd) archive=$(realpath "$2")
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || { echo "deb.sh: $tool is missing (apt-get install dpkg-dev debhelper lintian)" >&2; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
name=$(basename "$archive" .tar.gz)

cp "$archive" "$scratch/riffle_${name#riffle-}.orig.tar.gz"
tar -C "$scratch" -xzf "$archive"
cp -r "$scratch/$name/packaging/debian" "$scratch/$name/debian"
cd "$scratch/$name"
DEB_BUILD_OPTIONS="parallel=${JOBS:-$(nproc)} ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage --no-sign >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" >&2; exit 1; }
packaging/abi.sh "$(echo obj-*/libriffle.so)"
cd "$scratch"
lintian --fail-on error,warning,info --display-info --suppress-tags spelling-error-in-binary --allow-root ./*.changes
find . -maxdepth 1 -type f ! -name log -exec cp -t "$folder" {} +
