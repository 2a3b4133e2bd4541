/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with units: "50GB/s", "2us".
 */
#ifndef RIFFLE_CLI_FRAME_UNITS_H
#define RIFFLE_CLI_FRAME_UNITS_H

#include "frame/option.h"

#define RATE(member) option_rate, FIELD(double, member)
#define DURATION(member) option_duration, FIELD(double, member)

option_reader option_rate;     /**< bytes a second: a number above 0, and B/s, KB/s, MB/s, GB/s or TB/s */
option_reader option_duration; /**< seconds: a number from 0 on, and s, ms, us or ns */

#endif
