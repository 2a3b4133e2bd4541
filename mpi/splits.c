/* SPDX-License-Identifier: Apache-2.0
 *
 * Boundary b, ahead of rank b + 1's share, is rank b's to find a pivot for.
 */
#include "splits.h"

#include <stdlib.h>
#include <string.h>

/* What travels ahead of an element: of a candidate how much its window has; of a pivot its rank; the element's place. */
typedef struct label {
    uint64_t number, place;
} label;

#define NO_PIVOT UINT64_MAX

typedef struct window {
    uint64_t from, end;         /* in this rank's array */
    uint64_t all_from, all_end; /* the sums over all ranks */
    uint64_t target;            /* elements ahead of the boundary, of all ranks */
} window;

typedef struct search {
    const splits *of;
    size_t elem_bytes, ranks, parcel; /* bytes of a label and its element */
    window *windows;                  /* of each boundary; the last entry is unused */
    char *given, *got;                /* parcel k is for, or from, rank k */
    char *elements;                   /* what came without its labels, in line */
    label *labels;
    uint64_t *order;             /* the candidates' */
    uint64_t *ahead, *all_ahead; /* of each boundary; the last entry is not 0 where a rank failed */
    riffle_status status;        /* this rank's own */
} search;

static riffle_status allocate(search *s) {
    const size_t ranks = s->ranks;
    s->windows = calloc(ranks, sizeof *s->windows);
    s->given = calloc(2 * ranks, s->parcel);
    s->labels = calloc(ranks, sizeof *s->labels);
    s->order = calloc(3 * ranks, sizeof *s->order);
    void *elements = NULL;
    const riffle_status status = riffle_buffer_create(ranks * s->elem_bytes, &elements);
    if (status != RIFFLE_OK) return status;
    s->elements = elements;
    if (s->windows == NULL || s->given == NULL || s->labels == NULL || s->order == NULL)
        return mpi_fail_memory("windows of pivots", ranks * (sizeof *s->windows + 2 * s->parcel));
    s->got = s->given + ranks * s->parcel;
    s->ahead = s->order + ranks;
    s->all_ahead = s->order + 2 * ranks;
    return RIFFLE_OK;
}

static void release(search *s) {
    riffle_buffer_free(s->elements, s->ranks * s->elem_bytes);
    free(s->windows);
    free(s->given);
    free(s->labels);
    free(s->order);
}

/* A window closes where one of its ends is the boundary. */
static void close_window(window *w) {
    if (w->all_from == w->target) {
        w->end = w->from;
        w->all_end = w->all_from;
    } else if (w->all_end == w->target) {
        w->from = w->end;
        w->all_from = w->all_end;
    }
}

static void open_windows(const search *s) {
    uint64_t n = 0, target = 0;
    for (size_t k = 0; k < s->ranks; k++) n += s->of->share[k];
    for (size_t b = 0; b + 1 < s->ranks; b++) {
        target += s->of->share[b];
        s->windows[b] = (window){.end = s->of->n, .all_end = n, .target = target};
        close_window(&s->windows[b]);
    }
}

static bool are_closed(const search *s) {
    for (size_t b = 0; b + 1 < s->ranks; b++)
        if (s->windows[b].all_from < s->windows[b].all_end) return false;
    return true;
}

static void write_parcel(const search *s, size_t k, label l, const void *element) {
    char *const to = s->given + k * s->parcel;
    memcpy(to, &l, sizeof l);
    if (element != NULL) memcpy(to + sizeof l, element, s->elem_bytes);
}

static void read_parcels(const search *s) {
    for (size_t k = 0; k < s->ranks; k++) {
        memcpy(&s->labels[k], s->got + k * s->parcel, sizeof(label));
        memcpy(s->elements + k * s->elem_bytes, s->got + k * s->parcel + sizeof(label), s->elem_bytes);
    }
}

/* The middle of each window goes to the boundary's rank. */
static riffle_status offer_candidates(const search *s) {
    for (size_t b = 0; b < s->ranks; b++) {
        const window *const w = &s->windows[b];
        const uint64_t middle = w->from + (w->end - w->from) / 2;
        const void *const element =
            w->from < w->end ? (const char *)s->of->sorted + middle * s->elem_bytes : NULL;
        write_parcel(s, b, (label){w->end - w->from, middle}, element);
    }
    const riffle_status status = mpi_result(
        MPI_Alltoall(s->given, (int)s->parcel, MPI_BYTE, s->got, (int)s->parcel, MPI_BYTE, s->of->all->comm),
        "MPI_Alltoall");
    read_parcels(s);
    return status;
}

/* Ranks whose windows are closed sent nothing. A comparison of the user's sees elements of the array alone: one that divides by them may do
 * so. */
static void fill_places_of_none(const search *s) {
    size_t some = 0;
    while (s->labels[some].number == 0) some++;
    for (size_t k = 0; k < s->ranks; k++)
        if (s->labels[k].number == 0)
            memcpy(s->elements + k * s->elem_bytes, s->elements + some * s->elem_bytes, s->elem_bytes);
}

