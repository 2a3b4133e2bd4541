/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands behind `riffle vat`.
 */
#ifndef RIFFLE_CLI_VAT_H
#define RIFFLE_CLI_VAT_H

#include "frame/command.h"

extern const command vat_replay_command;
extern const command vat_run_command;
extern const command vat_curve_command;
extern const command vat_measure_command;

#endif
