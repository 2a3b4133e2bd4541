/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/order.h"

#include "base/threads/team.h"
#include "sort/cpu/ordered.h"
#include "sort/cpu/two_phase.h"

enum { FEW = 16, WORD_BITS = 64 };

static const unsigned char *element(const ordering *all, uint64_t i) {
    return all->elements + i * all->elem_bytes;
}

/* How many bits the numbers below n have. */
static unsigned bits_below(uint64_t n) { return n < 2 ? 0 : WORD_BITS - (unsigned)__builtin_clzll(n - 1); }

/* A way to number elements: a stretch of them, or of the order. */
typedef struct listing {
    const ordering *all;
    uint64_t first;
    bool is_order;
} listing;

static uint64_t listed(const listing *list, uint64_t i) {
    return list->is_order ? sort_order_at(&list->all->order, list->first + i) : list->first + i;
}

/* 64 bits of the keys of n listed elements from `from` on. */
static void bits_of_listed(const listing *list, uint64_t from, uint64_t n, unsigned bit, uint64_t *out) {
    const ordering *const all = list->all;
    if (!list->is_order)
        key_bits_of_many(all->key, element(all, list->first + from), all->elem_bytes, n, bit, out);
    for (uint64_t i = 0; list->is_order && i < n; i++)
        out[i] = key_bits_at(all->key, element(all, listed(list, from + i)), bit);
}

/* Bits of the keys of listed elements from .. end - 1 from bit `bit` on that are not in all of them as in the first. */
static uint64_t difference(const listing *list, uint64_t from, uint64_t end, unsigned bit) {
    enum { AT_A_TIME = 512 };
    uint64_t first, differs = 0, bits[AT_A_TIME];
    bits_of_listed(list, 0, 1, bit, &first);
    for (uint64_t i = from; i < end; i += AT_A_TIME) {
        const uint64_t some = end - i < AT_A_TIME ? end - i : AT_A_TIME;
        bits_of_listed(list, i, some, bit, bits);
        for (uint64_t k = 0; k < some; k++) differs |= bits[k] ^ first;
    }
    return differs;
}

/* In which bits do the keys of a listing differ? A team asks together. */
typedef struct question {
    const listing *list;
    uint64_t n, *differs;
    unsigned bit;
} question;

static void ask_share(const void *context, team_member me) {
    const question *const all = context;
    const team_share mine = team_share_of(all->n, me);
    const uint64_t differs = difference(all->list, mine.first, mine.end, all->bit);
    __atomic_fetch_or(all->differs, differs, __ATOMIC_RELAXED);
}

/* The first bit from `bit` on in which the keys of n listed elements differ, or the end of the key. */
static unsigned first_difference(const listing *list, uint64_t n, unsigned bit, unsigned threads) {
    const unsigned end = 8 * list->all->key->bytes;
    for (; bit < end; bit += WORD_BITS) {
        uint64_t differs = 0;
        team_run(threads, ask_share, &(question){list, n, &differs, bit});
        if (differs != 0) return bit + (unsigned)__builtin_clzll(differs);
    }
    return end;
}

/* Items of a listing. */
typedef struct making {
    listing list;
    unsigned bit, index_bits; /* the W bits begin at `bit` */
    between *compared;        /* items that a check of passes adds up; NULL: nobody asks */
} making;

static void make_items(const void *context, void *numbers, uint64_t first, uint64_t n) {
    const making *const m = context;
    const unsigned b = m->index_bits;
    uint64_t *const items = numbers;
    bits_of_listed(&m->list, first, n, m->bit, items);
    if (b == 0) return;
    for (uint64_t i = 0; i < n; i++) items[i] = items[i] >> b << b | (first + i);
}

static void show_items(const void *context, void *numbers, uint64_t first, uint64_t n) {
    const making *const m = context;
    between_made(m->compared, numbers, n);
    ordered_read(m->list.all->compared, m->list.first + first, n);
}

static bool is_tie(uint64_t item, uint64_t other, unsigned index_bits) {
    return (item ^ other) >> index_bits == 0;
}

/* --------------------------------------------------------------------- ties */

static bool comes_before(const ordering *all, uint64_t a, uint64_t b, unsigned bit) {
    for (; bit < 8 * all->key->bytes; bit += WORD_BITS) {
        const uint64_t x = key_bits_at(all->key, element(all, a), bit);
        const uint64_t y = key_bits_at(all->key, element(all, b), bit);
        if (x != y) return x < y;
    }
    return false;
}

/* Places first .. end - 1 of the order, whose keys agree up to `bit`. */
static void insert_few(const ordering *all, uint64_t first, uint64_t end, unsigned bit) {
    for (uint64_t i = first + 1; i < end; i++) {
        const uint64_t this = sort_order_at(&all->order, i);
        uint64_t k = i;
        for (; k > first && comes_before(all, this, sort_order_at(&all->order, k - 1), bit); k--)
            sort_order_set(&all->order, k, sort_order_at(&all->order, k - 1));
        sort_order_set(&all->order, k, this);
    }
}

