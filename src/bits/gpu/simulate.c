/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_bits: random elements are moved by the launches that a GPU gets, and compared with what the host makes of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "bits/gpu/plan.h"
#include "bits/gpu/predict.h"
#include "device/elements.h"
#include "device/simulate/simulate.h"

typedef struct simulation {
    riffle_bits_plan *plan; /* the first member, which the patterns take */
    const riffle_perm *perm;
    riffle_bits_options host; /* for the plan that says what is right */
} simulation;

static riffle_status compare(const simulation *sim, const void *got, void *wanted, const void *src) {
    riffle_bits_plan *plan;
    riffle_status status = riffle_bits_plan_create(sim->perm, sim->plan->packed.elem_bits, &sim->host, &plan);
    if (status != RIFFLE_OK) return status;
    status = riffle_bits_execute(plan, wanted, src);
    riffle_bits_plan_free(plan);
    if (status == RIFFLE_OK && memcmp(got, wanted, bits_plan_bytes(sim->plan)) != 0)
        status = fail(RIFFLE_ERROR_INTERNAL, "the machine's bits are not the host's; please report this");
    return status;
}

static riffle_status move(const simulation *sim, uint8_t *room) {
    const size_t bytes = bits_plan_bytes(sim->plan);
    uint8_t *const src = room, *const got = room + bytes, *const wanted = got + bytes;
    elements_fill(RIFFLE_TYPE_U8, bytes, src);
    const riffle_status status = riffle_bits_execute(sim->plan, got, src);
    return status == RIFFLE_OK ? compare(sim, got, wanted, src) : status;
}

static riffle_status run(const device *on, void *subject) {
    const simulation *const sim = subject;
    enum { ARRAYS = 3 };
    const size_t bytes = bits_plan_bytes(sim->plan);
    sim->plan->base.on = *on;
    riffle_status status = bits_device_prepare(sim->plan);
    if (status != RIFFLE_OK || bytes == 0) return status;
    uint8_t *const room = calloc(bytes, ARRAYS);
    status = room != NULL ? move(sim, room) : fail_memory("simulated bits", bytes);
    free(room);
    bits_device_release(sim->plan);
    sim->plan->map = NULL; /* the machine goes before the plan */
    return status;
}

static void describe(const void *subject, riffle_report *report) {
    const riffle_bits_plan *const plan = ((const simulation *)subject)->plan;
    report->n = plan->packed.n * plan->packed.batch;
    static const char *const algorithms[] = {[BITS_NOTHING] = "bits-gather",
                                             [BITS_AXES] = "bits-axes",
                                             [BITS_SHIFT] = "bits-shift",
                                             [BITS_AFFINE] = "bits-affine",
                                             [BITS_GATHER] = "bits-gather"};
    report->algorithm = algorithms[plan->way];
}

riffle_status riffle_simulate_bits(const riffle_perm *perm, uint64_t elem_bits,
                                   const riffle_bits_options *options, const riffle_machine_options *machine,
                                   riffle_report **out) {
    RETURN_IF_NULL(out);
    simulation sim = {.perm = perm, .host = options != NULL ? *options : (riffle_bits_options){0}};
    riffle_bits_options there = sim.host;
    sim.host.engine = RIFFLE_ENGINE_CPU;
    there.engine = RIFFLE_ENGINE_CUDA;
    riffle_status status = bits_plan_create(perm, elem_bits, &there, &sim.plan);
    if (status != RIFFLE_OK) return status;
    const riffle_plan_options bytes = {.batch = sim.plan->packed.batch};
    const simulated way = {"bits", SIMULATED_MULTIPROCESSORS, run, describe, bits_move_patterns};
    if (sim.plan->way == BITS_BYTES)
        status = riffle_simulate(sim.plan->byte_perm, 1, &bytes, machine, out);
    else
        status = simulate(&way, &sim, machine, out);
    riffle_bits_plan_free(sim.plan);
    return status;
}
