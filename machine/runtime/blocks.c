/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/blocks.h"

#include <stdlib.h>
#include <string.h>

/* A shared array's bytes, and what is known of them. */
typedef struct shared_image {
    machine_array *array;
    shadow shadow;
    void *bytes;
} shared_image;

launch_thread *blocks_threads(const launch_state *l) {
    launch_thread *thread = calloc(l->threads, sizeof *thread);
    const machine_shape block = l->launch->block;
    for (unsigned t = 0; thread != NULL && t < l->threads; t++)
        thread[t].index = (machine_index){t % block.x, t / block.x % block.y, t / block.x / block.y};
    return thread;
}

void blocks_free_threads(launch_thread *thread, unsigned threads) {
    for (unsigned t = 0; thread != NULL && t < threads; t++) {
        free(thread[t].image);
        context_destroy(thread[t].context);
        frames_free(&thread[t].frames);
        copies_free(&thread[t].copies);
        bulk_reads_free(&thread[t].reads);
        products_free(&thread[t].products);
    }
    free(thread);
}

static bool put_stacks_away(launch_state *l) {
    for (unsigned t = 0; t < l->threads; t++) {
        launch_thread *one = &l->thread[t];
        if (one->context == NULL) continue;
        one->image = context_put_away(one->context);
        if (one->image == NULL) return false;
        one->context = NULL;
    }
    return true;
}

static void bring_stacks_back(launch_state *l) {
    for (unsigned t = 0; t < l->threads; t++) {
        launch_thread *one = &l->thread[t];
        if (one->image != NULL) one->context = context_bring_back(one->image);
        one->image = NULL;
    }
}

/* Another kernel's shared arrays are not the block's. */
static bool is_of_block(const launch_state *l, const machine_array *a) {
    return a->space == SPACE_SHARED && a->bytes > 0 && a->home == NULL &&
           (a->code == 0 || l->code == 0 || a->code == l->code);
}

static bool put_array_away(shared_image *out, machine_array *array) {
    *out = (shared_image){.array = array, .bytes = malloc(array->bytes)};
    shadow empty;
    if (out->bytes == NULL || !shadow_init(&empty, array->shadow.bytes, true)) return false;
    memcpy(out->bytes, (const void *)array->start, array->bytes);
    out->shadow = array->shadow;
    array->shadow = empty;
    return true;
}

static bool put_shared_away(launch_state *l, waiting_block *w) {
    w->shared = calloc(l->arrays->count + 1, sizeof *w->shared);
    if (w->shared == NULL) return false;
    for (size_t k = 0; k < l->arrays->count; k++) {
        machine_array *array = l->arrays->array[k];
        if (is_of_block(l, array) && !put_array_away(&w->shared[w->shared_count++], array)) return false;
    }
    return true;
}

static void bring_shared_back(waiting_block *w) {
    for (size_t k = 0; k < w->shared_count; k++) {
        const shared_image *one = &w->shared[k];
        if (one->shadow.cell == NULL) continue;
        shadow_free(&one->array->shadow);
        one->array->shadow = one->shadow;
        memcpy((void *)one->array->start, one->bytes, one->array->bytes);
    }
}

static void free_shared(waiting_block *w) {
    for (size_t k = 0; k < w->shared_count; k++) free(w->shared[k].bytes);
    free(w->shared);
}

/* Shared memory of a block of a cluster is where the others find it. */
static bool put_memory_away(launch_state *l, waiting_block *w) {
    if (l->cluster_size == 1) return put_shared_away(l, w);
    windows_put(l->windows, l->rank, l->cluster->base[l->rank]);
    return true;
}

static void bring_memory_back(launch_state *l, waiting_block *w) {
    if (l->cluster_size == 1) {
        bring_shared_back(w);
        free_shared(w);
        return;
    }
    if (w->image != NULL) windows_restore(l->windows, w->rank, w->image);
    windows_take(l->windows, w->rank);
}

