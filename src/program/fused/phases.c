/* SPDX-License-Identifier: Apache-2.0
 *
 * A search for few and cheap exchanges: depth first, over the cheap kinds and the layout that takes the most of the
 * next stages, for as many steps as a budget allows; what is left then is done step by step, each time by what does
 * the most for its cost.
 */
#include "program/fused/phases.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "program/fused/free_layout.h"
#include "program/fused/tile_span.h"

enum {
    VECTOR_BITS = 4,  /* log2 of the bytes of the widest access */
    SEGMENT_BITS = 5, /* log2 of a sector's bytes */
    LINE_BITS = 7,
    MOST_DEPTH = 5,
    MOST_OPEN = 24, /* stages that others are done before */
    BUDGET = 900,   /* layouts that a search looks at */
};

/* Costs of exchanges, in tenths of an instruction for each element, and what accesses one by one cost more than those of 16
 * bytes. Shared memory takes one instruction of a warp at a time, which counts for four others. */
static const unsigned costs[] = {
    [PHASE_READ] = 0, [PHASE_LANES] = 23, [PHASE_WARPS] = 27, [PHASE_CYCLE] = 26, [PHASE_EXCHANGE] = 40};
static const unsigned cost_of_singles = 8;

static unsigned vector_bits_of(const phase_tile *t) {
    return t->unit_bits < VECTOR_BITS ? VECTOR_BITS - t->unit_bits : 0;
}

/* 2^(what is returned) elements of a segment, of those that lie side by side in a tile and that a warp has lanes for. */
static unsigned segment_of(const phase_tile *t, const layout_side *side, unsigned segment_bits,
                           unsigned in_lanes) {
    const unsigned wanted = segment_bits > t->unit_bits ? segment_bits - t->unit_bits : 0;
    return min(min(wanted, side->units), in_lanes);
}

/* True if a side's places let threads access 16 bytes at once. */
static bool allows_vectors(const phase_tile *t, const uint64_t *places) {
    const layout_side *side = places == t->read ? &t->read_side : &t->write_side;
    return t->is_full && (places == t->read ? t->reads_aligned : t->writes_aligned) &&
           vector_bits_of(t) <= side->units;
}

bool phase_has_vectors(const phase_tile *t, const layout *l, const uint64_t *places) {
    return allows_vectors(t, places) && layout_is_coalesced(l, places, vector_bits_of(t), 0);
}

static bool is_coalesced(const phase_tile *t, const layout *l, const uint64_t *places, const layout_side *side,
                         unsigned segment_bits) {
    const unsigned lanes = min(LAYOUT_LANE_BITS, l->thread_bits), vector = vector_bits_of(t);
    if (phase_has_vectors(t, l, places) &&
        layout_is_coalesced(l, places, vector, segment_of(t, side, segment_bits, vector + lanes)))
        return true;
    return layout_is_coalesced(l, places, 0, segment_of(t, side, segment_bits, lanes));
}

static unsigned cost_of_access(const phase_tile *t, const layout *l, const uint64_t *places) {
    return phase_has_vectors(t, l, places) ? 0 : cost_of_singles;
}

bool phase_is_writable(const phase_tile *t, const layout *l) {
    return is_coalesced(t, l, t->write, &t->write_side, LINE_BITS);
}

/* For a stage whose groups lie in registers: true if the first of a pair is the one whose highest bit of the mask is 0,
 * everywhere. */
static bool is_plain(const phase_tile *t, const layout *l, const program_stage *stage, uint32_t mask) {
    const uint64_t f = stage->position[0];
    if (stage->conditions != 0 || (f & PROGRAM_ONE) != 0) return false;
    for (unsigned k = 0; k < l->held_bits; k++)
        if (functional_along(f, l->held[k]) != (mask >> k == 1)) return false;
    for (unsigned k = 0; k < l->thread_bits; k++)
        if (functional_along(f, l->thread[k])) return false;
    for (unsigned k = 0; k < t->number_bits; k++)
        if (functional_along(f, t->number[k])) return false;
    return true;
}

