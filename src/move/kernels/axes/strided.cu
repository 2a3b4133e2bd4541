/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between views whose memory is passed in about the same order on both sides: elements go straight from a to b, no
 * shared memory between (else axes_box.cu). Neighbouring lanes have neighbouring parts of b.
 */
#include "move/kernels/axes/axes_divide.h"
#include "move/kernels/axes/strided.h"
#include "move/kernels/direct/row_words.h"

/* How many elements of a thread are under way at a time. */
template <class element> constexpr uint32_t strided_at_once = sizeof(element) == 16 ? 4 : 8;

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
        const uint32_t rest = k + 1 < to ? axes_divide(number, &digit->by) : 0;
        const int64_t c = number - rest * digit->by.length;
        *src += c * digit->src_step;
        *dst += c * digit->dst_step;
        number = rest;
    }
}

static __device__ inline strided_start strided_start_of(const strided_table *t) {
    const uint32_t outer = axes_divide(blockIdx.x, &t->pieces);
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

/* Turns the numbers of parts into offsets, axis by axis, so that what belongs to an axis is fetched once for all. */
template <uint32_t count, class offset>
static __device__ inline void strided_offsets(const strided_table *t, uint32_t number[count],
                                              offset from[count], offset to[count]) {
    UNROLL
    for (uint32_t u = 0; u < count; ++u) from[u] = to[u] = 0;
    for (uint32_t k = 0; k < t->inner; ++k) {
        const axes_divisor by = t->axis[k].by;
        const offset src_step = (offset)t->axis[k].src_step, dst_step = (offset)t->axis[k].dst_step;
        const bool is_last = k + 1 == t->inner;
        UNROLL
        for (uint32_t u = 0; u < count; ++u) {
            const uint32_t rest = is_last ? 0 : axes_divide(number[u], &by);
            const offset c = (offset)(number[u] - rest * by.length);
            from[u] += c * src_step;
            to[u] += c * dst_step;
            number[u] = rest;
        }
    }
}

/** Inner axes of any length. `offset` holds what they reach together. */
template <class offset, class element>
__global__ void LAUNCH_BOUNDS(STRIDED_THREADS, 4)
    strided_parts(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT strided_table t) {
    constexpr uint32_t at_once = strided_at_once<element>;
    const strided_start start = strided_start_of(&t);
    const char *const src = (const char *)a + start.src;
    char *const dst = (char *)b + start.dst;
    for (uint32_t i = start.first + threadIdx.x; i < start.end; i += at_once * blockDim.x) {
        uint32_t number[at_once];
        offset from[at_once], to[at_once];
        element held[at_once];
        UNROLL
        for (uint32_t u = 0; u < at_once; ++u) {
            const uint32_t here = i + u * blockDim.x;
            number[u] = here < start.end ? here : i;
        }
        strided_offsets<at_once>(&t, number, from, to);
        UNROLL
        for (uint32_t u = 0; u < at_once; ++u)
            if (i + u * blockDim.x < start.end) held[u] = *(const element *)(src + from[u]);
        UNROLL
        for (uint32_t u = 0; u < at_once; ++u)
            if (i + u * blockDim.x < start.end) *(element *)(dst + to[u]) = held[u];
    }
}

/* Bytes in a that `number` along the inner axes but the first stands for; modulo 2^32, as numbers behind the last one are asked
 * for too. */
static __device__ inline uint32_t strided_above(const strided_table *t, uint32_t number) {
    uint32_t out = 0;
    for (uint32_t k = 1; k < t->inner; ++k) {
        const strided_digit *const digit = &t->axis[k];
        const uint32_t rest = k + 1 < t->inner ? axes_divide(number, &digit->by) : 0;
        out += (number - rest * digit->by.length) * (uint32_t)digit->src_step;
        number = rest;
    }
    return out;
}

/** The same within 2 GiB where b has no gaps along the inner axes: elements of 1 byte are put together to words. The
 *  first axis has at least units - 1 elements, so that those of a word lie in two of its rows at most. */
template <class word, class element>
__global__ void LAUNCH_BOUNDS(STRIDED_THREADS, 4)
    strided_packed(element *__restrict__ b, const element *__restrict__ a,
                   const GRID_CONSTANT strided_table t) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    const strided_start start = strided_start_of(&t);
    const char *const src = (const char *)a + start.src;
    element *const dst = b + start.dst / (int64_t)sizeof(element) + start.first;
    const uint32_t parts = start.end - start.first, row = t.axis[0].by.length,
                   step = (uint32_t)t.axis[0].src_step;
    const uint32_t before = (uint32_t)((uintptr_t)dst / sizeof(element)) % units;
    for (uint32_t w = threadIdx.x; w * units < parts + before; w += blockDim.x) {
        const uint32_t skipped = w == 0 ? before : 0, k = w * units - before; /* below 0 for those skipped */
        const uint32_t number = start.first + k + skipped;
        const uint32_t above = axes_divide(number, &t.axis[0].by), c = number - above * row - skipped;
        const uint32_t here = strided_above(&t, above), next = strided_above(&t, above + 1) - row * step;
        element held[units];
        UNROLL
        for (uint32_t i = 0; i < units; ++i) {
            const uint32_t from = ((int32_t)(c + i) < (int32_t)row ? here : next) + (c + i) * step;
            if (k + i < parts) held[i] = *(const element *)(src + (int32_t)from);
        }
        if ((int32_t)k >= 0 && k + units <= parts) {
            word whole = 0;
            UNROLL
            for (uint32_t i = 0; i < units; ++i) whole |= (word)held[i] << 8 * sizeof(element) * i;
            *(word *)(dst + k) = whole;
            continue;
        }
        UNROLL
        for (uint32_t i = 0; i < units; ++i)
            if (k + i < parts) dst[k + i] = held[i];
    }
}

/** Rows without gaps on both sides, of at least 16 bytes: axis 0 are the words that one may touch. */
template <class element>
__global__ void LAUNCH_BOUNDS(STRIDED_THREADS, 4)
    strided_words(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT strided_table t) {
    const strided_start start = strided_start_of(&t);
    for (uint32_t i = start.first + threadIdx.x; i < start.end; i += blockDim.x) {
        int64_t from = start.src, to = start.dst;
        const uint32_t row = axes_divide(i, &t.axis[0].by), number = i - row * t.axis[0].by.length;
        strided_add(&t, 1, t.inner, row, &from, &to);
        move_word<element>((char *)b + to, (const char *)a + t.src_first, (uint64_t)(from - t.src_first),
                           t.row_bytes, t.src_bytes, number);
    }
}
