/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of the fused kernels (program/kernels/fused.cu): it reads the launch's code as the kernel does, and says where each
 * access of a warp is. All places are sums (XOR), so all tiles are accessed alike where arrays begin on an address group, and one
 * block says what all do.
 */
#include "program/gpu/predict.h"

#include "base/arithmetic.h"
#include "program/kernels/kernel.h"

enum { SITE_READ, SITE_WRITE, SITE_PUT, SITE_GET };
enum { WARP = 32, WARP_LOG2 = 5, VECTOR_BYTES = 16 };

typedef struct fused_view {
    const launch *work;
    const fused_table *table;
    uint32_t bytes; /* an element's */
    uint32_t count; /* elements of a thread */
    uint32_t row;   /* elements from one thread's in shared memory to the next's */
    pattern *out;
} fused_view;

/* A warp of a block: its threads first .. end - 1, and where the block's run begins. */
typedef struct fused_warp {
    uint32_t tile, first, end;
    uint64_t from, to;
} fused_warp;

static uint32_t sum_of(const uint32_t *vectors, uint32_t number) {
    uint32_t sum = 0;
    for (; number != 0; number &= number - 1) sum ^= vectors[__builtin_ctz(number)];
    return sum;
}

static uint32_t gray(uint32_t k) { return k ^ k >> 1; }

/* ------------------------------------------------------------------- memory */

static uint32_t access_bytes(const fused_view *v, const fused_side *side) {
    return side->access == FUSED_VECTORS ? VECTOR_BYTES : v->bytes;
}

static void move_side(const fused_view *v, const fused_side *side, const fused_warp *w, uint64_t array,
                      unsigned site) {
    const uint32_t step = side->access == FUSED_VECTORS ? VECTOR_BYTES / v->bytes : 1;
    for (uint32_t k = 0; k < v->count / step; k++) {
        const uint32_t held = gray(k) * step;
        pattern_lanes lanes = {0};
        if (side->access == FUSED_SOME && held >= v->table->held) continue;
        for (uint32_t x = w->first; x < w->end; x++)
            pattern_lane(&lanes, array + (uint64_t)(side->origin ^ sum_of(side->tile, w->tile) ^
                                                    sum_of(side->thread, x) ^ sum_of(side->held, held)) *
                                             v->bytes);
        pattern_next(v->out, site, &lanes);
    }
}

/* ------------------------------------------------------------ shared memory */

/* The byte of shared memory that a thread accesses for its k-th element, as an instruction has it. */
typedef uint32_t fused_place(const fused_view *v, const uint32_t *code, uint32_t thread, uint32_t k);

static void cells(const fused_view *v, const fused_warp *w, const uint32_t *code, fused_place *place,
                  unsigned site) {
    for (uint32_t k = 0; k < v->count; k++) {
        pattern_lanes lanes = {0};
        for (uint32_t x = w->first; x < w->end; x++) pattern_lane(&lanes, place(v, code, x, k));
        pattern_next(v->out, site, &lanes);
    }
}

static uint32_t exchanged(const fused_view *v, const uint32_t *vectors, bool own_cells, uint32_t thread,
                          uint32_t k) {
    const uint32_t of_register = sum_of(vectors + FUSED_THREADS_LOG2, gray(k));
    if (!own_cells) return sum_of(vectors, thread) ^ of_register;
    return (thread / WARP * WARP * v->count * v->bytes ^ sum_of(vectors, thread % WARP)) ^ of_register;
}

static bool has_own_cells(const uint32_t *code) { return (code[0] >> 10 & 1) != 0; }

static uint32_t exchange_put(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    return exchanged(v, code + 1, has_own_cells(code), x, k);
}

static uint32_t exchange_get(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    return exchanged(v, code + 1 + FUSED_THREADS_LOG2 + FUSED_HELD_LOG2, has_own_cells(code), x, k);
}

static uint32_t row_put(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    (void)code;
    return (x * v->row + k) * v->bytes;
}

static uint32_t lanes_get(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    const uint32_t lane = x % WARP, within = lane & (v->count - 1);
    (void)code;
    return ((x - within + k) * v->row + within) * v->bytes;
}

static uint32_t warps_put(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    (void)code;
    return (x / WARP * WARP * v->row + x % WARP + WARP * k) * v->bytes;
}

static uint32_t warps_get(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    const uint32_t bits = code[0] >> 16 & 0xff, first = code[0] >> 24, stay = v->count >> bits;
    const uint32_t warp = x / WARP, number = warp >> first & ((1u << bits) - 1);
    const uint32_t from = (warp ^ number << first) + (k / stay << first);
    return (from * WARP * v->row + (number * stay + k % stay) * WARP + x % WARP) * v->bytes;
}

static uint32_t cycle_get(const fused_view *v, const uint32_t *code, uint32_t x, uint32_t k) {
    const uint32_t kept = WARP_LOG2 - (code[0] >> 16);
    const uint32_t row = (x / WARP << kept) + (k >> kept << WARP_LOG2) + (k & ((1u << kept) - 1));
    return (row * v->row + x % WARP) * v->bytes;
}

