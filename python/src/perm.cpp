// SPDX-License-Identifier: Apache-2.0
#include "perm.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "arrays.h"
#include "owned.h"

// Longer specs are tables; they are quoted in part.
static constexpr size_t QUOTED = 200;

// Runs what takes time without the GIL, and gives the permutation that it made.
static perm made(const std::function<riffle_status(riffle_perm **)> &make) {
    riffle_perm *out = nullptr;
    run([&] { return make(&out); });
    return perm(out);
}

static perm parsed(const std::string &spec, uint64_t n) {
    return made([&](riffle_perm **out) { return riffle_perm_parse(spec.c_str(), n, out); });
}

static perm of_table(nb::handle indices) {
    const array table(indices, "table");
    if (table.on_gpu())
        fail(RIFFLE_ERROR_INVALID_ARGUMENT,
             "table: on a GPU; riffle.plan takes it there, Perm.table wants it on the host");
    const contiguous entries(table, true, table.itemsize);
    const uint64_t n = table.size();
    return made([&](riffle_perm **out) {
        return table.itemsize == 4
                   ? riffle_perm_table_u32(n, static_cast<const uint32_t *>(entries.data()), out)
                   : riffle_perm_table_u64(n, static_cast<const uint64_t *>(entries.data()), out);
    });
}

static std::string spec_of(const perm &p) {
    size_t length;
    check(riffle_perm_print(p.handle, nullptr, 0, &length));
    std::string text(length + 1, '\0');
    check(riffle_perm_print(p.handle, text.data(), text.size(), nullptr));
    text.resize(length);
    return text;
}

// None for a table's, which is long.
static nb::object short_spec_of(const perm &p) {
    char text[QUOTED + 1];
    size_t length;
    check(riffle_perm_print(p.handle, text, sizeof text, &length));
    return length <= QUOTED ? nb::object(nb::str(text)) : nb::object(nb::none());
}

static std::string quoted(const perm &p) {
    char text[QUOTED + 1];
    size_t length;
    check(riffle_perm_print(p.handle, text, sizeof text, &length));
    return "riffle.Perm('" + std::string(text) + (length > QUOTED ? "..." : "") + "', " +
           std::to_string(p.length()) + ")";
}

static uint64_t image(const perm &p, int64_t i) {
    const uint64_t n = p.length(), from_end = n + static_cast<uint64_t>(i);
    const uint64_t index = i < 0 ? from_end : static_cast<uint64_t>(i);
    if (index >= n) fail_as("IndexOutOfRange", "index %" PRId64 " of a permutation of %" PRIu64, i, n);
    return riffle_perm_at(p.handle, index);
}

// Fills an array of 8-byte integers with P(first), P(first + 1), ...
static void fill_map(const perm &p, uint64_t first, nb::handle out) {
    const array there(out, "out");
    if (there.itemsize != 8 || !there.is_contiguous() || there.readonly || there.on_gpu())
        fail(RIFFLE_ERROR_INVALID_ARGUMENT,
             "out: must be writable, contiguous, on the host, and of 8-byte integers");
    run([&] {
        return riffle_perm_map(p.handle, first, there.size(), reinterpret_cast<uint64_t *>(there.data));
    });
}

// An array of images in the place of an array of indices.
static void look_up(const perm &p, nb::handle indices) {
    const array there(indices, "indices");
    int64_t *const entries = reinterpret_cast<int64_t *>(there.data);
    const uint64_t n = p.length();
    for (uint64_t k = 0; k < there.size(); k++) {
        const uint64_t index =
            entries[k] < 0 ? n + static_cast<uint64_t>(entries[k]) : static_cast<uint64_t>(entries[k]);
        if (index >= n)
            fail_as("IndexOutOfRange", "index %" PRId64 " of a permutation of %" PRIu64, entries[k], n);
        entries[k] = static_cast<int64_t>(riffle_perm_at(p.handle, index));
    }
}

