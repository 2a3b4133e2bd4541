/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr, secure_getenv */
#include "base/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "riffle/mpi_files.h"

enum { LIBRARIES = 2, NAME = 64, PATH = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(const library_head *) loaded[LIBRARIES]; /* for messages; each stays where it is */

static void file_of(const library *l, char out[NAME]) {
    snprintf(out, NAME, "libriffle-%s.so.%d.%d", l->name, RIFFLE_VERSION_MAJOR, RIFFLE_VERSION_MINOR);
}

/* Writes FOLDER/FILE, where it fits. */
static bool join(const char *folder, size_t length, const char *file, char out[PATH]) {
    return snprintf(out, PATH, "%.*s/%s", (int)length, folder, file) < PATH;
}

/* The file beside libriffle, or the program that it is linked into. */
static bool find_beside(const char *file, char out[PATH]) {
    Dl_info here;
    const char *const end = dladdr(build_id, &here) != 0 ? strrchr(here.dli_fname, '/') : NULL;
    return end != NULL && join(here.dli_fname, (size_t)(end - here.dli_fname), file, out) &&
           access(out, R_OK) == 0;
}

/* The user's folder alone, if there is one; else beside libriffle, and then where the loader looks. A library that is used is never
 * closed, for a thread may be in it when libriffle goes. */
static void *open_library(const char *file) {
    const char *const folder = secure_getenv("RIFFLE_LIBRARY_PATH");
    const bool is_told = folder != NULL && *folder != '\0';
    char path[PATH];
    const bool is_known = is_told ? join(folder, strlen(folder), file, path) : find_beside(file, path);
    return dlopen(is_known ? path : is_told ? folder : file, RTLD_NOW | RTLD_LOCAL);
}

static riffle_status fail_missing(const library *l, const char *file) {
    const char *const why = dlerror();
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "%s is in %s, which cannot be loaded (%s); install libriffle-%s %s (Python: riffle-arrays[%s]), or "
                "have RIFFLE_LIBRARY_PATH name the folder that has it%s%s",
                l->has, file, why != NULL ? why : "no reason is known", l->name, RIFFLE_VERSION, l->name,
                l->instead != NULL ? "; or " : "", l->instead != NULL ? l->instead : "");
}

static riffle_status check_build(const library *l, const char *file, const library_head *head) {
    if (head != NULL && strcmp(head->build, build_id) == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "%s was loaded and is of another build, %s, than this libriffle, %s; install libriffle-%s and "
                "libriffle of one build",
                file, head != NULL ? head->build : "unknown", build_id, l->name);
}

static riffle_status load(const library *l, const library_head **out) {
    char file[NAME], symbol[NAME];
    file_of(l, file);
    snprintf(symbol, sizeof symbol, "riffle_%s_library", l->name);
    void *const handle = open_library(file);
    if (handle == NULL) return fail_missing(l, file);
    *out = dlsym(handle, symbol);
    const riffle_status status = check_build(l, file, *out);
    if (status != RIFFLE_OK) dlclose(handle);
    return status;
}

static void remember(library *l, const library_head *head) {
    unsigned k = 0;
    while (k < LIBRARIES - 1 && atomic_load(&loaded[k]) != NULL) k++;
    atomic_store(&loaded[k], head);
    atomic_store(&l->head, head);
}

riffle_status library_find(library *l, const library_head **out) {
    riffle_status status = RIFFLE_OK;
    *out = library_loaded(l);
    if (*out != NULL) return RIFFLE_OK;
    pthread_mutex_lock(&lock);
    *out = library_loaded(l);
    if (*out == NULL) status = load(l, out);
    if (status == RIFFLE_OK && library_loaded(l) == NULL) remember(l, *out);
    pthread_mutex_unlock(&lock);
    return status;
}

const library_head *library_loaded(library *l) {
    return l->linked != NULL ? l->linked : atomic_load_explicit(&l->head, memory_order_acquire);
}

const char *library_last_failure(const char *before, uint64_t *moment) {
    for (unsigned k = 0; k < LIBRARIES; k++) {
        const library_head *const head = atomic_load(&loaded[k]);
        uint64_t there = 0;
        const char *const detail = head != NULL ? head->last_failure(&there) : NULL;
        if (there <= *moment) continue;
        before = detail;
        *moment = there;
    }
    return before;
}

const char *riffle_build(void) { return build_id; }

const char *riffle_error_detail(void) {
    uint64_t moment;
    const char *const detail = status_last(&moment);
    return library_last_failure(detail, &moment);
}
