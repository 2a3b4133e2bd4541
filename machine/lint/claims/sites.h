/* SPDX-License-Identifier: Apache-2.0
 *
 * The accesses of a kernel to global and shared memory.
 */
#ifndef RIFFLE_MACHINE_LINT_CLAIMS_SITES_H
#define RIFFLE_MACHINE_LINT_CLAIMS_SITES_H

#include "machine/lint/claims/judge.h"

typedef struct sites {
    size_t count, capacity;
    access_site *site;
} sites;

/** Finds them; free sites.site. RIFFLE_ERROR_OUT_OF_MEMORY without memory. */
riffle_status sites_find(forms *s, sites *out);

/** Where in the source an access is. One that the compiler has moved out of a loop, or joined with another, has lost its place: a load is then
 *  where its value is taken, a store at the branch that it is under, or else at the kernel's. */
ir_place sites_place(const forms *s, unsigned value);

/** The function that the kernel calls there if its accesses are not seen for it; else no name. */
ir_name sites_call_unseen(const forms *s, unsigned value);

#endif
