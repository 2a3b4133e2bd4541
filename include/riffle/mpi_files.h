/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Files moved over MPI's ranks, for programs that are compiled without MPI, as the command is: they load libriffle-mpi and ask for its
 *  function riffle_mpi_permute_files. Programs with MPI include riffle/mpi.h. */
#ifndef RIFFLE_MPI_FILES_H
#define RIFFLE_MPI_FILES_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A move of one .npy file to another, asked for alike on all ranks. */
typedef struct riffle_mpi_files {
    const char *in;   /**< a file that all ranks can see */
    const char *out;  /**< another */
    const char *by;   /**< the permutation's spec */
    bool rows;        /**< whole rows are moved */
    unsigned threads; /**< for each rank's local steps; 0: one */
} riffle_mpi_files;

/** Figures of a move that was done. */
typedef struct riffle_mpi_files_report {
    unsigned rank;       /**< this one */
    unsigned ranks;      /**< all */
    uint64_t n;          /**< elements or rows */
    uint64_t elem_bytes; /**< bytes of one */
    uint64_t volume;     /**< bytes between ranks */
    uint64_t messages;   /**< in so many messages */
    double plan;         /**< seconds of this rank until all was planned and there was room */
    double read;         /**< to read */
    double move;         /**< to move */
    double write;        /**< to write and sync */
    /** The failure, the same on all ranks but for the name of the rank; empty if there was none. */
    char detail[1024];
} riffle_mpi_files_report;

/** riffle_mpi_permute_files of libriffle-mpi, over MPI_COMM_WORLD: each rank reads its part of the file by MPI-IO, and writes one to a
 *  hidden file beside `out`, which takes that name when it is whole on the disk. MPI is started if it was not, and ended then. The file is
 *  in C order, RIFFLE_ERROR_UNSUPPORTED else. */
typedef riffle_status riffle_mpi_permute_files_function(const riffle_mpi_files *ask,
                                                        riffle_mpi_files_report *report);

#ifdef __cplusplus
}
#endif
#endif
