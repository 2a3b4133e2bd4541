/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_in_blocks: the DMM paper's moves on the memory machine. The launch is made a second time, on a machine of its own, with
 * two moves: what it counts more is the move's own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/simulate/simulate.h"
#include "papers/dmm/in_block_pattern.h"
#include "perm/perm.h"
#include "riffle/papers.h"

typedef struct simulation {
    const riffle_perm *perm;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    unsigned blocks;
    uint64_t repetitions;
    in_block_move work;
    unsigned char *arrays; /* src on the host */
    pattern_counts around, move;
} simulation;

static size_t bytes_of(const simulation *sim) { return (size_t)sim->perm->n * sim->elem_bytes * sim->blocks; }

static const char *name_of(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_COPY      ? "copy_in_block"
           : algorithm == RIFFLE_ALGORITHM_SCATTER ? "scatter_in_block"
           : algorithm == RIFFLE_ALGORITHM_GATHER  ? "gather_in_block"
                                                   : "conflict_free_in_block";
}

static riffle_status bring_arrays(simulation *sim) {
    const device *const on = &sim->work.on;
    void *src, *dst;
    riffle_status status = on->ops->allocate(on, "src", bytes_of(sim), &src);
    if (status == RIFFLE_OK) status = on->ops->allocate(on, "dst", bytes_of(sim), &dst);
    if (status != RIFFLE_OK) return status;
    sim->work.src = src;
    sim->work.dst = dst;
    sim->arrays = malloc(bytes_of(sim) + 1);
    if (sim->arrays == NULL) return fail_memory("simulated arrays", bytes_of(sim));
    for (size_t k = 0; k < bytes_of(sim); k += sizeof(uint32_t)) {
        const uint32_t word = (uint32_t)k * UINT32_C(0x9e3779b1); /* different in each place */
        memcpy(sim->arrays + k, &word, sizeof word);
    }
    return on->ops->upload(on, "bringing src", src, sim->arrays, bytes_of(sim));
}

static riffle_status predict(simulation *sim) {
    pattern counted;
    pattern_begin(&counted, sim->work.on.machine_options, sim->blocks, UINT64_MAX);
    in_block_pattern_around(&sim->work, &counted);
    sim->around = pattern_end(&counted);
    if (counted.status != RIFFLE_OK) return counted.status;
    pattern_begin(&counted, sim->work.on.machine_options, sim->blocks, UINT64_MAX);
    in_block_pattern_move(&sim->work, &counted);
    sim->move = pattern_end(&counted);
    return counted.status;
}

static riffle_status check_array(const simulation *sim, unsigned block) {
    const size_t size = sim->elem_bytes, start = block * (size_t)sim->perm->n;
    const unsigned char *const dst = sim->work.dst;
    for (uint64_t i = 0; i < sim->perm->n; i++) {
        const uint64_t to = sim->algorithm == RIFFLE_ALGORITHM_COPY ? i : riffle_perm_at(sim->perm, i);
        if (memcmp(dst + (start + to) * size, sim->arrays + (start + i) * size, size) == 0) continue;
        return fail(RIFFLE_ERROR_INTERNAL,
                    "element %llu of array %u did not arrive at %llu; please report this",
                    (unsigned long long)i, block, (unsigned long long)to);
    }
    return RIFFLE_OK;
}

static riffle_status check_machine(const riffle_machine_options *m) {
    if ((m->width & (m->width - 1)) == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "moves in blocks want a width that is a power of two, not %u",
                m->width);
}

static riffle_status move(simulation *sim) {
    launch_list list;
    riffle_status status = in_block_bring(sim->perm, sim->work.on.machine_options->width, &sim->work);
    if (status == RIFFLE_OK) status = bring_arrays(sim);
    if (status == RIFFLE_OK) status = predict(sim);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    in_block_append(&sim->work, sim->repetitions, &list);
    status = device_run(&sim->work.on, "moving in blocks", &list, NULL);
    for (unsigned block = 0; status == RIFFLE_OK && block < sim->blocks; block++)
        status = check_array(sim, block);
    return status;
}

static riffle_status run(const device *on, void *subject) {
    simulation *const sim = subject;
    device_limits limits;
    riffle_status status = check_machine(on->machine_options);
    if (status == RIFFLE_OK) status = on->ops->describe(on, &limits);
    if (status == RIFFLE_OK)
        status = in_block_shape(sim->perm, sim->elem_bytes, sim->algorithm, on, &limits, &sim->work);
    if (status != RIFFLE_OK || sim->perm->n == 0) return status;
    sim->work.blocks = sim->blocks;
    status = move(sim);
    in_block_end(&sim->work);
    free(sim->arrays);
    return status;
}

/* A report without memory for the launch has the sum alone. */
static void describe(const void *subject, riffle_report *report) {
    const simulation *const sim = subject;
    pattern_counts all = sim->around;
    pattern_counts_add(&all, &sim->move);
    report->n = sim->perm->n;
    report->algorithm = riffle_algorithm_string(sim->algorithm);
    simulate_predicted(&(prediction){.is_known = true,
                                     .counts = all,
                                     .launches = sim->perm->n > 0,
                                     .launch = &(launch_prediction){name_of(sim->algorithm), all}},
                       report);
}

/* Adds up what two moves count more than one. Without debug information a row has accesses around the move, too. */
static void tell_move(const simulation *sim, const riffle_report *twice, riffle_report *once) {
    report_in_block *const out = &once->in_block;
    out->blocks = sim->blocks;
    out->predicted_time_units = pattern_time_units(&sim->move);
    for (size_t k = 0; k < once->lines && k < twice->lines; k++) {
        const report_line *const line = &once->line[k], *const more = &twice->line[k];
        if (line->rounds == more->rounds) continue;
        *(line->op == OP_READ ? &out->reads : &out->writes) += more->lanes - line->lanes;
        out->warps += more->warps - line->warps, out->stages += more->stages - line->stages;
        out->time_units += more->time_units - line->time_units;
        if (line->worst_stages > out->worst_stages) out->worst_stages = line->worst_stages;
    }
}

riffle_status riffle_simulate_in_blocks(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm,
                                        unsigned blocks, const riffle_machine_options *options,
                                        riffle_report **out) {
    static const simulated how = {NULL, 1, run, describe, NULL};
    RETURN_IF_NULL(perm, out);
    const simulation asked = {.perm = perm, .elem_bytes = elem_bytes, .algorithm = algorithm, .blocks = blocks};
    simulation once = asked, twice = asked;
    riffle_report *second, *first;
    once.repetitions = 1, twice.repetitions = 2;
    riffle_status status = in_block_check(algorithm, elem_bytes, blocks);
    if (status == RIFFLE_OK) status = simulate(&how, &twice, options, &second);
    if (status != RIFFLE_OK) return status;
    status = simulate(&how, &once, options, &first);
    if (status == RIFFLE_OK && perm->n > 0) tell_move(&once, second, first);
    if (status == RIFFLE_OK) *out = first;
    riffle_report_free(second);
    return status;
}
