/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of the affine kernels for one ELEMENT_BYTES, as kernels/each_access.h has the kernels.
 */
#include "kernels/element.h"

#define ACCESS_BYTES 16
#define PLACE_BITS 32
#include "kernels/access.h"

#include "engines/machine/kernel_entries_access.h"
#undef PLACE_BITS
#define PLACE_BITS 64
#include "kernels/access.h"

#include "engines/machine/kernel_entries_access.h"
#undef ACCESS_BYTES
#if ELEMENT_BYTES < 16
#define ACCESS_BYTES ELEMENT_BYTES
#include "kernels/access.h"

#include "engines/machine/kernel_entries_access.h"
#undef ACCESS_BYTES
#endif
#undef PLACE_BITS
