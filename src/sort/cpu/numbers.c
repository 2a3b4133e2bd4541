/* SPDX-License-Identifier: Apache-2.0
 *
 *     from_keys  --make-->  codes of 4 or 8 bytes  --two phases-->  sorted codes  --finish-->  numbers in order
 *
 * Numbers of 1 and 2 bytes are counted instead where they are many, and else widened. Short segments of one length are sorted many
 * at once (short.h). Sorted segments of integers are merged by the second phase alone.
 */
#include "sort/cpu/numbers.h"

#include <string.h>

#include "base/threads/team.h"
#include "sort/cpu/checked/between.h"
#include "sort/cpu/result.h"
#include "sort/cpu/room.h"
#include "sort/cpu/short/short.h"
#include "sort/cpu/two_phase.h"
#include "sort/cpu/words/codes.h"

enum { COUNTED_FROM = 2048 };

/* Integers whose order among equals nobody sees: a merge of floats keeps that of zeros and NaNs. */
static bool are_merged_integers(const riffle_sort_plan *plan) {
    return plan->task == RIFFLE_SORT_TASK_MERGE && plan->value_bytes + plan->index_bytes == 0 &&
           plan->key.before == NULL && sort_layout_is_number(&plan->layout) &&
           plan->layout.field[0].kind != RIFFLE_SORT_KEY_FLOAT;
}

bool numbers_serve(const riffle_sort_plan *plan) {
    const sort_field *const field = &plan->layout.field[0];
    return (plan->is_number || are_merged_integers(plan)) && field->kind != RIFFLE_SORT_KEY_BYTES &&
           field->bytes <= 8;
}

/* True if the segments are merged, and not, being too many or counted, sorted once more. */
static bool is_merge(const riffle_sort_plan *plan) {
    return plan->task == RIFFLE_SORT_TASK_MERGE && plan->layout.field[0].bytes > 2 &&
           plan->segments <= WORDS_MOST_RUNS;
}

/* ----------------------------------------------------------------- segments */

/* Numbers that are sorted together. */
typedef struct segment {
    const sort_field *field;
    const char *from;
    char *to;
    uint64_t n;
    void *codes;          /* room for n words, if two_phase_wants_numbers */
    void *room;           /* for two_phase_room */
    between *compared;    /* while it is sorted */
    between_found *found; /* NULL: there is no check of passes */
} segment;

static size_t word_bytes(const sort_field *field) { return field->bytes == 8 ? 8 : 4; }

/* True if the numbers are their codes. */
static bool are_codes(const sort_field *field) {
    return field->kind == RIFFLE_SORT_KEY_UNSIGNED && !field->descending;
}

static void make(const void *context, void *codes, uint64_t first, uint64_t n) {
    const segment *const s = context;
    sort_codes_of(s->field, s->from + first * s->field->bytes, codes, n);
}

static void finish(const void *context, void *codes, uint64_t first, uint64_t n) {
    const segment *const s = context;
    (void)first;
    sort_numbers_of(s->field, codes, codes, n);
}

static void show_made(const void *context, void *codes, uint64_t first, uint64_t n) {
    (void)first;
    between_made(((const segment *)context)->compared, codes, n);
}

static void show_sorted(const void *context, void *codes, uint64_t first, uint64_t n) {
    const segment *const s = context;
    between_sorted(s->compared, codes, first, n);
    if (!are_codes(s->field)) finish(s, codes, first, n);
}

static void sort_by_phases(const segment *s, unsigned threads) {
    const two_phase sort = {.word_bytes = word_bytes(s->field),
                            .n = s->n,
                            .threads = threads,
                            .make = make,
                            .made = s->compared != NULL ? show_made : NULL,
                            .finish = s->compared != NULL   ? show_sorted
                                      : are_codes(s->field) ? NULL
                                                            : finish,
                            .is_made_anew = s->from != s->to,
                            .context = s,
                            .numbers = s->codes,
                            .sorted = s->to,
                            .room = s->room};
    two_phase_sort(&sort);
}

static void sort_words_of(const segment *s, unsigned threads) {
    segment checked = *s;
    between compared;
    if (s->found == NULL) {
        sort_by_phases(s, threads);
        return;
    }
    between_begin(&compared, word_bytes(s->field));
    checked.compared = &compared;
    sort_by_phases(&checked, threads);
    between_end(&compared, s->found);
}

