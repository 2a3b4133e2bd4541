/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel files that exist for elements of 1, 2, 4, 8 and 16 bytes, for one ELEMENT_BYTES; families.h
 * includes this once for each.
 */
#include "kernels/element.h"

#include "kernels/bucket_tile.cu"
#include "kernels/rows.cu"
#if ELEMENT_BYTES < 16
#include "kernels/row_words.cu"
#endif
