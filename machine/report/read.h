/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows and hazards of a report from the JSON document that one was printed as.
 */
#ifndef RIFFLE_MACHINE_REPORT_READ_H
#define RIFFLE_MACHINE_REPORT_READ_H

#include "machine/count/report.h"

/** RIFFLE_ERROR_FORMAT says at which byte the text is none; `name` is for messages. */
riffle_status report_read(const char *name, const char *text, riffle_report **out);

#endif
