// SPDX-License-Identifier: Apache-2.0
//
// riffle.hull: convex hulls of points on the host and on a GPU. riffle/_hull.py says what is asked for, and keeps plans of GPUs.
#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>
#include <string>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/hull.h"
#include "text.h"

namespace {

struct hull_plan {
    owned<riffle_hull_plan, riffle_hull_plan_free> handle;
    size_t point_bytes;
    std::unique_ptr<std::mutex> queueing =
        std::make_unique<std::mutex>(); // one execution's launches follow each other
};

hull_plan planned(nb::handle points, const std::string &type, uint64_t sets, bool all,
                  const std::string &algorithm, unsigned threads) {
    const array cloud(points, "points");
    const device_guard there(cloud);
    riffle_hull_options options{};
    options.segments = sets;
    options.all = all;
    options.index_bytes = 8;
    options.threads = threads;
    check(riffle_hull_algorithm_parse(algorithm.c_str(), &options.algorithm));
    options.callers_workspace = cloud.on_gpu();
    hull_plan made;
    made.point_bytes = 2 * cloud.itemsize;
    const riffle_type which = type_named(type, "points", "hulls are of integers, float32 and float64");
    run([&] {
        return riffle_hull_plan_create(cloud.size() / 2, which,
                                       cloud.on_gpu() ? RIFFLE_ENGINE_CUDA : RIFFLE_ENGINE_CPU, &options,
                                       made.handle.out());
    });
    return made;
}

// Writes indices of corners, 8 bytes each, to `out`, which has room for all points, and the corners' number of each set to
// `lengths`, both where the points are. `first`, there too, says where sets begin; None: all are as long. Returns the workspace that this call
// had, so that a plan may run on several streams at once; None on the host.
nb::object hulls(const hull_plan &plan, nb::handle points, nb::handle first, nb::handle out,
                 nb::handle lengths) {
    const array cloud(points, "points"), corners(out, "out", true), counts(lengths, "lengths", true);
    const device_guard there(cloud);
    const contiguous coordinates(cloud, true, plan.point_bytes);
    const array bounds(first.is_none() ? lengths : first, "first");
    const contiguous begins(bounds, !first.is_none(), bounds.itemsize);
    const uint64_t *const begin = first.is_none() ? nullptr : static_cast<const uint64_t *>(begins.data());
    uint64_t *const numbers = reinterpret_cast<uint64_t *>(counts.data);
    const nb::object room =
        cloud.on_gpu() ? cloud.room(riffle_hull_plan_workspace_bytes(plan.handle)) : nb::none();
    void *const workspace = cloud.on_gpu() ? array(room, "workspace", true).data : nullptr;
    const riffle_hull_arrays arrays = {corners.data, numbers, coordinates.data(), begin};
    run([&] {
        const std::lock_guard<std::mutex> alone(*plan.queueing);
        const size_t bytes = riffle_hull_plan_workspace_bytes(plan.handle);
        return cloud.on_gpu() ? riffle_cuda_hull_execute(plan.handle, &arrays, workspace, bytes, cloud.stream)
                              : riffle_hull_execute(plan.handle, &arrays);
    });
    return room;
}

// Waits for a GPU, and raises if the hulls in this workspace were of points that have none.
void check_hulls(const hull_plan &plan, nb::handle points, nb::handle room) {
    const array cloud(points, "points"), workspace(room, "workspace", true);
    const device_guard there(cloud);
    run([&] { return riffle_cuda_hull_check(plan.handle, workspace.data, cloud.stream); });
}

} // namespace

void bind_hull(nb::module_ &m) {
    nb::class_<hull_plan>(m, "HullPlan");
    m.def("hull_plan", &planned, nb::arg("points"), nb::arg("type"), nb::arg("sets"), nb::arg("all"),
          nb::arg("algorithm"), nb::arg("threads"));
    m.def("hulls", &hulls, nb::arg("plan"), nb::arg("points"), nb::arg("first").none(), nb::arg("out"),
          nb::arg("lengths"));
    m.def("hulls_check", &check_hulls, nb::arg("plan"), nb::arg("points"), nb::arg("workspace"));
}
