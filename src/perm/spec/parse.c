/* SPDX-License-Identifier: Apache-2.0
 *
 * The spec language (docs/spec.md), read by recursive descent:
 *
 *     sequence = term { "|" term }
 *     term     = { "~" } ( "(" sequence ")" | word [ ":" argument ] )
 *
 * Each word has a reader for its argument in the table `words`. The parser's only state is where it stands; a
 * reader takes the tokens of its argument and calls the constructor. Spaces may stand around every token.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "perm/kind.h"

enum {
    MOST_NESTED = 64,    /* parentheses inside parentheses */
    LONGEST_GUESSED = 24 /* longer words than this get no suggestion */
};

typedef struct parser {
    const char *spec;
    const char *at;
    uint64_t n;
    unsigned nested;
} parser;

/* ----------------------------------------------------------------- errors */

/* Characters, not bytes, before `at`: UTF-8 continuation bytes do not count. */
static size_t characters_before(const parser *in, const char *at) {
    size_t count = 0;
    for (const char *c = in->spec; c < at; c++) count += ((unsigned char)*c & 0xC0) != 0x80;
    return count;
}

__attribute__((format(printf, 3, 4))) static riffle_status fail_at(const parser *in, const char *at,
                                                                   const char *format, ...) {
    char message[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(RIFFLE_ERROR_SYNTAX, "spec, character %zu: %s", characters_before(in, at) + 1, message);
}

static void skip_spaces(parser *in) { in->at += strspn(in->at, " \t\r\n"); }

static riffle_status fail_expected(parser *in, const char *expected) {
    skip_spaces(in);
    unsigned char found = (unsigned char)*in->at;
    if (found == '\0') return fail_at(in, in->at, "expected %s, found the end of the spec", expected);
    if (isprint(found)) return fail_at(in, in->at, "expected %s, found '%c'", expected, found);
    return fail_at(in, in->at, "expected %s, found the byte 0x%02x", expected, found);
}

/* ----------------------------------------------------------------- tokens */

static bool accept(parser *in, char token) {
    skip_spaces(in);
    if (*in->at != token) return false;
    in->at++;
    return true;
}

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

static riffle_status read_number(parser *in, unsigned base, const char *what, uint64_t *out) {
    skip_spaces(in);
    const char *begin = in->at;
    if (base == 16 && begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X') && digit_value(begin[2]) < 16)
        in->at += 2;
    if (digit_value(*in->at) >= base) return fail_expected(in, what);
    uint64_t value = 0;
    for (; digit_value(*in->at) < base; in->at++) {
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit_value(*in->at), &value))
            return fail_at(in, begin, "the number does not fit 64 bits");
    }
    *out = value;
    return RIFFLE_OK;
}

/* What stands between two numbers of a list, and how many there may be. */
typedef struct list_form {
    const char *what;
    char separator;
    unsigned base;
    unsigned most;
} list_form;

static riffle_status read_list(parser *in, const list_form *form, unsigned *count, uint64_t *values) {
    *count = 0;
    do {
        if (*count == form->most)
            return fail_at(in, in->at, "more than %u numbers where %s are listed", form->most, form->what);
        riffle_status status = read_number(in, form->base, form->what, &values[*count]);
        if (status != RIFFLE_OK) return status;
        ++*count;
    } while (accept(in, form->separator));
    return RIFFLE_OK;
}

/* Where number k of the comma-separated list stands. */
static const char *number_of_list(const char *list, unsigned k) {
    for (; k > 0; k--) list = strchr(list, ',') + 1;
    return list + strspn(list, " \t\r\n");
}

/* The `count` numbers of the list as bits or axes below count, which is how many there are. */
static riffle_status take_below_count(const parser *in, const char *list, const char *what, unsigned count,
                                      const uint64_t *numbers, unsigned *out) {
    for (unsigned k = 0; k < count; k++) {
        if (numbers[k] >= count)
            return fail_at(in, number_of_list(list, k), "there is no %s %" PRIu64 ": they are 0 to %u", what,
                           numbers[k], count - 1);
        out[k] = (unsigned)numbers[k];
    }
    return RIFFLE_OK;
}

