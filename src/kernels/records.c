/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of all families' kernels.
 */
#include "kernels/hull/kernel.h"
#include "kernels/kernel.h"
#include "kernels/sort/kernel.h"
#include "kernels/sort/merge/kernel.h"

#define KERNEL_LIST "kernels/list.h"
#define KERNEL_FAMILY FAMILY_move
#include "kernels/records.h"

#define KERNEL_LIST "kernels/hull/list.h"
#define KERNEL_FAMILY FAMILY_hull
#include "kernels/records.h"

#define KERNEL_LIST "kernels/sort/list.h"
#define KERNEL_FAMILY FAMILY_sort
#include "kernels/records.h"

#define KERNEL_LIST "kernels/sort/merge/list.h"
#define KERNEL_FAMILY FAMILY_merge
#include "kernels/records.h"
