/* SPDX-License-Identifier: Apache-2.0
 *
 * One program at one size: timed, costed by the closed forms, and replayed.
 */
#ifndef RIFFLE_CLI_VAT_MEASURE_ROW_H
#define RIFFLE_CLI_VAT_MEASURE_ROW_H

#include "vat/measure/measure.h"

/** The least n whose array is the largest one within `bytes`; 0 if none is. */
uint64_t vat_row_fitting(riffle_vat_program program, uint64_t bytes);

/** Measures row->program for row->n in `array`: runs it once, or for a moment if it is short, and keeps the
 *  fastest of these runs and those that *row has already; replays it unless *row was. *once is what preparing
 *  and running it once took. False after a complaint. */
bool vat_row_measure(const vat_machine *machine, const vat_settings *settings, uint64_t *array, vat_row *row,
                     vat_effort *once);

#endif
