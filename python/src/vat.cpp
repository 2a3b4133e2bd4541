// SPDX-License-Identifier: Apache-2.0
//
// riffle.vat: what translating the addresses of a trace costs.
#include <nanobind/stl/string.h>

#include <string>

#include "arrays.h"
#include "failing.h"
#include "riffle/vat.h"

namespace {

struct cache {
    riffle_vat *handle = nullptr;
    ~cache() { riffle_vat_free(handle); }
};

nb::tuple replayed(nb::handle trace, const std::string &policy, uint64_t fanout, uint64_t page, unsigned height,
                   uint64_t nodes, double tau) {
    const array addresses(trace, "trace");
    if (addresses.itemsize != 8 || addresses.on_gpu())
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "trace: addresses are integers of 8 bytes, on the host");
    const contiguous in_order(addresses, true, addresses.itemsize);
    const riffle_vat_options options = {fanout, page, height, nodes, tau};
    riffle_vat_policy which;
    check(riffle_vat_policy_parse(policy.c_str(), &which));
    cache vat;
    riffle_vat_counts counts{};
    riffle_status status;
    {
        const nb::gil_scoped_release others_may_run;
        status = riffle_vat_create(which, &options, &vat.handle);
        if (status == RIFFLE_OK)
            status =
                riffle_vat_access(vat.handle, static_cast<const uint64_t *>(in_order.data()), addresses.size());
        if (status == RIFFLE_OK) status = riffle_vat_count(vat.handle, &counts);
    }
    check(status);
    return nb::make_tuple(counts.accesses, counts.faults, counts.cost);
}

nb::tuple as_tuple(const riffle_vat_preset &p) {
    return nb::make_tuple(p.name, p.description, p.entries_4k, p.entries_2m, p.entries_1g, p.entries_upper);
}

nb::list presets() {
    nb::list all;
    const riffle_vat_preset *one;
    for (size_t k = 0; (one = riffle_vat_preset_at(k)) != nullptr; k++) all.append(as_tuple(*one));
    return all;
}

nb::tuple detected() {
    riffle_vat_preset here;
    check(riffle_vat_detect(&here));
    return as_tuple(here);
}

} // namespace

void bind_vat(nb::module_ &m) {
    m.def("vat_replay", &replayed, nb::arg("trace"), nb::arg("policy"), nb::arg("fanout"), nb::arg("page"),
          nb::arg("height"), nb::arg("cache"), nb::arg("tau"));
    m.def("vat_presets", &presets);
    m.def("vat_detect", &detected);
}
