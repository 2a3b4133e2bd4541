/* SPDX-License-Identifier: Apache-2.0
 *
 *     rows -- group --> by group -- each owner's stretch, messages --> a run of each rank, by group -- arrange --> by group, then by rank
 */
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "communicator.h"
#include "parcels.h"

typedef struct grouping {
    communicator all;
    uint64_t n, groups;
    size_t row_bytes;
    const void *rows, *keys;
    riffle_type key_type;
    riffle_mpi_group_options asked;
    riffle_mpi_groups *out;
    uint64_t block;       /* groups of each rank but the last ones */
    uint64_t room;        /* rows in `grouped` */
    void *grouped, *came; /* this rank's rows, and those that all gave it */
    uint64_t *offsets;    /* of this rank's rows */
    uint64_t *counts,
        *others;  /* rows of each group here; of each rank's rows those of each of this rank's groups */
    int *lengths; /* what MPI wants to know of both: four numbers of each rank */
    parcels moved;
} grouping;

static uint64_t first_group_of(const grouping *g, int rank) {
    const uint64_t first = (uint64_t)rank * g->block;
    return first < g->groups ? first : g->groups;
}

static uint64_t groups_of(const grouping *g, int rank) {
    return first_group_of(g, rank + 1) - first_group_of(g, rank);
}

static riffle_status check_arguments(uint64_t n, size_t row_bytes, const void *rows, const void *keys,
                                     riffle_mpi_groups *out) {
    if (out == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out is NULL");
    if (rows == NULL && n > 0 && row_bytes > 0) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "rows is NULL");
    if (keys == NULL && n > 0) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "keys is NULL");
    return RIFFLE_OK;
}

static riffle_status agree_on_groups(MPI_Comm comm, riffle_status own, const grouping *g) {
    const claim claims[] = {
        claim_of_build(),
        {"the bytes of a row", g->row_bytes, true},
        {"the type of keys", (uint64_t)g->key_type, false},
        {"the number of groups", g->groups, true},
        {"options", hash_add(hash_add(3, (uint64_t)g->asked.by), g->asked.plain_bytes), false},
    };
    return agree_on(comm, own, claims, sizeof claims / sizeof *claims);
}

/* ------------------------------------------------------------------ this rank's rows */

static riffle_status allocate(grouping *g, const riffle_group_plan *plan) {
    const size_t ranks = (size_t)g->all.ranks;
    g->block = g->groups / ranks + (g->groups % ranks > 0);
    g->out->groups = groups_of(g, g->all.rank);
    g->out->first_group = first_group_of(g, g->all.rank);
    g->out->row_bytes = g->row_bytes;
    g->room = riffle_group_plan_room(plan);
    g->offsets = calloc(g->groups + 1, sizeof *g->offsets);
    g->counts = calloc(g->groups, sizeof *g->counts);
    g->others = calloc(ranks * (g->out->groups + 1), sizeof *g->others);
    g->lengths = calloc(4 * ranks, sizeof *g->lengths);
    g->out->offsets = calloc(g->out->groups + 1, sizeof *g->out->offsets);
    if (g->offsets == NULL || g->counts == NULL || g->others == NULL || g->lengths == NULL ||
        g->out->offsets == NULL)
        return mpi_fail_memory("counts of groups",
                               (2 * g->groups + (ranks + 1) * (g->out->groups + 1)) * sizeof *g->counts);
    return riffle_buffer_create(g->room * g->row_bytes, &g->grouped);
}

static riffle_status group_own(grouping *g) {
    const riffle_group_options options = {.by = g->asked.by,
                                          .threads = g->asked.threads > 0 ? g->asked.threads : 1};
    riffle_group_plan *plan = NULL;
    uint64_t left_out[2] = {0, 0};
    riffle_status status = riffle_group_plan_create(g->n, g->row_bytes, g->key_type, g->groups,
                                                    RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_OK) status = allocate(g, plan);
    const bool has_rows = g->row_bytes > 0;
    if (status == RIFFLE_OK)
        status = riffle_group_execute(plan, &(riffle_group_arrays){.rows = has_rows ? g->grouped : NULL,
                                                                   .from_rows = has_rows ? g->rows : NULL,
                                                                   .keys = g->keys,
                                                                   .offsets = g->offsets,
                                                                   .counts = g->counts,
                                                                   .left_out = left_out});
    g->out->left_out = left_out[0];
    riffle_group_plan_free(plan);
    return status;
}

/* ------------------------------------------------------------------ between ranks */

