/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* getrandom */
#include "base/folder/folder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/folder/keeper.h"
#include "base/folder/remove.h"
#include "base/status.h"

/* A name that nobody else has, in $TMPDIR. */
static riffle_status choose_path(const char *place, private_folder *out) {
    uint64_t noise;
    if (getrandom(&noise, sizeof noise, 0) != (ssize_t)sizeof noise)
        return fail(RIFFLE_ERROR_IO, "no random name for a folder is to be had: %s", strerror(errno));
    const int length = snprintf(out->path, sizeof out->path, "%s/riffle-lint-%016" PRIx64, place, noise);
    return length < (int)sizeof out->path
               ? RIFFLE_OK
               : fail(RIFFLE_ERROR_IO, "$TMPDIR is longer than a path can be; set it to a folder");
}

/* The keeper knows the name before there is the folder, so that no end of this process leaves it. */
riffle_status folder_create(private_folder *out) {
    const char *place = getenv("TMPDIR");
    if (place == NULL || *place == '\0') place = "/tmp";
    riffle_status status = choose_path(place, out);
    if (status == RIFFLE_OK) status = keeper_start(out->path, &out->keeper);
    if (status != RIFFLE_OK || mkdir(out->path, 0700) == 0) return status;
    const int error = errno;
    keeper_end(out->keeper);
    return fail(RIFFLE_ERROR_IO, "%s: no folder for the compiler can be made there: %s; set TMPDIR to one",
                place, strerror(error));
}

void folder_remove(const private_folder *folder) {
    remove_tree(folder->path);
    keeper_end(folder->keeper);
}

void folder_path(const private_folder *folder, const char *name, char out[static FOLDER_PATH]) {
    snprintf(out, FOLDER_PATH, "%s/%s", folder->path, name);
}

static riffle_status fail_file(const char *path, const char *what) {
    return fail(RIFFLE_ERROR_IO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

riffle_status folder_make(const private_folder *folder, const char *name) {
    char path[FOLDER_PATH];
    folder_path(folder, name, path);
    return mkdir(path, 0700) == 0 ? RIFFLE_OK : fail_file(path, "made");
}

static riffle_status write_file(const private_folder *folder, const char *name, const char *mode,
                                const char *text, size_t length) {
    char path[FOLDER_PATH];
    folder_path(folder, name, path);
    FILE *file = fopen(path, mode);
    if (file == NULL) return fail_file(path, "written");
    const size_t written = fwrite(text, 1, length, file);
    const int closed = fclose(file);
    return written == length && closed == 0 ? RIFFLE_OK : fail_file(path, "written");
}

riffle_status folder_write(const private_folder *folder, const char *name, const char *text, size_t length) {
    return write_file(folder, name, "wb", text, length);
}

riffle_status folder_append(const private_folder *folder, const char *name, const char *text, size_t length) {
    return write_file(folder, name, "ab", text, length);
}

/* All that is left of the file, with a NUL. */
static riffle_status read_all(FILE *file, char **out, size_t *length) {
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc(capacity);
    while (text != NULL) {
        used += fread(text + used, 1, capacity - 1 - used, file);
        if (used < capacity - 1) break;
        capacity *= 2;
        char *larger = realloc(text, capacity);
        if (larger == NULL) free(text);
        text = larger;
    }
    if (text == NULL) return fail_memory("a file's text", capacity);
    text[used] = '\0';
    *out = text;
    *length = used;
    return RIFFLE_OK;
}

riffle_status folder_read(const private_folder *folder, const char *name, char **out, size_t *length) {
    char path[FOLDER_PATH];
    folder_path(folder, name, path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return fail_file(path, "read");
    const riffle_status status = read_all(file, out, length);
    fclose(file);
    return status;
}
