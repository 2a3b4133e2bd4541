/* SPDX-License-Identifier: Apache-2.0
 *
 * Which options of a command go with which: what is sorted has no --row-length, and --groups needs --group.
 */
#ifndef RIFFLE_CLI_FRAME_FORMS_H
#define RIFFLE_CLI_FRAME_FORMS_H

#include <stdbool.h>

/** A row of a command's table, which a row of zeros ends; what a command is about stands before what says more of it. Lists are names of options with blanks between. */
typedef struct command_form {
    const char *option; /**< where it is given */
    const char *takes;  /**< these alone may be given besides; NULL: all */
    const char *needs;  /**< one of these is; NULL: none need be */
} command_form;

/** The options that were given, NULL-ended, fit the table (NULL: all do); else false, after a complaint that begins with the
 *  command's name. */
bool forms_fit(const char *command, const command_form *forms, const char *const *given);

/** True if the table names no others than these options of the command, NULL-ended. */
bool forms_name(const command_form *forms, const char *const *options);

#endif
