/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel of move/kernels/list.h is in one of the objects that they are compiled into, for each size of an element that its
 * line names, and for no other. No GPU is needed.
 */
#include "check.h"
#include "move/kernels/kernel.h"

enum { LONGEST_ELEMENT = 16 };

static const struct {
    const char *name;
    const kernel_record *record;
    size_t sizes;
} kernels[] = {
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) {#id, &KERNEL_##id.record, bytes},
#include "move/kernels/list.h"
};

int main(void) {
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (size_t bytes = 0; bytes <= 2 * LONGEST_ELEMENT; bytes++) {
            const bool is_size = bytes > 0 && (bytes & (bytes - 1)) == 0;
            const bool is_there = cuda_move_kernel(kernels[k].record->number, bytes) != NULL;
            check(is_there == (is_size && (kernels[k].sizes & bytes) != 0), "%s for elements of %zu bytes: %s",
                  kernels[k].name, bytes, is_there ? "there" : "missing");
        }
    return check_summary();
}
