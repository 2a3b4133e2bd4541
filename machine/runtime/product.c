/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of a warpgroup (wgmma) as plain sums, each thread its own part: two rows, of each eight columns two. Factors are read where the product is asked for, and the
 * sums land where the thread waits for the group (thread/products.h). The first lane of each warp checks what its warp reads of shared memory.
 */
#include <string.h>

#include "machine/device/device.h"
#include "machine/runtime/access.h"
#include "machine/runtime/bulk.h"
#include "machine/runtime/clusters.h"
#include "machine/runtime/matrix/matrix.h"
#include "machine/runtime/matrix/numbers.h"

enum { GROUP = 128, WARP = 32, WARP_ROWS = 16, PART_ROWS = 2, DEPTH_BYTES = 32, GROUP_COLUMNS = 8, WAVEFRONT_BYTES = 128 };

typedef struct factor {
    matrix at;
    machine_array *array;
    machine_number format;
    int sign;
} factor;

static _Noreturn void refuse(launch_state *l, hazard_kind kind, const void *pc, const char *what) {
    launch_report(l, kind, pc, what);
    launch_end(l);
}

/* The array of the running kernel's shared memory that has an address with these bits. */
static machine_array *array_at(const launch_state *l, unsigned bits, uintptr_t *start) {
    for (size_t k = 0; k < l->arrays->count; k++) {
        machine_array *a = l->arrays->array[k];
        const bool is_others = a->code != 0 && l->code != 0 && a->code != l->code;
        const uintptr_t behind = (bits - a->start) & MATRIX_ADDRESS;
        if (a->space != SPACE_SHARED || a->home != NULL || is_others || behind >= a->bytes) continue;
        *start = a->start + behind;
        return a;
    }
    return NULL;
}

static factor factor_of(launch_state *l, uint64_t descriptor, machine_number format, int sign, int turned, const void *pc) {
    factor f = {.format = format, .sign = sign};
    unsigned bits;
    if (!matrix_read(descriptor, number_bytes(format), turned != 0, &f.at, &bits))
        refuse(l, HAZARD_MISALIGNED, pc, "multiplies by a descriptor with a base offset, which the machine lacks");
    f.array = array_at(l, bits, &f.at.start);
    if (f.array == NULL)
        refuse(l, HAZARD_OUT_OF_BOUNDS, pc, "multiplies by a descriptor whose matrix begins in no shared array");
    return f;
}

/* Checks the pieces of 16 bytes of so many rows or columns, neighbours together. */
static void read_pieces(launch_state *l, const factor *f, unsigned first, unsigned lines, const void *pc) {
    const unsigned depth = DEPTH_BYTES / f->at.bytes, in_piece = MATRIX_PIECE / f->at.bytes;
    const unsigned outer = f->at.turned ? depth : lines, inner = f->at.turned ? lines : depth;
    uintptr_t from = 0, end = 0;
    for (unsigned o = 0; o <= outer; o++) {
        for (unsigned i = 0; i < inner; i += in_piece) {
            const unsigned line = first + (f->at.turned ? i : o), k = f->at.turned ? o : i;
            const uintptr_t at = o < outer ? matrix_place(&f->at, line, k) : 0;
            if (at == end && at != 0) {
                end += MATRIX_PIECE;
                continue;
            }
            if (end > from)
                bulk_read_shared(l, from, end - from, pc,
                                 "multiplies what threads have written to shared memory, and no fence.proxy.async is between",
                                 &l->current->products.reads);
            from = at;
            end = at + MATRIX_PIECE;
            if (o == outer) return;
        }
    }
}

/* The matrices of a warpgroup's product, each read once for all of its warps. */
static void count_factors(launch_state *l, const machine_product *one, const void *pc) {
    if (l->running % GROUP != 0) return;
    const unsigned lines = (one->words == NULL ? GROUP / WARP * WARP_ROWS : 0) + one->columns;
    const move moved = {pc, MOVE_FACTORS, 1, (uint64_t)lines * DEPTH_BYTES, (uint64_t)lines * DEPTH_BYTES / WAVEFRONT_BYTES};
    launch_count_move(l, &moved);
}

/* An element in shared memory; what is outside of the array, which is told of, is zero. */
static double element(const factor *f, unsigned line, unsigned k) {
    const uintptr_t at = matrix_place(&f->at, line, k);
    uint32_t bits = 0;
    if (access_is_held(f->array, at, f->at.bytes)) memcpy(&bits, (const void *)at, f->at.bytes);
    return f->sign * number_value(f->format, bits);
}

/* Of the rows `half`, in the registers of the four lanes that share them. */
static double element_of_words(const machine_product *one, unsigned half, unsigned k) {
    const unsigned bytes = number_bytes(one->left), in_word = 4 / bytes, four = MACHINE_QUAD * in_word;
    const uint32_t word = one->words[k % four / in_word][half + 2 * (k / four)];
    return one->left_sign * number_value(one->left, word >> 8 * bytes * (k % in_word));
}

