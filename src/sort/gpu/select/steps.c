/* SPDX-License-Identifier: Apache-2.0
 *
 * How a selection is cut. Samples are drawn from all over, so how many of the first `count` are among S of n is about Poisson's of
 * count * S / n: the bound is the sample that has five standard deviations more before it, and the list has room for five more behind it.
 */
#include <math.h>

#include "device/workspace.h"
#include "sort/gpu/select/select.h"

enum {
    STRETCH = 1 << 16, /* elements that there are for each group of samples */
    LEAST_LIST = 1024, /* candidates that there is room for */
    MOST_SHARE = 8,    /* no more than this part is selected */
    BLOCKS = 3,        /* blocks of a multiprocessor */
    DEVIATIONS = 5,
    MOST_SEGMENTS = 16, /* that are selected one by one: each by all blocks */
    LEAST_UNEVEN = 64,  /* segments, where one may have nearly all elements: fewer keep too few blocks busy */
    LEAST_ROW = 1024,   /* elements of a segment */
    MOST_OF_ROW = 1024, /* that are selected of one, by a block */
};

/* Codes of short numbers lie in the upper bits of 32. */
select_coder select_coder_of(const select_request *r, const sort_coding *coding) {
    const unsigned bytes = r->field.bytes, shift = bytes < 4 ? 32 - 8 * bytes : 0;
    const uint64_t numbers = bytes <= 8 ? sort_numbers(r->field.kind, bytes) : 0;
    const bool is_turned = coding->turn != 0;
    select_coder c = {.coding = {.positive = coding->positive << shift,
                                 .negative = coding->negative << shift,
                                 .minus = coding->minus << shift,
                                 .turn = coding->turn << shift,
                                 .plus = coding->plus << shift},
                      .zero = (numbers / 2 - 1) << shift,
                      .step = (uint64_t)1 << shift,
                      .numbers = numbers << shift,
                      .joins = r->is_placed && numbers != 0,
                      .shift = shift};
    c.flip = c.coding.positive ^ c.coding.negative;
    c.factor = is_turned ? ~(uint64_t)0 : 1; /* x turned is -x - step */
    c.added = c.coding.plus + (is_turned ? c.coding.minus - c.step : 0 - c.coding.minus);
    return c;
}

select_table select_table_of(const select_request *r, const sort_coding *coding, uint32_t digit_bits) {
    const uint32_t rounds = ceil_div(8 * (uint32_t)r->field.bytes, digit_bits);
    return (select_table){.coder = select_coder_of(r, coding),
                          .n = r->n,
                          .count = r->count,
                          .groups = min(max(r->n / STRETCH, 1U), (uint32_t)SELECT_MOST_GROUPS),
                          .sides = 1,
                          .rounds = rounds,
                          .cleared = rounds << digit_bits};
}

/* Ranks in the sample, and room for what comes before the first of them. */
static bool choose_ranks(select_table *t, uint32_t segments) {
    const double samples = t->groups * (double)SELECT_GROUP, each = t->n / samples, mean = t->count / each;
    const double rank = floor(mean + DEVIATIONS * sqrt(mean) + 2), apart = sqrt(rank + 1);
    const double capacity = ceil(each * (rank + 1 + DEVIATIONS * apart + DEVIATIONS));
    const uint32_t goes_on = t->groups * SELECT_WINDOW, of_group = (uint32_t)(rank / t->groups);
    t->window[0] = of_group > SELECT_WINDOW / 2 ? min(of_group, SELECT_GROUP) - SELECT_WINDOW / 2 : 0;
    t->window[0] = min(t->window[0], (uint32_t)(SELECT_GROUP - SELECT_WINDOW));
    t->rank[0] = (uint32_t)rank - t->window[0] * t->groups;
    t->rank[1] = min(t->rank[0] + 2 + (uint32_t)apart, goes_on - 1);
    if (t->rank[0] + 1 >= goes_on || capacity > t->n / 2.0) return false;
    t->capacity = max((uint32_t)capacity, max((uint32_t)LEAST_LIST, t->count));
    t->behind = UINT32_MAX - t->n * segments;
    return true;
}

