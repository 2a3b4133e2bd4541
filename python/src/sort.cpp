// SPDX-License-Identifier: Apache-2.0
//
// riffle.sort and riffle.argsort: arrays in C order, each segment by itself.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cinttypes>
#include <tuple>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "riffle/sort.h"

namespace {

class sort_plan {
  public:
    riffle_sort_plan *handle = nullptr;
    ~sort_plan() { riffle_sort_plan_free(handle); }
};

// kind, bytes, offset, descending, as riffle/_sort.py reads them from a dtype.
using field = std::tuple<int, size_t, size_t, bool>;

riffle_sort_key key_of(const std::vector<field> &fields, size_t elem_bytes) {
    riffle_sort_key key{};
    key.elem_bytes = elem_bytes;
    if (fields.size() > RIFFLE_SORT_MAX_FIELDS)
        fail(RIFFLE_ERROR_UNSUPPORTED, "x: to be sorted by %zu fields; riffle takes up to %d", fields.size(),
             RIFFLE_SORT_MAX_FIELDS);
    for (const auto &[kind, bytes, offset, descending] : fields)
        key.field[key.fields++] = {static_cast<riffle_sort_kind>(kind), bytes, offset, descending, nullptr};
    return key;
}

// Sorted elements go to `out`, and where they came from, 8 bytes each and counted from the first of all, to `indices`; either may be
// None.
void sort(nb::handle x, const std::vector<field> &fields, uint64_t segments, nb::handle out,
          nb::handle indices) {
    const array from(x);
    const contiguous elements(from, true);
    const riffle_sort_key key = key_of(fields, from.itemsize);
    riffle_sort_options options{};
    options.segments = segments;
    options.index_bytes = indices.is_none() ? 0 : 8;
    riffle_sort_arrays arrays{};
    arrays.from_keys = elements.data();
    if (!out.is_none()) arrays.keys = array(out, "out").data;
    if (!indices.is_none()) arrays.indices = array(indices, "indices").data;
    sort_plan plan;
    riffle_status status;
    {
        const nb::gil_scoped_release others_may_run;
        status = riffle_sort_plan_create(from.size(), &key, RIFFLE_ENGINE_CPU, &options, &plan.handle);
        if (status == RIFFLE_OK) status = riffle_sort_execute(plan.handle, &arrays);
    }
    check(status);
}

} // namespace

void bind_sort(nb::module_ &m) {
    m.def("sort", &sort, nb::arg("x"), nb::arg("fields"), nb::arg("segments"), nb::arg("out").none(),
          nb::arg("indices").none());
}
