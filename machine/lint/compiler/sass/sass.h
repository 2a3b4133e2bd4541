/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the widths of accesses from the machine code, with line information, that nvcc makes of a user's file.
 *
 *     FILE.cu --nvcc -lineinfo -cubin--> nvcc.cubin --nvdisasm -g--> text --> widths of lines
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_SASS_SASS_H
#define RIFFLE_MACHINE_LINT_COMPILER_SASS_SASS_H

#include "base/folder/folder.h"
#include "machine/count/widths.h"
#include "riffle/machine.h"

/** Compiles the job's files by job->nvcc and reads all widths; widths_free frees them. RIFFLE_ERROR_UNSUPPORTED if nvcc or nvdisasm,
 *  which lies beside it or is found as a command, cannot be started, RIFFLE_ERROR_FORMAT if nvcc does not take a file. */
riffle_status lint_sass_widths(const riffle_lint_job *job, const private_folder *folder, line_widths *out);

/** The same of nvdisasm's text. False without memory. */
bool lint_sass_read(const char *text, line_widths *out);

#endif
