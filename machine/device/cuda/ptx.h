/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that inline PTX becomes (machine/lint/ptx/statement.c). Registers are variables. An operand is taken as bits,
 * as PTX takes it, whatever its type.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_PTX_H
#define RIFFLE_MACHINE_DEVICE_CUDA_PTX_H

namespace riffle_ptx {
typedef unsigned long long u64;
#define RIFFLE_PTX template <class T> RIFFLE_INLINE __attribute__((no_sanitize_thread))

/* The lowest bits of a value, as a type; of a wider one than it has the upper are zero, but for signed numbers. */
template <class To, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) To as(From from) {
    if constexpr (std::is_integral<From>::value && std::is_integral<To>::value) {
        return (To)from;
    } else if constexpr (std::is_pointer<From>::value && std::is_integral<To>::value) {
        return (To)(uintptr_t)from;
    } else {
        To to{};
        __builtin_memcpy((void *)&to, (const void *)&from, sizeof to < sizeof from ? sizeof to : sizeof from);
        return to;
    }
}
/* The same into a variable, whose type is that of a reference perhaps. */
template <class Target, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) auto to(From from) {
    return as<typename std::remove_cv<typename std::remove_reference<Target>::type>::type>(from);
}

/* ---- numbers */

RIFFLE_PTX auto wide(T a, T b) {
    typedef typename std::conditional<
        sizeof(T) == 2, typename std::conditional<std::is_signed<T>::value, int, unsigned>::type,
        typename std::conditional<std::is_signed<T>::value, long long, u64>::type>::type result;
    return (result)a * (result)b;
}
RIFFLE_PTX T high(T a, T b) {
    typedef typename std::conditional<std::is_signed<T>::value, __int128, unsigned __int128>::type result;
    return (T)(((result)a * (result)b) >> (8 * sizeof(T)));
}
/* Of the lowest 24 bits. */
RIFFLE_PTX long long product24(T a, T b) {
    return std::is_signed<T>::value ? (long long)((int)((unsigned)a << 8) >> 8) * ((int)((unsigned)b << 8) >> 8)
                                    : (long long)(a & 0xffffff) * (b & 0xffffff);
}
RIFFLE_PTX T sum_of_difference(T a, T b, T c) {
    typedef typename std::make_unsigned<T>::type bits;
    return (T)((bits)c + (bits)(a < b ? (bits)b - (bits)a : (bits)a - (bits)b));
}
RIFFLE_PTX T add(T a, T b, bool carry, bool &out) {
    const unsigned __int128 sum = (unsigned __int128)(typename std::make_unsigned<T>::type)a +
                                  (typename std::make_unsigned<T>::type)b + carry;
    out = sum >> (8 * sizeof(T)) & 1;
    return (T)sum;
}
RIFFLE_PTX T subtract(T a, T b, bool borrow, bool &out) {
    const unsigned __int128 rest = (unsigned __int128)(typename std::make_unsigned<T>::type)a -
                                   (typename std::make_unsigned<T>::type)b - borrow;
    out = rest >> (8 * sizeof(T)) & 1;
    return (T)rest;
}
RIFFLE_PTX T least(T a, T b) {
    if (a != a) return b;
    return b < a ? b : a;
}
RIFFLE_PTX T greatest(T a, T b) {
    if (a != a) return b;
    return a < b ? b : a;
}
RIFFLE_PTX T magnitude(T a) { return a < 0 ? -a : a; }
RIFFLE_PTX T inverse(T a) {
    if constexpr (std::is_same<T, bool>::value)
        return !a;
    else
        return ~a;
}
RIFFLE_PTX T left(T a, unsigned by) {
    return by < 8 * sizeof a ? (T)((typename std::make_unsigned<T>::type)a << by) : 0;
}
RIFFLE_PTX T right(T a, unsigned by) {
    if (by >= 8 * sizeof a) return a < 0 ? (T)-1 : 0;
    return (T)(a >> by);
}
RIFFLE_PTX T lop3(T a, T b, T c, unsigned table) {
    T out = 0;
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1) out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return out;
}
RIFFLE_PTX T extract(T a, unsigned at, unsigned length) {
    constexpr unsigned bits = 8 * sizeof(T);
    at &= 255, length &= 255;
    if (length == 0) return 0;
    const unsigned end = at + length < bits ? at + length : bits;
    if (at >= bits) return a < 0 ? (T)-1 : 0;
    return right(left(a, bits - end), bits - (end - at));
}
RIFFLE_PTX T insert(T a, T b, unsigned at, unsigned length) {
    const T mask = left((T)(left((T)1, length & 255) - 1), at & 255);
    return (T)((b & ~mask) | (left(a, at & 255) & mask));
}
/* So many ones from bit `at` on. */
RIFFLE_INLINE unsigned ones(unsigned at, unsigned length) {
    const unsigned all = length >= 32 ? ~0u : (1u << length) - 1;
    return at >= 32 ? 0 : all << at;
}
RIFFLE_PTX T reversed(T a) { return (T)(__brevll((u64)a) >> (64 - 8 * sizeof a)); }
RIFFLE_PTX unsigned zeros(T a) {
    return a == 0 ? 8 * sizeof a : (unsigned)__builtin_clzll((u64)a) - (unsigned)(64 - 8 * sizeof a);
}
/* The highest bit that is not as those above it, of unsigned numbers the highest 1; ~0 for none. */
RIFFLE_PTX unsigned highest(T a) { return 8 * sizeof a - 1 - zeros(a < 0 ? (T)~a : a); }
RIFFLE_PTX unsigned shift_of_highest(T a) {
    const unsigned at = highest(a);
    return at == ~0u ? at : 8 * sizeof a - 1 - at;
}
template <class A, class B>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned dot(unsigned a, unsigned b, unsigned c) {
    typedef typename std::conditional<std::is_signed<A>::value, signed char, unsigned char>::type of_a;
    typedef typename std::conditional<std::is_signed<B>::value, signed char, unsigned char>::type of_b;
    for (unsigned k = 0; k < 32; k += 8) c += (unsigned)((int)(of_a)(a >> k) * (int)(of_b)(b >> k));
    return c;
}
/* Of two short numbers with the lower two bytes. */
template <class A, class B>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned dot_short(unsigned a, unsigned b, unsigned c) {
    typedef typename std::conditional<std::is_signed<A>::value, short, unsigned short>::type of_a;
    typedef typename std::conditional<std::is_signed<B>::value, signed char, unsigned char>::type of_b;
    for (unsigned k = 0; k < 2; k++) c += (unsigned)((int)(of_a)(a >> 16 * k) * (int)(of_b)(b >> 8 * k));
    return c;
}
/* How far four bytes are apart, each by itself, and the sum. */
RIFFLE_PTX unsigned apart(unsigned a, unsigned b) {
    return std::is_signed<T>::value ? __vabsdiffs4(a, b) : __vabsdiffu4(a, b);
}
RIFFLE_PTX unsigned sum_apart(unsigned a, unsigned b) { return riffle_lint::lanes_sum<unsigned char>(apart<T>(a, b)); }
/* Numbers that an integer cannot hold are its nearest. */
template <class To, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) To convert(From from) {
    if constexpr (!std::is_integral<From>::value && std::is_integral<To>::value) {
        typedef typename std::conditional<std::is_same<From, double>::value, double, float>::type number;
        constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
        if ((number)from != (number)from) return riffle_lint::none_of<To, number>();
        return (number)from <= (number)least ? least : (number)from >= (number)most ? most : (To)(number)from;
    } else {
        return (To)from;
    }
}
/* With .sat: the nearest of an integer's numbers, of floating point's what lies from 0 to 1. */
template <class To, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) To saturate(From from) {
    if constexpr (std::is_integral<To>::value && std::is_integral<From>::value) {
        constexpr __int128 least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
        return (To)((__int128)from < least ? least : (__int128)from > most ? most : (__int128)from);
    } else if constexpr (std::is_integral<To>::value) {
        return convert<To>(from);
    } else {
        return (To)(from > 0 ? (from < 1 ? from : (From)1) : (From)0);
    }
}
/* Integers of 32 bits as wide as their sums are; others as they are. */
RIFFLE_PTX auto as_wide(T a) {
    if constexpr (std::is_integral<T>::value)
        return (long long)a;
    else
        return a;
}
/* Two numbers with the lowest bits of a third above them, of which as many fit. */
template <class T, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned packed(From high, From low, unsigned above = 0) {
    typedef typename std::make_unsigned<T>::type bits;
    const unsigned both = (unsigned)(bits)saturate<T>(high) << (8 * sizeof(T)) | (bits)saturate<T>(low);
    return sizeof(T) == 1 ? above << 16 | both : both;
}
/* As a float that another rounding makes of what it would have made of the double: what is between two floats becomes the odd one. */
RIFFLE_INLINE __attribute__((no_sanitize_thread)) float odd_float(double from) {
    const float nearest = (float)from;
    unsigned bits = riffle_lint::same_bits<unsigned>(nearest);
    if ((double)nearest == from || from != from || (bits << 1) == 0xff000000u || (bits & 1) != 0) return nearest;
    bits += fabs((double)nearest) > fabs(from) ? ~0u : 1u;
    return riffle_lint::same_bits<float>(bits);
}
/* Numbers of 16 bits of floating point, computed as floats. */
template <class Format> struct short_number {
    typedef Format format;
    unsigned short bits;
    short_number() = default;
    template <class T> RIFFLE_INLINE __attribute__((no_sanitize_thread)) explicit short_number(T from) : bits((unsigned short)Format::from((float)from)) {}
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) explicit short_number(double from) : bits((unsigned short)Format::from(odd_float(from))) {}
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) operator float() const { return Format::to(bits); }
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) friend short_number operator+(short_number a, short_number b) { return short_number((float)a + (float)b); }
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) friend short_number operator-(short_number a, short_number b) { return short_number((float)a - (float)b); }
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) friend short_number operator*(short_number a, short_number b) { return short_number((float)a * (float)b); }
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) friend short_number operator-(short_number a) { return short_number(-(float)a); }
};
typedef short_number<riffle_lint::half_format> number_f16;
typedef short_number<riffle_lint::bfloat16_format> number_bf16;
RIFFLE_PTX T fused(T a, T b, T c) {
    if constexpr (std::is_floating_point<T>::value)
        return std::fma(a, b, c);
    else
        return (T)riffle_lint::short_fma(a, b, c);
}
/* To another type by .rz, .rm, .rp. */
template <class To, class Rounding, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) To convert_by(From from) {
    if constexpr (std::is_class<To>::value)
        return as<To>(riffle_lint::short_towards<Rounding, typename To::format>((double)from));
    else
        return riffle_lint::rounded<Rounding>([](From number) __attribute__((no_sanitize_thread)) { return (To)number; }, from);
}
/* To an integer by .rzi, .rni, .rmi, .rpi: short numbers as floats. */
#define RIFFLE_WHOLE(name, function)                                                                            \
    RIFFLE_PTX auto name(T a) {                                                                                \
        if constexpr (std::is_same<T, double>::value)                                                          \
            return ::function(a);                                                                              \
        else                                                                                                   \
            return ::function##f((float)a);                                                                    \
    }