bool blocks_show_cluster(launch_state *l, struct cluster *c) {
    if (l->cluster_size == 1 || l->in_windows == c) return true;
    bool saved = true;
    for (size_t k = 0; k < l->waiting_count; k++) {
        waiting_block *w = l->waiting[k];
        if (w == NULL || w->cluster != l->in_windows) continue;
        w->image = windows_save(l->windows, w->rank);
        saved = saved && w->image != NULL;
    }
    for (size_t k = 0; k < l->waiting_count; k++) {
        waiting_block *w = l->waiting[k];
        if (w == NULL || w->cluster != c || w->image == NULL) continue;
        windows_restore(l->windows, w->rank, w->image);
        w->image = NULL;
    }
    l->in_windows = c;
    return saved;
}

waiting_block *blocks_put_away(launch_state *l) {
    waiting_block *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    *w = (waiting_block){.number = l->block, .made = l->made, .is_counted = l->is_counted, .unseen = l->unseen, .thread = l->thread};
    w->releasing = l->releasing;
    w->cluster = l->cluster;
    w->rank = l->rank;
    w->clocks = l->clocks;
    l->clocks = (clock_block){0};
    const bool stacks = put_stacks_away(l);
    l->thread = blocks_threads(l);
    l->releasing = (release_block){.threads = l->threads};
    if (stacks && l->thread != NULL && ordering_put_away(&l->order, &w->order) &&
        rounds_put_away(&l->rounds, &w->counts) && put_memory_away(l, w))
        return w;
    blocks_free(l, w);
    return NULL;
}

bool blocks_are_at_phase(const waiting_block *w, unsigned threads) {
    bool any = false;
    for (unsigned t = 0; t < threads; t++) {
        if (w->thread[t].state == THREAD_READY) return false;
        any |= w->thread[t].state == THREAD_AT_PHASE;
    }
    return any;
}

bool blocks_can_go_on(const waiting_block *w, unsigned threads) {
    if (w->at_grid) return false;
    for (unsigned t = 0; w->at_phase && t < threads; t++) {
        const launch_thread *one = &w->thread[t];
        if (one->state == THREAD_AT_PHASE && one->waits->number > one->waits_for) return true;
    }
    return !w->at_phase;
}

bool blocks_are_at_grid(const waiting_block *w, unsigned threads) {
    bool any = false;
    for (unsigned t = 0; t < threads; t++) {
        const thread_state state = w->thread[t].state;
        if (state != THREAD_LEFT && state != THREAD_AT_GRID_BARRIER) return false;
        any |= state == THREAD_AT_GRID_BARRIER;
    }
    return any;
}

bool blocks_bring_back(launch_state *l, waiting_block *w) {
    blocks_free_threads(l->thread, l->threads);
    release_block_free(&l->releasing);
    l->block = w->number;
    l->made = w->made;
    l->logged = 0;
    l->is_counted = w->is_counted;
    l->unseen = w->unseen;
    l->thread = w->thread;
    l->releasing = w->releasing;
    if (w->order.restarts != l->order.restarts) release_block_free(&l->releasing);
    clocks_free_block(&l->clocks, l->threads);
    l->clocks = w->clocks;
    l->cluster = w->cluster;
    l->rank = w->rank;
    l->order.peers = l->cluster != NULL ? cluster_peers(l->cluster) : (clock_peers){0};
    const bool shown = blocks_show_cluster(l, l->cluster);
    bring_stacks_back(l);
    bring_memory_back(l, w);
    rounds_bring_back(&l->rounds, &w->counts);
    const bool ordered = ordering_bring_back(&l->order, &w->order);
    free(w);
    return ordered && shown;
}

void blocks_forget_segments(waiting_block *w) {
    for (size_t k = 0; k < w->shared_count; k++)
        shadow_forget_segments(&w->shared[k].shadow, w->order.block_base);
    windows_forget_image(w->image, SEGMENT_FIRST);
}

void blocks_free(launch_state *l, waiting_block *w) {
    if (l->cluster_size == 1 || w->image != NULL || w->cluster == l->in_windows) bring_memory_back(l, w);
    for (unsigned t = 0; w->thread != NULL && t < l->threads; t++) {
        copies_drop(&w->thread[t].copies);
        bulk_reads_drop(&w->thread[t].reads);
        products_drop(&w->thread[t].products);
    }
    clocks_free_block(&w->clocks, l->threads);
    blocks_free_threads(w->thread, l->threads);
    ordering_block_free(&w->order);
    release_block_free(&w->releasing);
    rounds_block_free(&w->counts);
    free(w);
}
