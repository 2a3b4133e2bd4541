// SPDX-License-Identifier: Apache-2.0
//
// riffle.ProgramPlan: an array program compiled for a type, a number of arrays and a place.
#include <nanobind/stl/string.h>

#include <cinttypes>
#include <cstdio>
#include <string>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/program.h"
#include "text.h"

namespace {

struct program_plan {
    owned<riffle_program_plan, riffle_program_plan_free> handle;
    unsigned n;
    uint64_t batch;
    riffle_type type;
    int device;
    nb::object dtype; // the arrays' library's

    nb::object call(nb::handle x, nb::handle out) const;
};

nb::object program_plan::call(nb::handle x, nb::handle out) const {
    if (!is_known(x)) return adopted(nb::find(this), x, out);
    const array from(x);
    if (from.device != device || from.itemsize != riffle_type_bytes(type) || from.size() != batch << n)
        fail(RIFFLE_ERROR_LENGTH,
             "x: %" PRIu64 " elements of %zu bytes on device %d, and the plan is for %" PRIu64
             " of %zu on %d (-1 is the host)",
             from.size(), from.itemsize, from.device, batch << n, riffle_type_bytes(type), device);
    const nb::object own = x.attr("dtype");
    if (own.not_equal(dtype))
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "x: of dtype %s, and the plan is for %s", nb::str(own).c_str(),
             nb::str(dtype).c_str());
    const device_guard there(from);
    const result to(from, out, from.rank, from.shape);
    const contiguous src(from, true), dst(to.there, false);
    // A workspace for each call: the plan may then run on several streams at once.
    const size_t bytes = riffle_program_plan_workspace_bytes(handle);
    const nb::object room = bytes > 0 ? from.room(bytes) : nb::none();
    void *const workspace = bytes > 0 ? array(room, "workspace", true).data : nullptr;
    run([&] {
        return device < 0
                   ? riffle_program_execute(handle, dst.data(), src.data())
                   : riffle_cuda_program_execute(handle, dst.data(), src.data(), workspace,
                                                 riffle_program_plan_workspace_bytes(handle), from.stream);
    });
    dst.put_back();
    return to.object;
}

program_plan compiled(const std::string &text, const nb::object &definitions, unsigned n,
                      const std::string &type, uint64_t batch, int device, unsigned threads, nb::handle like) {
    program_plan made;
    made.n = n;
    made.batch = batch;
    made.type = type_named(type, "x", "programs know integers, floats of 16 to 64 bits and complex numbers");
    made.device = device;
    made.dtype = like.attr("dtype");
    const device_guard there(like);
    const std::string own = definitions.is_none() ? "" : nb::cast<std::string>(definitions);
    riffle_program_options options{};
    options.threads = threads;
    options.batch = batch;
    owned<riffle_program, riffle_program_free> program;
    run([&] {
        return riffle_program_parse(text.c_str(), definitions.is_none() ? nullptr : own.c_str(), n,
                                    program.out());
    });
    run([&] {
        return riffle_program_plan_create(program, made.type,
                                          device < 0 ? RIFFLE_ENGINE_CPU : RIFFLE_ENGINE_CUDA, &options,
                                          made.handle.out());
    });
    return made;
}

} // namespace

void bind_program(nb::module_ &m) {
    nb::class_<program_plan>(m, "ProgramPlan")
        .def("__call__", &program_plan::call, nb::arg("x").none(), nb::arg("out").none() = nb::none())
        .def("explain",
             [](const program_plan &p) {
                 return printed([&](FILE *stream) { return riffle_program_plan_explain(p.handle, stream); });
             })
        .def("explain_json",
             [](const program_plan &p) {
                 return printed(
                     [&](FILE *stream) { return riffle_program_plan_explain_json(p.handle, stream); });
             })
        .def_ro("n", &program_plan::n)
        .def_ro("batch", &program_plan::batch)
        .def_ro("device", &program_plan::device)
        .def_prop_ro("passes", [](const program_plan &p) { return riffle_program_plan_passes(p.handle); })
        .def_prop_ro("stages", [](const program_plan &p) { return riffle_program_plan_stages(p.handle); })
        .def_prop_ro("bound", [](const program_plan &p) { return riffle_program_plan_bound(p.handle); })
        .def_prop_ro("in_place",
                     [](const program_plan &p) { return riffle_program_plan_in_place(p.handle) != 0; })
        .def_prop_ro("threads", [](const program_plan &p) { return riffle_program_plan_threads(p.handle); });
    m.def("program", &compiled, nb::arg("text"), nb::arg("definitions").none(), nb::arg("n"), nb::arg("type"),
          nb::arg("batch"), nb::arg("device"), nb::arg("threads"), nb::arg("like"));
    m.def("program_library", [] { return riffle_program_library(); });
}
