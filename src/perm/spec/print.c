/* SPDX-License-Identifier: Apache-2.0
 *
 * A permutation as spec text (docs/spec.md): the name that it goes by where it has one, else its form. The printed text parses
 * to an equal permutation of the same n.
 */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "perm/kind.h"

/* Text that is counted in full and kept as far as the buffer goes, one byte left for the NUL. */
typedef struct text {
    char *buffer;
    size_t capacity;
    size_t length;
} text;

static void put_char(text *out, char c) {
    if (out->length + 1 < out->capacity) out->buffer[out->length] = c;
    out->length++;
}

static void put(text *out, const char *string) {
    for (; *string != '\0'; string++) put_char(out, *string);
}

static void put_number(text *out, uint64_t value, unsigned base) {
    char digits[20]; /* 2^64 - 1 has 20 decimal digits */
    unsigned count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    while (count > 0) put_char(out, digits[--count]);
}

static void put_rotation(text *out, const riffle_perm *perm) {
    uint64_t n = perm->n, offset = perm->rotation.offset;
    if (perm->rotation.reflected) {
        put(out, "reverse"); /* i -> n-1-i, to which the rotation adds offset + 1 */
        offset = offset + 1 == n ? 0 : offset + 1;
        if (offset == 0) return;
        put_char(out, '|');
    }
    if (offset == 0) {
        put(out, "identity");
        return;
    }
    put(out, "rotate:");
    put_number(out, offset, 10);
}

/* The name of a bit permutation that has one, or NULL. */
static const char *bits_name(const gf2_matrix *a) {
    bool reversal = true, shuffle = true, unshuffle = true;
    for (unsigned j = 0; j < a->m; j++) {
        unsigned to = (unsigned)__builtin_ctzll(a->column[j]);
        reversal = reversal && to == a->m - 1 - j;
        shuffle = shuffle && to == (j + 1) % a->m;
        unshuffle = unshuffle && to == (j + a->m - 1) % a->m;
    }
    return reversal ? "bit-reversal" : shuffle ? "shuffle" : unshuffle ? "unshuffle" : NULL;
}

static void put_bits(text *out, const gf2_matrix *a) {
    const char *name = bits_name(a);
    put(out, name != NULL ? name : "bits:");
    for (unsigned j = 0; name == NULL && j < a->m; j++) {
        if (j > 0) put_char(out, ',');
        put_number(out, (uint64_t)__builtin_ctzll(a->column[j]), 10);
    }
}

static void put_affine(text *out, const riffle_perm *perm) {
    const perm_affine *affine = &perm->affine;
    if (affine->c == 0 && gf2_is_bit_permutation(&affine->a)) {
        put_bits(out, &affine->a);
        return;
    }
    put(out, "affine:");
    for (unsigned k = 0; k < affine->a.m; k++) {
        if (k > 0) put_char(out, ',');
        put_number(out, gf2_row(&affine->a, k), 16);
    }
    if (affine->c == 0) return;
    put_char(out, '^');
    put_number(out, affine->c, 16);
}

static void put_axes(text *out, const riffle_perm *perm) {
    const perm_axes *axes = &perm->axes;
    bool transpose = axes->rank == 2 && axes->order[0] == 1;
    put(out, transpose ? "transpose:" : "axes:");
    for (unsigned k = 0; k < axes->rank; k++) {
        if (k > 0) put_char(out, 'x');
        put_number(out, axes->shape[k], 10);
    }
    for (unsigned k = 0; !transpose && k < axes->rank; k++) {
        put_char(out, k > 0 ? ',' : ':');
        put_number(out, axes->order[k], 10);
    }
}

static void put_random(text *out, const riffle_perm *perm) {
    put(out, perm->random.inverted ? "~random:" : "random:");
    put_number(out, perm->random.seed, 10);
}

/* As it stands where the parser would read it back so, else in quotes. */
static void put_path(text *out, const char *path) {
    size_t length = strlen(path);
    bool plain = length > 0 && strpbrk(path, "|)\"") == NULL && strchr(" \t\r\n[", path[0]) == NULL &&
                 strchr(" \t\r\n", path[length - 1]) == NULL;
    if (plain) {
        put(out, path);
        return;
    }
    put_char(out, '"');
    for (; *path != '\0'; path++) {
        if (*path == '"' || *path == '\\') put_char(out, '\\');
        put_char(out, *path);
    }
    put_char(out, '"');
}

static void put_entries(text *out, const riffle_perm *perm) {
    put_char(out, '[');
    for (uint64_t first = 0; first < perm->n; first += PERM_BLOCK) {
        uint64_t values[PERM_BLOCK];
        size_t count = perm->n - first < PERM_BLOCK ? (size_t)(perm->n - first) : PERM_BLOCK;
        perm_map(perm, first, count, values);
        for (size_t k = 0; k < count; k++) {
            if (first + k > 0) put_char(out, ',');
            put_number(out, values[k], 10);
        }
    }
    put_char(out, ']');
}

static void put_table(text *out, const riffle_perm *perm) {
    put(out, perm->table.inverted ? "~table:" : "table:");
    if (perm->table.path != NULL) {
        put_path(out, perm->table.path);
    } else {
        put_entries(out, perm);
    }
}

static void put_perm(text *out, const riffle_perm *perm);

/* One level deep: the parts of a sequence are no sequences. A reflection that takes two words to say stays one
 * part in parentheses, lest its halves melt into their neighbours when they are read back. */
static void put_sequence(text *out, const riffle_perm *perm) {
    for (size_t k = 0; k < perm->sequence.count; k++) {
        const riffle_perm *part = perm->sequence.parts[k];
        bool two_words =
            part->kind == PERM_ROTATION && part->rotation.reflected && part->rotation.offset != part->n - 1;
        if (k > 0) put_char(out, '|');
        if (two_words) put_char(out, '(');
        put_perm(out, part);
        if (two_words) put_char(out, ')');
    }
}

static void put_perm(text *out, const riffle_perm *perm) {
    static void (*const put_kind[])(text *, const riffle_perm *) = {
        [PERM_ROTATION] = put_rotation, [PERM_AFFINE] = put_affine, [PERM_AXES] = put_axes,
        [PERM_RANDOM] = put_random,     [PERM_TABLE] = put_table,   [PERM_SEQUENCE] = put_sequence,
    };
    put_kind[perm->kind](out, perm);
}

riffle_status riffle_perm_print(const riffle_perm *perm, char *buffer, size_t capacity, size_t *length) {
    RETURN_IF_NULL(perm);
    if (capacity > 0) RETURN_IF_NULL(buffer);
    text out = {.buffer = buffer, .capacity = capacity};
    put_perm(&out, perm);
    if (capacity > 0) buffer[out.length < capacity ? out.length : capacity - 1] = '\0';
    if (length != NULL) *length = out.length;
    return RIFFLE_OK;
}
