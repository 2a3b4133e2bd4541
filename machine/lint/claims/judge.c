/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/claims/judge.h"

#include "base/arithmetic.h"
#include "machine/count/account.h"

/* Array starts are multiples of it, and so are all patterns of sectors and banks. */
enum { PERIOD = 128 };

/* What lanes access, less what all add to it. */
typedef struct pattern {
    const access_site *site;
    unsigned lanes;
    uint8_t lane[LANES];
    int64_t at[LANES];
} pattern;

typedef struct extremes {
    warp_cost worst, best;
    unsigned residue; /* of the worst */
} extremes;

static bool costs_more(warp_cost a, warp_cost b) {
    return (uint64_t)a.requests * b.ideal_requests > (uint64_t)b.requests * a.ideal_requests;
}

static warp_cost cost_at(const pattern *p, int64_t shift) {
    warp_access a = {
        .space = p->site->space, .op = p->site->op, .bytes = p->site->bytes, .width = LANES, .lanes = p->lanes};
    for (unsigned k = 0; k < p->lanes; k++) {
        a.lane[k] = p->lane[k];
        a.at[k] = (place)((INT64_C(1) << 40) + shift + p->at[k]);
    }
    return account_warp(&a);
}

/* Over all residues `rest` + a multiple of `step` at which the access is aligned. */
static bool extremes_find(const pattern *p, int64_t rest, uint64_t divisor, extremes *out) {
    const uint64_t step = common_divisor(divisor, PERIOD);
    const int64_t first = ((rest % (int64_t)step) + (int64_t)step) % (int64_t)step;
    bool any = false;
    for (int64_t shift = first; shift < PERIOD; shift += (int64_t)step) {
        if ((shift + p->at[0]) % p->site->bytes != 0) continue;
        const warp_cost cost = cost_at(p, shift);
        if (!any || costs_more(cost, out->worst)) {
            out->worst = cost;
            out->residue = (unsigned)shift;
        }
        if (!any || costs_more(out->best, cost)) out->best = cost;
        any = true;
    }
    return any;
}

static bool is_wasteful(warp_cost cost, double threshold) {
    return cost.requests > threshold * cost.ideal_requests;
}

/* ---- numbers for symbols */

static int64_t choose(const symbol *one, unsigned k) {
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 8, 17, 32, 33, 100, 256, 1000};
    if (one->kind == SYMBOL_OTHER && one->factor != 0) {
        int64_t value = one->first;
        for (unsigned l = 0; l < k && value < 1 << 20; l++) value *= one->factor;
        return value;
    }
    const bool counts = one->kind == SYMBOL_TURN || one->kind == SYMBOL_BLOCK || one->kind == SYMBOL_ROW ||
                        one->kind == SYMBOL_THREAD;
    return counts ? k : sizes[k];
}
enum { CHOICES = 12 };

/* Values that a launch can give them, as far as is known. */
static bool is_free(const symbol *one) { return one->kind != SYMBOL_OTHER || one->factor != 0; }

/* The symbol that counts what is below another one: blockDim.y of threadIdx.y. */
static symbol_kind size_of(symbol_kind index) {
    return index == SYMBOL_ROW      ? SYMBOL_ROWS
           : index == SYMBOL_THREAD ? SYMBOL_BLOCK_DIM
                                    : SYMBOL_GRID_DIM;
}

/* The example's number for a symbol of the kind and axis; `other` where it has none. */
static int64_t number_of(const forms *s, const example *with, symbol_kind kind, unsigned axis, int64_t other) {
    for (unsigned k = 0; k < with->count; k++) {
        const symbol *one = &s->symbols.entry[with->symbol[k]];
        if (one->kind == kind && one->value == axis) return with->value[k];
    }
    return other;
}

/* True if a launch can have these numbers together: indices below their sizes, and no more threads than a block has. */
static bool is_possible(const forms *s, const example *with) {
    int64_t threads = LANES;
    for (unsigned k = 0; k < with->count; k++) {
        const symbol *one = &s->symbols.entry[with->symbol[k]];
        const bool is_index = one->kind == SYMBOL_ROW || one->kind == SYMBOL_THREAD || one->kind == SYMBOL_BLOCK;
        if (one->kind <= SYMBOL_GRID_DIM && with->value[k] > one->most) return false;
        if (is_index && with->value[k] >= number_of(s, with, size_of(one->kind), one->value, INT64_MAX)) return false;
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        const symbol_kind index = axis == 0 ? SYMBOL_ROW : SYMBOL_THREAD;
        threads *= number_of(s, with, size_of(index), axis, number_of(s, with, index, axis, 0) + 1);
        if (threads > SYMBOLS_MOST_THREADS) return false;
    }
    return true;
}

static poly put_numbers(const poly *a, const example *with) {
    poly out = *a;
    for (unsigned k = 0; k < with->count; k++) {
        const poly value = poly_constant(with->value[k]);
        out = poly_replace(&out, with->symbol[k], &value);
    }
    return out;
}

