/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of runs. C libraries copy some KiB and more by `rep movsb`, which on AMD's processors from Zen 3 on takes 13 to 30 times as long where
 * dst begins 1 to 31 bytes behind src, but for whole pages (256 KiB: 86 us, and 6.4). Shorter pieces are copied by vectors.
 */
#ifndef RIFFLE_BASE_SIMD_COPY_H
#define RIFFLE_BASE_SIMD_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    COPY_PAGE_BYTES = 4096,
    COPY_LINE_BYTES = 64,
    COPY_CLOSE_BYTES = 32,        /* as far apart it is quick again */
    COPY_PIECE_BYTES = 2048,      /* glibc takes rep movsb from 2112 on, */
    COPY_PIECES_BYTES = 1u << 20, /* and stores around the caches from some 768 KiB on */
};

/** memcpy, as quick for all places. Pieces begin at lines of dst. */
static inline void copy_run(void *dst, const void *src, size_t bytes) {
    const size_t behind = ((uintptr_t)dst - (uintptr_t)src) % COPY_PAGE_BYTES;
    char *to = dst;
    const char *from = src;
    if (behind > 0 && behind < COPY_CLOSE_BYTES && bytes <= COPY_PIECES_BYTES) {
        size_t most = COPY_PIECE_BYTES;
        __asm__("" : "+r"(most)); /* a length that a compiler knows becomes rep movsq */
        for (size_t piece = most - (uintptr_t)to % COPY_LINE_BYTES; bytes > most; piece = most) {
            memcpy(to, from, piece);
            to += piece, from += piece, bytes -= piece;
        }
    }
    memcpy(to, from, bytes);
}

#endif
