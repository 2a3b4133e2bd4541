/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's vector types with CUDA's alignments. Types that a GPU loads and stores in one instruction are copied as a whole, so
 * that the machine sees one access and not one for each component.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_VECTORS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_VECTORS_H

namespace riffle_lint {
template <unsigned BYTES>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) void copy_whole(void *to, const void *from,
                                                                  const void *site) {
    constexpr unsigned piece = BYTES > 16 ? 16 : BYTES;
    for (unsigned at = 0; at < BYTES; at += piece) {
        riffle_lint_access((const char *)from + at, piece, MACHINE_READ, site);
        riffle_lint_access((char *)to + at, piece, MACHINE_WRITE, site);
    }
    __builtin_memcpy(to, from, BYTES);
}
} // namespace riffle_lint

#define RIFFLE_ASSIGN(name)                                                                                    \
    RIFFLE_DEVICE name &operator=(const name &from) {                                                          \
        ::riffle_lint::copy_whole<sizeof(name)>(this, &from, RIFFLE_SITE);                                     \
        return *this;                                                                                          \
    }

/* clang takes the copy that initializes a variable apart, unless it is a function; gcc keeps it whole, and the
 * class remains an aggregate as in CUDA. */
#ifdef __clang__
#define RIFFLE_CONSTRUCT(name)                                                                                 \
    name() = default;                                                                                          \
    RIFFLE_DEVICE name(const name &from) { ::riffle_lint::copy_whole<sizeof(name)>(this, &from, RIFFLE_SITE); }
#define RIFFLE_CONSTRUCT_2(name, type)                                                                         \
    RIFFLE_CONSTRUCT(name)                                                                                     \
    constexpr name(type x_, type y_ = 0) : x(x_), y(y_) {}
#define RIFFLE_CONSTRUCT_4(name, type)                                                                         \
    RIFFLE_CONSTRUCT(name)                                                                                     \
    constexpr name(type x_, type y_ = 0, type z_ = 0, type w_ = 0) : x(x_), y(y_), z(z_), w(w_) {}
#else
#define RIFFLE_CONSTRUCT_2(name, type)
#define RIFFLE_CONSTRUCT_4(name, type)
#endif

#define RIFFLE_VECTORS(name, type, align2, align4)                                                             \
    struct name##1 {                                                                                           \
        type x;                                                                                                \
    };                                                                                                         \
    struct alignas(align2) name##2 {                                                                           \
        type x, y;                                                                                             \
        RIFFLE_CONSTRUCT_2(name##2, type)                                                                      \
        RIFFLE_ASSIGN(name##2)                                                                                 \
    };                                                                                                         \
    struct name##3 {                                                                                           \
        type x, y, z;                                                                                          \
    };                                                                                                         \
    struct alignas(align4) name##4 {                                                                           \
        type x, y, z, w;                                                                                       \
        RIFFLE_CONSTRUCT_4(name##4, type)                                                                      \
        RIFFLE_ASSIGN(name##4)                                                                                 \
    };                                                                                                         \
    RIFFLE_INLINE name##1 make_##name##1(type x) { return {x}; }                                               \
    RIFFLE_INLINE name##2 make_##name##2(type x, type y) { return {x, y}; }                                    \
    RIFFLE_INLINE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                         \
    RIFFLE_INLINE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

RIFFLE_VECTORS(char, signed char, 2, 4)
RIFFLE_VECTORS(uchar, unsigned char, 2, 4)
RIFFLE_VECTORS(short, short, 4, 8)
RIFFLE_VECTORS(ushort, unsigned short, 4, 8)
RIFFLE_VECTORS(int, int, 8, 16)
RIFFLE_VECTORS(uint, unsigned, 8, 16)
RIFFLE_VECTORS(long, long, 16, 16)
RIFFLE_VECTORS(ulong, unsigned long, 16, 16)
RIFFLE_VECTORS(longlong, long long, 16, 16)
RIFFLE_VECTORS(ulonglong, unsigned long long, 16, 16)
RIFFLE_VECTORS(float, float, 8, 16)
RIFFLE_VECTORS(double, double, 16, 16)
#undef RIFFLE_VECTORS
#undef RIFFLE_ASSIGN
#undef RIFFLE_CONSTRUCT
#undef RIFFLE_CONSTRUCT_2
#undef RIFFLE_CONSTRUCT_4

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 from) : x(from.x), y(from.y), z(from.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

#endif
