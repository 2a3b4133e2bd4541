/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/rounds.h"

#include <stdlib.h>
#include <string.h>

bool rounds_init(rounds *r, const riffle_machine_options *options, unsigned threads) {
    *r = (rounds){.options = options, .threads = threads};
    r->warps = (threads + options->width - 1) / options->width;
    r->level = calloc(r->warps, sizeof *r->level);
    return r->level != NULL;
}

static void site_free(site *s) {
    for (unsigned k = 0; k < MACHINE_MAX_WIDTH; k++) free(s->lane[k].at);
    free(s->done);
    free(s->base);
    free(s->most);
    free(s->round);
    free(s->dmm_stages);
    free(s);
}

void rounds_free(rounds *r) {
    for (size_t k = 0; k < r->sites; k++) site_free(r->site[k]);
    free(r->site);
    free(r->level);
}

static site *site_create(const rounds *r) {
    site *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->done = calloc(r->threads, sizeof *s->done);
    s->base = calloc(r->warps, sizeof *s->base);
    s->most = calloc(r->warps, sizeof *s->most);
    if (s->done != NULL && s->base != NULL && s->most != NULL) return s;
    site_free(s);
    return NULL;
}

static site *append_site(rounds *r) {
    if (r->sites == r->site_capacity) {
        const size_t capacity = 2 * r->site_capacity + 16;
        site **grown = realloc(r->site, capacity * sizeof(site *));
        if (grown == NULL) return NULL;
        r->site = grown;
        r->site_capacity = capacity;
    }
    site *s = site_create(r);
    if (s != NULL) r->site[r->sites++] = s;
    return s;
}

static site *find_site(const rounds *r, const void *pc, unsigned bytes, report_op op, report_space space) {
    for (size_t k = 0; k < r->sites; k++) {
        site *s = r->site[k];
        if (s->pc == pc && s->bytes == bytes && s->op == op && s->space == space) return s;
    }
    return NULL;
}

site *rounds_site(rounds *r, const void *pc, unsigned bytes, report_op op, report_space space) {
    site *s = find_site(r, pc, bytes, op, space);
    if (s == NULL) {
        s = append_site(r);
        if (s == NULL) return NULL;
        s->pc = pc;
        s->bytes = bytes;
        s->op = op;
        s->space = space;
    }
    *rounds_slot(r, pc) = s;
    return s;
}

bool rounds_grow_log(lane_log *log) {
    const uint32_t capacity = log->capacity == 0 ? 16 : 2 * log->capacity;
    place *grown = realloc(log->at, capacity * sizeof *grown);
    if (grown == NULL) return false;
    log->at = grown;
    log->capacity = capacity;
    return true;
}

static unsigned dmms_of(const rounds *r, const site *s) {
    return s->space == SPACE_SHARED && r->options->dmms > 1 ? r->options->dmms : 0;
}

static bool reserve_rounds(const rounds *r, site *s, size_t count) {
    if (count <= s->round_capacity) return true;
    const size_t capacity = count > 2 * s->round_capacity ? count : 2 * s->round_capacity;
    round_sums *grown = realloc(s->round, capacity * sizeof *grown);
    if (grown == NULL) return false;
    s->round = grown;
    const unsigned dmms = dmms_of(r, s);
    if (dmms > 0) {
        uint64_t *stages = realloc(s->dmm_stages, capacity * dmms * sizeof *stages);
        if (stages == NULL) return false;
        s->dmm_stages = stages;
    }
    s->round_capacity = capacity;
    return true;
}

static bool extend_rounds(const rounds *r, site *s, size_t count) {
    if (count <= s->rounds) return true;
    if (!reserve_rounds(r, s, count)) return false;
    memset(s->round + s->rounds, 0, (count - s->rounds) * sizeof *s->round);
    const size_t dmms = dmms_of(r, s);
    if (dmms > 0)
        memset(s->dmm_stages + s->rounds * dmms, 0, (count - s->rounds) * dmms * sizeof *s->dmm_stages);
    s->rounds = count;
    return true;
}

static void add_to_round(const rounds *r, site *s, uint64_t k, unsigned dmm, const warp_access *access) {
    const warp_cost cost = account_warp(access);
    round_sums *sums = &s->round[k];
    sums->warps++;
    sums->stages += cost.stages;
    sums->requests += cost.requests;
    sums->ideal_requests += cost.ideal_requests;
    if (cost.stages > sums->worst_stages) sums->worst_stages = cost.stages;
    sums->casual |= cost.stages > 1;
    if (dmms_of(r, s) > 0) s->dmm_stages[k * r->options->dmms + dmm] += cost.stages;
}

/* The lanes of a warp that have logged at a site, and the round that each one's log begins with. */
typedef struct logging_lanes {
    unsigned lanes;
    uint8_t lane[MACHINE_MAX_WIDTH];
    uint64_t first[MACHINE_MAX_WIDTH], end[MACHINE_MAX_WIDTH];
    uint64_t least, most; /* of first and of end */
} logging_lanes;