static uint64_t index_along(const program_stage *stage, uint64_t u) {
    uint64_t index = 0;
    for (unsigned k = 0; k < stage->index_bits; k++)
        index |= (uint64_t)functional_along(stage->index[k], u) << k;
    return index;
}

/* True if the index is a sum of one that a thread has and one that a register has. */
static bool is_separable(const phase_tile *t, const layout *l, const program_stage *stage) {
    uint64_t of_registers = 0, of_others = 0;
    for (unsigned k = 0; k < stage->index_bits && k < RIFFLE_MAX_BITS; k++)
        of_others |= (uint64_t)((stage->index[k] & PROGRAM_ONE) != 0) << k;
    for (unsigned k = 0; k < l->held_bits; k++) of_registers |= index_along(stage, l->held[k]);
    for (unsigned k = 0; k < l->thread_bits; k++) of_others |= index_along(stage, l->thread[k]);
    for (unsigned k = 0; k < t->number_bits; k++) of_others |= index_along(stage, t->number[k]);
    return (of_registers & of_others) == 0;
}

/* d in the registers' numbers, 0 if it does not lie there. */
static uint32_t held_mask(const layout *l, uint64_t d, bool any) {
    for (unsigned k = 0; k < l->held_bits; k++)
        if (l->held[k] == d) return (uint32_t)1 << k;
    uint64_t sum = 0;
    for (uint32_t number = 1; any && number < 1u << l->held_bits; number++) {
        sum ^= l->held[__builtin_ctz(number)]; /* in Gray's order */
        if (sum == d) return number ^ number >> 1;
    }
    return 0;
}

static bool is_linear(const program_stage *stage) {
    switch (stage->op.kind) {
    case RIFFLE_OP_BUTTERFLY:
    case RIFFLE_OP_ADD:
    case RIFFLE_OP_SUBTRACT: return true;
    default: return false;
    }
}

stage_fit phase_fit(const phase_tile *t, const layout *l, const program_stage *stage, uint32_t *mask) {
    *mask = 0;
    for (unsigned k = 0; k < stage->bits; k++) {
        const uint32_t along = held_mask(l, stage->direction[k], stage->op.kind == RIFFLE_OP_MINMAX);
        if (along == 0) return FIT_NONE;
        *mask |= along;
    }
    const bool is_unit = (*mask & (*mask - 1)) == 0;
    if (stage->bits == 0 && is_linear(stage)) return FIT_WITHIN;
    if (stage->bits == 0 && stage->conditions == 0 && stage->op.kind != RIFFLE_OP_OWN) return FIT_EACH;
    if (stage->bits != 1) return FIT_GROUP;
    const bool plain = is_plain(t, l, stage, *mask);
    switch (stage->op.kind) {
    case RIFFLE_OP_MINMAX:
        if (plain) return FIT_ORDER;
        break;
    case RIFFLE_OP_BUTTERFLY:
    case RIFFLE_OP_ADD:
    case RIFFLE_OP_SUBTRACT:
    case RIFFLE_OP_XOR:
        if (plain) return FIT_ALONG;
        break;
    case RIFFLE_OP_TWIDDLE:
        if (plain && is_separable(t, l, stage)) return FIT_TWIDDLE;
        break;
    default: break;
    }
    return is_unit ? FIT_GROUP : FIT_NONE;
}

/* A layout's stages: bit k of `done` is stage base + k. */
typedef struct progress {
    size_t base;
    uint64_t done;
} progress;

/* True if b's pairs, order and conditions are the same on both sides of each of a's. */
static bool is_blind_to(const program_stage *b, const program_stage *a) {
    for (unsigned k = 0; k < a->bits; k++) {
        for (unsigned j = 0; j < b->bits; j++)
            if (functional_along(b->position[j], a->direction[k])) return false;
        for (unsigned j = 0; j < b->conditions; j++)
            if (functional_along(b->condition[j], a->direction[k])) return false;
    }
    return true;
}

