/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on the host: tiles are copied to a buffer of the second cache, their stages are done there, and they are
 * written back. Threads share the tiles of each pass.
 */
#include <stdlib.h>
#include <string.h>

#include "base/element_size.h"
#include "base/memory.h"
#include "base/simd/stream.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "papers/program/paper.h"
#include "program/cpu/schedule.h"
#include "program/plan.h"

enum {
    LEAST_RUN_LOG2 = 6,         /* bytes of the neighbours that stay together, at least */
    LONGEST_RUN_LOG2 = 8,       /* and at most asked for */
    PAST_CACHE_FROM = 32 << 20, /* bytes of an array that no cache keeps until the next pass */
};

typedef struct cpu_program {
    size_t count;
    line_pass *passes;
    own_operations *own; /* users', or NULL */
    size_t buffer_bytes; /* all threads' */
    bool follows_openmp; /* executions take no more threads than OpenMP gives then */
    size_t tile_bytes;
    char *buffer;
    size_t workspace_bytes;
    char *workspace; /* a third array, where the passes want one */
} cpu_program;

/* ------------------------------------------------------------------- tiles */

typedef struct pass_run {
    const line_pass *p;
    uint64_t arrays;
    char *dst;
    const char *src;
    char *buffer;
    size_t tile_bytes;
    bool
        past_cache; /* lines that are written whole are not read first: by now the second cache has lost those that were */
} pass_run;

ALWAYS_INLINE void copy_run(char *to, const char *from, size_t bytes) {
    if (bytes % LINE_BYTES != 0) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += LINE_BYTES) memcpy(to + at, from + at, LINE_BYTES);
}

static void read_tile(const line_pass *p, const char *array, uint64_t first, char *tile) {
    const size_t bytes = (size_t)1 << (p->pass->lane_bits + p->element_bits);
    for (size_t r = 0; r < p->rows; r++)
        copy_run(tile + r * bytes, array + ((first ^ p->row[r]) << p->element_bits), bytes);
}

static void write_tile(const line_pass *p, char *array, uint64_t first, const char *tile, bool past_cache) {
    const size_t bytes = (size_t)1 << (p->pass->lane_bits + p->element_bits);
    for (size_t r = 0; r < p->rows; r++) {
        char *const to = array + ((first ^ p->row[r]) << p->element_bits);
        if (past_cache) {
            stream_copy(to, tile + r * bytes, bytes);
        } else {
            copy_run(to, tile + r * bytes, bytes);
        }
    }
}

ALWAYS_INLINE void write_moved_elements(const line_pass *p, char *array, uint64_t first, const char *tile,
                                        size_t bytes) {
    const size_t lanes = (size_t)1 << p->pass->write_lane_bits;
    const uint32_t at_first = p->moved.lane_cell[first & (lanes - 1)];
    first &= ~(uint64_t)(lanes - 1);
    for (size_t r = 0; r < p->moved.count; r++) {
        char *const to = array + (first ^ p->moved.index[r]) * bytes;
        const uint32_t cell = p->moved.cell[r] ^ at_first;
        for (size_t l = 0; l < lanes; l++)
            memcpy(to + l * bytes, tile + (size_t)(cell ^ p->moved.lane_cell[l]) * bytes, bytes);
    }
}

static void write_moved(const line_pass *p, char *array, uint64_t first, const char *tile) {
    CALL_FOR_ELEMENT_SIZE((size_t)1 << p->element_bits, write_moved_elements, p, array, first, tile)
}

static uint64_t first_of(const uint64_t *vectors, unsigned tile_bits, uint64_t number, uint64_t origin) {
    for (; number != 0; number &= number - 1) origin ^= vectors[tile_bits + (unsigned)__builtin_ctzll(number)];
    return origin;
}

static void run_tile(const pass_run *run, uint64_t index, char *tile) {
    const program_pass *const pass = run->p->pass;
    const unsigned tiles_log2 = pass->n - pass->tile_bits;
    const uint64_t number = index & (((uint64_t)1 << tiles_log2) - 1);
    const size_t array = (size_t)((index >> tiles_log2) << pass->n) << run->p->element_bits;
    read_tile(run->p, run->src + array, first_of(pass->read, pass->tile_bits, number, 0), tile);
    for (size_t g = 0; g < run->p->groups; g++)
        run->p->group[g].run(&run->p->group[g], tile, number << pass->tile_bits,
                             (line_part){0, run->p->group[g].micro_tiles});
    const uint64_t to = first_of(pass->write, pass->tile_bits, number, pass->write_origin);
    if (pass->moves) {
        write_moved(run->p, run->dst + array, to, tile);
    } else {
        write_tile(run->p, run->dst + array, to, tile, run->past_cache);
    }
}

static void run_share(const void *context, team_member me) {
    const pass_run *const run = context;
    const program_pass *const pass = run->p->pass;
    const team_share mine = team_share_of(run->arrays << (pass->n - pass->tile_bits), me);
    char *const tile = run->buffer + me.number * run->tile_bytes;
    for (uint64_t k = mine.first; k < mine.end; k++) run_tile(run, k, tile);
    stream_finish();
}

typedef struct whole_copy {
    char *dst;
    const char *src;
    size_t bytes;
} whole_copy;

