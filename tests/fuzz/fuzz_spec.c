/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the spec language: the first byte chooses n, the rest is the spec. Whatever parses must be a
 * permutation, be undone by its inverse, and come back from its own text; whatever does not must say why.
 * Specs that name files are left out, for a fuzzer has no business with what lies on the disk.
 */
#include <stdlib.h>
#include <string.h>

#include "riffle.h"

static void require(int holds) {
    if (!holds) abort();
}

static void require_permutation(const riffle_perm *perm, uint64_t n) {
    char seen[4096] = {0};
    uint64_t values[4096];
    require(riffle_perm_length(perm) == n);
    require(riffle_perm_map(perm, 0, (size_t)n, values) == RIFFLE_OK);
    for (uint64_t i = 0; i < n; i++) {
        require(values[i] < n && !seen[values[i]]);
        seen[values[i]] = 1;
        require(riffle_perm_at(perm, i) == values[i]);
    }
}

static void require_same(const riffle_perm *a, const riffle_perm *b, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) require(riffle_perm_at(a, i) == riffle_perm_at(b, i));
}

static void require_round_trip(const riffle_perm *perm, uint64_t n) {
    size_t length;
    require(riffle_perm_print(perm, NULL, 0, &length) == RIFFLE_OK);
    char *text = malloc(length + 1);
    riffle_perm *back = NULL;
    require(text != NULL && riffle_perm_print(perm, text, length + 1, NULL) == RIFFLE_OK);
    require(strlen(text) == length && riffle_perm_parse(text, n, &back) == RIFFLE_OK);
    require_same(perm, back, n);
    riffle_perm_free(back);
    free(text);
}

static void require_inverse(const riffle_perm *perm, uint64_t n) {
    riffle_perm *inverse, *nothing, *twice, *known;
    require(riffle_perm_invert(perm, &inverse) == RIFFLE_OK);
    require(riffle_perm_compose(perm, inverse, &nothing) == RIFFLE_OK);
    require(riffle_perm_compose(perm, perm, &twice) == RIFFLE_OK);
    require(riffle_perm_recognize(twice, &known) == RIFFLE_OK);
    for (uint64_t i = 0; i < n; i++) {
        require(riffle_perm_at(nothing, i) == i);
        require(riffle_perm_at(twice, i) == riffle_perm_at(perm, riffle_perm_at(perm, i)));
    }
    require_same(twice, known, n);
    require_round_trip(inverse, n);
    riffle_perm_free(inverse);
    riffle_perm_free(nothing);
    riffle_perm_free(twice);
    riffle_perm_free(known);
}

/* True if "table" is followed by anything but an inline table. */
static int names_a_file(const char *spec) {
    while ((spec = strstr(spec, "table")) != NULL) {
        spec += strlen("table");
        spec += strspn(spec, " \t\r\n:");
        if (*spec != '[') return 1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint16_t lengths[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 17, 24, 36, 64, 100, 256, 1024};
    if (size == 0) return 0;
    uint64_t n = lengths[data[0] % (sizeof lengths / sizeof *lengths)];
    char *spec = malloc(size);
    require(spec != NULL);
    memcpy(spec, data + 1, size - 1);
    spec[size - 1] = '\0';
    riffle_perm *perm = NULL;
    if (!names_a_file(spec)) {
        if (riffle_perm_parse(spec, n, &perm) == RIFFLE_OK) {
            require_permutation(perm, n);
            require_round_trip(perm, n);
            require_inverse(perm, n);
            riffle_perm_free(perm);
        } else {
            require(perm == NULL && riffle_error_detail()[0] != '\0');
        }
    }
    free(spec);
    return 0;
}
