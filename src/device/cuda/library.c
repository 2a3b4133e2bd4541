/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda_library.h"

#include "base/status.h"
#include "device/cuda/memory.h"
#include "device/cuda/peers.h"
#include "device/cuda/runtime.h"
#include "device/cuda/time.h"

const cuda_library riffle_cuda_library = {.head = {build_id, status_last},
                                          .current = cuda_device,
                                          .describe = cuda_describe,
                                          .time = cuda_time,
                                          .steps = &cuda_steps_here,
                                          .peers = &cuda_peers_here,
                                          .memory = &cuda_memory_here};