/* The same for many. The results for items first .. end - 1 are not needed any more. Each time round keys are read
 * at least 24 bits further. */
static void sort_tie(const ordering *all, uint64_t first, uint64_t end, unsigned bit) {
    const uint64_t n = end - first;
    uint64_t *const items = all->items + first, *const room = all->room + first;
    if (n <= FEW) {
        insert_few(all, first, end, bit);
        return;
    }
    making m = {.list = {all, first, true}, .index_bits = bits_below(n)};
    m.bit = first_difference(&m.list, n, bit, 1);
    if (m.bit >= 8 * all->key->bytes) return;
    make_items(&m, items, 0, n);
    sort_words_u64.sort(items, room, n);
    const uint64_t mask = ((uint64_t)1 << m.index_bits) - 1;
    for (uint64_t i = 0; i < n; i++) room[i] = listed(&m.list, items[i] & mask);
    for (uint64_t i = 0; i < n; i++) sort_order_set(&all->order, first + i, room[i]);
    const unsigned next = m.bit + WORD_BITS - m.index_bits;
    if (next >= 8 * all->key->bytes) return;
    for (uint64_t i = 0, after; i < n; i = after) {
        const uint64_t item = items[i];
        for (after = i + 1; after < n && is_tie(items[after], item, m.index_bits);) after++;
        if (after - i > 1) sort_tie(all, first + i, first + after, next);
    }
}

/* ---------------------------------------------------------------- all items */

/* Sorted items, from which the order is made. */
typedef struct sorted_items {
    making m;
    const uint64_t *items; /* the whole stretch's */
    uint64_t n;
    unsigned parts, next; /* keys go on at bit `next` */
    bool goes_on;
    uint64_t begin[WORDS_MOST_RUNS + 1]; /* each part's first item: no tie is in two */
} sorted_items;

static void find_beginnings(sorted_items *s) {
    for (unsigned p = 0; p < s->parts; p++) {
        uint64_t at = team_share_of(s->n, (team_member){p, s->parts}).first;
        while (at > 0 && at < s->n && is_tie(s->items[at - 1], s->items[at], s->m.index_bits)) at++;
        s->begin[p] = at;
    }
    s->begin[s->parts] = s->n;
}

/* A part is done from its ends' beginning to the next one's: what is behind that another thread may be sorting. */
static void order_part(const sorted_items *s, uint64_t from, uint64_t end) {
    const ordering *const all = s->m.list.all;
    const uint64_t first = s->m.list.first, mask = ((uint64_t)1 << s->m.index_bits) - 1;
    if (s->m.compared != NULL) between_sorted(s->m.compared, s->items + from, from, end - from);
    for (uint64_t i = from, after; i < end; i = after) {
        const uint64_t item = s->items[i];
        sort_order_set(&all->order, first + i, first + (item & mask));
        for (after = i + 1; after < end && s->goes_on && is_tie(s->items[after], item, s->m.index_bits);
             after++)
            sort_order_set(&all->order, first + after, first + (s->items[after] & mask));
        if (after - i > 1) sort_tie(all, first + i, first + after, s->next);
    }
}

static void order_share(const void *context, team_member me) {
    const sorted_items *const s = context;
    for (unsigned p = me.number; p < s->parts; p += me.count) order_part(s, s->begin[p], s->begin[p + 1]);
}

static void keep_order(const ordering *all, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++) sort_order_set(&all->order, i, i);
}

/* Where items of elements first .. end - 1 begin in the keys; false where the order is that of the elements. */
static bool begin(sorted_items *s, const ordering *all, uint64_t first, uint64_t end, unsigned threads) {
    const unsigned key_end = 8 * all->key->bytes;
    *s = (sorted_items){.n = end - first, .parts = two_phase_threads(end - first, threads)};
    s->m = (making){.list = {all, first, false}, .index_bits = bits_below(s->n)};
    if (s->n > 1 && key_end > WORD_BITS - s->m.index_bits)
        s->m.bit = first_difference(&s->m.list, s->n, 0, s->parts);
    s->items = all->items + first;
    s->next = s->m.bit + WORD_BITS - s->m.index_bits;
    s->goes_on = s->next < key_end;
    if (s->n > 1 && s->m.bit < key_end) return true;
    keep_order(all, first, end);
    return false;
}

