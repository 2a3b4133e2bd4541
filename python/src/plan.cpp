// SPDX-License-Identifier: Apache-2.0
//
// riffle.Plan: a riffle_plan, and which arrays it moves. Along an axis an array is `batch` arrays of n elements, each of all
// that lies behind the axis:
//
//     shape      d0 ... d(axis-1) | d(axis) | d(axis+1) ... d(rank-1)
//                     batch       |    n    |   elem_bytes / itemsize
//
// Without an axis all elements in C order are one array. Calls are what is fast here; all else is riffle/_plan.py's.
#include <nanobind/stl/string.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "perm.h"
#include "text.h"

namespace {

constexpr int NO_AXIS = -1;
constexpr uint64_t SHORT_BYTES = 32 << 10;

class plan {
  public:
    owned<riffle_plan, riffle_plan_free> handle;
    uint64_t n, batch;
    size_t elem_bytes;
    int axis, device;
    bool in_place, is_checked;
    unsigned output_rank; // rank of axis's part of the shape; 0: it stays
    uint64_t output_shape[RIFFLE_MAX_RANK];

    nb::object call(nb::handle x, nb::handle out) const;
    // The library's call alone, many times, between dense arrays: what a call costs without Python (bench/python.py).
    void repeat(nb::handle x, nb::handle out, unsigned count) const;

  private:
    void fit(const array &x) const;
    unsigned shape_after(const array &x, uint64_t *shape) const;
    void execute(const array &at, void *dst, const void *src) const;
};

// Raises unless x is of the plan's form.
void plan::fit(const array &x) const {
    if (x.device != device)
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "x: on %s %d, and the plan is for %s %d (-1 is the host's)",
             x.on_gpu() ? "GPU" : "host", x.device, device >= 0 ? "GPU" : "host", device);
    uint64_t before = 1, length = 1, behind = x.itemsize;
    const unsigned at = static_cast<unsigned>(axis);
    if (axis == NO_AXIS) {
        length = x.size();
    } else if (at >= x.rank) {
        fail(RIFFLE_ERROR_LENGTH, "x: %u dimensions, and the plan moves along axis %d", x.rank, axis);
    } else {
        length = x.shape[at];
        for (unsigned k = 0; k < at; k++) before *= x.shape[k];
        for (unsigned k = at + 1; k < x.rank; k++) behind *= x.shape[k];
    }
    if (before != batch || length != n || behind != elem_bytes)
        fail(RIFFLE_ERROR_LENGTH,
             "x: %" PRIu64 " arrays of %" PRIu64 " elements of %" PRIu64 " bytes, and the plan is for %" PRIu64
             " of %" PRIu64 " of %zu bytes",
             before, length, behind, batch, n, elem_bytes);
}

unsigned plan::shape_after(const array &x, uint64_t *shape) const {
    const unsigned first = axis == NO_AXIS ? 0 : static_cast<unsigned>(axis),
                   replaced = axis == NO_AXIS ? x.rank : 1;
    if (output_rank == 0 || in_place) {
        memcpy(shape, x.shape, x.rank * sizeof *shape);
        return x.rank;
    }
    const unsigned rank = x.rank - replaced + output_rank;
    if (rank > RIFFLE_MAX_RANK)
        fail(RIFFLE_ERROR_LENGTH, "x: the result would have %u dimensions; riffle takes up to %d", rank,
             RIFFLE_MAX_RANK);
    memcpy(shape, x.shape, first * sizeof *shape);
    memcpy(shape + first, output_shape, output_rank * sizeof *shape);
    memcpy(shape + first + output_rank, x.shape + first + replaced,
           (x.rank - first - replaced) * sizeof *shape);
    return rank;
}

