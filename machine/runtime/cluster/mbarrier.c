/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/cluster/mbarrier.h"

#include <stdlib.h>

mbarrier *mbarrier_find(mbarrier *all, unsigned rank, uintptr_t at) {
    while (all != NULL && (all->rank != rank || all->at != at)) all = all->next;
    return all;
}

mbarrier *mbarrier_init(mbarrier **all, unsigned rank, uintptr_t at, unsigned count) {
    mbarrier *one = mbarrier_find(*all, rank, at);
    if (one != NULL) mbarrier_remove(all, one);
    one = calloc(1, sizeof *one);
    if (one == NULL) return NULL;
    *one = (mbarrier){.next = *all, .at = at, .rank = rank, .count = count, .pending = count};
    one->last = &one->first;
    *all = one;
    return one;
}

static void drop_first(mbarrier *one) {
    bulk_copy *copy = one->first;
    one->first = copy->next;
    if (one->first == NULL) one->last = &one->first;
    free(copy);
}

void mbarrier_remove(mbarrier **all, mbarrier *one) {
    while (*all != one) all = &(*all)->next;
    *all = one->next;
    while (one->first != NULL) drop_first(one);
    clocks_free_phase(&one->phase);
    free(one);
}

void mbarrier_free_all(mbarrier **all) {
    while (*all != NULL) mbarrier_remove(all, *all);
}

void mbarrier_queue(mbarrier *one, bulk_copy *copy) {
    copy->next = NULL;
    *one->last = copy;
    one->last = &copy->next;
}

int mbarrier_ready(const mbarrier *one) {
    int landed = 0;
    long long left = one->bytes;
    if (one->pending > 0) return -1;
    for (const bulk_copy *copy = one->first; copy != NULL && left > 0; copy = copy->next) {
        left -= (long long)copy->bytes;
        landed++;
    }
    return left == 0 ? landed : -1;
}

void mbarrier_end_phase(mbarrier *one, unsigned landed) {
    for (; landed > 0; landed--) drop_first(one);
    one->bytes = 0;
    one->awaited = false;
    one->pending = one->count;
    clocks_end(&one->phase);
}

const bulk_copy *mbarrier_find_copy(const mbarrier *all, unsigned rank, uintptr_t address, size_t bytes) {
    for (; all != NULL; all = all->next)
        for (const bulk_copy *copy = all->first; copy != NULL; copy = copy->next)
            if (copy->rank == rank && address < copy->to + copy->bytes && copy->to < address + bytes)
                return copy;
    return NULL;
}
