/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Files moved, sorted and grouped over MPI's ranks, for programs that are compiled without MPI, as the command is: they load libriffle-mpi
 *  and ask for its functions riffle_mpi_permute_files, riffle_mpi_sort_files, riffle_mpi_group_files and riffle_mpi_refuse_files, once riffle_mpi_build has
 *  said that it is of libriffle's build. Programs with MPI include riffle/mpi.h. */
#ifndef RIFFLE_MPI_FILES_H
#define RIFFLE_MPI_FILES_H

#include "riffle/group.h"
#include "riffle/npy.h"
#include "riffle/sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The build of the libriffle that is linked or loaded: its version and a hash of the sources, a text that stays. Who loads libriffle-mpi by its
 *  name compares riffle_mpi_build's with it, and calls nothing of another: structs may be laid out otherwise there. */
RIFFLE_API const char *riffle_build(void);

/** riffle_mpi_build of libriffle-mpi, which libraries older than it do not have. */
typedef const char *riffle_mpi_build_function(void);

/** A move of one .npy file to another, asked for alike on all ranks. */
typedef struct riffle_mpi_files {
    const char *in;   /**< a file that all ranks can see */
    const char *out;  /**< another */
    const char *by;   /**< the permutation's spec */
    bool rows;        /**< whole rows are moved */
    unsigned threads; /**< for each rank's local steps; 0: one */
} riffle_mpi_files;

/** Makes the key of a file's elements; where they have none, writes why to `words`, which has room for `capacity` bytes. */
typedef riffle_status riffle_mpi_key_function(void *context, const riffle_npy_header *header,
                                              riffle_sort_key *key, char *words, size_t capacity);

/** A sort of all elements of one .npy file into another of one dimension, asked for alike on all ranks. */
typedef struct riffle_mpi_files_sort {
    const char *in;  /**< a file that all ranks can see */
    const char *out; /**< another */
    riffle_mpi_key_function
        *key_of;         /**< called once, on each rank; what its key points to stays until the sort is done */
    void *context;       /**< passed to it */
    unsigned threads;    /**< for each rank's own sorts; 0: one */
    const char *indices; /**< receives which element of `in` each one was, int64; NULL: not wanted */
} riffle_mpi_files_sort;

/** Says which type of keys a dtype of NumPy's is, as headers have it, "'<i4'"; false where it is none. */
typedef bool riffle_mpi_key_type_function(const char *descr, riffle_type *out);

/** Rows of one .npy file brought together into another by keys, asked for alike on all ranks. */
typedef struct riffle_mpi_files_group {
    const char *in;   /**< a file that all ranks can see, of one or more dimensions */
    const char *out;  /**< another */
    const char *keys; /**< one key of each row, a file too */
    const char
        *offsets; /**< receives where groups begin in `out`: groups + 1 numbers, int64; NULL: not wanted */
    const char *counts; /**< receives how many rows each group has, without padding, int64; NULL: not wanted */
    const char
        *places; /**< receives where each key's row went, -1 where it was left out, int64; NULL: not wanted */
    riffle_mpi_key_type_function *type_of; /**< asked for the type of `keys` */
    uint64_t groups;                       /**< how many, RIFFLE_GROUP_MAX_GROUPS at most */
    riffle_group_by by;                    /**< how keys name groups */
    uint64_t multiple; /**< each group is padded with rows of zeros to a multiple of so many; 0: it is not */
    uint64_t capacity; /**< most rows of a group, its first ones; the others are left out; 0: no limit */
    unsigned threads;  /**< for each rank's own grouping; 0: one */
} riffle_mpi_files_group;

/** Figures of a move, a sort or a grouping that was done. */
typedef struct riffle_mpi_files_report {
    unsigned rank;       /**< this one */
    unsigned ranks;      /**< all */
    uint64_t n;          /**< elements or rows */
    uint64_t elem_bytes; /**< bytes of one */
    uint64_t volume;     /**< bytes between ranks */
    uint64_t messages;   /**< in so many messages */
    uint64_t left_out;   /**< rows of a grouping whose keys name no group */
    uint64_t full;       /**< rows of one whose group was full */
    double plan;         /**< seconds of this rank until all was planned and there was room */
    double read;         /**< to read */
    double move;         /**< to move, sort or group */
    double write;        /**< to write and sync */
    /** The failure, the same on all ranks but for the name of the rank; empty if there was none. */
    char detail[1024];
} riffle_mpi_files_report;

