/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of specs, numbers and marks between spaces, and words for what stands where something else should.
 */
#ifndef RIFFLE_PERM_SPEC_TOKENS_H
#define RIFFLE_PERM_SPEC_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "riffle.h"

/** Where the parser stands. */
typedef struct spec_parser {
    const char *spec;
    const char *at;
    uint64_t n;
    unsigned nested;
} spec_parser;

/** Fails with the character's number, the words of `format` behind it. */
__attribute__((format(printf, 3, 4))) riffle_status spec_fail_at(const spec_parser *in, const char *at,
                                                                 const char *format, ...);

/** Fails with what stands where `expected` should. */
riffle_status spec_fail_expected(spec_parser *in, const char *expected);

void spec_skip_spaces(spec_parser *in);

/** Takes the token if it is the next one. */
bool spec_accept(spec_parser *in, char token);

/** A number of 64 bits to the base 10 or 16; `what` is for messages. */
riffle_status spec_read_number(spec_parser *in, unsigned base, const char *what, uint64_t *out);

/** The separator between two numbers of a list, and how many there may be. */
typedef struct spec_list {
    const char *what;
    char separator;
    unsigned base;
    unsigned most;
} spec_list;

riffle_status spec_read_list(spec_parser *in, const spec_list *form, unsigned *count, uint64_t *values);

/** Where number k of the comma-separated list stands. */
const char *spec_number_of_list(const char *list, unsigned k);

/** The `count` numbers of the list as bits or axes below count, which is how many there are. */
riffle_status spec_take_below(const spec_parser *in, const char *list, const char *what, unsigned count,
                              const uint64_t *numbers, unsigned *out);

#endif
