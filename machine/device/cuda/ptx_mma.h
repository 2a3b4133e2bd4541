/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX on small matrices by a warp: products (mma.sync) as plain sums, and ldmatrix and stmatrix, whose accesses are those of
 * 16 bytes by each lane that gives an address. Which lane has which element is as PTX says.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_PTX_MMA_H
#define RIFFLE_MACHINE_DEVICE_CUDA_PTX_MMA_H

namespace riffle_ptx {
/* Formats of factors: so many in a word of 32 bits, least significant first, or one in a double. */
template <class Format> struct short_factor {
    static constexpr int of_word = 32 / Format::bits;
    RIFFLE_INLINE static float number(unsigned word, int k) { return Format::to((word >> Format::bits * k) & ((1u << Format::bits) - 1)); }
};
typedef short_factor<riffle_lint::half_format> f16;
typedef short_factor<riffle_lint::bfloat16_format> bf16;
typedef short_factor<riffle_lint::e4m3_format> e4m3;
typedef short_factor<riffle_lint::e5m2_format> e5m2;
struct tf32 {
    static constexpr int of_word = 1;
    RIFFLE_INLINE static float number(unsigned word, int) { return as<float>(word & 0xffffe000); }
};
struct f64 {
    static constexpr int of_word = 1;
    RIFFLE_INLINE static double number(double word, int) { return word; }
    typedef double word, sum; /* as a sum too */
    static constexpr int in_word = 1;
    RIFFLE_INLINE static double get(double word, int) { return word; }
    RIFFLE_INLINE static void put(double &word, int, double sum) { word = sum; }
};
template <int BITS, bool SIGNED> struct integer {
    static constexpr int of_word = 32 / BITS;
    RIFFLE_INLINE static long long number(unsigned word, int k) {
        const unsigned top = word << (32 - BITS * (k + 1));
        return SIGNED ? (int)top >> (32 - BITS) : (long long)(top >> (32 - BITS));
    }
};
typedef integer<8, true> s8;
typedef integer<8, false> u8;
typedef integer<4, true> s4;
typedef integer<4, false> u4;
typedef integer<1, false> b1;

/* Formats of sums: so many in a word, and the type in which they are summed. */
struct f32 {
    typedef float word, sum;
    static constexpr int in_word = 1;
    RIFFLE_INLINE static float get(float word, int) { return word; }
    RIFFLE_INLINE static void put(float &word, int, float sum) { word = sum; }
};
struct halves {
    typedef unsigned word;
    typedef float sum;
    static constexpr int in_word = 2;
    RIFFLE_INLINE static float get(unsigned word, int k) { return f16::number(word, k); }
    RIFFLE_INLINE static void put(unsigned &word, int k, float sum) {
        word = (word & 0xffff0000u >> 16 * k) | riffle_lint::half_format::from(sum) << 16 * k;
    }
};
struct s32 {
    typedef int word;
    typedef long long sum;
    static constexpr int in_word = 1;
    RIFFLE_INLINE static long long get(int word, int) { return word; }
    RIFFLE_INLINE static void put(int &word, int, long long sum) { word = (int)sum; }
};
struct s32_satfinite : s32 {
    RIFFLE_INLINE static void put(int &word, int, long long sum) {
        constexpr long long least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
        word = (int)(sum < least ? least : sum > most ? most : sum);
    }
};

struct product {
    template <class T> RIFFLE_INLINE static T of(T a, T b) { return a * b; }
};
/* Of bits, for xor. */
struct differ {
    RIFFLE_INLINE static long long of(long long a, long long b) { return a != b; }
};

/* A lane's part of both factors. */
template <class Word, size_t A, size_t B> struct factors {
    Word a[A], b[B];
};

/* d = a * b + c, of M rows, 8 columns and K between; the words of a lane are those of four neighbours in a row, eight rows and so many of K on. */
template <class Left, class Right, class Sum, class Times, int M, int K, class Word, size_t A, size_t B, size_t D>
RIFFLE_DEVICE __attribute__((no_sanitize_thread)) void multiply(typename Sum::word (&d)[D], const Word (&a)[A], const Word (&b)[B],
                                                                const typename Sum::word (&c)[D]) {
    constexpr int four = 4 * Left::of_word;
    static_assert(A == M / 8 * (K / four) && B == K / four && D * Sum::in_word == M / 4, "the registers of another shape");
    factors<Word, A, B> own;
    __builtin_memcpy(own.a, a, sizeof a);
    __builtin_memcpy(own.b, b, sizeof b);
    const riffle_lint::exchange<factors<Word, A, B>, sizeof own> all(0xffffffff, own, RIFFLE_SITE);
    const int lane = (int)riffle_lint_lane();
    for (int e = 0; e < M / 4; e++) {
        const int column = lane % 4 * 2 + e % 2;
        typename Sum::sum sum = Sum::get(c[e / Sum::in_word], e % Sum::in_word);
        for (int k = 0; k < K; k++) {
            const int part = k % four / Left::of_word, word = k / four, at = k % Left::of_word;
            const Word left = all.of((unsigned)(lane / 4 * 4 + part)).a[e / 2 + M / 8 * word];
            sum += Times::of(Left::number(left, at), Right::number(all.of((unsigned)(column * 4 + part)).b[word], at));
        }
        Sum::put(d[e / Sum::in_word], e % Sum::in_word, sum);
    }
}

/* Two neighbours in a column of a matrix whose rows are lanes' 16-byte pieces, or fours of lanes. */
RIFFLE_INLINE unsigned neighbours(unsigned above, unsigned below, unsigned column) {
    return (above >> 16 * (column % 2) & 0xffff) | (below >> 16 * (column % 2)) << 16;
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
        out[k] = neighbours(all.of(row).word[column / 2], all.of(row + 1).word[column / 2], column);
    }
}

