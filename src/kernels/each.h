/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel file for one ELEMENT_BYTES; families.h includes this once for each size.
 */
#include "kernels/element.h"

#include "kernels/bmmc.cu"
#include "kernels/copy.cu"
#include "kernels/in_block.cu"
#include "kernels/indexed.cu"
#include "kernels/row_wise.cu"
#include "kernels/transpose.cu"
