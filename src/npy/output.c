/* SPDX-License-Identifier: Apache-2.0
 *
 * A file is written under a hidden name beside its final one and takes that by rename(2) when it is complete and on
 * disk. So the final name holds the old file or the whole new one at every moment; a process that is killed leaves at
 * most the hidden .NAME.riffle-* behind.
 *
 *     create: DIR/.NAME.riffle-Xb3k9a   [ header | elements, space reserved and mapped ]
 *     sync:   fsync
 *     commit: sync, unless that is done; rename to DIR/NAME, fsync DIR
 *
 * The caller's pointer is set before the hidden file is made, and taken back after it is removed: a signal's handler
 * that looks there finds every hidden file that there is.
 */
#define _GNU_SOURCE /* fallocate, O_PATH; %m below is strerror(errno), safe for threads */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "npy/header.h"
#include "npy/input.h"

#ifndef MADV_POPULATE_WRITE /* Linux 5.14; before, it is an unknown advice, which does nothing */
#define MADV_POPULATE_WRITE 23
#endif

struct riffle_npy_output {
    char *path;       /* as it was given, for messages */
    char *real;       /* the same, or where it leads as a symbolic link */
    char *folder;     /* the folder's part of `real`, "." if none if nothing */
    const char *name; /* the rest, in `real` */
    char *temporary;  /* the hidden name in the folder; empty while there is no such file */
    int folder_fd;    /* names are looked up here, wherever the process goes meanwhile */
    int fd;
    bool changes_owner, is_synced;
    char *map; /* the whole file */
    size_t bytes;
    size_t data_at;
};

/* ------------------------------------------------------------------ names */

enum { RANDOM_LETTERS = 6, LONGEST_NAME_KEPT = 200 };

/* Where a symbolic link leads, or the path itself: a link stays, and what it leads to is replaced. *real is to
 * be freed. */
static riffle_status follow_link(const char *path, char **real) {
    struct stat file;
    const bool is_link = lstat(path, &file) == 0 && S_ISLNK(file.st_mode);
    *real = is_link ? realpath(path, NULL) : strdup(path);
    if (*real != NULL) return RIFFLE_OK;
    if (errno == ENOMEM) return fail_memory("the name of an output file", strlen(path) + 1);
    return fail(RIFFLE_ERROR_IO, "%s is a link that leads to no file: %m", path);
}

/* Splits the real path into folder and name. */
static riffle_status split_path(const char *path, riffle_npy_output *output) {
    const size_t room = strlen(output->real) + 1;
    output->path = strdup(path);
    output->folder = malloc(room + 1);
    output->temporary = calloc(1, LONGEST_NAME_KEPT + sizeof "..riffle-" + RANDOM_LETTERS);
    if (output->path == NULL || output->folder == NULL || output->temporary == NULL)
        return fail_memory("the names of an output file", 2 * room);
    const char *slash = strrchr(output->real, '/');
    output->name = slash == NULL ? output->real : slash + 1;
    if (*output->name == '\0') return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "'%s' names no file", path);
    size_t folder = (size_t)(output->name - output->real);
    if (folder > 1) folder--; /* without its slash, except the root's */
    memcpy(output->folder, folder > 0 ? output->real : ".", folder > 0 ? folder : 1);
    output->folder[folder > 0 ? folder : 1] = '\0';
    return RIFFLE_OK;
}