/* -------------------------------------------------------------- arguments */

static riffle_status read_identity(parser *in, riffle_perm **out) { return riffle_perm_identity(in->n, out); }
static riffle_status read_reverse(parser *in, riffle_perm **out) { return riffle_perm_reverse(in->n, out); }
static riffle_status read_shuffle(parser *in, riffle_perm **out) { return riffle_perm_shuffle(in->n, out); }
static riffle_status read_unshuffle(parser *in, riffle_perm **out) { return riffle_perm_unshuffle(in->n, out); }
static riffle_status read_bit_reversal(parser *in, riffle_perm **out) {
    return riffle_perm_bit_reversal(in->n, out);
}

static riffle_status read_rotate(parser *in, riffle_perm **out) {
    skip_spaces(in);
    const char *begin = in->at;
    bool negative = accept(in, '-');
    uint64_t k;
    riffle_status status = read_number(in, 10, "a number", &k);
    if (status != RIFFLE_OK) return status;
    if (k > (uint64_t)INT64_MAX + negative)
        return fail_at(in, begin, "the number does not fit 64 bits with a sign");
    return riffle_perm_rotate(in->n, (int64_t)(negative ? 0 - k : k), out);
}

static riffle_status read_random(parser *in, riffle_perm **out) {
    uint64_t seed;
    riffle_status status = read_number(in, 10, "a seed", &seed);
    return status == RIFFLE_OK ? riffle_perm_random(in->n, seed, out) : status;
}

static riffle_status read_random_affine(parser *in, riffle_perm **out) {
    uint64_t seed;
    riffle_status status = read_number(in, 10, "a seed", &seed);
    return status == RIFFLE_OK ? riffle_perm_random_affine(in->n, seed, out) : status;
}

/* Gives `perm` out if it has the array's length; else fails, calling it by the text from `begin` on. */
static riffle_status check_length(const parser *in, const char *begin, riffle_perm *perm, riffle_perm **out) {
    uint64_t length = riffle_perm_length(perm);
    if (length == in->n) {
        *out = perm;
        return RIFFLE_OK;
    }
    riffle_perm_free(perm);
    return fail(RIFFLE_ERROR_LENGTH, "%.*s is for %" PRIu64 " elements, but the array has %" PRIu64,
                in->at - begin < 160 ? (int)(in->at - begin) : 160, begin, length, in->n);
}

static const char *word_before(const parser *in) {
    const char *begin = in->at;
    while (begin > in->spec && strchr(" \t\r\n:", begin[-1]) != NULL) begin--;
    while (begin > in->spec && (isalnum((unsigned char)begin[-1]) || begin[-1] == '-')) begin--;
    return begin;
}

static riffle_status read_matrix_shape(parser *in, uint64_t *rows, uint64_t *cols) {
    riffle_status status = read_number(in, 10, "ROWSxCOLS in decimal numbers", rows);
    if (status != RIFFLE_OK) return status;
    if (!accept(in, 'x')) return fail_expected(in, "'x' as in ROWSxCOLS, which are decimal numbers");
    status = read_number(in, 10, "the COLS of ROWSxCOLS as a decimal number", cols);
    if (status != RIFFLE_OK) return status;
    if (accept(in, 'x'))
        return fail_at(in, in->at - 1, "transpose takes two dimensions, ROWSxCOLS; use axes for more");
    return RIFFLE_OK;
}

static riffle_status read_transpose(parser *in, riffle_perm **out) {
    const char *begin = word_before(in);
    uint64_t rows, cols;
    riffle_status status = read_matrix_shape(in, &rows, &cols);
    if (status != RIFFLE_OK) return status;
    riffle_perm *perm;
    status = riffle_perm_transpose(rows, cols, &perm);
    return status == RIFFLE_OK ? check_length(in, begin, perm, out) : status;
}

