// SPDX-License-Identifier: Apache-2.0
//
// riffle.vat: what translating the addresses of a trace costs, or those of one of the chapter's programs.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/vat.h"

namespace {

using cache = owned<riffle_vat, riffle_vat_free>;

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
    run([&] {
        riffle_status status = riffle_vat_create(which, &options, vat.out());
        if (status == RIFFLE_OK)
            status = riffle_vat_access(vat, static_cast<const uint64_t *>(in_order.data()), addresses.size());
        return status == RIFFLE_OK ? riffle_vat_count(vat, &counts) : status;
    });
    return nb::make_tuple(counts.accesses, counts.faults, counts.cost);
}

// K, P, d, W and tau, all given.
using tree = std::tuple<uint64_t, uint64_t, unsigned, uint64_t, double>;

riffle_vat_options options_of(const tree &of) {
    return {std::get<0>(of), std::get<1>(of), std::get<2>(of), std::get<3>(of), std::get<4>(of)};
}

riffle_vat_program program_of(const std::string &name) {
    riffle_vat_program program;
    check(riffle_vat_program_parse(name.c_str(), &program));
    return program;
}

nb::list programs() {
    nb::list all;
    for (int k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; k++)
        all.append(riffle_vat_program_string(static_cast<riffle_vat_program>(k)));
    return all;
}

uint64_t elements(const std::string &name, uint64_t n) {
    return riffle_vat_program_elements(program_of(name), n);
}

// Operations, block transfers, and both bounds of faults; with a host those of both translations.
nb::tuple cost(const std::string &name, uint64_t n, const tree &guest, const std::optional<tree> &host,
               double em_cache, double em_block) {
    const riffle_vat_options options = options_of(guest);
    riffle_vat_cost found{};
    if (host) {
        const riffle_vat_options below = options_of(*host);
        check(
            riffle_vat_program_cost_nested(program_of(name), n, &options, &below, em_cache, em_block, &found));
    } else {
        check(riffle_vat_program_cost(program_of(name), n, &options, em_cache, em_block, &found));
    }
    return nb::make_tuple(found.ram, found.em, found.vat_least, found.vat_most);
}

// A cache's accesses, faults, cost, and faults but for those of the root.
struct counted {
    riffle_vat_counts sum{};
    uint64_t layers[65] = {};

    nb::tuple as_tuple(unsigned height) const {
        return nb::make_tuple(sum.accesses, sum.faults, sum.cost, sum.faults - layers[height]);
    }
};

constexpr size_t LAYERS = sizeof(counted::layers) / sizeof(uint64_t);

riffle_status run_program(riffle_vat_program program, uint64_t n, uint64_t seed, riffle_vat *vat,
                          counted &guest, counted *host) {
    std::vector<uint64_t> array(riffle_vat_program_elements(program, n) + 1);
    uint64_t checksum;
    riffle_status status = riffle_vat_program_prepare(program, n, seed, array.data());
    if (status == RIFFLE_OK) status = riffle_vat_program_replay(program, n, seed, array.data(), vat, &checksum);
    if (status == RIFFLE_OK) status = riffle_vat_count(vat, &guest.sum);
    if (status == RIFFLE_OK) status = riffle_vat_count_layers(vat, guest.layers, LAYERS);
    if (status == RIFFLE_OK && host != nullptr)
        status = riffle_vat_count_host(vat, &host->sum, host->layers, LAYERS);
    return status;
}

// The counts of a program's translation, and None or its host's.
nb::tuple replayed_program(const std::string &name, uint64_t n, uint64_t seed, const std::string &policy,
                           const tree &guest, const std::optional<tree> &host) {
    const riffle_vat_options options = options_of(guest),
                             below = host ? options_of(*host) : riffle_vat_options{};
    const riffle_vat_program program = program_of(name);
    riffle_vat_policy which;
    check(riffle_vat_policy_parse(policy.c_str(), &which));
    cache vat;
    counted counts, hosts;
    run([&] {
        const riffle_status status = host ? riffle_vat_create_nested(which, &options, &below, vat.out())
                                          : riffle_vat_create(which, &options, vat.out());
        return status == RIFFLE_OK ? run_program(program, n, seed, vat, counts, host ? &hosts : nullptr)
                                   : status;
    });
    return nb::make_tuple(counts.as_tuple(options.height),
                          host ? nb::object(hosts.as_tuple(below.height)) : nb::none());
}

double em_time(double n, const std::vector<double> &sizes, const std::vector<double> &times) {
    if (times.size() != sizes.size() + 1)
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "times: %zu for %zu sizes; give each level's, and the memory's",
             times.size(), sizes.size());
    double found;
    check(riffle_vat_em_time(n, sizes.size(), sizes.data(), times.data(), &found));
    return found;
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
    m.def("vat_programs", &programs);
    m.def("vat_elements", &elements, nb::arg("program"), nb::arg("n"));
    m.def("vat_cost", &cost, nb::arg("program"), nb::arg("n"), nb::arg("guest"), nb::arg("host").none(),
          nb::arg("em_cache"), nb::arg("em_block"));
    m.def("vat_program", &replayed_program, nb::arg("program"), nb::arg("n"), nb::arg("seed"),
          nb::arg("policy"), nb::arg("guest"), nb::arg("host").none());
    m.def("vat_em_time", &em_time, nb::arg("n"), nb::arg("sizes"), nb::arg("times"));
    m.def("vat_presets", &presets);
    m.def("vat_detect", &detected);
}
