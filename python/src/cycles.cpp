// SPDX-License-Identifier: Apache-2.0
//
// riffle.minimum_cycle_basis: riffle/_cycles.py says what graphs are, and makes its results of these arrays.
#include <algorithm>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/cycles.h"

namespace {

using basis = owned<riffle_cycles, riffle_cycles_free>;

// Numbers of the library's as an int64 array beside `like`.
nb::object copied(const array &like, const uint64_t *from, uint64_t count) {
    const nb::object object = like.numbers(1, &count);
    const array to(object, "result", true);
    std::copy(from, from + count, reinterpret_cast<uint64_t *>(to.data));
    return object;
}

nb::dict counted(const riffle_cycles_basis &b) {
    const riffle_cycles_counts &c = b.counts;
    nb::dict all;
    all["total"] = b.total;
    all["components"] = c.components;
    all["rounds"] = c.rounds;
    all["reached"] = c.reached;
    all["looked_at"] = c.looked_at;
    all["candidates"] = c.candidates;
    all["candidate_edges"] = c.candidate_edges;
    all["tried"] = c.tried;
    all["bound"] = c.bound;
    return all;
}

// Ends are uint64 of shape (m, 2); weights None, or int64, uint64 or float64, as `kind` says by NumPy's letter.
nb::tuple found(nb::handle ends, nb::handle weights, char kind, uint64_t vertices, bool all, bool is_checked,
                unsigned threads) {
    const array pairs(ends, "ends");
    const array numbers(weights.is_none() ? ends : weights, "weights");
    const contiguous in_order(pairs, true, 8), weigh(numbers, true, 8);
    if (pairs.itemsize != 8 || numbers.itemsize != 8 || pairs.on_gpu() || numbers.on_gpu())
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ends, weights: numbers of 8 bytes, on the host");
    if (!weights.is_none() && 2 * numbers.size() != pairs.size())
        fail(RIFFLE_ERROR_LENGTH, "weights: as many as edges");
    riffle_cycles_graph graph{};
    graph.vertices = vertices;
    graph.edges = pairs.size() / 2;
    graph.ends = static_cast<const uint64_t *>(in_order.data());
    graph.weights = weights.is_none() ? nullptr : weigh.data();
    graph.type = kind == 'f' ? RIFFLE_TYPE_F64 : kind == 'u' ? RIFFLE_TYPE_U64 : RIFFLE_TYPE_I64;
    riffle_cycles_options options{};
    options.threads = threads;
    options.all = all;
    basis cycles;
    run([&] { return riffle_cycles_find(&graph, &options, cycles.out()); });
    const riffle_cycles_basis *const b = riffle_cycles_get(cycles);
    riffle_call_options call{};
    call.threads = threads;
    if (is_checked) run([&] { return riffle_cycles_check(&graph, b->cycles, b->first, b->edge, &call); });
    return nb::make_tuple(copied(pairs, b->first, b->cycles + 1), copied(pairs, b->edge, b->first[b->cycles]),
                          counted(*b));
}

} // namespace

void bind_cycles(nb::module_ &m) {
    m.def("cycles", &found, nb::arg("ends"), nb::arg("weights").none(), nb::arg("kind"), nb::arg("vertices"),
          nb::arg("all"), nb::arg("is_checked"), nb::arg("threads"));
}
