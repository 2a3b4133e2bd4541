/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of programs, read into trees (docs/programs.md has the language for users):
 *
 *     definitions = { name { number | name } "=" program newline }      a line that begins with a space goes on
 *     program     = stage { "|" stage }
 *     stage       = "parm" argument part [ part ] | ("pair" | "map" | "group" argument) op | name { argument } | part
 *     part        = "(" program ")" | name | spec               spec: a word of the permutation language, "~" before it
 *     op          = "(" op ")" | name [ argument ] | "{" expressions of C "}"
 *     sum         = product { ("+" | "-") product }             argument = atom [ "^" argument ]
 *     product     = factor { ("*" | "/") factor }               factor   = [ "-" ] argument
 *     atom        = number | name | "(" sum ")"
 *
 * A tree keeps pointers into its text, for messages. Comments go from # to the end of a line.
 */
#ifndef RIFFLE_PROGRAM_TEXT_TREE_H
#define RIFFLE_PROGRAM_TEXT_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nearest.h"
#include "riffle/program.h"

enum { TEXT_MAX_ARGUMENTS = 4 };

typedef struct text_word {
    const char *at;
    size_t length;
} text_word;

typedef enum text_kind {
    /* Numbers. */
    TEXT_NUMBER,
    TEXT_VARIABLE,
    TEXT_NEGATIVE,
    TEXT_SUM,
    TEXT_DIFFERENCE,
    TEXT_PRODUCT,
    TEXT_QUOTIENT,
    TEXT_POWER,
    /* Programs. */
    TEXT_THEN,  /* child and those that follow it */
    TEXT_PARM,  /* child: the mask, a program, maybe another */
    TEXT_APPLY, /* op; child: its parameter if it has one, then the bits of a group */
    TEXT_CALL,  /* word; child: the arguments */
    TEXT_SPEC,  /* word */
} text_kind;

typedef struct text_node {
    text_kind kind;
    const char *at;
    struct text_node *child, *next; /**< the first of its children; the next one of its parent's */
    double number;                  /**< NUMBER */
    text_word word;                 /**< VARIABLE, CALL, SPEC; APPLY: the source of a user's operation */
    riffle_op_kind op;              /**< APPLY */
    int group;                      /**< APPLY: 0 map, 1 pair; -1 where a child says */
} text_node;

typedef struct text_definition {
    text_word name;
    unsigned count;
    text_node pattern[TEXT_MAX_ARGUMENTS]; /**< NUMBER or VARIABLE */
    text_node *body;
    struct text_definition *next;
} text_definition;

typedef struct text_block text_block;

/** One text: "program", "definitions" or "library" in messages. */
typedef struct text_unit {
    const char *name;
    const char *text;
    text_definition *first, *last; /**< list of definitions */
    text_node *program;            /**< the program that the text ends with */
    text_block *blocks;            /**< the memory of all this */
} text_unit;

/** Reads definitions. Gives the unit's memory to text_free in any case. */
riffle_status text_read_definitions(text_unit *unit);

/** Reads one program. */
riffle_status text_read_program(text_unit *unit);

void text_free(text_unit *unit);

/** The line and the character in it, both from 1, of a place in the unit's text. */
void text_place(const text_unit *unit, const char *at, unsigned *line, unsigned *column);

/** Fails with the place before the message. */
__attribute__((format(printf, 4, 5))) riffle_status text_fail(const text_unit *unit, const char *at,
                                                              riffle_status status, const char *format, ...);

bool text_word_is(text_word word, const char *name);

/** Takes a word that the language itself has, if it is nearer: a keyword, or a permutation's that has no argument. */
void text_try_words(nearest *meant);

#endif
