/* SPDX-License-Identifier: Apache-2.0
 *
 * A prediction as explain prints it: a row a launch, or a part of a JSON document.
 */
#ifndef RIFFLE_DEVICE_PREDICT_TABLE_H
#define RIFFLE_DEVICE_PREDICT_TABLE_H

#include <stdio.h>

#include "device/predict/predict.h"

/** Prints the machine, its launches, their sum, and how the numbers are to be taken; that nothing is known, if so. */
void prediction_print(const prediction *p, const riffle_machine_options *machine, FILE *stream);

/** The same as members of a JSON object: "model", "time_units", "meaning" and "launches", those null and none where nothing is known. */
void prediction_print_json(const prediction *p, const riffle_machine_options *machine, FILE *stream);

#endif
