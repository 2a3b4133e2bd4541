/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/transfer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "arrays/output_lock.h"
#include "arrays/same_file.h"
#include "arrays/unfinished.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "ranks/ranks.h"
#include "system/clock.h"
#include "system/threads.h"
#include "system/writable.h"

static void begin(transfer *t, const char *place, const transfer_asked *asked) {
    t->in = asked->in;
    t->out = asked->out;
    t->force = asked->force;
    t->line = (progress){.lock = PTHREAD_MUTEX_INITIALIZER}; /* for phases without a name */
    unfinished_begin(asked->out);
    t->threads = *asked->threads = threads_settle(place, *asked->threads);
}

static void show_phase(transfer *t, const transfer_phase *phases, int k) {
    if (phases[k].name == NULL) return;
    if (k == 0 || phases[k - 1].name == NULL) progress_start(&t->line, phases[k].name);
    progress_phase(&t->line, phases[k].name);
}

static int run(transfer *t, const transfer_phase *phases, int count) {
    int exit_status = EXIT_DONE;
    for (int k = 0; k < count && exit_status == EXIT_DONE; ++k) {
        show_phase(t, phases, k);
        const double began = seconds_now();
        exit_status = phases[k].run(t);
        t->seconds[k] = seconds_now() - began;
    }
    progress_stop(&t->line);
    return exit_status;
}

static void end(transfer *t) {
    outputs_give_up(&t->files);
    riffle_buffer_free(t->c_order, array_bytes(&t->part));
    riffle_npy_input_close(t->input);
    for (unsigned k = 0; k < OUTPUTS_MOST; ++k) output_lock_release(t->lock[k]);
}

int transfer_do(transfer *t, const transfer_command *how, const transfer_asked *asked) {
    if (!ranks_are_one(how->name, asked->out)) return EXIT_USAGE;
    begin(t, how->name, asked);
    const int exit_status = run(t, how->phases, how->count);
    if (exit_status == EXIT_DONE && how->print != NULL) how->print(t);
    if (exit_status == EXIT_DONE && asked->verbose) how->report(t);
    end(t);
    if (how->clean_up != NULL) how->clean_up(t);
    return exit_status;
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

int transfer_refuse_unpacked(transfer *t, unsigned elem_bits) {
    return transfer_refuse(t, "%s: dtype %s; elements of %u bit%s are packed in an array of uint8", t->in,
                           t->part.header.descr, elem_bits, elem_bits == 1 ? "" : "s");
}

int transfer_refuse_rank(transfer *t) {
    return transfer_refuse(t, "%s: the result would have more than %d dimensions; reshape it first", t->in,
                           RIFFLE_MAX_RANK);
}

/* Waits while another run makes something of the file that will take its place, so that neither result is lost. */
static int lock_output(transfer *t, const char *path, output_lock_kind kind) {
    enum { MOST_SECONDS = 10 };
    long holder = 0;
    output_lock *const lock = &t->lock[t->locks++];
    if (output_lock_take(path, kind, 0, lock, &holder)) return EXIT_DONE;
    progress_phase(&t->line, "waiting for another that replaces the file");
    if (output_lock_take(path, kind, MOST_SECONDS, lock, &holder)) return EXIT_DONE;
    if (holder > 0)
        return transfer_refuse(t,
                               "%s: process %ld is replacing it, still after %d s; run this when that is done",
                               path, holder, MOST_SECONDS);
    return transfer_refuse(t,
                           "%s: another process is replacing it, still after %d s; run this when that is done",
                           path, MOST_SECONDS);
}

static int may_replace(transfer *t, const char *path, output_lock_kind kind) {
    if (t->force || is_replaceable(path)) return lock_output(t, path, kind);
    if (errno == EACCES)
        return transfer_refuse(
            t, "%s: is write-protected; replace it with --force, or let it be written (chmod)", path);
    return transfer_refuse(t, "%s: cannot be written: %s", path, strerror(errno));
}

int transfer_may_replace(transfer *t, const char *path) { return may_replace(t, path, LOCK_SHARED); }

int transfer_open(transfer *t) {
    const int exit_status = may_replace(t, t->out, t->replaces_input ? LOCK_ALONE : LOCK_SHARED);
    if (exit_status != EXIT_DONE) return exit_status;
    if (t->replaces_input) outputs_replace(&t->files, t->in);
    const riffle_status status = riffle_npy_input_open(t->in, &t->input);
    if (status == RIFFLE_OK)
        t->part = array_whole(riffle_npy_input_header(t->input), riffle_npy_input_length(t->input));
    return transfer_result(t, t->in, status);
}

int transfer_spare(transfer *t, const char *also_read) {
    if (t->replaces_input || !is_same_file(t->out, also_read)) return EXIT_DONE;
    transfer_refuse(t, "%s: input and output are the same file; give the output another name", t->out);
    return EXIT_USAGE;
}

/* The status of a file made at `path`. */
static int made(transfer *t, const char *path, riffle_status status) {
    const int exit_status = transfer_result(t, path, status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : exit_status;
}

int transfer_create(transfer *t, const riffle_npy_header *header) {
    const riffle_status status = outputs_make(&t->files, t->out, header, t->replaces_input ? NULL : t->input);
    t->output = t->files.file[0];
    return made(t, t->out, status);
}

int transfer_create_beside(transfer *t, const char *path, const riffle_npy_header *header,
                           riffle_npy_output **out) {
    const riffle_status status = outputs_make(&t->files, path, header, t->input);
    *out = t->files.file[t->files.count - 1];
    return made(t, path, status);
}

int transfer_create_text(transfer *t, const char *path, char *text, size_t bytes) {
    return made(t, path, outputs_make_text(&t->files, path, text, bytes));
}

int transfer_place(transfer *t) {
    const riffle_status status = riffle_npy_input_check(t->input);
    if (status != RIFFLE_OK) return transfer_result(t, t->in, status);
    return outputs_place(&t->files, &t->line);
}

const void *transfer_first(const transfer *t) { return array_first(&t->part, riffle_npy_input_data(t->input)); }

riffle_status transfer_copy(const transfer *t, void *to) {
    return array_copy(&t->part, riffle_npy_input_data(t->input), t->threads, to);
}

riffle_status transfer_aligned(transfer *t, size_t align, const void **out) {
    return array_aligned(&t->part, riffle_npy_input_data(t->input), align, t->threads, &t->c_order, out);
}

riffle_status transfer_in_c_order(transfer *t, const void **out) { return transfer_aligned(t, 1, out); }
