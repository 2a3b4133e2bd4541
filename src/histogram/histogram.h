/* SPDX-License-Identifier: Apache-2.0
 *
 * A histogram as all its doors see it: checked once, counted on the host or as a list of launches.
 */
#ifndef RIFFLE_HISTOGRAM_HISTOGRAM_H
#define RIFFLE_HISTOGRAM_HISTOGRAM_H

#include "device/arrays.h"
#include "riffle/histogram.h"

typedef struct histogram {
    uint64_t n;
    size_t key_bytes;
    const void *keys;
    uint64_t *counts;
} histogram;

/** Entries of counts. */
static inline size_t histogram_size(size_t key_bytes) { return (size_t)1 << 8 * key_bytes; }

/** The arrays of the call, for checks and to be carried. */
enum { HISTOGRAM_KEYS, HISTOGRAM_COUNTS, HISTOGRAM_ARRAYS };
void histogram_arrays(const histogram *h, call_array out[HISTOGRAM_ARRAYS]);

/** RIFFLE_ERROR_INVALID_ARGUMENT for what riffle/histogram.h refuses. */
riffle_status histogram_check(const histogram *h);

/** Appends the launches for arrays of a device. */
void histogram_append(const histogram *h, const device_limits *limits, launch_list *out);

#endif
