/* SPDX-License-Identifier: Apache-2.0 */
#include "program/fused/fused.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "program/fused/code.h"
#include "program/fused/pairs.h"

enum {
    MOST_BLOCKS = 0x7fffffff,
    LINE_LOG2 = 7,
    /* Blocks for tiles of several arrays: a warp, and where as many blocks are left, more warps, which do the same at about
     * the same time and fetch their instructions once. */
    ARRAYS_THREADS_LOG2 = 5,
    MOST_ARRAYS_THREADS_LOG2 = 8,
    ARRAYS_BLOCKS_LOG2 = 7,
};

/* The elements, and the part of a pass, that a launch is made for. */
typedef struct part {
    const program_pass *pass;
    const fused_kernel *plain, *groups; /* NULL: there is none */
    unsigned unit_bits;
    size_t first, count; /* the part among the pass's stages */
    unsigned array_bits; /* a tile has 2^array_bits whole arrays */
    uint64_t runs, first_byte;
    bool is_first; /* pass of its program */
    fused_launches *out;
} part;

static unsigned most_held_bits(unsigned unit_bits) {
    return unit_bits <= 2 ? FUSED_HELD_LOG2 : FUSED_HELD_LOG2 + 2 - unit_bits;
}

unsigned fused_most_tile_bits(unsigned unit_bits) { return FUSED_THREADS_LOG2 + most_held_bits(unit_bits); }

static void choose_kernels(riffle_type type, part *p) {
#define KERNELS_OF(TYPE, type) [RIFFLE_TYPE_##TYPE] = { &KERNEL_fused_##type, &KERNEL_fused_##type##_groups }
    static const fused_kernel *const kernels[][2] = {
        KERNELS_OF(I8, i8),     KERNELS_OF(I16, i16), KERNELS_OF(I32, i32), KERNELS_OF(I64, i64),
        KERNELS_OF(U8, u8),     KERNELS_OF(U16, u16), KERNELS_OF(U32, u32), KERNELS_OF(U64, u64),
        KERNELS_OF(F16, f16),   KERNELS_OF(F32, f32), KERNELS_OF(F64, f64), KERNELS_OF(C64, c64),
        KERNELS_OF(C128, c128),
    };
#undef KERNELS_OF
    p->plain = kernels[type][0];
    p->groups = kernels[type][1];
    p->unit_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type));
}

/* u with what of the tile clears the place's first bits, of those that the tile has whole. */
static uint64_t begin_of_tile(const layout_side *side, const uint64_t *places, uint64_t u) {
    const uint64_t place = layout_place(places, u);
    for (unsigned k = 0; k < side->units; k++)
        if (place >> k & 1) u ^= side->vector[k];
    return u;
}

static bool is_aligned(const phase_tile *t, const uint64_t *places, uint64_t origin) {
    const uint64_t within = t->unit_bits < 4 ? ((uint64_t)1 << (4 - t->unit_bits)) - 1 : 0;
    uint64_t all = origin;
    for (unsigned k = 0; k < t->number_bits; k++) all |= layout_place(places, t->number[k]);
    return (all & within) == 0;
}

static void make_tile(const part *p, const uint64_t *read, const uint64_t *write, phase_tile *t) {
    const program_pass *pass = p->pass;
    const unsigned unit_bits = p->unit_bits, most_held = most_held_bits(unit_bits);
    *t = (phase_tile){
        .bits = pass->tile_bits + p->array_bits, .unit_bits = unit_bits, .read = read, .write = write};
    t->held_bits = t->bits < most_held ? t->bits : most_held;
    t->is_full = t->held_bits == most_held;
    t->stages = p->count > 0 ? pass->stages + p->first : NULL;
    t->stage_count = p->count;
    if (p->first > 0) t->read_origin = pass->write_origin;
    t->write_origin = pass->write_origin;
    layout_side_make(read, t->bits, &t->read_side);
    layout_side_make(write, t->bits, &t->write_side);
    t->number_bits = pass->n - pass->tile_bits;
    for (unsigned k = 0; k < t->number_bits; k++)
        t->number[k] = begin_of_tile(&t->read_side, read, (uint64_t)1 << (t->bits + k));
    t->reads_aligned = is_aligned(t, read, t->read_origin);
    t->writes_aligned = is_aligned(t, write, t->write_origin);
}

static fused_launch *append(fused_launches *out) {
    if (out->count == out->capacity) {
        const size_t capacity = 2 * out->capacity + 4;
        fused_launch *const more = realloc(out->launches, capacity * sizeof *more);
        if (more == NULL) return NULL;
        out->launches = more;
        out->capacity = capacity;
    }
    return &out->launches[out->count++];
}

/* The tile's lines, one a thread; false where it has parts of lines. */
static bool write_lines(const phase_tile *t, uint32_t *line) {
    const unsigned within = LINE_LOG2 - t->unit_bits, threads = t->bits - t->held_bits;
    if (!t->is_full || t->unit_bits < 2 || t->read_side.units < within) return false;
    for (unsigned k = 0; k < threads; k++) line[k] = (uint32_t)t->read_side.place[within + k];
    return true;
}

static void finish(const part *p, const phase_tile *t, bool has_groups, fused_launch *work) {
    const bool has_vectors =
        work->table.read.access == FUSED_VECTORS || work->table.write.access == FUSED_VECTORS;
    work->kernel = has_groups ? p->groups : p->plain;
    work->elem_bytes = (size_t)1 << t->unit_bits;
    work->reads_src = p->is_first && p->first == 0;
    work->first_byte = p->first_byte;
    work->blocks = p->runs << t->number_bits;
    work->threads = 1u << (t->bits - t->held_bits);
    work->alignment = has_vectors ? 16 : work->elem_bytes;
    work->table.stride = (uint64_t)1 << (p->pass->n + p->array_bits) << t->unit_bits;
    work->table.tile_bits = t->number_bits;
    work->has_lines = write_lines(t, work->table.line);
}

