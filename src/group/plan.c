/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors of riffle/group.h.
 */
#include "group/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/engine.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "check/check.h"

static const char *const by_names[] = {
    [RIFFLE_GROUP_BY_VALUE] = "value", [RIFFLE_GROUP_BY_HASH] = "hash", [RIFFLE_GROUP_BY_TOP] = "top"};

enum { BY_COUNT = sizeof by_names / sizeof *by_names };

static const name_table ways = {"way from keys to groups", by_names, BY_COUNT};

const char *riffle_group_by_string(riffle_group_by by) { return name_of(&ways, by); }
riffle_status riffle_group_by_parse(const char *name, riffle_group_by *out) {
    return name_parse(&ways, name, (unsigned *)out);
}
size_t riffle_group_by_list(riffle_group_by *out, size_t capacity) {
    return name_list(&ways, (unsigned *)out, capacity);
}

uint64_t riffle_group_hash(uint64_t key) { return splitmix_next(&key); }

/* -------------------------------------------------------------------- plans */

static bool is_signed(riffle_type type) { return type <= RIFFLE_TYPE_I64; }

static riffle_status check_keys(uint64_t n, riffle_type type, uint64_t groups,
                                const riffle_group_options *options) {
    if ((unsigned)type > RIFFLE_TYPE_C128)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no type with number %d", (int)type);
    if (type > RIFFLE_TYPE_U64)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "keys of type %s; groups are made by integers",
                    riffle_type_string(type));
    if (groups == 0 || groups > RIFFLE_GROUP_MAX_GROUPS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%" PRIu64 " groups; there are 1 to 65536", groups);
    if ((unsigned)options->by >= BY_COUNT)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no way from keys to groups with number %d",
                    (int)options->by);
    if (options->keys_per_row > RIFFLE_GROUP_MAX_KEYS_PER_ROW)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " keys of each row; there are at most %" PRIu64,
                    options->keys_per_row, RIFFLE_GROUP_MAX_KEYS_PER_ROW);
    if (n > RIFFLE_MAX_LENGTH / max(options->keys_per_row, (uint64_t)1))
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " rows have more keys than an array has elements", n);
    return RIFFLE_OK;
}

static riffle_status check_columns(const riffle_group_options *options) {
    if (options->columns > RIFFLE_GROUP_MAX_COLUMNS)
        return fail(RIFFLE_ERROR_LENGTH, "%u columns besides the first; there are at most %u", options->columns,
                    RIFFLE_GROUP_MAX_COLUMNS);
    if (options->columns > 0 && options->column_bytes == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "column_bytes is NULL, but there are %u columns besides the first", options->columns);
    return RIFFLE_OK;
}

static const group_engine *const engines[] = {
    [RIFFLE_ENGINE_CPU] = &cpu_group_engine, [RIFFLE_ENGINE_CUDA] = &device_group_engine};

/* The most padding is that of groups of one row more than a multiple; no group keeps more than its capacity. */
static uint64_t room_of(const riffle_group_plan *plan) {
    const uint64_t used = min(plan->entries, (uint64_t)plan->rule.groups);
    const uint64_t room = plan->entries + used * (plan->multiple - 1);
    const uint64_t most = group_padded(plan, min(plan->capacity, plan->entries));
    return min(room, used * most);
}

static riffle_status check_rows(const riffle_group_plan *plan, size_t row_bytes) {
    size_t bytes;
    if (row_bytes > RIFFLE_GROUP_MAX_ROW_BYTES)
        return fail(RIFFLE_ERROR_LENGTH, "rows of %zu bytes; they have at most 2^30", row_bytes);
    if (plan->room > RIFFLE_MAX_LENGTH || !multiply_sizes(plan->room, row_bytes, 1, &bytes) ||
        !multiply_sizes(plan->n, row_bytes, 1, &bytes))
        return fail(RIFFLE_ERROR_LENGTH,
                    "%" PRIu64 " rows of %zu bytes with their padding are more than an array has", plan->room,
                    row_bytes);
    return RIFFLE_OK;
}

static riffle_status check_room(const riffle_group_plan *plan) {
    if (plan->room > RIFFLE_MAX_LENGTH && plan->multiple > 1)
        return fail(RIFFLE_ERROR_LENGTH,
                    "groups that are padded to multiples of %" PRIu64 " rows may have %" PRIu64
                    " rows, more than an array has; pad to a smaller multiple",
                    plan->multiple, plan->room);
    riffle_status status = check_rows(plan, plan->row_bytes);
    for (unsigned k = 0; status == RIFFLE_OK && k + 1 < plan->columns; k++)
        status = check_rows(plan, plan->column_bytes[k]);
    if (status != RIFFLE_OK) return status;
    if (plan->index_bytes != 0 && plan->index_bytes != 4 && plan->index_bytes != 8)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "places have 4 or 8 bytes, not %zu", plan->index_bytes);
    if (plan->index_bytes == 4 && plan->room > UINT32_MAX)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " rows; places of 4 bytes name at most 2^32 - 1",
                    plan->room);
    return RIFFLE_OK;
}

