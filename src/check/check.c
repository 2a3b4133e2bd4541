/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "check/loops.h"
#include "device/arrays.h"

static const char *const names[] = {
    [RIFFLE_CHECK_NONE] = "none", [RIFFLE_CHECK_FULL] = "full", [RIFFLE_CHECK_PASSES] = "passes"};

enum {
    NAMES = sizeof names / sizeof *names,
    AT_A_TIME = 1024,
    SHORT_ROW = 16, /* words, at most, of rows that are gathered */
};

static const name_table checks = {"check", names, NAMES};

const char *riffle_check_string(riffle_check check) { return name_of(&checks, check); }
riffle_status riffle_check_parse(const char *name, riffle_check *out) {
    return name_parse(&checks, name, (unsigned *)out);
}
size_t riffle_check_list(riffle_check *out, size_t capacity) {
    return name_list(&checks, (unsigned *)out, capacity);
}

riffle_status check_is_one(riffle_check check) {
    if ((unsigned)check < NAMES) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no check with number %d", (int)check);
}

riffle_status check_is_missing(void) {
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the plan has no check; create it with options.check");
}

riffle_status check_result(const char *what, check_sums read, check_sums written, uint64_t faults) {
    if (read.first == written.first && read.second == written.second && faults == 0) return RIFFLE_OK;
    if (faults > 0)
        return fail(RIFFLE_ERROR_DAMAGED,
                    "%s: the check found %" PRIu64 " element%s out of order; repeat it, and test the memory",
                    what, faults, plural(faults));
    return fail(
        RIFFLE_ERROR_DAMAGED,
        "%s: the check found that what was written is not what was read; repeat it, and test the memory", what);
}

size_t check_word_bytes(size_t row_bytes) { return min(array_alignment(row_bytes), (size_t)CHECK_WORD_BYTES); }

/* ------------------------------------------------------------------- elements anywhere */

void check_take_bytes(check_pair *number, const char *bytes, size_t count) {
    uint64_t words;
    for (; count >= sizeof words; bytes += sizeof words, count -= sizeof words) {
        memcpy(&words, bytes, sizeof words);
        check_element_take(number, words);
    }
    if (count == 0) return;
    words = 0;
    memcpy(&words, bytes, count);
    check_element_take(number, words);
}

/* --------------------------------------------------------------------- rows at places */

/* Words on their way to the sums. */
typedef struct adding {
    check_loop *loop;
    size_t word_bytes;
    uint64_t row_words;
    check_sums sums;
} adding;

static uint32_t word_at(const char *bytes, size_t word_bytes) {
    uint32_t word = 0;
    uint16_t half;
    if (word_bytes == sizeof word) {
        memcpy(&word, bytes, sizeof word);
    } else if (word_bytes == sizeof half) {
        memcpy(&half, bytes, sizeof half);
        word = half;
    } else {
        word = (unsigned char)*bytes;
    }
    return word;
}

/* Words of 32 bits, side by side, whose places count up. */
static void add_whole_words(adding *a, const char *words, uint64_t place, uint64_t count) {
    while (count > 0) {
        const uint64_t before_next = ((uint64_t)1 << 32) - (uint32_t)place;
        const check_words of = {.words = words,
                                .place = (uint32_t)place,
                                .upper = (uint32_t)(place >> 32),
                                .count = (size_t)min(count, before_next)};
        a->loop(&a->sums, &of);
        words += of.count * CHECK_WORD_BYTES, place += of.count, count -= of.count;
    }
}

/* The same of words of any size. */
static void add_run(adding *a, const char *words, uint64_t place, uint64_t count) {
    uint32_t widened[AT_A_TIME];
    if (a->word_bytes == CHECK_WORD_BYTES) {
        add_whole_words(a, words, place, count);
        return;
    }
    while (count > 0) {
        const size_t now = (size_t)min(count, (uint64_t)AT_A_TIME);
        for (size_t k = 0; k < now; k++) widened[k] = word_at(words + k * a->word_bytes, a->word_bytes);
        add_whole_words(a, (const char *)widened, place, now);
        words += now * a->word_bytes, place += now, count -= now;
    }
}

/* Words with their places. */
typedef struct gathered {
    uint32_t words[AT_A_TIME], places[AT_A_TIME];
    size_t count;
} gathered;

