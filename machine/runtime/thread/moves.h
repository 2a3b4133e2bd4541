/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that move beside a launch's threads: bulk copies (cp.async.bulk, TMA) and factors that wgmma reads by descriptors. An H200 counts them in sectors of 32
 * bytes and in wavefronts of 128, by no lanes and without conflicts of banks.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_MOVES_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_MOVES_H

#include "machine/count/report.h"

typedef struct move {
    const void *pc;
    report_move_kind kind;
    uint64_t times, bytes, requests;
} move;

typedef struct moves {
    move *move;
    size_t count, capacity;
} moves;

/** Sectors of global memory that these bytes have a part in. */
static inline uint64_t moves_sectors(uintptr_t at, size_t bytes) {
    return bytes > 0 ? (at + bytes - 1) / 32 - at / 32 + 1 : 0;
}

/** Adds to the one of its place and kind. False without memory. */
bool moves_add(moves *all, const move *one);
void moves_free(moves *all);

#endif
