/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"

static const char *const names[] = {[RIFFLE_CHECK_NONE] = "none", [RIFFLE_CHECK_FULL] = "full"};

enum { NAMES = sizeof names / sizeof *names, AT_A_TIME = 1024 };

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

riffle_status check_result(const char *what, uint64_t difference, uint64_t faults) {
    if (difference == 0 && faults == 0) return RIFFLE_OK;
    if (faults > 0)
        return fail(RIFFLE_ERROR_DAMAGED,
                    "%s: the check found %" PRIu64 " element%s out of order; repeat it, and test the memory",
                    what, faults, plural(faults));
    return fail(
        RIFFLE_ERROR_DAMAGED,
        "%s: the check found that what was written is not what was read; repeat it, and test the memory", what);
}

/* ---------------------------------------------------------------------- sums */

void check_take_bytes(check_hash *hash, const char *bytes, size_t count) {
    uint64_t word;
    for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        check_hash_take(hash, word);
    }
    if (count == 0) return;
    word = 0;
    memcpy(&word, bytes, count);
    check_hash_take(hash, word);
}

static uint64_t number_of(uint64_t place, const char *row, size_t row_bytes) {
    check_hash hash = check_hash_begin(place);
    check_take_bytes(&hash, row, row_bytes);
    return check_hash_end(&hash);
}

static void count_places(uint64_t first, size_t count, uint64_t *places) {
    for (size_t k = 0; k < count; k++) places[k] = first + k;
}

static uint64_t sum_of(const check_side *s, uint64_t first, uint64_t end) {
    uint64_t places[AT_A_TIME], sum = 0;
    for (uint64_t base = first; base < end; base += AT_A_TIME) {
        const size_t count = (size_t)min(end - base, (uint64_t)AT_A_TIME);
        if (s->places != NULL)
            s->places(s->context, base, count, places);
        else
            count_places(base, count, places);
        for (size_t k = 0; k < count; k++) {
            const char *const row = (const char *)s->rows + (base + k) / s->each * s->row_bytes;
            if (places[k] != UINT64_MAX) sum += number_of(s->before + places[k], row, s->row_bytes);
        }
    }
    return sum;
}

typedef struct summing {
    const check_side *side;
    uint64_t *sum;
} summing;

static void sum_share(const void *context, team_member me) {
    const summing *const work = context;
    const team_share mine = team_share_of(work->side->items, me);
    __atomic_fetch_add(work->sum, sum_of(work->side, mine.first, mine.end), __ATOMIC_RELAXED);
}

uint64_t check_sum(const check_side *side, unsigned threads) {
    uint64_t sum = 0;
    if (side->row_bytes > 0) team_run(threads, sum_share, &(summing){side, &sum});
    return sum;
}
