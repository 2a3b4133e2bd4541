/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MADV_HUGEPAGE; %m below is strerror(errno), safe for threads */
#include "npy/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "npy/header.h"

/* The whole file is mapped, so the header is read where it stands and the elements begin within the map. */
struct riffle_npy_input {
    riffle_npy_header header;
    uint64_t length; /* elements */
    char *path;      /* as it was given, for messages */
    int fd;
    const char *map;
    size_t map_bytes;
    size_t data_at;
    dev_t device;
    ino_t inode;
};

/* Opens a regular file; O_NONBLOCK keeps a fifo without a writer from holding us up before we know. */
static riffle_status open_regular(const char *path, int *fd, struct stat *file) {
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (opened < 0) return fail(RIFFLE_ERROR_IO, "%s: cannot be opened: %m", path);
    riffle_status status = RIFFLE_OK;
    if (fstat(opened, file) != 0) {
        status = fail(RIFFLE_ERROR_IO, "%s: cannot be examined: %m", path);
    } else if (S_ISDIR(file->st_mode)) {
        status = fail(RIFFLE_ERROR_IO, "%s is a folder, not a file", path);
    } else if (!S_ISREG(file->st_mode)) {
        status = fail(RIFFLE_ERROR_IO, "%s is no regular file; a pipe or device cannot be mapped", path);
    }
    if (status == RIFFLE_OK) {
        *fd = opened;
    } else {
        close(opened);
    }
    return status;
}

static riffle_status map_file(const char *path, int fd, const struct stat *file, riffle_npy_input *input) {
    input->device = file->st_dev;
    input->inode = file->st_ino;
    input->map_bytes = (size_t)file->st_size;
    if (input->map_bytes == 0) return RIFFLE_OK; /* nothing can be mapped, and the header will say so */
    void *map = mmap(NULL, input->map_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED && errno == ENOMEM) return fail_memory(path, input->map_bytes);
    if (map == MAP_FAILED) return fail(RIFFLE_ERROR_IO, "%s: cannot be mapped: %m", path);
    input->map = map;
    return RIFFLE_OK;
}

static riffle_status read_header(const char *path, riffle_npy_input *input) {
    riffle_status status = npy_header_read(path, input->map, input->map_bytes, &input->header, &input->data_at);
    size_t bytes = 0;
    if (status == RIFFLE_OK)
        status = npy_header_size(RIFFLE_ERROR_FORMAT, path, &input->header, &input->length, &bytes);
    if (status != RIFFLE_OK) return status;
    size_t there = input->map_bytes - input->data_at;
    if (there < bytes)
        return fail(RIFFLE_ERROR_FORMAT,
                    "%s: truncated: its header promises %zu bytes of elements after byte %zu but the file ends "
                    "%zu byte%s short",
                    path, bytes, input->data_at, bytes - there, bytes - there == 1 ? "" : "s");
    return RIFFLE_OK;
}

riffle_status riffle_npy_input_open(const char *path, riffle_npy_input **out) {
    RETURN_IF_NULL(path, out);
    riffle_npy_input *input = calloc(1, sizeof *input);
    if (input == NULL) return fail_memory(path, sizeof *input);
    input->fd = -1;
    input->path = strdup(path);
    struct stat file;
    riffle_status status = input->path == NULL ? fail_memory(path, strlen(path) + 1) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = open_regular(path, &input->fd, &file);
    if (status == RIFFLE_OK) status = map_file(path, input->fd, &file, input);
    if (status == RIFFLE_OK) status = read_header(path, input);
    if (status == RIFFLE_OK) {
        madvise((void *)input->map, input->map_bytes, MADV_HUGEPAGE); /* advice only */
        *out = input;
    } else {
        riffle_npy_input_close(input);
    }
    return status;
}

const riffle_npy_header *riffle_npy_input_header(const riffle_npy_input *input) {
    return input != NULL ? &input->header : NULL;
}

uint64_t riffle_npy_input_length(const riffle_npy_input *input) { return input != NULL ? input->length : 0; }

const void *riffle_npy_input_data(const riffle_npy_input *input) {
    return input != NULL ? input->map + input->data_at : NULL;
}

riffle_status riffle_npy_input_check(const riffle_npy_input *input) {
    RETURN_IF_NULL(input);
    struct stat file;
    if (fstat(input->fd, &file) != 0) return fail(RIFFLE_ERROR_IO, "%s: cannot be examined: %m", input->path);
    if ((size_t)file.st_size >= input->map_bytes) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_IO, "%s: was cut short while it was read", input->path);
}

bool npy_input_is(const riffle_npy_input *input, const struct stat *file) {
    return input->device == file->st_dev && input->inode == file->st_ino;
}

void riffle_npy_input_close(riffle_npy_input *input) {
    if (input == NULL) return;
    if (input->map != NULL) munmap((void *)input->map, input->map_bytes);
    if (input->fd >= 0) close(input->fd);
    free(input->path);
    npy_header_free(&input->header);
    free(input);
}
