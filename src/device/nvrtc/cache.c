/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mkostemp */
#include "device/nvrtc/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder/cache_folder.h"
#include "base/folder/checksum.h"
#include "base/status.h"

static const char magic[16] = "riffle kernel 1\n";

typedef struct head {
    char magic[sizeof magic];
    uint64_t key_bytes, code_bytes, sum;
} head;

static uint64_t key_sum(const char *key) { return checksum_bytes(CHECKSUM_BEGIN, key, strlen(key)); }

static bool copy_of(const void *bytes, size_t count, nvrtc_code *out) {
    void *const copy = malloc(count + 1);
    if (copy == NULL) return false;
    memcpy(copy, bytes, count);
    *out = (nvrtc_code){copy, count};
    return true;
}

/* ------------------------------------------------------------------ memory */

static struct kept {
    char *key;
    nvrtc_code code;
} kept[NVRTC_CACHE_KERNELS]; /* the latest first */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool find_in_memory(const char *key, nvrtc_code *out) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t k = 0; !found && k < NVRTC_CACHE_KERNELS; k++) {
        if (kept[k].key == NULL || strcmp(kept[k].key, key) != 0) continue;
        found = copy_of(kept[k].code.bytes, kept[k].code.count, out);
        const struct kept one = kept[k];
        memmove(kept + 1, kept, k * sizeof *kept);
        kept[0] = one;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void keep_in_memory(const char *key, const nvrtc_code *code) {
    struct kept one = {.key = strdup(key)};
    if (one.key == NULL || !copy_of(code->bytes, code->count, &one.code)) {
        free(one.key);
        return;
    }
    pthread_mutex_lock(&lock);
    const struct kept last = kept[NVRTC_CACHE_KERNELS - 1];
    memmove(kept + 1, kept, (NVRTC_CACHE_KERNELS - 1) * sizeof *kept);
    kept[0] = one;
    pthread_mutex_unlock(&lock);
    free(last.key);
    free(last.code.bytes);
}

/* ------------------------------------------------------------------- files */

riffle_status nvrtc_cache_limit(uint64_t *bytes) {
    const char *const named = getenv("RIFFLE_CACHE_BYTES");
    char *end;
    *bytes = NVRTC_CACHE_BYTES;
    if (named == NULL || *named == '\0') return RIFFLE_OK;
    errno = 0;
    *bytes = strtoull(named, &end, 10);
    if (*named >= '0' && *named <= '9' && *end == '\0' && errno == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "RIFFLE_CACHE_BYTES is '%s', not a number of bytes such as %d",
                named, NVRTC_CACHE_BYTES);
}

static bool remove_file(const char *path) { return unlink(path) == 0 || errno == ENOENT; }

static bool find_file(const char *key, char folder[static PATH_MAX], char out[static PATH_MAX]) {
    return cache_folder_find(folder) &&
           snprintf(out, PATH_MAX, "%s/%016llx", folder, (unsigned long long)key_sum(key)) < PATH_MAX;
}

static bool read_all(int file, void *to, size_t count) {
    for (size_t done = 0; done < count;) {
        const ssize_t got = read(file, (char *)to + done, count - done);
        if (got <= 0 && !(got < 0 && errno == EINTR)) return false;
        if (got > 0) done += (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t count) {
    for (size_t done = 0; done < count;) {
        const ssize_t put = write(file, (const char *)from + done, count - done);
        if (put < 0 && errno != EINTR) return false;
        if (put > 0) done += (size_t)put;
    }
    return true;
}

/* Others may have a file whose name is 16 digits: a kernel begins as one does. */
static bool is_kernel(const char *path, const char *name) {
    char found[sizeof magic];
    if (cache_folder_names(name, "", CACHE_FOLDER_PART)) return true;
    const int file = cache_folder_names(name, "", "") ? cache_folder_open(path) : -1;
    if (file < 0) return false;
    const bool begins = read_all(file, found, sizeof found) && memcmp(found, magic, sizeof magic) == 0;
    close(file);
    return begins;
}

static head head_of(const char *key, const nvrtc_code *code) {
    head h = {.key_bytes = strlen(key), .code_bytes = code->count};
    memcpy(h.magic, magic, sizeof magic);
    h.sum = checksum_bytes(key_sum(key), code->bytes, code->count);
    return h;
}

/* Reads the key and its code behind the head, or nothing. */
static bool read_body(int file, const head *h, const char *key, nvrtc_code *out) {
    struct stat status;
    const size_t key_bytes = strlen(key);
    if (memcmp(h->magic, magic, sizeof magic) != 0 || h->key_bytes != key_bytes || fstat(file, &status) != 0 ||
        (uint64_t)status.st_size < sizeof *h + key_bytes ||
        h->code_bytes != (uint64_t)status.st_size - sizeof *h - key_bytes)
        return false;
    char *const body = malloc(key_bytes + h->code_bytes);
    bool found = body != NULL && read_all(file, body, key_bytes + h->code_bytes) &&
                 memcmp(body, key, key_bytes) == 0 &&
                 checksum_bytes(key_sum(key), body + key_bytes, h->code_bytes) == h->sum;
    if (found) found = copy_of(body + key_bytes, h->code_bytes, out);
    free(body);
    return found;
}

static bool find_on_disk(const char *key, nvrtc_code *out) {
    char folder[PATH_MAX], path[PATH_MAX];
    head h;
    if (!find_file(key, folder, path)) return false;
    const int file = cache_folder_open(path);
    if (file < 0) return false;
    const bool found = read_all(file, &h, sizeof h) && read_body(file, &h, key, out);
    close(file);
    if (found) cache_folder_note_use(path);
    return found;
}

static bool write_file(int file, const char *key, const nvrtc_code *code) {
    const head h = head_of(key, code);
    return write_all(file, &h, sizeof h) && write_all(file, key, h.key_bytes) &&
           write_all(file, code->bytes, code->count) && fsync(file) == 0;
}

static void write_aside(const char *path, const char *key, const nvrtc_code *code) {
    char aside[PATH_MAX + sizeof CACHE_FOLDER_PART];
    snprintf(aside, sizeof aside, "%s" CACHE_FOLDER_PART, path);
    const int file = mkostemp(aside, O_CLOEXEC);
    if (file < 0) return;
    bool written = write_file(file, key, code);
    written = close(file) == 0 && written;
    if (!written || rename(aside, path) != 0) unlink(aside);
}

static void keep_on_disk(const char *key, const nvrtc_code *code, uint64_t bytes) {
    char folder[PATH_MAX], path[PATH_MAX];
    const cache_files kernels = {is_kernel, remove_file, SIZE_MAX, bytes};
    if (!find_file(key, folder, path)) return;
    if (sizeof(head) + strlen(key) + code->count <= bytes) write_aside(path, key, code);
    cache_folder_sweep(folder, &kernels);
}

/* -------------------------------------------------------------------- both */

bool nvrtc_cache_find(const char *key, nvrtc_code *out) {
    if (find_in_memory(key, out)) return true;
    if (!find_on_disk(key, out)) return false;
    keep_in_memory(key, out);
    return true;
}

void nvrtc_cache_keep(const char *key, const nvrtc_code *code, uint64_t bytes) {
    keep_in_memory(key, code);
    keep_on_disk(key, code, bytes);
}
