/* SPDX-License-Identifier: Apache-2.0
 *
 * Shadow memory: for every granule of an array (16 bytes, or the size of the smallest access that has been seen; of shared
 * memory 4 at most) the segments that last wrote and read it, and the sites at which they did. A cell has 16 bytes: four for each of the
 * array's where it is accessed by 4.
 *
 *     writer   0 never written, but perhaps defined by the host (defined_from, defined_to) | 1 written by the host | a segment, with whether it was an atomic
 *     reader   0 not read since it was written         | a segment, with whether an asynchronous copy is under way to the cell
 *
 * Each also tells how far the last of them is from others that it was not ordered with (a relation), so that
 * two numbers stand for any number of threads: what a later access must be ordered with is all of them.
 */
#ifndef RIFFLE_MACHINE_CHECK_SHADOW_H
#define RIFFLE_MACHINE_CHECK_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/check/ordering.h"
#include "machine/count/report.h"

/** How an access stands to those of other blocks at its place. */
typedef enum shadow_strength {
    SHADOW_WEAK,
    SHADOW_VOLATILE, /**< no race with reads of the kind */
    SHADOW_ORDERED,  /**< a write with an order of its own: nor with writes of either kind */
    SHADOW_ASYNC,    /**< a bulk copy's write, which is weak */
} shadow_strength;

typedef struct shadow_cell {
    uint32_t writer, reader;
    uint16_t writer_site, reader_site;
    uint16_t
        other_reader_site;   /**< the site of one that the last reader is not ordered with; 0: none is known */
    uint8_t writer_strength; /**< a shadow_strength */
    bool reader_strong : 1;  /**< volatile, or of an order of its own; all readers that are not ordered */
    bool is_read : 1;        /**< by a bulk copy that is under way */
} shadow_cell;

typedef struct shadow {
    shadow_cell *cell;
    size_t bytes; /**< bytes of the array */
    size_t defined_from,
        defined_to;   /**< the longest piece that the host has written: its cells are not touched */
    unsigned shift;   /**< log2 of the granule's bytes */
    bool touched;     /**< something may be known of a cell */
    bool block_local; /**< shared memory: what earlier blocks did is forgotten */
    uint32_t
        oldest; /**< of a block that does not run: its first segment; 0: the running block's, or not shared */
} shadow;

/** An access that another raced with. */
typedef struct shadow_race {
    bool found, atomic;
    uint16_t site;    /**< as shadow_accessor has it */
    uint32_t segment; /**< the thread's; 0 where that is no longer known */
} shadow_race;

/** The findings of an access: over all of its cells, the first race of each kind. */
typedef struct shadow_finding {
    bool uninitialized;
    bool marked; /**< a copy is under way there, or from there where the access writes */
    shadow_race with_write, with_read;
} shadow_finding;

/** Who accesses. */
typedef struct shadow_accessor {
    const ordering *order;
    unsigned thread;
    uint32_t segment;
    uint16_t site; /**< 1 + its number; 0 if that is beyond the range */
    shadow_strength strength;
    bool follows; /**< it has acquired what the last strong write there released */
} shadow_accessor;

/** All never written. False without memory. */
bool shadow_init(shadow *s, size_t bytes, bool block_local);
void shadow_free(shadow *s);

/** The host has written these bytes. False without memory. */
bool shadow_define(shadow *s, size_t offset, size_t bytes);

/** Forgets who has read and written, but not what is defined: before ordering_restart. */
void shadow_forget_segments(shadow *s, uint32_t block_base);

/** A copy is under way to these bytes, which have been accessed in its name; or not any more. */
void shadow_mark(shadow *s, size_t offset, size_t bytes);
void shadow_unmark(shadow *s, size_t offset, size_t bytes);

/** A bulk copy reads these bytes, which it has accessed; or does not any more. */
void shadow_mark_read(shadow *s, size_t offset, size_t bytes, bool reads);

/** The cell of a byte, and how many bytes from there on it tells of. */
const shadow_cell *shadow_cell_at(const shadow *s, size_t offset, size_t *bytes);

/** The segment of a cell's last writer, and 1 if that was the host. */
uint32_t shadow_writer(const shadow_cell *cell);

/** A copy has come to these bytes: it counts as a write of now, of the strength that it has. */
void shadow_land(shadow *s, size_t offset, size_t bytes, const shadow_accessor *who);

/** Checks an access and remembers it. Both lie within the array. False without memory. */
bool shadow_access(shadow *s, size_t offset, size_t bytes, report_op op, const shadow_accessor *who,
                   shadow_finding *found);

#endif
