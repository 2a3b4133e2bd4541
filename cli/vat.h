/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands behind `riffle vat`. Each runs with argv[0] its full name ("vat replay") and getopt restarted, and
 * returns an exit status.
 */
#ifndef RIFFLE_CLI_VAT_H
#define RIFFLE_CLI_VAT_H

/** Counts the faults of a trace (vat_replay.c). */
int vat_replay_command(int argc, char **argv);

/** Times the model's programs on this machine (vat_measure.c). */
int vat_measure_command(int argc, char **argv);

#endif