static riffle_status open_folder(riffle_npy_output *output) {
    output->folder_fd = open(output->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (output->folder_fd >= 0) return RIFFLE_OK;
    if (errno == ENOENT)
        return fail(RIFFLE_ERROR_IO, "%s: there is no folder %s", output->path, output->folder);
    return fail(RIFFLE_ERROR_IO, "%s: the folder %s cannot be opened: %m", output->path, output->folder);
}

/* Looks at what stands under the final name now: nothing, or a regular file other than the input. */
static riffle_status look_at_target(const riffle_npy_output *output, const riffle_npy_input *input,
                                    bool *exists, struct stat *file) {
    *exists = fstatat(output->folder_fd, output->name, file, 0) == 0;
    if (!*exists) {
        if (errno == ENOENT) return RIFFLE_OK;
        return fail(RIFFLE_ERROR_IO, "%s: cannot be examined: %m", output->path);
    }
    if (S_ISDIR(file->st_mode)) return fail(RIFFLE_ERROR_IO, "%s is a folder, not a file", output->path);
    if (!S_ISREG(file->st_mode))
        return fail(RIFFLE_ERROR_IO, "%s is no regular file, and would be replaced by one", output->path);
    if (input != NULL && npy_input_is(input, file))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: input and output are the same file; give the output another name", output->path);
    return RIFFLE_OK;
}

static riffle_status choose_temporary_name(riffle_npy_output *output) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuv";
    unsigned char noise[RANDOM_LETTERS];
    if (getrandom(noise, sizeof noise, 0) != (ssize_t)sizeof noise)
        return fail(RIFFLE_ERROR_IO, "%s: no random name to be had: %m", output->path);
    int length = sprintf(output->temporary, ".%.*s.riffle-", LONGEST_NAME_KEPT, output->name);
    for (unsigned k = 0; k < RANDOM_LETTERS; k++)
        output->temporary[(unsigned)length + k] = letters[noise[k] % 32];
    output->temporary[length + RANDOM_LETTERS] = '\0';
    return RIFFLE_OK;
}