/* ------------------------------------------------------------------ the code */

/* Words of an index, which say themselves how many the tile's are. */
static uint32_t index_words(const uint32_t *index) { return FUSED_INDEX_WORDS + index[FUSED_INDEX_WORDS - 1]; }

static uint32_t group_words(const uint32_t *code) {
    const uint32_t functionals = (code[0] >> 16 & 0xf) + (code[0] >> 20 & 0xff);
    const uint32_t before = 3 + FUSED_FUNCTIONAL_WORDS * functionals;
    return code[0] >> 28 == 0 ? before : before + index_words(code + before);
}

static uint32_t length_of(const fused_view *v, const uint32_t *code) {
    switch (code[0] & 0xff) {
    case FUSED_EXCHANGE: return FUSED_EXCHANGE_WORDS;
    case FUSED_EACH: return 3;
    case FUSED_TWIDDLE: return 2 + index_words(code + 2) + v->count / 2 * (v->bytes / (uint32_t)sizeof *code);
    case FUSED_GROUP: return group_words(code);
    default: return 1;
    }
}

/* All others compute in registers. */
static void instruction(const fused_view *v, const fused_warp *w, const uint32_t *code) {
    static const struct {
        fused_place *put, *get;
    } places[] = {[FUSED_EXCHANGE] = {exchange_put, exchange_get},
                  [FUSED_LANES] = {row_put, lanes_get},
                  [FUSED_WARPS] = {warps_put, warps_get},
                  [FUSED_CYCLE] = {row_put, cycle_get}};
    const uint32_t number = code[0] & 0xff;
    if (number >= sizeof places / sizeof *places || places[number].put == NULL) return;
    cells(v, w, code, places[number].put, SITE_PUT);
    cells(v, w, code, places[number].get, SITE_GET);
}

static void describe_warp(const fused_view *v, const fused_warp *w) {
    const uint32_t *code = v->table->code;
    pattern_begin_warp(v->out);
    move_side(v, &v->table->read, w, w->from, SITE_READ);
    for (; (code[0] & 0xff) != FUSED_END; code += length_of(v, code)) instruction(v, w, code);
    move_side(v, &v->table->write, w, w->to, SITE_WRITE);
}

static void describe_block(const fused_view *v, uint64_t block) {
    const uint64_t run = (block >> v->table->tile_bits) * v->table->stride;
    fused_warp w = {.tile = (uint32_t)block & ((1u << v->table->tile_bits) - 1),
                    .from = (uintptr_t)v->work->from + run,
                    .to = (uintptr_t)v->work->to + run};
    for (; w.first < v->work->block_x; w.first = w.end) {
        w.end = min(w.first + WARP, v->work->block_x);
        describe_warp(v, &w);
    }
}

/* True if arrays and runs begin on address groups. */
static bool are_alike(const fused_view *v) {
    const fused_table *const t = v->table;
    const uint64_t group = WARP * VECTOR_BYTES;
    const uint64_t runs = v->work->grid >> t->tile_bits > 1 ? t->stride : 0;
    return ((uintptr_t)v->work->from | (uintptr_t)v->work->to | runs) % group == 0;
}

static void pattern_of_fused(const launch *work, const void *subject, pattern *out) {
    const fused_table *const t = &((const struct fused_arguments *)work->arguments)->table;
    const uint32_t bytes = (uint32_t)work->elem_bytes;
    const uint32_t count = bytes <= 4 ? 1u << FUSED_HELD_LOG2 : FUSED_HELD_BYTES / bytes;
    const fused_view v = {work, t, bytes, count, count + (bytes < 4 ? 4 / bytes : 1), out};
    (void)subject;
    if (work->users != NULL) pattern_mean(out, PATTERN_USERS);
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, access_bytes(&v, &t->read));
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, access_bytes(&v, &t->write));
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, bytes);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, bytes);
    if (are_alike(&v)) {
        pattern_alike(out, 0, out->grid);
        describe_block(&v, 0);
        return;
    }
    const uint64_t samples = pattern_samples(out, (uint64_t)work->block_x * t->held);
    for (uint64_t k = 0; k < samples; k++) describe_block(&v, pattern_sample(out, samples, k));
}

#define OF(type)                                                                                               \
    {&KERNEL_fused_##type.record, pattern_of_fused}, { &KERNEL_fused_##type##_groups.record, pattern_of_fused }

const kernel_pattern program_patterns[] = {OF(i8),      OF(i16),
                                           OF(i32),     OF(i64),
                                           OF(u8),      OF(u16),
                                           OF(u32),     OF(u64),
                                           OF(f16),     OF(f32),
                                           OF(f64),     OF(c64),
                                           OF(c128),    {&KERNEL_fused_f16_pairs.record, pattern_of_fused},
                                           {NULL, NULL}};
