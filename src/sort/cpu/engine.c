/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on the CPU. Elements that are numbers and nothing else are sorted as they are (numbers.h). The order of all others is
 * found (order.h), by a comparison of the user's as by the definition, and what was asked for is taken by it (result.h).
 */
#include <inttypes.h>
#include <math.h>

#include "base/names.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "sort/cpu/checked/checked.h"
#include "sort/cpu/comparison.h"
#include "sort/cpu/numbers.h"
#include "sort/cpu/order.h"
#include "sort/cpu/ordered.h"
#include "sort/cpu/partition.h"
#include "sort/cpu/room.h"
#include "sort/cpu/top.h"
#include "sort/cpu/two_phase.h"

/* ---------------------------------------------------------------- by orders */

/* Bytes of what an execution allocates. */
typedef struct needs {
    size_t items, order, merging, result;
} needs;

static bool is_order_indices(const riffle_sort_plan *plan) {
    return plan->index_bytes != 0 && plan->task != RIFFLE_SORT_TASK_TOP &&
           plan->task != RIFFLE_SORT_TASK_UNIQUE;
}

static size_t order_bytes(const riffle_sort_plan *plan) {
    return is_order_indices(plan) ? 0 : plan->n * sort_order_entry_bytes(plan);
}

/* True if the segments are merged, and not, being too many, sorted once more. */
static bool is_merge(const riffle_sort_plan *plan) {
    return plan->task == RIFFLE_SORT_TASK_MERGE && plan->segments <= WORDS_MOST_RUNS;
}

/* Without `arrays`: but for what results need that take the place of what they are made of. */
static needs needs_of(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    needs out = {.items = plan->n * sizeof(uint64_t)};
    const unsigned threads = two_phase_threads(plan->n, plan->base.threads);
    out.merging = two_phase_room(sizeof(uint64_t), threads,
                                 is_merge(plan) && plan->segments > threads ? plan->segments : threads);
    out.order = order_bytes(plan);
    if (arrays != NULL) out.result = sort_result_room(plan, arrays);
    return out;
}

/* Segments that are one thread's work. */
typedef struct run {
    const riffle_sort_plan *plan;
    const riffle_sort_arrays *arrays;
    const ordering *all;
    uint64_t *taken;
} run;

static void order_segments(const run *r, uint64_t from, uint64_t end, bool large) {
    for (uint64_t s = from; s < end; s++) {
        const uint64_t first = sort_segment_first(r->plan, r->arrays->first, s);
        const uint64_t last = sort_segment_first(r->plan, r->arrays->first, s + 1);
        const bool is_selected = sort_is_selected(r->plan, last - first);
        const unsigned threads = is_selected ? 1 : two_phase_threads(last - first, r->plan->base.threads);
        if ((threads > 1) != large) continue;
        if (is_selected)
            order_select(r->all, r->plan, first, last);
        else
            order_find(r->all, first, last, threads);
    }
}

static void order_share(const void *context, team_member me) {
    const run *const r = context;
    const uint64_t a_turn = r->plan->segments / (32 * me.count) + 1;
    for (;;) {
        const team_share mine = team_take(r->plan->segments, a_turn, r->taken);
        if (mine.first == mine.end) return;
        order_segments(r, mine.first, mine.end, false);
    }
}

static void merge_segments(const run *r) {
    uint64_t first[WORDS_MOST_RUNS + 1];
    const uint64_t segments = r->plan->segments;
    for (uint64_t s = 0; is_merge(r->plan) && s <= segments; s++)
        first[s] = sort_segment_first(r->plan, r->arrays->first, s);
    if (is_merge(r->plan))
        order_merge(r->all, first, (unsigned)segments, r->plan->base.threads);
    else
        order_find(r->all, sort_segment_first(r->plan, r->arrays->first, 0),
                   sort_segment_first(r->plan, r->arrays->first, segments), r->plan->base.threads);
}

static void find_order(const run *r) {
    if (r->plan->task == RIFFLE_SORT_TASK_MERGE) {
        merge_segments(r);
        return;
    }
    order_segments(r, 0, r->plan->segments, true);
    team_run(r->plan->segments > 1 ? r->plan->base.threads : 1, order_share, r);
}

