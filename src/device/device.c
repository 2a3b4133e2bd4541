/* SPDX-License-Identifier: Apache-2.0 */
#include "device/device.h"

riffle_status device_bring(const device *d, const char *what, const void *from, size_t bytes, void **out) {
    *out = NULL;
    if (from == NULL) return RIFFLE_OK;
    const riffle_status status = d->ops->allocate(d, what, bytes, out);
    return status == RIFFLE_OK ? d->ops->upload(d, what, *out, from, bytes) : status;
}

riffle_status device_load(const device *d, const char *what, launch_list *list) {
    const riffle_status status = d->ops->load(d, what, list);
    launch_list_free(list);
    return status;
}

static riffle_status queue(const device *d, const char *what, const launch_list *list,
                           struct CUstream_st *stream) {
    const device_listener *const l = &d->listener;
    const riffle_status status = l->tell != NULL ? l->tell(l->who, list) : RIFFLE_OK;
    return status == RIFFLE_OK ? d->ops->queue(d, what, list, stream) : status;
}

riffle_status device_run(const device *d, const char *what, launch_list *list, struct CUstream_st *stream) {
    const riffle_status status = queue(d, what, list, stream);
    launch_list_free(list);
    return status;
}

riffle_status device_load_and_run(const device *d, const char *loaded, const char *done, launch_list *list,
                                  struct CUstream_st *stream) {
    riffle_status status = d->ops->load(d, loaded, list);
    if (status == RIFFLE_OK) status = queue(d, done, list, stream);
    launch_list_free(list);
    return status;
}
