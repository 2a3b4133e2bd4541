/* SPDX-License-Identifier: Apache-2.0
 *
 * Products and transposes on the memory machine, compared with the host's.
 */
#include <string.h>

#include "base/status.h"
#include "device/carry.h"
#include "device/simulate/simulate.h"
#include "f2/gpu/launches.h"

enum { ARRAY_LEFT, ARRAY_RIGHT, ARRAY_RESULT, ARRAYS };

typedef struct simulation {
    f2_task asked; /* between matrices of the host; the first member, which the patterns take */
    const device *on;
} simulation;

/* Words up to the end of the last row, its stride included: matrices that are carried have whole rows. */
static call_array words_of(const char *name, const riffle_f2_matrix *a, array_use use) {
    const uint64_t words = a->rows > 0 ? (a->rows - 1) * a->stride + f2_words(a->columns) : 0;
    return call_array_of(name, a->words, a->columns > 0 ? sizeof *a->words : 0, words, use);
}

static riffle_status run_carried(const void *context, call_array *arrays) {
    const simulation *const sim = context;
    device_limits limits;
    launch_list list;
    f2_task task = sim->asked;
    task.a.words = arrays[ARRAY_LEFT].there, task.b.words = arrays[ARRAY_RIGHT].there;
    task.to.words = arrays[ARRAY_RESULT].there;
    const riffle_status status = sim->on->ops->describe(sim->on, &limits);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    f2_append(&task, limits.multiprocessors, &list);
    return device_load_and_run(sim->on, "a matrix over F2", "launching a matrix over F2", &list, NULL);
}

static riffle_status compare(const f2_task *task) {
    riffle_f2_matrix wanted;
    riffle_status status = f2_create("a matrix to compare", task->to.rows, task->to.columns, &wanted);
    if (status != RIFFLE_OK) return status;
    status = task->is_product ? riffle_f2_product(&wanted, &task->a, &task->b, NULL)
                              : riffle_f2_transpose(&wanted, &task->a, NULL);
    const size_t bytes = wanted.rows * wanted.stride * sizeof *wanted.words;
    if (status == RIFFLE_OK && bytes > 0 && memcmp(wanted.words, task->to.words, bytes) != 0)
        status = fail(RIFFLE_ERROR_INTERNAL, "the machine's matrix is not the host's; please report this");
    f2_free(&wanted);
    return status;
}

static riffle_status run(const device *on, void *subject) {
    simulation *const sim = subject;
    const f2_task *const task = &sim->asked;
    call_array arrays[ARRAYS] = {[ARRAY_LEFT] = words_of("words of a", &task->a, ARRAY_READ),
                                 [ARRAY_RIGHT] = words_of("words of b", &task->b, ARRAY_READ),
                                 [ARRAY_RESULT] = words_of("words of the result", &task->to, ARRAY_WRITTEN)};
    sim->on = on;
    const riffle_status status = device_carry(on, "a matrix of the host", arrays, ARRAYS, run_carried, sim);
    return status == RIFFLE_OK ? compare(task) : status;
}

static void describe(const void *subject, riffle_report *report) {
    const f2_task *const task = &((const simulation *)subject)->asked;
    report->n = task->to.rows * task->to.columns;
    report->algorithm = task->is_product ? "f2-product" : "f2-transpose";
}

static riffle_status simulate_task(simulation *sim, const riffle_machine_options *machine,
                                   riffle_report **out) {
    static const simulated way = {"matrices over F2", SIMULATED_MULTIPROCESSORS, run, describe, f2_patterns};
    f2_task *const task = &sim->asked;
    riffle_status status = f2_check("a", &task->a);
    if (status == RIFFLE_OK && task->is_product) status = f2_check("b", &task->b);
    if (status == RIFFLE_OK)
        status = f2_create("a simulated matrix", task->to.rows, task->to.columns, &task->to);
    if (status != RIFFLE_OK) return status;
    status = f2_task_check(task);
    if (status == RIFFLE_OK) status = simulate(&way, sim, machine, out);
    f2_free(&task->to);
    return status;
}

riffle_status riffle_simulate_f2_product(const riffle_f2_matrix *a, const riffle_f2_matrix *b,
                                         const riffle_machine_options *machine, riffle_report **out) {
    RETURN_IF_NULL(a, b, out);
    simulation sim = {
        .asked = {.to = {.rows = a->rows, .columns = b->columns}, .a = *a, .b = *b, .is_product = true}};
    return simulate_task(&sim, machine, out);
}

riffle_status riffle_simulate_f2_transpose(const riffle_f2_matrix *a, const riffle_machine_options *machine,
                                           riffle_report **out) {
    RETURN_IF_NULL(a, out);
    simulation sim = {.asked = {.to = {.rows = a->columns, .columns = a->rows}, .a = *a}};
    return simulate_task(&sim, machine, out);
}