static riffle_status read_axes(parser *in, riffle_perm **out) {
    static const list_form shape_form = {"dimensions", 'x', 10, RIFFLE_MAX_RANK};
    static const list_form order_form = {"axes", ',', 10, RIFFLE_MAX_RANK};
    const char *begin = word_before(in);
    uint64_t shape[RIFFLE_MAX_RANK], axes[RIFFLE_MAX_RANK];
    unsigned rank, named, order[RIFFLE_MAX_RANK];
    riffle_status status = read_list(in, &shape_form, &rank, shape);
    if (status != RIFFLE_OK) return status;
    if (!accept(in, ':')) return fail_expected(in, "'x' or ':' and the order of the axes");
    skip_spaces(in);
    const char *listed = in->at;
    status = read_list(in, &order_form, &named, axes);
    if (status != RIFFLE_OK) return status;
    if (named != rank) return fail_at(in, listed, "the shape has %u axes, but this order has %u", rank, named);
    riffle_perm *perm;
    status = take_below_count(in, listed, "axis", rank, axes, order);
    if (status == RIFFLE_OK) status = riffle_perm_axes(rank, shape, order, &perm);
    return status == RIFFLE_OK ? check_length(in, begin, perm, out) : status;
}

/* Fails unless the array has 2^m elements. */
static riffle_status check_bits(const parser *in, const char *what, unsigned m) {
    if (in->n == (uint64_t)1 << m) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH,
                "%s lists %u numbers and so is for %" PRIu64 " elements, but the array has %" PRIu64, what, m,
                (uint64_t)1 << m, in->n);
}

/* Fails at the second of two bits that go to the same place. */
static riffle_status check_distinct(const parser *in, const char *list, unsigned m, const unsigned *to) {
    for (unsigned second = 0; second < m; second++)
        for (unsigned first = 0; first < second; first++)
            if (to[first] == to[second])
                return fail_at(in, number_of_list(list, second), "bits %u and %u both go to bit %u", first,
                               second, to[second]);
    return RIFFLE_OK;
}

static riffle_status read_bits(parser *in, riffle_perm **out) {
    static const list_form form = {"bits", ',', 10, RIFFLE_MAX_BITS};
    const char *list = in->at;
    uint64_t numbers[RIFFLE_MAX_BITS];
    unsigned m, to[RIFFLE_MAX_BITS];
    riffle_status status = read_list(in, &form, &m, numbers);
    if (status == RIFFLE_OK) status = check_bits(in, "bits", m);
    if (status == RIFFLE_OK) status = take_below_count(in, list, "bit", m, numbers, to);
    if (status == RIFFLE_OK) status = check_distinct(in, list, m, to);
    return status == RIFFLE_OK ? riffle_perm_bits(m, to, out) : status;
}

static riffle_status read_affine(parser *in, riffle_perm **out) {
    static const list_form form = {"hexadecimal rows", ',', 16, RIFFLE_MAX_BITS};
    uint64_t rows[RIFFLE_MAX_BITS], c = 0;
    unsigned m;
    riffle_status status = read_list(in, &form, &m, rows);
    if (status == RIFFLE_OK && accept(in, '^')) status = read_number(in, 16, "a hexadecimal number", &c);
    if (status == RIFFLE_OK) status = check_bits(in, "affine", m);
    return status == RIFFLE_OK ? riffle_perm_affine(m, rows, c, out) : status;
}

