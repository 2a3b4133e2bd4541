/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/segments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frame/exit.h"

static int refuse_type(transfer *file, const char *path, const riffle_npy_header *header) {
    if (strcmp(header->descr, "'<i8'") != 0 && strcmp(header->descr, "'<u8'") != 0)
        return transfer_refuse(file, "%s: dtype %s; where segments begin is int64 or uint64", path,
                               header->descr);
    if (header->rank != 1 || header->shape[0] < 1)
        return transfer_refuse(
            file, "%s: has to be a list of where segments begin, and of where the last one ends", path);
    return EXIT_DONE;
}

/* Numbers below zero are greater than any n. A single number is of no segments, which is right of no elements. */
static int refuse_places(transfer *file, const char *path, uint64_t n, const sort_segments *s) {
    for (uint64_t k = 0; k < s->count; k++)
        if (s->first[k] > s->first[k + 1])
            return transfer_refuse(file, "%s: segment %" PRIu64 " begins at %" PRId64 " and ends at %" PRId64,
                                   path, k, (int64_t)s->first[k], (int64_t)s->first[k + 1]);
    if (s->first[0] != 0 || s->first[s->count] != n)
        return transfer_refuse(
            file, "%s: segments from %" PRId64 " to %" PRId64 "; they have to be of all %" PRIu64 " elements",
            path, (int64_t)s->first[0], (int64_t)s->first[s->count], n);
    return EXIT_DONE;
}

static int read_first(transfer *file, const char *path, uint64_t n, riffle_npy_input *input,
                      sort_segments *out) {
    const riffle_npy_header *const header = riffle_npy_input_header(input);
    const int exit_status = refuse_type(file, path, header);
    if (exit_status != EXIT_DONE) return exit_status;
    out->count = header->shape[0] - 1;
    out->first = malloc((out->count + 1) * sizeof *out->first);
    if (out->first == NULL) return transfer_result(file, path, RIFFLE_ERROR_OUT_OF_MEMORY);
    memcpy(out->first, riffle_npy_input_data(input), (out->count + 1) * sizeof *out->first);
    const riffle_status status = riffle_npy_input_check(input); /* else zeros that were read would be taken */
    return status == RIFFLE_OK ? refuse_places(file, path, n, out) : transfer_result(file, path, status);
}

int sort_segments_read(transfer *file, const char *path, uint64_t n, sort_segments *out) {
    riffle_npy_input *input = NULL;
    int exit_status = transfer_result(file, path, riffle_npy_input_open(path, &input));
    if (exit_status == EXIT_DONE) exit_status = read_first(file, path, n, input, out);
    riffle_npy_input_close(input);
    return exit_status;
}

void sort_segments_free(sort_segments *segments) { free(segments->first); }
