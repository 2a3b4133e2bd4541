/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Layouts of arrays in a GPU's shared memory, for your own kernels: header only, C11, C++11 and CUDA.
 *
 *  A shared memory has w banks (32 on a GPU), and a warp's w requests take as many turns as the largest number
 *  of different addresses in one bank: the congestion. In a row-major array of rows of w elements a column lies
 *  in one bank, so reading it takes w turns. The layouts here put element (row, col) elsewhere within its row,
 *
 *  @verbatim
 *      bank     0    1    2    3          bank     0    1    2    3
 *      row 0   0,0  0,1  0,2  0,3         row 0   0,2  0,3  0,0  0,1     rotated by 2
 *      row 1   1,0  1,1  1,2  1,3   -->   row 1   1,0  1,1  1,2  1,3     rotated by 0
 *      row 2   2,0  2,1  2,2  2,3         row 2   2,1  2,2  2,3  2,0     rotated by 3
 *      row 3   3,0  3,1  3,2  3,3         row 3   3,3  3,0  3,1  3,2     rotated by 1
 *              RAW                                RAP: the rotations are a random permutation
 *  @endverbatim
 *
 *  so that rows and columns are free of conflicts and no pattern that was chosen without knowing the random
 *  numbers is expected to congest beyond a few requests (Nakano, Matsumae, Ito 2014: Random Address
 *  Permute-Shift Technique for the Shared Memory on GPUs). docs/rap.md says which layout to use when.
 *
 *  In a kernel, where w = 32:
 *
 *  @code{.c}
 *      __global__ void transpose(float *out, const float *in, riffle_shifts32 shifts) {
 *          __shared__ float tile[32 * 32];
 *          tile[riffle_rap32(&shifts, threadIdx.y, threadIdx.x)] = in[32 * threadIdx.y + threadIdx.x];
 *          __syncthreads();
 *          out[32 * threadIdx.y + threadIdx.x] = tile[riffle_rap32(&shifts, threadIdx.x, threadIdx.y)];
 *      }
 *  @endcode
 *
 *  and on the host
 *
 *  @code{.c}
 *      transpose<<<1, dim3(32, 32)>>>(out, in, riffle_rap_shifts32(sizeof(float), seed));
 *  @endcode
 *
 *  Elements of 8 and 16 bytes: a GPU serves such a request in 2 or 4 phases, each of them 16 or 8 lanes in turn
 *  on 16 or 8 banks of that size. A permutation drawn for elem_bytes 8 or 16 is also one within each phase (see
 *  riffle_draw_permutation), so the guarantees below hold for every phase. In the model of the paper a bank is
 *  as wide as an element: that is elem_bytes 4 here, whatever the element. */
#ifndef RIFFLE_RAP_H
#define RIFFLE_RAP_H

#include <stddef.h>
#include <stdint.h>

/** A function of the host and, where nvcc compiles it, of the device. */
#if defined(__CUDACC__)
#define RIFFLE_RAP_FUNCTION static __host__ __device__ __forceinline__
#else
#define RIFFLE_RAP_FUNCTION static inline
#endif

/** Widths of the model: w from 1 to this. */
#define RIFFLE_LAYOUT_MAX_WIDTH 4096

/** Most random numbers of a layout: 2^24, which is w^3 for w = 256. */
#define RIFFLE_LAYOUT_MAX_NUMBERS ((uint64_t)1 << 24)

/** The layouts. An element has a row and a column, 0 <= col < w; an array of 2 dimensions has w rows, one of 4
 *  dimensions a[i][j][k][l] has w^3: row = (i w + j) w + k, col = l (an array of 3 dimensions is one with
 *  i = 0). The patterns of a warp: contiguous is one row; stride1, stride2, stride3 vary k, j or i alone;
 *  diagonal is a[i][j][t][(t + c) mod w] for t = 0..w-1; random is w elements of the array, each uniform;
 *  malicious is the worst that one can ask for who knows the layout but not its random numbers.
 *
 *  "Balls" is at most the sum over t >= 1 of min(1, w / t!) in expectation: 4.32 for w = 32. Every t requests
 *  that can meet in one bank at all do so with probability at most (w - t)! / w!, and there are at most C(w, t)
 *  choices of t, so a bank holds t or more with probability at most 1/t!. It is sharper than Theorem 2 of the
 *  paper, 2 e^2 ln w / ln ln w + 1, and covers the same: any pattern, however chosen. Random access is balls
 *  for every layout. */
