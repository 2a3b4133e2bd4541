/* SPDX-License-Identifier: Apache-2.0
 *
 * The current GPU as the planner sees it.
 */
#include "move/cuda/engine.h"

riffle_status cuda_engine_target(plan_target *out) {
    device gpu;
    device_limits limits;
    riffle_status status = device_of_cuda(&gpu);
    if (status == RIFFLE_OK) status = gpu.ops->describe(&gpu, &limits);
    if (status == RIFFLE_OK) *out = plan_target_of(TARGET_CUDA, "cuda", &limits);
    return status;
}
