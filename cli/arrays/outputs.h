/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that a command writes, from their making to the moment that they take their places:
 *
 *     make     each beside its final name, under a hidden one
 *     place    all are synced; then what is a pipe is written; then all are renamed, the first one last
 *
 * So whatever fails before the first rename leaves every name as it was. A file that is replaced by what was made of it is looked at
 * once more before that: what somebody else has put or written there meanwhile stays. Every end of the command removes what is hidden
 * (unfinished.h).
 */
#ifndef RIFFLE_CLI_ARRAYS_OUTPUTS_H
#define RIFFLE_CLI_ARRAYS_OUTPUTS_H

#include <stdbool.h>

#include "arrays/file_state.h"
#include "frame/progress.h"
#include "riffle/group.h"
#include "riffle/npy.h"

/* A group has the most: OUT, three files of numbers, and columns. */
enum { OUTPUTS_MOST = 4 + RIFFLE_GROUP_MAX_COLUMNS };

/** All zeros at first. */
typedef struct outputs {
    unsigned count;
    riffle_npy_output *file[OUTPUTS_MOST]; /**< NULL once it is in its place, or given up */
    const char *path[OUTPUTS_MOST];
    const char *
        pipe; /**< the name of what is there and no regular file, such as a pipe, and is written itself; or NULL */
    char *text; /**< for the pipe */
    size_t text_bytes;
    const char *replaced; /**< the file that was read and whose place the first one takes, or NULL */
    file_state before;    /**< that file's */
} outputs;

/** The first file is made of the one at `path`, and takes its place only if that is still there, as it is now. */
void outputs_replace(outputs *all, const char *path);

/** Makes the next file. */
riffle_status outputs_make(outputs *all, const char *path, const riffle_npy_header *header,
                           const riffle_npy_input *input);

/** The next file is a text, which comes from malloc and is freed when it is needed no more, also after a failure. */
riffle_status outputs_make_text(outputs *all, const char *path, char *text, size_t bytes);

/** Puts all into their places. Returns the exit status, having ended the line and said what failed and what the files hold. */
int outputs_place(outputs *all, progress *line);

/** Gives up what is not in its place. */
void outputs_give_up(outputs *all);

#endif
