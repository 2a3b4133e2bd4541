/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between views whose memory is passed in about the same order on both sides: elements go straight from a to b, no
 * shared memory between (else axes_box.cu). Neighbouring lanes have neighbouring parts of b.
 */
#include "kernels/row_words.h"
#include "kernels/strided.h"

/* How many elements of a thread are under way at a time. */
template <class element> constexpr uint32_t strided_at_once = sizeof(element) == 16 ? 4 : 8;

static __device__ inline uint32_t strided_divide(uint32_t n, const axes_divisor *by) {
    return (uint32_t)((uint64_t)n * by->reciprocal >> 31) >> by->shift;
}

/* Where a block's piece begins: its first part, and what the outer coordinates add to addresses. */
typedef struct strided_start {
    int64_t src, dst;
    uint32_t first, end;
} strided_start;

/* Adds what the coordinates in `number` along axes from..to-1 are worth, and returns what is left of it. */
static __device__ inline void strided_add(const strided_table *t, uint32_t from, uint32_t to, uint32_t number,
                                          int64_t *src, int64_t *dst) {
    for (uint32_t k = from; k < to; ++k) {
        const strided_digit *const digit = &t->axis[k];
        const uint32_t rest = k + 1 < to ? strided_divide(number, &digit->by) : 0;
        const int64_t c = number - rest * digit->by.length;
        *src += c * digit->src_step;
        *dst += c * digit->dst_step;
        number = rest;
    }
}

static __device__ inline strided_start strided_start_of(const strided_table *t) {
    const uint32_t outer = strided_divide(blockIdx.x, &t->pieces);
    strided_start out = {t->src_origin, t->dst_origin, (blockIdx.x - outer * t->pieces.length) * t->piece, 0};
    out.end = t->parts - out.first < t->piece ? t->parts : out.first + t->piece;
    strided_add(t, t->inner, t->axes, outer, &out.src, &out.dst);
    return out;
}

/** One inner axis, a long one. */
template <class element>
__global__ void LAUNCH_BOUNDS(STRIDED_THREADS, 4)
    strided_row(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT strided_table t) {
    constexpr uint32_t at_once = strided_at_once<element>;
    const strided_start start = strided_start_of(&t);
    const int64_t src_step = t.axis[0].src_step, dst_step = t.axis[0].dst_step;
    for (uint32_t i = start.first + threadIdx.x; i < start.end; i += at_once * blockDim.x) {
        const char *from = (const char *)a + (start.src + i * src_step);
        char *to = (char *)b + (start.dst + i * dst_step);
        element held[at_once];
        UNROLL
        for (uint32_t k = 0; k < at_once; ++k) {
            if (i + k * blockDim.x < start.end) held[k] = *(const element *)from;
            from += blockDim.x * src_step;
        }
        UNROLL
        for (uint32_t k = 0; k < at_once; ++k) {
            if (i + k * blockDim.x < start.end) *(element *)to = held[k];
            to += blockDim.x * dst_step;
        }
    }
}

/** Inner axes of any length. */
template <class element>
__global__ void LAUNCH_BOUNDS(STRIDED_THREADS, 4)
    strided_parts(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT strided_table t) {
    constexpr uint32_t at_once = strided_at_once<element>;
    const strided_start start = strided_start_of(&t);
    for (uint32_t i = start.first + threadIdx.x; i < start.end; i += at_once * blockDim.x) {
        element held[at_once];
        int64_t to[at_once];
        UNROLL
        for (uint32_t k = 0; k < at_once; ++k) {
            int64_t from = start.src;
            to[k] = start.dst;
            if (i + k * blockDim.x >= start.end) continue;
            strided_add(&t, 0, t.inner, i + k * blockDim.x, &from, &to[k]);
            held[k] = *(const element *)((const char *)a + from);
        }
        UNROLL
        for (uint32_t k = 0; k < at_once; ++k)
            if (i + k * blockDim.x < start.end) *(element *)((char *)b + to[k]) = held[k];
    }
}

/** Rows without gaps on both sides, of at least 16 bytes: axis 0 are the words that one may touch. */
template <class element>
__global__ void LAUNCH_BOUNDS(STRIDED_THREADS, 4)
    strided_words(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT strided_table t) {
    const strided_start start = strided_start_of(&t);
    for (uint32_t i = start.first + threadIdx.x; i < start.end; i += blockDim.x) {
        int64_t from = start.src, to = start.dst;
        const uint32_t row = strided_divide(i, &t.axis[0].by), number = i - row * t.axis[0].by.length;
        strided_add(&t, 1, t.inner, row, &from, &to);
        move_word<element>((char *)b + to, (const char *)a + t.src_first, (uint64_t)(from - t.src_first),
                           t.row_bytes, t.src_bytes, number);
    }
}
