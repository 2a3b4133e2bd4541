// SPDX-License-Identifier: Apache-2.0
//
// riffle.histogram: keys of 1 or 2 bytes, counted where they are. riffle/_histogram.py sees to the dtypes.
#include <cinttypes>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/histogram.h"

namespace {

void check_out(const array &out, const array &keys, uint64_t size) {
    if (out.readonly) fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: is read-only");
    check_together(out, "out", keys, "keys");
    if (out.rank != 1 || out.shape[0] != size)
        fail(RIFFLE_ERROR_LENGTH, "out: counts of keys of %zu bytes are of shape (%" PRIu64 ",)", keys.itemsize,
             size);
}

// Counts to `out`, int64 as what None makes: a count is at most RIFFLE_MAX_LENGTH, which fits.
nb::object histogram(nb::handle keys, nb::handle out, unsigned threads) {
    const array from(keys, "keys");
    const device_guard there(from);
    const uint64_t size = UINT64_C(1) << 8 * from.itemsize;
    const nb::object object = out.is_none() ? from.numbers(1, &size) : nb::borrow(out);
    array counts(object, "out", out.is_none());
    if (!out.is_none()) check_out(counts, from, size);
    counts.stream = from.stream;
    const contiguous in_order(from, true, from.itemsize), to(counts, false, sizeof(uint64_t));
    uint64_t *const places = static_cast<uint64_t *>(to.data());
    riffle_call_options options{};
    options.threads = threads;
    run([&] {
        return from.on_gpu()
                   ? riffle_cuda_histogram(from.size(), from.itemsize, in_order.data(), places, from.stream)
                   : riffle_histogram(from.size(), from.itemsize, in_order.data(), places, &options);
    });
    to.put_back();
    return object;
}

} // namespace

void bind_histogram(nb::module_ &m) {
    m.def("histogram", &histogram, nb::arg("keys"), nb::arg("out").none(), nb::arg("threads"));
}
