/* SPDX-License-Identifier: Apache-2.0
 *
 * All ranks give each other elements, so many to each: what a rank gives lies in the order of the ranks that get it, and what it gets in
 * the order of those that gave it.
 */
#ifndef RIFFLE_MPI_PARCELS_H
#define RIFFLE_MPI_PARCELS_H

#include "communicator.h"

typedef struct parcels {
    communicator all;                   /**< the caller's */
    size_t plain_bytes;                 /**< see riffle_mpi_options */
    uint64_t *given, *got;              /**< elements to each rank, and from each */
    uint64_t total;                     /**< of `got` */
    uint64_t sent_bytes, sent_messages; /**< to others, so far */
} parcels;

/** Makes room for the counts, zeros, which the caller fills in. On all ranks; free them with parcels_free, failed or not. */
riffle_status parcels_create(const communicator *all, size_t plain_bytes, parcels *out);
void parcels_free(parcels *p);

/** Fills in `got` and `total` once all ranks have filled in `given`. On all ranks. */
riffle_status parcels_tell(parcels *p);

/** What has been sent so far counts no more. */
void parcels_forget(parcels *p);

/** What all ranks have sent to others so far. On all ranks. */
riffle_status parcels_volume(const parcels *p, uint64_t *bytes, uint64_t *messages);

/** Carries elements; `to` has room for p->total of them. On all ranks. */
riffle_status parcels_carry(parcels *p, size_t elem_bytes, const void *from, void *to);

#endif
