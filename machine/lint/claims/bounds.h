/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether accesses stay within arrays whose length is known: variables of the module, and what the job says parameters point to. A proof
 * is one over polynomials (proofs/facts.h); an example is a thread that was sent through the kernel, with its integers as the machine
 * has them (llvm/walk.h).
 */
#ifndef RIFFLE_MACHINE_LINT_CLAIMS_BOUNDS_H
#define RIFFLE_MACHINE_LINT_CLAIMS_BOUNDS_H

#include "machine/lint/claims/sites.h"

typedef enum bounds_verdict {
    BOUNDS_PROVED,   /**< in every launch */
    BOUNDS_NO_LENGTH, /**< the array's length is not known */
    BOUNDS_OPEN,
    BOUNDS_REFUTED, /**< by the example's launch */
    BOUNDS_VERDICTS
} bounds_verdict;

extern const char *const bounds_verdict_names[BOUNDS_VERDICTS];

/** Of one access. */
typedef struct bounds {
    bounds_verdict verdict;
    const char *why; /**< open: what is in the way */
    char *example;   /**< refuted: "element 256 of 256 where threadIdx.x = 256, blockDim.x = 288"; free it */
} bounds;

/** Judges all sites of a kernel, in blocks of these sides (zeros: any). RIFFLE_ERROR_OUT_OF_MEMORY without memory. */
riffle_status bounds_judge(forms *s, const sites *found, const unsigned side[3], bounds *out);

#endif