/* The entries up to the closing bracket; free *entries in any case. */
static riffle_status read_entries(parser *in, uint64_t *count, uint64_t **entries) {
    uint64_t capacity = 0;
    if (accept(in, ']')) return RIFFLE_OK;
    do {
        if (*count == capacity) {
            capacity = capacity < 16 ? 16 : 2 * capacity;
            uint64_t *grown = realloc(*entries, (size_t)capacity * sizeof *grown);
            if (grown == NULL) return fail_memory("the entries of a table", capacity * sizeof *grown);
            *entries = grown;
        }
        riffle_status status = read_number(in, 10, "an index", &(*entries)[*count]);
        if (status != RIFFLE_OK) return status;
        ++*count;
    } while (accept(in, ','));
    return accept(in, ']') ? RIFFLE_OK : fail_expected(in, "',' or ']'");
}

static riffle_status read_inline_table(parser *in, riffle_perm **out) {
    uint64_t count = 0, *entries = NULL;
    riffle_status status = read_entries(in, &count, &entries);
    if (status == RIFFLE_OK && count != in->n) {
        status =
            fail(RIFFLE_ERROR_LENGTH,
                 "table:[...] holds %" PRIu64 " entries but the array has %" PRIu64 " elements", count, in->n);
    }
    if (status == RIFFLE_OK) status = riffle_perm_table_u64(count, entries, out);
    free(entries);
    return status;
}

/* Copies the path that the parser stands at into `path`, which has room for the rest of the spec. */
static riffle_status read_path(parser *in, char *path) {
    const char *begin = in->at;
    if (!accept(in, '"')) {
        size_t length = strcspn(in->at, "|)");
        in->at += length;
        while (length > 0 && strchr(" \t\r\n", begin[length - 1]) != NULL) length--;
        memcpy(path, begin, length);
        path[length] = '\0';
        if (length > 0) return RIFFLE_OK;
        in->at = begin;
        return fail_expected(in, "the name of a .npy file or '['");
    }
    while (*in->at != '"' && *in->at != '\0') {
        if (*in->at == '\\' && in->at[1] != '\0') in->at++;
        *path++ = *in->at++;
    }
    *path = '\0';
    return accept(in, '"') ? RIFFLE_OK : fail_at(in, begin, "the quote is not closed");
}

static riffle_status read_table(parser *in, riffle_perm **out) {
    if (accept(in, '[')) return read_inline_table(in, out);
    size_t bytes = strlen(in->at) + 1;
    char *path = malloc(bytes);
    if (path == NULL) return fail_memory("the name of a table's file", bytes);
    riffle_status status = read_path(in, path);
    if (status == RIFFLE_OK) status = table_create_from_file(in->n, path, out);
    free(path);
    return status;
}

/* ------------------------------------------------------------------ words */

typedef struct word {
    const char *name;
    const char *argument; /* what follows the colon, or NULL where there is none */
    riffle_status (*read)(parser *in, riffle_perm **out);
} word;

static const word words[] = {
    {"identity", NULL, read_identity},
    {"reverse", NULL, read_reverse},
    {"rotate", "K", read_rotate},
    {"bit-reversal", NULL, read_bit_reversal},
    {"shuffle", NULL, read_shuffle},
    {"unshuffle", NULL, read_unshuffle},
    {"transpose", "ROWSxCOLS", read_transpose},
    {"axes", "D0xD1x...:a,b,...", read_axes},
    {"bits", "p0,p1,...", read_bits},
    {"affine", "r0,r1,...", read_affine},
    {"random", "SEED", read_random},
    {"random-affine", "SEED", read_random_affine},
    {"table", "FILE.npy", read_table},
};
enum { WORDS = sizeof words / sizeof *words };

/* Levenshtein's distance, in one row of his table; upper and lower case count as the same. */
static size_t edit_distance(const char *a, size_t a_length, const char *b) {
    size_t b_length = strlen(b), row[LONGEST_GUESSED + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (tolower((unsigned char)a[i - 1]) != b[j - 1]);
            diagonal = row[j];
            size_t shorter = row[j - 1] < row[j] ? row[j - 1] : row[j];
            row[j] = shorter + 1 < replaced ? shorter + 1 : replaced;
        }
    }
    return row[b_length];
}

