/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

/* By their numbers, in the order in which they are tried. */
static const transport *const known[] = {[RIFFLE_MPI_TRANSPORT_AWARE] = &transport_aware,
                                         [RIFFLE_MPI_TRANSPORT_NCCL] = &transport_nccl,
                                         [RIFFLE_MPI_TRANSPORT_PEERS] = &transport_peers,
                                         [RIFFLE_MPI_TRANSPORT_STAGED] = &transport_staged};

static riffle_status open_one(riffle_mpi_plan *plan, const transport *by) {
    const riffle_status status = by->open != NULL ? by->open(plan) : RIFFLE_OK;
    if (status == RIFFLE_OK)
        plan->by = by;
    else
        by->close(plan);
    return status;
}

static riffle_status open_first(riffle_mpi_plan *plan) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = RIFFLE_MPI_TRANSPORT_AWARE; k <= RIFFLE_MPI_TRANSPORT_STAGED; k++) {
        status = riffle_mpi_agree(plan->all.comm, known[k]->offer != NULL ? known[k]->offer(plan) : RIFFLE_OK);
        if (status == RIFFLE_OK) status = open_one(plan, known[k]);
        if (status == RIFFLE_OK) break;
        snprintf(plan->refusals[k], sizeof plan->refusals[k], "%s", riffle_error_detail());
    }
    return status;
}

riffle_status transport_open(riffle_mpi_plan *plan, riffle_mpi_transport asked) {
    if (plan->place == &place_host) return open_one(plan, &transport_host);
    return asked == RIFFLE_MPI_TRANSPORT_AUTO ? open_first(plan) : open_one(plan, known[asked]);
}

void transport_explain(const riffle_mpi_plan *plan, FILE *stream) {
    fprintf(stream, "  messages by %s: %s\n", plan->by->name, plan->by->words);
    for (unsigned k = RIFFLE_MPI_TRANSPORT_AWARE; k <= RIFFLE_MPI_TRANSPORT_STAGED; k++)
        if (plan->refusals[k][0] != '\0')
            fprintf(stream, "    not by %s: %s\n", known[k]->name, plan->refusals[k]);
}
