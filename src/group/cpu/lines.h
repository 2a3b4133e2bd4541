/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of short rows on their way to their groups, a part's: a line for each group, a few of the cache's, which goes out as a whole, past the
 * cache:
 *
 *     rows     ... | line | line | line | ...      lines as memory has them: rows of a group may begin within one
 *     lines          ^ the group's line, filled up to where the next row goes
 *
 * A line that a part does not fill alone, its first or its last of a group, goes out by the bytes that are the part's.
 */
#ifndef RIFFLE_GROUP_CPU_LINES_H
#define RIFFLE_GROUP_CPU_LINES_H

#include <stdbool.h>

#include "base/element_size.h"
#include "base/simd/stream.h"

typedef struct group_lines {
    char *lines;   /**< one more than groups: rows that are left out have the last */
    unsigned bits; /**< bytes of a line: 2^bits */
    uint32_t groups;
    size_t row_bytes;       /**< 1, 2, 4, 8 or 16 */
    char *rows;             /**< where row 0 goes */
    const uintptr_t *first; /**< where the part's first row of each group goes */
    uintptr_t *next;        /**< where its next one goes, of loops that know addresses */
    uint64_t *next_row;     /**< the same as a place, of loops that know places */
} group_lines;

/** Puts so many rows, the first at `from`, into the lines of their groups, and full lines out. Writes rows' places, RIFFLE_GROUP_NOWHERE for
 *  one that is left out, unless places is NULL. Places are below 2^32, and no group is ever full. */
typedef void group_collect(const group_lines *l, const uint32_t *groups, size_t count, const char *from,
                           uint64_t *places);
group_collect group_collect_avx512;

/** Sends out what the group's line has, up to the address `end`, which is not in a line that was sent before. */
ALWAYS_INLINE void group_line_send(const group_lines *l, uint32_t group, uintptr_t end) {
    const size_t line_bytes = (size_t)1 << l->bits;
    const uintptr_t line = (end - 1) & ~(uintptr_t)(line_bytes - 1);
    const char *const held = l->lines + ((size_t)group << l->bits);
    if (group == l->groups) return;
    const uintptr_t from = line > l->first[group] ? line : l->first[group];
    if (end - from == line_bytes)
        stream_copy((char *)line, held, line_bytes);
    else
        memcpy((char *)from, held + (from - line), end - from);
}

#endif
