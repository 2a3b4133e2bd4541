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
    const uint64_t longest_sequence = (uint64_t)1 << 28;
    if (perm->kind != PERM_SEQUENCE || perm->n <= longest_sequence) return riffle_perm_recognize(perm, out);
    *out = riffle_perm_retain(perm);
    return RIFFLE_OK;
}

riffle_status plan_decide(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                          const riffle_plan_options *options, riffle_perm **recognized, plan_summary *out) {
    const riffle_plan_options wanted = options != NULL ? *options : (riffle_plan_options){0};
    plan_summary summary = {.n = riffle_perm_length(perm), .elem_bytes = elem_bytes, .target = *target};
    riffle_status status = check_arguments(perm, elem_bytes, &summary.array_bytes);
    if (status != RIFFLE_OK) return status;
    riffle_perm *value;
    status = recognize(perm, &value);
    if (status != RIFFLE_OK) return status;
    status = plan_choose(value, elem_bytes, target, &wanted, &summary.choice);
    if (status != RIFFLE_OK) {
        riffle_perm_free(value);
        return status;
    }
    describe(value, summary.description);
    summary.executions = wanted.executions;
    summary.threads = choose_threads(wanted.threads, summary.array_bytes);
    *recognized = value;
    *out = summary;
    return RIFFLE_OK;
}