static void copy_share(const void *context, team_member me) {
    const whole_copy *const all = context;
    const team_share mine = team_share_of(all->bytes, me);
    memcpy(all->dst + mine.first, all->src + mine.first, (size_t)(mine.end - mine.first));
}

static riffle_status make_room(const char *what, size_t bytes, char **out) {
    void *room = NULL;
    const riffle_status status = buffer_create(what, bytes, &room);
    *out = room;
    return status;
}

/* By the first execution, so that a plan that is only explained is small. */
static riffle_status make_workspace(const riffle_program_plan *plan, cpu_program *own) {
    if (own->workspace != NULL || !program_wants_workspace(&plan->passes)) return RIFFLE_OK;
    own->workspace_bytes = program_plan_bytes(plan);
    return make_room("a program's third array", own->workspace_bytes, &own->workspace);
}

/* One at a time: the plan's lock is held. */
static riffle_status execute(const riffle_program_plan *plan, void *dst, const void *src) {
    cpu_program *const own = plan->own;
    const size_t all = program_plan_bytes(plan);
    const unsigned threads = own->follows_openmp ? threads_given(plan->base.threads) : plan->base.threads;
    const riffle_status status = make_workspace(plan, own);
    if (status != RIFFLE_OK) return status;
    char *const to[PROGRAM_ARRAYS] = {[PROGRAM_DST] = dst, [PROGRAM_WORKSPACE] = own->workspace};
    for (size_t k = 0; k < own->count; k++) {
        const program_pass *const pass = own->passes[k].pass;
        const pass_run run = {.p = &own->passes[k],
                              .arrays = plan->arrays,
                              .dst = to[pass->to],
                              .src = pass->from == PROGRAM_SRC ? src : to[pass->from],
                              .buffer = own->buffer,
                              .tile_bytes = own->tile_bytes,
                              .past_cache = all >= PAST_CACHE_FROM};
        team_run(threads, run_share, &run);
    }
    if (own->count == 0 && dst != src) team_run(threads, copy_share, &(whole_copy){dst, src, all});
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------- plans */

/* The fewest passes, and among those the longest runs. */
static riffle_status compile(const riffle_program *program, riffle_type type,
                             riffle_program_algorithm algorithm, program_passes *out) {
    const unsigned element_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type));
    program_choice choices[LONGEST_RUN_LOG2 - LEAST_RUN_LOG2 + 1];
    size_t count = 0;
    for (unsigned run = LONGEST_RUN_LOG2; run >= LEAST_RUN_LOG2; run--)
        choices[count++] = (program_choice){{TILE_BYTES_LOG2 - element_bits, run - element_bits}, 1, 1};
    if (algorithm == RIFFLE_PROGRAM_ALGORITHM_PAPER)
        return paper_compile(program, type, &choices[0].policy, out);
    return program_compile_best(program, type, choices, count, out);
}

static void destroy(void *own) {
    cpu_program *const program = own;
    if (program == NULL) return;
    for (size_t k = 0; k < program->count; k++) line_pass_free(&program->passes[k]);
    free(program->passes);
    own_operations_free(program->own);
    riffle_buffer_free(program->buffer, program->buffer_bytes);
    riffle_buffer_free(program->workspace, program->workspace_bytes);
    free(program);
}

static riffle_status fill(cpu_program *own, riffle_program_plan *plan) {
    const line_operations *const operations = line_operations_best(plan->type);
    own->passes = calloc(plan->passes.count + 1, sizeof *own->passes);
    if (own->passes == NULL) return fail_memory("a program's passes", plan->passes.count * sizeof *own->passes);
    riffle_status status = own_operations_compile(&plan->passes, plan->type, &own->own);
    for (; status == RIFFLE_OK && own->count < plan->passes.count; own->count++)
        status = line_pass_make(&plan->passes.passes[own->count], plan->type, operations, own->own,
                                &own->passes[own->count]);
    const size_t bytes = riffle_type_bytes(plan->type), all = program_plan_bytes(plan);
    plan->base.threads = threads_for(all, BYTES_A_THREAD, plan->base.threads);
    own->tile_bytes = bytes << (plan->passes.count > 0 ? plan->passes.passes[0].tile_bits : 0);
    if (own->tile_bytes < LINE_BYTES) own->tile_bytes = LINE_BYTES;
    own->buffer_bytes = own->tile_bytes * plan->base.threads;
    if (status == RIFFLE_OK) status = make_room("a program's tiles", own->buffer_bytes, &own->buffer);
    return status;
}

static riffle_status create(riffle_program_plan *plan, const riffle_program *program,
                            const riffle_program_options *options) {
    riffle_status status = compile(program, plan->type, options->algorithm, &plan->passes);
    if (status != RIFFLE_OK) return status;
    cpu_program *own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("a program for the host", sizeof *own);
    plan->own = own;
    plan->base.threads = threads_most(options->threads);
    own->follows_openmp = options->threads == 0;
    return fill(own, plan);
}

const program_engine cpu_program_engine = {.name = "cpu",
                                           .loops = line_loops,
                                           .most_bits = RIFFLE_MAX_BITS,
                                           .create = create,
                                           .execute = execute,
                                           .destroy = destroy};
