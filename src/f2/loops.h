/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops that matrices over F2 are made of, for each set of vector instructions. All are written once, in loops.inc.
 *
 * A product adds up entries of tables (four Russians). A group is the bits of F2_FIELD columns of the left factor, `fields` times, in a
 * word; each field has a table of the sums of the F2_FIELD rows of the right factor that its bits may name:
 *
 *     group     field 0 | field 1 | ...                 tables   [fields][F2_ENTRIES] rows of a panel
 *               7 bits    7 bits
 *     panel     `panel` words of each row of the result, one below the other
 *
 * The tables of a group fit a first-level cache, a panel a second-level one.
 */
#ifndef RIFFLE_F2_LOOPS_H
#define RIFFLE_F2_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/processor/vectors.h"

enum {
    F2_FIELD = 7,
    F2_ENTRIES = 1 << F2_FIELD,
    F2_MOST_FIELDS = 8,
    F2_MOST_PANEL = 8, /* words */
    F2_TILE = 8,       /* words of a tile's row, for a transpose: a cache line */
};

/** No row has the bit. */
#define F2_NO_KEY INT64_MAX

typedef struct f2_loops {
    unsigned fields; /**< fields of a group */
    unsigned panel;  /**< words, also of a table's entry */
    /** Makes a group's tables of its fields * F2_FIELD rows, `panel` words each, side by side. Both are aligned to 64 bytes. */
    void (*make_tables)(uint64_t *tables, const uint64_t *rows);
    /** Adds to each row of a panel the entries that its group names. Panel and tables are aligned to 64 bytes. */
    void (*add_entries)(uint64_t *panel, const uint64_t *groups, size_t rows, const uint64_t *tables);
    /** to += a. */
    void (*add)(uint64_t *to, const uint64_t *a, size_t words);
    /** to = a + b. */
    void (*sum)(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t words);
    /** Adds `pivot` to each of `rows` words that has the bit `bit`. Returns the least key, none negative, of those that have the bit
     *  `next` then, or F2_NO_KEY. */
    int64_t (*eliminate)(uint64_t *column, const int64_t *keys, size_t rows, unsigned bit, uint64_t pivot,
                         unsigned next);
    /** Transposes the F2_TILE squares of 64 x 64 bits that lie side by side in 64 rows of F2_TILE words, each where it is. */
    void (*turn)(uint64_t *tile);
} f2_loops;

extern const f2_loops f2_loops_portable;
#if defined(__x86_64__)
extern const f2_loops f2_loops_avx2, f2_loops_avx512;
#elif defined(__aarch64__)
extern const f2_loops f2_loops_neon;
#endif

/** By set; NULL where none are written. */
extern const f2_loops *const f2_loops_of[VECTOR_SETS];

/** By the best set that may run. */
const f2_loops *f2_loops_best(void);

#endif
