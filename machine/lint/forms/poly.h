/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials of integers over symbols, in normal form: what an index is, as 4 blockIdx.x blockDim.x + 4 threadIdx.x. Products of
 * up to four symbols; a sum that outgrows the form is broken, and stays so.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_POLY_H
#define RIFFLE_MACHINE_LINT_FORMS_POLY_H

#include <stdbool.h>
#include <stdint.h>

enum { POLY_TERMS = 24, POLY_DEGREE = 4 };

typedef struct poly_term {
    int64_t factor;
    uint16_t symbol[POLY_DEGREE]; /**< ascending, zeros first: 0 is none */
} poly_term;

typedef struct poly {
    bool broken;
    unsigned terms;
    poly_term term[POLY_TERMS]; /**< in order of their symbols, none with a factor of 0 */
} poly;

poly poly_constant(int64_t value);
poly poly_symbol(uint16_t symbol);
extern const poly poly_broken;

/** a + factor * b, and a * b. */
poly poly_add(const poly *a, const poly *b, int64_t factor);
poly poly_multiply(const poly *a, const poly *b);

/** With another polynomial in the place of a symbol. */
poly poly_replace(const poly *a, uint16_t symbol, const poly *by);

bool poly_equal(const poly *a, const poly *b);

/** True if it has no symbol; *value is its number then. */
bool poly_is_constant(const poly *a, int64_t *value);

/** The term without a symbol. */
int64_t poly_rest(const poly *a);

bool poly_has(const poly *a, uint16_t symbol);

/** The greatest number that divides the factors of all symbols; 0 if there are none. */
uint64_t poly_divisor(const poly *a);

/** What multiplies the symbol: a = result * symbol + others. False if its square is in it. */
bool poly_coefficient(const poly *a, uint16_t symbol, poly *out);

#endif