static riffle_status fail_unknown(const parser *in, const char *name, size_t length) {
    const char *nearest = NULL;
    size_t best = length / 3 + 2; /* farther than this is no misspelling */
    for (unsigned k = 0; k < WORDS && length <= LONGEST_GUESSED; k++) {
        size_t distance = edit_distance(name, length, words[k].name);
        if (distance >= best || distance >= length) continue;
        best = distance;
        nearest = words[k].name;
    }
    int shown = length < 40 ? (int)length : 40;
    if (nearest == NULL) return fail_at(in, name, "unknown permutation '%.*s'", shown, name);
    return fail_at(in, name, "unknown permutation '%.*s'; did you mean '%s'?", shown, name, nearest);
}

static riffle_status read_word(parser *in, riffle_perm **out) {
    skip_spaces(in);
    const char *name = in->at;
    while (isalnum((unsigned char)*in->at) || *in->at == '-' || *in->at == '_') in->at++;
    size_t length = (size_t)(in->at - name);
    if (length == 0) return fail_expected(in, "a permutation");
    for (unsigned k = 0; k < WORDS; k++) {
        if (strlen(words[k].name) != length || memcmp(words[k].name, name, length) != 0) continue;
        if (words[k].argument != NULL && !accept(in, ':')) {
            char expected[64];
            snprintf(expected, sizeof expected, "':' as in %s:%s", words[k].name, words[k].argument);
            return fail_expected(in, expected);
        }
        skip_spaces(in);
        return words[k].read(in, out);
    }
    return fail_unknown(in, name, length);
}

/* ---------------------------------------------------------------- grammar */

static riffle_status read_sequence(parser *in, riffle_perm **out);

static riffle_status read_parenthesis(parser *in, riffle_perm **out) {
    if (in->nested == MOST_NESTED)
        return fail_at(in, in->at - 1, "parentheses are nested more than %d deep", MOST_NESTED);
    in->nested++;
    riffle_perm *perm;
    riffle_status status = read_sequence(in, &perm);
    in->nested--;
    if (status != RIFFLE_OK) return status;
    if (accept(in, ')')) {
        *out = perm;
        return RIFFLE_OK;
    }
    riffle_perm_free(perm);
    return fail_expected(in, "'|' or ')'");
}

static riffle_status read_term(parser *in, riffle_perm **out) {
    bool inverted = false;
    while (accept(in, '~')) inverted = !inverted;
    riffle_perm *perm;
    riffle_status status = accept(in, '(') ? read_parenthesis(in, &perm) : read_word(in, &perm);
    if (status != RIFFLE_OK) return status;
    if (!inverted) {
        *out = perm;
        return RIFFLE_OK;
    }
    status = riffle_perm_invert(perm, out);
    riffle_perm_free(perm);
    return status;
}

static riffle_status read_sequence(parser *in, riffle_perm **out) {
    sequence_builder builder = {.n = in->n};
    riffle_status status;
    do {
        riffle_perm *part;
        status = read_term(in, &part);
        if (status != RIFFLE_OK) break;
        status = sequence_push(&builder, part);
        riffle_perm_free(part);
    } while (status == RIFFLE_OK && accept(in, '|'));
    if (status == RIFFLE_OK) return sequence_finish(&builder, out);
    sequence_abandon(&builder);
    return status;
}

riffle_status riffle_perm_parse(const char *spec, uint64_t n, riffle_perm **out) {
    riffle_status status = perm_check_length("spec", n);
    if (status != RIFFLE_OK) return status;
    parser in = {.spec = spec, .at = spec, .n = n};
    riffle_perm *perm;
    status = read_sequence(&in, &perm);
    if (status != RIFFLE_OK) return status;
    skip_spaces(&in);
    if (*in.at == '\0') {
        *out = perm;
        return RIFFLE_OK;
    }
    riffle_perm_free(perm);
    return fail_expected(&in, "'|' or the end");
}
