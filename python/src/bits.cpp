// SPDX-License-Identifier: Apache-2.0
//
// riffle.bitshuffle and its inverse, and riffle.permute of packed elements: bytes of the host as bits. riffle/_bits.py sees to dtypes and shapes.
#include "arrays.h"
#include "failing.h"
#include "perm.h"
#include "riffle/bits.h"

namespace {

void shuffle(nb::handle to, nb::handle from, uint64_t n, uint64_t width, uint64_t batch, bool is_big,
             bool to_planes, unsigned threads) {
    const array in(from, "x"), out(to, "out");
    if (in.on_gpu() || out.on_gpu())
        fail(RIFFLE_ERROR_UNSUPPORTED, "bitshuffle: on a GPU; this is done on the host, so pass a copy there");
    if (out.readonly) fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: is read-only");
    const contiguous bytes(in, true), result(out, false);
    riffle_bits_options options{};
    options.threads = threads;
    options.order = is_big ? RIFFLE_BIT_ORDER_BIG : RIFFLE_BIT_ORDER_LITTLE;
    options.batch = batch;
    riffle_status status;
    {
        const nb::gil_scoped_release others_may_run;
        status = (to_planes ? riffle_bitshuffle : riffle_bitunshuffle)(n, width, result.data(), bytes.data(),
                                                                      &options);
    }
    check(status);
    result.put_back();
}

void permute(nb::handle to, nb::handle from, const perm &p, uint64_t bits, uint64_t batch, bool is_big) {
    const array in(from, "x"), out(to, "out");
    if (out.readonly) fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: is read-only");
    const contiguous bytes(in, true), result(out, false);
    riffle_bits_options options{};
    options.order = is_big ? RIFFLE_BIT_ORDER_BIG : RIFFLE_BIT_ORDER_LITTLE;
    options.batch = batch;
    riffle_status status;
    {
        const nb::gil_scoped_release others_may_run;
        riffle_bits_plan *plan = nullptr;
        status = riffle_bits_plan_create(p.handle, bits, &options, &plan);
        if (status == RIFFLE_OK) status = riffle_bits_execute(plan, result.data(), bytes.data());
        riffle_bits_plan_free(plan);
    }
    check(status);
    result.put_back();
}

} // namespace

void bind_bits(nb::module_ &m) {
    m.def("bitshuffle", &shuffle, nb::arg("to"), nb::arg("from"), nb::arg("n"), nb::arg("width"), nb::arg("batch"),
          nb::arg("is_big"), nb::arg("to_planes"), nb::arg("threads"));
    m.def("permute_bits", &permute, nb::arg("to"), nb::arg("from"), nb::arg("p"), nb::arg("bits"), nb::arg("batch"),
          nb::arg("is_big"));
}
