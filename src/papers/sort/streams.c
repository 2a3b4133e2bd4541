/* SPDX-License-Identifier: Apache-2.0
 *
 * Items stay where they were read to; what is sorted are the numbers of their places. They are listed stream after stream
 * before a sort, which is stable.
 */
#include "papers/sort/streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct memory {
    const stream_merge *merge;
    unsigned char *items; /* memory_blocks of them, and a block for what is written */
    uint32_t *stream;     /* stream of the item at a place */
    uint64_t *order;      /* places of the items that are held, in order */
    uint64_t *room;       /* as long */
    uint64_t *first;      /* where a stream's places begin in a list of all */
    unsigned char *rank;  /* an item of each stream: the last that was read */
    bool *has_rank;
    uint32_t *next;        /* a heap of the streams that have not ended, the one to read first in front */
    uint32_t waiting;      /* how many they are */
    uint64_t held, places; /* items; places that there are */
    uint64_t left;         /* items that the streams may still bring */
} memory;

static unsigned char *item(const memory *m, uint64_t place) { return m->items + place * m->merge->item_bytes; }

static riffle_status allocate(const stream_merge *merge, memory *m) {
    const uint64_t all = merge->items + merge->block, k = merge->streams;
    uint64_t places = (uint64_t)merge->memory_blocks * merge->block;
    if (places > all) places = all;
    *m = (memory){.merge = merge, .places = places, .left = merge->items};
    size_t bytes, bookkeeping;
    if (!multiply_sizes(places + merge->block, merge->item_bytes, 1, &bytes) ||
        !multiply_sizes(places, sizeof *m->order, 1, &bookkeeping))
        return fail_memory("blocks of streams", SIZE_MAX);
    m->items = malloc(bytes);
    m->stream = malloc(places * sizeof *m->stream);
    m->order = malloc(places * sizeof *m->order);
    m->room = malloc(places * sizeof *m->room);
    m->first = malloc((k + 1) * sizeof *m->first);
    m->rank = malloc(k * merge->item_bytes);
    m->has_rank = calloc(k, sizeof *m->has_rank);
    m->next = malloc(k * sizeof *m->next);
    if (m->items != NULL && m->stream != NULL && m->order != NULL && m->room != NULL && m->first != NULL &&
        m->rank != NULL && m->has_rank != NULL && m->next != NULL)
        return RIFFLE_OK;
    return fail_memory("blocks of streams", bytes);
}

static void release(memory *m) {
    free(m->items);
    free(m->stream);
    free(m->order);
    free(m->room);
    free(m->first);
    free(m->rank);
    free(m->has_rank);
    free(m->next);
}

/* True if stream a is to be read before b: by rank, and the first of equals. A stream that was not read has the smallest rank. */
static bool is_read_before(const memory *m, uint32_t a, uint32_t b) {
    const stream_merge *const merge = m->merge;
    const unsigned char *const rank_a = m->rank + a * merge->item_bytes;
    const unsigned char *const rank_b = m->rank + b * merge->item_bytes;
    if (!m->has_rank[a] || !m->has_rank[b]) return m->has_rank[a] == m->has_rank[b] ? a < b : !m->has_rank[a];
    return a < b ? !merge->before(merge->order, rank_b, rank_a) : merge->before(merge->order, rank_a, rank_b);
}

/* No stream was read: in order of their numbers they are a heap. */
static void begin_heap(memory *m) {
    m->waiting = m->merge->streams;
    for (uint32_t s = 0; s < m->waiting; s++) m->next[s] = s;
}

/* Puts the stream in front to its place. */
static void sink_front(memory *m) {
    const uint32_t front = m->next[0];
    uint64_t place = 0;
    for (uint64_t child = 1; child < m->waiting; child = 2 * place + 1) {
        if (child + 1 < m->waiting && is_read_before(m, m->next[child + 1], m->next[child])) child++;
        if (!is_read_before(m, m->next[child], front)) break;
        m->next[place] = m->next[child];
        place = child;
    }
    m->next[place] = front;
}

