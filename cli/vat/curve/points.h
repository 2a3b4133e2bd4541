/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of `riffle vat curve`: for each program and size what the RAM, the EM and the VAT expect, and what is counted.
 */
#ifndef RIFFLE_CLI_VAT_CURVE_POINTS_H
#define RIFFLE_CLI_VAT_CURVE_POINTS_H

#include "plot/lists.h"
#include "vat/counts.h"

typedef enum curve_column {
    CURVE_RAM,         /**< operations */
    CURVE_EM,          /**< block transfers */
    CURVE_EM_TIME,     /**< T_EM (section 2.1.1), by the levels of --memory */
    CURVE_LEAST,       /**< the VAT's bounds, in faults; of both translations with a host */
    CURVE_MOST,        /**< the upper one */
    CURVE_ACCESSES,    /**< counted, as those below */
    CURVE_FAULTS,      /**< the guest's, where there is a host */
    CURVE_HOST_FAULTS, /**< and its host's */
    CURVE_REFERENCES,  /**< nodes fetched from memory by both: all but roots */
    CURVE_TIME,        /**< an operation costs 1, or all T_EM, and a fault tau */
    CURVE_COLUMNS,
} curve_column;

/** "ram", "em", "em_time"..., ended by NULL. */
extern const char *const curve_columns[CURVE_COLUMNS + 1];

/** True for the columns of formulas. */
bool curve_is_formula(curve_column column);

/** The divisor of all numbers. */
typedef enum curve_per {
    CURVE_PER_TOTAL,
    CURVE_PER_OPERATION,
    CURVE_PER_ELEMENT,
    CURVE_PER_EM,
    CURVE_PERS
} curve_per;

/** "total", "operation", "element", "em", ended by NULL. */
extern const char *const curve_pers[CURVE_PERS + 1];

enum { CURVE_MOST_LEVELS = 8, CURVE_NOTE_ROOM = 256 };

/** A memory hierarchy: levels of so many elements, the time of an access to each, and behind them that of the memory. */
typedef struct curve_memory {
    size_t levels;
    double sizes[CURVE_MOST_LEVELS], times[CURVE_MOST_LEVELS + 1];
    bool is_given;
} curve_memory;

typedef struct curve_request {
    vat_model model;
    word_list programs;
    number_list n;
    curve_memory memory;
    uint64_t seed, replay; /**< programs of up to `replay` operations of the RAM are counted */
    curve_per per;
} curve_request;

typedef struct curve_point {
    riffle_vat_program program;
    uint64_t n;
    double of[CURVE_COLUMNS];   /**< NAN: not known */
    char note[CURVE_NOTE_ROOM]; /**< why there are no bounds, or "" */
} curve_point;

typedef struct curve {
    const curve_request *ask;
    size_t count;
    curve_point *point; /**< by program, then by size */
} curve;

/** Finds all numbers; an exit status, after a complaint if it is another than EXIT_DONE. To be freed with curve_free in any case. */
int curve_run(const curve_request *ask, curve *out);

void curve_free(curve *of);

#endif
