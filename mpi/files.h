/* SPDX-License-Identifier: Apache-2.0
 *
 * One file becomes another by all ranks. Each looks at IN's header, and reads and writes its own part by MPI-IO:
 *
 *     rank 0: makes OUT's hidden file with its header        all: read, execute, write, sync        rank 0: renames it
 *
 * All ranks come to one status after each step, so that rank 0 gives the hidden file up where any of them failed. Units are cut into equal
 * parts in the order of the ranks, in IN and in OUT.
 */
#ifndef RIFFLE_MPI_FILES_ROOM_H
#define RIFFLE_MPI_FILES_ROOM_H

#include "riffle/npy.h"
#include "words.h"

enum { FILES_PATH_MOST = 8192 };

typedef struct files_way files_way;

/** A call's state; that of a way begins with it. */
typedef struct files_job {
    const files_way *way;
    const char *in, *out;
    riffle_mpi_files_report *report;
    riffle_npy_input *input;
    riffle_npy_output *output; /**< rank 0's */
    riffle_npy_header header;  /**< of OUT; IN's own unless the way changes it */
    uint64_t n;                /**< units, elements unless the way changes it */
    size_t bytes;              /**< of a unit; 0: nothing is read or written */
    void *src, *dst;
    uint64_t src_count, dst_count; /**< units of this rank's parts */
    char hidden[FILES_PATH_MOST];
} files_job;

/** What is done with the parts, on all ranks. */
struct files_way {
    const char *name;                         /**< unlike those of other ways */
    riffle_status (*plan)(files_job *job);    /**< sets n, bytes, header, src_count and dst_count */
    riffle_status (*execute)(files_job *job); /**< from src to dst; the report's volume and messages */
    void (*release)(files_job *job);          /**< NULL: there is nothing */
};

/** Does it over MPI_COMM_WORLD, whose MPI is started where it was not, and ended then. The report has the failure's words. */
riffle_status files_do(files_job *job);

/** The elements of a rank's equal part. */
uint64_t files_part(const files_job *job);

#endif
