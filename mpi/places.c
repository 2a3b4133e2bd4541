/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts that are not affine are completed by what other ranks tell: how many elements come from each, and where they go. Places travel as
 * elements will.
 */
#include "parcels.h"
#include "plan.h"

static riffle_status tell_counts(const riffle_mpi_plan *plan, parcels *p) {
    size_t count;
    const riffle_exchange_message *const list = riffle_exchange_sends(plan->exchange, &count);
    for (size_t k = 0; k < count; k++) p->given[list[k].rank] += list[k].count;
    return parcels_tell(p);
}

static riffle_status tell_places(riffle_mpi_plan *plan, parcels *p) {
    const size_t each = riffle_exchange_place_bytes(plan->exchange);
    void *places = NULL;
    riffle_status status = riffle_mpi_agree(plan->all.comm, riffle_buffer_create(p->total * each, &places));
    if (status == RIFFLE_OK) status = parcels_carry(p, each, riffle_exchange_places(plan->exchange), places);
    if (status == RIFFLE_OK) status = riffle_exchange_finish(plan->exchange, p->got, places);
    riffle_buffer_free(places, p->total * each);
    return status;
}

riffle_status plan_tell_places(riffle_mpi_plan *plan, size_t plain_bytes) {
    parcels p;
    riffle_status status = riffle_mpi_agree(plan->all.comm, parcels_create(&plan->all, plain_bytes, &p));
    if (status == RIFFLE_OK) status = tell_counts(plan, &p);
    if (status == RIFFLE_OK) status = tell_places(plan, &p);
    parcels_free(&p);
    return status;
}
