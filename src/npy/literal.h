/* SPDX-License-Identifier: Apache-2.0
 *
 * A cursor over the text of a Python literal, as .npy headers use it: strings, integers, tuples, and white
 * space between them. Whoever reads further has checked that it lies before the end; nothing is evaluated.
 */
#ifndef RIFFLE_NPY_LITERAL_H
#define RIFFLE_NPY_LITERAL_H

#include <stdbool.h>

#include "riffle.h"

typedef struct literal {
    riffle_status status; /**< returned by literal_fail */
    const char *name;     /**< the file, for messages */
    const char *what;     /**< the text's part in it, for messages */
    const char *text;
    const char *at; /**< the next character; text <= at <= end */
    const char *end;
} literal;

/** The characters between the quotes of a string, escapes as they stand. */
typedef struct literal_span {
    const char *text;
    size_t length;
} literal_span;

/** Is it exactly `word`? */
bool literal_span_is(literal_span span, const char *word);

/** Fails with "NAME: WHAT, character 17: PROBLEM". */
__attribute__((format(printf, 2, 3))) riffle_status literal_fail(const literal *in, const char *format, ...);

/** Skips white space and tells whether `c` comes next. */
bool literal_next_is(literal *in, char c);
/** The same, and skips `c` too. */
bool literal_take(literal *in, char c);
/** The same, and fails if it is not there. */
riffle_status literal_expect(literal *in, char c);
/** White space only up to the end, or an error. */
riffle_status literal_expect_end(literal *in);

/** 'text' or "text", without prefix. */
riffle_status literal_string(literal *in, literal_span *out);
/** True or False. */
riffle_status literal_bool(literal *in, bool *out);
/** A tuple of at most RIFFLE_MAX_RANK integers from 0 on, each perhaps with Python 2's L: (), (3,), (2, 3). */
riffle_status literal_shape(literal *in, unsigned *rank, uint64_t shape[RIFFLE_MAX_RANK]);

#endif
