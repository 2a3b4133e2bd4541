/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/top.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/threads/team.h"
#include "sort/cpu/order.h"
#include "sort/cpu/room.h"
#include "sort/cpu/scan/top_scan.h"
#include "sort/cpu/two_phase.h"

enum {
    LEAST_SAMPLES = 1 << 10, /* a place far away takes as long as many near: */
    MOST_SAMPLES = 1 << 14,
    NEIGHBOURS = 8, /* samples of one place */
    DEVIATIONS = 5,
    LEAST = 1 << 12,       /* elements of a segment */
    SHARE = 32,            /* no more than this part is selected, */
    FEW_SHARE = 128,       /* by few threads: one does all that comes instead */
    COUNTED_SHARE = 1024,  /* and of numbers that are counted instead */
    FEW_THREADS = 4,       /* fewer are few; and twice as many are of numbers that are counted instead */
    SPARE = 1 << 10,       /* elements that a list has room for besides */
    ALL_THREADS = 1 << 18, /* elements of a segment that all threads select from */
    ARRAYS = 5,            /* each has as many words as there is room for */
    LIST_BYTES = 16,       /* as many as an order with room to merge has */
};

/* The most of a segment that are selected. Halves have no fast scan, and are counted sooner by one thread. */
static uint64_t most_of(const riffle_sort_plan *plan, uint64_t length) {
    const sort_field *const field = &plan->layout.field[0];
    const bool is_counted = plan->is_number && field->bytes <= 2;
    if (plan->base.threads >= (is_counted ? 2 * FEW_THREADS : FEW_THREADS)) return length / SHARE;
    if (!is_counted) return length / FEW_SHARE;
    return field->kind == RIFFLE_SORT_KEY_FLOAT ? 0 : length / COUNTED_SHARE;
}

bool top_serves(const riffle_sort_plan *plan) {
    const sort_field *const field = &plan->layout.field[0];
    const uint64_t length = plan->n / plan->segments;
    return plan->task == RIFFLE_SORT_TASK_TOP && plan->key.before == NULL &&
           sort_layout_is_number(&plan->layout) && field->kind != RIFFLE_SORT_KEY_BYTES && field->bytes <= 8 &&
           length >= LEAST && plan->count > 0 && plan->count <= most_of(plan, length);
}

/* ------------------------------------------------------------------- sizes */

static uint64_t capacity_of(const riffle_sort_plan *plan) { return plan->count + plan->count / 2 + SPARE; }

/* Any thread may list all that is selected: so many threads that lists take no more than LIST_BYTES for each element. */
static unsigned threads_of(const riffle_sort_plan *plan) {
    const uint64_t list = ARRAYS * capacity_of(plan) * sizeof(uint64_t), most = LIST_BYTES * plan->n / list;
    return (unsigned)min((uint64_t)plan->base.threads, max(most, (uint64_t)1));
}

/* Words of each array. */
static uint64_t words_of(const riffle_sort_plan *plan) { return threads_of(plan) * capacity_of(plan); }

static size_t list_bytes(const riffle_sort_plan *plan) { return ARRAYS * words_of(plan) * sizeof(uint64_t); }

static size_t places_bytes(const riffle_sort_plan *plan) {
    return plan->segments * plan->count * sizeof(uint64_t);
}

/* A thread's bytes to merge in: none where there is one thread. */
static size_t merging_room(const riffle_sort_plan *plan) {
    return two_phase_room(sizeof(uint64_t), threads_of(plan), threads_of(plan));
}

static size_t merging_bytes(const riffle_sort_plan *plan) { return threads_of(plan) * merging_room(plan); }

size_t top_bytes(const riffle_sort_plan *plan) {
    return list_bytes(plan) + places_bytes(plan) + merging_bytes(plan);
}

/* ------------------------------------------------------------------- lists */

/* Elements that have passed, in order of places. */
typedef struct top_list {
    uint64_t *codes, *places, *room, *more, *order; /* [capacity] */
    uint64_t held, capacity;
    top_bound bound;
} top_list;

