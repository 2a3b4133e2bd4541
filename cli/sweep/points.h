/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep: every combination of the values that were given, each a point with one number.
 *
 *     what x algorithm x elem-bytes x width x ... x n      n changes first
 */
#ifndef RIFFLE_CLI_SWEEP_POINTS_H
#define RIFFLE_CLI_SWEEP_POINTS_H

#include "plot/lists.h"

typedef enum sweep_what { SWEEP_PREDICTED, SWEEP_COUNTED, SWEEP_MEASURED, SWEEP_WHATS } sweep_what;

/** The numbers that are swept, in the order of the table's columns. */
typedef enum sweep_parameter {
    SWEEP_N,
    SWEEP_ELEM_BYTES,
    SWEEP_WIDTH,
    SWEEP_LATENCY,
    SWEEP_SHARED_LATENCY,
    SWEEP_DMMS,
    SWEEP_PARAMETERS
} sweep_parameter;

enum { SWEEP_MOST_POINTS = 1 << 14, SWEEP_NOTE_ROOM = 256 };

typedef struct sweep_request {
    const char *by;
    word_list what, algorithm;
    number_list values[SWEEP_PARAMETERS];
    unsigned threads, repeat; /* a measurement's; 0: not said */
} sweep_request;

typedef struct sweep_point {
    sweep_what what;
    riffle_algorithm algorithm;
    uint64_t at[SWEEP_PARAMETERS];
    bool has_value, is_exact;
    double value;               /**< time units; seconds where it is measured */
    double bound;               /**< time units that no algorithm can beat; seconds of a copy */
    char note[SWEEP_NOTE_ROOM]; /**< why there is no value, or "" */
} sweep_point;

typedef struct sweep {
    const sweep_request *ask;
    size_t count;
    sweep_point *point;
} sweep;

/** "n", "elem_bytes"...; in options with a dash. And "predicted"... */
extern const char *const sweep_columns[SWEEP_PARAMETERS + 1], *const sweep_whats[SWEEP_WHATS + 1];

/** True for those that a measurement knows nothing of. */
bool sweep_is_of_model(sweep_parameter parameter);

/** The request's points without their numbers; false after a complaint. To be freed with sweep_free, whatever is returned. */
bool sweep_lay_out(const sweep_request *ask, sweep *out);

/** Fills the numbers in, by the library's calls for one point each. Another status than EXIT_DONE after a complaint; what an
 *  algorithm cannot do leaves a point without a number, and its note says why. */
int sweep_run(sweep *s);

void sweep_free(sweep *s);

/** True for a failure at one point that says nothing of others: an algorithm or a length that does not fit. */
bool sweep_leaves_hole(riffle_status status);

#endif