void select_choose_blocks(select_table *t, uint32_t elem_bytes, unsigned multiprocessors) {
    const uint32_t each = (uint32_t)sizeof(uint64_t) * 2 / elem_bytes, vectors = t->n / each + 2;
    t->vectors = round_up(ceil_div(vectors, BLOCKS * multiprocessors), (uint32_t)SELECT_THREADS);
    t->blocks = ceil_div(vectors, t->vectors);
}

/* Results that may be the first of what they are made of; of many segments all are. */
static void lay_out_results(select_steps *s) {
    const select_request *const r = &s->request;
    const size_t results = (size_t)r->segments * r->count;
    s->keys = launch_lay(&s->bytes, results * r->field.bytes);
    s->values = launch_lay(&s->bytes, results * r->value_bytes);
}

static void lay_out(select_steps *s) {
    const select_table *const t = &s->table;
    s->list = launch_lay(&s->bytes, (size_t)t->capacity * s->listed_bytes);
    s->picked = launch_lay(&s->bytes, (size_t)t->groups * SELECT_WINDOW * s->word_bytes);
    s->bounds = launch_lay(&s->bytes, (size_t)SELECT_BOUNDS * s->word_bytes);
    s->counts = launch_lay(&s->bytes, SELECT_COUNTS * sizeof(uint32_t));
    s->ties = launch_lay(&s->bytes, 2 * (size_t)t->blocks * sizeof(uint32_t));
    s->digits = launch_lay(&s->bytes, (size_t)t->rounds * SELECT_DIGITS * sizeof(uint32_t));
    s->inner = launch_lay(&s->bytes, s->sort_steps.bytes);
    lay_out_results(s);
}

/* A short list is a leaf, which is predicted as it is filled: by the bound, behind the candidates. */
static sort_steps sort_of(const sort_request *list, unsigned multiprocessors) {
    if (list->n > sort_leaf_most(4)) return sort_choose_steps(list, multiprocessors);
    return sort_cut(list, 0, list->n, list->n, multiprocessors);
}

/* The steps for one array, or a few. */
static void choose_arrays(select_steps *s, const sort_coding *coding, uint32_t least,
                          unsigned multiprocessors) {
    const select_request *const r = &s->request;
    const uint32_t bytes = r->field.bytes;
    if (r->n < max(least, (uint32_t)SELECT_GROUP) || r->is_uneven) return;
    s->table = select_table_of(r, coding, SELECT_DIGIT_BITS);
    if (!choose_ranks(&s->table, r->segments)) return;
    select_choose_blocks(&s->table, bytes, multiprocessors);
    s->is_last_alone = r->count <= MOST_OF_ROW;
    if (!s->is_last_alone) {
        s->sort = (sort_request){
            .n = s->table.capacity, .segments = 1, .needed_end = r->count, .key_bytes = s->listed_bytes};
        s->sort_steps = sort_of(&s->sort, multiprocessors);
    }
    lay_out(s);
    s->is_chosen = true;
}

static void choose_rows(select_steps *s, const sort_coding *coding) {
    const select_request *const r = &s->request;
    if (r->n < LEAST_ROW || r->count > MOST_OF_ROW || (r->is_uneven && r->segments < LEAST_UNEVEN)) return;
    s->table = (select_table){.coder = select_coder_of(r, coding), .n = r->n, .count = r->count};
    s->list = launch_lay(&s->bytes, (size_t)r->segments * r->count * s->listed_bytes);
    lay_out_results(s);
    s->is_chosen = s->is_by_rows = true;
}

select_steps select_choose(const select_request *r, const sort_coding *coding, uint32_t least,
                           unsigned multiprocessors) {
    select_steps s = {.request = *r, .word_bytes = max((uint32_t)r->field.bytes, 4U)};
    s.listed_bytes = s.word_bytes * (r->is_placed ? 2 : 1);
    if (r->count == 0 || r->count > r->n / MOST_SHARE || s.listed_bytes > 16) return s;
    if (r->segments <= MOST_SEGMENTS)
        choose_arrays(&s, coding, least, multiprocessors);
    else
        choose_rows(&s, coding);
    return s;
}