/* An execution. */
typedef struct top_run {
    const riffle_sort_plan *plan;
    const riffle_sort_arrays *arrays;
    uint64_t *words;  /* lists: [array][thread][capacity] */
    uint64_t *places; /* results: [segment][count] */
    char *merging;
    uint64_t *taken;
} top_run;

/* A stretch of elements. */
typedef struct top_stretch {
    const top_run *run;
    uint64_t first, end;
    top_bound bound;
    uint64_t *held; /* receives what each thread has listed; NULL: nobody asks */
} top_stretch;

static const top_bound no_bound = {UINT64_MAX, false};

/* A thread's list, with room for so many threads'. */
static top_list list_of(const top_run *run, unsigned thread, unsigned threads) {
    const uint64_t capacity = capacity_of(run->plan), all = words_of(run->plan);
    uint64_t *const at = run->words + thread * capacity;
    return (top_list){.codes = at,
                      .places = at + all,
                      .room = at + 2 * all,
                      .more = at + 3 * all,
                      .order = at + 4 * all,
                      .capacity = threads * capacity,
                      .bound = no_bound};
}

/* The list becomes its first `count`, and the bound the last of them. */
static void cut(top_list *list, uint64_t count) {
    if (list->held <= count) return;
    memcpy(list->room, list->codes, list->held * sizeof *list->room);
    sort_words_u64.select(list->room, list->more, list->held, count - 1);
    const uint64_t bound = list->room[count - 1];
    uint64_t ties = count - sort_words_u64.count(list->codes, list->held, bound), kept = 0;
    for (uint64_t i = 0; i < list->held; i++) {
        const uint64_t code = list->codes[i];
        if (code > bound || (code == bound && ties == 0)) continue;
        if (code == bound) ties--;
        list->codes[kept] = code;
        list->places[kept++] = list->places[i];
    }
    list->held = kept;
    list->bound = (top_bound){bound, true};
}

/* ---------------------------------------------------------------- elements */

static uint64_t code_at(const top_run *run, uint64_t i) {
    const sort_field *const field = &run->plan->layout.field[0];
    uint64_t bits = 0;
    memcpy(&bits, (const char *)run->arrays->from_keys + i * field->bytes, field->bytes);
    return run->plan->is_number ? sort_code_of(field, bits)
                                : key_code_of(field->kind, field->bytes, field->descending, bits);
}

/* Lists those of elements first to end - 1 that pass. */
static void look(const top_run *run, top_list *list, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++) {
        const uint64_t code = code_at(run, i);
        if (code > list->bound.code || (code == list->bound.code && list->bound.is_strict)) continue;
        list->codes[list->held] = code;
        list->places[list->held++] = i;
        if (list->held == list->capacity) cut(list, run->plan->count);
    }
}

static void list_all(const top_run *run, top_list *list, uint64_t first, uint64_t end) {
    const sort_field *const field = &run->plan->layout.field[0];
    const char *const from = run->arrays->from_keys;
    while (end - first >= TOP_BLOCK) {
        const uint64_t blocks = (end - first) / TOP_BLOCK;
        uint32_t parts;
        const uint64_t next = top_next_block(field, !run->plan->is_number, from + first * field->bytes, blocks,
                                             list->bound, &parts);
        first += next * TOP_BLOCK;
        if (next == blocks) break;
        for (unsigned part = 0; part < TOP_BLOCK / TOP_PART; part++, first += TOP_PART)
            if ((parts >> part & 1) != 0) look(run, list, first, first + TOP_PART);
    }
    look(run, list, first, end);
}

