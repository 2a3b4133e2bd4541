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
/* How far four bytes are apart, each by itself, and the sum. */
RIFFLE_PTX unsigned apart(unsigned a, unsigned b) {
    return std::is_signed<T>::value ? __vabsdiffs4(a, b) : __vabsdiffu4(a, b);
}
RIFFLE_PTX unsigned sum_apart(unsigned a, unsigned b) { return riffle_lint::lanes_sum<unsigned char>(apart<T>(a, b)); }
/* Numbers that an integer cannot hold are its nearest, and none is 0. */
template <class To, class From> RIFFLE_INLINE __attribute__((no_sanitize_thread)) To convert(From from) {
    if constexpr (std::is_floating_point<From>::value && std::is_integral<To>::value) {
        constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
        if (from != from) return 0;
        return from <= (From)least ? least : from >= (From)most ? most : (To)from;
    } else {
        return (To)from;
    }
}
template <unsigned K, class T> RIFFLE_INLINE __attribute__((no_sanitize_thread)) auto half(T whole) {
    typedef typename std::conditional<sizeof(T) == 8, unsigned, unsigned short>::type part;
    return (part)(whole >> (K * 4 * sizeof whole));
}
template <class T, class Low, class High>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) T join(Low low, High high) {
    typedef typename std::conditional<sizeof(T) == 8, unsigned, unsigned short>::type part;
    return (T)as<part>(low) | (T)as<part>(high) << (4 * sizeof(T));
}

/* Two short numbers in a word: of two floats, of two of another format, and what an operation makes of each. */
template <class Format> RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned pair(float high, float low) {
    return (unsigned)Format::from(high) << Format::bits | Format::from(low);
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
