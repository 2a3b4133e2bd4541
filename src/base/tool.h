/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiler, or of another program that a user's text is put through.
 */
#ifndef RIFFLE_BASE_TOOL_H
#define RIFFLE_BASE_TOOL_H

#include "riffle.h"

/** Runs the words, NULL behind the last, to the program's end, with all that it says, in English, in the file `output`.
 *  RIFFLE_ERROR_UNSUPPORTED if it cannot be started; `remedy` says what to do then. */
riffle_status tool_run(const char *const *words, const char *output, const char *remedy, int *exit_status);

#endif