/* Each owner learns how many rows of each of its groups all ranks have. */
static riffle_status tell_counts(grouping *g) {
    const int ranks = g->all.ranks;
    int *const given = g->lengths, *const given_at = given + ranks, *const got = given + 2 * ranks,
               *const got_at = given + 3 * ranks;
    for (int k = 0; k < ranks; k++) {
        given[k] = (int)groups_of(g, k);
        given_at[k] = (int)first_group_of(g, k);
        got[k] = (int)g->out->groups;
        got_at[k] = k * (int)g->out->groups;
        g->moved.given[k] = g->offsets[first_group_of(g, k + 1)] - g->offsets[first_group_of(g, k)];
    }
    const riffle_status status = mpi_result(MPI_Alltoallv(g->counts, given, given_at, MPI_UINT64_T, g->others,
                                                          got, got_at, MPI_UINT64_T, g->all.comm),
                                            "MPI_Alltoallv");
    return status == RIFFLE_OK ? parcels_tell(&g->moved) : status;
}

static riffle_status make_room(grouping *g) {
    riffle_status status = riffle_buffer_create(g->moved.total * g->row_bytes, &g->came);
    if (status == RIFFLE_OK) status = riffle_buffer_create(g->moved.total * g->row_bytes, &g->out->rows);
    return status;
}

/* In each group the runs stand in the order of the ranks. */
static riffle_status arrange(grouping *g) {
    const uint64_t groups = g->out->groups;
    uint64_t *const at = calloc(groups + 1, sizeof *at), *const offsets = g->out->offsets;
    if (at == NULL) return mpi_fail_memory("where groups begin", (groups + 1) * sizeof *at);
    for (int k = 0; k < g->all.ranks; k++)
        for (uint64_t j = 0; j < groups; j++) offsets[j + 1] += g->others[(uint64_t)k * groups + j];
    for (uint64_t j = 0; j < groups; j++) {
        offsets[j + 1] += offsets[j];
        at[j] = offsets[j];
    }
    const char *from = g->came;
    for (uint64_t k = 0; k < (uint64_t)g->all.ranks * groups; k++) {
        const uint64_t rows = g->others[k], j = k % groups;
        if (rows > 0) memcpy((char *)g->out->rows + at[j] * g->row_bytes, from, rows * g->row_bytes);
        from += rows * g->row_bytes;
        at[j] += rows;
    }
    free(at);
    return RIFFLE_OK;
}

static riffle_status group_all(grouping *g) {
    const communicator *const all = &g->all;
    const size_t plain_bytes = communicator_plain_bytes(g->asked.plain_bytes);
    riffle_status status = parcels_create(all, plain_bytes, &g->moved);
    if (status == RIFFLE_OK) status = group_own(g);
    status = riffle_mpi_agree(all->comm, status);
    if (status == RIFFLE_OK) status = tell_counts(g);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(all->comm, make_room(g));
    if (status == RIFFLE_OK) status = parcels_carry(&g->moved, g->row_bytes, g->grouped, g->came);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(all->comm, arrange(g));
    if (status == RIFFLE_OK) status = parcels_volume(&g->moved, &g->out->volume, &g->out->messages);
    return status;
}

static void release(grouping *g) {
    riffle_buffer_free(g->grouped, g->room * g->row_bytes);
    riffle_buffer_free(g->came, g->moved.total * g->row_bytes);
    free(g->offsets);
    free(g->counts);
    free(g->others);
    free(g->lengths);
    parcels_free(&g->moved);
    communicator_free(&g->all);
}

riffle_status riffle_mpi_group(uint64_t n, size_t row_bytes, const void *rows, riffle_type key_type,
                               const void *keys, uint64_t groups, MPI_Comm comm,
                               const riffle_mpi_group_options *options, riffle_mpi_groups *out) {
    riffle_mpi_groups result = {.groups = 0};
    grouping g = {.all = {.comm = MPI_COMM_NULL},
                  .n = n,
                  .groups = groups,
                  .row_bytes = row_bytes,
                  .rows = rows,
                  .keys = keys,
                  .key_type = key_type,
                  .out = &result};
    if (options != NULL) g.asked = *options;
    riffle_status status = communicator_check(comm);
    if (status != RIFFLE_OK) return status;
    status = agree_on_groups(comm, check_arguments(n, row_bytes, rows, keys, out), &g);
    if (status == RIFFLE_OK) status = communicator_create(comm, &g.all);
    if (status == RIFFLE_OK) status = group_all(&g);
    const uint64_t came = g.moved.total;
    release(&g);
    if (status == RIFFLE_OK) {
        *out = result;
    } else {
        riffle_buffer_free(result.rows, came * row_bytes);
        free(result.offsets);
    }
    return status;
}

void riffle_mpi_group_free(riffle_mpi_groups *groups) {
    if (groups == NULL) return;
    if (groups->offsets != NULL)
        riffle_buffer_free(groups->rows, groups->offsets[groups->groups] * groups->row_bytes);
    free(groups->offsets);
    *groups = (riffle_mpi_groups){.groups = 0};
}
