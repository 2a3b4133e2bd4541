/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of cuBLAS's matrices, whose time would be a program's: a thousand of them are some 10^10 sums. Sums stay in vectors' registers, each in
 * the order of its terms, so that they are those of the plain loop to the last bit.
 */
#include <stddef.h>
#include <stdlib.h>

namespace {
/* op(X), of which X is stored by columns. */
template <class T> struct matrix {
    const T *start;
    size_t lead;
    bool turned;
    T at(size_t row, size_t column) const { return turned ? start[row * lead + column] : start[column * lead + row]; }
};

template <class T> struct product {
    size_t m, n, k;
    T alpha, beta;
    matrix<T> left, right;
    T *out;
    size_t lead;
};

/* A tile has as many rows as fill these vectors, and two columns. */
enum { VECTOR_BYTES = 16, VECTORS = 4, COLUMNS = 2 };
template <class T> constexpr size_t tile_rows = VECTOR_BYTES / sizeof(T) * VECTORS;

template <class T> void copy_rows(const product<T> &p, size_t first, T *panel) {
    for (size_t l = 0; l < p.k; l++)
        for (size_t r = 0; r < tile_rows<T>; r++) panel[l * tile_rows<T> + r] = first + r < p.m ? p.left.at(first + r, l) : 0;
}

template <class T> void copy_columns(const product<T> &p, size_t first, T *pair) {
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t l = 0; l < p.k; l++) pair[l * COLUMNS + c] = first + c < p.n ? p.right.at(l, first + c) : 0;
}

template <class T> void store(const product<T> &p, size_t row, size_t column, const T *sums) {
    for (size_t r = 0; r < tile_rows<T> && row + r < p.m; r++) {
        T &to = p.out[column * p.lead + row + r];
        to = p.alpha * sums[r] + (p.beta != 0 ? p.beta * to : 0);
    }
}

template <class T> void tile(const product<T> &p, size_t row, size_t column, const T *panel, const T *pair) {
    typedef T vector __attribute__((vector_size(VECTOR_BYTES)));
    vector sum[COLUMNS][VECTORS] = {};
    const vector *own = reinterpret_cast<const vector *>(panel);
    for (size_t l = 0; l < p.k; l++, own += VECTORS)
        for (size_t c = 0; c < COLUMNS; c++)
            for (size_t v = 0; v < VECTORS; v++) sum[c][v] += own[v] * pair[l * COLUMNS + c];
    for (size_t c = 0; c < COLUMNS && column + c < p.n; c++) store(p, row, column + c, reinterpret_cast<const T *>(sum[c]));
}

/* False without memory. */
template <class T> bool multiply(const product<T> &p) {
    T *const panel = static_cast<T *>(malloc((p.k + 1) * (tile_rows<T> + COLUMNS) * sizeof(T)));
    if (panel == nullptr) return false;
    T *const pair = panel + p.k * tile_rows<T>;
    for (size_t row = 0; row < p.m; row += tile_rows<T>) {
        copy_rows(p, row, panel);
        for (size_t column = 0; column < p.n; column += COLUMNS) {
            copy_columns(p, column, pair);
            tile(p, row, column, panel, pair);
        }
    }
    free(panel);
    return true;
}
} // namespace

#define PRODUCT(T)                                                                                             \
    extern "C" bool riffle_lint_gemm_##T(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c, \
                                         int ldc) {                                                            \
        return multiply<T>({(size_t)m, (size_t)n, (size_t)k, alpha, beta, {a, (size_t)lda, ta}, {b, (size_t)ldb, tb}, c, (size_t)ldc}); \
    }
PRODUCT(float)
PRODUCT(double)