static bool commutes(const program_stage *a, const program_stage *b) {
    return is_linear(a) && is_linear(b) && is_blind_to(a, b) && is_blind_to(b, a);
}

static unsigned taken(const progress *before, const progress *after) {
    return (unsigned)__builtin_popcountll(after->done & ~before->done);
}

/* True if there is a layout in which the stage needs no FIT_GROUP, which costs as much as an exchange. */
static bool can_be_plain(const phase_tile *t, const program_stage *stage) {
    const uint64_t f = stage->position[0];
    if (stage->bits != 1 || stage->conditions != 0 || (f & PROGRAM_ONE) != 0) return false;
    for (unsigned k = 0; k < t->number_bits; k++)
        if (functional_along(f, t->number[k])) return false;
    return stage->op.kind != RIFFLE_OP_SWAP && stage->op.kind != RIFFLE_OP_ROTATE &&
           stage->op.kind != RIFFLE_OP_OWN;
}

/* All stages that the layout can do now. The window is 64 stages; `base` moves on where the next step begins. */
static progress take(const phase_tile *t, const layout *l, progress at, bool in_any_way) {
    const program_stage *open[MOST_OPEN];
    unsigned opens = 0;
    for (unsigned k = 0; k < 64 && opens < MOST_OPEN && at.base + k < t->stage_count; k++) {
        uint32_t mask;
        const program_stage *stage = &t->stages[at.base + k];
        if (at.done >> k & 1) continue;
        bool free = true;
        for (unsigned j = 0; free && j < opens; j++) free = commutes(open[j], stage);
        const stage_fit fit = free ? phase_fit(t, l, stage, &mask) : FIT_NONE;
        if (fit != FIT_NONE && (fit != FIT_GROUP || in_any_way || !can_be_plain(t, stage))) {
            at.done |= (uint64_t)1 << k;
        } else {
            open[opens++] = stage;
        }
    }
    return at;
}

static bool is_complete(const phase_tile *t, const progress *p) {
    const size_t left = t->stage_count - p->base;
    return left <= 64 && __builtin_popcountll(p->done) == (int)left;
}

static progress advance(progress p) {
    while (p.done & 1) {
        p.done >>= 1;
        p.base++;
    }
    return p;
}

/* --- layouts to read and write by --- */

/* Vectors first if `vectors`, then what the next stages want, then the highest; lanes are the lowest. */
static void side_layout(const phase_tile *t, const layout_side *side, const uint64_t *places, bool vectors,
                        unsigned segment_bits, const progress *at, layout *out) {
    const unsigned vector = vectors && allows_vectors(t, places) ? vector_bits_of(t) : 0;
    const unsigned thread_bits = t->bits - t->held_bits, lanes = min(LAYOUT_LANE_BITS, thread_bits);
    const unsigned keep = max(vector, segment_of(t, side, segment_bits, vector + lanes));
    free_bounds bounds = {.room = t->held_bits - vector, .fixed_count = keep, .places = places};
    free_vectors chosen;
    bounds.bits = ((uint64_t)1 << vector) - 1;
    memcpy(bounds.fixed, side->vector, keep * sizeof *side->vector);
    free_choose(t, &bounds, at->base, at->done, &chosen);
    *out = (layout){.held_bits = t->held_bits, .thread_bits = thread_bits};
    memcpy(out->held, side->vector, vector * sizeof *out->held);
    memcpy(out->held + vector, chosen.vector, chosen.count * sizeof *out->held);
    uint64_t candidates[2 * LAYOUT_TILE_BITS];
    unsigned count = 0;
    tile_span span = {.count = 0};
    for (unsigned k = 0; k < keep; k++) tile_span_add(&span, side->vector[k]);
    for (unsigned k = 0; k < chosen.count; k++) tile_span_add(&span, chosen.vector[k]);
    for (unsigned k = t->bits; k-- > keep && vector + chosen.count + count < t->held_bits;)
        if (tile_span_add(&span, side->vector[k])) candidates[count++] = free_clear(&chosen, side->vector[k]);
    for (unsigned k = 0; k < t->bits; k++)
        candidates[count++] = k < keep ? side->vector[k] : free_clear(&chosen, side->vector[k]);
    layout_complete(out, vector + chosen.count, candidates, count);
}

