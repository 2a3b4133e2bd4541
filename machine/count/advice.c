/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/advice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/count/verdict.h"

enum { REMEDY_TEXT = ADVICE_TEXT - 100, TRIED_TEXT = 112, SEEN_TEXT = 96 };
enum { SECTOR_BYTES = 32, BANK_ROW_BYTES = 128, LEAST_PITCH = 32, STATIC_SHARED_BYTES = 48 << 10 };

typedef struct trial {
    uint64_t before, after, ideal; /* requests */
    unsigned accesses;
} trial;

/* ---- accounting again */

/* How rows of an array move. */
typedef struct layout {
    uint64_t pitch; /* bytes of a row */
    uint64_t unit;  /* bytes that stay together: of a row's padding, or of a swizzle's pieces */
} layout;

/* Moves an access to where it would be. */
typedef void mend(warp_access *access, layout to);

static void add_trial(trial *sum, const warp_access *was, mend *change, layout to) {
    warp_access then = *was;
    change(&then, to);
    const warp_cost before = account_warp(was), after = account_warp(&then);
    sum->before += before.requests;
    sum->after += after.requests;
    sum->ideal += after.ideal_requests;
    sum->accesses++;
}

static trial try_site(const site *s, mend *change, layout to) {
    trial sum = {0};
    for (unsigned k = 0; k < s->record->kept; k++) add_trial(&sum, &s->record->access[k], change, to);
    return sum;
}

static bool is_good(const trial *t) { return (double)t->after <= VERDICT_THRESHOLD * (double)t->ideal; }

/* True if all sites of the array together, weighted by their accesses, need fewer requests with the change. */
static bool gains_in_all(const rounds *r, const site *s, mend *change, layout to) {
    double before = 0, after = 0;
    for (size_t k = 0; k < r->sites; k++) {
        const site *other = r->site[k];
        if (other->array != s->array || other->record == NULL || other->record->kept == 0) continue;
        const trial t = try_site(other, change, to);
        const double weight = (double)other->record->seen / other->record->kept;
        before += weight * (double)t.before;
        after += weight * (double)t.after;
    }
    return after < before;
}

static void say_average(uint64_t requests, unsigned accesses, char out[static 24]) {
    const double value = (double)requests / accesses;
    snprintf(out, 24, value == (double)(uint64_t)value ? "%.0f" : "%.1f", value);
}

static void say_tried(const site *s, const trial *t, char out[static TRIED_TEXT]) {
    const char *what = s->space == SPACE_GLOBAL ? "sectors" : "wavefronts";
    char before[24], after[24];
    say_average(t->before, t->accesses, before);
    say_average(t->after, t->accesses, after);
    snprintf(out, TRIED_TEXT, "tried on %u of %" PRIu64 " accesses: %s %s in place of %s", t->accesses,
             s->record->seen, what, after, before);
}

/* ---- what is seen */

/* The bytes from each lane to the next, if they are the same for all; 0 else. */
static int64_t stride_of(const warp_access *a) {
    if (a->lanes < 3) return 0;
    const int64_t stride = (int64_t)(a->at[1] - a->at[0]);
    for (unsigned k = 1; k < a->lanes; k++) {
        if ((int64_t)(a->at[k] - a->at[k - 1]) != stride || a->lane[k] != a->lane[0] + k) return 0;
    }
    return stride;
}

static uint64_t size_of(int64_t stride) { return stride < 0 ? (uint64_t)-stride : (uint64_t)stride; }