static riffle_status compare_maps(const perm &a, const perm &b, bool *are_equal) {
    constexpr uint64_t AT_A_TIME = 4096;
    std::vector<uint64_t> left(AT_A_TIME), right(AT_A_TIME);
    riffle_status status = RIFFLE_OK;
    *are_equal = true;
    for (uint64_t first = 0; status == RIFFLE_OK && *are_equal && first < a.length(); first += AT_A_TIME) {
        const size_t count = static_cast<size_t>(std::min(AT_A_TIME, a.length() - first));
        status = riffle_perm_map(a.handle, first, count, left.data());
        if (status == RIFFLE_OK) status = riffle_perm_map(b.handle, first, count, right.data());
        *are_equal = std::equal(left.begin(), left.begin() + static_cast<long>(count), right.begin());
    }
    return status;
}

// Structured permutations of one text are one; all others are compared image by image.
static bool are_equal(const perm &a, const perm &b) {
    if (a.length() != b.length()) return false;
    if (a.handle == b.handle) return true;
    char left[QUOTED + 1], right[QUOTED + 1];
    size_t longer, other;
    check(riffle_perm_print(a.handle, left, sizeof left, &longer));
    check(riffle_perm_print(b.handle, right, sizeof right, &other));
    if (longer <= QUOTED && longer == other && strcmp(left, right) == 0) return true;
    bool equal;
    run([&] { return compare_maps(a, b, &equal); });
    return equal;
}

// Equal permutations have equal images.
static size_t hash_of(const perm &p) {
    const uint64_t n = p.length();
    uint64_t sum = n;
    for (uint64_t k = 0; k < std::min<uint64_t>(n, 5); k++)
        sum = sum * 0x9e3779b97f4a7c15u + riffle_perm_at(p.handle, k * ((n - 1) / 4));
    return static_cast<size_t>(sum);
}

static nb::object output_shape(const perm &p) {
    uint64_t shape[RIFFLE_MAX_RANK];
    const unsigned rank = riffle_perm_output_shape(p.handle, shape);
    if (rank == 0) return nb::none();
    nb::list lengths;
    for (unsigned k = 0; k < rank; k++) lengths.append(shape[k]);
    return nb::tuple(lengths);
}

static uint64_t distribution(const perm &p, unsigned width) {
    uint64_t out;
    run([&] { return riffle_perm_distribution(p.handle, width, &out); });
    return out;
}

void bind_perm(nb::module_ &m) {
    nb::class_<perm>(m, "Perm").def_prop_ro("n", &perm::length);
    m.def("perm_parse", &parsed, nb::arg("spec"), nb::arg("n"));
    m.def("perm_table", &of_table, nb::arg("table"));
    m.def("perm_at", &image, nb::arg("perm"), nb::arg("i"));
    m.def("perm_map", &fill_map, nb::arg("perm"), nb::arg("first"), nb::arg("out"));
    m.def("perm_look_up", &look_up, nb::arg("perm"), nb::arg("indices"));
    m.def("perm_equal", &are_equal, nb::arg("a"), nb::arg("b"));
    m.def("perm_hash", &hash_of, nb::arg("perm"));
    m.def("perm_quoted", &quoted, nb::arg("perm"));
    m.def("perm_spec", &spec_of, nb::arg("perm"));
    m.def("perm_short_spec", &short_spec_of, nb::arg("perm"));
    m.def("perm_output_shape", &output_shape, nb::arg("perm"));
    m.def("perm_distribution", &distribution, nb::arg("perm"), nb::arg("width"));
    m.def(
        "perm_compose",
        [](const perm &first, const perm &then) {
            return made([&](riffle_perm **out) { return riffle_perm_compose(first.handle, then.handle, out); });
        },
        nb::arg("first"), nb::arg("then"));
    m.def(
        "perm_invert",
        [](const perm &p) {
            return made([&](riffle_perm **out) { return riffle_perm_invert(p.handle, out); });
        },
        nb::arg("perm"));
    m.def(
        "perm_recognize",
        [](const perm &p) {
            return made([&](riffle_perm **out) { return riffle_perm_recognize(p.handle, out); });
        },
        nb::arg("perm"));
}
