/* SPDX-License-Identifier: Apache-2.0
 *
 * Streaming stores: words that go out past the cache, so that a line of dst that is written whole is never
 * read first. Plain stores where the machine has none.
 */
#ifndef RIFFLE_BASE_SIMD_STREAM_H
#define RIFFLE_BASE_SIMD_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>

/** Stores an aligned word past the cache. */
static inline void stream_word(uint64_t *to, uint64_t word) {
    _mm_stream_si64((long long *)to, (long long)word);
}

/** Copies `bytes` bytes, past the cache where both the place and the length are whole 16-byte words. */
static inline void stream_copy(char *to, const char *from, size_t bytes) {
    if (((uintptr_t)to | bytes) % sizeof(__m128i) != 0) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += sizeof(__m128i)) {
        _mm_stream_si128((__m128i *)(void *)(to + at),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
    }
}

/** Orders streamed words before all later stores; once after a thread's last. */
static inline void stream_finish(void) { _mm_sfence(); }
#else
static inline void stream_word(uint64_t *to, uint64_t word) { *to = word; }
static inline void stream_copy(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }
static inline void stream_finish(void) {}
#endif

#endif
