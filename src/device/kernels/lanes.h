/* SPDX-License-Identifier: Apache-2.0
 *
 * The width of warps, for kernels and their launchers that know no other.
 */
#ifndef RIFFLE_DEVICE_KERNELS_LANES_H
#define RIFFLE_DEVICE_KERNELS_LANES_H

enum { WARP_LANES = 32 };

#endif
