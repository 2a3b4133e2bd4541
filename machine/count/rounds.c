/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "machine/count/branches.h"

bool rounds_init(rounds *r, const riffle_machine_options *options, unsigned threads, bool asked) {
    *r = (rounds){.options = options, .threads = threads};
    r->warps = (threads + options->width - 1) / options->width;
    if (asked) r->kept = calloc(1, sizeof *r->kept);
    return shared_layout_init(&r->layout, options) && flow_init(&r->flow) && (r->kept != NULL || !asked);
}

static void site_free(site *s) {
    free(s->done);
    free(s->moved);
    free(s->round);
    free(s->dmm_stages);
    free(s->record);
    free(s);
}

void rounds_free(rounds *r) {
    for (size_t k = 0; k < r->sites; k++) site_free(r->site[k]);
    free(r->site);
    free(r->place);
    flow_free(&r->flow);
    steps_free(&r->steps);
    shared_layout_free(&r->layout);
    free(r->kept);
}

static site *site_create(const rounds *r) {
    site *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->done = calloc(r->warps, sizeof *s->done);
    if (r->attributes) s->record = calloc(1, sizeof *s->record);
    if (r->kept != NULL) s->moved = calloc(r->warps, sizeof *s->moved);
    if (s->done != NULL && (s->record != NULL || !r->attributes) && (s->moved != NULL || r->kept == NULL))
        return s;
    site_free(s);
    return NULL;
}

static bool reserve_site(rounds *r) {
    if (r->sites < r->site_capacity) return true;
    const size_t capacity = 2 * r->site_capacity + 16;
    site **grown = realloc(r->site, capacity * sizeof(site *));
    if (grown != NULL) r->site = grown;
    site_place *places = realloc(r->place, capacity * sizeof *places);
    if (places != NULL) r->place = places;
    if (grown == NULL || places == NULL) return false;
    r->site_capacity = capacity;
    return true;
}

static site *append_site(rounds *r) {
    site *s = reserve_site(r) ? site_create(r) : NULL;
    if (s == NULL) return NULL;
    s->number = (uint32_t)r->sites;
    return r->site[r->sites++] = s;
}

static site *find_site(const rounds *r, const site *like) {
    for (size_t k = 0; k < r->sites; k++) {
        site *s = r->site[k];
        if (s->pc == like->pc && s->call == like->call && s->bytes == like->bytes && s->op == like->op &&
            s->space == like->space)
            return s;
    }
    return NULL;
}

