/* SPDX-License-Identifier: Apache-2.0 */
#include "device/carry.h"

static riffle_status bring(const device *d, const char *what, carried_array *arrays, unsigned count) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++)
        status = d->ops->allocate(d, arrays[k].name, arrays[k].bytes, &arrays[k].at);
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++)
        if (arrays[k].from != NULL && arrays[k].bytes > 0)
            status = d->ops->upload(d, what, arrays[k].at, arrays[k].from, arrays[k].brought);
    return status;
}

static riffle_status fetch(const device *d, const char *what, const carried_array *arrays, unsigned count) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++)
        if (arrays[k].to != NULL && arrays[k].bytes > 0)
            status = d->ops->download(d, what, (char *)arrays[k].to + arrays[k].begin,
                                      (const char *)arrays[k].at + arrays[k].begin, arrays[k].fetched, NULL);
    return status;
}

riffle_status device_carry(const device *d, const char *what, carried_array *arrays, unsigned count,
                           carried_call *call, const void *context) {
    int before;
    riffle_status status = d->ops->check(d);
    if (status == RIFFLE_OK) status = d->ops->guard(d, what, NULL, &before);
    if (status != RIFFLE_OK) return status;
    status = bring(d, what, arrays, count);
    if (status == RIFFLE_OK) status = call(context, arrays);
    if (status == RIFFLE_OK) status = fetch(d, what, arrays, count);
    for (unsigned k = 0; k < count; k++) d->ops->release(d, arrays[k].at);
    d->ops->unguard(d, before);
    return status;
}