/* Reads a block of the stream in front to free places, which are those behind the items held. */
static riffle_status read_block(memory *m) {
    const stream_merge *const merge = m->merge;
    const uint32_t s = m->next[0];
    uint32_t count = 0;
    const riffle_status status = merge->read(merge->context, s, item(m, m->held), &count);
    if (status != RIFFLE_OK) return status;
    if (count > merge->block || count > m->left)
        return fail(RIFFLE_ERROR_INTERNAL,
                    "a stream brought more than a block, or than there is; please report this");
    for (uint32_t k = 0; k < count; k++) {
        m->stream[m->held + k] = s;
        m->order[m->held + k] = m->held + k;
    }
    m->held += count;
    m->left -= count;
    if (count > 0) {
        m->has_rank[s] = true;
        memcpy(m->rank + s * merge->item_bytes, item(m, m->held - 1), merge->item_bytes);
    }
    if (count < merge->block) m->next[0] = m->next[--m->waiting];
    if (m->waiting > 0) sink_front(m);
    return RIFFLE_OK;
}

/* Places stream after stream, in each as they are listed, which is as they were read: then in order. */
static void sort_all(memory *m) {
    if (m->merge->sorts != NULL) ++*m->merge->sorts;
    memset(m->first, 0, (m->merge->streams + 1) * sizeof *m->first);
    for (uint64_t k = 0; k < m->held; k++) m->first[m->stream[m->order[k]] + 1]++;
    for (uint32_t s = 0; s < m->merge->streams; s++) m->first[s + 1] += m->first[s];
    for (uint64_t k = 0; k < m->held; k++) m->room[m->first[m->stream[m->order[k]]]++] = m->order[k];
    memcpy(m->order, m->room, m->held * sizeof *m->order);
    sort_definition(m->merge->before, m->merge->order, m->items, m->merge->item_bytes, m->order, m->room,
                    m->held);
}

/* The first `count` items in order, a block at a time. */
static riffle_status write_first(const memory *m, uint64_t count) {
    const stream_merge *const merge = m->merge;
    unsigned char *const out = item(m, m->places);
    riffle_status status = RIFFLE_OK;
    for (uint64_t at = 0; status == RIFFLE_OK && at < count; at += merge->block) {
        const uint64_t some = count - at < merge->block ? count - at : merge->block;
        for (uint64_t k = 0; k < some; k++)
            memcpy(out + k * merge->item_bytes, item(m, m->order[at + k]), merge->item_bytes);
        status = merge->write(merge->context, out, some);
    }
    return status;
}

/* Moves what is left to the first places, in the order in which it lies there, and keeps its order. */
static void forget_first(memory *m, uint64_t count) {
    const uint64_t none = m->places;
    uint64_t to = 0;
    for (uint64_t k = 0; k < m->held; k++) m->room[k] = none;
    for (uint64_t k = count; k < m->held; k++) m->room[m->order[k]] = k - count;
    for (uint64_t place = 0; place < m->held; place++) {
        if (m->room[place] == none) continue;
        if (to != place) memcpy(item(m, to), item(m, place), m->merge->item_bytes);
        m->stream[to] = m->stream[place];
        m->order[m->room[place]] = to; /* entries of the first are not needed any more */
        to++;
    }
    m->held = to;
}

static riffle_status run(memory *m) {
    const stream_merge *const merge = m->merge;
    const uint64_t keep = (uint64_t)(merge->streams - 1) * merge->block;
    riffle_status status = RIFFLE_OK;
    begin_heap(m);
    while (status == RIFFLE_OK && m->waiting > 0) {
        while (status == RIFFLE_OK && m->waiting > 0 && m->places - m->held >= merge->block)
            status = read_block(m);
        if (status != RIFFLE_OK || m->waiting == 0) break;
        sort_all(m);
        status = write_first(m, m->held - keep);
        forget_first(m, m->held - keep);
    }
    if (status != RIFFLE_OK) return status;
    sort_all(m);
    return write_first(m, m->held);
}

riffle_status stream_merge_run(const stream_merge *merge) {
    memory m;
    if (merge->streams == 0 || merge->block == 0 || merge->memory_blocks < merge->streams)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "memory of %u blocks for %u streams; it takes one for each",
                    (unsigned)merge->memory_blocks, (unsigned)merge->streams);
    riffle_status status = allocate(merge, &m);
    if (status == RIFFLE_OK) status = run(&m);
    release(&m);
    return status;
}
