/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a text token by token, and the memory of the trees that it becomes.
 */
#ifndef RIFFLE_PROGRAM_TEXT_READER_H
#define RIFFLE_PROGRAM_TEXT_READER_H

#include <ctype.h>

#include "program/text/tree.h"

enum { TEXT_MOST_NESTED = 64 };

/** Where the reader stands. In definitions a newline ends one, unless the next line begins with a space. */
typedef struct text_reader {
    text_unit *unit;
    const char *at;
    bool by_line;
    unsigned nested;
} text_reader;

/** Over spaces, newlines that end nothing, and comments. */
void reader_skip(text_reader *in);

/** Fails with what stands where `expected` should. */
riffle_status reader_expected(text_reader *in, const char *expected);

/** Memory of the unit, all zeros; NULL without. */
void *reader_allocate(text_reader *in, size_t bytes);

riffle_status reader_node(text_reader *in, text_kind kind, const char *at, text_node **out);

/** Takes the token if it is the next one. */
bool reader_accept(text_reader *in, char token);

static inline bool reader_begins_word(char c) { return isalpha((unsigned char)c) || c == '_'; }
static inline bool reader_within_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/** A name of a number: n. */
text_word reader_variable(text_reader *in);

/** A name of a program: bit-reversal. A dash before a letter belongs to it. */
text_word reader_name(text_reader *in);

/** Into parentheses, which nest only so deep, and out of them. */
riffle_status reader_enter(text_reader *in);
riffle_status reader_leave(text_reader *in, const char *expected);

#endif