typedef enum riffle_layout_kind {
    /** Row-major, row * w + col: contiguous 1; stride w; diagonal 1; malicious w (a column). No random
     *  numbers. */
    RIFFLE_LAYOUT_RAW = 0,
    /** Each row rotated by a number of its own, independent and uniform: contiguous 1; strides, diagonal and
     *  malicious balls (the worst known is an element of each of w rows: 3.53 for w = 32). w or w^3 numbers. */
    RIFFLE_LAYOUT_RAS,
    /** Each row of w rotated by a random permutation's entry: contiguous and stride 1; diagonal and malicious
     *  balls (the worst known is the diagonal: 3.61 for w = 32). 2 dimensions only. w numbers. */
    RIFFLE_LAYOUT_RAP,
    /** Rotation r_k: contiguous and stride1 1; stride2 and stride3 w; diagonal balls; malicious w (stride2).
     *  4 dimensions, as those that follow. w numbers. */
    RIFFLE_LAYOUT_1P,
    /** Rotation r_i + r_j + r_k: contiguous and all strides 1; diagonal balls; malicious six times as much as
     *  w / 6 requests have, because the six orders of i, j, k share a bank: 8.09 for w = 32. w numbers. */
    RIFFLE_LAYOUT_R1P,
    /** Rotation r_i + s_j + t_k of three permutations: contiguous and all strides 1; diagonal balls; malicious:
     *  the worst known is the diagonal, 3.61 for w = 32, but the proof of "balls" does not cover sums. 3w
     *  numbers. */
    RIFFLE_LAYOUT_3P,
    /** Rotation by a permutation for each (i, j): contiguous and stride1 1; stride2, stride3, diagonal and
     *  malicious balls. w^3 numbers. */
    RIFFLE_LAYOUT_W2P,
    /** Rotation s_(i,j) + r_k, s independent numbers: contiguous and stride1 1; stride2, stride3 and diagonal
     *  balls; malicious as with 3P. w^2 + w numbers. */
    RIFFLE_LAYOUT_1PW2R,
    /** One unused cell after every row, row * (w + 1) + col: contiguous and stride1 1; stride2 and stride3 w;
     *  diagonal 2 for even w, 1 for odd; malicious w (the anti-diagonal). No random numbers; one row more of
     *  memory in w. */
    RIFFLE_LAYOUT_PADDED,
    /** col exclusive-or row: contiguous and stride1 1; stride2 and stride3 w; diagonal up to w, and for w = 32
     *  never below 8; malicious w (the diagonal with c = 0). w a power of two. No random numbers. */
    RIFFLE_LAYOUT_XOR,
    /** The 128-byte swizzle, in which a GPU's tensor copy engine (cp.async.bulk.tensor) lays out rows of 128
     *  bytes: the number of a piece of 16 bytes exclusive-or row mod 8. contiguous and diagonal, also the other
     *  one, 1; stride1 4; stride2 and stride3 32; malicious 32 (column 4 (row mod 8)). w = 32 elements of 4
     *  bytes. No random numbers. */
    RIFFLE_LAYOUT_SWIZZLE128,
} riffle_layout_kind;

/** How many layouts there are. */
#define RIFFLE_LAYOUT_COUNT 11

/** "raw", "ras", "rap", "1p", "r1p", "3p", "w2p", "1pw2r", "padded", "xor", "swizzle128". Static
 *  storage. */
static inline const char *riffle_layout_string(riffle_layout_kind kind) {
    static const char *const names[RIFFLE_LAYOUT_COUNT] = {"raw", "ras",   "rap",    "1p",  "r1p",       "3p",
                                                           "w2p", "1pw2r", "padded", "xor", "swizzle128"};
    return (unsigned)kind < RIFFLE_LAYOUT_COUNT ? names[kind] : "unknown";
}

/* ------------------------------------------------------------ addresses, on the host and on the device */

/** x mod w; one instruction where w is a constant power of two. */
RIFFLE_RAP_FUNCTION uint32_t riffle_modulo(uint32_t x, uint32_t w) {
    return (w & (w - 1)) == 0 ? x & (w - 1) : x % w;
}

