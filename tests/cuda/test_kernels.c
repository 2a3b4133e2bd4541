/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel of the families that are an object for each size of an element is in the objects of the sizes that its line names,
 * and in no other. No GPU is needed.
 */
#include "check.h"
#include "move/kernels/kernel.h"
#include "move/kernels/once/kernel.h"
#include "program/kernels/kernel.h"

enum { LONGEST_ELEMENT = 16 };

typedef const void *finder(unsigned number, size_t elem_bytes);

static const struct {
    const char *name;
    finder *find;
    const kernel_record *record;
    size_t sizes;
} kernels[] = {
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) {#id, cuda_move_kernel, &KERNEL_##id.record, bytes},
#include "move/kernels/list.h"
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) {#id, cuda_once_kernel, &KERNEL_##id.record, bytes},
#include "move/kernels/once/list.h"
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) {#id, cuda_program_kernel, &KERNEL_##id.record, bytes},
#include "program/kernels/list.h"
};

int main(void) {
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (size_t bytes = 0; bytes <= 2 * LONGEST_ELEMENT; bytes++) {
            const bool is_size = bytes > 0 && (bytes & (bytes - 1)) == 0;
            const bool is_there = kernels[k].find(kernels[k].record->number, bytes) != NULL;
            check(is_there == (is_size && (kernels[k].sizes & bytes) != 0), "%s for elements of %zu bytes: %s",
                  kernels[k].name, bytes, is_there ? "there" : "missing");
        }
    return check_summary();
}
