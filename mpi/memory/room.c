/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create, MADV_HUGEPAGE */
#include "memory/room.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH = 64,
    POPULATE_READ = 22,
    POPULATE_WRITE = 23 /* MADV_POPULATE_..., which glibc names from 2.35 on */
};
static const size_t HUGE_PAGE = (size_t)2 << 20;

static size_t whole_pages(size_t bytes) { return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE; }

static riffle_status fail_shared(const char *what) {
    return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "memory that ranks share: %s: %s", what, strerror(errno));
}

riffle_status room_reserve(size_t bytes, char **out) {
    const size_t span = whole_pages(bytes);
    char *const base =
        mmap(NULL, span + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return mpi_fail_memory("views of other ranks' memory", span);
    const size_t before = (HUGE_PAGE - (uintptr_t)base % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0) munmap(base, before);
    if (before < HUGE_PAGE) munmap(base + before + span, HUGE_PAGE - before);
    *out = base + before;
    return RIFFLE_OK;
}

/* Pages are small on most systems, so that they are got all at once, and where there are too few it is said now. Linux before 5.14 gets them as they are used. */
static riffle_status map_at(int file, uint64_t first, size_t bytes, int access, char *at) {
    if (mmap(at, bytes, access, MAP_SHARED | MAP_FIXED, file, (off_t)first) == MAP_FAILED)
        return fail_shared("mmap");
    madvise(at, bytes, MADV_HUGEPAGE); /* advice only */
    const int populate = (access & PROT_WRITE) != 0 ? POPULATE_WRITE : POPULATE_READ;
    if (madvise(at, bytes, populate) == 0 || errno == EINVAL) return RIFFLE_OK;
    return fail_shared("pages");
}

riffle_status room_view(int file, uint64_t first, size_t bytes, char *at) {
    return map_at(file, first, bytes, PROT_READ, at);
}

riffle_status room_fill(char *at, size_t bytes) {
    return mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0 ? RIFFLE_OK : fail_shared("mprotect");
}

void room_unmap(char *at, size_t bytes) {
    if (at != NULL) munmap(at, whole_pages(bytes));
}

/* A longer file ends the process by a signal. */
static bool is_too_long(size_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && bytes > most.rlim_cur;
}

riffle_status room_create(size_t bytes, shared_room *out) {
    *out = (shared_room){.bytes = bytes > 0 ? bytes : 1, .file = memfd_create("riffle-mpi", MFD_CLOEXEC)};
    if (out->file < 0) return fail_shared("memfd_create");
    if (is_too_long(out->bytes))
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                        "memory that ranks share: files of %zu bytes are not allowed here (ulimit -f)",
                        out->bytes);
    if (ftruncate(out->file, (off_t)out->bytes) != 0) return fail_shared("ftruncate");
    const riffle_status status = room_reserve(out->bytes, &out->at);
    return status == RIFFLE_OK ? map_at(out->file, 0, out->bytes, PROT_READ | PROT_WRITE, out->at) : status;
}

void room_shut(shared_room *room) {
    if (room->file >= 0) close(room->file);
    room->file = -1;
}

void room_free(shared_room *room) {
    room_unmap(room->at, room->bytes);
    room_shut(room);
    *room = (shared_room){.file = -1};
}

riffle_status room_tell(const shared_room *room, room_handle *out) {
    struct stat is;
    if (fstat(room->file, &is) != 0) return fail_shared("fstat");
    *out = (room_handle){(uint64_t)getpid(), (uint64_t)room->file, (uint64_t)is.st_dev, (uint64_t)is.st_ino,
                         room->bytes};
    return RIFFLE_OK;
}

/* A process of another container may have the number: its file is another one. */
static bool is_told(const room_handle *handle, int file) {
    struct stat is;
    return fstat(file, &is) == 0 && (uint64_t)is.st_dev == handle->device &&
           (uint64_t)is.st_ino == handle->inode && (uint64_t)is.st_size == handle->bytes;
}

riffle_status room_open(const room_handle *handle, int *file) {
    char path[PATH];
    snprintf(path, sizeof path, "/proc/%llu/fd/%llu", (unsigned long long)handle->process,
             (unsigned long long)handle->file);
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* another process's might be a pipe */
    if (*file < 0) return fail_shared(path);
    if (is_told(handle, *file)) return RIFFLE_OK;
    close(*file);
    *file = -1;
    return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "memory that ranks share: %s is of another process", path);
}