void plan::execute(const array &at, void *dst, const void *src) const {
    if (device < 0 && batch * n * elem_bytes <= SHORT_BYTES)
        return check(riffle_execute(handle, dst, src)); // done before another thread could have taken over
    if (device < 0) return run([&] { return riffle_execute(handle, dst, src); });
    // A workspace for each call: the plan may then run on several streams at once.
    const size_t bytes = riffle_plan_workspace_bytes(handle);
    const nb::object room = bytes > 0 ? at.room(bytes) : nb::none();
    void *const workspace = bytes > 0 ? array(room, "workspace").data : nullptr;
    run([&] {
        const riffle_status status = riffle_cuda_execute(handle, dst, src, workspace, bytes, at.stream);
        return status == RIFFLE_OK && is_checked ? riffle_cuda_check(handle, workspace, at.stream) : status;
    });
}

nb::object plan::call(nb::handle x, nb::handle out) const {
    if (!is_known(x)) return adopted(nb::find(this), x, out);
    const array from(x);
    fit(from);
    const device_guard there(from);
    uint64_t shape[RIFFLE_MAX_RANK];
    const unsigned rank = shape_after(from, shape);
    const result to(from, in_place ? (out.is_none() ? x : out) : out, rank, shape);
    if (handle == nullptr) return to.object; // no bytes to be moved
    if (in_place && !are_same(to.there, from))
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: the plan moves arrays within themselves; pass x, or nothing");
    const contiguous src(from, true), dst(to.there, false);
    execute(to.there, in_place ? const_cast<void *>(src.data()) : dst.data(), src.data());
    if (in_place)
        src.put_back();
    else
        dst.put_back();
    return to.object;
}

void plan::repeat(nb::handle x, nb::handle out, unsigned count) const {
    const array from(x), to(out, "out");
    const device_guard there(from);
    for (unsigned k = 0; k < count; k++) execute(from, to.data, from.data);
}

// The request for a plan, as riffle/_plan.py makes it.
struct request {
    uint64_t n, batch;
    size_t elem_bytes;
    int axis, device;
    riffle_plan_options options;
};

request asked(uint64_t n, uint64_t batch, size_t elem_bytes, int axis, int device, const std::string &algorithm,
              unsigned threads, unsigned executions, bool in_place, bool measures, double effort_seconds,
              const std::string &checks) {
    request ask{n, batch, elem_bytes, axis, device, {}};
    check(riffle_algorithm_parse(algorithm.c_str(), &ask.options.algorithm));
    ask.options.threads = threads;
    ask.options.executions = executions;
    ask.options.batch = batch;
    ask.options.in_place = in_place;
    ask.options.callers_workspace = device >= 0;
    ask.options.effort = measures ? RIFFLE_EFFORT_MEASURE : RIFFLE_EFFORT_ESTIMATE;
    ask.options.effort_seconds = effort_seconds;
    check(riffle_check_parse(checks.c_str(), &ask.options.check));
    return ask;
}

plan begun(const request &ask) {
    plan made;
    made.n = ask.n;
    made.batch = ask.batch;
    made.elem_bytes = ask.elem_bytes;
    made.axis = ask.axis;
    made.device = ask.device;
    made.in_place = ask.options.in_place != 0;
    made.is_checked = ask.options.check != RIFFLE_CHECK_NONE;
    made.output_rank = 0;
    return made;
}

// `like` says which GPU the plan belongs to; None: the current one.
plan of_perm(const perm &p, nb::handle like, uint64_t batch, size_t elem_bytes, int axis, int device,
             const std::string &algorithm, unsigned threads, unsigned executions, bool in_place, bool measures,
             double effort_seconds, const std::string &checks) {
    const request ask = asked(p.length(), batch, elem_bytes, axis, device, algorithm, threads, executions,
                              in_place, measures, effort_seconds, checks);
    plan made = begun(ask);
    made.output_rank = riffle_perm_output_shape(p.handle, made.output_shape);
    if (elem_bytes == 0 || batch == 0) return made;
    const device_guard there(like);
    run([&] {
        return riffle_plan_create(p.handle, elem_bytes, device < 0 ? RIFFLE_ENGINE_CPU : RIFFLE_ENGINE_CUDA,
                                  &ask.options, made.handle.out());
    });
    return made;
}

