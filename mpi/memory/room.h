/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the processes of one host share: a file without a name (memfd), which others open by the process and descriptor that have it. It has no limit
 * but memory's own, where /dev/shm is often small.
 */
#ifndef RIFFLE_MPI_MEMORY_ROOM_H
#define RIFFLE_MPI_MEMORY_ROOM_H

#include "words.h"

typedef struct shared_room {
    char *at;     /**< NULL: none */
    size_t bytes; /**< at least 1 */
    int file;     /**< to be told of, and open as long as others may come; -1: none */
} shared_room;

/** What others open a room by. */
typedef struct room_handle {
    uint64_t process, file, device, inode, bytes;
} room_handle;

/** Free it with room_free, failed or not; who has opened it keeps it. */
riffle_status room_create(size_t bytes, shared_room *out);
void room_free(shared_room *room);

/** Gives the descriptor back when all have opened it: a plan that is kept has none. */
void room_shut(shared_room *room);

riffle_status room_tell(const shared_room *room, room_handle *out);

/** The file of a room of this host, to be closed by the caller. RIFFLE_ERROR_UNSUPPORTED where it is not to be had: in another container, or of another user. */
riffle_status room_open(const room_handle *handle, int *file);

/** Addresses for views of rooms, side by side; huge pages stay such. Unmapped by room_unmap. */
riffle_status room_reserve(size_t bytes, char **out);

/** Bytes of a room from `first` on, whole pages of it, to be read at `at`. */
riffle_status room_view(int file, uint64_t first, size_t bytes, char *at);

/** Memory of one's own between views, of whole pages that were reserved. */
riffle_status room_fill(char *at, size_t bytes);

void room_unmap(char *at, size_t bytes);

#endif
