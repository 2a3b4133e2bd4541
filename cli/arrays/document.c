/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "arrays/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frame/message.h"
#include "riffle/npy.h"

/* A file, or none yet; else a pipe or a device, or a link to nothing. */
static bool is_replaced(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 ? S_ISREG(file.st_mode) : lstat(path, &file) != 0;
}

static bool replace_file(const char *path, const char *text, size_t bytes) {
    riffle_npy_output *file = NULL;
    riffle_status status = riffle_npy_output_create_bare(path, bytes, NULL, &file);
    if (status == RIFFLE_OK) {
        memcpy(riffle_npy_output_data(file), text, bytes);
        status = riffle_npy_output_commit(file);
    }
    if (status != RIFFLE_OK) complain_status(path, status);
    return status == RIFFLE_OK;
}

static bool write_itself(const char *path, const char *text, size_t bytes) {
    FILE *const file = fopen(path, "wb");
    int error = file == NULL || fwrite(text, 1, bytes, file) != bytes ? errno : 0;
    if (file != NULL && fclose(file) != 0 && error == 0) error = errno;
    if (error != 0) complain("%s: cannot be written: %s", path, strerror(error));
    return error == 0;
}

bool document_write(const char *path, document_printer *print, const void *subject) {
    if (path == NULL) return true;
    char *text = NULL;
    size_t bytes = 0;
    FILE *const whole = open_memstream(&text, &bytes);
    const riffle_status status = whole != NULL ? print(subject, whole) : RIFFLE_OK;
    const bool kept = whole != NULL && fclose(whole) == 0;
    if (status != RIFFLE_OK)
        complain_status(path, status);
    else if (!kept)
        complain("%s: no memory for the document", path);
    bool works = status == RIFFLE_OK && kept;
    if (works) works = is_replaced(path) ? replace_file(path, text, bytes) : write_itself(path, text, bytes);
    free(text);
    return works;
}
