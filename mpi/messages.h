/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank's messages to others, or from others, as MPI wants them. One longer than a plain count allows has a derived type:
 *
 *     bytes = whole * plain + rest    ->    1 of { whole times plain bytes, rest bytes }
 */
#ifndef RIFFLE_MPI_MESSAGES_H
#define RIFFLE_MPI_MESSAGES_H

#include "words.h"

typedef struct message {
    int rank, tag;
    size_t first, bytes; /* in the packed array */
    int count;
    MPI_Datatype type; /* MPI_BYTE, or one of its own */
} message;

typedef struct own_part {
    size_t first, bytes;
} own_part;

typedef struct message_list {
    size_t count;
    message *of;
    own_part own,
        over; /* the rank's part to itself, which is no message, and what is over of it where messages are cut at pages */
    uint64_t bytes; /* of all messages */
} message_list;

/** The messages of a list, beginning with the rank after this one, so that not all ranks send to one at a time. Free them with
 *  messages_free, failed or not. */
riffle_status messages_create(const riffle_exchange_message *list, size_t count, int rank, size_t elem_bytes,
                              size_t plain_bytes, message_list *out);
void messages_free(message_list *m);

/** Starts them; requests has room for m->count. */
riffle_status messages_send(const message_list *m, MPI_Comm comm, const void *packed, MPI_Request *requests);
riffle_status messages_receive(const message_list *m, MPI_Comm comm, void *packed, MPI_Request *requests);

/** The sums over all ranks of the bytes and messages that each sends to others. On all ranks. */
riffle_status messages_sum(MPI_Comm comm, uint64_t own_bytes, uint64_t own_messages, uint64_t *bytes,
                           uint64_t *messages);

/** Ends receives that were posted, so that their array can be freed. */
void messages_cancel(const message_list *m, MPI_Request *requests);

#endif
