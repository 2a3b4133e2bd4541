#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bare_debian.sh SUITE COMMAND...: runs a command on a copy of this source tree in a Debian that has nothing but its base and make,
# made by debootstrap and thrown away afterwards. Where none can be made it says so, and ends with status 0.
# MIRROR names another server than Debian's own. BRING names a folder that comes along, as /brought. ARCHITECTURE=arm64, Debian's name for it,
# has the programs of another processor emulated, by qemu-user-static where the kernel knows of it (binfmt_misc).
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: bare_debian.sh SUITE COMMAND..." >&2; exit 2; }
suite=$1
shift

skip() {
    echo "bare_debian.sh: skipped: $suite, '$*'" >&2
    exit 0
}
[ "$(id -u)" = 0 ] || skip "a root wants to be made by root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (apt-get install debootstrap)"
architecture=${ARCHITECTURE:-$(dpkg --print-architecture)}
if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
    command -v arch-test >/dev/null || skip "arch-test is not installed (apt-get install arch-test qemu-user-static)"
    arch-test "$architecture" >/dev/null || skip "this system runs no programs for $architecture (apt-get install qemu-user-static binfmt-support)"
fi
# Mounts are this process's own, and go with it.
[ -n "${RIFFLE_BARE_DEBIAN-}" ] || RIFFLE_BARE_DEBIAN=1 exec unshare --mount --propagation private "$0" "$suite" "$@"

source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
root=$scratch/root
clean() {
    umount --recursive --quiet "$root/dev" "$root/proc" || true # else rm would empty what is mounted
    rm -rf --one-file-system "$scratch"
}
trap clean EXIT

echo "bare_debian.sh: $suite, $architecture"
debootstrap --arch="$architecture" --variant=minbase --include=make,ca-certificates "$suite" "$root" "${MIRROR:-http://deb.debian.org/debian}" \
    >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2 && exit 1; }
mkdir "$root/src"
(cd "$source" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$root/src")
[ -z "${BRING-}" ] || cp -r "$BRING" "$root/brought"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
chroot "$root" env -i PATH="$PATH" HOME=/root LC_ALL=C.UTF-8 JOBS="${JOBS:-$(nproc)}" sh -c 'cd /src && "$@"' sh "$@"
