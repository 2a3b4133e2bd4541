/* SPDX-License-Identifier: Apache-2.0 */
#define WORD uint32_t
#define SHORT_SORT short_sort_u32

#include "sort/cpu/short/short.inc"
