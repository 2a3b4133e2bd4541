#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# look.sh CLANG...: a compiler's launcher that has it look at a source, for its warnings, and leaves an empty file in place of the object.
set -e
"$@" -fsyntax-only
while [ "$1" != -o ]; do shift; done
: >"$2"