/* Sets *fits to false, and appends nothing, where the code is too long, or has groups and there is no kernel for them. */
static riffle_status lower_part(const part *p, bool *fits) {
    uint64_t places[2][RIFFLE_MAX_BITS + LAYOUT_TILE_BITS];
    const unsigned n = p->pass->n;
    for (unsigned k = 0; k < n + p->array_bits; k++) {
        const bool is_read = p->first == 0;
        places[1][k] = k < n ? p->pass->write[k] : (uint64_t)1 << k;
        places[0][k] = k < n && is_read ? p->pass->read[k] : places[1][k];
    }
    phase_tile tile;
    phase_list phases;
    bool has_groups;
    make_tile(p, places[0], places[1], &tile);
    riffle_status status = phases_plan(&tile, &phases);
    if (status != RIFFLE_OK) return status;
    fused_launch *const work = append(p->out);
    if (work != NULL) {
        memset(work, 0, sizeof *work);
        *fits = fused_code_write(&tile, &phases, &work->table, &work->shared_bytes, &has_groups) &&
                !(has_groups && p->groups == NULL);
        finish(p, &tile, has_groups, work);
        if (!*fits) p->out->count--;
    } else {
        status = fail_memory("a pass's launches", p->out->count * sizeof *work);
    }
    phases_free(&phases);
    return status;
}

/* In two halves where the code is too long for one. */
static riffle_status lower(const part *p) {
    bool fits = true;
    riffle_status status = lower_part(p, &fits);
    if (status != RIFFLE_OK || fits) return status;
    if (p->count < 2 || p->groups == NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "an operation with %u conditions is too long for a launch",
                    p->pass->stages[p->first].conditions);
    part half = *p;
    half.count = p->count / 2;
    status = lower(&half);
    half.first = p->first + half.count;
    half.count = p->count - half.count;
    return status == RIFFLE_OK ? lower(&half) : status;
}

/* How many arrays, as a logarithm, make a tile. */
static unsigned array_bits_for(const part *p, uint64_t count) {
    const unsigned n = p->pass->n, held = most_held_bits(p->unit_bits);
    unsigned bits = held + MOST_ARRAYS_THREADS_LOG2;
    if (p->pass->tile_bits < n) return 0;
    while (bits > held + ARRAYS_THREADS_LOG2 && bits > n && count >> (bits - n) >> ARRAYS_BLOCKS_LOG2 == 0)
        bits--;
    return bits > n ? bits - n : 0;
}

/* The arrays in runs of tiles, and what is left of them in smaller ones. */
static riffle_status lower_arrays(part *p, uint64_t count) {
    const unsigned n = p->pass->n;
    const uint64_t array_bytes = (uint64_t)1 << n << p->unit_bits;
    riffle_status status = RIFFLE_OK;
    p->array_bits = array_bits_for(p, count);
    for (uint64_t done = 0; status == RIFFLE_OK && done < count; done += p->runs << p->array_bits) {
        while ((count - done) >> p->array_bits == 0) p->array_bits--;
        p->runs = (count - done) >> p->array_bits;
        p->first_byte = done * array_bytes;
        status = lower(p);
    }
    return status;
}

/* Halves in pairs, where the pass can be said of pairs and has no groups then. */
static riffle_status lower_pairs(const program_pass *pass, uint64_t count, bool is_first, fused_launches *out,
                                 bool *done) {
    program_pass pairs;
    const size_t before = out->count;
    *done = false;
    if (!pairs_can(pass)) return RIFFLE_OK;
    riffle_status status = pairs_make(pass, &pairs);
    if (status != RIFFLE_OK) return status;
    part p = {.pass = &pairs, .plain = &KERNEL_fused_f16_pairs, .groups = NULL, .unit_bits = 2, .out = out};
    p.count = pairs.stage_count;
    p.is_first = is_first;
    status = lower_arrays(&p, count);
    free(pairs.stages);
    *done = status == RIFFLE_OK;
    if (status != RIFFLE_ERROR_UNSUPPORTED) return status;
    out->count = before;
    return RIFFLE_OK;
}

riffle_status fused_lower(const program_pass *pass, riffle_type type, uint64_t count, bool is_first,
                          fused_launches *out) {
    part p = {.pass = pass, .count = pass->stage_count, .is_first = is_first, .out = out};
    bool done = false;
    riffle_status status = RIFFLE_OK;
    if (pass->n > FUSED_MAX_BITS)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "arrays of 2^%u elements are too long: 2^%d at most", pass->n,
                    FUSED_MAX_BITS);
    if (count >> (31 - (pass->n - pass->tile_bits)) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "%llu arrays of %llu tiles each are more than a launch's %d blocks",
                    (unsigned long long)count, 1ULL << (pass->n - pass->tile_bits), MOST_BLOCKS);
    choose_kernels(type, &p);
    if (type == RIFFLE_TYPE_F16) status = lower_pairs(pass, count, is_first, out, &done);
    return status == RIFFLE_OK && !done ? lower_arrays(&p, count) : status;
}

/* Half a wave of blocks: of more, lines are gone from the cache before they are read. */
void fused_fetch_early(fused_launches *launches, unsigned multiprocessors) {
    for (size_t k = 0; k < launches->count; k++) {
        fused_launch *const work = &launches->launches[k];
        if (work->threads == FUSED_ALONE_THREADS && work->has_lines) work->table.ahead = multiprocessors / 2;
    }
}

void fused_launches_free(fused_launches *launches) {
    free(launches->launches);
    *launches = (fused_launches){0};
}
