/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of a device that is a model of a GPU, which the memory machine and the forecast have in common: blocks run one after the
 * other, and no stream is ever captured.
 */
#ifndef RIFFLE_DEVICE_MODELLED_H
#define RIFFLE_DEVICE_MODELLED_H

#include "device/device.h"
#include "riffle/machine.h"

/** Limits of a machine with these options, which have no zeros. */
static inline device_limits modelled_limits(const device *d, const riffle_machine_options *options) {
    return (device_limits){.width = options->width,
                           .block_threads = options->block_threads,
                           .multiprocessors = d->multiprocessors,
                           .shared_bytes = options->shared_bytes,
                           .l2_bytes = 50 << 20, /* choices are a GPU's */
                           .memory_bytes = UINT64_MAX};
}

/** One block for each multiprocessor is as good as more. */
static inline riffle_status modelled_fit(const device *d, const launch *work, unsigned most, unsigned *out) {
    (void)work, (void)most;
    *out = d->multiprocessors;
    return RIFFLE_OK;
}

static inline riffle_status modelled_guard(const device *d, const char *what, struct CUstream_st *stream,
                                           int *before) {
    (void)d, (void)what, (void)stream;
    *before = 0;
    return RIFFLE_OK;
}

static inline void modelled_guard_quietly(const device *d, int *before) {
    (void)d;
    *before = 0;
}

static inline void modelled_unguard(const device *d, int before) { (void)d, (void)before; }

static inline riffle_status modelled_check(const device *d) {
    (void)d;
    return RIFFLE_OK;
}

#endif
