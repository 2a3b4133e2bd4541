/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that an object refers to and that nothing defines.
 */
#ifndef RIFFLE_MACHINE_LINT_OBJECT_UNDEFINED_H
#define RIFFLE_MACHINE_LINT_OBJECT_UNDEFINED_H

#include "riffle.h"

/** Has an object that is not loaded yet take variables, tables of virtual functions, types of classes and functions' addresses that a file without the rest of its
 *  program refers to as 0, so that it can be loaded; variables not for a kernel alone, which may read them. RIFFLE_ERROR_IO if the file cannot be changed. */
riffle_status undefined_loosen(const char *path);

/** Calls `take` with each name that an object file refers to and does not define, but for shared arrays'. */
riffle_status undefined_each(const char *path, void (*take)(const char *name, void *context), void *context);

/** RIFFLE_ERROR_FORMAT, with its name, if a program's object, loaded from `path`, refers to what neither it nor any library of the process
 *  defines. */
riffle_status undefined_check(const char *path, void *handle);

/** RIFFLE_ERROR_FORMAT if a program's object, which need not be loaded, has no main; `source` is what the message names. */
riffle_status undefined_main(const char *path, const char *source);

#endif