RIFFLE_WHOLE(truncated, trunc)
RIFFLE_WHOLE(nearest, rint)
RIFFLE_WHOLE(floor_of, floor)
RIFFLE_WHOLE(ceil_of, ceil)
#undef RIFFLE_WHOLE
/* What set makes of a comparison: all ones, or 1.0. */
RIFFLE_PTX T truth(bool is) {
    if constexpr (std::is_integral<T>::value)
        return is ? (T)-1 : 0;
    else
        return (T)(is ? 1.f : 0.f);
}
/* Bytes of two words by four bits each, of which the highest takes the sign of a byte in place of it. */
RIFFLE_INLINE unsigned permuted(unsigned a, unsigned b, unsigned selector) {
    unsigned bytes = __byte_perm(a, b, selector & 0x7777);
    for (unsigned k = 0; k < 4; k++)
        if (selector >> 4 * k & 8) bytes = (bytes & ~(0xffu << 8 * k)) | (bytes >> (8 * k + 7) & 1 ? 0xffu : 0) << 8 * k;
    return bytes;
}
template <unsigned BYTES> using word = typename std::conditional<
    BYTES == 4, unsigned, typename std::conditional<BYTES == 2, unsigned short, unsigned char>::type>::type;
/* Part K of N of a word, from its lowest bits on, and the word of all of them. */
template <unsigned K, unsigned N, class T> RIFFLE_INLINE __attribute__((no_sanitize_thread)) auto piece(T whole) {
    return (word<sizeof(T) / N>)(whole >> (K * 8 * sizeof whole / N));
}
template <class T, class... Piece> RIFFLE_INLINE __attribute__((no_sanitize_thread)) T join(Piece... piece) {
    T whole = 0;
    unsigned at = 0;
    ((whole |= (T)as<word<sizeof(T) / sizeof...(Piece)>>(piece) << 8 * sizeof(T) / sizeof...(Piece) * at++), ...);
    return whole;
}

