/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "machine/lint/ptx/statement.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/ptx/branch.h"
#include "machine/lint/ptx/instruction.h"
#include "machine/lint/source/text.h"

enum { MOST_OPERANDS = 160, CODE_BYTES = 1 << 13, SHOWN_BYTES = 80 };

typedef struct operand {
    const char *expression;
    size_t length;
    char constraint;
    bool is_output;
} operand;

/* asm("code" : outputs : inputs : what it changes) */
typedef struct statement {
    char code[CODE_BYTES];
    operand operand[MOST_OPERANDS];
    unsigned operands;
    const char *end;
} statement;

/* ---- reading */

/* Behind a word if it stands here. */
static const char *behind_word(const char *at, const char *word) {
    return begins_with(at, word) && !is_word(at[strlen(word)]) ? at + strlen(word) : NULL;
}

/* Behind "asm volatile (" that begins here; NULL if none does. */
static const char *behind_opening(const char *text, const char *at) {
    static const char *const words[] = {"asm", "__asm__", "__asm"}, *const marks[] = {"volatile",
                                                                                      "__volatile__"};
    const char *behind = NULL;
    if (at > text && is_word(at[-1])) return NULL;
    for (size_t k = 0; k < 3 && behind == NULL; k++) behind = behind_word(at, words[k]);
    if (behind == NULL) return NULL;
    behind = skip_blanks(behind);
    for (size_t k = 0; k < 2; k++) {
        const char *marked = behind_word(behind, marks[k]);
        if (marked != NULL) behind = skip_blanks(marked);
    }
    return *behind == '(' ? skip_blanks(behind + 1) : NULL;
}

/* Appends what the string that begins here says; behind it, or NULL. */
static const char *read_string(const char *at, char *out, size_t capacity) {
    size_t used = strlen(out);
    for (at++; *at != '"'; at++) {
        if (*at == '\0' || *at == '\n' || used + 1 >= capacity) return NULL;
        char c = *at;
        if (c == '\\') {
            c = *++at;
            if (c == 'n') c = '\n';
            if (c == 't' || c == 'r') c = ' ';
            if (c == '\0') return NULL;
        }
        out[used++] = c;
    }
    out[used] = '\0';
    return at + 1;
}

static const char *read_strings(const char *at, char *out, size_t capacity) {
    out[0] = '\0';
    while (at != NULL && *at == '"') {
        at = read_string(at, out, capacity);
        if (at != NULL) at = skip_blanks(at);
    }
    return at;
}

/* Behind the bracket that closes the one here; NULL if there is none. */
static const char *behind_closed(const char *at) {
    char ignored[CODE_BYTES];
    int depth = 0;
    while (*at != '\0') {
        if (*at == '"') {
            ignored[0] = '\0';
            at = read_string(at, ignored, sizeof ignored);
            if (at == NULL) return NULL;
            continue;
        }
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        at++;
        if (depth == 0) return at;
    }
    return NULL;
}

/* "=r"(d), "=f"(e) up to a ':' or the end. */
static const char *read_operands(const char *at, bool outputs, statement *out) {
    while (at != NULL && *at == '"') {
        char constraint[16];
        at = read_strings(at, constraint, sizeof constraint);
        if (at == NULL || *at != '(' || out->operands == MOST_OPERANDS) return NULL;
        const char *behind = behind_closed(at);
        if (behind == NULL) return NULL;
        const char letter = constraint[strspn(constraint, "=+&")];
        out->operand[out->operands++] = (operand){at, (size_t)(behind - at), letter, outputs};
        at = skip_blanks(behind);
        if (*at == ',') at = skip_blanks(at + 1);
    }
    return at;
}

static bool read_statement(const char *text, const char *at, statement *out) {
    char ignored[256];
    out->operands = 0;
    at = behind_opening(text, at);
    if (at == NULL) return false;
    at = read_strings(at, out->code, sizeof out->code);
    for (int section = 0; at != NULL && *at == ':' && section < 2; section++)
        at = read_operands(skip_blanks(at + 1), section == 0, out);
    if (at != NULL && *at == ':') at = skip_blanks(at + 1);
    while (at != NULL && *at == '"') {
        at = read_strings(at, ignored, sizeof ignored);
        if (at != NULL && *at == ',') at = skip_blanks(at + 1);
    }
    if (at == NULL || *at != ')') return false;
    out->end = at + 1;
    return true;
}

