/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of small matrices by a warp (wmma), as plain arithmetic. A fragment's elements are dealt to the lanes one by one, in
 * the order in which they lie in memory; CUDA leaves open how, so the sectors of a load are right and the order is not a GPU's.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_MMA_H
#define RIFFLE_MACHINE_DEVICE_CUDA_MMA_H

#include "half.h"

namespace nvcuda {
namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision
/* Numbers of less than a byte: their names, for programs that have code for them and do not run it. */
namespace experimental {
namespace precision {
struct s4 {};
struct u4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
namespace details {
template <class T> struct element {
    typedef T type;
};
template <> struct element<precision::tf32> {
    typedef float type;
};
template <class Use, int M, int N, int K> constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
template <class Use, int M, int N, int K> constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
template <class Order> constexpr bool by_rows = !std::is_same<Order, col_major>::value;
} // namespace details

template <class Use, int M, int N, int K, class T, class Order = void> struct fragment {
    typedef typename details::element<T>::type element_type;
    static constexpr int rows = details::rows<Use, M, N, K>, columns = details::columns<Use, M, N, K>;
    static constexpr int num_elements = rows * columns / 32;
    element_type x[num_elements];
};

template <class F, class T> RIFFLE_INLINE void fill_fragment(F &f, const T &value) {
    for (int k = 0; k < F::num_elements; k++) f.x[k] = (typename F::element_type)value;
}

namespace details {
enum { MATRIX_ALIGNMENT = 32 }; /* bytes, of a matrix's start */
/* Where element number `e` of a fragment lies, in rows or in columns. */
template <class F> RIFFLE_PURE size_t place(int e, unsigned lead, bool by_rows) {
    const int length = by_rows ? F::columns : F::rows;
    return (size_t)(e / length) * lead + (size_t)(e % length);
}
/* Its number in the order of rows. */
template <class F> RIFFLE_PURE int in_rows(int e, bool by_rows) {
    return by_rows ? e : e % F::rows * F::columns + e / F::rows;
}
template <class F, class T> RIFFLE_INLINE __attribute__((no_sanitize_thread)) void load(F &f, const T *from, unsigned lead, bool by_rows, const void *site) {
    riffle_lint::exchange<int>(0xffffffff, 0, site);
    riffle_lint_align(from, MATRIX_ALIGNMENT);
    for (int k = 0; k < F::num_elements; k++) {
        const T *at = from + place<F>(k * 32 + (int)riffle_lint_lane(), lead, by_rows);
        riffle_lint_access(at, sizeof(T), MACHINE_READ, site);
        f.x[k] = *at;
    }
}
/* All elements of a fragment as floating-point numbers, in rows. */
template <class F> RIFFLE_INLINE __attribute__((no_sanitize_thread)) void gather(const F &f, bool by_rows, double *out, const void *site) {
    for (int k = 0; k < F::num_elements; k++) {
        const riffle_lint::exchange<double> all(0xffffffff, (double)f.x[k], site);
        for (int lane = 0; lane < 32; lane++) out[in_rows<F>(k * 32 + lane, by_rows)] = all.of((unsigned)lane);
    }
}
} // namespace details

template <class Use, int M, int N, int K, class T, class Order, class From>
RIFFLE_DEVICE void load_matrix_sync(fragment<Use, M, N, K, T, Order> &f, const From *from, unsigned lead) {
    details::load(f, from, lead, details::by_rows<Order>, RIFFLE_SITE);
}
/* An accumulator's elements are dealt in rows, however they lie. */
template <int M, int N, int K, class T>
RIFFLE_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *from, unsigned lead, layout_t layout) {
    typedef fragment<accumulator, M, N, K, T> F;
    riffle_lint_align(from, details::MATRIX_ALIGNMENT);
    for (int k = 0; k < F::num_elements; k++) {
        const int e = k * 32 + (int)riffle_lint_lane(), row = e / N, column = e % N;
        const T *at = from + (layout == mem_row_major ? (size_t)row * lead + (size_t)column : (size_t)column * lead + (size_t)row);
        riffle_lint_access(at, sizeof(T), MACHINE_READ, RIFFLE_SITE);
        f.x[k] = *at;
    }
}
template <int M, int N, int K, class T>
RIFFLE_DEVICE void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &f, unsigned lead, layout_t layout) {
    typedef fragment<accumulator, M, N, K, T> F;
    riffle_lint_align(to, details::MATRIX_ALIGNMENT);
    for (int k = 0; k < F::num_elements; k++) {
        const int e = k * 32 + (int)riffle_lint_lane(), row = e / N, column = e % N;
        T *at = to + (layout == mem_row_major ? (size_t)row * lead + (size_t)column : (size_t)column * lead + (size_t)row);
        riffle_lint_access(at, sizeof(T), MACHINE_WRITE, RIFFLE_SITE);
        *at = f.x[k];
    }
}
template <int M, int N, int K, class D, class T, class OrderA, class OrderB, class C>
RIFFLE_DEVICE void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, OrderA> &a,
                            const fragment<matrix_b, M, N, K, T, OrderB> &b, const fragment<accumulator, M, N, K, C> &c, bool = false) {
    double left[M * K], right[K * N];
    details::gather(a, details::by_rows<OrderA>, left, RIFFLE_SITE);
    details::gather(b, details::by_rows<OrderB>, right, RIFFLE_SITE);
    for (int k = 0; k < fragment<accumulator, M, N, K, D>::num_elements; k++) {
        const int e = k * 32 + (int)riffle_lint_lane(), row = e / N, column = e % N;
        double sum = (double)c.x[k];
        for (int l = 0; l < K; l++) sum += left[row * K + l] * right[l * N + column];
        d.x[k] = (D)sum;
    }
}
template <class D, class A, class B, class C>
__attribute__((nothrow, error("the machine does not supply bmma_sync"))) void
bmma_sync(D &, const A &, const B &, const C &, experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);
RIFFLE_INLINE float __float_to_tf32(float x) { return riffle_lint::same_bits<float>((riffle_lint::same_bits<unsigned>(x) + 0x1000) & 0xffffe000); }
} // namespace wmma
} // namespace nvcuda

#endif