static void say_stride(const warp_access *a, char out[static SEEN_TEXT]) {
    static const char *const does[OPS] = {"read", "write", "update"};
    const int64_t stride = stride_of(a);
    const char *op = does[a->op];
    if (a->lanes > 1 && a->at[0] == a->at[a->lanes - 1] && stride == 0)
        snprintf(out, SEEN_TEXT, "threads %s the same places", op);
    else if (stride == (int64_t)a->bytes)
        snprintf(out, SEEN_TEXT,
                 "consecutive threads %s consecutive elements, from byte %" PRIu64 " of a sector", op,
                 place_offset(a->at[0]) % SECTOR_BYTES);
    else if (stride != 0)
        snprintf(out, SEEN_TEXT, "consecutive threads %s %" PRIu64 " bytes apart", op, size_of(stride));
    else
        snprintf(out, SEEN_TEXT, "consecutive threads %s without a constant distance", op);
}

/* ---- remedies */

/* A unit more behind each row. */
static void pad_rows(warp_access *a, layout to) {
    for (unsigned k = 0; k < a->lanes; k++) a->at[k] += place_offset(a->at[k]) / to.pitch * to.unit;
}

static void swizzle_rows(warp_access *a, layout to) {
    for (unsigned k = 0; k < a->lanes; k++) {
        const uint64_t row = place_offset(a->at[k]) / to.pitch;
        a->at[k] ^= row % (BANK_ROW_BYTES / to.unit) * to.unit;
    }
}

static bool is_pitch(uint64_t pitch, const site *s, const advice_array *array) {
    return pitch >= LEAST_PITCH && pitch % s->bytes == 0 && pitch % array->unit == 0 &&
           pitch % array->stretch == 0 && 2 * pitch <= array->bytes && array->bytes % pitch == 0;
}

static bool has_room(uint64_t pitch, const advice_array *array) {
    return !array->fixed || array->bytes > STATIC_SHARED_BYTES ||
           array->bytes + array->bytes / pitch * array->unit <= STATIC_SHARED_BYTES;
}

/* A remedy by another layout of a shared array. */
typedef struct relayout {
    mend *change;
    layout to;
    trial tried;
} relayout;

static void say_relayout(const site *s, const advice_array *array, const relayout *one,
                         char out[static REMEDY_TEXT]) {
    char tried[TRIED_TEXT], aligned[SEEN_TEXT] = "";
    const uint64_t unit = one->to.unit, pitch = one->to.pitch;
    char of[24] = ""; /* an access of more bytes than a word is of more than one element, maybe */
    say_tried(s, &one->tried, tried);
    if (s->bytes > sizeof(float)) snprintf(of, sizeof of, " of %u bytes", s->bytes);
    if (unit > s->bytes)
        snprintf(aligned, sizeof aligned, ", so that accesses of %" PRIu64 " bytes stay aligned", unit);
    if (one->change == swizzle_rows)
        snprintf(out, REMEDY_TEXT,
                 "in row r of %.30s, %" PRIu64 " bytes long, keep piece k of %" PRIu64
                 " bytes at k ^ (r %% %" PRIu64 ") (%s)",
                 array->name, pitch, unit, BANK_ROW_BYTES / unit, tried);
    else if (pitch == BANK_ROW_BYTES && size_of(stride_of(&s->record->worst)) != pitch)
        snprintf(out, REMEDY_TEXT,
                 "leave %" PRIu64 " element%s%s of %.30s free behind every %" PRIu64 "%s (%s)", unit / s->bytes,
                 unit > s->bytes ? "s" : "", of, array->name, pitch / s->bytes, aligned, tried);
    else
        snprintf(out, REMEDY_TEXT, "pad the rows of %.30s, %" PRIu64 " elements%s long, by %" PRIu64 "%s (%s)",
                 array->name, pitch / s->bytes, of, unit / s->bytes, aligned, tried);
}

/* Tries a layout; true if it mends the site. One that only helps is kept where the array's wide accesses allow no more. */
static bool try_relayout(const rounds *r, const site *s, mend *change, layout to, relayout *best) {
    const relayout one = {change, to, try_site(s, change, to)};
    if (!gains_in_all(r, s, change, to)) return false;
    const bool mends = is_good(&one.tried);
    const bool helps = to.unit > s->bytes &&
                       (double)one.tried.before > VERDICT_THRESHOLD * (double)one.tried.after &&
                       (best->change == NULL || one.tried.after < best->tried.after);
    if (mends || helps) *best = one;
    return mends;
}

