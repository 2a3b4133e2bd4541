/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of --wisdom: what --effort measure found before, and finds.
 */
#ifndef RIFFLE_CLI_ARRAYS_WISDOM_H
#define RIFFLE_CLI_ARRAYS_WISDOM_H

#include <stdbool.h>

#include "riffle.h"

/** False, after a complaint, if options of measuring stand without --effort measure. `file` is --wisdom's, or NULL. */
bool wisdom_is_meant(const riffle_plan_options *options, const char *file);

/** Takes the file in, if there is one of that name. */
riffle_status wisdom_take(const char *file);

/** Writes all that is known to the file, if one is named. */
riffle_status wisdom_put(const char *file);

#endif
