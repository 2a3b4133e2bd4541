/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/request/streaming.h"

#include <pthread.h>

/* Measured on a Xeon, whose last cache lies behind a mesh, and on a Zen 3 with 32 MiB: two arrays that fill half of its last cache move
 * faster unstreamed, two that fill 0.8 of it as fast (docs/decisions.md). */
enum { LEAST = 4 << 20, SHARE_OF_LAST_CACHE = 4 };

/* Bytes from which on an array is not near, and from which on it is in no cache. */
typedef struct places {
    uint64_t near, far;
} places;

static places here = {LEAST, LEAST};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static places places_on(const processor *of) {
    const last_cache cache = processor_last_cache(of);
    const uint64_t share = cache.bytes / SHARE_OF_LAST_CACHE, far = share > LEAST ? share : LEAST;
    return (places){cache.is_behind_mesh ? LEAST : far, far};
}

static dst_place place(places p, uint64_t array_bytes) {
    return array_bytes < p.near ? DST_NEAR : array_bytes < p.far ? DST_FAR : DST_PAST;
}

dst_place dst_place_on(const processor *of, uint64_t array_bytes) { return place(places_on(of), array_bytes); }

static void find(void) {
    const processor *of;
    if (processor_here(&of) == RIFFLE_OK) here = places_on(of);
}

dst_place dst_place_of(uint64_t array_bytes) {
    if (array_bytes < LEAST) return DST_NEAR;
    pthread_once(&once, find);
    return place(here, array_bytes);
}