static bool say_layout(const rounds *r, const site *s, const advice_array *array,
                       char out[static REMEDY_TEXT]) {
    const uint64_t pitches[] = {size_of(stride_of(&s->record->worst)), BANK_ROW_BYTES};
    const uint64_t unit = array->unit > s->bytes ? array->unit : s->bytes;
    relayout best = {0};
    bool mended = false;
    for (unsigned k = 0; k < 2 && !mended; k++)
        mended = is_pitch(pitches[k], s, array) && has_room(pitches[k], array) &&
                 try_relayout(r, s, pad_rows, (layout){pitches[k], unit}, &best);
    for (unsigned k = 0; k < 2 && !mended; k++)
        mended = is_pitch(pitches[k], s, array) && pitches[k] % BANK_ROW_BYTES == 0 && unit >= array->stretch &&
                 try_relayout(r, s, swizzle_rows, (layout){pitches[k], unit}, &best);
    if (best.change == NULL) return false;
    say_relayout(s, array, &best, out);
    return true;
}

static int compare_units(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sectors that so many accesses touch, each counted once. */
static uint64_t sectors_together(const warp_access *access, unsigned run) {
    uint64_t unit[RECORD_TOGETHER * MACHINE_MAX_WIDTH];
    size_t count = 0, different = 0;
    for (unsigned j = 0; j < run; j++) {
        for (unsigned k = 0; k < access[j].lanes; k++) unit[count++] = access[j].at[k] / SECTOR_BYTES;
    }
    qsort(unit, count, sizeof *unit, compare_units);
    for (size_t k = 0; k < count; k++) different += k == 0 || unit[k] != unit[k - 1];
    return different;
}

/* Accesses in a row of which each lane's lies right behind its last. */
static unsigned run_along(const record *own, unsigned bytes) {
    unsigned run = own->run > 0;
    for (; run < own->run; run++) {
        const warp_access *last = &own->in_turn[run - 1], *next = &own->in_turn[run];
        if (last->lanes != next->lanes) break;
        unsigned k = 0;
        while (k < next->lanes && next->lane[k] == last->lane[k] && next->at[k] == last->at[k] + bytes) k++;
        if (k < next->lanes) break;
    }
    return run;
}

static bool say_turning(const site *s, char out[static REMEDY_TEXT]) {
    const unsigned run = run_along(s->record, s->bytes);
    if (run < 4) return false;
    uint64_t before = 0;
    for (unsigned k = 0; k < run; k++) before += account_warp(&s->record->in_turn[k]).requests;
    const uint64_t after = sectors_together(s->record->in_turn, run);
    if (2 * after > before) return false;
    snprintf(out, REMEDY_TEXT,
             "each goes through its own bytes in turn: swap the loops, or stage through shared memory (tried "
             "on %u accesses "
             "in a row: sectors %" PRIu64 " in place of %" PRIu64 ")",
             run, after, before);
    return true;
}

/* Warps of a block that fill each other's gaps, as those of a transpose do. */
static bool say_tile(const site *s, char out[static REMEDY_TEXT]) {
    const unsigned count = s->record->together;
    uint64_t before = 0;
    for (unsigned k = 0; k < count; k++) before += account_warp(&s->record->of_block[k]).requests;
    const uint64_t after = sectors_together(s->record->of_block, count);
    if (count < 2 || 2 * after > before) return false;
    const char *does = s->op == OP_READ ? "read" : "write";
    char what[REMEDY_TEXT - TRIED_TEXT];
    if (stride_of(&s->record->worst) != 0)
        snprintf(what, sizeof what,
                 "the block's warps fill each other's gaps: go through a tile in shared memory, padded against "
                 "conflicts, so that consecutive threads %s consecutive elements",
                 does);
    else
        snprintf(what, sizeof what,
                 "the block's warps %s the same sectors at different times: go through shared memory, and %s "
                 "consecutive elements there",
                 does, does);
    snprintf(out, REMEDY_TEXT,
             "%s (tried on %u accesses of a block: sectors %" PRIu64 " in place of %" PRIu64 ")", what, count,
             after, before);
    return true;
}

/* True if another access of the kernel, the other way and as often, is coalesced because this one is not: to swap what threads take would
 * only move the waste there. */
static bool is_of_transpose(const rounds *r, const site *s) {
    const int64_t stride = stride_of(&s->record->worst);
    if (size_of(stride) < BANK_ROW_BYTES) return false;
    for (size_t k = 0; k < r->sites; k++) {
        const site *o = r->site[k];
        if (o->space != SPACE_GLOBAL || o->op == s->op || o->record == NULL || o->record->kept == 0) continue;
        if (o->record->seen == s->record->seen && o->record->wasted == 0 &&
            stride_of(&o->record->access[0]) == (int64_t)o->bytes)
            return true;
    }
    return false;
}

static void begin_at_sector(warp_access *a, layout unused) {
    (void)unused;
    const uint64_t over = place_offset(a->at[0]) % SECTOR_BYTES;
    for (unsigned k = 0; k < a->lanes; k++) a->at[k] -= over;
}

static void lie_side_by_side(warp_access *a, layout to) {
    const place first = a->at[0] / to.pitch * a->bytes;
    for (unsigned k = 0; k < a->lanes; k++) a->at[k] = first + (uint64_t)k * a->bytes;
}

static void update_once(warp_access *a, layout unused) {
    (void)unused;
    unsigned lanes = 0;
    for (unsigned k = 0; k < a->lanes; k++) {
        unsigned j = 0;
        while (j < lanes && a->at[j] != a->at[k]) j++;
        if (j < lanes) continue;
        a->lane[lanes] = a->lane[k];
        a->at[lanes++] = a->at[k];
    }
    a->lanes = lanes;
}

static bool say_change(const site *s, mend *change, layout to, const char *what, char out[static REMEDY_TEXT]) {
    const trial t = try_site(s, change, to);
    if (t.accesses == 0 || (double)t.before <= VERDICT_THRESHOLD * (double)t.after) return false;
    char tried[TRIED_TEXT];
    say_tried(s, &t, tried);
    snprintf(out, REMEDY_TEXT, "%s (%s)", what, tried);
    return true;
}

static bool say_global(const rounds *r, const site *s, char out[static REMEDY_TEXT]) {
    const int64_t stride = stride_of(&s->record->worst);
    const layout apart = {.pitch = (uint64_t)stride};
    if (say_turning(s, out)) return true;
    if (stride == (int64_t)s->bytes)
        return say_change(s, begin_at_sector, apart, "begin at a multiple of 32 bytes", out);
    if (say_tile(s, out)) return true;
    if (stride <= (int64_t)s->bytes || is_of_transpose(r, s)) return false;
    return say_change(s, lie_side_by_side, apart,
                      "have consecutive threads take consecutive elements, or keep what they take side by side",
                      out);
}

void advice_say(const rounds *r, const site *s, const advice_array *array, char out[static ADVICE_TEXT]) {
    char remedy[REMEDY_TEXT] = "", seen[SEEN_TEXT];
    out[0] = '\0';
    if (s->record == NULL || s->record->wasted == 0) return;
    say_stride(&s->record->worst, seen);
    bool known =
        s->op == OP_ATOMIC && say_change(s, update_once, (layout){0}, "add up in the warp before", remedy);
    if (!known && s->space == SPACE_SHARED) known = say_layout(r, s, array, remedy);
    if (!known && s->space == SPACE_GLOBAL && s->op != OP_ATOMIC) known = say_global(r, s, remedy);
    snprintf(out, ADVICE_TEXT, "%s%s%s", seen, known ? "; " : "", remedy);
}
