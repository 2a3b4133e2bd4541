/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/partition.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/threads/team.h"
#include "sort/cpu/key_bits.h"
#include "sort/cpu/result.h"
#include "sort/cpu/room.h"
#include "sort/cpu/two_phase.h"

enum {
    SAMPLES = 1 << 12,
    APART = 160, /* five standard deviations of a rank in the sample */
    AT_A_TIME = 256,
    LEAST_SAMPLED = 1 << 15, /* fewer elements are all listed */
};

bool partition_serves(const riffle_sort_plan *plan) {
    const sort_field *const field = &plan->layout.field[0];
    return plan->task == RIFFLE_SORT_TASK_PARTITION && plan->key.before == NULL &&
           sort_layout_is_number(&plan->layout) && field->kind != RIFFLE_SORT_KEY_BYTES && field->bytes <= 8;
}

/* ------------------------------------------------------------------- counts */

/* Codes of 64 bits between which the pivot is looked for. `all`: between any. */
typedef struct bracket {
    uint64_t low, high;
    bool all;
} bracket;

/* A part's elements by the bracket. */
typedef struct part_counts {
    uint64_t less, low, between, high;
    uint64_t front, equal; /* before the pivot, and equal to it */
} part_counts;

/* A segment that is parted. */
typedef struct segment {
    const riffle_sort_plan *plan;
    const key_pieces *key;
    const unsigned char *elements, *values;
    uint64_t first, n, count;
    unsigned parts;
    uint64_t *list, *copy, *room; /* the segment's: n words each */
    bracket of;
    uint64_t pivot, wanted; /* `wanted` of its equals come before place `count` */
    char *to_keys, *to_values, *to_indices;
    part_counts *part; /* [part] */
} segment;

static team_share share_of(const segment *s, unsigned part) {
    return team_share_of(s->n, (team_member){part, s->parts});
}

/* Codes of some elements, whose keys have fewer bits than a word: those at its end are 0. */
static void codes_of(const segment *s, uint64_t at, uint64_t n, uint64_t *out) {
    const size_t bytes = s->plan->layout.elem_bytes;
    key_bits_of_many(s->key, s->elements + at * bytes, bytes, n, 0, out);
}

static void count_some(const bracket *of, const uint64_t *codes, uint64_t n, uint64_t *list, part_counts *out) {
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t code = codes[i];
        const bool between = of->all || (code > of->low && code < of->high);
        list[out->between] = code;
        out->between += between;
        out->less += !of->all && code < of->low;
        out->low += !of->all && code == of->low;
        out->high += !of->all && code == of->high && of->high != of->low;
    }
}

static void count_share(const void *context, team_member me) {
    const segment *const s = context;
    uint64_t codes[AT_A_TIME];
    for (unsigned p = me.number; p < s->parts; p += me.count) {
        const team_share mine = share_of(s, p);
        part_counts found = {0};
        for (uint64_t i = mine.first; i < mine.end; i += AT_A_TIME) {
            const uint64_t some = min(mine.end - i, (uint64_t)AT_A_TIME);
            codes_of(s, i, some, codes);
            count_some(&s->of, codes, some, s->list + mine.first, &found);
        }
        s->part[p] = found;
    }
}

/* -------------------------------------------------------------------- pivot */

static bracket sampled(const segment *s) {
    uint64_t codes[SAMPLES], room[SAMPLES];
    const uint64_t stride = s->n / SAMPLES, at = (uint64_t)((unsigned __int128)s->count * SAMPLES / s->n);
    if (s->n < LEAST_SAMPLED) return (bracket){.all = true};
    for (uint64_t i = 0; i < SAMPLES; i++) codes_of(s, i * stride + i * 2654435761U % stride, 1, &codes[i]);
    sort_words_u64.sort(codes, room, SAMPLES);
    return (bracket){.low = codes[at > APART ? at - APART : 0],
                     .high = codes[at + APART < SAMPLES ? at + APART : SAMPLES - 1]};
}

static part_counts total_of(const segment *s) {
    part_counts all = {0};
    for (unsigned p = 0; p < s->parts; p++) {
        all.less += s->part[p].less, all.low += s->part[p].low;
        all.between += s->part[p].between, all.high += s->part[p].high;
    }
    return all;
}

/* Listed codes of all parts, one behind the other. */
static void gather(const segment *s) {
    uint64_t *to = s->copy;
    for (unsigned p = 0; p < s->parts; p++) {
        memcpy(to, s->list + share_of(s, p).first, s->part[p].between * sizeof *to);
        to += s->part[p].between;
    }
}

/* Elements of a part before the pivot, and those that equal it. */
static void settle_part(const segment *s, part_counts *part, const uint64_t *list) {
    part->front = part->less, part->equal = part->low;
    if (!s->of.all && s->pivot == s->of.low) return;
    part->front += part->low, part->equal = 0;
    for (uint64_t i = 0; i < part->between; i++) {
        part->front += list[i] < s->pivot;
        part->equal += list[i] == s->pivot;
    }
    if (!s->of.all && s->pivot == s->of.high) part->equal = part->high;
}

