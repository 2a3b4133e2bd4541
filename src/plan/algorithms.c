/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of algorithms, and their names.
 */
#include "plan/algorithm.h"

#include <string.h>

#include "base/status.h"
#include "papers/algorithms.h"

static const plan_algorithm *const ALGORITHMS[] = {
    &algorithm_copy,
    &algorithm_scatter,
    &algorithm_gather,
    &algorithm_affine,
    &algorithm_axes,
    &algorithm_bucket,
    &algorithm_transpose,
    &algorithm_row_wise,
    &algorithm_column_wise,
    &algorithm_scheduled,
    &algorithm_conflict_free,
    &algorithm_bmmc_naive,
    &algorithm_bmmc_tile,
    &algorithm_bmmc_tile_banks,
    &algorithm_bmmc_tile_iters,
    &algorithm_bmmc_tile_banks_iters,
};
enum { COUNT = sizeof ALGORITHMS / sizeof ALGORITHMS[0] };

static const char AUTO[] = "auto";

const plan_algorithm *algorithm_record(riffle_algorithm id) {
    for (unsigned k = 0; k < COUNT; k++)
        if (ALGORITHMS[k]->id == id) return ALGORITHMS[k];
    return NULL;
}

bool algorithm_exists(riffle_algorithm id) {
    return id == RIFFLE_ALGORITHM_AUTO || algorithm_record(id) != NULL;
}

/* "auto, copy, ... and bmmc-tile-banks-iters" */
static void list_names(char *text, size_t capacity) {
    size_t length = (size_t)snprintf(text, capacity, "%s", AUTO);
    for (unsigned k = 0; k < COUNT && length < capacity; k++) {
        const char *const separator = k + 1 == COUNT ? " and " : ", ";
        length += (size_t)snprintf(text + length, capacity - length, "%s%s", separator, ALGORITHMS[k]->name);
    }
}

riffle_status riffle_algorithm_parse(const char *name, riffle_algorithm *out) {
    char names[512];
    if (strcmp(name, AUTO) == 0) {
        *out = RIFFLE_ALGORITHM_AUTO;
        return RIFFLE_OK;
    }
    for (unsigned k = 0; k < COUNT; k++) {
        if (strcmp(name, ALGORITHMS[k]->name) != 0) continue;
        *out = ALGORITHMS[k]->id;
        return RIFFLE_OK;
    }
    list_names(names, sizeof names);
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "unknown algorithm '%s'; there are %s", name, names);
}

size_t riffle_algorithm_list(riffle_algorithm *out, size_t capacity) {
    for (size_t k = 0; k < capacity && k <= COUNT; k++)
        out[k] = k == 0 ? RIFFLE_ALGORITHM_AUTO : ALGORITHMS[k - 1]->id;
    return COUNT + 1;
}

const char *riffle_algorithm_string(riffle_algorithm algorithm) {
    if (algorithm == RIFFLE_ALGORITHM_AUTO) return AUTO;
    const plan_algorithm *const record = algorithm_record(algorithm);
    return record != NULL ? record->name : "unknown";
}

const char *algorithm_words_obstacle(const plan_request *r) {
    const bool is_word = r->elem_bytes == 4 || r->elem_bytes == 8;
    return plan_target_is_device(&r->target) && !is_word ? "its kernels move elements of 4 and of 8 bytes"
                                                         : NULL;
}
