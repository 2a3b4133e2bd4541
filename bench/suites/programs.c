/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `programs`: array programs, fused and in the BMMC paper's way, in groups:
 *
 *     hadamard   one array of floats, of doubles, of integers
 *     batch      Hadamard transforms of arrays side by side, of floats, halves and integers, 2^28 numbers in all, and half as many doubles
 *     sort       the paper's network, of 4-byte integers
 *     rows       the same, in rows
 *     fft        of complex floats
 */
#include "programs/programs.h"

#include "kinds/kinds.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct program_row {
    const char *by;
    unsigned bits, batch_bits;
    riffle_type type;
    bench_program_row of;
} program_row;

static const program_row hadamard[] = {{"hadamard n", 20, 0, RIFFLE_TYPE_F32, {bench_is_hadamard}},
                                       {"hadamard n", 24, 0, RIFFLE_TYPE_F32, {bench_is_hadamard}},
                                       {"hadamard n", 28, 0, RIFFLE_TYPE_F32, {bench_is_hadamard}},
                                       {"hadamard n", 24, 0, RIFFLE_TYPE_F64, {bench_is_hadamard}},
                                       {"hadamard n", 24, 0, RIFFLE_TYPE_I32, {bench_is_hadamard}}};
static const program_row batch[] = {{"hadamard n", 13, 15, RIFFLE_TYPE_F32, {bench_is_hadamard}},
                                    {"hadamard n", 15, 13, RIFFLE_TYPE_F32, {bench_is_hadamard}},
                                    {"hadamard n", 13, 15, RIFFLE_TYPE_F16, {bench_is_hadamard}},
                                    {"hadamard n", 15, 13, RIFFLE_TYPE_F16, {bench_is_hadamard}},
                                    {"hadamard n", 13, 14, RIFFLE_TYPE_F64, {bench_is_hadamard}},
                                    {"hadamard n", 13, 15, RIFFLE_TYPE_I32, {bench_is_hadamard}}};
static const program_row sort[] = {{"sort n", 24, 0, RIFFLE_TYPE_U32, {bench_is_sorted}},
                                   {"sort n", 28, 0, RIFFLE_TYPE_U32, {bench_is_sorted}}};
static const program_row rows[] = {{"sort n", 10, 18, RIFFLE_TYPE_U32, {bench_is_sorted}}};
static const program_row fft[] = {{"fft n", 24, 0, RIFFLE_TYPE_C64, {bench_is_fourier}},
                                  {"fft n", 28, 0, RIFFLE_TYPE_C64, {bench_is_fourier}}};

enum { WAYS = 2 };

static bench_row row_of(const program_row *of, size_t way) {
    return (bench_row){.kind = &bench_program,
                       .by = of->by,
                       .n = (uint64_t)1 << of->bits,
                       .batch = of->batch_bits > 0 ? (uint64_t)1 << of->batch_bits : 0,
                       .elem_bytes = riffle_type_bytes(of->type),
                       .type = of->type,
                       .way = way == 0 ? RIFFLE_PROGRAM_ALGORITHM_FUSED : RIFFLE_PROGRAM_ALGORITHM_PAPER,
                       .of = &of->of};
}

#define ROW_OF_GROUP(group)                                                                                    \
    static bench_row group##_row(size_t k) { return row_of(&group[k / WAYS], k % WAYS); }
ROW_OF_GROUP(hadamard)
ROW_OF_GROUP(batch)
ROW_OF_GROUP(sort)
ROW_OF_GROUP(rows)
ROW_OF_GROUP(fft)

static const bench_group groups[] = {
    {"hadamard", COUNT(hadamard) * WAYS, .row = hadamard_row},
    {"batch", COUNT(batch) * WAYS, .row = batch_row},
    {"sort", COUNT(sort) * WAYS, .row = sort_row},
    {"rows", COUNT(rows) * WAYS, .row = rows_row},
    {"fft", COUNT(fft) * WAYS, .row = fft_row},
    {0},
};

const bench_suite bench_suite_programs = {
    .name = "programs",
    .about = "array programs, fused and in the BMMC paper's way; on a CPU many minutes, or seconds with "
             "--bytes 2^20",
    .groups = groups,
    .shrink = bench_shrink_batch,
};
