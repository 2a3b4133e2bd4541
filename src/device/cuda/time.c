/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/time.h"

#include "device/cuda/runtime.h"

static riffle_status time_between(const device *d, const char *what, const launch_list *list,
                                  cudaEvent_t before, cudaEvent_t after, double *seconds) {
    float milliseconds = 0;
    riffle_status status = cuda_result(cudaEventRecord(before, NULL), "recording an event");
    if (status == RIFFLE_OK) status = d->ops->queue(d, what, list, NULL);
    if (status == RIFFLE_OK) status = cuda_result(cudaEventRecord(after, NULL), "recording an event");
    if (status == RIFFLE_OK) status = cuda_result(cudaEventSynchronize(after), what);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaEventElapsedTime(&milliseconds, before, after), "reading the time");
    if (status == RIFFLE_OK) *seconds = (double)milliseconds * 1e-3;
    return status;
}

riffle_status cuda_time(const device *d, const char *what, const launch_list *list, double *seconds) {
    cudaEvent_t before = NULL, after = NULL;
    riffle_status status = cuda_result(cudaEventCreate(&before), "creating an event");
    if (status == RIFFLE_OK) status = cuda_result(cudaEventCreate(&after), "creating an event");
    if (status == RIFFLE_OK) status = time_between(d, what, list, before, after, seconds);
    if (after != NULL) cudaEventDestroy(after);
    if (before != NULL) cudaEventDestroy(before);
    return status;
}