/* Items are made in the room, and sorted into their place. */
static two_phase phases_of(const sorted_items *s) {
    const ordering *const all = s->m.list.all;
    return (two_phase){.word_bytes = sizeof *s->items,
                       .n = s->n,
                       .threads = s->parts,
                       .make = make_items,
                       .is_made_anew = all->key->count == 1,
                       .context = &s->m,
                       .numbers = all->room + s->m.list.first,
                       .sorted = all->items + s->m.list.first,
                       .room = all->merging};
}

static void order_by_items(sorted_items *s) {
    find_beginnings(s);
    team_run(s->parts, order_share, s);
}

/* The order, whose items are compared on their way. */
static void compare_items(sorted_items *s) {
    between items;
    between_begin(&items, sizeof *s->items);
    s->m.compared = &items;
    two_phase sort = phases_of(s);
    sort.made = show_items;
    two_phase_sort(&sort);
    order_by_items(s);
    between_end(&items, &s->m.list.all->compared->found);
}

void order_find(const ordering *all, uint64_t first, uint64_t end, unsigned threads) {
    sorted_items s;
    if (!begin(&s, all, first, end, threads)) {
        if (all->compared != NULL) ordered_read(all->compared, first, end - first);
    } else if (all->compared != NULL) {
        compare_items(&s);
    } else {
        const two_phase sort = phases_of(&s);
        two_phase_sort(&sort);
        order_by_items(&s);
    }
}

/* ----------------------------------------------------------------- selection */

static void exchange(uint64_t *a, uint64_t *b) {
    const uint64_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Items that tie with the one at place `count` are brought to places from .. end - 1 around it; that alone, if keys do not go on. */
static void gather_ties(const sorted_items *s, uint64_t *items, uint64_t count, uint64_t *from, uint64_t *end) {
    const uint64_t item = items[count];
    *from = count;
    *end = count + 1;
    if (!s->goes_on) return;
    for (uint64_t i = 0; i < *from;) {
        if (is_tie(items[i], item, s->m.index_bits))
            exchange(&items[i], &items[--*from]);
        else
            i++;
    }
    for (uint64_t i = *end; i < s->n; i++)
        if (is_tie(items[i], item, s->m.index_bits)) exchange(&items[i], &items[(*end)++]);
}

void order_select(const ordering *all, const riffle_sort_plan *plan, uint64_t first, uint64_t end) {
    sorted_items s;
    uint64_t *const items = all->items + first, ties, ties_end;
    if (!begin(&s, all, first, end, 1)) return;
    make_items(&s.m, items, 0, s.n);
    sort_words_u64.select(items, all->room + first, s.n, plan->count);
    gather_ties(&s, items, plan->count, &ties, &ties_end);
    if (plan->task == RIFFLE_SORT_TASK_TOP) {
        sort_words_u64.sort(items, all->room + first, ties_end);
        order_part(&s, 0, ties_end);
        return;
    }
    sort_words_u64.sort(items + ties, all->room + first,
                        ties_end - ties); /* ties in the order of the elements */
    order_part(&s, ties, ties_end);
    s.goes_on = false;
    order_part(&s, 0, ties);
    order_part(&s, ties_end, s.n);
}

/* ------------------------------------------------------------------- merging */

/* Items of sorted runs, and whether they are sorted. */
typedef struct run_items {
    const sorted_items *s;
    const words_runs *runs;
    uint64_t *items;
    int *is_wrong;
} run_items;

/* Makes a share of the items, and looks at each with the one before it in its run, which it makes itself. */
static void make_share(const void *context, team_member me) {
    const run_items *const all = context;
    const team_share mine = team_share_of(all->s->n, me);
    unsigned r = 0;
    int is_wrong = 0;
    make_items(&all->s->m, all->items + mine.first, mine.first, mine.end - mine.first);
    for (uint64_t i = mine.first; i < mine.end; i++) {
        uint64_t before;
        while (i >= all->runs->first[r + 1]) r++;
        if (i == all->runs->first[r]) continue;
        if (i == mine.first)
            make_items(&all->s->m, &before, i - 1, 1);
        else
            before = all->items[i - 1];
        is_wrong |= before > all->items[i];
    }
    if (is_wrong) __atomic_store_n(all->is_wrong, 1, __ATOMIC_RELAXED);
}

void order_merge(const ordering *all, const uint64_t *first, unsigned k, unsigned threads) {
    sorted_items s;
    int is_wrong = 0;
    if (!begin(&s, all, first[0], first[k], threads)) return;
    const two_phase merge = phases_of(&s);
    words_runs runs = {.numbers = merge.numbers, .k = k};
    for (unsigned r = 0; r <= k; r++) runs.first[r] = first[r] - first[0];
    team_run(s.parts, make_share, &(run_items){&s, &runs, merge.numbers, &is_wrong});
    if (is_wrong)
        two_phase_sort(&merge);
    else
        two_phase_merge(&merge, &runs);
    order_by_items(&s);
}