/* --- the search --- */

typedef struct step {
    phase_kind kind;
    unsigned warp_count, warp_first;
    layout layout;
    progress before, after;
} step;

typedef struct search {
    const phase_tile *t;
    unsigned depth; /* steps after the reading, at most */
    unsigned budget, best_cost, best_count;
    step path[MOST_DEPTH + 1], best[MOST_DEPTH + 1];
} search;

enum { CHOICE_CYCLE = 5, FIRST_OF_WARPS, CHOICES = FIRST_OF_WARPS + 2 * 6 };

static phase_kind kind_of(unsigned choice) {
    if (choice == 0) return PHASE_LANES;
    if (choice == CHOICE_CYCLE) return PHASE_CYCLE;
    return choice < CHOICE_CYCLE ? PHASE_EXCHANGE : PHASE_WARPS;
}

static bool make_step(const search *s, const layout *from, unsigned choice, const progress *at, step *out) {
    const phase_tile *t = s->t;
    out->kind = kind_of(choice);
    switch (choice) {
    case 0: return layout_swap_lanes(from, &out->layout);
    case 1: free_layout(t, from, at->base, at->done, &out->layout); return true;
    case 2: side_layout(t, &t->write_side, t->write, true, LINE_BITS, at, &out->layout); return true;
    case 3: side_layout(t, &t->write_side, t->write, false, LINE_BITS, at, &out->layout); return true;
    case 4: side_layout(t, &t->write_side, t->write, true, SEGMENT_BITS, at, &out->layout); return true;
    case CHOICE_CYCLE: return layout_cycle(from, &out->layout);
    default: break;
    }
    const unsigned warps = from->thread_bits > LAYOUT_LANE_BITS ? from->thread_bits - LAYOUT_LANE_BITS : 0;
    const unsigned shape = (choice - FIRST_OF_WARPS) % 2, vector = vector_bits_of(t);
    out->warp_count =
        min(warps, shape == 0 || vector >= from->held_bits ? from->held_bits : from->held_bits - vector);
    out->warp_first = (choice - FIRST_OF_WARPS) / 2;
    if (shape == 1 && vector == 0) return false;
    return layout_swap_warps(from, out->warp_count, out->warp_first, &out->layout);
}

/* The stages that a step takes: in a layout that is made for them in any way, where there is no good one. */
static progress take_by(const phase_tile *t, const step *s, unsigned choice) {
    const progress after = take(t, &s->layout, s->before, false);
    return choice == 1 && after.done == s->before.done ? take(t, &s->layout, s->before, true) : after;
}

/* Goes on from path[depth]. The last step's layout is checked first, for few layouts can be written by. */
static void look(search *s, unsigned depth, unsigned cost) {
    const step *from = &s->path[depth];
    const phase_tile *t = s->t;
    if (is_complete(t, &from->after) && phase_is_writable(t, &from->layout)) {
        const unsigned all = cost + cost_of_access(t, &from->layout, t->write);
        if (all >= s->best_cost) return;
        s->best_cost = all;
        s->best_count = depth + 1;
        memcpy(s->best, s->path, (depth + 1) * sizeof *s->path);
        return;
    }
    for (unsigned choice = 0; depth < s->depth && choice < CHOICES && s->budget > 0; choice++) {
        step *const to = &s->path[depth + 1];
        const unsigned with = cost + costs[kind_of(choice)];
        if (with >= s->best_cost || !make_step(s, &from->layout, choice, &from->after, to)) continue;
        if (depth + 1 == s->depth && !phase_is_writable(t, &to->layout)) continue;
        s->budget--;
        to->before = from->after;
        to->after = take_by(t, to, choice);
        look(s, depth + 1, with);
    }
}

