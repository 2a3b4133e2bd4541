/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's headers stand first in every text that is compiled, and take a compiler longer than most kernels. They are compiled once,
 * as a precompiled header, and kept in the user's cache (base/folder/cache_folder.h):
 *
 *     kernel-0.ii                [ headers | the user's text ]
 *     CACHE/headers-SUM.h        [ // the command | headers ]     kept by the first run that meets them
 *     CACHE/headers-SUM.pch                                       made of it by the second run, taken by all later ones
 *     CACHE/headers-SUM.sum                                       the sum of its bytes, without which it is none
 *
 * From headers and text a compiler makes what it makes of the whole. A text of the headers that is another one, a flag or a
 * compiler's name makes another SUM, and the text is compared as a whole. A compiler refuses the file of another one: gcc by a sum of its own
 * code, clang by its full version, and by the text's size and time; neither sees a bit that is another one. Whatever fails here is no error: the whole is compiled.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_PRECOMPILED_H
#define RIFFLE_MACHINE_LINT_COMPILER_PRECOMPILED_H

#include <limits.h>
#include <stdbool.h>

#include "machine/lint/compiler/compiler.h"
#include "machine/lint/compiler/sources.h"

/* Where there are more, the file goes whose use is longest ago. */
enum {
    PRECOMPILED_MOST = 4,   /* files of 3 to 25 MB */
    PRECOMPILED_TEXTS = 16, /* and of 1 MB */
};

/** Finds or makes the headers of the preprocessed text, compiled by a line with all flags, in the file `out`; the text behind them is in
 *  the file `rest` then. False where there are none yet. */
bool precompiled_find(const riffle_lint_job *job, const compiler_line *line, bool is_clang,
                      const source_paths *at, const private_folder *folder, char out[static PATH_MAX],
                      char rest[static FOLDER_PATH]);

/** Adds the words that compile the rest with the headers. */
void precompiled_add(compiler_line *line, bool is_clang, const char *headers);

/** Removes headers that a compiler does not take. */
void precompiled_remove(const char *headers);

#endif
