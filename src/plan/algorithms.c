/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of algorithms, and their names.
 */
#include "plan/algorithm.h"

#include "base/names.h"
#include "base/status.h"

#define ADDRESS(name) &algorithm_##name,
const plan_algorithm *const algorithm_records[ALGORITHMS] = {EACH_ALGORITHM(ADDRESS)};

static const char AUTO[] = "auto";

const plan_algorithm *algorithm_record(riffle_algorithm id) {
    for (unsigned k = 0; k < ALGORITHMS; k++)
        if (algorithm_records[k]->id == id) return algorithm_records[k];
    return NULL;
}

riffle_status riffle_algorithm_parse(const char *name, riffle_algorithm *out) {
    const char *names[ALGORITHMS + 1] = {AUTO};
    unsigned found;
    for (unsigned k = 0; k < ALGORITHMS; k++) names[k + 1] = algorithm_records[k]->name;
    RETURN_IF_NULL(out);
    const riffle_status status = name_parse(&(name_table){"algorithm", names, ALGORITHMS + 1}, name, &found);
    if (status == RIFFLE_OK) *out = found == 0 ? RIFFLE_ALGORITHM_AUTO : algorithm_records[found - 1]->id;
    return status;
}

size_t riffle_algorithm_list(riffle_algorithm *out, size_t capacity) {
    for (size_t k = 0; out != NULL && k < capacity && k <= ALGORITHMS; k++)
        out[k] = k == 0 ? RIFFLE_ALGORITHM_AUTO : algorithm_records[k - 1]->id;
    return ALGORITHMS + 1;
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
