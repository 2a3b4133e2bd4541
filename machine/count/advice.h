/* SPDX-License-Identifier: Apache-2.0
 *
 * Remedies for a wasteful site. Each is tried before it is told: the site's kept accesses, and those of all other sites to the
 * same array, are counted again as they would be with the remedy. None may break an access: what moves as one stays whole and
 * aligned.
 *
 *     padding      row r moves by r * pad bytes, a pad being the array's widest access
 *     swizzle      in row r the piece k, of as many bytes, moves to k ^ r % 8, say: no memory is lost
 *     tile         a block's warps fill each other's gaps, so that through shared memory each sector is moved once
 */
#ifndef RIFFLE_MACHINE_COUNT_ADVICE_H
#define RIFFLE_MACHINE_COUNT_ADVICE_H

#include "machine/count/rounds.h"

enum { ADVICE_TEXT = 448 };

/** An array that a site accesses. */
typedef struct advice_array {
    const char *name;
    uint64_t bytes;
    unsigned
        unit; /**< bytes that some access moves at once: a remedy leaves them together, at a multiple of as many */
    uint64_t
        stretch; /**< bytes that a copy in bulk lays side by side: rows are padded behind as many at the least, and no piece changes places */
    bool fixed;  /**< static shared memory, which the language limits */
} advice_array;

/** One or two clauses, "" if nothing is known. The rounds are over. */
void advice_say(const rounds *r, const site *s, const advice_array *array, char out[static ADVICE_TEXT]);

#endif