/* The 8 by 8 matrix whose row `lane / 4` has this lane's two neighbours, transposed. */
RIFFLE_DEVICE __attribute__((no_sanitize_thread)) inline unsigned transposed(unsigned own) {
    const riffle_lint::exchange<unsigned> all(0xffffffff, own, RIFFLE_SITE);
    const unsigned lane = riffle_lint_lane(), column = lane / 4, row = lane % 4 * 2;
    return neighbours(all.of(row * 4 + column / 2), all.of((row + 1) * 4 + column / 2), column);
}

/* The way back of load_matrices. */
template <bool TURNED, size_t N>
RIFFLE_DEVICE __attribute__((no_sanitize_thread)) void store_matrices(void *to, const unsigned (&in)[N]) {
    struct registers {
        unsigned of[N];
    } own;
    for (size_t k = 0; k < N; k++) own.of[k] = TURNED ? transposed(in[k]) : in[k];
    const riffle_lint::exchange<registers> all(0xffffffff, own, RIFFLE_SITE);
    const unsigned lane = riffle_lint_lane();
    if (lane >= 8 * N) return;
    row_of_matrix row;
    for (unsigned k = 0; k < 4; k++) row.word[k] = all.of(lane % 8 * 4 + k).of[lane / 8];
    riffle_lint_access(to, sizeof row, MACHINE_WRITE, RIFFLE_SITE);
    __builtin_memcpy(to, &row, sizeof row);
}

/* A product of the warpgroup with A in shared memory, or in registers, which the four lanes of a row have together. */
static inline RIFFLE_DEVICE void product_of_group(const machine_product &one) { riffle_lint_product(&one, RIFFLE_SITE); }
static inline RIFFLE_DEVICE void product_of_group(machine_product one, const unsigned (&words)[MACHINE_FACTORS]) {
    row_of_matrix own;
    __builtin_memcpy(own.word, words, sizeof own.word);
    const riffle_lint::exchange<row_of_matrix> all(0xffffffff, own, RIFFLE_SITE);
    unsigned quad[MACHINE_QUAD][MACHINE_FACTORS];
    for (unsigned k = 0; k < MACHINE_QUAD; k++) {
        const row_of_matrix its = all.of(riffle_lint_lane() / MACHINE_QUAD * MACHINE_QUAD + k);
        __builtin_memcpy(quad[k], its.word, sizeof its.word);
    }
    one.words = quad;
    riffle_lint_product(&one, RIFFLE_SITE);
}

/* st.async: so many words into a cluster's shared memory. */
template <class T, size_t N> RIFFLE_DEVICE void store_async(void *to, const T (&in)[N], void *barrier) {
    riffle_lint_store_async(to, in, sizeof in, barrier, RIFFLE_SITE);
}
} // namespace riffle_ptx

#endif
