/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/forecast.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "device/kernels/lanes.h"
#include "device/modelled.h"
#include "riffle/cuda.h"

enum {
    ALIGNMENT = 1 << 20, /* more than an address group has bytes */
    MULTIPROCESSORS = 132,
    BLOCK_THREADS = 1024,
    SHARED_BYTES = 227 << 10
};

/* ----------------------------------------------------------------- the model */

static unsigned or_else(unsigned asked, unsigned otherwise) { return asked != 0 ? asked : otherwise; }

static riffle_cuda_device gpu_of(const riffle_explanation *how) {
    const riffle_cuda_device named =
        how != NULL && how->gpu != NULL ? *how->gpu : (riffle_cuda_device){.name = ""};
    return (riffle_cuda_device){.multiprocessors = or_else(named.multiprocessors, MULTIPROCESSORS),
                                .block_threads = or_else(named.block_threads, BLOCK_THREADS),
                                .shared_bytes = named.shared_bytes != 0 ? named.shared_bytes : SHARED_BYTES};
}

unsigned forecast_multiprocessors(const riffle_explanation *how) { return gpu_of(how).multiprocessors; }

riffle_status forecast_model_of(const riffle_explanation *how, const char *kernels, uint64_t most_elements,
                                prediction_model *out) {
    const riffle_machine_options asked = how != NULL ? how->model : (riffle_machine_options){0};
    const riffle_cuda_device gpu = gpu_of(how);
    *out = (prediction_model){.machine = {.width = or_else(asked.width, WARP_LANES),
                                          .latency = or_else(asked.latency, 400),
                                          .shared_latency = or_else(asked.shared_latency, 1),
                                          .dmms = or_else(asked.dmms, 1),
                                          .block_threads = gpu.block_threads,
                                          .shared_bytes = gpu.shared_bytes},
                              .most_elements = most_elements};
    if (out->machine.width == WARP_LANES) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "kernels of %s have warps of %d; leave out the width of %u", kernels,
                WARP_LANES, out->machine.width);
}

/* -------------------------------------------------------------- the forecast */

forecast forecast_begin(const prediction_model *model, const kernel_pattern *patterns, const void *subject) {
    return (forecast){.model = *model,
                      .patterns = patterns,
                      .subject = subject,
                      .told = prediction_of_nothing(),
                      .next = ALIGNMENT};
}

riffle_status forecast_list(forecast *f, const launch_list *list) {
    return predict_list(list, f->patterns, f->subject, &f->model, &f->told);
}

static riffle_status tell(void *who, const launch_list *list) { return forecast_list(who, list); }

device_listener forecast_listener(forecast *f) { return (device_listener){tell, f}; }

/* ---------------------------------------------------------------- the device */

static riffle_status describe(const device *d, device_limits *out) {
    *out = modelled_limits(d, d->machine_options);
    return RIFFLE_OK;
}

static riffle_status allocate(const device *d, const char *what, size_t bytes, void **out) {
    forecast *const f = d->listener.who;
    (void)what;
    *out = bytes > 0 ? (void *)f->next : NULL;
    f->next += ceil_div(bytes, (size_t)ALIGNMENT) * ALIGNMENT;
    return RIFFLE_OK;
}

static void release(const device *d, void *start) { (void)d, (void)start; }

static riffle_status check_free(const device *d, const char *what, size_t bytes) {
    (void)d, (void)what, (void)bytes;
    return RIFFLE_OK;
}

static riffle_status upload(const device *d, const char *what, void *to, const void *from, size_t bytes) {
    (void)d, (void)what, (void)to, (void)from, (void)bytes;
    return RIFFLE_OK;
}

static riffle_status download(const device *d, const char *what, void *to, const void *from, size_t bytes,
                              struct CUstream_st *stream) {
    (void)d, (void)what, (void)from, (void)stream;
    if (bytes > 0) memset(to, 0, bytes);
    return RIFFLE_OK;
}

static void unload(void *module) { (void)module; }

/* A kernel that nobody launches: it has no pattern (predict.c), so nothing is known of it. */
static riffle_status compile(const device *d, const char *source, const char *kernel, users_kernel *out,
                             char **messages) {
    (void)d, (void)source, (void)kernel;
    *messages = NULL;
    *out = (users_kernel){.unload = unload};
    return RIFFLE_OK;
}

static riffle_status load(const device *d, const char *what, const launch_list *list) {
    (void)d, (void)what;
    return list->status;
}

/* The forecast has been told already (device.c). */
static riffle_status queue(const device *d, const char *what, const launch_list *list,
                           struct CUstream_st *stream) {
    (void)d, (void)what, (void)stream;
    return list->status;
}

device device_of_forecast(forecast *f, unsigned multiprocessors) {
    static const device_ops ops = {.name = "forecast",
                                   .compiler = "no compiler",
                                   .describe = describe,
                                   .allocate = allocate,
                                   .release = release,
                                   .check_free = check_free,
                                   .upload = upload,
                                   .download = download,
                                   .compile = compile,
                                   .load = load,
                                   .fit = modelled_fit,
                                   .queue = queue,
                                   .guard = modelled_guard,
                                   .guard_quietly = modelled_guard_quietly,
                                   .unguard = modelled_unguard,
                                   .check = modelled_check};
    return (device){.ops = &ops,
                    .machine_options = &f->model.machine,
                    .multiprocessors = multiprocessors,
                    .listener = forecast_listener(f)};
}
