/* SPDX-License-Identifier: Apache-2.0
 *
 * addresses LAYOUT ELEM_BYTES SEED: the host's side of a layout of a 32 x 32 array. Prints the six words that a
 * kernel takes on one line, and then a line with the addresses of each row's elements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "riffle/rap.h"

enum { W = 32 };

/* The layout of that name; RIFFLE_LAYOUT_COUNT if there is none. */
static riffle_layout_kind layout_named(const char *name) {
    unsigned kind = 0;
    while (kind < RIFFLE_LAYOUT_COUNT && strcmp(name, riffle_layout_string((riffle_layout_kind)kind)) != 0)
        kind++;
    return (riffle_layout_kind)kind;
}

static void print_addresses(const riffle_layout *layout) {
    for (uint32_t row = 0; row < W; ++row) {
        for (uint32_t col = 0; col < W; ++col)
            printf("%llu%c", (unsigned long long)riffle_layout_address(layout, row, col),
                   col < W - 1 ? ' ' : '\n');
    }
}

static int print_layout(riffle_layout *layout, uint64_t seed) {
    layout->numbers = calloc(W + riffle_layout_numbers(layout), sizeof *layout->numbers);
    if (layout->numbers == NULL) return 1;
    riffle_layout_draw(layout, seed);
    const riffle_shifts32 packed = riffle_pack32(layout->numbers);
    for (int k = 0; k < 6; ++k) printf("%lu%c", (unsigned long)packed.word[k], k < 5 ? ' ' : '\n');
    print_addresses(layout);
    free(layout->numbers);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s LAYOUT ELEM_BYTES SEED\n", argv[0]);
        return 2;
    }
    const uint32_t elem_bytes = (uint32_t)strtoul(argv[2], NULL, 10);
    riffle_layout layout = {layout_named(argv[1]), W, 2, elem_bytes, NULL};
    const char *wrong = riffle_layout_check(&layout);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s\n", argv[0], wrong);
        return 1;
    }
    return print_layout(&layout, strtoull(argv[3], NULL, 10));
}
