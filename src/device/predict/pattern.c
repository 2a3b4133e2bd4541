/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"

struct pattern_round {
    uint64_t stages; /* stages of all DMMs; 0: no such round */
    uint64_t each;   /* stages that every DMM has, beside those told apart */
    uint64_t more;   /* rounds alike beside this one */
    bool is_casual;
};

void pattern_counts_add(pattern_counts *sum, const pattern_counts *more) {
    for (unsigned s = 0; s < PATTERN_SPACES; s++) {
        for (unsigned o = 0; o < PATTERN_OPS; o++) {
            pattern_count *const a = &sum->of[s][o];
            const pattern_count *const b = &more->of[s][o];
            a->rounds += b->rounds, a->casual_rounds += b->casual_rounds;
            a->stages += b->stages, a->time_units += b->time_units;
        }
    }
}

uint64_t pattern_time_units(const pattern_counts *counts) {
    uint64_t sum = 0;
    for (unsigned s = 0; s < PATTERN_SPACES; s++)
        for (unsigned o = 0; o < PATTERN_OPS; o++) sum += counts->of[s][o].time_units;
    return sum;
}

void pattern_begin(pattern *p, const riffle_machine_options *machine, uint64_t grid, uint64_t most_elements) {
    *p = (pattern){.machine = machine, .grid = grid, .most_elements = most_elements, .alike = 1};
}

void pattern_mean(pattern *p, pattern_meaning meaning) { p->meaning = max(p->meaning, meaning); }

const char *pattern_meaning_string(pattern_meaning meaning) {
    static const char *const names[] = {[PATTERN_EXACT] = "exact",
                                        [PATTERN_ESTIMATED] = "estimated",
                                        [PATTERN_EXPECTED] = "expected",
                                        [PATTERN_USERS] = "estimated",
                                        [PATTERN_AT_MOST] = "at most"};
    return names[meaning];
}

void pattern_declare(pattern *p, unsigned site, pattern_space space, pattern_op op, size_t bytes) {
    p->site[site] = (pattern_site){.space = space, .op = op, .bytes = (unsigned)bytes};
}

void pattern_declare_all(pattern *p, const pattern_declaration *all, size_t count) {
    for (size_t k = 0; k < count; k++) pattern_declare(p, all[k].site, all[k].space, all[k].op, all[k].bytes);
}

void pattern_declare_atomic(pattern *p, unsigned site, pattern_space space, size_t bytes) {
    pattern_declare(p, site, space, PATTERN_WRITE, bytes);
    p->site[site].is_atomic = true;
}

/* ------------------------------------------------------------------- blocks */

uint64_t pattern_samples(pattern *p, uint64_t block_elements) {
    const uint64_t most = p->most_elements / max(block_elements, 1), few = max(most, PATTERN_FEWEST_SAMPLES);
    if (p->grid <= few) return p->grid;
    pattern_mean(p, PATTERN_ESTIMATED);
    return few;
}

uint64_t pattern_sample(pattern *p, uint64_t samples, uint64_t k) {
    const uint64_t others = p->grid - 1, shares = samples - 1;
    if (k == shares) {
        pattern_alike(p, others, 1);
    } else {
        const uint64_t each = others / shares, more = others % shares;
        pattern_alike(p, k * each + min(k, more), each + (k < more ? 1 : 0));
    }
    return p->first;
}

/* ------------------------------------------------------------------- rounds */

static unsigned dmms_of(const pattern *p, const pattern_site *s) {
    return s->space == PATTERN_SHARED && p->machine->dmms > 1 ? p->machine->dmms : 0;
}

static bool grow(pattern *p, pattern_site *s, size_t count) {
    const size_t capacity = max(count, 2 * s->capacity), dmms = dmms_of(p, s);
    pattern_round *const rounds = realloc(s->round, capacity * sizeof *rounds);
    if (rounds != NULL) s->round = rounds;
    uint64_t *const stages = dmms > 0 ? realloc(s->dmm_stages, capacity * dmms * sizeof *stages) : NULL;
    if (stages != NULL) s->dmm_stages = stages;
    if (rounds == NULL || (stages == NULL && dmms > 0)) {
        p->status = fail_memory("a prediction's rounds", capacity * (sizeof *rounds + dmms * sizeof *stages));
        return false;
    }
    memset(s->round + s->capacity, 0, (capacity - s->capacity) * sizeof *s->round);
    if (dmms > 0)
        memset(s->dmm_stages + s->capacity * dmms, 0, (capacity - s->capacity) * dmms * sizeof *stages);
    s->capacity = capacity;
    return true;
}

/* The blocks that are alike lie on the DMMs in turn. */
static void share_out(pattern *p, pattern_site *s, size_t round, uint64_t stages) {
    const uint64_t dmms = dmms_of(p, s);
    if (dmms == 0) return;
    s->round[round].each += stages * (p->alike / dmms);
    for (uint64_t k = 0; k < p->alike % dmms; k++)
        s->dmm_stages[round * dmms + (p->first + k) % dmms] += stages;
}

void pattern_stages(pattern *p, unsigned site, size_t round, uint64_t stages, unsigned worst) {
    pattern_site *const s = &p->site[site];
    if (stages == 0 || p->alike == 0 || p->status != RIFFLE_OK) return;
    if (round >= s->capacity && !grow(p, s, round + 1)) return;
    if (round >= s->rounds) s->rounds = round + 1;
    s->round[round].stages += stages * p->alike;
    s->round[round].is_casual |= worst > 1;
    share_out(p, s, round, stages);
}

