/* SPDX-License-Identifier: Apache-2.0
 *
 * A tally of what a cache inserted, by layer; and whoever wants to know of each insertion, as the host below a guest does.
 */
#ifndef RIFFLE_MACHINE_VAT_TALLY_H
#define RIFFLE_MACHINE_VAT_TALLY_H

#include <stddef.h>

#include "machine/vat/tree.h"
#include "riffle.h"

typedef struct vat_tally {
    uint64_t of_layer[VAT_MAX_PATH];
    riffle_status (*see)(void *context, uint64_t number, unsigned layer); /**< NULL: nobody */
    void *context;
    riffle_status status; /**< the first failure of `see`, which is called no more then */
} vat_tally;

/** A node came into the cache. */
static inline void vat_tally_insertion(vat_tally *tally, uint64_t number, unsigned layer) {
    tally->of_layer[layer]++;
    if (tally->see != NULL && tally->status == RIFFLE_OK)
        tally->status = tally->see(tally->context, number, layer);
}

static inline uint64_t vat_tally_sum(const vat_tally *tally) {
    uint64_t sum = 0;
    for (unsigned layer = 0; layer < VAT_MAX_PATH; layer++) sum += tally->of_layer[layer];
    return sum;
}

#endif
