#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh BUILD_DIR: installs what was built there, moves the installed tree elsewhere, and builds a project
# outside against it in each way that docs/library.md names, and the program of docs/tutorial-c.md in each way that it shows.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/moved

say() { printf -- '-- %s\n' "$*"; }

# quietly COMMAND...: shows what the command printed only if it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" && exit 1; }
}

say "install"
quietly cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$prefix"
lib=$(dirname "$(find "$prefix" -name libriffle.a)")
for file in bin/riffle include/riffle.h include/riffle/npy.h share/man/man1/riffle.1 share/doc/riffle/LICENSE \
    share/doc/riffle/command.md share/doc/riffle/spec.md; do
    [ -f "$prefix/$file" ] || { say "$file was not installed" && exit 1; }
done

say "the command"
"$prefix/bin/riffle" info >/dev/null
if command -v man >/dev/null; then
    complaints=$(man --warnings -l "$prefix/share/man/man1/riffle.1" 2>&1 >/dev/null)
    [ -z "$complaints" ] || { say "the manual page: $complaints" && exit 1; }
fi

module=$lib/libriffle-machine.so.0.1
[ -f "$module" ] || { say "$module was not installed" && exit 1; }
say "the command, which loads a library"
"$prefix/bin/riffle" simulate --by bit-reversal --n 256 >/dev/null

for language in C CXX; do
    say "find_package, $language"
    quietly cmake -S "$here" -B "$scratch/$language" -DLANGUAGE=$language -DCMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$scratch/$language"
    "$scratch/$language/use_shared" machine
    RIFFLE_LIBRARY_PATH=$lib "$scratch/$language/use_static" machine
done

# shown LANGUAGE: the tutorial's block in that language.
tutorial=$here/../../docs/tutorial-c.md
shown() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$tutorial" | sed '1d;$d'; }

say "the tutorial, CMake"
mkdir "$scratch/tutorial"
cp "$here/../../examples/tutorial/transform.c" "$scratch/tutorial"
shown cmake >"$scratch/tutorial/CMakeLists.txt"
quietly cmake -S "$scratch/tutorial" -B "$scratch/tutorial/build" -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$scratch/tutorial/build"
"$scratch/tutorial/build/transform" >/dev/null

say "the tutorial, pkg-config"
shown sh | sed "s|\$HOME/opt/lib|$lib|g" >"$scratch/tutorial/build.sh"
(cd "$scratch/tutorial" && quietly bash -e build.sh && ./transform >/dev/null)

export PKG_CONFIG_PATH=$lib/pkgconfig
flags() { pkg-config "$@" riffle; }
build_plainly() {
    local output=$1
    shift
    read -ra arguments <<<"$*"
    cc "$here/use.c" -o "$scratch/$output" "${arguments[@]}"
}

say "pkg-config, shared"
build_plainly shared "$(flags --cflags --libs)"
LD_LIBRARY_PATH=$lib "$scratch/shared" machine
[ "$(pkg-config --variable=module riffle-machine)" -ef "$module" ] || { say "riffle-machine.pc names another file" && exit 1; }

say "pkg-config, static"
rm "$lib"/libriffle.so*
build_plainly static "$(flags --cflags --libs --static)"
RIFFLE_LIBRARY_PATH=$lib "$scratch/static" machine
rm "$module"
RIFFLE_LIBRARY_PATH=$lib "$scratch/static"
