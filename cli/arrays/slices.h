/* SPDX-License-Identifier: Apache-2.0
 *
 * The value of --view: what stands between the brackets of NumPy's x[::2, 5:20, ::-1]. An entry for each axis is a
 * slice (START:STOP:STEP, each part may be left out), an integer, which takes one index and drops the axis, or once
 * "...", which stands for all axes that the others leave.
 */
#ifndef RIFFLE_CLI_ARRAYS_SLICES_H
#define RIFFLE_CLI_ARRAYS_SLICES_H

#include "arrays/array.h"
#include "frame/option.h"

typedef struct slice {
    enum { SLICE_RANGE, SLICE_INDEX, SLICE_REST } kind;
    bool has_start, has_stop;
    int64_t start, stop, step; /* for an index, start */
} slice;

typedef struct slices {
    unsigned count; /* 0: no view was asked for */
    slice items[RIFFLE_MAX_RANK + 1];
} slices;

/** Reads the text into a field that is a `slices`. */
option_reader option_slices;
#define SLICES(member) option_slices, FIELD(slices, member)

/** Room for why a part cannot be taken. */
enum { SLICES_WHY = 160 };

/** Takes that part of *part, as NumPy does. False, with a sentence in `why`, where the array has no such index or too few
 *  axes. */
bool slices_apply(const slices *wanted, array_part *part, char why[static SLICES_WHY]);

#endif
