// SPDX-License-Identifier: Apache-2.0
//
// The functions that XLA calls for riffle.jax: plans and takes, on the host and on a GPU. Numbers come as attributes of 8
// bytes, a plan by its address; riffle/jax.py keeps it. A GPU's workspace is one more result, so it is XLA's own memory.
#include <cstring>

#include "failing.h"
#include "riffle/cuda.h"
#include "riffle/indices.h"
#include "xla.h"

namespace {

bool answers_metadata(const xla::call *frame) {
    if (frame->extensions == nullptr || frame->extensions->type != 1) return false;
    xla::metadata *const out = reinterpret_cast<xla::metadata_extension *>(frame->extensions)->out;
    out->written_for.major = frame->api->implemented.major;
    out->written_for.minor = frame->api->implemented.minor;
    out->traits = 1;
    return true;
}

int64_t number(const xla::call *frame, const char *name) {
    for (int64_t k = 0; k < frame->with.count; k++)
        if (frame->with.names[k]->length == strlen(name) &&
            memcmp(frame->with.names[k]->text, name, strlen(name)) == 0)
            return *static_cast<int64_t *>(static_cast<xla::scalar *>(frame->with.values[k])->value);
    return 0;
}

xla::error *told(const xla::call *frame, riffle_status status) {
    if (status == RIFFLE_OK) return nullptr;
    xla::error_arguments arguments{sizeof arguments, nullptr, riffle_error_detail(),
                                   status == RIFFLE_ERROR_INVALID_ARGUMENT ? 3 : 13};
    return frame->api->make_error(&arguments);
}

CUstream_st *stream_of(const xla::call *frame) {
    xla::stream_arguments arguments{sizeof arguments, nullptr, frame->context, nullptr};
    frame->api->get_stream(&arguments);
    return static_cast<CUstream_st *>(arguments.stream);
}

void *argument(const xla::call *frame, int k) { return frame->arguments.items[k]->data; }
void *output(const xla::call *frame, int k) {
    return k < frame->results.count ? frame->results.items[k]->data : nullptr;
}

const riffle_plan *plan_of(const xla::call *frame) {
    return reinterpret_cast<const riffle_plan *>(number(frame, "plan"));
}

xla::error *execute_on_host(xla::call *frame) {
    if (answers_metadata(frame)) return nullptr;
    return told(frame, riffle_execute(plan_of(frame), output(frame, 0), argument(frame, 0)));
}

xla::error *execute_on_gpu(xla::call *frame) {
    if (answers_metadata(frame)) return nullptr;
    return told(frame,
                riffle_cuda_execute(plan_of(frame), output(frame, 0), argument(frame, 0), output(frame, 1),
                                    riffle_plan_workspace_bytes(plan_of(frame)), stream_of(frame)));
}

riffle_indices indices_of(const xla::call *frame) {
    return {argument(frame, 1), static_cast<size_t>(number(frame, "entry_bytes")),
            static_cast<uint64_t>(number(frame, "m")), static_cast<uint64_t>(number(frame, "n"))};
}

// One array after another, as many as `batch` says.
template <typename take> xla::error *take_each(xla::call *frame, const take &one) {
    const riffle_indices indices = indices_of(frame);
    const size_t row_bytes = static_cast<size_t>(number(frame, "row_bytes"));
    char *const dst = static_cast<char *>(output(frame, 0)), *const src =
                                                                 static_cast<char *>(argument(frame, 0));
    riffle_status status = RIFFLE_OK;
    for (int64_t k = 0; k < number(frame, "batch") && status == RIFFLE_OK; k++)
        status = one(indices, row_bytes, dst + static_cast<size_t>(k) * indices.m * row_bytes,
                     src + static_cast<size_t>(k) * indices.n * row_bytes);
    return told(frame, status);
}

xla::error *take_on_host(xla::call *frame) {
    if (answers_metadata(frame)) return nullptr;
    return take_each(frame, [](const riffle_indices &indices, size_t row_bytes, void *dst, const void *src) {
        return riffle_take(&indices, row_bytes, dst, src, nullptr);
    });
}

xla::error *take_on_gpu(xla::call *frame) {
    if (answers_metadata(frame)) return nullptr;
    CUstream_st *const stream = stream_of(frame);
    void *const workspace = output(frame, 1);
    const size_t bytes = static_cast<size_t>(number(frame, "workspace"));
    return take_each(frame, [=](const riffle_indices &indices, size_t row_bytes, void *dst, const void *src) {
        return riffle_cuda_take(&indices, row_bytes, dst, src, workspace, bytes, stream);
    });
}

size_t take_workspace(uint64_t m, uint64_t n, size_t entry_bytes, size_t row_bytes) {
    const riffle_indices indices = {nullptr, entry_bytes, m, n};
    size_t bytes;
    check(riffle_cuda_take_workspace_bytes(&indices, row_bytes, &bytes));
    return bytes;
}

nb::capsule capsule_of(xla::error *(*function)(xla::call *)) {
    return nb::capsule(reinterpret_cast<void *>(function), "xla._CUSTOM_CALL_TARGET");
}

} // namespace

void bind_jax(nb::module_ &m) {
    m.def("jax_targets", [] {
        nb::dict targets;
        targets[nb::make_tuple("riffle_execute", "cpu")] = capsule_of(execute_on_host);
        targets[nb::make_tuple("riffle_execute", "CUDA")] = capsule_of(execute_on_gpu);
        targets[nb::make_tuple("riffle_take", "cpu")] = capsule_of(take_on_host);
        targets[nb::make_tuple("riffle_take", "CUDA")] = capsule_of(take_on_gpu);
        return targets;
    });
    m.def("take_workspace", &take_workspace, nb::arg("m"), nb::arg("n"), nb::arg("entry_bytes"),
          nb::arg("row_bytes"));
}
