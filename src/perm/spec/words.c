/* SPDX-License-Identifier: Apache-2.0
 *
 * Each word has a reader for its argument in the table `words`, which takes the tokens and calls the constructor.
 */
#include "perm/spec/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/status.h"
#include "perm/kind.h"

static riffle_status read_identity(spec_parser *in, riffle_perm **out) {
    return riffle_perm_identity(in->n, out);
}
static riffle_status read_reverse(spec_parser *in, riffle_perm **out) {
    return riffle_perm_reverse(in->n, out);
}
static riffle_status read_shuffle(spec_parser *in, riffle_perm **out) {
    return riffle_perm_shuffle(in->n, out);
}
static riffle_status read_unshuffle(spec_parser *in, riffle_perm **out) {
    return riffle_perm_unshuffle(in->n, out);
}
static riffle_status read_bit_reversal(spec_parser *in, riffle_perm **out) {
    return riffle_perm_bit_reversal(in->n, out);
}

static riffle_status read_rotate(spec_parser *in, riffle_perm **out) {
    spec_skip_spaces(in);
    const char *begin = in->at;
    bool negative = spec_accept(in, '-');
    uint64_t k;
    riffle_status status = spec_read_number(in, 10, "a number", &k);
    if (status != RIFFLE_OK) return status;
    if (k > (uint64_t)INT64_MAX + negative)
        return spec_fail_at(in, begin, "the number does not fit 64 bits with a sign");
    return riffle_perm_rotate(in->n, (int64_t)(negative ? 0 - k : k), out);
}

static riffle_status read_random(spec_parser *in, riffle_perm **out) {
    uint64_t seed;
    riffle_status status = spec_read_number(in, 10, "a seed", &seed);
    return status == RIFFLE_OK ? riffle_perm_random(in->n, seed, out) : status;
}

static riffle_status read_random_affine(spec_parser *in, riffle_perm **out) {
    uint64_t seed;
    riffle_status status = spec_read_number(in, 10, "a seed", &seed);
    return status == RIFFLE_OK ? riffle_perm_random_affine(in->n, seed, out) : status;
}

/* Gives `perm` out if it has the array's length; else fails, calling it by the text from `begin` on. */
static riffle_status check_length(const spec_parser *in, const char *begin, riffle_perm *perm,
                                  riffle_perm **out) {
    uint64_t length = riffle_perm_length(perm);
    if (length == in->n) {
        *out = perm;
        return RIFFLE_OK;
    }
    riffle_perm_free(perm);
    return fail(RIFFLE_ERROR_LENGTH, "%.*s is for %" PRIu64 " elements, but the array has %" PRIu64,
                in->at - begin < 160 ? (int)(in->at - begin) : 160, begin, length, in->n);
}

static const char *word_before(const spec_parser *in) {
    const char *begin = in->at;
    while (begin > in->spec && strchr(" \t\r\n:", begin[-1]) != NULL) begin--;
    while (begin > in->spec && (isalnum((unsigned char)begin[-1]) || begin[-1] == '-')) begin--;
    return begin;
}

static riffle_status read_matrix_shape(spec_parser *in, uint64_t *rows, uint64_t *cols) {
    riffle_status status = spec_read_number(in, 10, "ROWSxCOLS in decimal numbers", rows);
    if (status != RIFFLE_OK) return status;
    if (!spec_accept(in, 'x')) return spec_fail_expected(in, "'x' as in ROWSxCOLS, which are decimal numbers");
    status = spec_read_number(in, 10, "the COLS of ROWSxCOLS as a decimal number", cols);
    if (status != RIFFLE_OK) return status;
    if (spec_accept(in, 'x'))
        return spec_fail_at(in, in->at - 1, "transpose takes two dimensions, ROWSxCOLS; use axes for more");
    return RIFFLE_OK;
}

