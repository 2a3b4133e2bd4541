/* SPDX-License-Identifier: Apache-2.0
 *
 * How numbers become codes in kernels, and codes numbers.
 */
#ifndef RIFFLE_SORT_GPU_CODING_H
#define RIFFLE_SORT_GPU_CODING_H

#include <stdbool.h>

#include "sort/kernels/tables/common.h"
#include "sort/key.h"

/** The coding that does sort_code_of's work in the kernels. */
sort_coding sort_coding_of(const sort_field *field);

/** True if codes are not the numbers themselves. */
bool sort_is_coded(const sort_coding *coding);

#endif
