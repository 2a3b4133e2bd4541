/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/limits/budget.h"

#include <stdlib.h>
#include <string.h>

budget_entry *budget_of(budget *all, const char *kernel) {
    for (size_t k = 0; k < all->count; k++) {
        if (strcmp(all->entry[k].kernel, kernel) == 0) return &all->entry[k];
    }
    budget_entry *larger = realloc(all->entry, (all->count + 1) * sizeof *larger);
    if (larger == NULL) return NULL;
    all->entry = larger;
    larger[all->count] = (budget_entry){.kernel = kernel};
    return &larger[all->count++];
}

void budget_free(budget *all) {
    free(all->entry);
    *all = (budget){0};
}
