// SPDX-License-Identifier: Apache-2.0
//
// riffle.f2: matrices over F2. riffle/f2.py packs them: rows of words of 8 bytes, with the number of columns beside.
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/f2.h"

namespace {

class matrix {
  public:
    matrix(nb::handle words, uint64_t columns) : there(words, "words") {
        if (there.rank != 2 || there.itemsize != 8 || there.on_gpu() || !there.is_contiguous())
            fail(RIFFLE_ERROR_INVALID_ARGUMENT, "words: a matrix is an array of rows of uint64, in C order");
        if (there.shape[1] < riffle_f2_stride(columns))
            fail(RIFFLE_ERROR_LENGTH, "words: rows are shorter than their columns");
        as = {there.shape[0], columns, static_cast<size_t>(there.shape[1]),
              reinterpret_cast<uint64_t *>(there.data)};
    }
    const riffle_f2_matrix *get() const { return &as; }

  private:
    const array there;
    riffle_f2_matrix as;
};

struct call {
    explicit call(unsigned threads) { as.threads = threads; }
    const riffle_call_options *get() const { return &as; }
    riffle_call_options as{};
};

void transpose(nb::handle to, uint64_t to_columns, nb::handle a, uint64_t columns, unsigned threads) {
    const matrix result(to, to_columns), from(a, columns);
    run([&] { return riffle_f2_transpose(result.get(), from.get(), call(threads).get()); });
}

void product(nb::handle to, uint64_t to_columns, nb::handle a, uint64_t columns, nb::handle b,
             uint64_t b_columns, unsigned threads) {
    const matrix result(to, to_columns), left(a, columns), right(b, b_columns);
    run([&] { return riffle_f2_product(result.get(), left.get(), right.get(), call(threads).get()); });
}

void solve(nb::handle to, uint64_t to_columns, nb::handle a, uint64_t columns, nb::handle b, uint64_t b_columns,
           unsigned threads) {
    const matrix result(to, to_columns), left(a, columns), right(b, b_columns);
    run([&] { return riffle_f2_solve(result.get(), left.get(), right.get(), call(threads).get()); });
}

void inverse(nb::handle to, uint64_t to_columns, nb::handle a, uint64_t columns, unsigned threads) {
    const matrix result(to, to_columns), from(a, columns);
    run([&] { return riffle_f2_inverse(result.get(), from.get(), call(threads).get()); });
}

uint64_t kernel(nb::handle to, uint64_t to_columns, nb::handle a, uint64_t columns, unsigned threads) {
    const matrix result(to, to_columns), from(a, columns);
    uint64_t count = 0;
    run([&] { return riffle_f2_kernel(result.get(), &count, from.get(), call(threads).get()); });
    return count;
}

// The profiles of rows and of columns.
nb::tuple profiles(nb::handle a, uint64_t columns, unsigned threads) {
    const matrix from(a, columns);
    uint64_t rank = 0;
    std::vector<uint64_t> rows(from.get()->rows + 1), those(from.get()->rows + 1);
    run([&] {
        return riffle_f2_rank_profile(from.get(), &rank, rows.data(), those.data(), call(threads).get());
    });
    nb::list of_rows, of_columns;
    for (uint64_t k = 0; k < rank; k++) {
        of_rows.append(rows[k]);
        of_columns.append(those[k]);
    }
    return nb::make_tuple(of_rows, of_columns);
}

} // namespace

void bind_f2(nb::module_ &m) {
    m.def("f2_transpose", &transpose);
    m.def("f2_product", &product);
    m.def("f2_solve", &solve);
    m.def("f2_inverse", &inverse);
    m.def("f2_kernel", &kernel);
    m.def("f2_profiles", &profiles);
}
