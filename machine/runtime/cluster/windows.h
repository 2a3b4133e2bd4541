/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory of a cluster's other blocks. Each block has its shared arrays at the same addresses while it runs; while it waits, they lie in its rank's
 * window, where the blocks that run read and write them:
 *
 *     the running block's    low ... tile ... dynamic ...              the kernel's own variables
 *     window of rank r       memory + r * bytes + (tile - low) ...     arrays of their own, "tile of block 1 of the cluster"
 *
 * What is known of an array (its shadow) moves with its bytes. Windows lie near enough to the arrays that 32 bits of an address tell where.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_CLUSTER_WINDOWS_H
#define RIFFLE_MACHINE_RUNTIME_CLUSTER_WINDOWS_H

#include "machine/check/arrays.h"

typedef struct windows {
    char *memory; /**< NULL: there are none */
    size_t bytes; /**< of one */
    unsigned ranks;
    size_t count;         /**< shared arrays of the block's */
    machine_array **home; /**< these */
    machine_array **peer; /**< and what stands for them in a window: of each rank so many */
    uintptr_t low;
} windows;

/** Windows of so many ranks for the arrays that are shared. RIFFLE_ERROR_UNSUPPORTED where there is no room near them. */
riffle_status windows_open(windows *w, machine_arrays *all, unsigned ranks);
void windows_close(windows *w, machine_arrays *all);

/** The running block, whose first segment is `base`, is put into its rank's; or is taken from there. */
void windows_put(windows *w, unsigned rank, uint32_t base);
void windows_take(windows *w, unsigned rank);

/** Memory of another block, kept where another cluster's is to be in the window; NULL without memory. */
typedef struct window_image window_image;
window_image *windows_save(windows *w, unsigned rank);
void windows_restore(windows *w, unsigned rank, window_image *image);
void windows_free_image(window_image *image);
/** Segments are numbered anew: forgets who has accessed what is in a window, or was. */
void windows_forget(windows *w, uint32_t base);
void windows_forget_image(window_image *image, uint32_t base);

/** The same place of another rank, of an address in shared memory; `address` itself if it is in none. */
uintptr_t windows_at(const windows *w, uintptr_t address, unsigned rank);

/** Whose memory an address is: a rank, or -1 if it is in no window. */
int windows_rank(const windows *w, uintptr_t address);

/** The place as its own block has it while that runs, of an address in a window; else `address` itself. */
uintptr_t windows_home(const windows *w, uintptr_t address);

/** True if an address is in shared memory of the running block's, or in a window. */
bool windows_have(const windows *w, uintptr_t address);

#endif