/* The weighted median of what came to this rank, for all ranks. */
static void choose_pivot(search *s) {
    uint64_t weight = 0, ahead = 0;
    for (size_t k = 0; k < s->ranks; k++) weight += s->labels[k].number;
    write_parcel(s, 0, (label){NO_PIVOT, 0}, NULL);
    if (weight == 0) return;
    fill_places_of_none(s);
    s->status =
        riffle_sort_execute(s->of->pivot, &(riffle_sort_arrays){.indices = s->order, .from_keys = s->elements});
    for (size_t k = 0; s->status == RIFFLE_OK && k < s->ranks; k++) {
        const uint64_t candidate = s->order[k];
        ahead += s->labels[candidate].number;
        if (ahead < weight - ahead) continue;
        write_parcel(s, 0, (label){candidate, s->labels[candidate].place},
                     s->elements + candidate * s->elem_bytes);
        return;
    }
}

static riffle_status tell_pivots(const search *s) {
    const riffle_status status = mpi_result(
        MPI_Allgather(s->given, (int)s->parcel, MPI_BYTE, s->got, (int)s->parcel, MPI_BYTE, s->of->all->comm),
        "MPI_Allgather");
    read_parcels(s);
    return status;
}

/* How many of this rank's elements are not behind boundary b's pivot, the pivot itself among them. */
static uint64_t ahead_of(search *s, size_t b) {
    const label *const pivot = &s->labels[b];
    const window *const w = &s->windows[b];
    const uint64_t own = (uint64_t)s->of->all->rank;
    if (pivot->number == own) return pivot->place + 1;
    uint64_t within = 0;
    const riffle_status status =
        riffle_sort_search(s->of->order, (const char *)s->of->sorted + w->from * s->elem_bytes,
                           w->end - w->from, s->elements + b * s->elem_bytes, 1,
                           own < pivot->number ? RIFFLE_SORT_SIDE_RIGHT : RIFFLE_SORT_SIDE_LEFT, &within);
    if (status != RIFFLE_OK) s->status = status;
    return w->from + within;
}

static riffle_status add_ahead(search *s) {
    for (size_t b = 0; b + 1 < s->ranks; b++)
        s->ahead[b] = s->labels[b].number != NO_PIVOT ? ahead_of(s, b) : s->windows[b].from;
    s->ahead[s->ranks - 1] = s->status != RIFFLE_OK;
    const riffle_status status = mpi_result(
        MPI_Allreduce(s->ahead, s->all_ahead, (int)s->ranks, MPI_UINT64_T, MPI_SUM, s->of->all->comm),
        "MPI_Allreduce");
    if (status != RIFFLE_OK || s->all_ahead[s->ranks - 1] == 0) return status;
    return riffle_mpi_agree(s->of->all->comm, s->status);
}

/* The pivot leaves its window in either case. */
static void narrow_windows(const search *s) {
    for (size_t b = 0; b + 1 < s->ranks; b++) {
        window *const w = &s->windows[b];
        const label *const pivot = &s->labels[b];
        if (pivot->number == NO_PIVOT) continue;
        if (s->all_ahead[b] <= w->target) {
            w->from = s->ahead[b];
            w->all_from = s->all_ahead[b];
        } else {
            w->end = s->ahead[b] - (pivot->number == (uint64_t)s->of->all->rank);
            w->all_end = s->all_ahead[b] - 1;
        }
        close_window(w);
    }
}

static riffle_status go_round(search *s) {
    riffle_status status = offer_candidates(s);
    if (status != RIFFLE_OK) return status;
    choose_pivot(s);
    status = tell_pivots(s);
    if (status == RIFFLE_OK) status = add_ahead(s);
    if (status == RIFFLE_OK) narrow_windows(s);
    return status;
}

riffle_status splits_plan(const riffle_sort_key *key, int ranks, riffle_sort_plan **out) {
    const riffle_sort_options options = {.index_bytes = sizeof(uint64_t), .threads = 1};
    return riffle_sort_plan_create((uint64_t)ranks, key, RIFFLE_ENGINE_CPU, &options, out);
}

riffle_status splits_find(const splits *of, uint64_t *counts, unsigned *rounds) {
    search s = {.of = of,
                .elem_bytes = of->elem_bytes,
                .ranks = (size_t)of->all->ranks,
                .parcel = sizeof(label) + of->elem_bytes};
    riffle_status status = riffle_mpi_agree(of->all->comm, allocate(&s));
    if (status == RIFFLE_OK) open_windows(&s);
    for (*rounds = 0; status == RIFFLE_OK && !are_closed(&s); ++*rounds) status = go_round(&s);
    uint64_t begin = 0;
    for (size_t k = 0; status == RIFFLE_OK && k < s.ranks; k++) {
        const uint64_t end = k + 1 < s.ranks ? s.windows[k].from : of->n;
        counts[k] = end - begin;
        begin = end;
    }
    release(&s);
    return status;
}
