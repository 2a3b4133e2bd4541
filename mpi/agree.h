/* SPDX-License-Identifier: Apache-2.0
 *
 * All ranks come to one status: the first failing rank's, with its words; or they see that they ask for unlike things.
 */
#ifndef RIFFLE_MPI_AGREE_H
#define RIFFLE_MPI_AGREE_H

#include "words.h"

/** Something that all ranks must have alike. */
typedef struct claim {
    const char *name; /**< in messages */
    uint64_t value;
    bool is_number; /**< false: a hash, which messages do not show */
} claim;

/** On all ranks: riffle_mpi_agree, and then RIFFLE_ERROR_INVALID_ARGUMENT for the first claim that ranks have unlike. */
riffle_status agree_on(MPI_Comm comm, riffle_status own, const claim *claims, unsigned count);

/** All ranks have one build of this library. */
claim claim_of_build(void);

/** Takes a number into a hash. */
uint64_t hash_add(uint64_t hash, uint64_t value);

/** Takes a text into a hash, NULL as an empty one. */
uint64_t hash_text(uint64_t hash, const char *text);

#endif
