/* SPDX-License-Identifier: Apache-2.0
 *
 * What riffle_lint_for_all found: a claim for each access of each kernel.
 */
#ifndef RIFFLE_MACHINE_LINT_CLAIMS_CLAIMS_H
#define RIFFLE_MACHINE_LINT_CLAIMS_CLAIMS_H

#include "machine/lint/claims/bounds.h"

/** An access; equal ones of a line are one. Strings are its own. */
typedef struct claim {
    char *kernel, *file, *array;
    unsigned line;
    report_space space;
    report_op op;
    unsigned bytes;
    char *index; /**< the element that a thread accesses, as far as it is affine */
    claim_verdict verdict;
    unsigned requests, ideal;
    bool always;
    char *example;   /**< "" where there is none */
    const char *why; /**< open: what is in the way, else "" */
    bounds within; /**< whether the array has that element */
} claim;

/** A call of a function that is no part of the kernel's code, as one that calls itself. */
typedef struct claim_call {
    char *kernel, *function;
    unsigned line;
} claim_call;

struct riffle_claims {
    double threshold;
    unsigned side[3]; /**< of the block, zeros: any whose x is a multiple of 32 */
    unsigned kernels;
    size_t claims, capacity, calls, call_capacity;
    claim *claim;
    claim_call *call;
};

extern const char *const claim_verdict_names[CLAIM_VERDICTS];

enum { CLAIM_TEXT = 160 };
/** "coalesced", "32-way bank conflict", "not affine", ... */
const char *claim_say(const claim *one, double threshold, char out[static CLAIM_TEXT]);

/** What the claims hold for. */
void claims_say_assumptions(const riffle_claims *all, FILE *out);

/** How many there are of a verdict. */
size_t claims_count(const riffle_claims *all, claim_verdict verdict);
size_t claims_count_bounds(const riffle_claims *all, bounds_verdict verdict);

#endif