/* Two short numbers in a word: of two floats, of two of another format, and what an operation makes of each. */
template <class Format> RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned pair(float high, float low) {
    return (unsigned)Format::from(high) << Format::bits | Format::from(low);
}
template <class Rounding, class Format> RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned pair_by(float high, float low) {
    return (unsigned)riffle_lint::short_towards<Rounding, Format>(high) << 16 | riffle_lint::short_towards<Rounding, Format>(low);
}
template <class Format> RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned saturated_pair(float high, float low) {
    return (unsigned)Format::saturated(high) << Format::bits | Format::saturated(low);
}
template <class Format> RIFFLE_INLINE __attribute__((no_sanitize_thread)) float high_of(unsigned two) {
    return Format::to(two >> Format::bits & ((1u << Format::bits) - 1));
}
template <class Format> RIFFLE_INLINE __attribute__((no_sanitize_thread)) float low_of(unsigned two) {
    return Format::to(two & ((1u << Format::bits) - 1));
}
template <class Format, class Operation, class... Word>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned each(Operation operation, Word... two) {
    return pair<Format>(operation(high_of<Format>(two)...), operation(low_of<Format>(two)...));
}
/* To the nearest of 10 bits of fraction, ties away from zero; what is cut off is zeros. */
RIFFLE_INLINE unsigned nearest_tf32(float number) {
    const unsigned x = as<unsigned>(number);
    return (x & 0x7fffffff) >= 0x7f800000 ? x : (x + 0x1000) & 0xffffe000;
}

