/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations of what has plans besides permutations: a plan in words, what each of its launches is predicted to access, and what it takes
 * here.
 *
 *     a GPU    plan on a forecast, its arrays nowhere, its launches foretold     and, to be measured, another plan on the GPU
 *     a host   plan                                                              and the same one is measured
 *
 * A feature says how it plans, which arrays an execution has, and which launches these become.
 */
#ifndef RIFFLE_DEVICE_EXPLAIN_EXPLAIN_H
#define RIFFLE_DEVICE_EXPLAIN_EXPLAIN_H

#include "device/explain/measure.h"
#include "device/plan.h"
#include "device/predict/predict.h"

enum { EXPLAINED_ARRAYS = 8, EXPLAINED_BOUNDS = 3 };

/** Arrays of an execution by their number: the first is read and the second written, as a copy beside it does. NULL: not there. */
typedef struct explained_arrays {
    void *of[EXPLAINED_ARRAYS];
    void *workspace; /**< a device's */
} explained_arrays;

/** The parts that a feature has; a plan is its own, which begins with its base. */
typedef struct explained {
    const char *kernels;            /**< "sorts", in refusals */
    uint64_t most_elements;         /**< most that are looked at in a launch, where no formula counts them */
    const kernel_pattern *patterns; /**< its kernels' */
    const void *subject;            /**< given to them; it may be made while planning */
    void *asked;                    /**< given to `plan` */
    /** Plans for the engine: on a device, of which each execution brings a workspace, or on the current one where that is NULL. */
    riffle_status (*plan)(void *asked, riffle_engine engine, const device *on, plan_base **out);
    void (*discard)(plan_base *plan);
    /** The bytes of each array; `out` is zeroed. 0 of the first: there is nothing to do. */
    void (*arrays)(const plan_base *plan, size_t out[EXPLAINED_ARRAYS]);
    void (*append)(const plan_base *plan, const explained_arrays *arrays, launch_list *out);
    riffle_status (*execute)(const plan_base *plan, const explained_arrays *arrays); /**< on the host */
    /** Fills the array of that number, in the host's memory, with what is usual: the first, unless another decides what is done. */
    unsigned filled;
    riffle_status (*fill)(const plan_base *plan, void *array);
    unsigned (*bounds)(const plan_base *plan, measured_bound out[EXPLAINED_BOUNDS]); /**< how many there are */
    riffle_status (*print)(const plan_base *plan, FILE *stream);
    void (*members)(const plan_base *plan, FILE *stream); /**< the same as members of a JSON object */
} explained;

/** The functions of `explained` by their names, as each feature has them. */
#define EXPLAINED_PARTS                                                                                        \
    .plan = plan, .discard = discard, .arrays = arrays, .append = append, .execute = execute, .fill = fill,    \
    .bounds = bounds, .print = print, .members = members

/** RIFFLE_ERROR_INVALID_ARGUMENT for a GPU that is named with another engine, or is to be measured. */
riffle_status explain_check_gpu(riffle_engine engine, const riffle_explanation *how);

/** Members of JSON that plans have alike: engine, algorithm, workspace_bytes, and threads on a host; a comma before. */
void explain_members(const plan_base *plan, const char *algorithm, FILE *stream);

/** Explains for an engine, as `how` (NULL for defaults) asks. RIFFLE_ERROR_IO if the stream fails. */
riffle_status explain_plan(const explained *what, riffle_engine engine, const riffle_explanation *how,
                           FILE *stream);

#endif
