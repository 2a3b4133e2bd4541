/* SPDX-License-Identifier: Apache-2.0
 *
 * A sort while its launches are appended: what is sorted, how it is cut and where it lies, none of which changes. Keys, and
 * what goes along, are in turn in the second array and where the result belongs:
 *
 *     stage 0   from -> second array       level 0
 *     stage 1           second array -> to                    level 1
 *     stage 2                           to -> to              leaves; with fewer levels they are an earlier stage
 *
 * Few keys have two stages, strips and parts.
 */
#ifndef RIFFLE_SORT_GPU_WORK_H
#define RIFFLE_SORT_GPU_WORK_H

#include "sort/gpu/codes/launches.h"

typedef struct sort_work {
    const sort_request *r;
    const sort_steps *s;
    const sort_buffers *b;
    launch_list *out;
} sort_work;

/** A table of the kernels for keys of 4, 8 and 16 bytes, and a key's place in it. */
#define OF_EACH_KEY(name)                                                                                      \
    { &KERNEL_##name##_4, &KERNEL_##name##_8, &KERNEL_##name##_16 }

static inline unsigned sort_key_place(const sort_request *r) {
    return r->key_bytes == 4 ? 0 : r->key_bytes == 8 ? 1 : 2;
}

/** The workspace from an offset on. */
static inline void *sort_at(const sort_work *w, size_t offset) { return (char *)w->b->workspace + offset; }

/** The keys that a stage reads, and those that it writes; the leaves' stage is the number of levels. */
const void *sort_read_by(const sort_work *w, unsigned stage);
void *sort_written_by(const sort_work *w, unsigned stage);

/** The words that go along with the keys of a stage. */
sort_carried sort_carried_by(const sort_work *w, unsigned stage);

/** How a stage reads and writes keys: the first one may read numbers, the leaves' may write them. */
sort_coder sort_coder_of(const sort_work *w, unsigned stage);

/** How often the codes that a stage reads are added to the record: those of the first are, and for a check of passes the leaves take theirs from
 *  it, and so everything that went wrong between, wherever it was. */
sort_summed sort_summed_by(const sort_work *w, unsigned stage);

/** True if leaves of equal keys stay where the last level has put them, unread: not where what goes along with them is added up. */
bool sort_alike_stay(const sort_work *w);

/** True if the second level of one array sorts only what is asked for. */
bool sort_has_window(const sort_work *w);

/** Where the last level's buckets begin, or segments do. */
const uint32_t *sort_leaf_begin(const sort_work *w);

/** Append a level's launches, those of the leaves, and those of few keys instead. */
void launch_sort_level(const sort_work *w, unsigned level);
void launch_sort_leaves(const sort_work *w);
void launch_sort_join(const sort_work *w);

#endif
