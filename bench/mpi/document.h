/* SPDX-License-Identifier: Apache-2.0
 *
 * The beginning of a document of measurements: what they are of, by which library, and where.
 */
#ifndef RIFFLE_BENCH_MPI_DOCUMENT_H
#define RIFFLE_BENCH_MPI_DOCUMENT_H

#define _GNU_SOURCE /* getloadavg, getline */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "riffle.h"

/* The processor's name, as Linux says it, cut at what JSON would not hold. */
static inline void document_print_processor(void) {
    FILE *const file = fopen("/proc/cpuinfo", "r");
    char *line = NULL;
    size_t room = 0;
    while (file != NULL && getline(&line, &room, file) > 0 && strncmp(line, "model name", 10) != 0) continue;
    const char *const name = line != NULL ? strchr(line, ':') : NULL;
    printf("%.*s", name != NULL ? (int)strcspn(name + 2, "\n\"\\") : 7, name != NULL ? name + 2 : "unknown");
    free(line);
    if (file != NULL) fclose(file);
}

/* Up to the list of results. */
static inline void document_begin(const char *bench, const char *commit, int ranks) {
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    double load = 0;
    int length;
    MPI_Get_library_version(mpi, &length);
    mpi[strcspn(mpi, ",\n\t\"")] = '\0';
    if (getloadavg(&load, 1) != 1) load = 0;
    printf("{\"bench\": \"%s\", \"device\": \"", bench);
    document_print_processor();
    printf("\", \"processors\": %ld, \"load\": %.1f, \"mpi\": \"%s\", \"version\": \"%s\", \"commit\": \"%s\", "
           "\"ranks\": %d,\n \"results\": [",
           sysconf(_SC_NPROCESSORS_ONLN), load, mpi, riffle_version(), commit, ranks);
}

static inline void document_end(void) { printf("\n ]}\n"); }

#endif