static riffle_status read_transpose(spec_parser *in, riffle_perm **out) {
    const char *begin = word_before(in);
    uint64_t rows, cols;
    riffle_status status = read_matrix_shape(in, &rows, &cols);
    if (status != RIFFLE_OK) return status;
    riffle_perm *perm;
    status = riffle_perm_transpose(rows, cols, &perm);
    return status == RIFFLE_OK ? check_length(in, begin, perm, out) : status;
}

static riffle_status read_axes(spec_parser *in, riffle_perm **out) {
    static const spec_list shape_form = {"dimensions", 'x', 10, RIFFLE_MAX_RANK};
    static const spec_list order_form = {"axes", ',', 10, RIFFLE_MAX_RANK};
    const char *begin = word_before(in);
    uint64_t shape[RIFFLE_MAX_RANK], axes[RIFFLE_MAX_RANK];
    unsigned rank, named, order[RIFFLE_MAX_RANK];
    riffle_status status = spec_read_list(in, &shape_form, &rank, shape);
    if (status != RIFFLE_OK) return status;
    if (!spec_accept(in, ':')) return spec_fail_expected(in, "'x' or ':' and the order of the axes");
    spec_skip_spaces(in);
    const char *listed = in->at;
    status = spec_read_list(in, &order_form, &named, axes);
    if (status != RIFFLE_OK) return status;
    if (named != rank)
        return spec_fail_at(in, listed, "the shape has %u axes, but this order has %u", rank, named);
    riffle_perm *perm;
    status = spec_take_below(in, listed, "axis", rank, axes, order);
    if (status == RIFFLE_OK) status = riffle_perm_axes(rank, shape, order, &perm);
    return status == RIFFLE_OK ? check_length(in, begin, perm, out) : status;
}

/* Fails unless the array has 2^m elements. */
static riffle_status check_bits(const spec_parser *in, const char *what, unsigned m) {
    if (in->n == (uint64_t)1 << m) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH,
                "%s lists %u numbers and so is for %" PRIu64 " elements, but the array has %" PRIu64, what, m,
                (uint64_t)1 << m, in->n);
}

/* Fails at the second of two bits that go to the same place. */
static riffle_status check_distinct(const spec_parser *in, const char *list, unsigned m, const unsigned *to) {
    for (unsigned second = 0; second < m; second++)
        for (unsigned first = 0; first < second; first++)
            if (to[first] == to[second])
                return spec_fail_at(in, spec_number_of_list(list, second), "bits %u and %u both go to bit %u",
                                    first, second, to[second]);
    return RIFFLE_OK;
}

static riffle_status read_bits(spec_parser *in, riffle_perm **out) {
    static const spec_list form = {"bits", ',', 10, RIFFLE_MAX_BITS};
    const char *list = in->at;
    uint64_t numbers[RIFFLE_MAX_BITS];
    unsigned m, to[RIFFLE_MAX_BITS];
    riffle_status status = spec_read_list(in, &form, &m, numbers);
    if (status == RIFFLE_OK) status = check_bits(in, "bits", m);
    if (status == RIFFLE_OK) status = spec_take_below(in, list, "bit", m, numbers, to);
    if (status == RIFFLE_OK) status = check_distinct(in, list, m, to);
    return status == RIFFLE_OK ? riffle_perm_bits(m, to, out) : status;
}

static riffle_status read_affine(spec_parser *in, riffle_perm **out) {
    static const spec_list form = {"hexadecimal rows", ',', 16, RIFFLE_MAX_BITS};
    uint64_t rows[RIFFLE_MAX_BITS], c = 0;
    unsigned m;
    riffle_status status = spec_read_list(in, &form, &m, rows);
    if (status == RIFFLE_OK && spec_accept(in, '^'))
        status = spec_read_number(in, 16, "a hexadecimal number", &c);
    if (status == RIFFLE_OK) status = check_bits(in, "affine", m);
    return status == RIFFLE_OK ? riffle_perm_affine(m, rows, c, out) : status;
}

