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
#ifndef RIFFLE_MACHINE_LINT_FORMS_FORM_H
#define RIFFLE_MACHINE_LINT_FORMS_FORM_H

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

typedef struct forms {
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
} forms;

riffle_status forms_begin(forms *s, const ir_module *m, const ir_function *f, const char *folder);
void forms_free(forms *s);

/** The form of a value; the pointer holds until the next call. */
form forms_of(forms *s, unsigned value);

/** What a value depends on. */
unsigned forms_depends(forms *s, unsigned value);

/** The same of a form where it is used, in that block: a value of a loop that its threads leave in different turns depends on them. */
unsigned forms_depends_at(forms *s, const form *one, unsigned block);

#endif
