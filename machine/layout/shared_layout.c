/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/layout/shared_layout.h"

#include <stdlib.h>

#include "riffle/rap.h"

/* A row is 32 words, as many as there are banks. */
enum { ROW = 32, ROW_BYTES = 128, FIRST_SEED = 1 };

bool shared_layout_is_one(riffle_layout_kind kind) {
    return kind == RIFFLE_LAYOUT_RAW || kind == RIFFLE_LAYOUT_RAS || kind == RIFFLE_LAYOUT_RAP ||
           kind == RIFFLE_LAYOUT_XOR;
}

unsigned shared_layout_seeds(const riffle_machine_options *options) {
    if (options->shared_layout == RIFFLE_LAYOUT_RAW) return 0;
    return options->shared_layout == RIFFLE_LAYOUT_XOR ? 1 : options->shared_seeds;
}

/* Rows with numbers of their own: all that a block can have, where they are independent. */
static unsigned rows_of(const riffle_machine_options *options) {
    if (options->shared_layout != RIFFLE_LAYOUT_RAS) return ROW;
    return (unsigned)((options->shared_bytes + ROW_BYTES - 1) / ROW_BYTES) + 1;
}

static void draw(riffle_layout_kind kind, uint64_t seed, unsigned rows, uint8_t *number) {
    uint16_t order[ROW];
    if (kind == RIFFLE_LAYOUT_RAP) riffle_draw_permutation(seed, 0, ROW, 1, order);
    for (unsigned row = 0; row < rows; row++) {
        uint64_t state = riffle_draw_stream(seed, row);
        number[row] = (uint8_t)(kind == RIFFLE_LAYOUT_RAP   ? order[row]
                                : kind == RIFFLE_LAYOUT_RAS ? riffle_draw_below(&state, ROW)
                                                            : row);
    }
}

bool shared_layout_init(shared_layout *layout, const riffle_machine_options *options) {
    const riffle_layout_kind kind = options->shared_layout;
    *layout = (shared_layout){.seeds = shared_layout_seeds(options),
                              .rows = rows_of(options),
                              .exclusive_or = kind == RIFFLE_LAYOUT_XOR};
    if (layout->seeds == 0) return true;
    layout->number = malloc((size_t)layout->seeds * layout->rows);
    if (layout->number == NULL) return false;
    for (unsigned k = 0; k < layout->seeds; k++)
        draw(kind, FIRST_SEED + k, layout->rows, layout->number + (size_t)k * layout->rows);
    return true;
}

void shared_layout_free(shared_layout *layout) { free(layout->number); }

layout_rows shared_layout_rows(const shared_layout *layout, unsigned seed) {
    return (layout_rows){.number = layout->number + (size_t)seed * layout->rows,
                         .rows = layout->rows,
                         .exclusive_or = layout->exclusive_or};
}
