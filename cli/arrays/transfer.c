/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/transfer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "arrays/replace.h"
#include "arrays/same_file.h"
#include "arrays/unfinished.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "system/clock.h"
#include "system/threads.h"

static size_t bytes_of(const transfer *t) { return (size_t)t->part.length * t->part.header.elem_bytes; }

void transfer_begin(transfer *t, const char *place, const char *in, const char *out, unsigned wanted) {
    t->in = in;
    t->out = out;
    unfinished_begin(out);
    t->threads = threads_settle(place, wanted);
}

static void show_phase(transfer *t, const transfer_phase *phases, int k) {
    if (phases[k].name == NULL) return;
    if (k == 0 || phases[k - 1].name == NULL) progress_start(&t->line, phases[k].name);
    progress_phase(&t->line, phases[k].name);
}

int transfer_run(transfer *t, const transfer_phase *phases, int count) {
    int exit_status = EXIT_DONE;
    for (int k = 0; k < count && exit_status == EXIT_DONE; ++k) {
        show_phase(t, phases, k);
        const double began = seconds_now();
        exit_status = phases[k].run(t);
        t->seconds[k] = seconds_now() - began;
    }
    progress_stop(&t->line);
    if (exit_status == EXIT_DONE && t->changes_owner) complain_changed_owner(t->out);
    return exit_status;
}

void transfer_end(transfer *t) {
    unfinished_hold();
    riffle_npy_abort(t->output);
    riffle_npy_abort(t->second);
    unfinished_end();
    riffle_buffer_free(t->c_order, bytes_of(t));
    riffle_npy_close(t->input);
}

int transfer_result(transfer *t, const char *place, riffle_status status) {
    if (status == RIFFLE_OK) return EXIT_DONE;
    progress_stop(&t->line);
    return complain_status(place, status);
}

int transfer_refuse(transfer *t, const char *format, ...) {
    va_list arguments;
    progress_stop(&t->line);
    va_start(arguments, format);
    complain_list(format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

int transfer_refuse_rank(transfer *t) {
    return transfer_refuse(t, "%s: the result would have more than %d dimensions; reshape it first", t->in,
                           RIFFLE_MAX_RANK);
}

int transfer_open(transfer *t) {
    const riffle_status status = riffle_npy_open(t->in, &t->input);
    if (status == RIFFLE_OK)
        t->part = array_whole(riffle_npy_get_header(t->input), riffle_npy_length(t->input));
    return transfer_result(t, t->in, status);
}

int transfer_spare(transfer *t, const char *also_read) {
    if (t->replaces_input || !is_same_file(t->out, also_read)) return EXIT_DONE;
    transfer_refuse(t, "%s: input and output are the same file; give the output another name", t->out);
    return EXIT_USAGE;
}

int transfer_create(transfer *t, const riffle_npy_header *header) {
    unfinished_hold();
    const riffle_status status =
        riffle_npy_create(t->out, header, t->replaces_input ? NULL : t->input, &t->output);
    unfinished_watch(t->output, NULL);
    const int exit_status = transfer_result(t, t->out, status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : exit_status;
}

int transfer_create_second(transfer *t, const char *path, const riffle_npy_header *header) {
    t->second_path = path;
    unfinished_hold();
    const riffle_status status = riffle_npy_create(path, header, t->input, &t->second);
    unfinished_watch(t->output, t->second);
    const int exit_status = transfer_result(t, path, status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : exit_status;
}

int transfer_write_text(transfer *t, const char *path, const char *text, size_t bytes) {
    bool changes_owner;
    unfinished_hold();
    const bool works = replace_file(path, text, bytes, &changes_owner);
    const int reason = errno;
    unfinished_watch(t->output, t->second);
    if (!works) return transfer_refuse(t, "%s: cannot be written: %s", path, strerror(reason));
    if (!changes_owner) return EXIT_DONE;
    progress_stop(&t->line);
    complain_changed_owner(path);
    return EXIT_DONE;
}

/* The file beside OUT, if there is one. */
static int sync_second(transfer *t) {
    if (t->second == NULL) return EXIT_DONE;
    riffle_npy_output *const last = t->second;
    const bool changes_owner = riffle_npy_output_changes_owner(last);
    t->second = NULL;
    unfinished_hold();
    const riffle_status status = riffle_npy_commit(last);
    unfinished_watch(t->output, NULL);
    if (status != RIFFLE_OK) return transfer_result(t, t->second_path, status);
    if (!changes_owner) return EXIT_DONE;
    progress_stop(&t->line);
    complain_changed_owner(t->second_path);
    return EXIT_DONE;
}

int transfer_sync(transfer *t) {
    const riffle_status status = riffle_npy_check(t->input);
    if (status != RIFFLE_OK) return transfer_result(t, t->in, status);
    const int exit_status = sync_second(t);
    if (exit_status != EXIT_DONE) return exit_status;
    return transfer_result(t, t->out, unfinished_commit(&t->output, &t->changes_owner));
}

const void *transfer_first(const transfer *t) {
    return (const char *)riffle_npy_data(t->input) + (size_t)t->part.first * t->part.header.elem_bytes;
}

riffle_status transfer_copy(const transfer *t, void *to) {
    const array_part *part = &t->part;
    return riffle_copy_strided(part->header.rank, part->header.shape, part->header.elem_bytes, to, NULL,
                               transfer_first(t), part->strides, t->threads);
}

riffle_status transfer_aligned(transfer *t, size_t align, const void **out) {
    *out = transfer_first(t);
    if (array_is_in_c_order(&t->part) && (uintptr_t)*out % align == 0) return RIFFLE_OK;
    riffle_status status = riffle_buffer_create(bytes_of(t), &t->c_order);
    if (status == RIFFLE_OK) status = transfer_copy(t, t->c_order);
    *out = t->c_order;
    return status;
}

riffle_status transfer_in_c_order(transfer *t, const void **out) { return transfer_aligned(t, 1, out); }
