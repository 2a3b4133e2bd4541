/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that an object refers to and that nothing defines.
 */
#ifndef RIFFLE_MACHINE_LINT_OBJECT_UNDEFINED_H
#define RIFFLE_MACHINE_LINT_OBJECT_UNDEFINED_H

#include "riffle.h"

/** Has an object that is not loaded yet take variables, tables of virtual functions and types of classes that a file without the rest of its program
 *  refers to as 0, so that it can be loaded; of a kernel alone those of classes only. RIFFLE_ERROR_IO if the file cannot be changed. */
riffle_status undefined_loosen(const char *path);

/** RIFFLE_ERROR_FORMAT, with its name, if a program's object, loaded from `path`, refers to what neither it nor any library of the process
 *  defines. */
riffle_status undefined_check(const char *path, void *handle);

#endif