/* Takes the step that does the most for its cost; a layout to write by only where nothing is left then. */
static void greedy_step(search *s, const step *from, step *out) {
    const phase_tile *t = s->t;
    double best = -1;
    const progress start = advance(from->after);
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        step to;
        if (!make_step(s, &from->layout, choice, &start, &to)) continue;
        to.before = start;
        to.after = take_by(t, &to, choice);
        const bool ends = is_complete(t, &to.after) && phase_is_writable(t, &to.layout);
        if (!ends && taken(&to.before, &to.after) == 0) continue;
        const double worth = (taken(&to.before, &to.after) + (ends ? 100 : 0)) / (double)costs[to.kind];
        if (worth <= best) continue;
        best = worth;
        *out = to;
    }
}

static riffle_status append(const phase_tile *t, phase_list *list, const step *s, size_t *ordered) {
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 8;
        phase *const more = realloc(list->phases, capacity * sizeof *more);
        if (more == NULL) return fail_memory("a pass's phases", capacity * sizeof *more);
        list->phases = more;
        list->capacity = capacity;
    }
    phase *const p = &list->phases[list->count++];
    *p = (phase){s->kind, s->warp_count, s->warp_first, s->layout, *ordered, 0};
    for (unsigned k = 0; k < 64 && s->before.base + k < t->stage_count; k++)
        if ((s->after.done & ~s->before.done) >> k & 1) list->order[(*ordered)++] = s->before.base + k;
    p->count = *ordered - p->first;
    return RIFFLE_OK;
}

static step read_step(const phase_tile *t, unsigned choice) {
    const progress start = {0, 0};
    step s = {.kind = PHASE_READ, .before = start};
    side_layout(t, &t->read_side, t->read, choice % 2 == 0, choice < 2 ? LINE_BITS : SEGMENT_BITS, &start,
                &s.layout);
    s.after = take(t, &s.layout, start, false);
    return s;
}

enum { READ_CHOICES = 3 };

/* Few steps first, so that what they cost bounds more. */
static void search_all(search *s) {
    s->best_cost = ~0u;
    s->budget = BUDGET;
    for (s->depth = 0; s->depth <= MOST_DEPTH && s->depth * costs[PHASE_LANES] < s->best_cost; s->depth++) {
        for (unsigned choice = 0; choice < READ_CHOICES; choice++) {
            s->path[0] = read_step(s->t, choice);
            look(s, 0, cost_of_access(s->t, &s->path[0].layout, s->t->read));
        }
    }
}

static riffle_status plan_greedily(search *s, phase_list *out, size_t *ordered) {
    step at = read_step(s->t, 0);
    for (unsigned choice = 1; choice < READ_CHOICES; choice++) {
        const step other = read_step(s->t, choice);
        if (taken(&other.before, &other.after) > taken(&at.before, &at.after)) at = other;
    }
    riffle_status status = append(s->t, out, &at, ordered);
    while (status == RIFFLE_OK && !(is_complete(s->t, &at.after) && phase_is_writable(s->t, &at.layout))) {
        step next = at;
        greedy_step(s, &at, &next);
        status = append(s->t, out, &next, ordered);
        at = next;
    }
    return status;
}

riffle_status phases_plan(const phase_tile *t, phase_list *out) {
    search s = {.t = t};
    size_t ordered = 0;
    *out = (phase_list){.order = malloc((t->stage_count + 1) * sizeof *out->order)};
    if (out->order == NULL) return fail_memory("a pass's stages", t->stage_count * sizeof *out->order);
    riffle_status status = RIFFLE_OK;
    if (t->stage_count <= 64) search_all(&s);
    if (s.best_count == 0) return plan_greedily(&s, out, &ordered);
    for (unsigned k = 0; status == RIFFLE_OK && k < s.best_count; k++)
        status = append(t, out, &s.best[k], &ordered);
    return status;
}

void phases_free(phase_list *list) {
    free(list->phases);
    free(list->order);
    *list = (phase_list){0};
}