/* Symbols of the polynomial that have no number yet; false if there are too many. */
static bool add_symbols(const poly *a, example *to) {
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const uint16_t symbol_ = a->term[k].symbol[d];
            bool known = symbol_ == 0;
            for (unsigned l = 0; l < to->count; l++) known |= to->symbol[l] == symbol_;
            if (known) continue;
            if (to->count == NUMBERED_SYMBOLS) return false;
            to->symbol[to->count++] = symbol_;
        }
    }
    return true;
}

/* The k-th choice of numbers for the symbols, each its own. False behind the last. */
static bool put_choice(const forms *s, unsigned k, unsigned from, example *to) {
    for (unsigned l = from; l < to->count; l++) {
        to->value[l] = choose(&s->symbols.entry[to->symbol[l]], k % CHOICES);
        k /= CHOICES;
    }
    return k == 0;
}

/* ---- one warp */

/* The block and row of that number, or the last where there are fewer, and the first turn of loops that the access is in, where the example
 * leaves it open. */
static poly put_place(const forms *s, const poly *a, unsigned block, const example *with, int64_t number) {
    poly out = *a;
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const symbol *one = &s->symbols.entry[a->term[k].symbol[d]];
            const bool counts = one->kind == SYMBOL_BLOCK || one->kind == SYMBOL_ROW ||
                                one->kind == SYMBOL_THREAD ||
                                (one->kind == SYMBOL_TURN && graph_is_inside(&s->g, one->value, block));
            if (a->term[k].symbol[d] == 0 || !counts) continue;
            const bool is_turn = one->kind == SYMBOL_TURN;
            const int64_t count = is_turn ? 1 : number_of(s, with, size_of(one->kind), one->value, INT64_MAX);
            const poly value = poly_constant(number < count ? number : count - 1);
            out = poly_replace(&out, a->term[k].symbol[d], &value);
        }
    }
    return out;
}

/* Takes the lanes out in which the guard is known to fail, once the example's numbers are in it. */
static void ask_guard(forms *s, const guard *one, unsigned block, const lane_shape *shape, const example *with,
                      int64_t number, bool active[LANES]) {
    poly in[LANES];
    if (lanes_place(s, &one->a, block, shape, in) != LANES_KNOWN) return;
    for (unsigned k = 0; k < lanes_count(shape); k++) {
        int64_t value;
        poly at = put_numbers(&in[k], with);
        at = put_place(s, &at, block, with, number);
        if (poly_is_constant(&at, &value) && !guard_holds(one->predicate, value)) active[k] = false;
    }
}

/* The lanes' distances from the first lane's address with these numbers; false if they are none. */
static bool make_pattern(const access_site *site, const poly in[LANES], unsigned lanes, const example *with,
                         pattern *out) {
    *out = (pattern){.site = site, .lanes = lanes};
    for (unsigned k = 0; k < lanes; k++) {
        poly distance = poly_add(&in[k], &in[0], -1);
        distance = put_numbers(&distance, with);
        out->lane[k] = (uint8_t)k;
        if (!poly_is_constant(&distance, &out->at[k])) return false;
    }
    return true;
}

static void keep_active(forms *s, const lane_shape *shape, const example *with, int64_t number, pattern *p) {
    guards all;
    bool active[LANES];
    unsigned kept = 0;
    const unsigned block = s->f->value[p->site->value].block;
    for (unsigned k = 0; k < LANES; k++) active[k] = true;
    guards_find(s, block, &all);
    for (unsigned k = 0; k < all.count; k++) ask_guard(s, &all.guard[k], block, shape, with, number, active);
    for (unsigned k = 0; k < p->lanes; k++) {
        if (!active[p->lane[k]]) continue;
        p->lane[kept] = p->lane[k];
        p->at[kept++] = p->at[k];
    }
    p->lanes = kept;
}

/* Lanes that take part in the first warps, or in those behind them, and whether they waste. */
static bool waste_somewhere(forms *s, const lane_shape *shape, const poly *at, const example *with,
                            double threshold, const pattern *whole, extremes *out) {
    for (int64_t number = 0; number < 2; number++) {
        pattern p = *whole;
        keep_active(s, shape, with, number, &p);
        if (p.lanes > 0 && extremes_find(&p, poly_rest(at), poly_divisor(at), out) &&
            is_wasteful(out->worst, threshold))
            return true;
    }
    return false;
}

/* Numbers by which the address has that residue; false if none are found. */
static bool reach(const forms *s, const poly *first, unsigned residue, example *with) {
    const unsigned from = with->count;
    const poly left = put_numbers(first, with);
    if (!add_symbols(&left, with)) return false;
    for (unsigned k = 0; k < 2000 && put_choice(s, k, from, with); k++) {
        int64_t value;
        const poly one = put_numbers(&left, with);
        const bool is_there = poly_is_constant(&one, &value) && value >= 0 && value % PERIOD == residue;
        if (is_there && is_possible(s, with)) return true;
    }
    with->count = from;
    return false;
}

static bool all_free(const forms *s, const example *with) {
    for (unsigned k = 0; k < with->count; k++)
        if (!is_free(&s->symbols.entry[with->symbol[k]])) return false;
    return true;
}

