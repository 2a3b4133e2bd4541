/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU that is not there: its memory, which the host cannot touch, its one stream, whose work is done when somebody waits for it, and riffle's
 * plans for it, which the host carries out. The program's functions stand before the libraries' of the same names. Without RIFFLE_STAND_IN
 * the program has the machine's own GPU.
 */
#ifndef RIFFLE_TESTS_MPI_STAND_IN_H
#define RIFFLE_TESTS_MPI_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct stand_in {
    bool is_missing;     /* there is no GPU */
    int number;          /* which it is; ranks may have one */
    bool is_alone;       /* no memory of others can be opened */
    size_t left, pinned; /* bytes that memory has left */
} stand_in;

/** This rank's GPU; the program changes it. */
extern stand_in stand_in_gpu;

/** Lets everybody touch its memory, as an MPI does that knows CUDA; or nobody. */
void stand_in_open(bool is_open);

/** Where the host reaches memory of the GPU; memory of the host is as it is. */
void *stand_in_reach(const void *at);

/** Queues a function's call; it has a copy of its argument. */
void stand_in_queue(void (*work)(void *argument), const void *argument, size_t bytes);

#endif