/* ---- what it is */

/* Comments become blanks, and %% is %. */
static void clean(char *code) {
    char *to = code;
    for (const char *at = code; *at != '\0';) {
        if (begins_with(at, "//")) {
            at += strcspn(at, "\n");
        } else if (begins_with(at, "/*")) {
            const char *end = strstr(at + 2, "*/");
            at = end != NULL ? end + 2 : at + strlen(at);
        } else if (begins_with(at, "%=")) { /* part of a label, which is the statement's own here in any case */
            *to++ = '_';
            at += 2;
        } else {
            if (begins_with(at, "%%")) at++;
            *to++ = *at++;
        }
    }
    *to = '\0';
}

/* By the first instruction's name, which has a '.' in it: the host's have none, and its directives begin with one. */
static bool is_ptx(const char *code) {
    code += strspn(code, " \t\n{};");
    if (begins_with(code, ".reg")) return true;
    if (*code == '@') code += strcspn(code, " \t\n");
    code += strspn(code, " \t\n");
    for (size_t label; (label = strcspn(code, " \t\n;")) > 0 && code[label - 1] == ':';)
        code += label + strspn(code + label, " \t\n");
    const size_t length = strcspn(code, " \t\n;");
    if (length == 4 && (begins_with(code, "trap") || begins_with(code, "exit"))) return true;
    const char *dot = memchr(code, '.', length);
    return dot != NULL && dot > code && islower((unsigned char)*code);
}

/* ---- writing */

static void write_operands(const statement *one, FILE *out) {
    for (unsigned k = 0; k < one->operands; k++) {
        const operand *its = &one->operand[k];
        fprintf(out, "%s " LINT_PTX_OPERAND "%u = %.*s; (void)" LINT_PTX_OPERAND "%u; ",
                its->is_output ? "auto &&" : "auto", k, (int)its->length, its->expression, k);
    }
    for (unsigned k = 0; k < one->operands; k++) /* values that outputs hold before */
        if (isdigit((unsigned char)one->operand[k].constraint))
            fprintf(out, LINT_PTX_OPERAND "%c = " LINT_PTX_OPERAND "%u; ", one->operand[k].constraint, k);
}

/* The next instruction that takes the carry; NULL if there is none. */
static const char *next_taker(const char *from) {
    static const char *const words[] = {"addc", "subc", "madc", NULL};
    while (*from != '\0' && !begins_with_any(from, words)) from++;
    return *from != '\0' ? from : NULL;
}

/* The carry of a statement: that of the one before, where it takes one that it has not made. True if one behind may take it. */
static bool write_carry(const char *code, FILE *out) {
    static const char makes[] = ".cc";
    const char *maker = strstr(code, makes), *taker = next_taker(code), *last_maker = maker, *last_taker = taker;
    if (maker == NULL && taker == NULL) return false;
    const bool is_given = taker != NULL && (maker == NULL || taker < maker);
    fprintf(out, "bool riffle_carry = %s; ", is_given ? "::riffle_lint_carried()" : "false");
    for (const char *at = maker; at != NULL; at = strstr(at + 1, makes)) last_maker = at;
    for (const char *at = taker; at != NULL; at = next_taker(at + 1)) last_taker = at;
    return last_maker != NULL && (last_taker == NULL || last_taker < last_maker);
}

/* All instructions, into a stream; the first that is not known, or NULL. */
static const char *write_code(char *code, unsigned number, char shown[static SHOWN_BYTES], FILE *out) {
    const bool carries_out = write_carry(code, out);
    for (char *at = code; *(at += strspn(at, " \t\n;")) != '\0';) {
        if (*at == '}' || *at == '{') {
            fprintf(out, "%c ", *at++);
            continue;
        }
        char *behind = ptx_write_labels(at, number, out);
        if (behind != at) {
            at = behind;
            continue;
        }
        const size_t length = strcspn(at, ";");
        const bool last = at[length] == '\0';
        at[length] = '\0';
        snprintf(shown, SHOWN_BYTES, "%s", at);
        if (!ptx_write_branch(at, number, out) && !lint_ptx_instruction(at, out)) return shown;
        at += length + !last;
    }
    if (carries_out) fputs("::riffle_lint_carry(riffle_carry); ", out);
    return NULL;
}

