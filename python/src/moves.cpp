// SPDX-License-Identifier: Apache-2.0
//
// Moves that need no plan to be kept: transposes, rows taken by indices, rows shuffled on a GPU.
#include <nanobind/stl/vector.h>

#include <cinttypes>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/indices.h"

// numpy.ascontiguousarray(x.transpose(order)): order has each axis once (riffle/_moves.py sees to that).
static nb::object transpose(nb::handle x, const std::vector<unsigned> &order, nb::handle out,
                            unsigned threads) {
    const array from(x);
    const device_guard there(from);
    uint64_t shape[RIFFLE_MAX_RANK];
    for (unsigned k = 0; k < from.rank; k++) shape[k] = from.shape[order[k]];
    const result to(from, out, from.rank, shape);
    copy_transposed(to.there, from, order.data(), threads);
    return to.object;
}

// Rows taken within each of `batch` arrays of n rows; the first take that fails says why.
static riffle_status take_on_host(const riffle_indices &indices, uint64_t batch, size_t row_bytes, char *dst,
                                  const char *src, unsigned threads) {
    const riffle_call_options options = {threads};
    riffle_status status = RIFFLE_OK;
    for (uint64_t k = 0; k < batch && status == RIFFLE_OK; k++)
        status = riffle_take(&indices, row_bytes, dst + k * indices.m * row_bytes,
                             src + k * indices.n * row_bytes, &options);
    return status;
}

static void take_on_gpu(const riffle_indices &indices, uint64_t batch, size_t row_bytes, char *dst,
                        const char *src, const array &x, bool is_checked) {
    size_t bytes;
    check(riffle_cuda_take_workspace_bytes(&indices, row_bytes, &bytes));
    const nb::object room = x.room(bytes);
    const array workspace(room, "workspace");
    run([&] {
        riffle_status status = RIFFLE_OK;
        for (uint64_t k = 0; k < batch && status == RIFFLE_OK; k++)
            status = riffle_cuda_take(&indices, row_bytes, dst + k * indices.m * row_bytes,
                                      src + k * indices.n * row_bytes, workspace.data, bytes, x.stream);
        if (status != RIFFLE_OK || !is_checked) return status;
        return riffle_cuda_indices_check(&indices, workspace.data, x.stream);
    });
}

// The shape of x with that of the indices in the place of one axis.
static unsigned taken_shape(const array &x, unsigned axis, const array &by, uint64_t *shape) {
    const unsigned rank = x.rank - 1 + by.rank;
    if (rank > RIFFLE_MAX_RANK)
        fail(RIFFLE_ERROR_LENGTH, "indices: the result would have %u dimensions; riffle takes up to %d", rank,
             RIFFLE_MAX_RANK);
    unsigned at = 0;
    for (unsigned k = 0; k < axis; k++) shape[at++] = x.shape[k];
    for (unsigned k = 0; k < by.rank; k++) shape[at++] = by.shape[k];
    for (unsigned k = axis + 1; k < x.rank; k++) shape[at++] = x.shape[k];
    return rank;
}

// x.take(indices, axis): indices of 4 or 8 bytes, none below zero, where x is.
static nb::object take(nb::handle x, nb::handle indices, unsigned axis, nb::handle out, bool is_checked,
                       unsigned threads) {
    const array from(x), by(indices, "indices");
    check_together(by, "indices", from, "x");
    const device_guard there(from);
    uint64_t shape[RIFFLE_MAX_RANK], batch = 1;
    const unsigned rank = taken_shape(from, axis, by, shape);
    size_t row_bytes = from.itemsize;
    for (unsigned k = 0; k < axis; k++) batch *= from.shape[k];
    for (unsigned k = axis + 1; k < from.rank; k++) row_bytes *= from.shape[k];
    const result to(from, out, rank, shape);
    const contiguous src(from, true), entries(by, true, by.itemsize), dst(to.there, false);
    const riffle_indices wanted = {entries.data(), by.itemsize, by.size(), from.shape[axis]};
    if (wanted.m == 0) return to.object;
    const bool is_empty = to.there.bytes() == 0; // no bytes to be moved, but indices to be looked at
    char *const first = static_cast<char *>(dst.data());
    if (from.on_gpu() && !is_empty) {
        take_on_gpu(wanted, batch, row_bytes, first, static_cast<char *>(src.data()), from, is_checked);
    } else if (!from.on_gpu()) {
        run([&] {
            return is_empty ? riffle_take(&wanted, 0, nullptr, nullptr, nullptr)
                            : take_on_host(wanted, batch, row_bytes, first, static_cast<char *>(src.data()),
                                           threads);
        });
    }
    dst.put_back();
    return to.object;
}

// Rows of x, on a GPU, along random:seed.
static nb::object shuffle_on_gpu(nb::handle x, uint64_t seed, nb::handle out) {
    const array from(x);
    const device_guard there(from);
    const result to(from, out, from.rank, from.shape);
    if (from.bytes() == 0) return to.object;
    const size_t row_bytes = from.bytes() / from.shape[0];
    size_t bytes;
    check(riffle_cuda_shuffle_workspace_bytes(from.shape[0], row_bytes, &bytes));
    const nb::object room = from.room(bytes);
    const array workspace(room, "workspace");
    const contiguous src(from, true), dst(to.there, false);
    run([&] {
        return riffle_cuda_shuffle(from.shape[0], seed, row_bytes, dst.data(), src.data(), workspace.data,
                                   bytes, from.stream);
    });
    dst.put_back();
    return to.object;
}

void bind_moves(nb::module_ &m) {
    m.def("transpose", &transpose, nb::arg("x"), nb::arg("order"), nb::arg("out").none(),
          nb::arg("threads") = 0);
    m.def("take", &take, nb::arg("x"), nb::arg("indices"), nb::arg("axis"), nb::arg("out").none(),
          nb::arg("check"), nb::arg("threads") = 0);
    m.def("shuffle_on_gpu", &shuffle_on_gpu, nb::arg("x"), nb::arg("seed"), nb::arg("out").none());
}