static logging_lanes find_lanes(const rounds *r, site *s, unsigned warp) {
    logging_lanes found = {.least = UINT64_MAX};
    for (unsigned lane = 0; lane < r->options->width; lane++) {
        const uint32_t logged = s->lane[lane].count;
        if (logged == 0) continue;
        site_count *done = &s->done[warp * r->options->width + lane];
        if (done->level != r->level[warp]) *done = (site_count){r->level[warp], 0};
        const uint64_t first = (uint64_t)s->base[warp] + done->count;
        found.lane[found.lanes] = (uint8_t)lane;
        found.first[found.lanes] = first;
        found.end[found.lanes++] = first + logged;
        if (first < found.least) found.least = first;
        if (first + logged > found.most) found.most = first + logged;
        done->count += logged;
        if (done->count > s->most[warp]) s->most[warp] = done->count;
    }
    return found;
}

static void collect_round(const site *s, const logging_lanes *from, uint64_t k, warp_access *access) {
    access->lanes = 0;
    for (unsigned j = 0; j < from->lanes; j++) {
        if (k < from->first[j] || k >= from->end[j]) continue;
        access->lane[access->lanes] = from->lane[j];
        access->at[access->lanes++] = s->lane[from->lane[j]].at[k - from->first[j]];
    }
}

static bool flush_site(const rounds *r, site *s, unsigned warp, unsigned dmm) {
    const logging_lanes from = find_lanes(r, s, warp);
    warp_access access = {.space = s->space, .op = s->op, .bytes = s->bytes, .width = r->options->width};
    if (!extend_rounds(r, s, from.most)) return false;
    for (uint64_t k = from.least; k < from.most; k++) {
        collect_round(s, &from, k, &access);
        if (access.lanes > 0) add_to_round(r, s, k, dmm, &access);
    }
    for (unsigned j = 0; j < from.lanes; j++) s->lane[from.lane[j]].count = 0;
    s->logged = false;
    return true;
}

/* The most accesses of one of these lanes since the counts were brought level, in the log or before it. */
static uint64_t most_made(const rounds *r, const site *s, unsigned warp, unsigned lanes) {
    uint64_t most = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const site_count *done = &s->done[warp * r->options->width + lane];
        const uint64_t flushed = done->level == r->level[warp] ? done->count : 0;
        if (flushed + s->lane[lane].count > most) most = flushed + s->lane[lane].count;
    }
    return most;
}

bool rounds_ahead(const rounds *r, unsigned warp, unsigned some, unsigned others) {
    for (size_t k = 0; k < r->sites; k++) {
        if (most_made(r, r->site[k], warp, some) > most_made(r, r->site[k], warp, others)) return true;
    }
    return false;
}

bool rounds_flush(rounds *r, unsigned warp, unsigned dmm) {
    for (size_t k = 0; k < r->sites; k++) {
        if (r->site[k]->logged && !flush_site(r, r->site[k], warp, dmm)) return false;
    }
    return true;
}

void rounds_level_warp(rounds *r, unsigned warp) {
    for (size_t k = 0; k < r->sites; k++) {
        r->site[k]->base[warp] += r->site[k]->most[warp];
        r->site[k]->most[warp] = 0;
    }
    r->level[warp]++;
}

void rounds_level_block(rounds *r) {
    for (size_t k = 0; k < r->sites; k++) {
        site *s = r->site[k];
        uint32_t base = 0;
        for (unsigned w = 0; w < r->warps; w++) {
            if (s->base[w] + s->most[w] > base) base = s->base[w] + s->most[w];
        }
        for (unsigned w = 0; w < r->warps; w++) s->base[w] = base;
        memset(s->most, 0, r->warps * sizeof *s->most);
    }
    for (unsigned w = 0; w < r->warps; w++) r->level[w]++;
}

void rounds_begin_block(rounds *r) {
    for (size_t k = 0; k < r->sites; k++) {
        memset(r->site[k]->base, 0, r->warps * sizeof *r->site[k]->base);
        memset(r->site[k]->most, 0, r->warps * sizeof *r->site[k]->most);
    }
    for (unsigned w = 0; w < r->warps; w++) r->level[w]++;
}

/* Rounds of shared memory run on all DMMs at once; the slowest tells. */
static uint64_t stages_in_turn(const rounds *r, const site *s, size_t k) {
    const unsigned dmms = dmms_of(r, s);
    if (dmms == 0) return s->round[k].stages;
    uint64_t most = 0;
    for (unsigned d = 0; d < dmms; d++) {
        if (s->dmm_stages[k * dmms + d] > most) most = s->dmm_stages[k * dmms + d];
    }
    return most;
}

report_line rounds_sum(const rounds *r, const site *s) {
    const unsigned latency = s->space == SPACE_SHARED ? r->options->shared_latency : r->options->latency;
    report_line line = {.space = s->space, .op = s->op, .cell_bytes = s->bytes};
    for (size_t k = 0; k < s->rounds; k++) {
        const round_sums *round = &s->round[k];
        if (round->warps == 0) continue;
        line.rounds++;
        line.casual_rounds += round->casual;
        line.warps += round->warps;
        line.stages += round->stages;
        line.ideal_stages += round->warps;
        if (round->worst_stages > line.worst_stages) line.worst_stages = round->worst_stages;
        line.time_units += stages_in_turn(r, s, k) + latency - 1;
        line.requests += round->requests;
        line.ideal_requests += round->ideal_requests;
    }
    return line;
}
