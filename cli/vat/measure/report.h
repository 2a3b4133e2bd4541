/* SPDX-License-Identifier: Apache-2.0
 *
 * How what was measured is printed: a table and the fits for people, one JSON document, or CSV. docs/vat.md
 * lists the fields.
 */
#ifndef RIFFLE_CLI_VAT_MEASURE_REPORT_H
#define RIFFLE_CLI_VAT_MEASURE_REPORT_H

#include "vat/measure/measure.h"

void vat_report_text(const vat_run *run);
void vat_report_json(const vat_run *run);
void vat_report_csv(const vat_run *run);

/** On stderr: which programs had no time for all sizes, and pages that the system did not grant. */
void vat_report_gaps(const vat_run *run);

#endif
