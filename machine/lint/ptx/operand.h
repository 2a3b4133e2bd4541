/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of PTX: lists of them read, and each written as C++ on the functions of cuda/ptx.h. A writer gives false for what it does
 * not know, and something of it may have been written.
 */
#ifndef RIFFLE_MACHINE_LINT_PTX_OPERAND_H
#define RIFFLE_MACHINE_LINT_PTX_OPERAND_H

#include <stdbool.h>
#include <stdio.h>

/** C++'s name of a type: "unsigned" for u32; NULL if it is none. */
const char *ptx_type(const char *word);

/** The text without white space around it, which it loses. */
char *ptx_trim(char *text);

/** Cuts a list at its commas, but for those in brackets; false if it has more than `most` operands. */
bool ptx_cut(char *list, char **out, unsigned most, unsigned *count);

/** Parts of one operand: a vector, or the registers of a matrix. */
enum { PTX_MOST_PARTS = 128 };

/** The parts of "{%0, %1}", or the one that it is. Changes the text. */
bool ptx_parts_of(char *text, char **out, unsigned *count);

/** A register of the statement's own, in which % and $ may stand. */
bool ptx_write_register(const char *text, FILE *out);

/** As it is, of whatever type. */
bool ptx_write_operand(const char *text, FILE *out);

/** As a value of a type of C++. */
bool ptx_write_as(const char *type, const char *text, FILE *out);

/** "[%1+16]". Changes the text. */
bool ptx_write_address(char *text, bool shared, FILE *out);

/** "TARGET = to<its type>(", to be closed; "_" is nobody. */
bool ptx_begin_target(const char *text, FILE *out);

/** "const TYPE NAME[] = {...}; " of an operand that has so many parts, else false. Changes the text. */
bool ptx_write_parts(const char *type, const char *name, char *text, unsigned parts, FILE *out);

/** Assigns the array riffle_v to targets. */
bool ptx_write_targets(char **part, unsigned parts, FILE *out);

#endif
