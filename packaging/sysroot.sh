#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sysroot.sh FOLDER [ARCHITECTURE]: the headers and libraries of Debian 11 (glibc 2.31) in FOLDER, amd64's unless told, for gcc's
# --sysroot: what is linked with them runs on older systems than this one. Debian's keys say that they are Debian's. MIRROR names
# another server than Debian's own.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd) architecture=${2:-amd64}
mirror=${MIRROR:-http://deb.debian.org/debian} suite=bullseye
packages="libc6 libc6-dev libcrypt1 libcrypt-dev libgomp1 libstdc++6 libgcc-s1 libgcc-10-dev libstdc++-10-dev linux-libc-dev libdw-dev libelf-dev"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$folder/complete" ] && exit 0
for tool in curl gpgv xz dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "sysroot.sh: $tool is missing" >&2; exit 1; }
done
[ -e "$keys" ] || { echo "sysroot.sh: $keys is missing (debian-archive-keyring)" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fetch() { curl --fail --silent --show-error --retry 3 --output "$scratch/$2" "$mirror/$1"; }

# same FILE HASH: the file has that hash.
same() { echo "$2  $scratch/$1" | sha256sum --check --quiet; }

list=main/binary-$architecture/Packages.xz
fetch "dists/$suite/InRelease" InRelease
gpgv --quiet --keyring "$keys" --output "$scratch/Release" "$scratch/InRelease" 2>"$scratch/gpgv" || { cat "$scratch/gpgv" >&2; exit 1; }
fetch "dists/$suite/$list" Packages.xz
same Packages.xz "$(sed -n "/^SHA256:/,\$ s|^ \([0-9a-f]\{64\}\) *[0-9]* $list\$|\1|p" "$scratch/Release")"
xz --decompress "$scratch/Packages.xz"
for package in $packages; do
    read -r path hash < <(awk -v name="Package: $package" 'BEGIN { RS = ""; FS = "\n" } $1 == name { for (k = 1; k <= NF; k++) {
        if (sub(/^Filename: /, "", $k)) path = $k; if (sub(/^SHA256: /, "", $k)) hash = $k } } END { print path, hash }' "$scratch/Packages")
    fetch "$path" package.deb
    same package.deb "$hash"
    dpkg-deb --extract "$scratch/package.deb" "$folder"
done

# A link that begins at the root would leave the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -sfnr "$folder$(readlink "$link")" "$link"
done
touch "$folder/complete"