static void settle(segment *s) {
    uint64_t front = 0;
    for (unsigned p = 0; p < s->parts; p++) {
        settle_part(s, &s->part[p], s->list + share_of(s, p).first);
        front += s->part[p].front;
    }
    s->wanted = s->count - front;
}

/* Finds the pivot in what is counted; false if it is not there. */
static bool find_pivot(segment *s) {
    const part_counts all = total_of(s);
    if (s->count < all.less) return false;
    const uint64_t rank = s->count - all.less;
    if (rank < all.low) {
        s->pivot = s->of.low;
    } else if (rank - all.low < all.between) {
        gather(s);
        sort_words_u64.select(s->copy, s->room, all.between, rank - all.low);
        s->pivot = s->copy[rank - all.low];
    } else {
        s->pivot = s->of.high;
        if (rank - all.low - all.between >= all.high) return false;
    }
    settle(s);
    return true;
}

/* Where all come before place `count`, any pivot does that is behind them all. */
static void find(segment *s) {
    if (s->count >= s->n) {
        s->pivot = s->wanted = UINT64_MAX;
        return;
    }
    s->of = sampled(s);
    team_run(s->parts, count_share, s);
    if (find_pivot(s)) return;
    s->of = (bracket){.all = true};
    team_run(s->parts, count_share, s);
    find_pivot(s);
}

/* ------------------------------------------------------------------- moving */

/* Where a part's next elements go. */
typedef struct places {
    uint64_t front, behind, equal;
} places;

static places places_of(const segment *s, unsigned part) {
    const uint64_t first = share_of(s, part).first;
    places at = {0};
    if (s->count >= s->n) return (places){first, first, first};
    for (unsigned p = 0; p < part; p++) at.front += s->part[p].front, at.equal += s->part[p].equal;
    const bool is_behind = at.equal > s->wanted; /* the one at place `count` is in a part before */
    at.front += min(at.equal, s->wanted);
    at.behind = s->count + 1 + first - at.front - is_behind;
    return at;
}

static void place_some(const segment *s, const uint64_t *codes, uint64_t n, places *at, uint64_t *to) {
    for (uint64_t i = 0; i < n; i++) {
        const bool equals = codes[i] == s->pivot,
                   is_front = codes[i] < s->pivot || (equals && at->equal < s->wanted),
                   is_middle = equals && at->equal == s->wanted;
        to[i] = is_front ? at->front : is_middle ? s->count : at->behind;
        at->front += is_front;
        at->behind += !is_front && !is_middle;
        at->equal += equals;
    }
}

#define PUT(number)                                                                                            \
    for (uint64_t i = 0; i < n; i++)                                                                           \
        memcpy(to + places_[i] * sizeof(number), from + i * sizeof(number), sizeof(number));                   \
    break
static void put(char *to, const unsigned char *from, size_t bytes, const uint64_t *places_, uint64_t n) {
    switch (bytes) {
    case 1: PUT(uint8_t);
    case 2: PUT(uint16_t);
    case 4: PUT(uint32_t);
    default: PUT(uint64_t);
    }
}

static void put_indices(const segment *s, uint64_t at, const uint64_t *to, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (s->plan->index_bytes == 4)
            ((uint32_t *)(void *)s->to_indices)[to[i]] = (uint32_t)(s->first + at + i);
        else
            ((uint64_t *)(void *)s->to_indices)[to[i]] = s->first + at + i;
}

static void move_some(const segment *s, uint64_t at, const uint64_t *to, uint64_t n) {
    const size_t bytes = s->plan->layout.elem_bytes, value = s->plan->value_bytes;
    if (s->to_keys != NULL) put(s->to_keys, s->elements + at * bytes, bytes, to, n);
    if (s->to_values != NULL) put(s->to_values, s->values + at * value, value, to, n);
    if (s->to_indices != NULL) put_indices(s, at, to, n);
}

static void move_share(const void *context, team_member me) {
    const segment *const s = context;
    uint64_t codes[AT_A_TIME], to[AT_A_TIME];
    for (unsigned p = me.number; p < s->parts; p += me.count) {
        const team_share mine = share_of(s, p);
        places at = places_of(s, p);
        for (uint64_t i = mine.first; i < mine.end; i += AT_A_TIME) {
            const uint64_t some = min(mine.end - i, (uint64_t)AT_A_TIME);
            codes_of(s, i, some, codes);
            place_some(s, codes, some, &at, to);
            move_some(s, i, to, some);
        }
    }
}

/* ---------------------------------------------------------------- execution */

/* An execution: results come to `keys` and `values` first if they take the place of what they are made of. */
typedef struct run {
    const riffle_sort_plan *plan;
    const riffle_sort_arrays *arrays;
    key_pieces key;
    uint64_t *list, *copy, *room;
    char *keys, *values;
    uint64_t *taken;
} run;