/* Numbers of 1 or 2 bytes, few. */
static void sort_widened(const segment *s) {
    uint32_t codes[COUNTED_FROM], room[COUNTED_FROM];
    sort_codes_of(s->field, s->from, codes, s->n);
    sort_words_u32.sort(codes, room, s->n);
    sort_numbers_of(s->field, codes, s->to, s->n);
}

/* Numbers of 1 or 2 bytes, many: how often each occurs is all that there is to know. */
static void sort_counted(const segment *s) {
    enum { AT_A_TIME = 1024, MOST = 1 << 16 };
    uint64_t counts[MOST];
    uint32_t codes[AT_A_TIME];
    const size_t bytes = s->field->bytes;
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < s->n; i += AT_A_TIME) {
        const uint64_t some = s->n - i < AT_A_TIME ? s->n - i : AT_A_TIME;
        sort_codes_of(s->field, s->from + i * bytes, codes, some);
        for (uint64_t k = 0; k < some; k++) counts[codes[k]]++;
    }
    uint64_t at = 0;
    for (uint32_t code = 0; code < 1U << 8 * bytes; code++) {
        const uint64_t number = sort_bits_of(s->field, code);
        if (bytes == 1) memset(s->to + at, (int)number, counts[code]);
        for (uint64_t k = 0; bytes == 2 && k < counts[code]; k++)
            ((uint16_t *)(void *)s->to)[at + k] = (uint16_t)number;
        at += counts[code];
    }
}

/* The first of them, which TOP wants. */
static void select_words_of(const segment *s, const riffle_sort_plan *plan) {
    sort_codes_of(s->field, s->from, s->to, s->n);
    const sort_words *const words = sort_words_for(s->field->bytes);
    words->select(s->to, s->codes, s->n, plan->count);
    words->sort(s->to, s->codes, plan->count);
    if (!are_codes(s->field)) sort_numbers_of(s->field, s->to, s->to, plan->count);
}

static bool is_selected(const segment *s, const riffle_sort_plan *plan) {
    return s->field->bytes > 2 && sort_is_selected(plan, s->n);
}

static void sort_segment(const segment *s, const riffle_sort_plan *plan, unsigned threads) {
    if (s->n == 0) return;
    if (is_selected(s, plan)) {
        select_words_of(s, plan);
        return;
    }
    if (s->field->bytes > 2)
        sort_words_of(s, threads);
    else if (s->n < COUNTED_FROM)
        sort_widened(s);
    else
        sort_counted(s);
}

/* ---------------------------------------------------------------- execution */

/* An execution: segments are sorted into `sorted`, which is the result's array but for TOP. */
typedef struct run {
    const riffle_sort_plan *plan;
    const riffle_sort_arrays *arrays;
    char *sorted, *codes, *room;
    uint64_t *taken;
    between_found *found; /* NULL: there is no check of passes */
} run;

static segment segment_of(const run *all, uint64_t s) {
    const sort_field *const field = &all->plan->layout.field[0];
    const uint64_t first = sort_segment_first(all->plan, all->arrays->first, s);
    return (segment){.field = field,
                     .from = (const char *)all->arrays->from_keys + first * field->bytes,
                     .to = all->sorted + first * field->bytes,
                     .n = sort_segment_first(all->plan, all->arrays->first, s + 1) - first,
                     .codes = all->codes != NULL ? all->codes + first * word_bytes(field) : NULL,
                     .room = all->room,
                     .found = all->found};
}

static unsigned threads_of(const run *all, const segment *s) {
    const bool is_shared = s->field->bytes > 2 && !is_selected(s, all->plan);
    return is_shared ? two_phase_threads(s->n, all->plan->base.threads) : 1;
}

/* Segments that are one thread's work. */
static void sort_share(const void *context, team_member me) {
    const run *const all = context;
    const uint64_t a_turn = all->plan->segments / (32 * me.count) + 1;
    for (;;) {
        const team_share mine = team_take(all->plan->segments, a_turn, all->taken);
        if (mine.first == mine.end) return;
        for (uint64_t k = mine.first; k < mine.end; k++) {
            const segment s = segment_of(all, k);
            if (threads_of(all, &s) == 1) sort_segment(&s, all->plan, 1);
        }
    }
}

/* Segments of one length, which is short. */
typedef struct short_run {
    const run *all;
    short_network network;
} short_run;

static bool are_short(const run *all) {
    const riffle_sort_plan *const plan = all->plan;
    return all->arrays->first == NULL && plan->segments > 1 && plan->n / plan->segments <= SHORT_MOST;
}