static judgement leave_open(judgement out, const char *why) {
    out.verdict = CLAIM_OPEN;
    out.why = why;
    return out;
}

static void note(judgement *out, claim_verdict verdict, warp_cost cost) {
    out->verdict = verdict;
    out->requests = cost.requests;
    out->ideal = cost.ideal_requests;
}

/* Where lanes differ by numbers, and `with` has those of others. */
static judgement judge_pattern(forms *s, const lane_shape *shape, const poly *first, const pattern *p,
                               const example *with, double threshold) {
    judgement out = {.warp = shape->warp, .numbers = *with, .why = ""};
    const poly at = put_numbers(first, with);
    extremes all;
    if (!extremes_find(p, poly_rest(&at), poly_divisor(&at), &all))
        return leave_open(out, "it would be misaligned wherever the array begins");
    note(&out, CLAIM_PROVED, all.worst);
    if (!is_wasteful(all.worst, threshold)) return out;
    if (!waste_somewhere(s, shape, &at, with, threshold, p, &all))
        return leave_open(out, "all lanes together are wasteful, and those that are known to take part are not");
    note(&out, CLAIM_REFUTED, all.worst);
    out.always = with->count == 0 && is_wasteful(all.best, threshold);
    if (!is_wasteful(all.best, threshold) && !reach(s, first, all.residue, &out.numbers))
        return leave_open(out, "it is wasteful at some places of the array, and no numbers were found that lead there");
    if (!all_free(s, &out.numbers))
        return leave_open(out, "it is wasteful with numbers that the kernel works out, which it may never have");
    return out;
}

/* Where lanes differ by symbols: tried for numbers by which they are wasteful. */
static judgement judge_choices(forms *s, const access_site *site, const lane_shape *shape, const poly in[LANES],
                               double threshold) {
    judgement worst = {.warp = shape->warp};
    example with = {0};
    const unsigned lanes = lanes_count(shape);
    for (unsigned k = 1; k < lanes; k++) {
        const poly distance = poly_add(&in[k], &in[0], -1);
        if (!add_symbols(&distance, &with)) return leave_open(worst, "lanes are apart by more than four numbers that are not known");
    }
    if (!all_free(s, &with)) return leave_open(worst, "lanes are apart by a number that the kernel works out");
    worst = leave_open(worst, "how far lanes are apart is not known, and no numbers that were tried are wasteful");
    for (unsigned k = 0; k < CHOICES * CHOICES && put_choice(s, k, 0, &with); k++) {
        pattern p;
        if (!is_possible(s, &with)) continue;
        if (!make_pattern(site, in, lanes, &with, &p)) break;
        const judgement one = judge_pattern(s, shape, &in[0], &p, &with, threshold);
        if (one.verdict != CLAIM_REFUTED) continue;
        if (worst.verdict != CLAIM_REFUTED ||
            (uint64_t)one.requests * worst.ideal > (uint64_t)worst.requests * one.ideal)
            worst = one;
    }
    return worst;
}

static judgement judge_warp(forms *s, const access_site *site, const lane_shape *shape, double threshold) {
    poly in[LANES];
    pattern p;
    const example none = {0};
    judgement out = leave_open((judgement){.warp = shape->warp},
                               "a quotient, a remainder or bits are of more than numbers in each lane");
    const unsigned block = s->f->value[site->value].block;
    const lane_result placed = lanes_place(s, &site->address.at, block, shape, in);
    if (placed == LANES_OTHER || site->address.depends != 0)
        return (judgement){.verdict = CLAIM_OTHER, .warp = shape->warp, .why = ""};
    if (placed != LANES_KNOWN) return out;
    if (make_pattern(site, in, lanes_count(shape), &none, &p))
        return judge_pattern(s, shape, &in[0], &p, &none, threshold);
    return judge_choices(s, site, shape, in, threshold);
}

/* Of two warps: what is refuted in one is refuted, and what is not known in one is not proved. */
static bool says_more(const judgement *a, const judgement *b) {
    static const unsigned rank[CLAIM_VERDICTS] = {
        [CLAIM_PROVED] = 0, [CLAIM_OPEN] = 1, [CLAIM_OTHER] = 2, [CLAIM_REFUTED] = 3};
    if (rank[a->verdict] != rank[b->verdict]) return rank[a->verdict] > rank[b->verdict];
    return (uint64_t)a->requests * b->ideal > (uint64_t)b->requests * a->ideal;
}

judgement judge_access(forms *s, const access_site *site, const unsigned side[3], double threshold) {
    lane_shape shape = {.side = {side[0], side[1], side[2]}};
    const unsigned warps = lanes_warps(&shape);
    judgement all = judge_warp(s, site, &shape, threshold);
    for (shape.warp = 1; shape.warp < warps; shape.warp++) {
        const judgement one = judge_warp(s, site, &shape, threshold);
        all.always = all.always && one.always;
        const bool always = all.always;
        if (says_more(&one, &all)) all = one;
        all.always = always;
    }
    return all;
}