/* A bound that the first `count` most likely pass: by a sample from all over, in the list's room. */
static top_bound sample(const top_run *run, const top_list *list, uint64_t first, uint64_t end) {
    const uint64_t n = end - first, count = run->plan->count;
    const uint64_t samples =
        max((uint64_t)LEAST_SAMPLES, min(count / NEIGHBOURS * NEIGHBOURS, (uint64_t)MOST_SAMPLES));
    const uint64_t stride = n / (samples / NEIGHBOURS);
    if (stride < 2 * NEIGHBOURS) return no_bound;
    const double mean = (double)count / (double)n * (double)samples;
    const uint64_t rank = (uint64_t)(mean + DEVIATIONS * sqrt(mean) + 2);
    if (rank >= samples) return no_bound;
    for (uint64_t i = 0; i < samples; i++) {
        const uint64_t place = i / NEIGHBOURS;
        list->room[i] =
            code_at(run, first + place * stride + place * 2654435761U % (stride - NEIGHBOURS) + i % NEIGHBOURS);
    }
    sort_words_u64.select(list->room, list->more, samples, rank);
    return (top_bound){list->room[rank], false};
}

/* ---------------------------------------------------------------- segments */

/* The list's places in the order of their codes, at most `count`. */
static void write_places(const top_run *run, top_list *list, uint64_t segment, unsigned threads,
                         unsigned thread) {
    static const sort_layout layout = {
        .elem_bytes = sizeof(uint64_t),
        .fields = 1,
        .key_bytes = sizeof(uint64_t),
        .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = sizeof(uint64_t)}}};
    cut(list, run->plan->count);
    const key_pieces key = key_pieces_of(&layout);
    const size_t room = merging_room(run->plan);
    const ordering all = {.key = &key,
                          .elements = (const unsigned char *)list->codes,
                          .elem_bytes = sizeof(uint64_t),
                          .order = {list->order, sizeof(uint64_t)},
                          .items = list->room,
                          .room = list->more,
                          .merging = room > 0 ? run->merging + thread * room : NULL};
    uint64_t *const to = run->places + segment * run->plan->count;
    order_find(&all, 0, list->held, threads);
    for (uint64_t i = 0; i < list->held; i++) to[i] = list->places[list->order[i]];
}

static void list_share(const void *context, team_member me) {
    const top_stretch *const all = context;
    const team_share blocks = team_share_of((all->end - all->first) / TOP_BLOCK, me);
    top_list list = list_of(all->run, me.number, 1);
    list.bound = all->bound;
    list_all(all->run, &list, all->first + blocks.first * TOP_BLOCK,
             me.number + 1 == me.count ? all->end : all->first + blocks.end * TOP_BLOCK);
    all->held[me.number] = list.held;
}

/* The threads' lists, one behind the other. */
static void join(top_list *list, const uint64_t *held, unsigned threads, uint64_t capacity) {
    list->held = 0;
    for (unsigned k = 0; k < threads; k++) {
        memmove(list->codes + list->held, list->codes + k * capacity, held[k] * sizeof *list->codes);
        memmove(list->places + list->held, list->places + k * capacity, held[k] * sizeof *list->places);
        list->held += held[k];
    }
}

/* A segment by all threads. */
static void select_together(const top_run *run, uint64_t segment, uint64_t first, uint64_t end) {
    const unsigned threads = threads_of(run->plan);
    top_list list = list_of(run, 0, threads);
    top_stretch all = {run, first, end, sample(run, &list, first, end), list.order};
    for (unsigned turn = 0; turn < 2; turn++) {
        memset(all.held, 0, threads * sizeof *all.held);
        team_run(threads, list_share, &all);
        join(&list, all.held, threads, capacity_of(run->plan));
        if (list.held >= run->plan->count) break;
        all.bound = no_bound;
    }
    write_places(run, &list, segment, threads, 0);
}

/* A segment by one thread. */
static void select_alone(const top_run *run, uint64_t segment, uint64_t first, uint64_t end, unsigned thread) {
    top_list list = list_of(run, thread, 1);
    list.bound = sample(run, &list, first, end);
    list_all(run, &list, first, end);
    if (list.held < min(run->plan->count, end - first)) {
        list = list_of(run, thread, 1);
        list_all(run, &list, first, end);
    }
    write_places(run, &list, segment, 1, thread);
}

