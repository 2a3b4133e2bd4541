// SPDX-License-Identifier: Apache-2.0
//
// riffle.bitshuffle and its inverse, and riffle.permute of packed elements, where the arrays are. riffle/_bits.py sees to dtypes and shapes.
#include "riffle/bits.h"
#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "perm.h"

namespace {

riffle_bits_options options_of(const array &in, uint64_t batch, bool is_big, unsigned threads) {
    riffle_bits_options options{};
    options.threads = threads;
    options.order = is_big ? RIFFLE_BIT_ORDER_BIG : RIFFLE_BIT_ORDER_LITTLE;
    options.batch = batch;
    options.engine = in.on_gpu() ? RIFFLE_ENGINE_CUDA : RIFFLE_ENGINE_CPU;
    return options;
}

// Both arrays, in one memory, and a call between their bytes in C order.
template <typename work> void between(nb::handle to, nb::handle from, const work &call) {
    const array in(from, "x");
    const device_guard there(in);
    array out(to, "out");
    check_together(out, "out", in, "x");
    if (out.readonly) fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: is read-only");
    out.stream = in.stream;
    const contiguous bytes(in, true), result(out, false);
    run([&] { return call(in, result.data(), bytes.data()); });
    result.put_back();
}

void shuffle(nb::handle to, nb::handle from, uint64_t n, uint64_t width, uint64_t batch, bool is_big,
             bool to_planes, unsigned threads) {
    between(to, from, [&](const array &in, void *dst, const void *src) {
        const riffle_bits_options options = options_of(in, batch, is_big, threads);
        if (in.on_gpu())
            return (to_planes ? riffle_cuda_bitshuffle : riffle_cuda_bitunshuffle)(n, width, dst, src, &options,
                                                                                   in.stream);
        return (to_planes ? riffle_bitshuffle : riffle_bitunshuffle)(n, width, dst, src, &options);
    });
}

// A GPU's plan is freed once its map has been read: that waits.
void permute(nb::handle to, nb::handle from, const perm &p, uint64_t bits, uint64_t batch, bool is_big) {
    between(to, from, [&](const array &in, void *dst, const void *src) {
        const riffle_bits_options options = options_of(in, batch, is_big, 0);
        riffle_bits_plan *plan = nullptr;
        riffle_status status = riffle_bits_plan_create(p.handle, bits, &options, &plan);
        if (status == RIFFLE_OK)
            status = in.on_gpu() ? riffle_cuda_bits_execute(plan, dst, src, nullptr, 0, in.stream)
                                 : riffle_bits_execute(plan, dst, src);
        riffle_bits_plan_free(plan);
        return status;
    });
}

} // namespace

void bind_bits(nb::module_ &m) {
    m.def("bitshuffle", &shuffle, nb::arg("to"), nb::arg("from"), nb::arg("n"), nb::arg("width"),
          nb::arg("batch"), nb::arg("is_big"), nb::arg("to_planes"), nb::arg("threads"));
    m.def("permute_bits", &permute, nb::arg("to"), nb::arg("from"), nb::arg("p"), nb::arg("bits"),
          nb::arg("batch"), nb::arg("is_big"));
}