/* The entries up to the closing bracket; free *entries in any case. */
static riffle_status read_entries(spec_parser *in, uint64_t *count, uint64_t **entries) {
    uint64_t capacity = 0;
    if (spec_accept(in, ']')) return RIFFLE_OK;
    do {
        if (*count == capacity) {
            capacity = capacity < 16 ? 16 : 2 * capacity;
            uint64_t *grown = realloc(*entries, (size_t)capacity * sizeof *grown);
            if (grown == NULL) return fail_memory("the entries of a table", capacity * sizeof *grown);
            *entries = grown;
        }
        riffle_status status = spec_read_number(in, 10, "an index", &(*entries)[*count]);
        if (status != RIFFLE_OK) return status;
        ++*count;
    } while (spec_accept(in, ','));
    return spec_accept(in, ']') ? RIFFLE_OK : spec_fail_expected(in, "',' or ']'");
}

static riffle_status read_inline_table(spec_parser *in, riffle_perm **out) {
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

/* Copies the path that the spec_parser stands at into `path`, which has room for the rest of the spec. */
static riffle_status read_path(spec_parser *in, char *path) {
    const char *begin = in->at;
    if (!spec_accept(in, '"')) {
        size_t length = strcspn(in->at, "|)");
        in->at += length;
        while (length > 0 && strchr(" \t\r\n", begin[length - 1]) != NULL) length--;
        memcpy(path, begin, length);
        path[length] = '\0';
        if (length > 0) return RIFFLE_OK;
        in->at = begin;
        return spec_fail_expected(in, "the name of a .npy file or '['");
    }
    while (*in->at != '"' && *in->at != '\0') {
        if (*in->at == '\\' && in->at[1] != '\0') in->at++;
        *path++ = *in->at++;
    }
    *path = '\0';
    return spec_accept(in, '"') ? RIFFLE_OK : spec_fail_at(in, begin, "the quote is not closed");
}

static riffle_status read_table(spec_parser *in, riffle_perm **out) {
    if (spec_accept(in, '[')) return read_inline_table(in, out);
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
    const char *argument; /* argument behind the colon, or NULL where there is none */
    riffle_status (*read)(spec_parser *in, riffle_perm **out);
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

static riffle_status fail_unknown(const spec_parser *in, const char *name, size_t length) {
    nearest meant = nearest_to(name, length);
    for (unsigned k = 0; k < WORDS; k++) nearest_try(&meant, words[k].name, strlen(words[k].name));
    int shown = length < 40 ? (int)length : 40;
    if (meant.name == NULL) return spec_fail_at(in, name, "unknown permutation '%.*s'", shown, name);
    return spec_fail_at(in, name, "unknown permutation '%.*s'; did you mean '%s'?", shown, name, meant.name);
}

/* A list of places without its word, up to its bracket: "[2,0,1]". */
static riffle_status fail_bare_list(const spec_parser *in) {
    const size_t length = strcspn(in->at, "]");
    const bool is_shown = in->at[length] == ']' && length < 40;
    return spec_fail_at(in, in->at, "expected a permutation, found '['; did you mean 'table:%.*s'?",
                        is_shown ? (int)length + 1 : 5, is_shown ? in->at : "[...]");
}

riffle_status spec_read_word(spec_parser *in, riffle_perm **out) {
    spec_skip_spaces(in);
    const char *name = in->at;
    while (isalnum((unsigned char)*in->at) || *in->at == '-' || *in->at == '_') in->at++;
    size_t length = (size_t)(in->at - name);
    if (length == 0) return *in->at == '[' ? fail_bare_list(in) : spec_fail_expected(in, "a permutation");
    for (unsigned k = 0; k < WORDS; k++) {
        if (strlen(words[k].name) != length || memcmp(words[k].name, name, length) != 0) continue;
        if (words[k].argument != NULL && !spec_accept(in, ':')) {
            char expected[64];
            snprintf(expected, sizeof expected, "':' as in %s:%s", words[k].name, words[k].argument);
            return spec_fail_expected(in, expected);
        }
        spec_skip_spaces(in);
        return words[k].read(in, out);
    }
    return fail_unknown(in, name, length);
}
