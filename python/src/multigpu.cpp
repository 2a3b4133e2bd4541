// SPDX-License-Identifier: Apache-2.0
//
// riffle.multigpu: an array in parts, each on a GPU, moved between their memories. riffle/multigpu.py makes lists of the parts.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cinttypes>
#include <memory>
#include <string>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "perm.h"
#include "riffle/multigpu.h"
#include "text.h"

namespace {

using gpu_parts = std::vector<std::unique_ptr<array>>;

// Parts are dense arrays of one length and element, on GPUs.
gpu_parts looked_at(const nb::list &parts, const char *name) {
    gpu_parts all;
    for (const nb::handle part : parts) {
        all.push_back(std::make_unique<array>(part, name));
        const array &one = *all.back(), &first = *all.front();
        if (!one.on_gpu())
            fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: part %zu is on the host; parts lie on GPUs", name,
                 all.size() - 1);
        if (!one.is_contiguous())
            fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: part %zu is not dense in C order; pass a copy that is",
                 name, all.size() - 1);
        if (one.size() != first.size() || one.itemsize != first.itemsize)
            fail(RIFFLE_ERROR_LENGTH,
                 "%s: part %zu has %" PRIu64 " elements of %zu bytes, and part 0 %" PRIu64
                 " of %zu; parts are alike",
                 name, all.size() - 1, one.size(), one.itemsize, first.size(), first.itemsize);
    }
    if (all.empty())
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: no parts; an array on P GPUs is a list of P", name);
    return all;
}

class multigpu_plan {
  public:
    owned<riffle_multigpu_plan, riffle_multigpu_plan_free> handle;
    riffle_multigpu_cost cost;
    std::vector<unsigned> devices;
    size_t elem_bytes;
    bool in_place;

    nb::list call(const nb::list &parts, nb::handle out) const;

  private:
    void fit(const gpu_parts &parts, const char *name) const;
};

void multigpu_plan::fit(const gpu_parts &parts, const char *name) const {
    if (parts.size() != devices.size())
        fail(RIFFLE_ERROR_LENGTH, "%s: %zu parts, and the plan is for %zu", name, parts.size(), devices.size());
    if (parts[0]->size() != cost.part || parts[0]->itemsize != elem_bytes)
        fail(RIFFLE_ERROR_LENGTH,
             "%s: parts of %" PRIu64 " elements of %zu bytes, and the plan is for %" PRIu64 " of %zu", name,
             parts[0]->size(), parts[0]->itemsize, cost.part, elem_bytes);
    for (size_t k = 0; k < parts.size(); k++)
        if (static_cast<unsigned>(parts[k]->device) != devices[k])
            fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: part %zu is on GPU %d, and the plan has it on GPU %u",
                 name, k, parts[k]->device, devices[k]);
        else if (parts[k]->readonly && (in_place || name[0] == 'o'))
            fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: part %zu is read-only", name, k);
}

nb::list made_like(const gpu_parts &parts) {
    nb::list made;
    for (const auto &part : parts) {
        const device_guard there(*part);
        made.append(part->like(part->rank, part->shape));
    }
    return made;
}

// Memory of the part's library, on its GPU.
nb::object room_beside(const array &part, size_t bytes) {
    const device_guard there(part);
    return part.room(bytes);
}

nb::list multigpu_plan::call(const nb::list &parts, nb::handle out) const {
    const gpu_parts from = looked_at(parts, "parts");
    fit(from, "parts");
    const nb::list given = in_place ? parts : out.is_none() ? made_like(from) : nb::cast<nb::list>(out);
    const gpu_parts to = looked_at(given, "out");
    fit(to, "out");
    std::vector<const void *> src;
    std::vector<void *> dst, workspaces;
    nb::list rooms;
    std::vector<CUstream_st *> streams;
    for (size_t k = 0; k < from.size(); k++) {
        src.push_back(from[k]->data);
        dst.push_back(to[k]->data);
        streams.push_back(from[k]->stream);
        rooms.append(room_beside(*from[k], cost.workspace_bytes));
        workspaces.push_back(array(rooms[k], "workspace", true).data);
    }
    run([&] {
        return riffle_multigpu_execute(handle, dst.data(), src.data(), workspaces.data(), cost.workspace_bytes,
                                       streams.data());
    });
    return given;
}

riffle_multigpu_options options_of(bool in_place, unsigned transport) {
    return {in_place, true, static_cast<riffle_multigpu_transport>(transport)};
}

multigpu_plan multigpu_of_perm(const perm &p, const nb::list &parts, bool in_place, unsigned transport) {
    const gpu_parts like = looked_at(parts, "parts");
    riffle_multigpu_options options = options_of(in_place, transport);
    const unsigned gpus = static_cast<unsigned>(like.size());
    multigpu_plan made;
    made.in_place = in_place;
    made.elem_bytes = like[0]->itemsize;
    for (const auto &part : like) made.devices.push_back(static_cast<unsigned>(part->device));
    run([&] {
        return riffle_multigpu_plan_create(p.handle, made.elem_bytes, gpus, made.devices.data(), &options,
                                           made.handle.out());
    });
    options.transport = riffle_multigpu_plan_transport(made.handle);
    check(riffle_multigpu_cost_of(p.handle, made.elem_bytes, gpus, &options, &made.cost));
    return made;
}

std::string multigpu_explanation(const perm &p, size_t elem_bytes, unsigned gpus, bool in_place,
                                 unsigned transport, double bytes_per_second) {
    const riffle_multigpu_options options = options_of(in_place, transport);
    return printed([&](FILE *stream) {
        return riffle_multigpu_explain(p.handle, elem_bytes, gpus, &options, bytes_per_second, stream);
    });
}

// All elements of all parts.
uint64_t multigpu_length(const nb::list &parts) {
    const gpu_parts all = looked_at(parts, "parts");
    return all.size() * all[0]->size();
}

} // namespace

void bind_multigpu(nb::module_ &m) {
    nb::class_<multigpu_plan>(m, "MultigpuPlan")
        .def("_call", &multigpu_plan::call, nb::arg("parts"), nb::arg("out").none())
        .def_ro("devices", &multigpu_plan::devices)
        .def_ro("in_place", &multigpu_plan::in_place)
        .def_prop_ro("_transport",
                     [](const multigpu_plan &p) { return static_cast<unsigned>(p.cost.transport); })
        .def_prop_ro("passes", [](const multigpu_plan &p) { return p.cost.passes; })
        .def_prop_ro("chunks", [](const multigpu_plan &p) { return p.cost.chunks; })
        .def_prop_ro("run_bytes", [](const multigpu_plan &p) { return p.cost.run_bytes; })
        .def_prop_ro("workspace_bytes", [](const multigpu_plan &p) { return p.cost.workspace_bytes; })
        .def_prop_ro("volume_bytes",
                     [](const multigpu_plan &p) { return p.cost.exchange.volume * p.elem_bytes; });
    m.def("multigpu_plan", &multigpu_of_perm, nb::arg("perm"), nb::arg("parts"), nb::arg("in_place"),
          nb::arg("transport"));
    m.def("multigpu_explain", &multigpu_explanation, nb::arg("perm"), nb::arg("elem_bytes"), nb::arg("gpus"),
          nb::arg("in_place"), nb::arg("transport"), nb::arg("bytes_per_second"));
    m.def("multigpu_length", &multigpu_length, nb::arg("parts"));
}
