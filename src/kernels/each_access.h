/* SPDX-License-Identifier: Apache-2.0
 *
 * The file EACH_ACCESS, which is of the affine kernels, for one ELEMENT_BYTES: by vectors, and where elements are shorter, by
 * single elements.
 */
#include "kernels/element.h"

#define ACCESS_BYTES 16
#define PLACE_BITS 32
#include "kernels/access.h"

#include EACH_ACCESS
#undef PLACE_BITS
#define PLACE_BITS 64
#include "kernels/access.h"

#include EACH_ACCESS
#undef ACCESS_BYTES
#if ELEMENT_BYTES < 16
#define ACCESS_BYTES ELEMENT_BYTES
#include "kernels/access.h"

#include EACH_ACCESS
#undef ACCESS_BYTES
#endif
#undef PLACE_BITS