/* ---- the thread */

RIFFLE_INLINE unsigned thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
RIFFLE_INLINE unsigned warp() { return thread() / riffle_lint_warp_size(); }
RIFFLE_INLINE unsigned warps() {
    return (blockDim.x * blockDim.y * blockDim.z + riffle_lint_warp_size() - 1) / riffle_lint_warp_size();
}
/* Lanes that exchange, from the clamp and mask of shfl. */
RIFFLE_INLINE int width(unsigned c) { return (int)(riffle_lint_warp_size() - (c >> 8 & 31)); }

/* True where the lane that shfl reads is one of those that exchange: the last of a segment, or for `up` its first, bounds them. */
RIFFLE_INLINE unsigned bound_of(unsigned c) {
    const unsigned segment = c >> 8 & 31;
    return (riffle_lint_lane() & segment) | (c & 31 & ~segment);
}
RIFFLE_INLINE bool has_lane_idx(unsigned lane, unsigned c) {
    const unsigned segment = c >> 8 & 31;
    return ((riffle_lint_lane() & segment) | (lane & 31 & ~segment)) <= bound_of(c);
}
RIFFLE_INLINE bool has_lane_up(unsigned by, unsigned c) { return (int)(riffle_lint_lane() - (by & 31)) >= (int)bound_of(c); }
RIFFLE_INLINE bool has_lane_down(unsigned by, unsigned c) { return riffle_lint_lane() + (by & 31) <= bound_of(c); }
RIFFLE_INLINE bool has_lane_bfly(unsigned by, unsigned c) { return (riffle_lint_lane() ^ (by & 31)) <= bound_of(c); }

/* ---- memory */

template <class Base> RIFFLE_INLINE void *at(Base base, long long offset) {
    return (void *)(as<u64>(base) + (u64)offset);
}
/* The address behind the 32 bits that programs keep of one in shared memory. */
template <class Base> RIFFLE_INLINE void *at_shared(Base base, long long offset) {
    const u64 here = (u64)(uintptr_t)riffle_lint_dynamic_shared;
    return (void *)(here + (u64)(long long)(int)((unsigned)as<u64>(base) - (unsigned)here) + (u64)offset);
}
/* The same place in another block's shared memory, in as many bits. */
template <class Address> RIFFLE_DEVICE Address peer(Address address, unsigned rank) {
    return as<Address>((u64)(uintptr_t)riffle_lint_cluster_peer(at_shared(address, 0), rank, RIFFLE_SITE));
}
/* With MACHINE_STRONG where they are volatile or have an order, and a store with MACHINE_STORE too where it has one. */
template <int MARKS, class T, size_t N> RIFFLE_DEVICE void load(const void *from, T (&out)[N]) {
    riffle_lint_access(from, sizeof out, MACHINE_READ | MARKS, RIFFLE_SITE);
    __builtin_memcpy(out, from, sizeof out);
}
template <int MARKS, class T, size_t N> RIFFLE_DEVICE void store(void *to, const T (&in)[N]) {
    riffle_lint_access(to, sizeof in, MACHINE_WRITE | MARKS, RIFFLE_SITE);
    __builtin_memcpy(to, in, sizeof in);
}
/* So many bytes, of which those beyond `given` are zeros. */
static inline RIFFLE_DEVICE void copy(void *to, const void *from, unsigned bytes, unsigned given) {
    riffle_lint_copy(to, from, bytes, given < bytes ? given : bytes, nullptr, RIFFLE_SITE);
}
static inline RIFFLE_DEVICE void copy_commit() { riffle_lint_copy_commit(); }
static inline RIFFLE_DEVICE void copy_wait(unsigned left) { riffle_lint_copy_land_prior(left); }
static inline RIFFLE_DEVICE void copy_wait_all() { riffle_lint_copy_land(); }
#undef RIFFLE_PTX
} // namespace riffle_ptx

/* The address itself, of which 32 bits are enough. */
static inline size_t __cvta_generic_to_shared(const void *at) { return (size_t)at; }
static inline size_t __cvta_generic_to_global(const void *at) { return (size_t)at; }
static inline void *__cvta_shared_to_generic(size_t at) { return riffle_ptx::at_shared(at, 0); }
static inline void *__cvta_global_to_generic(size_t at) { return (void *)at; }

#endif