static void write_by_order(const ordering *all, const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                           void *room) {
    if (all->compared != NULL) {
        sort_result_write_compared(all->compared, &all->order, room);
        return;
    }
    sort_result_keep_first(plan, arrays, &all->order, sort_before_by_fields, &plan->layout);
    sort_result_part(plan, arrays, &all->order, (unsigned char *)all->items);
    sort_result_write(plan, arrays, &all->order, room);
}

static riffle_status execute_by_order(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    const needs wanted = needs_of(plan, arrays);
    const key_pieces key = key_pieces_of(&plan->layout);
    ordering all = {.key = &key,
                    .elements = arrays->from_keys,
                    .elem_bytes = plan->layout.elem_bytes,
                    .order = {.entry_bytes = sort_order_entry_bytes(plan)}};
    ordered compared = {.plan = plan, .arrays = arrays, .key = &key};
    void *items = NULL, *room = NULL, *order = NULL, *result = NULL;
    uint64_t taken = 0;
    if (plan->check == RIFFLE_CHECK_PASSES) all.compared = &compared;
    riffle_status status = sort_room(wanted.items, &items);
    if (status == RIFFLE_OK) status = sort_room(wanted.items, &room);
    if (status == RIFFLE_OK) status = sort_room(wanted.order, &order);
    if (status == RIFFLE_OK) status = sort_room(wanted.merging, &all.merging);
    if (status == RIFFLE_OK) status = sort_room(wanted.result, &result);
    if (status == RIFFLE_OK) {
        all.items = items;
        all.room = room;
        all.order.entries = order != NULL ? order : arrays->indices;
        find_order(&(run){plan, arrays, &all, &taken});
        write_by_order(&all, plan, arrays, result);
    }
    riffle_buffer_free(items, wanted.items);
    riffle_buffer_free(room, wanted.items);
    riffle_buffer_free(order, wanted.order);
    riffle_buffer_free(all.merging, wanted.merging);
    riffle_buffer_free(result, wanted.result);
    return status == RIFFLE_OK && all.compared != NULL ? ordered_result(&compared) : status;
}

/* ------------------------------------------------------------ by comparisons */

/* By the definition, segment by segment; the order may be the caller's indices, so what lies outside of segments is left alone, and all
 * once the comparing is stopped. */
static void find_order_by(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, comparing *by,
                          uint64_t *places, const sort_order *order) {
    const size_t elem_bytes = plan->layout.elem_bytes;
    const bool is_merge = plan->task == RIFFLE_SORT_TASK_MERGE;
    for (uint64_t i = 0; i < plan->n; i++) places[i] = i;
    for (uint64_t s = 0; s < (is_merge ? 1 : plan->segments); s++) {
        const uint64_t first = sort_segment_first(plan, arrays->first, s);
        const uint64_t end = sort_segment_first(plan, arrays->first, is_merge ? plan->segments : s + 1);
        sort_definition_unless(comparing_is_stopped, comparing_before, by, arrays->from_keys, elem_bytes,
                               places + first, places + plan->n, end - first);
    }
    if (by->is_stopped) return;
    const uint64_t end = sort_segment_first(plan, arrays->first, plan->segments);
    for (uint64_t i = sort_segment_first(plan, arrays->first, 0); i < end; i++)
        sort_order_set(order, i, places[i]);
}

static riffle_status execute_by_comparison(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    const size_t places_bytes = 2 * plan->n * sizeof(uint64_t), result_bytes = sort_result_room(plan, arrays);
    sort_order found = {.entry_bytes = sort_order_entry_bytes(plan)};
    void *places = NULL, *order = NULL, *result = NULL;
    riffle_status status = sort_room(places_bytes, &places);
    if (status == RIFFLE_OK) status = sort_room(order_bytes(plan), &order);
    if (status == RIFFLE_OK) status = sort_room(result_bytes, &result);
    if (status == RIFFLE_OK) {
        found.entries = order != NULL ? order : arrays->indices;
        comparing by = comparing_by(plan->own, plan->stop, plan->stop_context);
        find_order_by(plan, arrays, &by, places, &found);
        if (!by.is_stopped) sort_result_keep_first(plan, arrays, &found, comparing_before, &by);
        status = comparing_result(&by);
        if (status == RIFFLE_OK) sort_result_part(plan, arrays, &found, places);
        if (status == RIFFLE_OK) sort_result_write(plan, arrays, &found, result);
    }
    riffle_buffer_free(places, places_bytes);
    riffle_buffer_free(order, order_bytes(plan));
    riffle_buffer_free(result, result_bytes);
    return status;
}