void pattern_repeat(pattern *p, unsigned site, size_t round, uint64_t more) {
    pattern_site *const s = &p->site[site];
    if (p->status == RIFFLE_OK && round < s->rounds) s->round[round].more = more;
}

/* ------------------------------------------------------------- a warp's stages */

static bool is_new(const uint64_t *seen, unsigned count, uint64_t value) {
    for (unsigned k = count; k > 0; k--)
        if (seen[k - 1] == value) return false;
    return true;
}

/* Address groups (UMM). */
static unsigned groups_of(const pattern_lanes *lanes, uint64_t unit) {
    uint64_t seen[PATTERN_LANES];
    unsigned count = 0;
    for (unsigned k = 0; k < lanes->count; k++)
        if (is_new(seen, count, lanes->at[k] / unit)) seen[count++] = lanes->at[k] / unit;
    return count;
}

/* Different cells in the fullest of the banks (DMM). */
static unsigned conflicts_of(const pattern_lanes *lanes, unsigned bytes, unsigned width, bool merges) {
    uint64_t seen[PATTERN_LANES];
    unsigned in_bank[PATTERN_LANES] = {0}, count = 0, most = 0;
    for (unsigned k = 0; k < lanes->count; k++) {
        const uint64_t cell = lanes->at[k] / bytes;
        if (merges && !is_new(seen, count, cell)) continue;
        seen[count++] = cell;
        most = max(most, ++in_bank[cell % width]);
    }
    return most;
}

static unsigned times_of(const pattern_lanes *lanes, uint64_t address) {
    unsigned count = 0;
    for (unsigned k = 0; k < lanes->count; k++) count += lanes->at[k] == address;
    return count;
}

/* An address group is busy as often as its fullest address says. */
static unsigned turns_of(const pattern_lanes *lanes, uint64_t unit) {
    uint64_t seen[PATTERN_LANES];
    unsigned count = 0, turns = 0;
    for (unsigned k = 0; k < lanes->count; k++) {
        const uint64_t group = lanes->at[k] / unit;
        unsigned most = 0;
        if (!is_new(seen, count, group)) continue;
        seen[count++] = group;
        for (unsigned j = k; j < lanes->count; j++)
            if (lanes->at[j] / unit == group) most = max(most, times_of(lanes, lanes->at[j]));
        turns += most;
    }
    return turns;
}

static unsigned stages_of(const pattern *p, const pattern_site *s, const pattern_lanes *lanes) {
    const unsigned width = p->machine->width;
    const uint64_t unit = (uint64_t)s->bytes * width;
    if (s->space == PATTERN_SHARED) return conflicts_of(lanes, s->bytes, width, !s->is_atomic);
    return s->is_atomic ? turns_of(lanes, unit) : groups_of(lanes, unit);
}

void pattern_access(pattern *p, unsigned site, size_t round, const pattern_lanes *lanes) {
    if (lanes->count == 0) return;
    const unsigned stages = stages_of(p, &p->site[site], lanes);
    pattern_stages(p, site, round, stages, stages);
}

void pattern_begin_warp(pattern *p) { memset(p->done, 0, sizeof p->done); }

void pattern_next(pattern *p, unsigned site, const pattern_lanes *lanes) {
    if (lanes->count > 0) pattern_access(p, site, p->done[site]++, lanes);
}

void pattern_run(pattern *p, unsigned site, size_t round, uint64_t at, uint64_t cells) {
    const pattern_site *const s = &p->site[site];
    const uint64_t unit = (uint64_t)s->bytes * p->machine->width;
    if (cells == 0) return;
    const uint64_t last = at + (cells - 1) * s->bytes;
    const unsigned stages = s->space == PATTERN_GLOBAL ? (unsigned)(last / unit - at / unit) + 1 : 1;
    pattern_stages(p, site, round, stages, stages);
}

/* ------------------------------------------------------------------- the end */

static uint64_t stages_in_turn(const pattern *p, const pattern_site *s, size_t round) {
    const unsigned dmms = dmms_of(p, s);
    if (dmms == 0) return s->round[round].stages;
    uint64_t most = 0;
    for (unsigned d = 0; d < dmms; d++) most = max(most, s->dmm_stages[round * dmms + d]);
    return s->round[round].each + most;
}

static void add_site(const pattern *p, const pattern_site *s, pattern_count *sum) {
    const unsigned latency = s->space == PATTERN_SHARED ? p->machine->shared_latency : p->machine->latency;
    for (size_t k = 0; k < s->rounds; k++) {
        const uint64_t rounds = 1 + s->round[k].more;
        if (s->round[k].stages == 0) continue;
        sum->rounds += rounds;
        sum->casual_rounds += s->round[k].is_casual ? rounds : 0;
        sum->stages += rounds * s->round[k].stages;
        sum->time_units += rounds * (stages_in_turn(p, s, k) + latency - 1);
    }
}

pattern_counts pattern_end(pattern *p) {
    pattern_counts out = p->besides;
    for (unsigned k = 0; k < PATTERN_SITES; k++) {
        pattern_site *const s = &p->site[k];
        if (p->status == RIFFLE_OK) add_site(p, s, &out.of[s->space][s->op]);
        free(s->round);
        free(s->dmm_stages);
        *s = (pattern_site){0};
    }
    return out;
}