/** A time of which a watcher is told. */
typedef enum riffle_mpi_files_phase {
    RIFFLE_MPI_FILES_PHASE_MAKING = 0, /**< files are made from now on */
    RIFFLE_MPI_FILES_PHASE_PLACING,    /**< they take their names from now on: a signal had better wait */
    RIFFLE_MPI_FILES_PHASE_ENDED,      /**< they have them, or were given up */
} riffle_mpi_files_phase;

/** The hidden files of a call, until ENDED. */
typedef struct riffle_mpi_files_hidden {
    const char *out;                 /**< the file that they are beside, or will be */
    unsigned count;                  /**< how many the next two have */
    riffle_npy_output *const *files; /**< rank 0's: NULL as long as there is none, and elsewhere */
    const char *const
        *names; /**< other ranks', as told by rank 0: NULL as long as they know none, and on rank 0 */
} riffle_mpi_files_hidden;

/** Told of hidden files on all ranks, so that signals' handlers remove them: rank 0's by riffle_npy_output_unlink, and other ranks' where rank 0 may have been
 *  killed by a signal that has no handler. Other ranks are to leave them alone from PLACING on. */
typedef void riffle_mpi_files_watch(riffle_mpi_files_phase phase, unsigned rank,
                                    const riffle_mpi_files_hidden *hidden);

/** riffle_mpi_permute_files of libriffle-mpi, over MPI_COMM_WORLD: each rank reads its part of the file by MPI-IO, and writes one to a
 *  hidden file beside `out`, which takes that name when it is whole on the disk. MPI is started if it was not, and ended then. The file is
 *  in C order, RIFFLE_ERROR_UNSUPPORTED else. A file that is there under `out` is replaced, unless a rank may not write it: RIFFLE_ERROR_IO on
 *  all. `watch` may be NULL. */
typedef riffle_status riffle_mpi_permute_files_function(const riffle_mpi_files *ask,
                                                        riffle_mpi_files_watch *watch,
                                                        riffle_mpi_files_report *report);

/** riffle_mpi_sort_files of libriffle-mpi, over MPI_COMM_WORLD: as a move of files, by riffle_mpi_sort. `indices` takes its name just before
 *  `out` does, and is replaced as that is; two of the files may not be one, RIFFLE_ERROR_INVALID_ARGUMENT. */
typedef riffle_status riffle_mpi_sort_files_function(const riffle_mpi_files_sort *ask,
                                                     riffle_mpi_files_watch *watch,
                                                     riffle_mpi_files_report *report);

/** riffle_mpi_group_files of libriffle-mpi, over MPI_COMM_WORLD: as a move of files, by riffle_mpi_group. Keys are read and groups counted
 *  first. `offsets`, `counts` and `places` take their names just before `out` does, and are replaced as that is; two of the files may not be one,
 *  RIFFLE_ERROR_INVALID_ARGUMENT. Rows that a group has no room for are sent all the same, and left out where they come. */
typedef riffle_status riffle_mpi_group_files_function(const riffle_mpi_files_group *ask,
                                                      riffle_mpi_files_watch *watch,
                                                      riffle_mpi_files_report *report);

/** riffle_mpi_refuse_files of libriffle-mpi, for a process that a launcher has started beside others and that will move, sort and group no file: a command
 *  line may be wrong on one rank alone. Ranks that call any of these functions fail then with RIFFLE_ERROR_INVALID_ARGUMENT and `words`, and none waits. It returns
 *  that status too. MPI is started if it was not, and ended then. */
typedef riffle_status riffle_mpi_refuse_files_function(const char *words, riffle_mpi_files_report *report);

#ifdef __cplusplus
}
#endif
#endif