/* A string constant of the instruction, without what would end it. */
static void write_message(const char *instruction, FILE *out) {
    fputs("\"" LINT_PTX_LACKS, out);
    bool blank = false;
    for (; *instruction != '\0'; instruction++) {
        const bool is_blank = isspace((unsigned char)*instruction);
        if (!(is_blank && blank) && strchr("\"\\", *instruction) == NULL)
            fputc(is_blank ? ' ' : *instruction, out);
        blank = is_blank;
    }
    fputs(LINT_PTX_LACKS_END "\"", out);
}

/* An error only where the call is compiled into a function that is wanted. clang does not see it where exceptions could come through. */
static void write_lack(const char *instruction, unsigned number, FILE *out) {
    fprintf(out, "do { void riffle_ptx_lacks_%u(void) __attribute__((nothrow, error(", number);
    write_message(instruction, out);
    fprintf(out, "))); riffle_ptx_lacks_%u(); } while (0)", number);
}

static void write_statement(statement *one, unsigned number, FILE *out) {
    char shown[SHOWN_BYTES], *body = NULL;
    size_t length;
    FILE *stream = open_memstream(&body, &length);
    const char *unknown = "without memory";
    if (stream != NULL) {
        unknown = write_code(one->code, number, shown, stream);
        if (fclose(stream) != 0) unknown = "without memory";
    }
    if (unknown != NULL) {
        write_lack(unknown, number, out);
    } else {
        fputs("do { ", out);
        write_operands(one, out);
        fprintf(out, "%s} while (0)", body);
    }
    free(body);
}

/* The lines that a statement takes, but for those in the expressions of its operands, if these were written. */
static void write_lines(const char *from, const char *to, const char *written, size_t length, FILE *out) {
    int lines = 0;
    for (; from < to; from++) lines += *from == '\n';
    for (size_t k = 0; k < length; k++) lines -= written[k] == '\n';
    for (; lines > 0; lines--) fputc('\n', out);
}

/* True if its operands are there, and all of them registers of a GPU's. */
static bool has_registers(const statement *one) {
    for (unsigned k = 0; k < one->operands; k++)
        if (strchr("rfldh", one->operand[k].constraint) == NULL) return false;
    return one->operands > 0;
}

/* Behind the statement that begins here if it is PTX, which is written; NULL else. */
static const char *write_one(const char *text, const char *at, unsigned number, statement *one, FILE *out) {
    char *written = NULL;
    size_t length;
    if (!read_statement(text, at, one)) return NULL;
    clean(one->code);
    if (one->code[strspn(one->code, " \t\n;")] == '\0' && has_registers(one)) {
        fputs("do {} while (0)", out); /* it only keeps the compiler from moving what is around it */
        write_lines(at, one->end, "", 0, out);
        return one->end;
    }
    if (!is_ptx(one->code)) return NULL;
    FILE *stream = open_memstream(&written, &length);
    if (stream == NULL) return NULL;
    write_statement(one, number, stream);
    if (fclose(stream) == 0) fwrite(written, 1, length, out);
    write_lines(at, one->end, written, length, out);
    free(written);
    return one->end;
}

void lint_ptx_write(const char *text, size_t length, FILE *out) {
    statement *one = malloc(sizeof *one);
    unsigned number = 0;
    const char *from = text;
    for (const char *at = text; one != NULL && (at = strstr(at, "asm")) != NULL;) {
        const char *begin = at - text >= 2 && at[-1] == '_' && at[-2] == '_' ? at - 2 : at;
        fwrite(from, 1, (size_t)(begin - from), out);
        from = begin;
        const char *behind = write_one(text, begin, number, one, out);
        number += behind != NULL;
        at = behind != NULL ? behind : at + 3;
        if (behind != NULL) from = behind;
    }
    free(one);
    fwrite(from, 1, (size_t)(text + length - from), out);
}
