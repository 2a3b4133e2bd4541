/* SPDX-License-Identifier: Apache-2.0
 *
 * Several GPUs of one process: which is current, access to each other's memory, and events between their streams.
 */
#ifndef RIFFLE_DEVICE_CUDA_PEERS_H
#define RIFFLE_DEVICE_CUDA_PEERS_H

#include "device/cuda_library.h"

extern const cuda_peers cuda_peers_here;

#endif
