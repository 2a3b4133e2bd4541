/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/claims/launches.h"

#include <inttypes.h>

#include "base/arithmetic.h"

void launches_begin(launches *d, const forms *s, const unsigned side[3]) {
    *d = (launches){.s = s, .side = {side[0], side[1], side[2]}, .used = {true}, .state = 1};
    for (size_t k = 1; k < s->symbols.count; k++) {
        const symbol *one = &s->symbols.entry[k];
        if ((one->kind == SYMBOL_THREAD || one->kind == SYMBOL_BLOCK) && one->value < 3) d->used[one->value] = true;
    }
}

/* xorshift64 (Marsaglia 2003) */
static unsigned draw(launches *d, unsigned below) {
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return (unsigned)((d->state >> 32) % below);
}

static int64_t draw_of(launches *d, const int64_t *list, unsigned count) { return list[draw(d, count)]; }

/* The first, the last, or another. */
static int64_t draw_index(launches *d, int64_t count) {
    const unsigned way = draw(d, 4);
    return way == 0 ? 0 : way < 3 ? count - 1 : (int64_t)draw(d, (unsigned)count);
}

/* A size that matters beside the launch: its own numbers, what they cover, one more or less. */
static int64_t draw_size(launches *d, const walk *w, unsigned kinds) {
    static const int64_t plain[] = {1, 0, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33, 64, 100, 128, 255, 256, 257, 1000, 1024, 2048};
    const int64_t(*index)[3] = w->index;
    const unsigned axis = draw(d, 3);
    const int64_t wide = index[WALK_BLOCK_DIM][axis], all = wide * index[WALK_GRID_DIM][axis];
    switch (draw(d, 6)) {
    case 0: return all;
    case 1: return all + (int64_t)draw(d, 3) - 1; /* at least 0, for all is at least 1 */
    case 2: return draw(d, 2) == 0 ? wide : index[WALK_GRID_DIM][axis];
    case 3: return index[WALK_GRID_DIM][axis] * plain[draw(d, kinds)];
    default: return draw_of(d, plain, min(kinds, (unsigned)(sizeof plain / sizeof *plain)));
    }
}

void launches_draw(launches *d, unsigned k, walk *w) {
    static const int64_t wide[] = {32, 64, 128, 96, 256, 288, 512, 1024}, high[] = {1, 2, 8, 16, 32}, deep[] = {1, 2, 4},
                         blocks[] = {1, 2, 3, 5, 8, 33};
    const unsigned kinds = min(4 + k / 100, 22U);
    int64_t threads = SYMBOLS_MOST_THREADS;
    for (unsigned axis = 0; axis < 3; axis++) {
        const int64_t *list = axis == 0 ? wide : axis == 1 ? high : deep;
        const unsigned count = min(2 + k / 100, axis == 0 ? 8U : axis == 1 ? 5U : 3U);
        int64_t side = d->used[axis] ? draw_of(d, list, count) : 1;
        if (side > threads) side = 1;
        if (d->side[0] > 0) side = d->side[axis];
        threads /= side;
        w->index[WALK_BLOCK_DIM][axis] = side;
        w->index[WALK_GRID_DIM][axis] = d->used[axis] ? draw_of(d, blocks, min(1 + k / 50, 6U)) : 1;
        w->index[WALK_THREAD][axis] = draw_index(d, side);
        w->index[WALK_BLOCK][axis] = draw_index(d, w->index[WALK_GRID_DIM][axis]);
    }
    int64_t last = 0;
    for (size_t value = 0; value < w->f->values; value++) {
        const ir_value *v = &w->f->value[value];
        if (v->op != IR_ARGUMENT || v->bits == 0) continue;
        if (draw(d, 4) != 0) last = draw_size(d, w, kinds); /* else as the one before it */
        const unsigned bits = v->bits < 32 && v->bits > 1 ? v->bits - 1U : v->bits; /* those that both signs hold */
        w->argument[value] = bits < 32 ? last & ((INT64_C(1) << bits) - 1) : last;
    }
}

/* A symbol's number; false if it has none before a thread runs. */
static bool number_of(const walk *w, const symbol *one, int64_t *out) {
    const bool is_size = one->kind == SYMBOL_BLOCK_DIM || one->kind == SYMBOL_GRID_DIM;
    if (is_size) *out = w->index[one->kind == SYMBOL_BLOCK_DIM ? WALK_BLOCK_DIM : WALK_GRID_DIM][one->value];
    if (one->kind == SYMBOL_ARGUMENT) *out = w->argument[one->value];
    return is_size || one->kind == SYMBOL_ARGUMENT;
}

bool launches_overflow(const symbols *s, const walk *w, const poly *a, int64_t wrapped) {
    int64_t sum = 0;
    for (unsigned k = 0; k < a->terms; k++) {
        int64_t product = a->term[k].factor, number;
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            if (a->term[k].symbol[d] == 0) continue;
            if (!number_of(w, &s->entry[a->term[k].symbol[d]], &number)) return false;
            if (__builtin_mul_overflow(product, number, &product)) return true;
        }
        if (__builtin_add_overflow(sum, product, &sum)) return true;
    }
    return sum != wrapped;
}

bool launches_are_refused(const forms *s, walk *w, const unsigned side[3]) {
    for (unsigned axis = 0; axis < 3; axis++) w->index[WALK_BLOCK_DIM][axis] = side[axis];
    for (unsigned k = 0; k < s->f->values; k++) {
        const ir_value *v = &s->f->value[k];
        if (v->op != IR_CALL || v->operands != 1 || !ir_is_named(v, "llvm.assume")) continue;
        if (!ir_place_of(s->m, v->location, s->folder).in_header) continue; /* the source's own is no bound */
        const walk_value holds = walk_value_of(w, ir_operand_of(s->f, v, 0)->value);
        if (holds.kind == WALK_NUMBER && holds.at == 0) return true;
    }
    return false;
}

void launches_say(const walk *w, FILE *out) {
    static const char *const names[WALK_INDICES] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    bool any = false;
    for (unsigned k = 0; k < WALK_INDICES; k++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            const bool is_size = k >= WALK_BLOCK_DIM;
            if (w->index[k][axis] == (is_size ? 1 : 0) && !(is_size && axis == 0)) continue;
            fprintf(out, "%s%s.%c = %" PRId64, any ? ", " : "", names[k], "xyz"[axis], w->index[k][axis]);
            any = true;
        }
    }
    for (size_t value = 0; value < w->f->values; value++) {
        const ir_value *v = &w->f->value[value];
        if (v->op == IR_ARGUMENT && v->bits > 0)
            fprintf(out, ", %.*s = %" PRId64, (int)v->name.length, v->name.text, w->argument[value]);
    }
}
