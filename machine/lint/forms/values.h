/* SPDX-License-Identifier: Apache-2.0
 *
 * What each value of a kernel is: a polynomial over symbols, and for an address the array that it counts from. Recurrences of loops are
 * solved where a turn adds the same (Bachmann, Wang, Zima 1994; "scalar evolution" in compilers):
 *
 *     i = phi [init, ...], [i + step, ...]   ->   init + step * turn
 *
 * Sums, products and widenings are taken as those of integers: indices do not wrap around. Arithmetic with numbers so large
 * that it is meant to (hashes) gives a value of which nothing is known but what it depends on.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_VALUES_H
#define RIFFLE_MACHINE_LINT_FORMS_VALUES_H

#include "machine/lint/forms/symbols.h"

typedef enum form_base {
    BASE_NONE,     /**< a number */
    BASE_GLOBAL,   /**< a variable of the module */
    BASE_ARGUMENT, /**< where the parameter points */
    BASE_LOADED,   /**< where a value that was read points */
    BASE_COPY,     /**< a structure that is a parameter */
    BASE_OWN,      /**< the thread's own memory */
    BASE_UNKNOWN,
} form_base;

typedef struct form {
    form_base base;
    unsigned number;  /**< a global's, or of the value that the base is */
    unsigned depends; /**< of the base */
    poly at;          /**< the number, or bytes behind the base */
} form;

typedef struct forms forms;

struct forms {
    const ir_module *m;
    const ir_function *f;
    graph g;
    symbols symbols;
    const char *folder; /**< where the machine's headers are */
    form **memo;        /**< of each value, NULL: not yet */
    form **solved;      /**< of each phi that begins a loop's turn */
    unsigned *sticky;   /**< what each of these has turned out to depend on */
    unsigned *log;      /**< values in the order in which their forms were found */
    size_t logged;
    unsigned depth;
    bool no_memory;
    form (*of)(forms *s, unsigned value); /**< forms_of, for what it takes for itself */
};

/** Keeps the form of a value, until forms_forget of a number of values that were kept before. */
void forms_keep(forms *s, unsigned value, const form *one);
void forms_forget(forms *s, size_t since);

/** A number of which only this is known. */
form forms_other(forms *s, unsigned value, unsigned depends);

/** What a value depends on, or all of its operands do. */
unsigned forms_depends(forms *s, unsigned value);
unsigned forms_depends_of_operands(forms *s, const ir_value *v);

#endif