static char *place_of(char *staged, void *asked, uint64_t first, size_t bytes) {
    char *const to = staged != NULL ? staged : asked;
    return to != NULL && bytes > 0 ? to + first * bytes : NULL;
}

static uint64_t *words_at(uint64_t *words, uint64_t first) { return words != NULL ? words + first : NULL; }

static unsigned threads_of(const run *all, uint64_t length) {
    return min(two_phase_threads(length, all->plan->base.threads), (unsigned)WORDS_MOST_RUNS);
}

static void part(const run *all, uint64_t first, uint64_t end) {
    const riffle_sort_plan *const plan = all->plan;
    const size_t bytes = plan->layout.elem_bytes, value = plan->value_bytes;
    const unsigned char *const from = all->arrays->from_keys, *const values = all->arrays->from_values;
    part_counts counts[WORDS_MOST_RUNS];
    segment s = {.plan = plan,
                 .key = &all->key,
                 .elements = from + first * bytes,
                 .values = values != NULL ? values + first * value : NULL,
                 .first = first,
                 .n = end - first,
                 .count = plan->count,
                 .part = counts,
                 .parts = threads_of(all, end - first),
                 .list = all->list + first,
                 .copy = all->copy + first,
                 .room = words_at(all->room, first),
                 .to_keys = place_of(all->keys, all->arrays->keys, first, bytes),
                 .to_values = place_of(all->values, all->arrays->values, first, value),
                 .to_indices = place_of(NULL, all->arrays->indices, first, plan->index_bytes)};
    if (s.n == 0) return;
    find(&s);
    team_run(s.parts, move_share, &s);
}

static void part_segments(const run *all, uint64_t from, uint64_t to, bool large) {
    for (uint64_t k = from; k < to; k++) {
        const uint64_t first = sort_segment_first(all->plan, all->arrays->first, k),
                       end = sort_segment_first(all->plan, all->arrays->first, k + 1);
        if ((threads_of(all, end - first) > 1) == large) part(all, first, end);
    }
}

static void part_share(const void *context, team_member me) {
    const run *const all = context;
    const uint64_t a_turn = all->plan->segments / (32 * me.count) + 1;
    for (;;) {
        const team_share mine = team_take(all->plan->segments, a_turn, all->taken);
        if (mine.first == mine.end) return;
        part_segments(all, mine.first, mine.end, false);
    }
}

static void part_all(const run *all) {
    part_segments(all, 0, all->plan->segments, true);
    team_run(all->plan->segments > 1 ? all->plan->base.threads : 1, part_share, all);
}

/* Elements outside of segments are left alone. */
static void settle_results(const run *all, char *staged, void *asked, size_t bytes) {
    const uint64_t first = sort_segment_first(all->plan, all->arrays->first, 0),
                   end = sort_segment_first(all->plan, all->arrays->first, all->plan->segments);
    if (staged == NULL) return;
    memcpy((char *)asked + first * bytes, staged + first * bytes, (end - first) * bytes);
}

static size_t word_bytes(const riffle_sort_plan *plan) { return plan->n * sizeof(uint64_t); }

static size_t room_bytes(const riffle_sort_plan *plan) { return words_want_room() ? word_bytes(plan) : 0; }

size_t partition_bytes(const riffle_sort_plan *plan) { return 2 * word_bytes(plan) + room_bytes(plan); }

static size_t staged_bytes(const riffle_sort_plan *plan, const void *asked, const void *from, size_t bytes) {
    return asked != NULL && asked == from ? plan->n * bytes : 0;
}

riffle_status partition_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    enum { ARRAYS = 5 };
    const size_t value = plan->value_bytes;
    const size_t bytes[ARRAYS] = {word_bytes(plan), word_bytes(plan), room_bytes(plan),
                                  staged_bytes(plan, arrays->keys, arrays->from_keys, plan->layout.elem_bytes),
                                  value > 0 ? staged_bytes(plan, arrays->values, arrays->from_values, value)
                                            : 0};
    void *array[ARRAYS] = {NULL};
    uint64_t taken = 0;
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < ARRAYS; k++) status = sort_room(bytes[k], &array[k]);
    if (status == RIFFLE_OK) {
        const run all = {.plan = plan,
                         .arrays = arrays,
                         .key = key_pieces_of(&plan->layout),
                         .list = array[0],
                         .copy = array[1],
                         .room = array[2],
                         .keys = array[3],
                         .values = array[4],
                         .taken = &taken};
        part_all(&all);
        settle_results(&all, all.keys, arrays->keys, plan->layout.elem_bytes);
        settle_results(&all, all.values, arrays->values, value);
    }
    for (unsigned k = 0; k < ARRAYS; k++) riffle_buffer_free(array[k], bytes[k]);
    return status;
}
