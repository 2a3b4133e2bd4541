/* SPDX-License-Identifier: Apache-2.0
 *
 * A sort of keys of 4, 8 or 16 bytes as launches, the same on a GPU and on the memory machine.
 */
#ifndef RIFFLE_SORT_GPU_LAUNCHES_H
#define RIFFLE_SORT_GPU_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arithmetic.h"
#include "sort/kernels/kernel.h"

enum { SORT_MOST_LEVELS = 2 };

/** The keys to sort. */
typedef struct sort_request {
    uint32_t n;                  /**< at least 1 */
    uint32_t segments;           /**< each is sorted by itself; at least 1 where it says where they begin */
    bool is_segmented;           /**< sort_buffers says where they begin; else all keys are one */
    bool is_uneven;              /**< the same, for any lengths */
    uint32_t needed, needed_end; /**< places of the result that are asked for; none: all */
    bool has_rest; /**< all others have what belongs before those, or behind, in any order; else anything */
    uint32_t key_bytes; /**< 4, 8 or 16 */
    bool carries;       /**< 4 bytes go along with each key, and equal keys keep their order */
    sort_coding coding;
    bool is_checked; /**< launches add codes up, which those of strips do not */
    bool is_coded; /**< numbers are read and written, which are not their own codes */
} sort_request;

/** A level of k-partition. */
typedef struct sort_level {
    uint32_t segments, piece, pieces, bucket, ways, levels, row, samples;
    size_t begin, first_piece, splitters, are_alike, counts; /**< offsets in the workspace */
} sort_level;

/** How it is cut. */
typedef struct sort_steps {
    unsigned count; /**< number of levels: 0 if a block sorts all, or each segment */
    sort_level level[SORT_MOST_LEVELS];
    unsigned leaf_first, leaf_last; /**< launches for leaves, of SORT_LEAF_SIZES */
    bool has_short;                 /**< before them, one for several segments in a warp */
    bool is_longer;                 /**< leaves may be too long for these */
    size_t leaf_begin, rest, window;
    size_t keys, carried;     /**< a second array of each */
    unsigned multiprocessors; /**< 1 where a block sorts all */
    bool has_leaves;          /**< else one array is longer than they are, and a block sorts it */
    uint32_t strips, parts;   /**< instead of all that: strips, joined by parts where there are several; 0: there are none */
    unsigned strip_size;      /**< the launches' for these, of SORT_JOIN_SIZES */
    size_t bytes;             /**< bytes of the workspace */
} sort_steps;

/** A check that launches add up codes for: of results, by what the first level reads, or of passes, by what each reads. */
typedef struct sort_compared {
    check_record *record; /**< NULL: nobody asks */
    bool are_passes;
} sort_compared;

typedef struct sort_buffers {
    const void *from; /**< all are the device's */
    void *to;
    const uint32_t *carried_from; /**< NULL: their places */
    uint32_t *carried_to;
    uint32_t *
        begin; /**< begins of segments (sort/kernels/levels/sort_segments.cu): segments + 1; NULL: nobody asks */
    void *workspace;
    sort_compared compared;
} sort_buffers;

/** Segments that there are, all keys being one where nothing says where they begin. */
static inline uint32_t sort_segment_count(const sort_request *r) { return r->is_segmented ? r->segments : 1; }

/** Keys of the longest segment, as far as that is known. */
static inline uint32_t sort_longest_segment(const sort_request *r) {
    return r->is_uneven ? r->n : ceil_div(r->n, sort_segment_count(r));
}

/** Leaves: the last level's buckets, or the segments. */
static inline size_t sort_leaf_count(const sort_request *r, const sort_steps *s) {
    const sort_level *const last = s->count > 0 ? &s->level[s->count - 1] : NULL;
    return last != NULL ? (size_t)last->segments * last->row : sort_segment_count(r);
}

/** The shape for a GPU of so many multiprocessors. */
sort_steps sort_choose_steps(const sort_request *r, unsigned multiprocessors);

/** That of `levels` levels of k-partition, with leaves of about `leaf` keys and pieces of at most `piece`. */
sort_steps sort_cut(const sort_request *r, unsigned levels, uint32_t leaf, uint32_t piece,
                    unsigned multiprocessors);

/** True if launches ask where segments begin: not if all have one length and are leaves. */
bool sort_needs_begin(const sort_request *r, const sort_steps *s);

/** The last stage (work.h): that of the leaves, or of the parts that are joined. */
static inline unsigned sort_last_stage(const sort_steps *s) { return s->parts > 0 ? 1 : s->count; }

/** Appends the launches. Results may take the place of what they are made of. */
void launch_sort(const sort_request *r, const sort_steps *s, const sort_buffers *b, launch_list *out);

#endif
