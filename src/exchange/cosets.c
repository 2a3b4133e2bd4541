/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/cosets.h"

static uint64_t low_bits(unsigned count) { return ((uint64_t)1 << count) - 1; }

/* The span of the rank bits of the columns of within-block bits. */
static coset_ranks ranks_of(const gf2_matrix *a, unsigned w) {
    coset_ranks ranks = {.pivots = 0};
    for (unsigned j = 0; j < w; j++) gf2_span_add(&ranks.span, a->column[j] >> w);
    for (unsigned b = 0; b < 64; b++)
        if (ranks.span.by_leading_bit[b] != 0) ranks.pivots |= (uint64_t)1 << b;
    return ranks;
}

/* The element of base + V whose pivots have the bits of s. */
static uint64_t coset_element(const coset_ranks *ranks, uint64_t base, uint64_t s) {
    unsigned digit = ranks->span.count;
    for (uint64_t rest = ranks->pivots; rest != 0;) {
        const unsigned b = 63 - (unsigned)__builtin_clzll(rest);
        rest ^= (uint64_t)1 << b;
        digit--;
        if ((base >> b & 1) != (s >> digit & 1)) base ^= ranks->span.by_leading_bit[b];
    }
    return base;
}

/* The bits of x that are kept within a message: all but the leading ones of the rows that say which message. */
static uint64_t told_apart(const cosets *c) {
    gf2_span rows = {.count = 0};
    uint64_t kept = low_bits(c->w);
    for (uint64_t rest = c->to.pivots; rest != 0; rest &= rest - 1)
        gf2_span_add(&rows, gf2_row(&c->map.a, c->w + (unsigned)__builtin_ctzll(rest)) & low_bits(c->w));
    for (unsigned b = 0; b < c->w; b++)
        if (rows.by_leading_bit[b] != 0) kept ^= (uint64_t)1 << b;
    return kept;
}

/* x = A^-1 y + A^-1 c, where A has an inverse. */
static perm_affine inverse_of(const perm_affine *map) {
    perm_affine inverse = {.c = 0};
    gf2_invert(&map->a, &inverse.a, NULL);
    inverse.c = gf2_apply(&inverse.a, map->c);
    return inverse;
}

cosets cosets_of(const perm_affine *map, unsigned k) {
    cosets c = {.map = *map, .inverse = inverse_of(map), .k = k, .w = map->a.m - k};
    c.to = ranks_of(&c.map.a, c.w);
    c.from = ranks_of(&c.inverse.a, c.w);
    c.r = c.to.span.count;
    c.told_apart = told_apart(&c);
    return c;
}

uint64_t coset_send_rank(const cosets *c, uint64_t p, uint64_t s) {
    const uint64_t base = (gf2_apply(&c->map.a, p << c->w) ^ c->map.c) >> c->w;
    return coset_element(&c->to, base, s);
}

uint64_t coset_receive_rank(const cosets *c, uint64_t q, uint64_t s) {
    const uint64_t base = (gf2_apply(&c->inverse.a, q << c->w) ^ c->inverse.c) >> c->w;
    return coset_element(&c->from, base, s);
}

/* Rows of a map of w bits, and its constant, bit by bit from bit 0. */
typedef struct rows {
    unsigned count;
    uint64_t row[RIFFLE_MAX_BITS];
    uint64_t constant;
} rows;

static void add_row(rows *to, uint64_t row, uint64_t constant) {
    to->row[to->count] = row;
    to->constant |= (constant & 1) << to->count;
    to->count++;
}

/* The rows of `map` at these bits of its result, of the block whose first index is `first`. */
static void add_rows(rows *to, const perm_affine *map, unsigned w, uint64_t first, uint64_t bits) {
    const uint64_t constant = gf2_apply(&map->a, first) ^ map->c;
    for (; bits != 0; bits &= bits - 1) {
        const unsigned b = (unsigned)__builtin_ctzll(bits);
        add_row(to, gf2_row(&map->a, b) & low_bits(w), constant >> b);
    }
}