static void add_gathered(adding *a, gathered *g) {
    const check_words of = {.words = (const char *)g->words, .places = g->places, .count = g->count};
    a->loop(&a->sums, &of);
    g->count = 0;
}

/* A row whose places count up from one on: gathered with others where it is short and they are below 2^32. */
static void add_row(adding *a, gathered *g, const char *row, uint64_t place) {
    if (a->row_words > SHORT_ROW || (place + a->row_words) >> 32 != 0) {
        add_run(a, row, place, a->row_words);
        return;
    }
    if (g->count + a->row_words > AT_A_TIME) add_gathered(a, g);
    for (size_t k = 0; k < a->row_words; k++) {
        g->words[g->count] = word_at(row + k * a->word_bytes, a->word_bytes);
        g->places[g->count++] = (uint32_t)place + (uint32_t)k;
    }
}

/* The places of short rows' words, all of them below 2^32; false where one is not, or is none. */
static bool find_word_places(const uint64_t *places, size_t count, uint64_t before, uint64_t row_words,
                             uint32_t *out) {
    uint64_t any = 0;
    for (size_t k = 0; k < count; k++) any |= places[k] | (before + places[k] + 1) * row_words;
    if (any >> 32 != 0) return false;
    if (row_words == 1)
        for (size_t k = 0; k < count; k++) out[k] = (uint32_t)(before + places[k]);
    else
        for (size_t k = 0; k < count; k++)
            for (size_t w = 0; w < row_words; w++)
                out[k * row_words + w] = (uint32_t)((before + places[k]) * row_words + w);
    return true;
}

/* Rows of whole words, each with a place of its own, from where they lie; false where some are to be gathered. */
static bool add_in_place(adding *a, const check_side *s, uint64_t first, size_t count, const uint64_t *places) {
    uint32_t of_words[AT_A_TIME * SHORT_ROW];
    if (s->each != 1 || a->word_bytes != CHECK_WORD_BYTES || a->row_words > SHORT_ROW ||
        !find_word_places(places, count, s->before, a->row_words, of_words))
        return false;
    const check_words of = {.words = (const char *)s->rows + first * s->row_bytes,
                            .places = of_words,
                            .count = count * (size_t)a->row_words};
    a->loop(&a->sums, &of);
    return true;
}

static void add_items(adding *a, const check_side *s, uint64_t first, uint64_t end) {
    uint64_t places[AT_A_TIME];
    gathered g;
    g.count = 0;
    for (uint64_t base = first; base < end; base += AT_A_TIME) {
        const size_t count = (size_t)min(end - base, (uint64_t)AT_A_TIME);
        s->places(s->context, base, count, places);
        if (add_in_place(a, s, base, count, places)) continue;
        for (size_t k = 0; k < count; k++) {
            const char *const row = (const char *)s->rows + (base + k) / s->each * s->row_bytes;
            if (places[k] != UINT64_MAX) add_row(a, &g, row, (s->before + places[k]) * a->row_words);
        }
    }
    add_gathered(a, &g);
}

static check_sums sums_of(const check_side *s, uint64_t first, uint64_t end) {
    const size_t word_bytes = check_word_bytes(s->row_bytes);
    adding a = {.loop = check_loop_best(), .word_bytes = word_bytes, .row_words = s->row_bytes / word_bytes};
    if (s->places != NULL)
        add_items(&a, s, first, end);
    else
        add_run(&a, (const char *)s->rows + first * s->row_bytes, (s->before + first) * a.row_words,
                (end - first) * a.row_words);
    return a.sums;
}

check_sums check_sum_alone(const check_side *side) { return sums_of(side, 0, side->items); }

typedef struct summing {
    const check_side *side;
    check_sums *sums;
} summing;

static void sum_share(const void *context, team_member me) {
    const summing *const work = context;
    const team_share mine = team_share_of(work->side->items, me);
    const check_sums sums = sums_of(work->side, mine.first, mine.end);
    __atomic_fetch_add(&work->sums->first, sums.first, __ATOMIC_RELAXED);
    __atomic_fetch_add(&work->sums->second, sums.second, __ATOMIC_RELAXED);
}

void check_sum(const check_side *side, unsigned threads, check_sums *sums) {
    if (side->row_bytes > 0) team_run(threads, sum_share, &(summing){side, sums});
}
