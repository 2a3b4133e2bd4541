/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */
#include "arrays/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays/unfinished.h"
#include "frame/exit.h"
#include "frame/message.h"

/* ------------------------------------------------------------------- making */

void outputs_replace(outputs *all, const char *path) {
    all->replaced = path;
    all->before = file_state_now(path);
}

riffle_status outputs_make(outputs *all, const char *path, const riffle_npy_header *header,
                           const riffle_npy_input *input) {
    unfinished_watch(all->file, OUTPUTS_MOST);
    all->path[all->count] = path;
    return riffle_npy_output_create(path, header, input, &all->file[all->count++]);
}

static bool is_written_itself(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode);
}

riffle_status outputs_make_text(outputs *all, const char *path, char *text, size_t bytes) {
    unfinished_watch(all->file, OUTPUTS_MOST);
    if (is_written_itself(path)) {
        all->pipe = path;
        all->text = text;
        all->text_bytes = bytes;
        return RIFFLE_OK;
    }
    riffle_npy_output **const file = &all->file[all->count];
    all->path[all->count++] = path;
    const riffle_status status = riffle_npy_output_create_bare(path, bytes, NULL, file);
    if (status == RIFFLE_OK) memcpy(riffle_npy_output_data(*file), text, bytes);
    free(text);
    return status;
}

/* ------------------------------------------------------------------ placing */

/* Returns the number of the file that did not reach the disk, with its status; the count of all if none failed. */
static unsigned sync_all(const outputs *all, riffle_status *status) {
    unfinished_hold_first();
    for (unsigned k = 0; k < all->count; ++k) {
        *status = riffle_npy_output_sync(all->file[k]);
        if (*status != RIFFLE_OK) return k;
    }
    return all->count;
}

static bool write_all(int fd, const char *text, size_t bytes) {
    while (bytes > 0) {
        const ssize_t written = write(fd, text, bytes);
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
    return true;
}

/* A pipe may have no reader for long: signals end the command meanwhile. */
static bool write_pipe(const outputs *all) {
    if (all->pipe == NULL) return true;
    unfinished_release();
    const int fd = open(all->pipe, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool works = write_all(fd, all->text, all->text_bytes);
    const int reason = errno;
    const bool is_closed = close(fd) == 0;
    if (!works) errno = reason;
    return works && is_closed;
}

static bool is_changed_by_others(const outputs *all) {
    return all->replaced != NULL && !file_state_is(&all->before, all->replaced);
}

/* Renames from the last to the first. Returns how many have kept their names: 0, or the number of the one that failed, from 1. */
static unsigned rename_all(outputs *all, bool changes_owner[static OUTPUTS_MOST], riffle_status *status) {
    unsigned left = all->count;
    unfinished_hold_all();
    for (*status = RIFFLE_OK; left > 0; left--) {
        riffle_npy_output *const file = all->file[left - 1];
        changes_owner[left - 1] = riffle_npy_output_changes_owner(file);
        *status = riffle_npy_output_commit(file);
        all->file[left - 1] = NULL;
        if (*status != RIFFLE_OK) break;
    }
    return left;
}

/* File `left`, counted from 1, could not be renamed; the one behind it is in its place. */
static int complain_place(const outputs *all, unsigned left, riffle_status status) {
    const char *const failed = all->path[left - 1];
    if (left == all->count) return complain_status(failed, status);
    complain("%s; %s holds this run's result, and %s %s: the two do not belong together", riffle_error_detail(),
             all->path[left], failed, unfinished_claim());
    return EXIT_FAILED;
}

static void complain_owners(const outputs *all, const bool changes_owner[static OUTPUTS_MOST]) {
    for (unsigned k = all->count; k-- > 0;) {
        if (changes_owner[k])
            complain("%s: has another owner or group than the file that it replaces, which only root can keep; "
                     "see chown(1)",
                     all->path[k]);
    }
}

int outputs_place(outputs *all, progress *line) {
    bool changes_owner[OUTPUTS_MOST];
    riffle_status status = RIFFLE_OK;
    const unsigned synced = sync_all(all, &status);
    if (synced < all->count) {
        progress_stop(line);
        return complain_status(all->path[synced], status);
    }
    if (!write_pipe(all)) {
        const int reason = errno;
        progress_stop(line);
        complain("%s: cannot be written: %s", all->pipe, strerror(reason));
        return EXIT_FAILED;
    }
    if (is_changed_by_others(all)) {
        progress_stop(line);
        complain("%s: another program has put a file there, or written to it, while this run read it; what is "
                 "there now stays, and this run's result is given up; run it again",
                 all->replaced);
        return EXIT_FAILED;
    }
    const unsigned left = rename_all(all, changes_owner, &status);
    progress_stop(line);
    if (left > 0) return complain_place(all, left, status);
    unfinished_end();
    complain_owners(all, changes_owner);
    return EXIT_DONE;
}

void outputs_give_up(outputs *all) {
    for (unsigned k = 0; k < all->count; ++k) {
        riffle_npy_output *const file = all->file[k];
        if (file == NULL) continue;
        riffle_npy_output_unlink(file);
        all->file[k] = NULL;
        riffle_npy_output_abort(file);
    }
    unfinished_end();
    free(all->text);
}
