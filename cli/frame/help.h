/* SPDX-License-Identifier: Apache-2.0
 *
 * --help, printed from a command's record and its table of options.
 */
#ifndef RIFFLE_CLI_FRAME_HELP_H
#define RIFFLE_CLI_FRAME_HELP_H

#include <stdio.h>

#include "frame/command.h"

/** The last word of a command's name, by which it is called. */
const char *help_word(const command *asked);

void help_print(const command *asked, FILE *stream);

/** On stdout; returns an exit status. */
int help_show(const command *asked);

/** The option that every command has. */
extern const command_option help_option;

#endif
