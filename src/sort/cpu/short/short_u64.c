/* SPDX-License-Identifier: Apache-2.0 */
#define WORD uint64_t
#define SHORT_SORT short_sort_u64

#include "sort/cpu/short/short.inc"