/** The address of (row, col) in a row rotated by `shift` (any multiple of w more is the same): RAS, RAP and
 *  their kin. */
RIFFLE_RAP_FUNCTION uint32_t riffle_rotated(uint32_t w, uint32_t row, uint32_t col, uint32_t shift) {
    return row * w + riffle_modulo(col + shift, w);
}

/** The address of (row, col) with a cell of padding after each row. */
RIFFLE_RAP_FUNCTION uint32_t riffle_padded(uint32_t w, uint32_t row, uint32_t col) {
    return row * (w + 1) + col;
}

/** The address of (row, col) swizzled by exclusive or; w a power of two. */
RIFFLE_RAP_FUNCTION uint32_t riffle_swizzled(uint32_t w, uint32_t row, uint32_t col) {
    return row * w + (col ^ (row & (w - 1)));
}

/** Where the 128-byte swizzle puts the byte at `offset` of a tile of 128-byte rows, whatever the elements' size;
 *  the tile begins on a multiple of 1024 bytes. Eight rows' pieces of 16 bytes in one column, which ldmatrix
 *  reads at a time, share no bank. */
RIFFLE_RAP_FUNCTION uint32_t riffle_swizzled128(uint32_t offset) { return offset ^ ((offset >> 7 & 7) << 4); }

/** 32 random numbers of 5 bits, six a word (section VI and Figure 7 of the paper): pass them to a kernel by
 *  value. They stay in registers or the constant bank because the word is chosen by comparison, not by an
 *  address. */
typedef struct riffle_shifts32 {
    uint32_t word[6]; /**< number i is in word i / 6, from bit 5 (i mod 6) on */
} riffle_shifts32;

/** Number i of 0..31. */
RIFFLE_RAP_FUNCTION uint32_t riffle_shift32(const riffle_shifts32 *shifts, uint32_t i) {
    const uint32_t index = (i * 43) >> 8; /* i / 6 */
    uint32_t word = shifts->word[0];
    word = i >= 6 ? shifts->word[1] : word;
    word = i >= 12 ? shifts->word[2] : word;
    word = i >= 18 ? shifts->word[3] : word;
    word = i >= 24 ? shifts->word[4] : word;
    word = i >= 30 ? shifts->word[5] : word;
    return (word >> (5 * i - 30 * index)) & 31;
}

/** The address of (row, col) of a 32 x 32 array in RAP (or RAS) layout; with more rows the 1P layout. */
RIFFLE_RAP_FUNCTION uint32_t riffle_rap32(const riffle_shifts32 *r, uint32_t row, uint32_t col) {
    return riffle_rotated(32, row, col, riffle_shift32(r, row & 31));
}

/** The address of a[i][j][k][l] with dimensions of up to 32 in R1P layout; i = 0 for arrays of 3 dimensions. */
RIFFLE_RAP_FUNCTION uint32_t riffle_r1p32(const riffle_shifts32 *r, uint32_t i, uint32_t j, uint32_t k,
                                          uint32_t l) {
    const uint32_t shift = riffle_shift32(r, i) + riffle_shift32(r, j) + riffle_shift32(r, k);
    return riffle_rotated(32, (i * 32 + j) * 32 + k, l, shift);
}

/** The same in 3P layout. */
RIFFLE_RAP_FUNCTION uint32_t riffle_3p32(const riffle_shifts32 *r, const riffle_shifts32 *s,
                                         const riffle_shifts32 *t, uint32_t i, uint32_t j, uint32_t k,
                                         uint32_t l) {
    const uint32_t shift = riffle_shift32(r, i) + riffle_shift32(s, j) + riffle_shift32(t, k);
    return riffle_rotated(32, (i * 32 + j) * 32 + k, l, shift);
}

/** The address of (row, col) of a 32 x 32 array in the layout `kind`: RAW, RAS, RAP, PADDED, XOR or
 *  SWIZZLE128 (others as RAP). Where kind is a constant this is that layout's arithmetic alone. A padded array
 *  takes 33 * 32 cells. */
