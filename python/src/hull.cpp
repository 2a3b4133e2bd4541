// SPDX-License-Identifier: Apache-2.0
//
// riffle.hull: convex hulls of points on the host.
#include <nanobind/stl/string.h>

#include <cinttypes>
#include <string>

#include "arrays.h"
#include "failing.h"
#include "riffle/hull.h"

namespace {

class hull_plan {
  public:
    riffle_hull_plan *handle = nullptr;
    ~hull_plan() { riffle_hull_plan_free(handle); }
};

riffle_type type_of(const array &points, char kind) {
    const riffle_type integers[] = {RIFFLE_TYPE_I8, RIFFLE_TYPE_I16, RIFFLE_TYPE_I32, RIFFLE_TYPE_I64},
                      naturals[] = {RIFFLE_TYPE_U8, RIFFLE_TYPE_U16, RIFFLE_TYPE_U32, RIFFLE_TYPE_U64};
    unsigned log = 0;
    while (size_t{1} << log < points.itemsize) log++;
    if (kind == 'f' && points.itemsize == 4) return RIFFLE_TYPE_F32;
    if (kind == 'f' && points.itemsize == 8) return RIFFLE_TYPE_F64;
    if ((kind == 'i' || kind == 'u') && log < 4) return (kind == 'i' ? integers : naturals)[log];
    fail(RIFFLE_ERROR_UNSUPPORTED, "points: hulls are of integers, float32 and float64");
}

// Writes indices of corners, 8 bytes each, to `out`, which has room for all points, and the corners' number of each set to
// `lengths`.
void hulls(nb::handle points, char kind, uint64_t sets, bool all, nb::handle out, nb::handle lengths) {
    const array cloud(points, "points"), corners(out, "out"), counts(lengths, "lengths");
    const contiguous coordinates(cloud, true);
    riffle_hull_options options{};
    options.sets = sets;
    options.all = all;
    options.index_bytes = 8;
    hull_plan plan;
    const riffle_type type = type_of(cloud, kind);
    riffle_status status;
    {
        const nb::gil_scoped_release others_may_run;
        status = riffle_hull_plan_create(cloud.size() / 2, type, RIFFLE_ENGINE_CPU, &options, &plan.handle);
        if (status == RIFFLE_OK)
            status = riffle_hull_execute(plan.handle, corners.data, reinterpret_cast<uint64_t *>(counts.data),
                                         coordinates.data(), nullptr);
    }
    check(status);
}

} // namespace

void bind_hull(nb::module_ &m) {
    m.def(
        "hulls",
        [](nb::handle points, const std::string &kind, uint64_t sets, bool all, nb::handle out,
           nb::handle lengths) { hulls(points, kind[0], sets, all, out, lengths); },
        nb::arg("points"), nb::arg("kind"), nb::arg("sets"), nb::arg("all"), nb::arg("out"),
        nb::arg("lengths"));
}
