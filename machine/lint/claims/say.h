/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials, names and examples as people write them: "blockIdx.x * blockDim.x + threadIdx.x", "tile", "n = 33".
 */
#ifndef RIFFLE_MACHINE_LINT_CLAIMS_SAY_H
#define RIFFLE_MACHINE_LINT_CLAIMS_SAY_H

#include <stdio.h>

#include "machine/lint/claims/judge.h"

/** Of a polynomial of bytes the number of elements of that size; in bytes where it is no multiple. */
void say_index(const forms *s, const poly *a, unsigned bytes, FILE *out);

void say_poly(const forms *s, const poly *a, FILE *out);

/** "n = 33, blockIdx.x = 1" */
void say_example(const forms *s, const example *one, FILE *out);

/** The array that an address counts from. */
void say_array(const forms *s, const form *address, FILE *out);

#endif