static uint64_t begin_of(const top_run *run, uint64_t s) {
    return sort_segment_first(run->plan, run->arrays->first, s);
}

static bool is_shared(const top_run *run, uint64_t s) {
    return threads_of(run->plan) > 1 && begin_of(run, s + 1) - begin_of(run, s) >= ALL_THREADS;
}

static void select_share(const void *context, team_member me) {
    const top_run *const run = context;
    for (;;) {
        const team_share mine = team_take(run->plan->segments, 1, run->taken);
        if (mine.first == mine.end) return;
        if (!is_shared(run, mine.first))
            select_alone(run, mine.first, begin_of(run, mine.first), begin_of(run, mine.first + 1), me.number);
    }
}

/* ----------------------------------------------------------------- results */

/* Results of segment s, as many as there are. */
static uint64_t results_of(const top_run *run, uint64_t s) {
    return min(run->plan->count, begin_of(run, s + 1) - begin_of(run, s));
}

static void gather(const top_run *run, char *to, const char *from, size_t bytes) {
    for (uint64_t s = 0; s < run->plan->segments; s++) {
        const uint64_t first = s * run->plan->count, end = first + results_of(run, s);
        for (uint64_t i = first; i < end; i++) memcpy(to + i * bytes, from + run->places[i] * bytes, bytes);
    }
}

/* The same to the place of what results are made of, by `room`. */
static void take(const top_run *run, void *to, const void *from, size_t bytes, char *room) {
    if (to == NULL || bytes == 0) return;
    if (to != from) {
        gather(run, to, from, bytes);
        return;
    }
    gather(run, room, from, bytes);
    for (uint64_t s = 0; s < run->plan->segments; s++) {
        const size_t first = s * run->plan->count * bytes;
        memcpy((char *)to + first, room + first, results_of(run, s) * bytes);
    }
}

static void write_indices(const top_run *run) {
    const sort_order to = {run->arrays->indices, run->plan->index_bytes};
    for (uint64_t s = 0; to.entries != NULL && s < run->plan->segments; s++)
        for (uint64_t i = s * run->plan->count, k = results_of(run, s); k > 0; k--, i++)
            sort_order_set(&to, i, run->places[i]);
}

static void select_all(const top_run *run) {
    for (uint64_t s = 0; s < run->plan->segments; s++)
        if (is_shared(run, s)) select_together(run, s, begin_of(run, s), begin_of(run, s + 1));
    team_run(run->plan->segments > 1 ? threads_of(run->plan) : 1, select_share, run);
}

riffle_status top_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    uint64_t taken = 0;
    const size_t bytes = plan->layout.elem_bytes,
                 result_bytes = plan->segments * plan->count * max(bytes, plan->value_bytes);
    void *words = NULL, *places = NULL, *merging = NULL, *room = NULL;
    const bool is_in_place =
        arrays->keys == arrays->from_keys || (plan->value_bytes > 0 && arrays->values == arrays->from_values);
    riffle_status status = sort_room(list_bytes(plan), &words);
    if (status == RIFFLE_OK) status = sort_room(places_bytes(plan), &places);
    if (status == RIFFLE_OK) status = sort_room(merging_bytes(plan), &merging);
    if (status == RIFFLE_OK) status = sort_room(is_in_place ? result_bytes : 0, &room);
    if (status == RIFFLE_OK) {
        const top_run run = {plan, arrays, words, places, merging, &taken};
        select_all(&run);
        take(&run, arrays->keys, arrays->from_keys, bytes, room);
        take(&run, arrays->values, arrays->from_values, plan->value_bytes, room);
        write_indices(&run);
    }
    riffle_buffer_free(words, list_bytes(plan));
    riffle_buffer_free(places, places_bytes(plan));
    riffle_buffer_free(merging, merging_bytes(plan));
    riffle_buffer_free(room, is_in_place ? result_bytes : 0);
    return status;
}
