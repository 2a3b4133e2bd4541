// SPDX-License-Identifier: Apache-2.0
//
// riffle.group and riffle.ungroup: rows brought together by keys, and back. riffle/_group.py sees to dtypes and shapes, and keeps plans of
// GPUs.
#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/group.h"
#include "text.h"

namespace {

struct group_plan {
    owned<riffle_group_plan, riffle_group_plan_free> handle;
    uint64_t groups = 0;
    bool is_checked = false;
    std::unique_ptr<std::mutex> queueing =
        std::make_unique<std::mutex>(); // one execution's launches follow each other
};

size_t row_bytes_of(const array &x) {
    size_t bytes = x.itemsize;
    for (unsigned k = 1; k < x.rank; ++k) bytes *= x.shape[k];
    return bytes;
}

// An array like x whose first axis has another length.
nb::object rows_like(const array &x, uint64_t rows) {
    uint64_t shape[RIFFLE_MAX_RANK];
    for (unsigned k = 0; k < x.rank; ++k) shape[k] = k == 0 ? rows : x.shape[k];
    return x.like(x.rank, shape);
}

// Columns of a table; one where there is but an array.
group_plan planned(const nb::list &columns, const std::string &type, uint64_t groups, const std::string &by,
                   uint64_t keys_per_row, uint64_t multiple, uint64_t capacity, unsigned threads, bool checks) {
    const array rows(columns[0]);
    const device_guard there(rows);
    std::vector<size_t> others;
    for (size_t k = 1; k < columns.size(); ++k) others.push_back(row_bytes_of(array(columns[k])));
    riffle_group_options options{};
    check(riffle_group_by_parse(by.c_str(), &options.by));
    options.keys_per_row = keys_per_row;
    options.multiple = multiple;
    options.capacity = capacity;
    options.index_bytes = 8;
    options.threads = threads;
    options.check = checks ? RIFFLE_CHECK_FULL : RIFFLE_CHECK_NONE;
    options.callers_workspace = rows.on_gpu();
    options.columns = unsigned(others.size());
    options.column_bytes = others.data();
    group_plan made;
    made.groups = groups;
    made.is_checked = checks;
    const riffle_type key_type = type_named(type, "keys", "groups are made by integers");
    run([&] {
        return riffle_group_plan_create(rows.shape[0], row_bytes_of(rows), key_type, groups,
                                        rows.on_gpu() ? RIFFLE_ENGINE_CUDA : RIFFLE_ENGINE_CPU, &options,
                                        made.handle.out());
    });
    return made;
}

uint64_t *numbers_in(const array &x) { return reinterpret_cast<uint64_t *>(x.data); }

// A column, and room for its rows.
struct column {
    array from;
    size_t row_bytes;
    nb::object rows;
    array to;
    contiguous in_order, in_place;
    column(nb::handle x, uint64_t room)
        : from(x), row_bytes(row_bytes_of(from)), rows(rows_like(from, room)), to(rows, "rows", true),
          in_order(from, true, unit()), in_place(to, false, unit()) {}
    size_t unit() const { return row_bytes > 0 ? alignment_of(row_bytes) : 1; }
    riffle_group_column there() const {
        if (row_bytes == 0) return {nullptr, nullptr};
        return {in_place.data(), in_order.data()};
    }
};

// Rows of each column, offsets, counts, places and what was left out.
nb::tuple group(const group_plan &plan, const nb::list &x, nb::handle keys) {
    const array first(x[0]), by(keys, "keys");
    check_together(by, "keys", first, "x");
    const device_guard there(first);
    std::vector<std::unique_ptr<column>> columns;
    std::vector<riffle_group_column> others;
    nb::list rows;
    for (nb::handle each : x) {
        columns.push_back(std::make_unique<column>(each, riffle_group_plan_room(plan.handle)));
        check_together(columns.back()->from, "a column", first, "x");
        if (columns.size() > 1) others.push_back(columns.back()->there());
        rows.append(columns.back()->rows);
    }
    const array &from = columns[0]->from;
    const uint64_t ends = plan.groups + 1, two = 2;
    const nb::object offsets = from.numbers(1, &ends), counts = from.numbers(1, &plan.groups),
                     places = from.numbers(by.rank, by.shape), left_out = from.numbers(1, &two);
    const array begins(offsets, "offsets", true), lengths(counts, "counts", true),
        went(places, "places", true), left(left_out, "left_out", true);
    const contiguous words(by, true, by.itemsize);
    const nb::object room =
        from.on_gpu() ? from.room(riffle_group_plan_workspace_bytes(plan.handle)) : nb::none();
    void *const workspace = from.on_gpu() ? array(room, "workspace", true).data : nullptr;
    riffle_group_arrays arrays{};
    arrays.rows = columns[0]->there().rows;
    arrays.from_rows = columns[0]->there().from_rows;
    arrays.columns = others.empty() ? nullptr : others.data();
    arrays.keys = words.data();
    arrays.offsets = numbers_in(begins);
    arrays.counts = numbers_in(lengths);
    arrays.places = went.data;
    arrays.left_out = numbers_in(left);
    run([&] {
        const std::lock_guard<std::mutex> alone(*plan.queueing);
        const size_t bytes = riffle_group_plan_workspace_bytes(plan.handle);
        if (!from.on_gpu()) return riffle_group_execute(plan.handle, &arrays);
        const riffle_status status =
            riffle_cuda_group_execute(plan.handle, &arrays, workspace, bytes, from.stream);
        if (status != RIFFLE_OK || !plan.is_checked) return status;
        return riffle_cuda_group_check(plan.handle, workspace, from.stream);
    });
    for (const auto &each : columns) each->in_place.put_back();
    return nb::make_tuple(rows, offsets, counts, places, left_out);
}

// Rows where they came from. Places are int64, of shape (n,) or (n, k); weights of the same shape, or None.
nb::object ungroup(nb::handle x, nb::handle places, nb::handle weights, const std::string &sum,
                   unsigned threads) {
    const array from(x), went(places, "places"), factors(weights.is_none() ? places : weights, "weights");
    check_together(went, "places", from, "x");
    check_together(factors, "weights", from, "x");
    const device_guard there(from);
    const nb::object rows = rows_like(from, went.shape[0]);
    const array to(rows, "rows", true);
    riffle_ungroup_task task{};
    task.n = went.shape[0];
    task.keys_per_row = went.rank > 1 ? went.shape[1] : 1;
    task.rows = from.shape[0];
    task.row_bytes = row_bytes_of(from);
    task.index_bytes = 8;
    check(riffle_ungroup_sum_parse(sum.c_str(), &task.sum));
    const size_t unit = task.row_bytes > 0 ? alignment_of(task.row_bytes) : 1;
    const contiguous in_order(from, true, unit), in_place(to, false, unit), words(went, true, 8),
        floats(factors, true, factors.itemsize);
    riffle_ungroup_arrays arrays{};
    arrays.to = task.row_bytes > 0 ? in_place.data() : nullptr;
    arrays.rows = task.row_bytes > 0 ? in_order.data() : nullptr;
    arrays.places = words.data();
    arrays.weights = weights.is_none() ? nullptr : floats.data();
    riffle_call_options options{};
    options.threads = threads;
    run([&] {
        return from.on_gpu() ? riffle_cuda_ungroup(&task, &arrays, from.stream)
                             : riffle_ungroup(&task, &arrays, &options);
    });
    in_place.put_back();
    return rows;
}

} // namespace

void bind_group(nb::module_ &m) {
    nb::class_<group_plan>(m, "GroupPlan");
    m.def("group_plan", &planned, nb::arg("x"), nb::arg("type"), nb::arg("groups"), nb::arg("by"),
          nb::arg("keys_per_row"), nb::arg("multiple"), nb::arg("capacity"), nb::arg("threads"),
          nb::arg("checks"));
    m.def("group", &group, nb::arg("plan"), nb::arg("x"), nb::arg("keys"));
    m.def("ungroup", &ungroup, nb::arg("x"), nb::arg("places"), nb::arg("weights").none(), nb::arg("sum"),
          nb::arg("threads"));
}
