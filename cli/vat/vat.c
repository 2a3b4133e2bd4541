/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat: what address translation costs. The group of its commands.
 */
#include "vat/vat.h"

static const command *const commands[] = {&vat_replay_command, &vat_run_command, &vat_curve_command,
                                          &vat_measure_command, NULL};

const command vat_command = {
    .name = "vat",
    .summary = "count or measure what address translation costs",
    .usage = "COMMAND [ARGUMENT]...\n"
             "       riffle vat COMMAND --help",
    .about = "Counts what address translation costs a program, by the VAT model: to reach\n"
             "a page is to walk down a tree of page tables, and nodes of the tree that are\n"
             "not in the translation cache are faults.\n",
    .commands = commands,
};
