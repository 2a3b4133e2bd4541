/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `f2`: square matrices over F2, products and transposes, in groups:
 *
 *     products      of 1,024 to 16,384 rows; n is rows
 *     transposes    of 16,384 rows, and of a multiple of nothing
 */
#include "kinds/kinds.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const uint64_t products[] = {1024, 4096, 8192, 16384};
static const uint64_t transposes[] = {4096, 16384, 16381};

static bench_row row_of(const char *by, uint64_t rows) {
    return (bench_row){
        .kind = &bench_f2, .by = by, .n = (rows + 63) / 64 * 8 * rows, .elem_bytes = 1, .way = (unsigned)rows};
}

static bench_row product_row(size_t k) { return row_of("product", products[k]); }
static bench_row transpose_row(size_t k) { return row_of("transpose", transposes[k]); }

static const bench_group groups[] = {{"products", COUNT(products), .row = product_row},
                                     {"transposes", COUNT(transposes), .row = transpose_row},
                                     {0}};

static bench_row shrink(bench_row row, uint64_t most_bytes) {
    while (row.n > most_bytes && row.way > 64) row = row_of(row.by, row.way / 2);
    return row;
}

const bench_suite bench_suite_f2 = {
    .name = "f2",
    .about = "products and transposes of matrices over F2; seconds, or less with --bytes 2^20",
    .groups = groups,
    .shrink = shrink,
};
