/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/results.h"

#include <string.h>

#include "frame/exit.h"

/* True if the axis of the results has to be brought back. A merge's result has one axis only. */
static bool is_moved_back(const job *work) { return work->is_moved && work->task != RIFFLE_SORT_TASK_MERGE; }

/* True if the output's length is known only when all is done. */
static bool is_counted(const job *work) { return work->task == RIFFLE_SORT_TASK_UNIQUE; }

/* The header of a file of the results: the input's shape, with fewer along the axis where some are left out, or one dimension,
 * or one of segments. */
static riffle_npy_header result_header(const job *work) {
    const bool is_top = work->task == RIFFLE_SORT_TASK_TOP;
    riffle_npy_header header = *riffle_npy_input_header(work->file.input);
    header.fortran_order = false;
    if (work->ask.axis.which != AXIS_NONE) {
        if (is_top) header.shape[work->axis] = work->count;
    } else if (is_top && work->segments.first != NULL) {
        header.rank = 2;
        header.shape[0] = work->segments.count;
        header.shape[1] = work->count;
    } else {
        header.rank = 1;
        header.shape[0] = is_top ? work->count : work->results;
    }
    return header;
}

/* -------------------------------------------------------------------- files */

static int create_outputs(job *work) {
    transfer *const file = &work->file;
    riffle_npy_header header = result_header(work);
    int exit_status = transfer_create(file, &header);
    work->elements.output = file->output;
    if (exit_status != EXIT_DONE || work->ask.indices == NULL) return exit_status;
    header.descr = "'<i8'";
    header.elem_bytes = sizeof(uint64_t);
    return transfer_create_beside(file, work->ask.indices, &header, &work->indices.output);
}

static riffle_status make_room(const job *work, result *out) {
    if (!is_moved_back(work) && !is_counted(work)) return RIFFLE_OK;
    out->room_bytes = work->results * out->item_bytes;
    return riffle_buffer_create(out->room_bytes, &out->room);
}

int sort_results_create(transfer *file) {
    job *const work = (job *)file;
    work->elements.item_bytes = riffle_npy_input_header(file->input)->elem_bytes;
    work->indices.item_bytes = sizeof(uint64_t);
    const int exit_status = is_counted(work) ? EXIT_DONE : create_outputs(work);
    if (exit_status != EXIT_DONE) return exit_status;
    riffle_status status = make_room(work, &work->elements);
    if (status == RIFFLE_OK && work->ask.indices != NULL) status = make_room(work, &work->indices);
    return transfer_result(file, "room for the result", status);
}

/* ------------------------------------------------------------------- sorting */

static void *place_of(const result *r) { return r->room != NULL ? r->room : riffle_npy_output_data(r->output); }

/* A merge's indices count elements in the input's C order. Its lines were brought together before, so that the axis is last:
 * element a of line (before, behind) was element (before, a, behind). */
static void count_in_c_order(const job *work) {
    const riffle_npy_header *const moved = &work->file.part.header;
    uint64_t *const indices = place_of(&work->indices);
    const uint64_t length = moved->shape[moved->rank - 1];
    uint64_t behind = 1;
    for (unsigned k = work->axis; k + 1 < moved->rank; k++) behind *= moved->shape[k];
    for (uint64_t i = 0; i < work->results; i++) {
        const uint64_t line = indices[i] / length, along = indices[i] % length;
        indices[i] = (line / behind * length + along) * behind + line % behind;
    }
}

/* Indices count elements along the axis, as NumPy's do. */
static void count_along_axis(const job *work) {
    const uint64_t each = work->task == RIFFLE_SORT_TASK_TOP ? work->count : work->length;
    uint64_t *const indices = place_of(&work->indices);
    for (uint64_t i = 0, in_line = 0, first = 0; i < work->results; i++, in_line++) {
        if (in_line == each) {
            in_line = 0;
            first += work->length;
        }
        indices[i] -= first;
    }
}

/* The sort counts elements in the order in which it got them. For segments that is the input's C order. */
static void count_for_user(const job *work) {
    if (work->ask.indices == NULL || work->segments.first != NULL) return;
    if (work->task != RIFFLE_SORT_TASK_MERGE)
        count_along_axis(work);
    else if (work->is_moved)
        count_in_c_order(work);
}

static riffle_status sort_all(job *work, const riffle_sort_arrays *arrays) {
    if (work->ask.memory == 0) return riffle_sort_execute(work->plan, arrays);
    return riffle_merge_by_blocks(work->plan, arrays, work->block, work->memory_blocks, &work->merged);
}

int sort_results_sort(transfer *file) {
    job *const work = (job *)file;
    if (work->results == 0) return EXIT_DONE;
    riffle_sort_arrays arrays = {
        .keys = place_of(&work->elements), .from_keys = work->from, .first = work->segments.first};
    uint64_t found = work->results;
    if (work->ask.indices != NULL) arrays.indices = place_of(&work->indices);
    if (is_counted(work)) arrays.lengths = &found;
    const riffle_status status = sort_all(work, &arrays);
    work->results = found;
    if (status == RIFFLE_OK) count_for_user(work);
    return transfer_result(file, "sorting", status);
}

/* ------------------------------------------------------------------- writing */

/* Brings the axis back to where it was. */
static riffle_status settle(const job *work, const result *r) {
    if (r->room == NULL) return RIFFLE_OK;
    const riffle_npy_header header = result_header(work);
    riffle_npy_header moved = work->file.part.header;
    int64_t strides[RIFFLE_MAX_RANK], stride = 1;
    moved.shape[header.rank - 1] = header.shape[work->axis];
    for (unsigned k = header.rank; k-- > 0;) {
        const unsigned to = k == work->axis ? header.rank - 1 : k - (k > work->axis);
        strides[to] = stride;
        stride *= (int64_t)header.shape[k];
    }
    return riffle_copy_strided(header.rank, moved.shape, r->item_bytes, riffle_npy_output_data(r->output),
                               strides, r->room, NULL, &(riffle_call_options){.threads = work->file.threads});
}

static int write_counted(job *work) {
    const int exit_status = create_outputs(work);
    if (exit_status != EXIT_DONE || work->results == 0) return exit_status;
    memcpy(riffle_npy_output_data(work->elements.output), work->elements.room,
           work->results * work->elements.item_bytes);
    if (work->ask.indices != NULL)
        memcpy(riffle_npy_output_data(work->indices.output), work->indices.room,
               work->results * work->indices.item_bytes);
    return EXIT_DONE;
}

int sort_results_write(transfer *file) {
    job *const work = (job *)file;
    if (is_counted(work)) return write_counted(work);
    riffle_status status = RIFFLE_OK;
    if (work->ask.indices != NULL) status = settle(work, &work->indices);
    if (status == RIFFLE_OK) status = settle(work, &work->elements);
    return transfer_result(file, "writing", status);
}

/* ---------------------------------------------------------------------- end */

static void free_room(result *r) { riffle_buffer_free(r->room, r->room_bytes); }

void sort_results_free(job *work) {
    free_room(&work->elements);
    free_room(&work->indices);
}
