/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "system/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame/exit.h"
#include "frame/message.h"

enum { PATH = 4096 };

unsigned ranks_launched(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *const text = getenv(names[k]);
        const unsigned long count = text != NULL ? strtoul(text, NULL, 10) : 0;
        if (count > 1 && count <= 1u << 20) return (unsigned)count;
    }
    return 1;
}

/* In the folder that the environment names, and only there if it does; else where the loader looks. It stays loaded. */
static riffle_mpi_permute_files_function *load(void) {
    const char *const folder = secure_getenv("RIFFLE_LIBRARY_PATH");
    char file[PATH];
    snprintf(file, sizeof file, "%s%slibriffle-mpi.so.%d.%d", folder != NULL ? folder : "",
             folder != NULL && *folder != '\0' ? "/" : "", RIFFLE_VERSION_MAJOR, RIFFLE_VERSION_MINOR);
    void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *const found = library != NULL ? dlsym(library, "riffle_mpi_permute_files") : NULL;
    if (found == NULL) {
        const char *const why = dlerror();
        complain(
            "permute: --mpi needs %s, which cannot be loaded (%s); build riffle where MPI is found, or have "
            "RIFFLE_LIBRARY_PATH name the folder that has it",
            file, why != NULL ? why : "no reason is known");
    }
    return (riffle_mpi_permute_files_function *)(uintptr_t)found;
}

static void report_move(const riffle_mpi_files *ask, const riffle_mpi_files_report *r) {
    complain("%s: %llu %s of %llu bytes moved over %u ranks, which sent each other %llu bytes in %llu messages",
             ask->out, (unsigned long long)r->n, ask->rows ? "rows" : "elements",
             (unsigned long long)r->elem_bytes, r->ranks, (unsigned long long)r->volume,
             (unsigned long long)r->messages);
    complain("rank 0: plan %.3f s, read %.3f s, move %.3f s, write and sync %.3f s", r->plan, r->read, r->move,
             r->write);
}

int ranks_permute(const riffle_mpi_files *ask, bool verbose) {
    riffle_mpi_permute_files_function *const permute = load();
    if (permute == NULL) return EXIT_FAILED;
    riffle_mpi_files_report report;
    const riffle_status status = permute(ask, &report);
    /* All ranks have one status. A launcher ends all as soon as one fails, so only the rank that says why may. */
    if (report.rank != 0) return EXIT_DONE;
    if (status != RIFFLE_OK) complain("permute --mpi: %s", report.detail);
    if (status == RIFFLE_OK && verbose) report_move(ask, &report);
    return status == RIFFLE_OK ? EXIT_DONE : EXIT_FAILED;
}