/* Creates the file as any program creates one, so that umask and the folder's default ACL apply. */
static riffle_status open_temporary(riffle_npy_output *output) {
    do {
        riffle_status status = choose_temporary_name(output);
        if (status != RIFFLE_OK) return status;
        output->fd = openat(output->folder_fd, output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (output->fd < 0 && errno == EEXIST);
    if (output->fd >= 0) return RIFFLE_OK;
    output->temporary[0] = '\0';
    return fail(RIFFLE_ERROR_IO, "%s: no file can be made in the folder %s: %m", output->path, output->folder);
}

/* Gives a new file the owner and group of an old one; false where this process may not. Whoever may not give
 * files away may still be of the group. */
static bool keep_owner(int fd, const struct stat *old) {
    struct stat file;
    if (fstat(fd, &file) != 0) return false;
    if (file.st_uid == old->st_uid && file.st_gid == old->st_gid) return true;
    if (fchown(fd, old->st_uid, old->st_gid) == 0) return true;
    return fchown(fd, (uid_t)-1, old->st_gid) == 0 && file.st_uid == old->st_uid;
}

/* The new file takes over the old one's permissions, owner and group. The permissions come first, which are the
 * owner's to set. */
static riffle_status take_over(riffle_npy_output *output, const struct stat *old) {
    if (fchmod(output->fd, old->st_mode & 0777) != 0)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be given the permissions of the old one: %m", output->path);
    output->changes_owner = !keep_owner(output->fd, old);
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ space */

static riffle_status fail_space(const riffle_npy_output *output) {
    return fail(RIFFLE_ERROR_IO, "%s: no room for its %zu bytes in the folder %s: %m", output->path,
                output->bytes, output->folder);
}

/* For file systems without fallocate. The zeros are never written; constant ones would be 64 KB of the library. */
static bool write_zeros(int fd, size_t bytes) {
    static char zeros[1 << 16];
    for (size_t at = 0; at < bytes;) {
        size_t rest = bytes - at < sizeof zeros ? bytes - at : sizeof zeros;
        ssize_t written = pwrite(fd, zeros, rest, (off_t)at);
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) at += (size_t)written;
    }
    return true;
}

static bool allocate(int fd, size_t bytes) {
    int result;
    do result = fallocate(fd, 0, 0, (off_t)bytes);
    while (result != 0 && errno == EINTR);
    if (result == 0) return true;
    return (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) && write_zeros(fd, bytes);
}

/* Takes all the space now: a full disk met later, through the map, would be a SIGBUS. The limit is asked
 * for first because exceeding it is a signal too. */
static riffle_status reserve(const riffle_npy_output *output) {
    struct rlimit limit;
    const bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (output->bytes > INT64_MAX || (is_limited && output->bytes > limit.rlim_cur)) {
        errno = EFBIG;
        return fail_space(output);
    }
    return allocate(output->fd, output->bytes) ? RIFFLE_OK : fail_space(output);
}

enum { POPULATED_AT_A_TIME = 16 << 20 };

typedef struct populating {
    char *map;
    size_t bytes;
    uint64_t *taken;
    bool *fails;
} populating;

static void populate_pieces(const void *context, team_member me) {
    const populating *const p = context;
    (void)me;
    for (;;) {
        const team_share piece = team_take(p->bytes, POPULATED_AT_A_TIME, p->taken);
        if (piece.first == piece.end || __atomic_load_n(p->fails, __ATOMIC_RELAXED)) return;
        if (madvise(p->map + piece.first, piece.end - piece.first, MADV_POPULATE_WRITE) != 0 && errno == EFAULT)
            __atomic_store_n(p->fails, true, __ATOMIC_RELAXED);
    }
}

/* Brings all pages in before they are written in no order at all, which would cost a fault for each: from
 * several threads, and on huge pages where the file system can, else on small ones. It also meets the errors
 * that a write through the map would meet as SIGBUS. Files that would crowd the memory are left alone, as
 * their pages would be written out twice. */
static bool populate(char *map, size_t bytes) {
    size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (bytes > memory / 4) return true;
    uint64_t taken = 0;
    bool fails = false;
    team_run(threads_for(bytes, POPULATED_AT_A_TIME, threads_most(0)), populate_pieces,
             &(populating){map, bytes, &taken, &fails});
    return !fails;
}

static riffle_status map_output(riffle_npy_output *output) {
    void *map = mmap(NULL, output->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, output->fd, 0);
    if (map == MAP_FAILED && errno == ENOMEM) return fail_memory(output->path, output->bytes);
    if (map == MAP_FAILED) return fail(RIFFLE_ERROR_IO, "%s: cannot be mapped: %m", output->path);
    output->map = map;
    madvise(map, output->bytes, MADV_HUGEPAGE); /* advice only */
    if (!populate(map, output->bytes))
        return fail(RIFFLE_ERROR_IO, "%s: the file system could not provide its %zu bytes", output->path,
                    output->bytes);
    return RIFFLE_OK;
}

/* ----------------------------------------------------------- the interface */

/* The hidden file, with what it takes over and all its room. */
static riffle_status make_file(riffle_npy_output *output, const struct stat *old) {
    riffle_status status = open_temporary(output);
    if (status == RIFFLE_OK && old != NULL) status = take_over(output, old);
    if (status == RIFFLE_OK) status = reserve(output);
    return status == RIFFLE_OK ? map_output(output) : status;
}

/* Makes the file of `output`, which has its sizes and is freed after a failure; `head` stands before the data. */
static riffle_status create(const char *path, const char *head, const riffle_npy_input *input,
                            riffle_npy_output *output, riffle_npy_output **out) {
    bool exists = false;
    struct stat old;
    riffle_status status = follow_link(path, &output->real);
    if (status == RIFFLE_OK) status = split_path(path, output);
    if (status == RIFFLE_OK) status = open_folder(output);
    if (status == RIFFLE_OK) status = look_at_target(output, input, &exists, &old);
    if (status == RIFFLE_OK) {
        *out = output;
        status = make_file(output, exists ? &old : NULL);
        if (status == RIFFLE_OK) {
            memcpy(output->map, head, output->data_at);
            return RIFFLE_OK;
        }
        riffle_npy_output_unlink(output);
        *out = NULL;
    }
    riffle_npy_output_abort(output);
    return status;
}

static riffle_status allocate_output(const char *path, riffle_npy_output **out) {
    riffle_npy_output *const output = calloc(1, sizeof *output);
    if (output == NULL) return fail_memory(path, sizeof *output);
    output->folder_fd = output->fd = -1;
    *out = output;
    return RIFFLE_OK;
}

riffle_status riffle_npy_output_create(const char *path, const riffle_npy_header *header,
                                       const riffle_npy_input *input, riffle_npy_output **out) {
    RETURN_IF_NULL(path, header, out);
    char *text = NULL;
    uint64_t length;
    size_t elements = 0;
    riffle_npy_output *output = NULL;
    riffle_status status = allocate_output(path, &output);
    if (status != RIFFLE_OK) return status;
    status = npy_header_write(path, header, &text, &output->data_at);
    if (status == RIFFLE_OK)
        status = npy_header_size(RIFFLE_ERROR_INVALID_ARGUMENT, path, header, &length, &elements);
    output->bytes = output->data_at + elements;
    if (status == RIFFLE_OK) {
        status = create(path, text, input, output, out);
    } else {
        riffle_npy_output_abort(output);
    }
    free(text);
    return status;
}

riffle_status riffle_npy_output_create_bare(const char *path, size_t bytes, const riffle_npy_input *input,
                                            riffle_npy_output **out) {
    RETURN_IF_NULL(path, out);
    riffle_npy_output *output = NULL;
    if (bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: a file without bytes; give it some", path);
    const riffle_status status = allocate_output(path, &output);
    if (status != RIFFLE_OK) return status;
    output->bytes = bytes;
    return create(path, "", input, output, out);
}

void *riffle_npy_output_data(riffle_npy_output *output) {
    return output != NULL ? output->map + output->data_at : NULL;
}

bool riffle_npy_output_changes_owner(const riffle_npy_output *output) {
    return output != NULL && output->changes_owner;
}

/* The new name outlives a power failure once the folder is on disk. Nothing can be undone any more, so
 * there is no error here, only less certainty. */
static void sync_folder(const riffle_npy_output *output) {
    int fd = openat(output->folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

riffle_status riffle_npy_output_hidden(const riffle_npy_output *output, char *buffer, size_t capacity,
                                            size_t *length) {
    RETURN_IF_NULL(output, length);
    if (capacity > 0) RETURN_IF_NULL(buffer);
    *length = (size_t)snprintf(buffer, capacity, "%s/%s", output->folder, output->temporary);
    return RIFFLE_OK;
}

riffle_status riffle_npy_output_sync(riffle_npy_output *output) {
    RETURN_IF_NULL(output);
    output->is_synced = fsync(output->fd) == 0;
    return output->is_synced ? RIFFLE_OK
                             : fail(RIFFLE_ERROR_IO, "%s: its %zu bytes did not reach the disk: %m",
                                    output->path, output->bytes);
}

static riffle_status put_in_place(riffle_npy_output *output) {
    if (renameat(output->folder_fd, output->temporary, output->folder_fd, output->name) != 0)
        return fail(RIFFLE_ERROR_IO, "%s: cannot be put in place: %m", output->path);
    output->temporary[0] = '\0';
    sync_folder(output);
    return RIFFLE_OK;
}

riffle_status riffle_npy_output_commit(riffle_npy_output *output) {
    RETURN_IF_NULL(output);
    riffle_status status = output->is_synced ? RIFFLE_OK : riffle_npy_output_sync(output);
    if (status == RIFFLE_OK) status = put_in_place(output);
    riffle_npy_output_abort(output);
    return status;
}

void riffle_npy_output_unlink(const riffle_npy_output *output) {
    if (output != NULL) unlinkat(output->folder_fd, output->temporary, 0);
}

void riffle_npy_output_abort(riffle_npy_output *output) {
    if (output == NULL) return;
    if (output->map != NULL) munmap(output->map, output->bytes);
    if (output->temporary != NULL && output->temporary[0] != '\0') riffle_npy_output_unlink(output);
    if (output->fd >= 0) close(output->fd);
    if (output->folder_fd >= 0) close(output->folder_fd);
    free(output->temporary);
    free(output->folder);
    free(output->real);
    free(output->path);
    free(output);
}
