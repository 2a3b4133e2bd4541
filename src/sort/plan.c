/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors of riffle/sort.h.
 */
#include "sort/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/engine.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "check/check.h"

/* -------------------------------------------------------------- algorithms */

static const char *const algorithm_names[] = {
    [RIFFLE_SORT_ALGORITHM_AUTO] = "auto",
    [RIFFLE_SORT_ALGORITHM_TWO_PHASE] = "two-phase",
    [RIFFLE_SORT_ALGORITHM_K_PARTITION] = "k-partition",
    [RIFFLE_SORT_ALGORITHM_PAIRWISE] = "pairwise",
};

enum { ALGORITHM_COUNT = sizeof algorithm_names / sizeof *algorithm_names };

static const name_table algorithms = {"algorithm of sorts", algorithm_names, ALGORITHM_COUNT};

const char *riffle_sort_algorithm_string(riffle_sort_algorithm algorithm) {
    return name_of(&algorithms, algorithm);
}
riffle_status riffle_sort_algorithm_parse(const char *name, riffle_sort_algorithm *out) {
    return name_parse(&algorithms, name, (unsigned *)out);
}
size_t riffle_sort_algorithm_list(riffle_sort_algorithm *out, size_t capacity) {
    return name_list(&algorithms, (unsigned *)out, capacity);
}

/* -------------------------------------------------------------------- plans */

static const sort_engine *const engines[] = {
    [RIFFLE_ENGINE_CPU] = &cpu_sort_engine, [RIFFLE_ENGINE_CUDA] = &device_sort_engine};

static bool is_word(size_t bytes) { return bytes == 0 || bytes == 4 || bytes == 8; }

static riffle_status check_options(uint64_t n, const riffle_sort_options *options) {
    if ((unsigned)options->task > RIFFLE_SORT_TASK_UNIQUE)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no task with number %d", (int)options->task);
    if ((unsigned)options->algorithm >= ALGORITHM_COUNT)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no algorithm with number %d",
                    (int)options->algorithm);
    const riffle_status status = check_is_one(options->check);
    if (status != RIFFLE_OK) return status;
    if (options->check != RIFFLE_CHECK_NONE && options->task != RIFFLE_SORT_TASK_SORT &&
        options->task != RIFFLE_SORT_TASK_MERGE)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a check is of whole sorts and merges; leave it out of other tasks");
    if (options->check == RIFFLE_CHECK_PASSES && options->task != RIFFLE_SORT_TASK_SORT)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a check of passes is of sorts, and a merge reads all once; take the check 'full'");
    if (!is_word(options->value_bytes) || !is_word(options->index_bytes))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s have 4 or 8 bytes, not %zu",
                    is_word(options->value_bytes) ? "indices" : "values",
                    is_word(options->value_bytes) ? options->index_bytes : options->value_bytes);
    if (options->value_bytes != 0 && options->index_bytes != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "values and indices at once; values can be taken by the indices (riffle_take)");
    if (n > RIFFLE_MAX_LENGTH || options->segments > RIFFLE_MAX_LENGTH)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " %s; there are at most 2^40",
                    n > RIFFLE_MAX_LENGTH ? n : options->segments,
                    n > RIFFLE_MAX_LENGTH ? "elements" : "segments");
    if (options->index_bytes == 4 && n > (uint64_t)1 << 32)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " elements; indices of 4 bytes name at most 2^32", n);
    if (sort_task_counts(options->task) && options->count > n)
        return fail(RIFFLE_ERROR_LENGTH,
                    "the first %" PRIu64 " of %" PRIu64 " elements; choose no more than there are",
                    options->count, n);
    return RIFFLE_OK;
}

static riffle_status check_words(uint64_t n, const sort_layout *layout, const riffle_sort_options *options) {
    size_t bytes;
    const size_t largest = layout->elem_bytes > 8 ? layout->elem_bytes : 8;
    if (!multiply_sizes(n, largest, 1, &bytes))
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " elements of %" PRIu32 " bytes", n, layout->elem_bytes);
    if (options->task == RIFFLE_SORT_TASK_TOP && options->segments > 1 && options->count > 0 &&
        options->segments > n / options->count)
        return fail(RIFFLE_ERROR_LENGTH,
                    "the first %" PRIu64 " of each of %" PRIu64 " segments are more than %" PRIu64 " elements",
                    options->count, options->segments, n);
    return RIFFLE_OK;
}

