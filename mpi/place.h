/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a rank's arrays lie, with the rooms for its messages, and what moves them there: the host, or the rank's GPU. Work on a GPU is queued on
 * the plan's stream.
 */
#ifndef RIFFLE_MPI_PLACE_H
#define RIFFLE_MPI_PLACE_H

#include "words.h"

typedef struct place {
    riffle_engine engine;
    const char *words;                            /* in explanations */
    riffle_status (*open)(riffle_mpi_plan *plan); /* NULL: there is nothing to open, or to close */
    void (*close)(riffle_mpi_plan *plan);
    void (*settle)(
        const riffle_mpi_plan *plan); /* waits until the rooms are used no more; NULL: they never are */
    riffle_status (*allocate)(const riffle_mpi_plan *plan, size_t bytes, void **out);
    void (*release)(const riffle_mpi_plan *plan, void *at, size_t bytes);
    /* That an array is there; NULL: nobody can tell. */
    riffle_status (*check)(const riffle_mpi_plan *plan, const char *what, const void *at);
    riffle_status (*run)(const riffle_mpi_plan *plan, const riffle_plan *step, void *to, const void *from);
    riffle_status (*copy)(const riffle_mpi_plan *plan, void *to, const void *from, size_t bytes);
} place;

extern const place place_host, place_gpu;

#endif
