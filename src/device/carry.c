/* SPDX-License-Identifier: Apache-2.0 */
#include "device/carry.h"

/* Bytes of an array there; none of one that the caller left out. */
static size_t bytes_there(const call_array *a) {
    return a->at != NULL || a->use == ARRAY_SCRATCH ? call_array_bytes(a) : 0;
}

static riffle_status allocate(const device *d, call_array *arrays, unsigned count) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++)
        if (arrays[k].joined_to == NULL)
            status = d->ops->allocate(d, arrays[k].name, bytes_there(&arrays[k]), &arrays[k].there);
    for (unsigned k = 0; k < count; k++)
        if (arrays[k].joined_to != NULL && bytes_there(&arrays[k]) > 0)
            arrays[k].there = arrays[k].joined_to->there;
    return status;
}

static riffle_status bring(const device *d, const char *what, const call_array *arrays, unsigned count) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) {
        const call_array *const a = &arrays[k];
        if ((a->use == ARRAY_READ || a->use == ARRAY_CHANGED) && bytes_there(a) > 0)
            status = d->ops->upload(d, what, a->there, a->at, bytes_there(a));
    }
    return status;
}

static riffle_status fetch(const device *d, const char *what, const call_array *arrays, unsigned count) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) {
        const call_array *const a = &arrays[k];
        if ((a->use == ARRAY_WRITTEN || a->use == ARRAY_CHANGED) && bytes_there(a) > 0)
            status = d->ops->download(d, what, (char *)(uintptr_t)a->at + a->kept_before,
                                      (const char *)a->there + a->kept_before,
                                      bytes_there(a) - a->kept_before - a->kept_behind, NULL);
    }
    return status;
}

riffle_status device_carry(const device *d, const char *what, call_array *arrays, unsigned count,
                           carried_call *call, const void *context) {
    int before;
    riffle_status status = d->ops->check(d);
    if (status == RIFFLE_OK) status = d->ops->guard(d, what, NULL, &before);
    if (status != RIFFLE_OK) return status;
    status = allocate(d, arrays, count);
    if (status == RIFFLE_OK) status = bring(d, what, arrays, count);
    if (status == RIFFLE_OK) status = call(context, arrays);
    if (status == RIFFLE_OK) status = fetch(d, what, arrays, count);
    for (unsigned k = 0; k < count; k++)
        if (arrays[k].joined_to == NULL) d->ops->release(d, arrays[k].there);
    d->ops->unguard(d, before);
    return status;
}
