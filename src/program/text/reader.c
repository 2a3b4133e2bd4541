/* SPDX-License-Identifier: Apache-2.0 */
#include "program/text/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { BLOCK_BYTES = 16384 };

struct text_block {
    text_block *next;
    size_t used;
    _Alignas(16) char bytes[BLOCK_BYTES];
};

/* ----------------------------------------------------------------- errors */

void text_place(const text_unit *unit, const char *at, unsigned *line, unsigned *column) {
    *line = *column = 1;
    for (const char *c = unit->text; c < at; c++) {
        if (*c == '\n') {
            ++*line;
            *column = 1;
        } else {
            *column += ((unsigned char)*c & 0xC0) != 0x80; /* characters, not bytes */
        }
    }
}

riffle_status text_fail(const text_unit *unit, const char *at, riffle_status status, const char *format, ...) {
    char message[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    unsigned line, column;
    text_place(unit, at, &line, &column);
    return fail(status, "%s, line %u, character %u: %s", unit->name, line, column, message);
}

void reader_skip(text_reader *in) {
    for (;; in->at++) {
        if (*in->at == '#') in->at += strcspn(in->at, "\n");
        if (*in->at == '\n' && in->by_line && in->at[1] != ' ' && in->at[1] != '\t') return;
        if (*in->at == '\0' || strchr(" \t\r\n", *in->at) == NULL) return;
    }
}

riffle_status reader_expected(text_reader *in, const char *expected) {
    reader_skip(in);
    const unsigned char found = (unsigned char)*in->at;
    if (found == '\0')
        return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found the end", expected);
    if (found == '\n')
        return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found the end of the line",
                         expected);
    if (isprint(found))
        return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found '%c'", expected, found);
    return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found the byte 0x%02x", expected,
                     found);
}

/* ----------------------------------------------------------------- memory */

void *reader_allocate(text_reader *in, size_t bytes) {
    text_unit *unit = in->unit;
    bytes = (bytes + 15) / 16 * 16;
    if (unit->blocks == NULL || unit->blocks->used + bytes > BLOCK_BYTES) {
        text_block *block = malloc(sizeof *block);
        if (block == NULL) return NULL;
        block->next = unit->blocks;
        block->used = 0;
        unit->blocks = block;
    }
    void *room = unit->blocks->bytes + unit->blocks->used;
    unit->blocks->used += bytes;
    return memset(room, 0, bytes);
}

riffle_status reader_node(text_reader *in, text_kind kind, const char *at, text_node **out) {
    *out = reader_allocate(in, sizeof **out);
    if (*out == NULL) return fail_memory("a program's text", sizeof **out);
    (*out)->kind = kind;
    (*out)->at = at;
    return RIFFLE_OK;
}

void text_free(text_unit *unit) {
    while (unit->blocks != NULL) {
        text_block *next = unit->blocks->next;
        free(unit->blocks);
        unit->blocks = next;
    }
}

/* ----------------------------------------------------------------- tokens */

bool reader_accept(text_reader *in, char token) {
    reader_skip(in);
    if (*in->at != token) return false;
    in->at++;
    return true;
}

text_word reader_variable(text_reader *in) {
    text_word word = {in->at, 0};
    while (reader_within_word(*in->at)) in->at++;
    word.length = (size_t)(in->at - word.at);
    return word;
}

text_word reader_name(text_reader *in) {
    text_word word = {in->at, 0};
    while (reader_within_word(*in->at) || (*in->at == '-' && reader_begins_word(in->at[1]))) in->at++;
    word.length = (size_t)(in->at - word.at);
    return word;
}

bool text_word_is(text_word word, const char *name) {
    return strlen(name) == word.length && memcmp(name, word.at, word.length) == 0;
}

riffle_status reader_enter(text_reader *in) {
    if (in->nested == TEXT_MOST_NESTED)
        return text_fail(in->unit, in->at - 1, RIFFLE_ERROR_SYNTAX, "parentheses are nested more than %d deep",
                         TEXT_MOST_NESTED);
    in->nested++;
    return RIFFLE_OK;
}

riffle_status reader_leave(text_reader *in, const char *expected) {
    in->nested--;
    return reader_accept(in, ')') ? RIFFLE_OK : reader_expected(in, expected);
}
