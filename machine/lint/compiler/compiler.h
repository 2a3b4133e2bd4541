/* SPDX-License-Identifier: Apache-2.0
 *
 * The C++ compiler: a command line, and one run of it.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_COMPILER_H
#define RIFFLE_MACHINE_LINT_COMPILER_COMPILER_H

#include <stdbool.h>

#include "base/folder/folder.h"
#include "riffle/machine.h"

enum { COMPILER_MAX_WORDS = 256 };

typedef struct compiler_line {
    char compiler[1024]; /* $CXX may hold several words */
    size_t count;
    bool full; /* a word was left out */
    const char *words[COMPILER_MAX_WORDS + 1];
} compiler_line;

/** The name that the job gives, or $CXX, or c++. */
const char *compiler_of(const riffle_lint_job *job);

/** A line with the compiler's name. It keeps the words that are added. */
void compiler_begin(compiler_line *line, const riffle_lint_job *job);
void compiler_add(compiler_line *line, const char *word);
/** As many words as there are, up to `count`, or to a NULL. */
void compiler_add_all(compiler_line *line, const char *const *words, size_t count);

/** Runs it to its end. RIFFLE_ERROR_FORMAT if it fails, by its first error; `path` is the file's name as it knows it and
 *  `shown` as the user does. RIFFLE_ERROR_UNSUPPORTED if it cannot be started. */
riffle_status compiler_run(const riffle_lint_job *job, const compiler_line *line, const char *path,
                           const char *shown, const private_folder *folder);

#endif
