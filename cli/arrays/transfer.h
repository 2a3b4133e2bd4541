/* SPDX-License-Identifier: Apache-2.0
 *
 * One .npy file is read and another written: the frame of permute, run, take, hull, sort, histogram, group, ungroup, bitshuffle and cycles. IN is mapped,
 * OUT's temporary file is mapped too, and takes OUT's name once all that the command writes is synced (outputs.h).
 *
 *     transfer_do       from here on every end of the command leaves OUT as it was
 *         the command's phases, one after another; the first that fails ends them
 *             transfer_open ... transfer_create ... transfer_place    are what phases are made of
 *         what it prints of a work that is done
 *         all is freed, and an OUT that was not finished is given up
 *
 * A command's job begins with its transfer, so that a function that is given the one has the other.
 */
#ifndef RIFFLE_CLI_ARRAYS_TRANSFER_H
#define RIFFLE_CLI_ARRAYS_TRANSFER_H

#include <stdbool.h>

#include "arrays/array.h"
#include "arrays/output_lock.h"
#include "arrays/outputs.h"
#include "frame/progress.h"
#include "riffle.h"
#include "riffle/npy.h"

enum { TRANSFER_MOST_PHASES = 8 };

typedef struct transfer {
    const char *in, *out;
    bool replaces_input;            /**< OUT is IN: what is written comes into the place of what is read */
    bool force;                     /**< files that are write-protected are replaced too */
    unsigned threads;               /**< that there are to work */
    output_lock lock[OUTPUTS_MOST]; /**< on the files that are replaced */
    unsigned locks;
    riffle_npy_input *input;
    array_part part; /**< the part of the input that the command takes: all of it, or less */
    outputs files;
    riffle_npy_output *output;            /**< OUT, the first of the files */
    void *c_order;                        /**< a copy of the part, where one had to be made */
    double seconds[TRANSFER_MOST_PHASES]; /**< that each phase took */
    progress line;
} transfer;

typedef struct transfer_phase {
    const char *name;        /**< on the terminal's line; NULL before there is one */
    int (*run)(transfer *t); /**< returns an exit status, having said what failed */
} transfer_phase;

/** A command that transfers. */
typedef struct transfer_command {
    const char *name; /**< in messages */
    const transfer_phase *phases;
    int count;
    void (*print)(const transfer *t);  /**< results, to stdout; NULL: there are none */
    void (*report)(const transfer *t); /**< for --verbose */
    void (*clean_up)(transfer *t);     /**< frees what the job has beside its transfer; NULL: nothing */
} transfer_command;

/** The options that all of them have. */
typedef struct transfer_asked {
    const char *in, *out;
    bool force, verbose;
    unsigned *threads; /**< how many are wanted; becomes how many there can be */
} transfer_asked;

/** Does it all. Returns the exit status. */
int transfer_do(transfer *t, const transfer_command *how, const transfer_asked *asked);

/** EXIT_DONE if `status` is RIFFLE_OK, or the exit status after the library's words for what went wrong at `place`. */
int transfer_result(transfer *t, const char *place, riffle_status status);

/** Says what is wrong, as complain does; EXIT_FAILED. */
__attribute__((format(printf, 2, 3))) int transfer_refuse(transfer *t, const char *format, ...);

/** That IN's elements are no bytes, in which elements of so many bits are packed. */
int transfer_refuse_unpacked(transfer *t, unsigned elem_bits);

/** That OUT would have too many dimensions. */
int transfer_refuse_rank(transfer *t);

/** Opens IN; the part is all of it. Fails before that where OUT may not be replaced, or another process is replacing it. */
int transfer_open(transfer *t);

/** For each file beside OUT that the command writes: fails, after a complaint, where it is write-protected and there is no --force, or another
 *  process is replacing it. */
int transfer_may_replace(transfer *t, const char *path);

/** For each file beside IN that the command reads: EXIT_USAGE, after a complaint, if OUT would replace it. */
int transfer_spare(transfer *t, const char *also_read);

/** Makes OUT, with that header. */
int transfer_create(transfer *t, const riffle_npy_header *header);

/** Makes another file beside OUT, once OUT is made; it comes into its place before OUT does. Fills *out with it. */
int transfer_create_beside(transfer *t, const char *path, const riffle_npy_header *header,
                           riffle_npy_output **out);

/** The same for a text, which comes from malloc and is freed. */
int transfer_create_text(transfer *t, const char *path, char *text, size_t bytes);

/** Puts all that was made into its place, if IN could be read to its end. */
int transfer_place(transfer *t);

/** The part's first element in the mapped input. */
const void *transfer_first(const transfer *t);

/** Copies the part to `to`, in C order. */
riffle_status transfer_copy(const transfer *t, void *to);

/** The part's elements in C order: where they lie, or a copy of them if they lie otherwise. */
riffle_status transfer_in_c_order(transfer *t, const void **out);

/** The same at a multiple of `align`, a power of two to 64: a .npy file's elements may begin anywhere. */
riffle_status transfer_aligned(transfer *t, size_t align, const void **out);

#endif