static void fill_in(riffle_group_plan *plan, uint64_t n, size_t row_bytes, riffle_type key_type,
                    uint64_t groups, const riffle_group_options *options) {
    const uint32_t bits = 8 * (uint32_t)riffle_type_bytes(key_type);
    plan->n = n;
    plan->keys_per_row = max(options->keys_per_row, (uint64_t)1);
    plan->entries = n * plan->keys_per_row;
    plan->row_bytes = row_bytes;
    plan->key_type = key_type;
    plan->rule = (group_rule){.groups = (uint32_t)groups,
                              .by = options->by,
                              .shift = 64 - bits,
                              .bias = is_signed(key_type) ? (uint64_t)1 << (bits - 1) : 0};
    plan->multiple = max(options->multiple, (uint64_t)1);
    plan->capacity = options->capacity == 0 ? UINT64_MAX : options->capacity;
    plan->index_bytes = options->index_bytes;
    plan->check = options->check;
    plan->columns = options->columns + 1;
    for (unsigned k = 0; k < options->columns; k++) plan->column_bytes[k] = options->column_bytes[k];
    plan->room = room_of(plan);
}

riffle_status group_plan_create(uint64_t n, size_t row_bytes, riffle_type key_type, uint64_t groups,
                                riffle_engine engine, const device *on, const riffle_group_options *options,
                                riffle_group_plan **out) {
    const riffle_group_options defaults = {0};
    if (options == NULL) options = &defaults;
    RETURN_IF_NULL(out);
    riffle_status status = engine_check(engine, options->callers_workspace);
    if (status == RIFFLE_OK) status = check_keys(n, key_type, groups, options);
    if (status == RIFFLE_OK) status = check_is_one(options->check);
    if (status == RIFFLE_OK) status = check_columns(options);
    if (status == RIFFLE_OK && options->multiple > RIFFLE_MAX_LENGTH)
        status = fail(RIFFLE_ERROR_LENGTH, "groups of a multiple of %" PRIu64 " rows", options->multiple);
    plan_base *base;
    if (status == RIFFLE_OK)
        status = plan_base_create(sizeof(riffle_group_plan), "the plan of groups", on,
                                  options->callers_workspace, &base);
    if (status != RIFFLE_OK) return status;
    riffle_group_plan *const plan = (riffle_group_plan *)base;
    plan->engine = engines[engine];
    fill_in(plan, n, row_bytes, key_type, groups, options);
    status = check_room(plan);
    if (status == RIFFLE_OK) status = plan->engine->create(plan, options);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        riffle_group_plan_free(plan);
    }
    return status;
}

riffle_status riffle_group_plan_create(uint64_t n, size_t row_bytes, riffle_type key_type, uint64_t groups,
                                       riffle_engine engine, const riffle_group_options *options,
                                       riffle_group_plan **out) {
    return group_plan_create(n, row_bytes, key_type, groups, engine, NULL, options, out);
}

void riffle_group_plan_free(riffle_group_plan *plan) {
    if (plan == NULL) return;
    plan_base_end(&plan->base);
    free(plan);
}

uint64_t riffle_group_plan_room(const riffle_group_plan *plan) { return plan != NULL ? plan->room : 0; }

size_t riffle_group_plan_workspace_bytes(const riffle_group_plan *plan) {
    return plan != NULL ? plan->base.workspace_bytes : 0;
}

unsigned riffle_group_plan_threads(const riffle_group_plan *plan) {
    return plan != NULL ? plan->base.threads : 0;
}

/* ------------------------------------------------------------------ columns */

size_t group_column_bytes(const riffle_group_plan *plan, unsigned column) {
    return column == 0 ? plan->row_bytes : plan->column_bytes[column - 1];
}

group_column group_column_at(const riffle_group_plan *plan, const riffle_group_arrays *arrays,
                             unsigned column) {
    group_column out = {.row_bytes = group_column_bytes(plan, column)};
    if (column == 0) {
        out.rows = arrays->rows;
        out.from_rows = arrays->from_rows;
        return out;
    }
    if (arrays->columns == NULL) return out;
    out.rows = arrays->columns[column - 1].rows;
    out.from_rows = arrays->columns[column - 1].from_rows;
    return out;
}

size_t group_columns_bytes(const riffle_group_plan *plan, uint64_t rows, unsigned count) {
    size_t bytes = 0;
    for (unsigned k = 0; k < count; k++)
        bytes += round_up((size_t)rows * group_column_bytes(plan, k), (size_t)WORKSPACE_ALIGNMENT);
    return bytes;
}

