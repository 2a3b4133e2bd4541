/* SPDX-License-Identifier: Apache-2.0
 *
 * PLACE(name) puts the bits of a place in memory behind a name; `place` is its type. Both follow PLACE_BITS.
 */
#ifndef RIFFLE_KERNELS_PLACE_H
#define RIFFLE_KERNELS_PLACE_H

#include <stdint.h>

#define PLACE_NAME_EXPANDED(name, bits) riffle_##name##_##bits
#define PLACE_NAME(name, bits) PLACE_NAME_EXPANDED(name, bits)
#define PLACE(name) PLACE_NAME(name, PLACE_BITS)

typedef uint32_t riffle_place_32;
typedef uint64_t riffle_place_64;
#define place PLACE(place)

#endif