RIFFLE_RAP_FUNCTION uint32_t riffle_layout32(riffle_layout_kind kind, const riffle_shifts32 *shifts,
                                             uint32_t row, uint32_t col) {
    switch (kind) {
    case RIFFLE_LAYOUT_RAW: return row * 32 + col;
    case RIFFLE_LAYOUT_PADDED: return riffle_padded(32, row, col);
    case RIFFLE_LAYOUT_XOR: return riffle_swizzled(32, row, col);
    case RIFFLE_LAYOUT_SWIZZLE128: return riffle_swizzled128(4 * (row * 32 + col)) / 4;
    default: return riffle_rap32(shifts, row, col);
    }
}

/* ------------------------------------------------------------------------- random numbers, on the host */

/** The next number of the stream whose state is *state: splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t riffle_draw_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/** The state at which stream number `index` of a seed begins. */
static inline uint64_t riffle_draw_stream(uint64_t seed, uint64_t index) {
    uint64_t state = index;
    state = seed ^ riffle_draw_next(&state);
    return riffle_draw_next(&state);
}

/** A uniform number of 0..n-1, n >= 1: the high half of a product, those that would favour a number drawn again
 *  (Lemire 2019, Fast random integer generation in an interval). */
static inline uint32_t riffle_draw_below(uint64_t *state, uint32_t n) {
    uint64_t product = (riffle_draw_next(state) >> 32) * n;
    if ((uint32_t)product < n) {
        const uint32_t surplus = (0 - n) % n;
        while ((uint32_t)product < surplus) product = (riffle_draw_next(state) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

/** A uniform permutation of 0..n-1 (Fisher and Yates, inside out). */
static inline void riffle_draw_order(uint64_t *state, uint32_t n, uint16_t *out) {
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t j = riffle_draw_below(state, i + 1);
        out[i] = out[j];
        out[j] = (uint16_t)i;
    }
}

/** The rotations of w rows, a random permutation of 0..w-1: stream `index` of `seed`, in w numbers at out.
 *
 *  phases is 1, 2 or 4 (elem_bytes / 4) and divides w. With m = w / phases, each m rows in turn get rotations
 *  that are a uniform permutation modulo m, independent of the others': the lanes of one phase that read a
 *  column, m rows in turn, then meet m banks. Among the rotations that are the same modulo m the multiples of m
 *  are dealt at random. phases = 1 gives a uniform permutation. */
static inline void riffle_draw_permutation(uint64_t seed, uint64_t index, uint32_t w, uint32_t phases,
                                           uint16_t *out) {
    uint64_t state = riffle_draw_stream(seed, index);
    const uint32_t m = w / phases;
    for (uint32_t phase = 0; phase < phases; ++phase) riffle_draw_order(&state, m, out + phase * m);
    if (phases == 1) return;
    const uint64_t deals = riffle_draw_next(&state);
    for (uint32_t row = 0; row < w; ++row) {
        uint64_t deal = riffle_draw_stream(deals, out[row]); /* the same for all rows of this residue */
        uint16_t multiple[4];
        riffle_draw_order(&deal, phases, multiple);
        out[row] = (uint16_t)(out[row] + m * multiple[row / m]);
    }
}

/** Packs 32 numbers of 0..31, those of riffle_layout.numbers for w = 32, as a kernel takes them. */
static inline riffle_shifts32 riffle_pack32(const uint16_t *numbers) {
    riffle_shifts32 shifts = {{0, 0, 0, 0, 0, 0}};
    for (uint32_t i = 0; i < 32; ++i) shifts.word[i / 6] |= (uint32_t)(numbers[i] & 31) << (5 * (i % 6));
    return shifts;
}

/** The RAP layout's numbers for w = 32 and elements of 4, 8 or 16 bytes, packed. For 3P use three seeds. */
static inline riffle_shifts32 riffle_rap_shifts32(size_t elem_bytes, uint64_t seed) {
    uint16_t numbers[32];
    riffle_draw_permutation(seed, 0, 32, elem_bytes == 16 ? 4 : elem_bytes == 8 ? 2 : 1, numbers);
    return riffle_pack32(numbers);
}

/** The RAS layout's numbers for w = 32, packed. */
static inline riffle_shifts32 riffle_ras_shifts32(uint64_t seed) {
    uint16_t numbers[32];
    for (uint32_t row = 0; row < 32; ++row) {
        uint64_t state = riffle_draw_stream(seed, row);
        numbers[row] = (uint16_t)riffle_draw_below(&state, 32);
    }
    return riffle_pack32(numbers);
}

/* ---------------------------------------------------------------- any layout of any width, on the host */

/** A layout and its random numbers. Fill the first four members and check them with riffle_layout_check; let
 *  numbers point to riffle_layout_numbers(...) of them; then draw. */
typedef struct riffle_layout {
    riffle_layout_kind kind; /**< which layout */
    uint32_t width;          /**< w, 1 to RIFFLE_LAYOUT_MAX_WIDTH; a power of two for XOR,
                                  32 for SWIZZLE128 */
    uint32_t dims;           /**< 2 or 4; RAP has 2, 1P to 1PW2R have 4, the others either */
    uint32_t elem_bytes;     /**< 4 (the model), 8 or 16; of use to the permutations */
    uint16_t *numbers;       /**< the caller's memory for the random numbers */
} riffle_layout;

/** w^(dims - 1). */
static inline uint64_t riffle_layout_rows(const riffle_layout *layout) {
    const uint64_t w = layout->width;
    return layout->dims == 2 ? w : w * w * w;
}

/** How many random numbers the layout needs (the last row of the paper's Table IV). */
static inline uint64_t riffle_layout_numbers(const riffle_layout *layout) {
    const uint64_t w = layout->width;
    switch (layout->kind) {
    case RIFFLE_LAYOUT_RAS:
    case RIFFLE_LAYOUT_W2P: return riffle_layout_rows(layout);
    case RIFFLE_LAYOUT_RAP:
    case RIFFLE_LAYOUT_1P:
    case RIFFLE_LAYOUT_R1P: return w;
    case RIFFLE_LAYOUT_3P: return 3 * w;
    case RIFFLE_LAYOUT_1PW2R: return w * w + w;
    default: return 0;
    }
}

/** NULL if the layout exists, else what is wrong with its kind, width, dims or elem_bytes, and what to do. */
static inline const char *riffle_layout_check(const riffle_layout *layout) {
    const uint32_t w = layout->width;
    const int is_higher = layout->kind >= RIFFLE_LAYOUT_1P && layout->kind <= RIFFLE_LAYOUT_1PW2R;
    if ((unsigned)layout->kind >= RIFFLE_LAYOUT_COUNT)
        return "no layout has that number; use RIFFLE_LAYOUT_...";
    if (w < 1 || w > RIFFLE_LAYOUT_MAX_WIDTH) return "the width is out of range; choose 1 to 4096";
    if (layout->kind == RIFFLE_LAYOUT_XOR && (w & (w - 1)) != 0)
        return "the layout xor needs a width that is a power of two; choose one, or the layout rap";
    if (layout->kind == RIFFLE_LAYOUT_SWIZZLE128 && (w != 32 || layout->elem_bytes != 4))
        return "the layout swizzle128 has rows of 128 bytes; choose a width of 32, of elements of 4 bytes";
    if (layout->dims != 2 && layout->dims != 4) return "an array has 2 or 4 dimensions; choose one of them";
    if (layout->kind == RIFFLE_LAYOUT_RAP && layout->dims != 2)
        return "the layout rap is for 2 dimensions; for 4 choose 3p, or another of those made from it";
    if (is_higher && layout->dims != 4) return "this layout is for 4 dimensions; for 2 choose rap";
    if (layout->elem_bytes != 4 && layout->elem_bytes != 8 && layout->elem_bytes != 16)
        return "elements have 4, 8 or 16 bytes; choose one of them";
    if (w % (layout->elem_bytes / 4) != 0)
        return "elements of 8 bytes need an even width, those of 16 a multiple of 4";
    if (riffle_layout_numbers(layout) > RIFFLE_LAYOUT_MAX_NUMBERS)
        return "the layout needs more than 2^24 random numbers; choose a width up to 256, or the layout 3p";
    return NULL;
}

/** Draws the permutations that all rows share. */
static inline void riffle_layout_draw_shared(const riffle_layout *layout, uint64_t seed) {
    const uint32_t w = layout->width, phases = layout->elem_bytes / 4;
    switch (layout->kind) {
    case RIFFLE_LAYOUT_RAP:
    case RIFFLE_LAYOUT_1P:
    case RIFFLE_LAYOUT_R1P:
    case RIFFLE_LAYOUT_1PW2R: riffle_draw_permutation(seed, 0, w, phases, layout->numbers); break;
    case RIFFLE_LAYOUT_3P:
        for (uint32_t p = 0; p < 3; ++p) riffle_draw_permutation(seed, p, w, phases, layout->numbers + p * w);
        break;
    default: break;
    }
}

/** Draws the numbers that belong to this row or to its plane (i, j) alone: a simulation that touches few rows
 *  of a large array draws only theirs. */
static inline void riffle_layout_draw_row(const riffle_layout *layout, uint64_t seed, uint64_t row) {
    const uint32_t w = layout->width;
    const uint64_t plane = row / w;
    uint64_t state;
    switch (layout->kind) {
    case RIFFLE_LAYOUT_RAS:
        state = riffle_draw_stream(seed, row);
        layout->numbers[row] = (uint16_t)riffle_draw_below(&state, w);
        break;
    case RIFFLE_LAYOUT_W2P:
        riffle_draw_permutation(seed, plane, w, layout->elem_bytes / 4, layout->numbers + plane * w);
        break;
    case RIFFLE_LAYOUT_1PW2R:
        state = riffle_draw_stream(seed, 1 + plane);
        layout->numbers[w + plane] = (uint16_t)riffle_draw_below(&state, w);
        break;
    default: break;
    }
}

/** Draws all numbers of the layout, the same for the same seed everywhere. */
static inline void riffle_layout_draw(const riffle_layout *layout, uint64_t seed) {
    const uint64_t rows = riffle_layout_rows(layout);
    const uint64_t step = layout->kind == RIFFLE_LAYOUT_RAS ? 1 : layout->width;
    riffle_layout_draw_shared(layout, seed);
    for (uint64_t row = 0; row < rows; row += step) riffle_layout_draw_row(layout, seed, row);
}

/** By how much the row is rotated, up to a multiple of w; 0 for layouts without random numbers. */
static inline uint32_t riffle_layout_shift(const riffle_layout *layout, uint64_t row) {
    const uint16_t *r = layout->numbers;
    const uint64_t w = layout->width;
    switch (layout->kind) {
    case RIFFLE_LAYOUT_RAS:
    case RIFFLE_LAYOUT_RAP:
    case RIFFLE_LAYOUT_W2P: return r[row];
    case RIFFLE_LAYOUT_1P: return r[row % w];
    case RIFFLE_LAYOUT_R1P: return (uint32_t)r[row / w / w] + r[row / w % w] + r[row % w];
    case RIFFLE_LAYOUT_3P: return (uint32_t)r[row / w / w] + r[w + row / w % w] + r[2 * w + row % w];
    case RIFFLE_LAYOUT_1PW2R: return (uint32_t)r[w + row / w] + r[row % w];
    default: return 0;
    }
}

/** The address of (row, col), which must lie in the array; its bank is the address mod w. */
static inline uint64_t riffle_layout_address(const riffle_layout *layout, uint64_t row, uint32_t col) {
    const uint64_t w = layout->width;
    switch (layout->kind) {
    case RIFFLE_LAYOUT_PADDED: return row * (w + 1) + col;
    case RIFFLE_LAYOUT_XOR: return row * w + (col ^ (row & (w - 1)));
    case RIFFLE_LAYOUT_SWIZZLE128: return row * w + (col ^ (row & 7) * 4);
    default: return row * w + riffle_modulo(col + riffle_layout_shift(layout, row), layout->width);
    }
}

/** Cells of memory that the array takes, padding included. */
static inline uint64_t riffle_layout_cells(const riffle_layout *layout) {
    const uint64_t w = layout->width, pitch = layout->kind == RIFFLE_LAYOUT_PADDED ? w + 1 : w;
    return riffle_layout_rows(layout) * pitch;
}

/** The address of the element with these `dims` indices, checked: NULL and the address in *out, or what is
 *  wrong and what to do. */
static inline const char *riffle_layout_at(const riffle_layout *layout, const uint32_t *index, uint64_t *out) {
    uint64_t row = 0;
    for (uint32_t d = 0; d < layout->dims; ++d) {
        if (index[d] >= layout->width) return "an index lies outside the array; each must be below the width";
        if (d + 1 < layout->dims) row = row * layout->width + index[d];
    }
    *out = riffle_layout_address(layout, row, index[layout->dims - 1]);
    return NULL;
}

#endif
