/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of riffle lint that are the compiler's and nvcc's. Fields are requests (lint/request.h), but for the compiler's.
 */
#ifndef RIFFLE_CLI_LINT_FLAGS_H
#define RIFFLE_CLI_LINT_FLAGS_H

#include "frame/option.h"

/** -I, -D, -L and -l, as the compiler takes them. */
bool flags_add(const command_option *option, const char *text, void *whole);

/** nvcc's -arch. */
bool flags_add_architecture(const command_option *option, const char *text, void *whole);

/** The compiler's name; `field` is a const char *. */
bool flags_read_compiler(const command_option *option, const char *text, void *field);

/** Makes "-arch" and "-arch=ARCH", the one option of one dash that is longer than a letter, --gpu-architecture. */
void flags_write_whole(int argc, char **argv);

#endif
