/* SPDX-License-Identifier: Apache-2.0
 *
 * One file becomes another by all ranks. Each looks at IN's header, and reads and writes its own part by MPI-IO:
 *
 *     rank 0: makes OUT's hidden file with its header        all: read, execute, write, sync        rank 0: renames it
 *
 * All ranks come to one status after each step, so that rank 0 gives the hidden files up where any of them failed. All know their names before they are filled: where
 * rank 0 is killed the others' handlers remove them. Ranks' parts of a file
 * follow each other in the order of the ranks.
 */
#ifndef RIFFLE_MPI_FILES_ROOM_H
#define RIFFLE_MPI_FILES_ROOM_H

#include "riffle/npy.h"
#include "words.h"

enum { FILES_PATH_MOST = 8192, FILES_OUTPUTS = 4 };

typedef struct files_way files_way;

/** A rank's part of a file's units. */
typedef struct files_part {
    uint64_t begin, count;
    size_t bytes; /**< of a unit; 0: nothing is read or written */
    void *data;
} files_part;

/** A file that is written. */
typedef struct files_target {
    const char *path; /**< NULL: it is not wanted */
    riffle_npy_header header;
    files_part part; /**< this rank's; room is made for it where the way has not */
    char hidden[FILES_PATH_MOST];
} files_target;

/** A call's state; that of a way begins with it. */
typedef struct files_job {
    const files_way *way;
    const char *refusal; /**< why this rank does nothing; NULL: it takes part */
    const char *in;
    riffle_mpi_files_watch *watch; /**< NULL: nobody is told */
    riffle_mpi_files_report *report;
    riffle_npy_input *input;
    files_target target
        [FILES_OUTPUTS]; /**< OUT, of IN's own header unless the way changes it, and the way's own beside it */
    riffle_npy_output *output[FILES_OUTPUTS]; /**< rank 0's, of each */
    const char
        *told[FILES_OUTPUTS]; /**< the hidden names, on other ranks: NULL as long as they are not whole */
    riffle_mpi_files_hidden watched;
    uint64_t n;     /**< units, elements unless the way changes it */
    size_t bytes;   /**< of a unit */
    files_part src; /**< of IN */
} files_job;

/** What is done with the parts, on all ranks. */
struct files_way {
    const char *name; /**< unlike those of other ways */
    riffle_status (*plan)(
        files_job *job); /**< sets n, bytes, src, headers, and parts that execute does not make */
    riffle_status (*execute)(files_job *job); /**< from src to the targets' parts; the report's figures */
    void (*release)(files_job *job);          /**< NULL: there is nothing */
};

/** Does it over MPI_COMM_WORLD, whose MPI is started where it was not, and ended then. The report has the failure's words. */
riffle_status files_do(files_job *job);

/** This rank's equal part of n units, without room. */
files_part files_equal_part(const files_job *job, uint64_t n, size_t bytes);

/** This rank's part of a target of int64, of which `part` has no room as yet: of one dimension, of n numbers. */
void files_set_numbers(files_target *target, uint64_t n, files_part part);

/** No file that is written is `read`. */
riffle_status files_check_apart(const files_job *job, const char *read);

/** Units are IN's rows from now on. */
riffle_status files_take_rows(files_job *job);

/** Reads parts of a .npy file, on all ranks. */
riffle_status files_read(const char *path, const files_part *part);

#endif
