/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

/* A place's transports, in the order in which they are tried. */
typedef struct choice {
    riffle_mpi_transport number;
    const transport *by;
} choice;

static const choice between_gpus[] = {{RIFFLE_MPI_TRANSPORT_AWARE, &transport_aware},
                                      {RIFFLE_MPI_TRANSPORT_NCCL, &transport_nccl},
                                      {RIFFLE_MPI_TRANSPORT_PEERS, &transport_peers},
                                      {RIFFLE_MPI_TRANSPORT_STAGED, &transport_staged},
                                      {0, NULL}},
                    between_hosts[] = {{RIFFLE_MPI_TRANSPORT_PEERS, &transport_shared},
                                       {RIFFLE_MPI_TRANSPORT_AWARE, &transport_host},
                                       {0, NULL}};

static const choice *choices_of(const riffle_mpi_plan *plan) {
    return plan->place == &place_host ? between_hosts : between_gpus;
}

static riffle_status open_one(riffle_mpi_plan *plan, const transport *by) {
    const riffle_status status = by->open != NULL ? by->open(plan) : RIFFLE_OK;
    if (status == RIFFLE_OK)
        plan->by = by;
    else
        by->close(plan);
    return status;
}

static riffle_status open_first(riffle_mpi_plan *plan) {
    const choice *const among = choices_of(plan);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; among[k].by != NULL; k++) {
        const transport *const by = among[k].by;
        status = riffle_mpi_agree(plan->all.comm, by->offer != NULL ? by->offer(plan) : RIFFLE_OK);
        if (status == RIFFLE_OK) status = open_one(plan, by);
        if (status == RIFFLE_OK) break;
        snprintf(plan->refusals[k], sizeof plan->refusals[k], "%s", riffle_error_detail());
    }
    return status;
}

riffle_status transport_open(riffle_mpi_plan *plan, riffle_mpi_transport asked) {
    if (asked == RIFFLE_MPI_TRANSPORT_AUTO) return open_first(plan);
    const choice *one = choices_of(plan);
    while (one->number != asked) one++;
    return open_one(plan, one->by);
}

void transport_explain(const riffle_mpi_plan *plan, FILE *stream) {
    const choice *const among = choices_of(plan);
    fprintf(stream, "  messages by %s: %s\n", plan->by->name, plan->by->words);
    for (unsigned k = 0; among[k].by != NULL; k++)
        if (plan->refusals[k][0] != '\0')
            fprintf(stream, "    not by %s: %s\n", among[k].by->name, plan->refusals[k]);
}
