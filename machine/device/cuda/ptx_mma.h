/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX's products of small matrices by a warp (mma.sync) as plain sums of floats, and ldmatrix, whose reads are those of 16 bytes by
 * each lane that gives an address. Which lane has which element is as PTX says.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_PTX_MMA_H
#define RIFFLE_MACHINE_DEVICE_CUDA_PTX_MMA_H

namespace riffle_ptx {
struct f16 {
    static constexpr int of_word = 2;
    RIFFLE_INLINE static float number(unsigned word, int k) {
        const unsigned bits = word >> 16 * k & 0xffff, fraction = bits & 1023;
        const int exponent = (int)(bits >> 10 & 31);
        const float size = exponent == 31  ? (fraction != 0 ? __builtin_nanf("") : __builtin_inff())
                           : exponent == 0 ? ldexpf((float)fraction, -24)
                                           : ldexpf((float)(1024 + fraction), exponent - 25);
        return bits >> 15 ? -size : size;
    }
};
struct bf16 {
    static constexpr int of_word = 2;
    RIFFLE_INLINE static float number(unsigned word, int k) { return as<float>((word >> 16 * k & 0xffff) << 16); }
};
struct tf32 {
    static constexpr int of_word = 1;
    RIFFLE_INLINE static float number(unsigned word, int) { return as<float>(word & 0xffffe000); }
};

/* A lane's part of both factors. */
template <size_t A, size_t B> struct factors {
    unsigned a[A], b[B];
};

/* d = a * b + c, of 16 rows, 8 columns and K between; the words of a lane are those of four neighbours in a row, eight rows and half of K on. */
template <class Format, int K, size_t A, size_t B>
RIFFLE_DEVICE __attribute__((no_sanitize_thread)) void multiply(float (&d)[4], const unsigned (&a)[A], const unsigned (&b)[B],
                                                                const float (&c)[4]) {
    constexpr int four = 4 * Format::of_word;
    static_assert(A == 2 * (K / four) && B == K / four, "the registers of another shape");
    factors<A, B> own;
    __builtin_memcpy(own.a, a, sizeof a);
    __builtin_memcpy(own.b, b, sizeof b);
    const riffle_lint::exchange<factors<A, B>> all(0xffffffff, own, RIFFLE_SITE);
    const int lane = (int)riffle_lint_lane();
    for (int e = 0; e < 4; e++) {
        const int column = lane % 4 * 2 + e % 2;
        d[e] = c[e];
        for (int k = 0; k < K; k++) {
            const int part = k % four / Format::of_word, word = k / four, at = k % Format::of_word;
            const unsigned left = all.of((unsigned)(lane / 4 * 4 + part)).a[e / 2 + 2 * word];
            d[e] += Format::number(left, at) * Format::number(all.of((unsigned)(column * 4 + part)).b[word], at);
        }
    }
}

struct row_of_matrix {
    unsigned word[4];
};

/* N matrices of 8 rows of 16 bytes; each lane gets two neighbours of a row, or of a column. */
template <bool TURNED, size_t N>
RIFFLE_DEVICE __attribute__((no_sanitize_thread)) void load_matrices(const void *from, unsigned (&out)[N]) {
    row_of_matrix own = {};
    const unsigned lane = riffle_lint_lane();
    if (lane < 8 * N) {
        riffle_lint_access(from, sizeof own, MACHINE_READ, RIFFLE_SITE);
        __builtin_memcpy(&own, from, sizeof own);
    }
    const riffle_lint::exchange<row_of_matrix> all(0xffffffff, own, RIFFLE_SITE);
    for (unsigned k = 0; k < N; k++) {
        if (!TURNED) {
            out[k] = all.of(8 * k + lane / 4).word[lane % 4];
            continue;
        }
        const unsigned column = lane / 4, row = 8 * k + lane % 4 * 2;
        const unsigned low = all.of(row).word[column / 2] >> 16 * (column % 2) & 0xffff;
        out[k] = low | (all.of(row + 1).word[column / 2] >> 16 * (column % 2)) << 16;
    }
}
} // namespace riffle_ptx

#endif
