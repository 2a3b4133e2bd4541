/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a machine knows: its own arrays, and what it takes of objects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/runtime/machine_state.h"

riffle_status machine_buffer(machine *m, const char *name, size_t bytes, void **out) {
    machine_array *array;
    const riffle_status status = arrays_create(&m->arrays, name, bytes, &array);
    if (status == RIFFLE_OK) *out = array->owned;
    return status;
}

riffle_status machine_shared_buffer(machine *m, const char *name, size_t bytes, void **out) {
    machine_array *array;
    const riffle_status status = arrays_create(&m->arrays, name, bytes, &array);
    if (status != RIFFLE_OK) return status;
    array->shared_with_host = true;
    *out = array->owned;
    return RIFFLE_OK;
}

bool machine_release(machine *m, void *start) {
    const machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    return (array == NULL || !array->registered) && arrays_remove(&m->arrays, (uintptr_t)start);
}

riffle_status machine_register(machine *m, const char *name, void *start, size_t bytes, bool *was_registered) {
    machine_array *array = arrays_overlapping(&m->arrays, (uintptr_t)start, bytes);
    *was_registered = array != NULL && array->shared_with_host;
    if (array != NULL && (array->shared_with_host || array->owned != NULL))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an array is there already");
    if (array == NULL) {
        const riffle_status status = arrays_adopt(&m->arrays, name, SPACE_GLOBAL, start, bytes, &array);
        if (status != RIFFLE_OK) return status;
        array->registered = true;
    }
    array->shared_with_host = true;
    return RIFFLE_OK;
}

bool machine_unregister(machine *m, void *start) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL || array->owned != NULL || !array->shared_with_host) return false;
    if (array->registered) return arrays_remove(&m->arrays, (uintptr_t)start);
    array->shared_with_host = false;
    return true;
}

bool machine_holds(const machine *m, const void *start, size_t bytes) {
    const machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    return array == NULL || bytes <= array->bytes - ((uintptr_t)start - array->start);
}

void machine_call_array(machine *m, const void *at, const char *name, size_t length) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)at);
    if (array == NULL) array = arrays_find_freed(&m->arrays, (uintptr_t)at);
    if (array == NULL && at != NULL && m->arrays.stray_count < ARRAYS_STRAYS)
        m->arrays.stray[m->arrays.stray_count++] = (uintptr_t)at;
    if (array != NULL && array->called[0] == '\0')
        snprintf(array->called, sizeof array->called, "%.*s", (int)length, name);
}

void machine_forget_calls(machine *m) {
    m->arrays.stray_count = 0;
    for (size_t k = 0; k < m->arrays.gone_count && k < ARRAYS_FREED; k++) m->arrays.gone[k]->called[0] = '\0';
    for (size_t k = 0; k < m->arrays.count; k++) m->arrays.array[k]->called[0] = '\0';
}

bool machine_owns_address(const machine *m, const void *at) {
    return arrays_find(&m->arrays, (uintptr_t)at) != NULL;
}

machine_memory machine_owns(const machine *m, const void *at) {
    const machine_array *array = arrays_find(&m->arrays, (uintptr_t)at);
    if (array != NULL)
        return array->owned != NULL && !array->shared_with_host ? MACHINE_OWNS_ALONE : MACHINE_OWNS_SHARED;
    return arrays_find_freed(&m->arrays, (uintptr_t)at) != NULL ? MACHINE_OWNS_FREED : MACHINE_OWNS_NONE;
}

void machine_define_shared(machine *m) {
    for (size_t k = 0; k < m->arrays.count; k++) {
        machine_array *array = m->arrays.array[k];
        if (array->shared_with_host) m->forgetful |= !shadow_define(&array->shadow, 0, array->bytes);
    }
}

void machine_written(machine *m, const void *start, size_t bytes) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL) return;
    const size_t offset = (uintptr_t)start - array->start;
    const size_t held = bytes < array->bytes - offset ? bytes : array->bytes - offset;
    m->forgetful |= !shadow_define(&array->shadow, offset, held);
}

bool machine_clear(machine *m, void *start, size_t bytes) {
    const machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    return array != NULL && array_clear(array, (uintptr_t)start - array->start, bytes);
}

riffle_status machine_adopt_shared(machine *m, const char *name, void *start, size_t bytes) {
    machine_array *array;
    return arrays_adopt(&m->arrays, name, SPACE_SHARED, start, bytes, &array);
}

riffle_status machine_adopt_global(machine *m, const char *name, void *start, size_t bytes) {
    machine_array *array;
    const riffle_status status = arrays_adopt(&m->arrays, name, SPACE_GLOBAL, start, bytes, &array);
    if (status == RIFFLE_OK) machine_written(m, start, bytes);
    return status;
}

riffle_status machine_adopt_constant(machine *m, const char *name, void *start, size_t bytes) {
    machine_array *array;
    const riffle_status status = arrays_adopt(&m->arrays, name, SPACE_GLOBAL, start, bytes, &array);
    if (status == RIFFLE_OK) array->constant = true;
    return status;
}

void machine_spare(machine *m, const void *start, size_t before, size_t behind) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL) return;
    array->front = before;
    array->room = array->bytes + behind;
}

void machine_shared_of(machine *m, const void *start, const void *code, size_t bytes) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL) return;
    array->code = (uintptr_t)code;
    array->code_end = (uintptr_t)code + bytes;
}

riffle_status machine_adopt_foreign(machine *m, void *start, size_t bytes) {
    machine_array *array;
    const riffle_status status =
        arrays_adopt(&m->arrays, "a table of functions", SPACE_GLOBAL, start, bytes, &array);
    if (status == RIFFLE_OK) array->foreign = true;
    return status;
}

void machine_place_dynamic_shared(machine *m, void *start, size_t before) {
    m->dynamic_shared->start = (uintptr_t)start;
    m->dynamic_shared->front = before;
}

riffle_status machine_name_dynamic_shared(machine *m, const char *name) {
    char *own = strdup(name);
    if (own == NULL) return fail_memory("the name of an array", strlen(name));
    free(m->dynamic_shared->name);
    m->dynamic_shared->name = own;
    return RIFFLE_OK;
}

void machine_move_shared(machine *m, void *dynamic) {
    const uintptr_t by = (uintptr_t)dynamic - m->dynamic_shared->start;
    for (size_t k = 0; by != 0 && k < m->arrays.count; k++)
        if (m->arrays.array[k]->space == SPACE_SHARED && m->arrays.array[k]->home == NULL)
            m->arrays.array[k]->start += by;
}
