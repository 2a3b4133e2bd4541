/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/merge.h"

#include <string.h>

#include "base/status.h"
#include "device/device.h"

/* Of `count` units behind `offset` of them; written with what is at `data`, if anything. */
static riffle_status add_array(machine *m, const char *name, uint64_t offset, uint64_t count, size_t unit,
                               const void *data, void **out) {
    void *start;
    const size_t bytes = (size_t)count * unit;
    *out = NULL;
    if (bytes == 0) return RIFFLE_OK;
    const riffle_status status = machine_buffer(m, name, (size_t)offset * unit + bytes, &start);
    if (status != RIFFLE_OK) return status;
    *out = (char *)start + (size_t)offset * unit;
    if (data == NULL) return RIFFLE_OK;
    memcpy(*out, data, bytes);
    machine_written(m, *out, bytes);
    return RIFFLE_OK;
}

static riffle_status add_arrays(machine *m, const merge_job *job, const merge_arrays *host, uint64_t offset,
                                merge_arrays *out) {
    void *keys, *places = NULL, *from, *first = NULL;
    riffle_status status = add_array(m, "from_keys", offset, job->n, job->key_bytes, host->from_keys, &from);
    if (status == RIFFLE_OK) status = add_array(m, "keys", offset, job->n, job->key_bytes, NULL, &keys);
    if (status == RIFFLE_OK && job->is_placed)
        status = add_array(m, "places", offset, job->n, sizeof(uint32_t), NULL, &places);
    if (status == RIFFLE_OK && !job->is_sort)
        status = add_array(m, "first", 0, job->streams + 1, sizeof(uint64_t), host->first, &first);
    if (status == RIFFLE_OK)
        status = add_array(m, "workspace", 0, merge_workspace_bytes(job), 1, NULL, &out->workspace);
    if (status != RIFFLE_OK) return status;
    out->keys = keys;
    out->places = places;
    out->from_keys = from;
    out->first = first;
    memcpy(keys, host->keys, (size_t)job->n * job->key_bytes);
    if (places != NULL) memcpy(places, host->places, (size_t)job->n * sizeof(uint32_t));
    return RIFFLE_OK;
}

riffle_status simulate_merge(machine *m, const merge_job *job, const merge_arrays *arrays, uint64_t offset) {
    const device on = device_of_machine(m);
    merge_arrays own = {0};
    launch_list list;
    if (job->n == 0) return RIFFLE_OK;
    riffle_status status = add_arrays(m, job, arrays, offset, &own);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    launch_merge(job, &own, &list);
    status = device_run(&on, "a step of a merge", &list, NULL);
    if (status != RIFFLE_OK) return status;
    memcpy(arrays->keys, own.keys, (size_t)job->n * job->key_bytes);
    if (own.places != NULL) memcpy(arrays->places, own.places, (size_t)job->n * sizeof(uint32_t));
    return RIFFLE_OK;
}