static riffle_status compile(riffle_sort_plan *plan) {
    comparison *own = NULL;
    const riffle_status status = comparison_compile(&plan->key, &own);
    plan->own = own;
    return status;
}

/* ------------------------------------------------------------------- engine */

static riffle_status refuse_passes(const riffle_sort_plan *plan) {
    if (plan->check != RIFFLE_CHECK_PASSES) return RIFFLE_OK;
    if (plan->key.before != NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a check of passes is of keys, and not of a comparison of yours; take 'full'");
    if (plan->n > 0 && numbers_serve(plan) && plan->layout.field[0].bytes <= 2)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a check of passes has nothing to compare: numbers of %u byte%s are "
                    "sorted in one pass; take the check 'full'",
                    plan->layout.field[0].bytes, plural(plan->layout.field[0].bytes));
    return RIFFLE_OK;
}

static riffle_status create(riffle_sort_plan *plan, const riffle_sort_options *options) {
    const riffle_status refused = refuse_passes(plan);
    if (refused != RIFFLE_OK) return refused;
    if (plan->algorithm == RIFFLE_SORT_ALGORITHM_AUTO) plan->algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE;
    if (plan->algorithm != RIFFLE_SORT_ALGORITHM_TWO_PHASE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the cpu engine sorts in two phases, and not by %s",
                    riffle_sort_algorithm_string(plan->algorithm));
    const unsigned most = threads_most(options->threads);
    const size_t row_bytes = plan->layout.elem_bytes + plan->value_bytes + plan->index_bytes;
    plan->base.threads = threads_for(plan->n * row_bytes, BYTES_A_THREAD, most);
    plan->base.is_exclusive = false; /* each execution has memory of its own */
    if (plan->key.before != NULL) {
        plan->base.workspace_bytes = plan->n * 2 * sizeof(uint64_t) + order_bytes(plan);
        return compile(plan);
    }
    if (top_serves(plan)) {
        plan->base.workspace_bytes = top_bytes(plan);
    } else if (partition_serves(plan)) {
        plan->base.workspace_bytes = partition_bytes(plan);
    } else if (numbers_serve(plan)) {
        plan->base.workspace_bytes = numbers_bytes(plan);
    } else {
        const needs wanted = needs_of(plan, NULL);
        plan->base.workspace_bytes = 2 * wanted.items + wanted.order + wanted.merging;
    }
    return RIFFLE_OK;
}

static riffle_status execute_unchecked(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    if (plan->key.before != NULL) return execute_by_comparison(plan, arrays);
    if (top_serves(plan)) return top_execute(plan, arrays);
    if (partition_serves(plan)) return partition_execute(plan, arrays);
    return numbers_serve(plan) ? numbers_execute(plan, arrays) : execute_by_order(plan, arrays);
}

static riffle_status look_again(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                check_sums sum) {
    if (plan->key.before == NULL)
        return checked_result(plan, arrays, sum,
                              plan->is_number ? sort_before_by_number : sort_before_by_fields, &plan->layout);
    comparing by = comparing_by(plan->own, NULL, NULL);
    return checked_result(plan, arrays, sum, comparing_before, &by);
}

static riffle_status execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    if (plan->check != RIFFLE_CHECK_FULL)
        return execute_unchecked(plan, arrays); /* passes compare themselves */
    const check_sums sum = checked_sum(plan, arrays);
    const riffle_status status = execute_unchecked(plan, arrays);
    return status == RIFFLE_OK ? look_again(plan, arrays, sum) : status;
}

static void destroy(void *own) { comparison_free(own); }

/* ------------------------------------------------------------- explanations */

enum { LINE_BYTES = 64, CACHE_BYTES = 1 << 20 }; /* a second-level cache, about */

/* Passes of a part that does not fit the cache, two runs or halves at a time. */
static double levels_of(double bytes) {
    const double caches = bytes / (double)CACHE_BYTES;
    return caches > 1 ? ceil(log2(caches)) : 0;
}