// From a table in a GPU's memory, which stays there.
plan of_device_table(nb::handle indices, bool inverse, uint64_t batch, size_t elem_bytes, int axis,
                     const std::string &algorithm, const std::string &checks) {
    const array table(indices, "table");
    const device_guard there(table);
    const contiguous entries(table, true, table.itemsize);
    const request ask =
        asked(table.size(), batch, elem_bytes, axis, table.device, algorithm, 0, 0, false, false, 0, checks);
    plan made = begun(ask);
    if (elem_bytes == 0 || batch == 0) return made;
    run([&] {
        return (inverse ? riffle_cuda_plan_indices : riffle_cuda_plan_table)(
            ask.n, entries.data(), table.itemsize, elem_bytes, &ask.options, table.stream, made.handle.out());
    });
    return made;
}

std::string explanation(const plan &p) {
    if (p.handle == nullptr) return "no bytes to be moved\n";
    return printed([&](FILE *stream) { return riffle_plan_explain(p.handle, stream); });
}

} // namespace

void bind_plan(nb::module_ &m) {
    nb::class_<plan>(m, "Plan")
        .def("__call__", &plan::call, nb::arg("x").none(), nb::arg("out").none() = nb::none())
        .def("explain", &explanation)
        .def_prop_ro("address",
                     [](const plan &p) {
                         return reinterpret_cast<uintptr_t>(static_cast<riffle_plan *>(p.handle));
                     }) // for riffle.jax
        .def_ro("n", &plan::n)
        .def_ro("batch", &plan::batch)
        .def_ro("elem_bytes", &plan::elem_bytes)
        .def_ro("device", &plan::device)
        .def_ro("in_place", &plan::in_place)
        .def_prop_ro("axis",
                     [](const plan &p) {
                         return p.axis == NO_AXIS ? nb::object(nb::none()) : nb::object(nb::int_(p.axis));
                     })
        .def_prop_ro("passes",
                     [](const plan &p) { return p.handle == nullptr ? 0u : riffle_plan_passes(p.handle); })
        .def_prop_ro("threads",
                     [](const plan &p) { return p.handle == nullptr ? 0u : riffle_plan_threads(p.handle); })
        .def_prop_ro("bytes",
                     [](const plan &p) { return p.handle == nullptr ? 0u : riffle_plan_bytes(p.handle); })
        .def_prop_ro(
            "workspace_bytes",
            [](const plan &p) { return p.handle == nullptr ? 0u : riffle_plan_workspace_bytes(p.handle); })
        .def_prop_ro("algorithm", [](const plan &p) {
            return riffle_algorithm_string(p.handle == nullptr ? RIFFLE_ALGORITHM_COPY
                                                               : riffle_plan_algorithm(p.handle));
        });
    m.def(
        "repeat", [](const plan &p, nb::handle x, nb::handle out, unsigned count) { p.repeat(x, out, count); },
        nb::arg("plan"), nb::arg("x"), nb::arg("out"), nb::arg("count"));
    m.def("plan", &of_perm, nb::arg("perm"), nb::arg("like").none(), nb::arg("batch"), nb::arg("elem_bytes"),
          nb::arg("axis"), nb::arg("device"), nb::arg("algorithm"), nb::arg("threads"), nb::arg("executions"),
          nb::arg("in_place"), nb::arg("measures") = false, nb::arg("effort_seconds") = 0.0,
          nb::arg("checks") = "none");
    m.def(
        "wisdom_load", [](const std::string &path) { check(riffle_wisdom_load(path.c_str())); },
        nb::arg("path"));
    m.def(
        "wisdom_save", [](const std::string &path) { check(riffle_wisdom_save(path.c_str())); },
        nb::arg("path"));
    m.def("wisdom_forget", &riffle_wisdom_forget);
    m.def("wisdom_count", &riffle_wisdom_count);
    m.def("plan_device_table", &of_device_table, nb::arg("table"), nb::arg("inverse"), nb::arg("batch"),
          nb::arg("elem_bytes"), nb::arg("axis"), nb::arg("algorithm"), nb::arg("checks"));
}