void group_columns_in(const riffle_group_plan *plan, void *rows, const void *from_rows,
                      riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS], riffle_group_arrays *out) {
    for (unsigned k = 0; k < plan->columns; k++) {
        const bool has_bytes = group_column_bytes(plan, k) > 0;
        void *const to = has_bytes ? (char *)rows + group_columns_bytes(plan, plan->room, k) : NULL;
        const void *const from =
            has_bytes ? (const char *)from_rows + group_columns_bytes(plan, plan->n, k) : NULL;
        if (k > 0) {
            columns[k - 1] = (riffle_group_column){to, from};
            continue;
        }
        out->rows = to;
        out->from_rows = from;
    }
    out->columns = plan->columns > 1 ? columns : NULL;
}

void group_column_alone(const riffle_group_plan *plan, const riffle_group_arrays *arrays, unsigned column,
                        group_alone *out) {
    const group_column only = group_column_at(plan, arrays, column);
    *out = (group_alone){.plan = {.engine = plan->engine,
                                  .n = plan->n,
                                  .keys_per_row = plan->keys_per_row,
                                  .entries = plan->entries,
                                  .row_bytes = only.row_bytes,
                                  .key_type = plan->key_type,
                                  .rule = plan->rule,
                                  .multiple = plan->multiple,
                                  .capacity = plan->capacity,
                                  .index_bytes = plan->index_bytes,
                                  .check = plan->check,
                                  .room = plan->room,
                                  .columns = 1},
                         .arrays = *arrays};
    out->arrays.rows = only.rows;
    out->arrays.from_rows = only.from_rows;
    out->arrays.columns = NULL;
}

/* --------------------------------------------------------------- executions */

static call_array wanted_or_not(call_array array) {
    array.is_wanted = false;
    return array;
}

void group_arrays_of(const riffle_group_plan *plan, const riffle_group_arrays *arrays,
                     call_array all[GROUP_MOST_ARRAYS]) {
    const size_t word = sizeof(uint64_t);
    const uint64_t groups = plan->rule.groups;
    const unsigned others = plan->columns - 1;
    call_array *const out = all + others, *const behind = out + GROUP_ARRAYS;
    for (unsigned k = 0; k < others; k++) {
        const group_column c = group_column_at(plan, arrays, k + 1);
        all[k] = call_array_of("a column's from_rows", c.from_rows, c.row_bytes, plan->n, ARRAY_READ);
        behind[k] = call_array_of("a column's rows", c.rows, c.row_bytes, plan->room, ARRAY_CHANGED);
    }
    out[GROUP_FROM_ROWS] = call_array_of("from_rows", arrays->from_rows, plan->row_bytes, plan->n, ARRAY_READ);
    out[GROUP_KEYS] =
        call_array_of("keys", arrays->keys, riffle_type_bytes(plan->key_type), plan->entries, ARRAY_READ);
    out[GROUP_ROWS] = call_array_of("rows", arrays->rows, plan->row_bytes, plan->room, ARRAY_CHANGED);
    out[GROUP_OFFSETS] =
        wanted_or_not(call_array_of("offsets", arrays->offsets, word, groups + 1, ARRAY_WRITTEN));
    out[GROUP_COUNTS] = wanted_or_not(call_array_of("counts", arrays->counts, word, groups, ARRAY_WRITTEN));
    out[GROUP_PLACES] =
        call_array_of("places", arrays->places, plan->index_bytes, plan->entries, ARRAY_WRITTEN);
    out[GROUP_LEFT_OUT] =
        wanted_or_not(call_array_of("left_out", arrays->left_out, word, GROUP_LEFT_OUTS, ARRAY_WRITTEN));
}

riffle_status group_check_arrays(const riffle_group_plan *plan, const riffle_group_arrays *arrays) {
    call_array all[GROUP_MOST_ARRAYS];
    RETURN_IF_NULL(plan, arrays);
    if (plan->columns == 1 && arrays->columns != NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "columns are given, but the plan has none besides the first");
    group_arrays_of(plan, arrays, all);
    const unsigned count = group_arrays_count(plan), results = plan->columns - 1 + GROUP_ROWS;
    const riffle_status status = arrays_check(all, count);
    return status == RIFFLE_OK ? arrays_check_apart(all, count, results) : status;
}

riffle_status riffle_group_execute(const riffle_group_plan *plan, const riffle_group_arrays *arrays) {
    riffle_status status = group_check_arrays(plan, arrays);
    if (status != RIFFLE_OK) return status;
    plan_base_enter(&plan->base);
    status = plan->engine->execute(plan, arrays);
    plan_base_leave(&plan->base);
    return status;
}
