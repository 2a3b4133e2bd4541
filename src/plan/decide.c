/* SPDX-License-Identifier: Apache-2.0
 *
 * The cheap half of planning: check the arguments, recognize the permutation, choose the algorithm.
 */
#include <omp.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "plan/plan.h"

enum { BYTES_A_THREAD = 128 << 10 }; /* less of an array a thread does not pay for waking it */

/* More threads than OpenMP gives or processors are would only wait for each other. */
static unsigned choose_threads(unsigned wanted, size_t array_bytes) {
    const size_t given = (size_t)omp_get_max_threads(), processors = (size_t)omp_get_num_procs();
    const size_t most = given > processors ? given : processors;
    const size_t useful = array_bytes / BYTES_A_THREAD + 1;
    size_t threads = wanted > 0 && wanted < most ? wanted : wanted == 0 ? given : most;
    return (unsigned)(threads < useful ? threads : useful);
}

static riffle_status check_arguments(const riffle_perm *perm, size_t elem_bytes, size_t *array_bytes) {
    if (elem_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "elements must be at least 1 byte long");
    if (!multiply_sizes(riffle_perm_length(perm), elem_bytes, 1, array_bytes) || *array_bytes > SIZE_MAX / 2) {
        return fail(RIFFLE_ERROR_LENGTH, "%llu elements of %zu bytes are more than an address can hold",
                    (unsigned long long)riffle_perm_length(perm), elem_bytes);
    }
    return RIFFLE_OK;
}

/* How many arrays, how far apart, from where to where. */
static riffle_status take_batch(const riffle_plan_options *wanted, plan_summary *out) {
    out->in_place = wanted->in_place != 0;
    out->batch = wanted->batch > 0 ? wanted->batch : 1;
    out->stride = wanted->stride > 0 ? wanted->stride : out->n;
    if (out->stride < out->n) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "a stride of %llu elements makes arrays of %llu elements overlap; it must be at least their length",
            (unsigned long long)out->stride, (unsigned long long)out->n);
    }
    size_t before;
    if (!multiply_sizes(out->batch - 1, out->stride, out->elem_bytes, &before) ||
        before > SIZE_MAX / 2 - out->array_bytes) {
        return fail(RIFFLE_ERROR_LENGTH,
                    "%llu arrays %llu elements of %zu bytes apart are more than an address can hold; choose a "
                    "smaller batch or stride",
                    (unsigned long long)out->batch, (unsigned long long)out->stride, out->elem_bytes);
    }
    out->span_bytes = before + out->array_bytes;
    return RIFFLE_OK;
}

/* Before anything is built: the arrays, as far as one knows, must fit. The plan's workspace is allocated
 * later. */
static riffle_status check_memory(const plan_summary *s) {
    const uint64_t arrays = s->in_place ? 1 : 2;
    if (s->span_bytes <= s->target.memory_bytes / arrays) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY,
                s->in_place ? "an array of %zu bytes is more than the GPU's memory of %llu bytes holds"
                            : "two arrays of %zu bytes are more than the GPU's memory of %llu bytes holds",
                s->span_bytes, (unsigned long long)s->target.memory_bytes);
}

/* Short whatever the permutation's length: a table is not spelt out. */
static void describe(const riffle_perm *perm, char text[PLAN_DESCRIPTION_BYTES]) {
    size_t length = 0;
    if (perm->kind == PERM_TABLE || perm->kind == PERM_SEQUENCE) {
        strcpy(text,
               perm->kind == PERM_TABLE ? "a table in no recognized order" : "a sequence of permutations");
        return;
    }
    if (riffle_perm_print(perm, text, PLAN_DESCRIPTION_BYTES, &length) != RIFFLE_OK) text[0] = '\0';
    if (length >= PLAN_DESCRIPTION_BYTES) memcpy(text + PLAN_DESCRIPTION_BYTES - 4, "...", 4);
}

/* A long sequence is left as it is: only all of its values could tell that it is something simpler. */
static riffle_status recognize(const riffle_perm *perm, riffle_perm **out) {
    if (perm->kind == PERM_AXES && perm->axes.digits <= 1) return riffle_perm_identity(perm->n, out);
    const uint64_t longest_sequence = (uint64_t)1 << 28;
    if (perm->kind != PERM_SEQUENCE || perm->n <= longest_sequence) return riffle_perm_recognize(perm, out);
    *out = riffle_perm_retain(perm);
    return RIFFLE_OK;
}

/* What must hold whatever the permutation: arguments, batch, memory. */
static riffle_status take_request(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                  const riffle_plan_options *options, riffle_plan_options *wanted,
                                  plan_summary *out) {
    *wanted = options != NULL ? *options : (riffle_plan_options){0};
    *out = (plan_summary){.n = riffle_perm_length(perm), .elem_bytes = elem_bytes, .target = *target};
    riffle_status status = check_arguments(perm, elem_bytes, &out->array_bytes);
    if (status == RIFFLE_OK) status = take_batch(wanted, out);
    if (status == RIFFLE_OK) status = check_memory(out);
    if (status != RIFFLE_OK) return status;
    if ((unsigned)wanted->algorithm > RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no algorithm with number %u",
                    (unsigned)wanted->algorithm);
    }
    if (wanted->callers_workspace != 0 && target->kind != TARGET_CUDA) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the %s engine takes no workspace from its caller; leave callers_workspace 0",
                    target->name);
    }
    wanted->batch = out->batch;
    wanted->stride = out->stride;
    out->executions = wanted->executions;
    out->threads = choose_threads(wanted->threads, out->array_bytes);
    out->batch_threads = choose_threads(wanted->threads, out->span_bytes);
    out->callers_workspace = wanted->callers_workspace != 0;
    return RIFFLE_OK;
}

riffle_status plan_check_request(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                 const riffle_plan_options *options) {
    riffle_plan_options wanted;
    plan_summary summary;
    return take_request(perm, elem_bytes, target, options, &wanted, &summary);
}

static riffle_status choose_for(const riffle_perm *value, double groups, const riffle_plan_options *wanted,
                                plan_summary *summary) {
    const riffle_status status =
        plan_choose(value, groups, summary->elem_bytes, &summary->target, wanted, &summary->choice);
    if (status == RIFFLE_OK) describe(value, summary->description);
    return status;
}

riffle_status plan_decide(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                          const riffle_plan_options *options, riffle_perm **recognized, plan_summary *out) {
    riffle_plan_options wanted;
    plan_summary summary;
    riffle_perm *value;
    riffle_status status = take_request(perm, elem_bytes, target, options, &wanted, &summary);
    if (status == RIFFLE_OK) status = recognize(perm, &value);
    if (status != RIFFLE_OK) return status;
    status = choose_for(value, PLAN_GROUPS_UNKNOWN, &wanted, &summary);
    if (status == RIFFLE_OK) {
        *recognized = value;
        *out = summary;
    } else {
        riffle_perm_free(value);
    }
    return status;
}

riffle_status plan_decide_recognized(const riffle_perm *perm, double groups, size_t elem_bytes,
                                     const plan_target *target, const riffle_plan_options *options,
                                     plan_summary *out) {
    riffle_plan_options wanted;
    plan_summary summary;
    riffle_status status = take_request(perm, elem_bytes, target, options, &wanted, &summary);
    if (status == RIFFLE_OK) status = choose_for(perm, groups, &wanted, &summary);
    if (status == RIFFLE_OK) *out = summary;
    return status;
}
