/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU of a build without CUDA: there is none.
 */
#include "base/status.h"
#include "device/device.h"
#include "riffle/cuda.h"

riffle_status device_of_cuda(device *out) {
    *out = (device){.ops = NULL};
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "this riffle was built without CUDA and has no cuda engine; use the cpu "
                "engine, or build riffle where nvcc is installed");
}

riffle_status riffle_cuda_describe(riffle_cuda_device *out) {
    device none;
    (void)out;
    return device_of_cuda(&none);
}
