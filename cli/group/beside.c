/* SPDX-License-Identifier: Apache-2.0 */
#include "group/beside.h"

#include <string.h>

#include "arrays/same_file.h"
#include "frame/exit.h"

static int count_of(const job *work) { return COLUMNS + (int)work->ask.columns.count; }

/* Another file of the command that the path of number k names, or NULL. */
static const char *same_as(const job *work, int k) {
    const beside *const all = work->beside;
    if (is_same_file(all[k].path, work->file.in)) return "the input";
    if (is_same_file(all[k].path, work->ask.keys)) return "the keys";
    if (columns_have(&work->ask.columns, all[k].path)) return "a column that is read";
    if (is_same_file(all[k].path, work->file.out)) return "the output";
    for (int other = 0; other < k; other++)
        if (all[other].path != NULL && is_same_file(all[k].path, all[other].path))
            return other < COLUMNS ? all[other].name : "another column's output";
    return NULL;
}

static void name_all(job *work) {
    beside *const all = work->beside;
    all[OFFSETS] = (beside){.name = "the offsets", .path = work->ask.offsets};
    all[COUNTS] = (beside){.name = "the counts", .path = work->ask.counts};
    all[PLACES] = (beside){.name = "the places", .path = work->ask.places};
    for (unsigned k = 0; k < work->ask.columns.count; k++)
        all[COLUMNS + k] = (beside){.name = "the column's output", .path = work->ask.columns.of[k].out};
}

int beside_check(transfer *file) {
    job *const work = (job *)file;
    const beside *const all = work->beside;
    int exit_status = EXIT_DONE;
    name_all(work);
    for (int k = 0; k < count_of(work) && exit_status == EXIT_DONE; k++) {
        if (all[k].path == NULL) continue;
        const char *const other = same_as(work, k);
        if (other != NULL) {
            transfer_refuse(file, "%s: %s and %s are the same file; give %s another name", all[k].path,
                            all[k].name, other, all[k].name);
            return EXIT_USAGE;
        }
        exit_status = transfer_may_replace(file, all[k].path);
    }
    return exit_status;
}

static riffle_npy_header header_of(const job *work, int k) {
    riffle_npy_header header = {.descr = "'<i8'", .elem_bytes = sizeof(uint64_t), .rank = 1};
    if (k >= COLUMNS) return columns_header(&work->ask.columns.of[k - COLUMNS], work->rows);
    header.shape[0] = work->ask.groups + (k == OFFSETS);
    if (k == PLACES) {
        const riffle_npy_header *const keys = riffle_npy_input_header(work->keys);
        header.rank = keys->rank;
        memcpy(header.shape, keys->shape, sizeof header.shape);
    }
    return header;
}

int beside_create(job *work) {
    int exit_status = EXIT_DONE;
    for (int k = 0; k < count_of(work) && exit_status == EXIT_DONE; k++) {
        beside *const file = &work->beside[k];
        const riffle_npy_header header = header_of(work, k);
        if (file->path != NULL)
            exit_status = transfer_create_beside(&work->file, file->path, &header, &file->output);
    }
    return exit_status;
}

void *beside_data(const beside *file) {
    return file->output != NULL ? riffle_npy_output_data(file->output) : NULL;
}