static bool is_keyword(const char *name) {
    static const char *const all[] = {
        "asm",    "auto",   "break",    "case",     "char",   "const",    "continue", "default",  "do",
        "double", "else",   "enum",     "extern",   "float",  "for",      "goto",     "if",       "inline",
        "int",    "long",   "register", "restrict", "return", "short",    "signed",   "sizeof",   "static",
        "struct", "switch", "typedef",  "typeof",   "union",  "unsigned", "void",     "volatile", "while"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k], name) == 0) return true;
    return false;
}

static bool is_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *name != '\0' && strspn(name, letters) == strlen(name) && (*name < '0' || *name > '9');
}

static riffle_status copy_text(const char **text) {
    if (*text == NULL) return RIFFLE_OK;
    const size_t bytes = strlen(*text) + 1;
    char *const copy = malloc(bytes);
    if (copy != NULL) memcpy(copy, *text, bytes);
    *text = copy;
    return copy != NULL ? RIFFLE_OK : fail_memory("a comparison of the user's", bytes);
}

/* The plan's own names and comparison; names count for a comparison only. */
static riffle_status copy_key(const riffle_sort_key *key, riffle_sort_plan *plan) {
    plan->key = *key;
    plan->key.before = NULL;
    for (unsigned k = 0; k < RIFFLE_SORT_MAX_FIELDS; k++) plan->key.field[k].name = NULL;
    if (key->before == NULL) return RIFFLE_OK;
    for (unsigned k = 0; k < key->fields; k++) {
        const char *const name = key->field[k].name;
        if (name != NULL && (!is_name(name) || is_keyword(name))) {
            char shown[64];
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "field %u: '%s' is %s in C; a comparison needs another",
                        k, riffle_printable(name, shown, sizeof shown),
                        is_name(name) ? "a keyword" : "no name");
        }
        plan->key.field[k].name = name;
        const riffle_status status = copy_text(&plan->key.field[k].name);
        if (status != RIFFLE_OK) return status;
    }
    plan->key.before = key->before;
    return copy_text(&plan->key.before);
}

static riffle_status create_by(riffle_sort_plan *plan, const riffle_sort_key *key,
                               const riffle_sort_options *options) {
    const riffle_status status = copy_key(key, plan);
    return status == RIFFLE_OK ? plan->engine->create(plan, options) : status;
}

riffle_status sort_plan_create(uint64_t n, const riffle_sort_key *key, riffle_engine engine, const device *on,
                               const riffle_sort_options *options, riffle_sort_plan **out) {
    const riffle_sort_options defaults = {0};
    if (options == NULL) options = &defaults;
    sort_layout layout;
    RETURN_IF_NULL(key, out);
    riffle_status status = engine_check(engine, options->callers_workspace);
    if (status == RIFFLE_OK) status = sort_layout_make(key, &layout);
    if (status == RIFFLE_OK) status = check_options(n, options);
    if (status == RIFFLE_OK) status = check_words(n, &layout, options);
    plan_base *base;
    if (status == RIFFLE_OK)
        status = plan_base_create(sizeof(riffle_sort_plan), "the plan of a sort", on,
                                  options->callers_workspace, &base);
    if (status != RIFFLE_OK) return status;
    riffle_sort_plan *const plan = (riffle_sort_plan *)base;
    plan->engine = engines[engine];
    plan->n = n;
    plan->segments = options->segments == 0 ? 1 : options->segments;
    plan->task = options->task;
    plan->count = sort_task_counts(plan->task) ? options->count : 0;
    plan->algorithm = options->algorithm;
    plan->layout = layout;
    plan->value_bytes = options->value_bytes;
    plan->index_bytes = options->index_bytes;
    plan->check = options->check;
    plan->stop = options->stop;
    plan->stop_context = options->stop_context;
    plan->is_number = sort_layout_is_number(&layout) && key->before == NULL && plan->value_bytes == 0 &&
                      plan->index_bytes == 0 && !sort_task_shows_equals(plan->task);
    status = create_by(plan, key, options);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        riffle_sort_plan_free(plan);
    }
    return status;
}

riffle_status riffle_sort_plan_create(uint64_t n, const riffle_sort_key *key, riffle_engine engine,
                                      const riffle_sort_options *options, riffle_sort_plan **out) {
    return sort_plan_create(n, key, engine, NULL, options, out);
}

