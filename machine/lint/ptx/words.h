/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of an instruction's name, taken one by one in any order.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_WORDS_H
#define RIFFLE_MACHINE_LINT_PTX_WORDS_H

#include <stdbool.h>

enum { PTX_MOST_WORDS = 16 };

/** Those that have not been taken. */
typedef struct ptx_words {
    const char *word[PTX_MOST_WORDS];
    unsigned count;
} ptx_words;

/** Cuts a name at its dots, which it loses; false if it has more words. */
bool ptx_cut_name(char *name, ptx_words *out);

/** True if the word stands there, which is taken away. */
bool ptx_take(ptx_words *of, const char *word);

#endif