static void explain_phases(const riffle_sort_plan *plan, unsigned threads, FILE *out) {
    const bool is_numbers = numbers_serve(plan);
    fprintf(out, "phases      %s; %s, by %s\n",
            is_numbers ? "numbers become codes" : "elements become items of 64 bits",
            threads > 1 ? "each thread sorts a part" : "they are sorted",
            words_want_room() ? "merging (Highway is not installed, or memory was short)" : "vectors");
    if (threads > 1)
        fprintf(out, "            at %u pivot%s parts are cut, and merged, or cut before they are sorted\n",
                threads - 1, threads > 2 ? "s" : "");
    fprintf(out, is_numbers ? "            codes become numbers\n"
                            : "            what is asked for is taken by their order\n");
}

/* How a plan that has no comparison is done. */
typedef struct sort_way {
    bool is_numbers, is_counted, is_selected;
    unsigned threads;
    double levels; /* the longest segment's */
} sort_way;

static sort_way way_of(const riffle_sort_plan *plan) {
    const bool is_numbers = numbers_serve(plan);
    const size_t bytes = is_numbers ? plan->layout.elem_bytes : sizeof(uint64_t);
    const uint64_t longest = plan->n / plan->segments + (plan->n % plan->segments != 0);
    const unsigned threads = two_phase_threads(longest, plan->base.threads);
    return (sort_way){.is_numbers = is_numbers,
                      .is_counted = is_numbers && bytes <= 2,
                      .is_selected = sort_is_selected(plan, longest),
                      .threads = threads,
                      .levels = levels_of((double)longest * (double)bytes / threads)};
}

/* Few elements are compared: a sample says which. */
static bool is_sampled(const riffle_sort_plan *plan) { return top_serves(plan) || partition_serves(plan); }

/* The first of many are read once; parted ones twice, and written once. */
static sort_model exchanges(const riffle_sort_plan *plan) {
    if (plan->key.before != NULL) return (sort_model){0};
    if (is_sampled(plan))
        return (sort_model){.block_bytes = LINE_BYTES,
                            .cache_bytes = CACHE_BYTES,
                            .processors = plan->base.threads,
                            .passes = plan->task == RIFFLE_SORT_TASK_PARTITION ? 1.5 : 0.5,
                            .counts = true};
    const sort_way way = way_of(plan);
    const double passes = way.is_counted ? 1 : way.is_selected ? 2 : 1 + way.levels + (way.threads > 1);
    return (sort_model){.block_bytes = LINE_BYTES,
                        .cache_bytes = CACHE_BYTES,
                        .processors = plan->base.threads,
                        .passes = passes + !way.is_numbers,
                        .counts = way.is_counted};
}

static void explain(const riffle_sort_plan *plan, FILE *out) {
    if (plan->key.before != NULL) {
        fprintf(out,
                "phases      a merge sort of indices, by one thread; what is asked for is taken by them\n");
        return;
    }
    if (top_serves(plan)) {
        fprintf(out,
                "phases      what passes a sample's bound is listed, by %u thread%s\n"
                "            the first of it are sorted\n",
                plan->base.threads, plan->base.threads > 1 ? "s" : "");
        return;
    }
    if (partition_serves(plan)) {
        fprintf(out,
                "phases      a sample says between which two element %" PRIu64
                " is, and what is there is listed\n"
                "            all come before it or behind it in their order, by %u thread%s\n",
                plan->count, plan->base.threads, plan->base.threads > 1 ? "s" : "");
        return;
    }
    const sort_way way = way_of(plan);
    if (way.is_counted)
        fprintf(out, "phases      numbers are counted, by one thread\n");
    else if (way.is_selected)
        fprintf(out, "phases      %s; what comes first is divided from the rest, by one thread%s\n",
                way.is_numbers ? "numbers become codes" : "elements become items of 64 bits",
                plan->task == RIFFLE_SORT_TASK_TOP ? ", and sorted" : "");
    else
        explain_phases(plan, way.threads, out);
}

const sort_engine cpu_sort_engine = {
    .create = create, .execute = execute, .explain = explain, .exchanges = exchanges, .destroy = destroy};