static void sort_some_short(const short_run *s, uint64_t first, uint64_t count) {
    uint32_t widened[COUNTED_FROM];
    check_sums each[COUNTED_FROM];
    const bool is_compared = s->all->found != NULL;
    const sort_field *const field = &s->all->plan->layout.field[0];
    const uint64_t at = first * s->network.length * field->bytes, n = count * s->network.length;
    char *const to = s->all->sorted + at;
    void *const codes = field->bytes > 2 ? (void *)to : widened;
    const between_rows rows = {word_bytes(field), s->network.length, count};
    sort_codes_of(field, (const char *)s->all->arrays->from_keys + at, codes, n);
    if (is_compared) between_made_rows(&rows, codes, each);
    (field->bytes == 8 ? short_sort_u64 : short_sort_u32)(&s->network, codes, count);
    if (is_compared) between_sorted_rows(&rows, codes, each, s->all->found);
    if (field->bytes <= 2 || !are_codes(field)) sort_numbers_of(field, codes, to, n);
}

static void sort_short_share(const void *context, team_member me) {
    const short_run *const s = context;
    const uint64_t some = COUNTED_FROM / s->network.length;
    const team_share mine = team_share_of(s->all->plan->segments, me);
    for (uint64_t k = mine.first; k < mine.end; k += some)
        sort_some_short(s, k, mine.end - k < some ? mine.end - k : some);
}

static void sort_all_short(const run *all) {
    short_run s = {.all = all};
    short_network_make((unsigned)(all->plan->n / all->plan->segments), &s.network);
    team_run(all->plan->base.threads, sort_short_share, &s);
}

/* ------------------------------------------------------------------ merging */

/* All segments as one. */
static segment whole_of(const run *all) {
    segment s = segment_of(all, 0);
    s.n = sort_segment_first(all->plan, all->arrays->first, all->plan->segments) -
          sort_segment_first(all->plan, all->arrays->first, 0);
    return s;
}

/* Runs of codes, and whether they are sorted. */
typedef struct code_runs {
    const segment *s;
    const words_runs
        *runs; /* words that stand in s->codes, or where they came from if numbers are their codes */
    int *is_wrong;
} code_runs;

static void make_runs(const void *context, team_member me) {
    const code_runs *const all = context;
    const team_share mine = team_share_of(all->s->n, me);
    const size_t bytes = word_bytes(all->s->field);
    make(all->s, (char *)all->s->codes + mine.first * bytes, mine.first, mine.end - mine.first);
}

static void look_at_runs(const void *context, team_member me) {
    const code_runs *const all = context;
    const team_share mine = team_share_of(all->s->n, me);
    const uint32_t *const narrow = all->runs->numbers;
    const uint64_t *const wide = all->runs->numbers;
    const bool is_wide = word_bytes(all->s->field) == 8;
    int is_wrong = 0;
    for (unsigned r = 0; r < all->runs->k; r++) {
        const uint64_t first = all->runs->first[r] + 1, end = all->runs->first[r + 1];
        uint64_t i = mine.first > first ? mine.first : first;
        for (; i < end && i < mine.end; i++)
            is_wrong |= is_wide ? wide[i - 1] > wide[i] : narrow[i - 1] > narrow[i];
    }
    if (is_wrong) __atomic_store_n(all->is_wrong, 1, __ATOMIC_RELAXED);
}

/* Runs that are not sorted, against the contract, are sorted. */
static void merge_words_of(const run *all, const segment *s) {
    const unsigned threads = two_phase_threads(s->n, all->plan->base.threads);
    const bool are_there = are_codes(s->field) && s->from != s->to;
    words_runs runs = {.numbers = are_there ? (const void *)s->from : s->codes,
                       .k = (unsigned)all->plan->segments};
    int is_wrong = 0;
    const uint64_t begin = sort_segment_first(all->plan, all->arrays->first, 0);
    for (unsigned r = 0; r <= runs.k; r++)
        runs.first[r] = sort_segment_first(all->plan, all->arrays->first, r) - begin;
    const code_runs made = {s, &runs, &is_wrong};
    if (!are_there) team_run(threads, make_runs, &made);
    team_run(threads, look_at_runs, &made);
    if (is_wrong) {
        sort_words_of(s, threads);
        return;
    }
    const two_phase merge = {.word_bytes = word_bytes(s->field),
                             .n = s->n,
                             .threads = threads,
                             .finish = are_codes(s->field) ? NULL : finish,
                             .context = s,
                             .sorted = s->to,
                             .room = s->room};
    two_phase_merge(&merge, &runs);
}