static perm_affine affine_of(const rows *from) {
    return (perm_affine){gf2_from_rows(from->count, from->row), from->constant};
}

perm_affine cosets_pack(const cosets *c, uint64_t p) {
    rows of = {.count = 0};
    for (uint64_t rest = c->told_apart; rest != 0; rest &= rest - 1) add_row(&of, rest & -rest, 0);
    add_rows(&of, &c->map, c->w, p << c->w, c->to.pivots << c->w);
    return affine_of(&of);
}

perm_affine cosets_unpack(const cosets *c, uint64_t q) {
    rows of = {.count = 0};
    add_rows(&of, &c->inverse, c->w, q << c->w, c->told_apart);
    add_rows(&of, &c->inverse, c->w, q << c->w, c->from.pivots << c->w);
    const perm_affine received = affine_of(&of);
    return inverse_of(&received);
}

/* A rank p sends to itself where D p + p + c_h lies in V: as many ranks as this map of k bits sends to 0, if there are any. */
uint64_t cosets_own(const cosets *c) {
    gf2_span images = {.count = 0};
    for (unsigned j = 0; j < c->k; j++)
        gf2_span_add(&images,
                     gf2_span_reduce(&c->to.span, c->map.a.column[c->w + j] >> c->w ^ (uint64_t)1 << j));
    const uint64_t constant = gf2_span_reduce(&c->to.span, c->map.c >> c->w);
    return gf2_span_reduce(&images, constant) != 0 ? 0 : (uint64_t)1 << (c->k - images.count);
}

/* Every rank sends 2^r messages of as many elements; some send one of them to themselves. */
riffle_exchange_cost cosets_cost(const cosets *c) {
    const uint64_t ranks = (uint64_t)1 << c->k, fan = (uint64_t)1 << c->r, own = cosets_own(c);
    const uint64_t each = (uint64_t)1 << (c->w - c->r), most = own == ranks ? fan - 1 : fan;
    return (riffle_exchange_cost){.coset_bits = c->r,
                                  .messages = ranks * fan - own,
                                  .volume = (ranks * fan - own) * each,
                                  .most_sent = most * each,
                                  .most_messages = (unsigned)most};
}

/* M p = D p but on U, the sources' space, that it sends onto V: so M p is in the coset that p sends to, and M has an inverse. */
static gf2_matrix assignment(const cosets *c) {
    gf2_matrix from = {.m = c->k}, to = {.m = c->k}, inverse;
    gf2_span images = c->to.span;
    unsigned count = 0;
    for (uint64_t u = c->from.pivots, v = c->to.pivots; u != 0; u &= u - 1, v &= v - 1) {
        from.column[count] = c->from.span.by_leading_bit[__builtin_ctzll(u)];
        to.column[count++] = c->to.span.by_leading_bit[__builtin_ctzll(v)];
    }
    for (unsigned j = 0; j < c->k && count < c->k; j++) {
        const uint64_t image = c->map.a.column[c->w + j] >> c->w;
        if (!gf2_span_add(&images, image)) continue;
        from.column[count] = (uint64_t)1 << j;
        to.column[count++] = image;
    }
    gf2_invert(&from, &inverse, NULL);
    return gf2_multiply(&to, &inverse);
}

perm_affine cosets_relabel(const perm_affine *map, unsigned k, perm_affine *block) {
    const cosets c = cosets_of(map, k);
    *block = (perm_affine){assignment(&c), map->c >> c.w};
    gf2_matrix back;
    gf2_invert(&block->a, &back, NULL);
    perm_affine out = *map;
    for (unsigned j = 0; j < map->a.m; j++)
        out.a.column[j] = (map->a.column[j] & low_bits(c.w)) | gf2_apply(&back, map->a.column[j] >> c.w) << c.w;
    out.c = map->c & low_bits(c.w);
    return out;
}
