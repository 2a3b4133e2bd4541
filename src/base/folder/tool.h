/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of a compiler, or of another program that a user's text is put through.
 */
#ifndef RIFFLE_BASE_FOLDER_TOOL_H
#define RIFFLE_BASE_FOLDER_TOOL_H

#include <stdbool.h>

#include "base/folder/folder.h"

/** Runs the words, NULL behind the last, to the program's end, with all that it says, in English, in the file `output` of the
 *  folder, where its own temporary files are too. RIFFLE_ERROR_UNSUPPORTED if it cannot be started; `remedy` says what to do then.
 *  RIFFLE_ERROR_IO if memory, files or processes were wanting. If this process ends meanwhile the program is ended too. */
riffle_status tool_run(const private_folder *folder, const char *const *words, const char *output,
                       const char *remedy, int *wait_status);

/** True if a tool that has failed lacked memory, disk space, files or processes, or was killed, or refused its flags, and so has said
 *  nothing of what it was given. */
bool tool_lacked_means(int wait_status, const char *messages);

/** Fails with RIFFLE_ERROR_IO, which is what to say then, or of flags with RIFFLE_ERROR_UNSUPPORTED. */
riffle_status tool_fail_means(const char *tool, int wait_status, const char *messages);

#endif
