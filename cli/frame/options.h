/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line. A command's options are a table of records (option.h). One loop reads the options, and --help is
 * printed from the table, so that a new option is a line.
 */
#ifndef RIFFLE_CLI_FRAME_OPTIONS_H
#define RIFFLE_CLI_FRAME_OPTIONS_H

#include "frame/command.h"

/** Reads argv by the command's table into *request, and what is no option into its operands. False where the
 *  command ends here, with *exit_status: something is wrong and has been complained about, or --help was given.
 *  For a group of commands it reads the options before a command's name, where getopt's optind is then. */
bool options_read(const command *asked, int argc, char **argv, void *request, int *exit_status);

/** False, after a complaint, if one of the words is no name of a file. options_read has looked at a command's operands
 *  already, unless they are ANY_OPERANDS. */
bool options_check_names(const command *asked, char *const *words, unsigned count);

#endif
