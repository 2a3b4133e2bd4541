/* SPDX-License-Identifier: Apache-2.0
 *
 * Streaming stores: words that go out past the cache, so that a line of dst that is written whole is never
 * read first. Plain stores where the machine has none.
 */
#ifndef RIFFLE_ENGINES_CPU_STREAM_H
#define RIFFLE_ENGINES_CPU_STREAM_H

#include <stdint.h>

#if defined(__x86_64__)
#include <emmintrin.h>

/** Stores an aligned word past the cache. */
static inline void stream_word(uint64_t *to, uint64_t word) {
    _mm_stream_si64((long long *)to, (long long)word);
}

/** Orders streamed words before all later stores; once after a thread's last. */
static inline void stream_finish(void) { _mm_sfence(); }
#else
static inline void stream_word(uint64_t *to, uint64_t word) { *to = word; }
static inline void stream_finish(void) {}
#endif

#endif
