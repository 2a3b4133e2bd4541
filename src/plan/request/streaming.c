/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/request/streaming.h"

#include <pthread.h>

/* Measured on a Xeon, whose last cache lies behind a mesh and tells of itself in another leaf. On a Zen 3 with 32 MiB two arrays that
 * fill half of its last cache move faster unstreamed, two that fill 0.8 of it as fast (docs/decisions.md). */
enum { LEAST = 4 << 20, SHARE_OF_LAST_CACHE = 4 };

static uint64_t from_here = LEAST;
static pthread_once_t once = PTHREAD_ONCE_INIT;

uint64_t streamed_from(const processor *of) {
    const uint64_t share = processor_last_cache_bytes(of) / SHARE_OF_LAST_CACHE;
    return share > LEAST ? share : LEAST;
}

static void find(void) {
    const processor *here;
    if (processor_here(&here) == RIFFLE_OK) from_here = streamed_from(here);
}

bool is_streamed(uint64_t array_bytes) {
    if (array_bytes < LEAST) return false;
    pthread_once(&once, find);
    return array_bytes >= from_here;
}