site *rounds_site(rounds *r, const site *like, uint32_t block) {
    site *s = find_site(r, like);
    if (s == NULL) {
        s = append_site(r);
        if (s == NULL) return NULL;
        s->pc = like->pc;
        s->call = like->call;
        s->bytes = like->bytes;
        s->op = like->op;
        s->space = like->space;
        r->place[s->number] = (site_place){like->pc, block};
    }
    *rounds_slot(r, like->pc, like->call) = s;
    return s;
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

static void note_lanes(site *s, const warp_access *access) {
    const uint32_t first = 1 + place_array(access->at[0]);
    const uint32_t last = 1 + place_array(access->at[access->lanes - 1]);
    s->lanes += access->lanes;
    if (s->array == 0) s->array = first;
    if (s->array != first || first != last) s->array = SITE_ARRAYS;
}

/* Counts an access of shared memory under each drawing of the layout that is tried. */
static void lay_out(const rounds *r, site *s, const warp_access *access) {
    for (unsigned seed = 0; seed < r->layout.seeds; seed++) {
        const layout_rows rows = shared_layout_rows(&r->layout, seed);
        const unsigned requests = account_wavefronts(access, &rows);
        s->laid_requests += requests;
        if (requests > s->laid_worst) s->laid_worst = requests;
    }
}

static void show(const rounds *r, const site *s, uint32_t k, unsigned warp, unsigned dmm,
                 const warp_access *access) {
    const size_t dmms = dmms_of(r, s);
    const observed_access one = {
        .site = s->number,
        .round = k,
        .block = r->block - 1,
        .warp = warp,
        .before = dmms > 0 ? s->dmm_stages[k * dmms + dmm] : s->round[k].stages,
        .access = access,
    };
    r->observer->see(r->observer, &one);
}

static void add_to_part(const rounds *r, site *s, warp_cost cost) {
    report_part *part = &s->part[r->part];
    part->warps += r->weight;
    part->requests += r->weight * cost.requests;
    part->ideal_requests += r->weight * cost.ideal_requests;
}

static void add_to_round(const rounds *r, site *s, uint32_t k, unsigned warp, unsigned dmm,
                         const warp_access *access) {
    const warp_cost cost = account_warp(access);
    if (r->observer != NULL) show(r, s, k, warp, dmm, access);
    round_sums *sums = &s->round[k];
    sums->warps++;
    sums->stages += cost.stages;
    sums->requests += cost.requests;
    sums->ideal_requests += cost.ideal_requests;
    add_to_part(r, s, cost);
    if (cost.stages > sums->worst_stages) sums->worst_stages = cost.stages;
    sums->casual |= cost.stages > 1;
    if (dmms_of(r, s) > 0) s->dmm_stages[k * r->options->dmms + dmm] += cost.stages;
    if (s->space == SPACE_SHARED) lay_out(r, s, access);
    note_lanes(s, access);
    if (s->record != NULL) record_note(s->record, access, cost, (record_turn){r->block, warp, k});
}

static bool count_access(const rounds *r, unsigned warp, unsigned dmm, const merge_access *one,
                         unsigned merged) {
    site *s = one->site;
    const uint32_t round = s->done[warp]++;
    if (!extend_rounds(r, s, round + 1)) return false;
    add_to_round(r, s, round, warp, dmm, &one->access);
    if (merged > 1) s->merged += merged;
    if (one->access.bytes > s->widest) s->widest = one->access.bytes;
    return true;
}

/* Counts the oldest group, made one as far as it can be. */
static bool end_oldest(const rounds *r, unsigned warp, unsigned dmm, merge *m) {
    merge_access one;
    for (const unsigned count = m->count; m->count == count;) {
        const unsigned merged = merge_next(m, &one);
        if (merged == 0) return true;
        if (!count_access(r, warp, dmm, &one, merged)) return false;
    }
    return true;
}

/* Where nobody has asked nvcc: whether it might make this access one with the last one here. */
static void note_neighbours(site *s, unsigned warp, const warp_access *a) {
    const place first = a->at[0], last = a->at[a->lanes - 1];
    const bool follows = s->last_lanes == a->lanes && s->last_warp == warp &&
                         first == s->last_of[0] + a->bytes && last == s->last_of[1] + a->bytes;
    const bool inside = first % MERGE_BYTES != 0 && first % MERGE_BYTES == last % MERGE_BYTES;
    s->mergeable += follows && inside;
    s->last_lanes = a->lanes;
    s->last_warp = warp;
    s->last_of[0] = first;
    s->last_of[1] = last;
}

/* Splits an access that the host compiler made one and nvcc makes several: copies of structures with less alignment. */
static bool count_pieces(const rounds *r, unsigned warp, unsigned dmm, const merge_access *whole) {
    merge_access one = *whole;
    one.access.bytes = whole->widest;
    for (unsigned at = 0; at < whole->access.bytes; at += whole->widest) {
        for (unsigned k = 0; k < one.access.lanes; k++) one.access.at[k] = whole->access.at[k] + at;
        if (!count_access(r, warp, dmm, &one, 1)) return false;
    }
    return true;
}

static bool add_access(const rounds *r, unsigned warp, unsigned dmm, merge *m, const merge_access *one) {
    while (merge_must_end(m, one)) {
        if (!end_oldest(r, warp, dmm, m)) return false;
    }
    if (r->attributes && one->widest == 0 && one->access.op != OP_ATOMIC && one->access.bytes < MERGE_BYTES)
        note_neighbours(one->site, warp, &one->access);
    if (one->widest > 0 && one->widest < one->access.bytes) return count_pieces(r, warp, dmm, one);
    return merge_hold(m, one) || count_access(r, warp, dmm, one, 1);
}

static bool is_kept(const rounds *r, unsigned warp, const merge_access *one) {
    site *s = one->site;
    if (r->kept == NULL) return false;
    const bool kept = kept_has(r->kept, &s->code, warp, s->number, s->moved[warp], &one->access);
    if (!kept) s->moved[warp] += one->access.bytes;
    return kept;
}

/* A warp's accesses that are not counted yet. */
typedef struct held_accesses {
    branches other; /* until the other branch's */
    merge near;     /* until neighbours come */
} held_accesses;

static bool release_branch(const rounds *r, unsigned warp, unsigned dmm, held_accesses *held) {
    merge_access one;
    return !branches_next(&held->other, &one) || add_access(r, warp, dmm, &held->near, &one);
}

/* Some lanes' access waits for the other branch's, where nvcc has told of its own. */
static bool add_of_branch(const rounds *r, unsigned warp, unsigned dmm, held_accesses *held,
                          merge_access *one) {
    if (is_kept(r, warp, one)) return true;
    while (branches_must_end(&held->other, one))
        if (!release_branch(r, warp, dmm, held)) return false;
    const bool waits = r->kept != NULL && one->access.op != OP_ATOMIC && one->access.lanes < r->options->width;
    if (!waits || branches_join(&held->other, one)) return add_access(r, warp, dmm, &held->near, one);
    branches_hold(&held->other, one);
    return true;
}

static void describe(const rounds *r, const step *first, merge_access *one) {
    one->site = r->site[first->what];
    one->call = first->call;
    one->block = r->place[first->what].block;
    one->component = one->site->component;
    one->widest = one->site->of_nvcc;
    one->access.space = one->site->space;
    one->access.op = one->site->op;
    one->access.bytes = one->site->bytes;
    one->access.counts = one->site->counts;
}

bool rounds_flush(rounds *r, unsigned warp, unsigned dmm, unsigned live) {
    if (!steps_any(&r->steps)) return true;
    step_match match = {.steps = &r->steps, .flow = &r->flow, .site = r->place, .live = live};
    held_accesses held;
    held.other.count = held.near.count = 0;
    merge_access one = {.access = {.width = r->options->width}};
    steps_begin(&match);
    for (step first; steps_next(&match, &first, &one.access);) {
        describe(r, &first, &one);
        if (!add_of_branch(r, warp, dmm, &held, &one)) return false;
    }
    while (held.other.count > 0) {
        if (!release_branch(r, warp, dmm, &held)) return false;
    }
    while (held.near.count > 0) {
        if (!end_oldest(r, warp, dmm, &held.near)) return false;
    }
    return true;
}

void rounds_level_block(rounds *r) {
    if (r->kept != NULL) kept_forget(r->kept);
    for (size_t k = 0; k < r->sites; k++) {
        site *s = r->site[k];
        uint32_t most = 0;
        for (unsigned w = 0; w < r->warps; w++) most = s->done[w] > most ? s->done[w] : most;
        for (unsigned w = 0; w < r->warps; w++) s->done[w] = most;
    }
}

void rounds_pass_block(rounds *r) { r->block = ++r->begun; }

/* Blocks are spread over the parts at random, by their numbers. */
static void count_block(rounds *r, uint64_t block, uint64_t weight) {
    uint64_t number = block;
    r->block = block;
    r->weight = weight;
    r->part = splitmix_next(&number) % REPORT_PARTS;
}

void rounds_begin_block(rounds *r, uint64_t weight) {
    count_block(r, ++r->begun, weight);
    if (r->kept != NULL) kept_forget(r->kept);
    for (size_t k = 0; k < r->sites; k++) {
        site *s = r->site[k];
        memset(s->done, 0, r->warps * sizeof *s->done);
        if (s->moved != NULL) memset(s->moved, 0, r->warps * sizeof *s->moved);
    }
}

bool rounds_put_away(const rounds *r, rounds_block *out) {
    *out = (rounds_block){.block = r->block, .weight = r->weight, .sites = r->sites};
    out->done = malloc((r->sites * r->warps + 1) * sizeof *out->done);
    if (r->kept != NULL) out->moved = malloc((r->sites * r->warps + 1) * sizeof *out->moved);
    if (out->done == NULL || (r->kept != NULL && out->moved == NULL)) return false;
    for (size_t k = 0; k < r->sites; k++) {
        memcpy(out->done + k * r->warps, r->site[k]->done, r->warps * sizeof *out->done);
        if (out->moved != NULL)
            memcpy(out->moved + k * r->warps, r->site[k]->moved, r->warps * sizeof *out->moved);
    }
    return true;
}

void rounds_bring_back(rounds *r, rounds_block *block) {
    const uint64_t begun = r->begun;
    rounds_begin_block(r, block->weight);
    r->begun = begun;
    count_block(r, block->block, block->weight);
    for (size_t k = 0; k < block->sites; k++) {
        memcpy(r->site[k]->done, block->done + k * r->warps, r->warps * sizeof *block->done);
        if (block->moved != NULL)
            memcpy(r->site[k]->moved, block->moved + k * r->warps, r->warps * sizeof *block->moved);
    }
    rounds_block_free(block);
}

void rounds_block_free(rounds_block *block) {
    free(block->done);
    free(block->moved);
    *block = (rounds_block){0};
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

uint64_t rounds_time(const rounds *r, const site *s, size_t k) {
    const unsigned latency = s->space == SPACE_SHARED ? r->options->shared_latency : r->options->latency;
    return stages_in_turn(r, s, k) + latency - 1;
}

report_line rounds_sum(const rounds *r, const site *s) {
    report_line line = {.space = s->space,
                        .op = s->op,
                        .cell_bytes = s->widest,
                        .merged = s->merged,
                        .mergeable = s->mergeable,
                        .lanes = s->lanes,
                        .laid_requests = s->laid_requests,
                        .laid_worst = s->laid_worst};
    memcpy(line.part, s->part, sizeof line.part);
    for (size_t k = 0; k < s->rounds; k++) {
        const round_sums *round = &s->round[k];
        if (round->warps == 0) continue;
        line.rounds++;
        line.casual_rounds += round->casual;
        line.warps += round->warps;
        line.stages += round->stages;
        line.ideal_stages += round->warps;
        if (round->worst_stages > line.worst_stages) line.worst_stages = round->worst_stages;
        line.time_units += rounds_time(r, s, k);
        line.requests += round->requests;
        line.ideal_requests += round->ideal_requests;
    }
    return line;
}