void riffle_sort_plan_free(riffle_sort_plan *plan) {
    if (plan == NULL) return;
    plan->engine->destroy(plan->own);
    for (unsigned k = 0; k < RIFFLE_SORT_MAX_FIELDS; k++) free((void *)(uintptr_t)plan->key.field[k].name);
    free((void *)(uintptr_t)plan->key.before);
    plan_base_end(&plan->base);
    free(plan);
}

riffle_sort_algorithm riffle_sort_plan_algorithm(const riffle_sort_plan *plan) {
    return plan != NULL ? plan->algorithm : RIFFLE_SORT_ALGORITHM_AUTO;
}

size_t riffle_sort_plan_workspace_bytes(const riffle_sort_plan *plan) {
    return plan != NULL ? plan->base.workspace_bytes : 0;
}

unsigned riffle_sort_plan_threads(const riffle_sort_plan *plan) {
    return plan != NULL ? plan->base.threads : 0;
}

/* --------------------------------------------------------------- executions */

void sort_arrays_of(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                    call_array out[SORT_ARRAYS]) {
    const bool is_unique = plan->task == RIFFLE_SORT_TASK_UNIQUE;
    const size_t elem_bytes = plan->layout.elem_bytes;
    const uint64_t results = plan->task == RIFFLE_SORT_TASK_TOP ? plan->segments * plan->count : plan->n;
    const size_t value = plan->value_bytes, index = plan->index_bytes,
                 length = is_unique ? sizeof(uint64_t) : 0;
    out[SORT_FROM_KEYS] = call_array_of("from_keys", arrays->from_keys, elem_bytes, plan->n, ARRAY_READ);
    out[SORT_FROM_VALUES] = call_array_of("from_values", arrays->from_values, value, plan->n, ARRAY_READ);
    out[SORT_FIRST] = call_array_of("first", arrays->first, sizeof(uint64_t), plan->segments + 1, ARRAY_READ);
    out[SORT_KEYS] = call_array_of("keys", arrays->keys, elem_bytes, results, ARRAY_WRITTEN);
    out[SORT_VALUES] = call_array_of("values", arrays->values, value, results, ARRAY_WRITTEN);
    out[SORT_INDICES] = call_array_of("indices", arrays->indices, index, results, ARRAY_WRITTEN);
    out[SORT_LENGTHS] = call_array_of("lengths", arrays->lengths, length, plan->segments, ARRAY_WRITTEN);
    out[SORT_FROM_KEYS].may_be_also = arrays->keys;
    out[SORT_FROM_VALUES].may_be_also = arrays->values;
    out[SORT_FIRST].is_wanted = false;
    out[SORT_KEYS].is_wanted = value + index == 0;
}

riffle_status sort_check_arrays(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    call_array all[SORT_ARRAYS];
    RETURN_IF_NULL(plan, arrays);
    sort_arrays_of(plan, arrays, all);
    const riffle_status status = arrays_check(all, SORT_ARRAYS);
    return status == RIFFLE_OK ? arrays_check_apart(all, SORT_ARRAYS, SORT_KEYS) : status;
}

riffle_status sort_check_equal_segments(const riffle_sort_plan *plan) {
    if (plan->n % plan->segments != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%" PRIu64 " elements are no %" PRIu64
                    " segments of as many; choose a number that divides that of elements",
                    plan->n, plan->segments);
    return RIFFLE_OK;
}

riffle_status sort_check_segments(const riffle_sort_plan *plan, const uint64_t *first) {
    if (first == NULL) return sort_check_equal_segments(plan);
    for (uint64_t s = 0; s < plan->segments; s++)
        if (first[s] > first[s + 1])
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "segment %" PRIu64 " begins at element %" PRIu64 " and ends at element %" PRIu64, s,
                        first[s], first[s + 1]);
    if (first[plan->segments] > plan->n)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the last segment ends at element %" PRIu64 " of %" PRIu64,
                    first[plan->segments], plan->n);
    return RIFFLE_OK;
}

riffle_status riffle_sort_execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    riffle_status status = sort_check_arrays(plan, arrays);
    if (status == RIFFLE_OK) status = sort_check_segments(plan, arrays->first);
    if (status != RIFFLE_OK) return status;
    if (plan->n == 0) {
        if (arrays->lengths != NULL) memset(arrays->lengths, 0, plan->segments * sizeof *arrays->lengths);
        return RIFFLE_OK;
    }
    plan_base_enter(&plan->base);
    status = plan->engine->execute(plan, arrays);
    plan_base_leave(&plan->base);
    return status;
}