static int32_t sum_of_integers(const machine_product *one, const double *a, const double *b, unsigned depth, int32_t before) {
    long long sum = one->adds ? before : 0;
    for (unsigned k = 0; k < depth; k++) sum += (long long)a[k] * (long long)b[k];
    if (one->saturates && sum > INT32_MAX) return INT32_MAX;
    if (one->saturates && sum < INT32_MIN) return INT32_MIN;
    return (int32_t)(uint32_t)(unsigned long long)sum;
}

static float sum_of_floats(const machine_product *one, const double *a, const double *b, unsigned depth, float before) {
    float sum = one->adds ? before : 0;
    for (unsigned k = 0; k < depth; k++) sum += (float)a[k] * (float)b[k];
    return sum;
}

/* Two neighbours in a row, in one register of halves or in two. */
static void add_pair(const machine_product *one, const double *a, const double (*b)[DEPTH_BYTES], unsigned depth, uint32_t *sums) {
    if (one->sum == MACHINE_F16) {
        uint32_t both = 0;
        for (unsigned e = 0; e < 2; e++) {
            const float before = (float)number_value(MACHINE_F16, sums[0] >> 16 * e & 0xffff);
            both |= number_half(sum_of_floats(one, a, b[e], depth, before)) << 16 * e;
        }
        sums[0] = both;
        return;
    }
    for (unsigned e = 0; e < 2; e++) {
        if (one->sum == MACHINE_S32) {
            sums[e] = (uint32_t)sum_of_integers(one, a, b[e], depth, (int32_t)sums[e]);
        } else {
            const float sum = sum_of_floats(one, a, b[e], depth, (float)number_value(MACHINE_F32, sums[e]));
            memcpy(&sums[e], &sum, sizeof sum);
        }
    }
}

/* The thread's part. A lane has the rows of its number / 4 and eight on, and the columns 2 (number % 4) and the next of each eight. */
static void multiply(const launch_state *l, const machine_product *one, const factor *left, const factor *right, uint32_t *sums) {
    const unsigned depth = DEPTH_BYTES / number_bytes(one->left), row = l->running % GROUP / WARP * WARP_ROWS + l->lane / 4;
    const unsigned in_register = one->sum == MACHINE_F16 ? 1 : 2;
    double a[PART_ROWS][DEPTH_BYTES], b[2][DEPTH_BYTES];
    for (unsigned half = 0; half < PART_ROWS; half++)
        for (unsigned k = 0; k < depth; k++)
            a[half][k] = one->words != NULL ? element_of_words(one, half, k) : element(left, row + 8 * half, k);
    for (unsigned column = l->lane % 4 * 2; column < one->columns; column += GROUP_COLUMNS) {
        for (unsigned e = 0; e < 2; e++)
            for (unsigned k = 0; k < depth; k++) b[e][k] = element(right, column + e, k);
        for (unsigned half = 0; half < PART_ROWS; half++, sums += in_register) add_pair(one, a[half], b, depth, sums);
    }
}

static void check_group(launch_state *l, const void *pc) {
    if (l->options->width != WARP || l->running / GROUP * GROUP + GROUP > l->threads)
        refuse(l, HAZARD_BARRIER, pc, "multiplies in a warpgroup that has not four warps of 32 threads");
    if (!l->current->products.fenced && !l->unseen)
        launch_report(l, HAZARD_RACE, pc, "multiplies without a wgmma.fence before, which orders its registers");
}

void machine_product_add(const machine_product *one, const void *pc) {
    launch_state *l = machine_running;
    products *own = &l->current->products;
    factor left = {0};
    check_group(l, pc);
    count_factors(l, one, pc);
    clusters_own(l);
    if (one->words == NULL) left = factor_of(l, one->a, one->left, one->left_sign, one->left_turned, pc);
    const factor right = factor_of(l, one->b, one->right, one->right_sign, one->right_turned, pc);
    if (l->lane == 0 && !l->unseen) {
        if (one->words == NULL) read_pieces(l, &left, l->running % GROUP / WARP * WARP_ROWS, WARP_ROWS, pc);
        read_pieces(l, &right, 0, one->columns, pc);
    }
    product *kept = products_open(own, one->sums, one->registers);
    if (kept == NULL) launch_end_without_memory(l, "the products that are under way");
    kept->pc = pc;
    multiply(l, one, &left, &right, kept->sum);
}

void machine_product_fence(void) { machine_running->current->products.fenced = true; }

void machine_product_commit(void) { products_commit(&machine_running->current->products); }

void machine_product_wait(unsigned left) {
    products_wait(&machine_running->current->products, left, (uintptr_t)__builtin_frame_address(0));
}
