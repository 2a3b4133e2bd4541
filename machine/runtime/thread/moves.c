/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/thread/moves.h"

#include <stdlib.h>

bool moves_add(moves *all, const move *one) {
    for (size_t k = 0; k < all->count; k++) {
        move *had = &all->move[k];
        if (had->pc != one->pc || had->kind != one->kind) continue;
        had->times += one->times;
        had->bytes += one->bytes;
        had->requests += one->requests;
        return true;
    }
    if (all->count == all->capacity) {
        const size_t capacity = 2 * all->capacity + 8;
        move *grown = realloc(all->move, capacity * sizeof *grown);
        if (grown == NULL) return false;
        all->move = grown;
        all->capacity = capacity;
    }
    all->move[all->count++] = *one;
    return true;
}

void moves_free(moves *all) { free(all->move); }
