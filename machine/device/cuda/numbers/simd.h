/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's arithmetic on the four bytes or two halves of a word, each by itself, and products of four bytes that are summed.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_SIMD_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_SIMD_H

namespace riffle_lint {
/* One lane's numbers: of Lane's type, computed as integers. */
template <class Lane, class Operation>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned lanes(unsigned a, unsigned b, Operation operation) {
    constexpr unsigned bits = 8 * sizeof(Lane), mask = (1u << bits) - 1;
    unsigned out = 0;
    for (unsigned at = 0; at < 32; at += bits) out |= ((unsigned)operation((int)(Lane)(a >> at), (int)(Lane)(b >> at)) & mask) << at;
    return out;
}
template <class Lane> RIFFLE_INLINE int saturated(int x) {
    constexpr int least = std::numeric_limits<Lane>::min(), most = std::numeric_limits<Lane>::max();
    return x < least ? least : x > most ? most : x;
}
/* The sum of all lanes of a word. */
template <class Lane> RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned lanes_sum(unsigned a) {
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(Lane)) sum += (Lane)(a >> at);
    return sum;
}
template <class A, class B, class Sum>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) Sum dot_of_bytes(unsigned a, unsigned b, Sum c) {
    for (unsigned at = 0; at < 32; at += 8) c += (Sum)((int)(A)(a >> at) * (int)(B)(b >> at));
    return c;
}
template <class Vector> RIFFLE_INLINE unsigned bytes_of(const Vector &v) {
    return (unsigned)(unsigned char)v.x | (unsigned)(unsigned char)v.y << 8 | (unsigned)(unsigned char)v.z << 16 |
           (unsigned)(unsigned char)v.w << 24;
}
} // namespace riffle_lint

#define RIFFLE_SIMD(name, lane, result)                                                                        \
    RIFFLE_INLINE unsigned name(unsigned a, unsigned b) {                                                      \
        typedef lane L;                                                                                        \
        return riffle_lint::lanes<L>(a, b, [](int p, int q) __attribute__((no_sanitize_thread)) { return result; }); \
    }
#define RIFFLE_SIMD_ONE(name, lane, result)                                                                    \
    RIFFLE_INLINE unsigned name(unsigned a) {                                                                  \
        typedef lane L;                                                                                        \
        return riffle_lint::lanes<L>(a, a, [](int p, int) __attribute__((no_sanitize_thread)) { return result; }); \
    }
#define RIFFLE_SIMD_COMPARE(word, n, lane, sign)                                                               \
    RIFFLE_SIMD(__vcmp##word##n, lane, p sign q ? -1 : 0)                                                      \
    RIFFLE_SIMD(__vset##word##n, lane, p sign q ? 1 : 0)
#define RIFFLE_SIMD_SIZE(n, s, u)                                                                              \
    RIFFLE_SIMD(__vadd##n, u, p + q)                                                                           \
    RIFFLE_SIMD(__vsub##n, u, p - q)                                                                           \
    RIFFLE_SIMD(__vaddss##n, s, riffle_lint::saturated<L>(p + q))                                              \
    RIFFLE_SIMD(__vaddus##n, u, riffle_lint::saturated<L>(p + q))                                              \
    RIFFLE_SIMD(__vsubss##n, s, riffle_lint::saturated<L>(p - q))                                              \
    RIFFLE_SIMD(__vsubus##n, u, riffle_lint::saturated<L>(p - q))                                              \
    RIFFLE_SIMD(__vabsdiffs##n, s, p < q ? q - p : p - q)                                                      \
    RIFFLE_SIMD(__vabsdiffu##n, u, p < q ? q - p : p - q)                                                      \
    RIFFLE_SIMD(__vavgs##n, s, (p + q + (p + q >= 0)) >> 1)                                                    \
    RIFFLE_SIMD(__vavgu##n, u, (p + q + 1) >> 1)                                                               \
    RIFFLE_SIMD(__vhaddu##n, u, (p + q) >> 1)                                                                  \
    RIFFLE_SIMD(__vmaxs##n, s, p < q ? q : p)                                                                  \
    RIFFLE_SIMD(__vmaxu##n, u, p < q ? q : p)                                                                  \
    RIFFLE_SIMD(__vmins##n, s, q < p ? q : p)                                                                  \
    RIFFLE_SIMD(__vminu##n, u, q < p ? q : p)                                                                  \
    RIFFLE_SIMD_COMPARE(eq, n, u, ==)                                                                          \
    RIFFLE_SIMD_COMPARE(ne, n, u, !=)                                                                          \
    RIFFLE_SIMD_COMPARE(lts, n, s, <)                                                                          \
    RIFFLE_SIMD_COMPARE(ltu, n, u, <)                                                                          \
    RIFFLE_SIMD_COMPARE(les, n, s, <=)                                                                         \
    RIFFLE_SIMD_COMPARE(leu, n, u, <=)                                                                         \
    RIFFLE_SIMD_COMPARE(gts, n, s, >)                                                                          \
    RIFFLE_SIMD_COMPARE(gtu, n, u, >)                                                                          \
    RIFFLE_SIMD_COMPARE(ges, n, s, >=)                                                                         \
    RIFFLE_SIMD_COMPARE(geu, n, u, >=)                                                                         \
    RIFFLE_SIMD_ONE(__vneg##n, s, -p)                                                                          \
    RIFFLE_SIMD_ONE(__vnegss##n, s, riffle_lint::saturated<L>(-p))                                             \
    RIFFLE_SIMD_ONE(__vabs##n, s, p < 0 ? -p : p)                                                              \
    RIFFLE_SIMD_ONE(__vabsss##n, s, riffle_lint::saturated<L>(p < 0 ? -p : p))                                 \
    RIFFLE_INLINE unsigned __vsadu##n(unsigned a, unsigned b) { return riffle_lint::lanes_sum<u>(__vabsdiffu##n(a, b)); } \
    RIFFLE_INLINE unsigned __vsads##n(unsigned a, unsigned b) { return riffle_lint::lanes_sum<u>(__vabsdiffs##n(a, b)); }
RIFFLE_SIMD_SIZE(4, signed char, unsigned char)
RIFFLE_SIMD_SIZE(2, short, unsigned short)
#undef RIFFLE_SIMD_SIZE
#undef RIFFLE_SIMD_COMPARE
#undef RIFFLE_SIMD_ONE
#undef RIFFLE_SIMD

RIFFLE_INLINE int __dp4a(int a, int b, int c) { return (int)riffle_lint::dot_of_bytes<signed char, signed char>((unsigned)a, (unsigned)b, (unsigned)c); }
RIFFLE_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return riffle_lint::dot_of_bytes<unsigned char, unsigned char>(a, b, c); }
RIFFLE_INLINE int __dp4a(char4 a, char4 b, int c) { return __dp4a((int)riffle_lint::bytes_of(a), (int)riffle_lint::bytes_of(b), c); }
RIFFLE_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(riffle_lint::bytes_of(a), riffle_lint::bytes_of(b), c); }

#endif