static void merge_all(const run *all) {
    const segment s = whole_of(all);
    if (s.n == 0) return;
    if (is_merge(all->plan))
        merge_words_of(all, &s);
    else
        sort_segment(&s, all->plan, threads_of(all, &s));
}

/* ------------------------------------------------------------------ all tasks */

static void sort_all(const run *all) {
    if (all->plan->task == RIFFLE_SORT_TASK_MERGE) {
        merge_all(all);
        return;
    }
    if (are_short(all)) {
        sort_all_short(all);
        return;
    }
    for (uint64_t k = 0; k < all->plan->segments; k++) {
        const segment s = segment_of(all, k);
        if (threads_of(all, &s) > 1) sort_segment(&s, all->plan, threads_of(all, &s));
    }
    team_run(all->plan->segments > 1 ? all->plan->base.threads : 1, sort_share, all);
}

static void copy_top(const run *all) {
    const size_t bytes = all->plan->layout.elem_bytes;
    for (uint64_t k = 0; k < all->plan->segments; k++) {
        const segment s = segment_of(all, k);
        const uint64_t count = s.n < all->plan->count ? s.n : all->plan->count;
        if (count > 0) memcpy((char *)all->arrays->keys + k * all->plan->count * bytes, s.to, count * bytes);
    }
}

/* The first of equal numbers stays; their codes are merged, as -0.0 equals 0.0. */
static void keep_first(const run *all) {
    const sort_field *const field = &all->plan->layout.field[0];
    for (uint64_t k = 0; k < all->plan->segments; k++) {
        const segment s = segment_of(all, k);
        uint64_t kept = 0, before = 0;
        for (uint64_t i = 0; i < s.n; i++) {
            uint64_t bits = 0;
            memcpy(&bits, s.to + i * field->bytes, field->bytes);
            const uint64_t code =
                sort_code_merged(field->kind, field->bytes, sort_code_up(field->kind, field->bytes, bits));
            if (kept > 0 && code == before) continue;
            memmove(s.to + kept++ * field->bytes, s.to + i * field->bytes, field->bytes);
            before = code;
        }
        all->arrays->lengths[k] = kept;
    }
}

/* Bytes of what an execution allocates. */
typedef struct needs {
    size_t codes, room, sorted;
} needs;

static needs needs_of(const riffle_sort_plan *plan) {
    const sort_field *const field = &plan->layout.field[0];
    const unsigned threads = field->bytes > 2 ? two_phase_threads(plan->n, plan->base.threads) : 1;
    const uint64_t runs = is_merge(plan) && plan->segments > threads ? plan->segments : threads;
    needs out = {.room = two_phase_room(word_bytes(field), threads, runs)};
    if (is_merge(plan) || (field->bytes > 2 && two_phase_wants_numbers(threads)))
        out.codes = plan->n * word_bytes(field);
    if (plan->task == RIFFLE_SORT_TASK_TOP) out.sorted = plan->n * field->bytes;
    return out;
}

size_t numbers_bytes(const riffle_sort_plan *plan) {
    const needs all = needs_of(plan);
    return all.codes + all.room + all.sorted;
}

riffle_status numbers_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    const needs wanted = needs_of(plan);
    between_found found = {0};
    uint64_t taken = 0;
    void *codes = NULL, *room = NULL, *sorted = NULL;
    riffle_status status = sort_room(wanted.codes, &codes);
    if (status == RIFFLE_OK) status = sort_room(wanted.room, &room);
    if (status == RIFFLE_OK) status = sort_room(wanted.sorted, &sorted);
    if (status == RIFFLE_OK) {
        const run all = {.plan = plan,
                         .arrays = arrays,
                         .sorted = plan->task == RIFFLE_SORT_TASK_TOP ? sorted : arrays->keys,
                         .codes = codes,
                         .room = room,
                         .taken = &taken,
                         .found = plan->check == RIFFLE_CHECK_PASSES ? &found : NULL};
        sort_all(&all);
        if (plan->task == RIFFLE_SORT_TASK_TOP) copy_top(&all);
        if (plan->task == RIFFLE_SORT_TASK_UNIQUE) keep_first(&all);
    }
    riffle_buffer_free(codes, wanted.codes);
    riffle_buffer_free(room, wanted.room);
    riffle_buffer_free(sorted, wanted.sorted);
    return status == RIFFLE_OK ? between_result(&found) : status;
}
