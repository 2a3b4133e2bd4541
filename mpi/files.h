/* SPDX-License-Identifier: Apache-2.0
 *
 * One file becomes another by all ranks. Each looks at IN's header, and reads and writes its own part by MPI-IO:
 *
 *     rank 0: makes OUT's hidden file with its header        all: read, execute, write, sync        rank 0: renames it
 *
 * All ranks come to one status after each step, so that rank 0 gives the hidden files up where any of them failed. Ranks' parts of a file
 * follow each other in the order of the ranks.
 */
#ifndef RIFFLE_MPI_FILES_ROOM_H
#define RIFFLE_MPI_FILES_ROOM_H

#include "riffle/npy.h"
#include "words.h"

enum { FILES_PATH_MOST = 8192, FILES_OUTPUTS = 2 };

typedef struct files_way files_way;

/** A rank's part of a file's units. */
typedef struct files_part {
    uint64_t begin, count;
    size_t bytes; /**< of a unit; 0: nothing is read or written */
    void *data;
} files_part;

/** A call's state; that of a way begins with it. */
typedef struct files_job {
    const files_way *way;
    const char *in, *out, *beside; /**< beside: a second file that is written, or NULL */
    riffle_mpi_files_watch *watch; /**< NULL: nobody is told */
    riffle_mpi_files_report *report;
    riffle_npy_input *input;
    riffle_npy_output *output[FILES_OUTPUTS]; /**< rank 0's: OUT's, and the way's own beside it */
    riffle_npy_header header;                 /**< of OUT; IN's own unless the way changes it */
    uint64_t n;                               /**< units, elements unless the way changes it */
    size_t bytes;                             /**< of a unit */
    files_part src, dst;                      /**< there is room for both, or `execute` makes dst's */
    char hidden[FILES_PATH_MOST];
} files_job;

/** What is done with the parts, on all ranks. */
struct files_way {
    const char *name;                      /**< unlike those of other ways */
    riffle_status (*plan)(files_job *job); /**< sets n, bytes, header, src and, unless execute makes it, dst */
    riffle_status (*execute)(files_job *job); /**< from src to dst; the report's figures */
    void (*release)(files_job *job);          /**< NULL: there is nothing */
};

/** Does it over MPI_COMM_WORLD, whose MPI is started where it was not, and ended then. The report has the failure's words. */
riffle_status files_do(files_job *job);

/** This rank's equal part of n units, without room. */
files_part files_equal_part(const files_job *job, uint64_t n, size_t bytes);

/** Units are IN's rows from now on. */
riffle_status files_take_rows(files_job *job);

/** Reads parts of a .npy file, on all ranks. */
riffle_status files_read(const char *path, const files_part *part);

#endif
