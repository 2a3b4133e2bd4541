/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "arrays/same_file.h"
#include "system/writable.h"

enum { PREAMBLE = 12 };
#define PIECE_BYTES ((uint64_t)1 << 30)

static riffle_status open_input(files_job *m) {
    const riffle_status status = riffle_npy_input_open(m->in, &m->input);
    if (status != RIFFLE_OK) return status;
    const riffle_npy_header *const header = riffle_npy_input_header(m->input);
    if (header->fortran_order && header->rank > 1)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                        "%s is in Fortran order, which ranks do not read; save it in C order", m->in);
    m->target[0].header = *header;
    m->target[0].header.fortran_order = false;
    m->n = riffle_npy_input_length(m->input);
    m->bytes = header->elem_bytes;
    return RIFFLE_OK;
}

/* A new file would take a protected one's place by its folder's leave alone, and its rights, by which ranks could not write it. */
static riffle_status check_replaceable(const char *path) {
    if (is_replaceable(path)) return RIFFLE_OK;
    if (errno == EACCES)
        return mpi_fail(RIFFLE_ERROR_IO, "%s: is write-protected; let it be written (chmod)", path);
    return mpi_fail(RIFFLE_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

static riffle_status check_apart(const char *written, const char *other) {
    if (written == NULL || other == NULL || !is_same_file(written, other)) return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s and %s are the same file; give what is written another name", written, other);
}

riffle_status files_check_apart(const files_job *m, const char *read) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < FILES_OUTPUTS; k++)
        status = check_apart(m->target[k].path, read);
    return status;
}

static riffle_status look_at_files(files_job *m) {
    riffle_status status = open_input(m);
    if (status == RIFFLE_OK) status = files_check_apart(m, m->in);
    for (unsigned k = 0; status == RIFFLE_OK && k < FILES_OUTPUTS; k++) {
        const char *const path = m->target[k].path;
        if (path != NULL) status = check_replaceable(path);
        for (unsigned j = 0; status == RIFFLE_OK && j < k; j++) status = check_apart(path, m->target[j].path);
    }
    return status;
}

/* Ranks that see unlike files would mix their parts. */
static riffle_status agree_on_job(const files_job *m, riffle_status own) {
    uint64_t beside = 7;
    for (unsigned k = 1; k < FILES_OUTPUTS; k++) beside = hash_text(beside, m->target[k].path);
    const claim claims[] = {
        claim_of_build(),
        {"what is done", hash_text(4, m->way->name), false},
        {"the name of the file to read", hash_text(5, m->in), false},
        {"the name of the file to write", hash_text(6, m->target[0].path), false},
        {"the names of files beside it", beside, false},
        {"the elements of the file to read", m->n, true},
        {"the bytes of an element", m->bytes, true},
    };
    return agree_on(MPI_COMM_WORLD, own, claims, sizeof claims / sizeof *claims);
}

files_part files_equal_part(const files_job *m, uint64_t n, size_t bytes) {
    const uint64_t block = n / m->report->ranks + (n % m->report->ranks > 0), first = m->report->rank * block;
    const uint64_t begin = first < n ? first : n, left = n - begin;
    return (files_part){.begin = begin, .count = left < block ? left : block, .bytes = bytes};
}

riffle_status files_take_rows(files_job *m) {
    const riffle_npy_header *const header = riffle_npy_input_header(m->input);
    if (header->rank == 0)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: a 0-dimensional array has no rows", m->in);
    m->n = header->shape[0];
    for (unsigned k = 1; k < header->rank; k++) m->bytes *= (size_t)header->shape[k];
    return RIFFLE_OK;
}

void files_set_numbers(files_target *target, uint64_t n, files_part part) {
    target->header =
        (riffle_npy_header){.descr = "'<i8'", .elem_bytes = sizeof(uint64_t), .rank = 1, .shape = {n}};
    target->part = part;
}

static riffle_status make_room_for(files_part *part) {
    return part->data == NULL ? riffle_buffer_create(part->count * part->bytes, &part->data) : RIFFLE_OK;
}

static riffle_status make_room(files_job *m) {
    riffle_status status = make_room_for(&m->src);
    for (unsigned k = 0; status == RIFFLE_OK && k < FILES_OUTPUTS; k++)
        status = make_room_for(&m->target[k].part);
    return status;
}

static riffle_status make_hidden(files_job *m, unsigned k) {
    files_target *const target = &m->target[k];
    size_t length = 0;
    riffle_status status = riffle_npy_output_create(target->path, &target->header, m->input, &m->output[k]);
    if (status == RIFFLE_OK)
        status = riffle_npy_output_hidden(m->output[k], target->hidden, sizeof target->hidden, &length);
    if (status == RIFFLE_OK && length >= sizeof target->hidden)
        status = mpi_fail(RIFFLE_ERROR_IO, "%s: the name is too long", target->path);
    return status;
}

/* Rank 0 makes a hidden file, and all have its name. */
static riffle_status make_output(files_job *m, unsigned k) {
    char *const hidden = m->target[k].hidden;
    const bool is_first = m->report->rank == 0;
    if (m->target[k].path == NULL) return RIFFLE_OK;
    riffle_status status = riffle_mpi_agree(MPI_COMM_WORLD, is_first ? make_hidden(m, k) : RIFFLE_OK);
    if (status == RIFFLE_OK)
        status = mpi_result(MPI_Bcast(hidden, FILES_PATH_MOST, MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
    if (status == RIFFLE_OK && !is_first) m->told[k] = hidden;
    return status;
}

/* Headers are on the disk before other processes write behind them. */
static riffle_status make_outputs(files_job *m) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < FILES_OUTPUTS; k++) status = make_output(m, k);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 0; status == RIFFLE_OK && k < FILES_OUTPUTS; k++)
        if (m->output[k] != NULL) status = riffle_npy_output_sync(m->output[k]);
    return riffle_mpi_agree(MPI_COMM_WORLD, status);
}

/* A .npy file says in its first bytes where its elements begin: 6 of a name, 2 of a version, 2 or 4 of the header's length. */
static riffle_status find_elements(MPI_File file, const char *path, MPI_Offset *out) {
    unsigned char first[PREAMBLE] = {0};
    const riffle_status status =
        mpi_result(MPI_File_read_at(file, 0, first, PREAMBLE, MPI_BYTE, MPI_STATUS_IGNORE), path);
    const MPI_Offset shorter = first[8] | first[9] << 8;
    *out = first[6] == 1 ? 10 + shorter
                         : 12 + (shorter | (MPI_Offset)first[10] << 16 | (MPI_Offset)first[11] << 24);
    return status;
}

typedef int transfer_piece(MPI_File file, MPI_Offset at, void *data, int count);

static int check_count(int code, const MPI_Status *status, int wanted) {
    int count = 0;
    if (code == MPI_SUCCESS) code = MPI_Get_count(status, MPI_BYTE, &count);
    return code == MPI_SUCCESS && count != wanted ? MPI_ERR_IO : code;
}

static int read_piece(MPI_File file, MPI_Offset at, void *data, int count) {
    MPI_Status status;
    return check_count(MPI_File_read_at_all(file, at, data, count, MPI_BYTE, &status), &status, count);
}

static int write_piece(MPI_File file, MPI_Offset at, void *data, int count) {
    MPI_Status status;
    return check_count(MPI_File_write_at_all(file, at, data, count, MPI_BYTE, &status), &status, count);
}

/* All ranks take part in as many pieces, of which the shorter parts' last ones are empty. */
static riffle_status count_pieces(uint64_t own_bytes, uint64_t *out) {
    const uint64_t own = own_bytes / PIECE_BYTES + (own_bytes % PIECE_BYTES > 0);
    return mpi_result(MPI_Allreduce(&own, out, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
}

static riffle_status transfer_part(MPI_File file, const char *path, const files_part *part,
                                   transfer_piece *piece) {
    const uint64_t own = part->count * part->bytes;
    uint64_t pieces = 0;
    MPI_Offset elements;
    riffle_status status = riffle_mpi_agree(MPI_COMM_WORLD, find_elements(file, path, &elements));
    if (status == RIFFLE_OK) status = count_pieces(own, &pieces);
    if (status != RIFFLE_OK) return status;
    int code = MPI_SUCCESS;
    for (uint64_t k = 0; k < pieces; k++) {
        const uint64_t done = k * PIECE_BYTES < own ? k * PIECE_BYTES : own, left = own - done;
        const int bytes = (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
        const int failed = piece(file, elements + (MPI_Offset)(part->begin * part->bytes + done),
                                 (char *)part->data + done, bytes);
        if (code == MPI_SUCCESS) code = failed;
    }
    return mpi_result(code, path);
}

static riffle_status transfer_file(const char *path, int mode, const files_part *part, transfer_piece *piece) {
    if (part->bytes == 0) return RIFFLE_OK;
    MPI_File file = MPI_FILE_NULL;
    riffle_status status = mpi_result(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file), path);
    status = riffle_mpi_agree(MPI_COMM_WORLD, status);
    if (status == RIFFLE_OK) status = transfer_part(file, path, part, piece);
    if (status == RIFFLE_OK && mode != MPI_MODE_RDONLY) status = mpi_result(MPI_File_sync(file), path);
    if (file != MPI_FILE_NULL) {
        const riffle_status closed = mpi_result(MPI_File_close(&file), path);
        if (status == RIFFLE_OK) status = closed;
    }
    return riffle_mpi_agree(MPI_COMM_WORLD, status);
}

riffle_status files_read(const char *path, const files_part *part) {
    return transfer_file(path, MPI_MODE_RDONLY, part, read_piece);
}

/* ------------------------------------------------------------------ steps */

static riffle_status write_outputs(const files_job *m) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < FILES_OUTPUTS; k++)
        if (m->target[k].path != NULL)
            status = transfer_file(m->target[k].hidden, MPI_MODE_RDWR, &m->target[k].part, write_piece);
    return status;
}

static double seconds_since(double *last) {
    const double now = MPI_Wtime(), passed = now - *last;
    *last = now;
    return passed;
}

static riffle_status do_all(files_job *m) {
    riffle_mpi_files_report *const report = m->report;
    double clock = MPI_Wtime();
    riffle_status status = agree_on_job(
        m, m->refusal != NULL ? mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s", m->refusal) : look_at_files(m));
    if (status == RIFFLE_OK) status = riffle_mpi_agree(MPI_COMM_WORLD, m->way->plan(m));
    if (status == RIFFLE_OK) status = riffle_mpi_agree(MPI_COMM_WORLD, make_room(m));
    if (status == RIFFLE_OK) status = make_outputs(m);
    report->plan = seconds_since(&clock);
    if (status == RIFFLE_OK) status = files_read(m->in, &m->src);
    report->read = seconds_since(&clock);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(MPI_COMM_WORLD, m->way->execute(m));
    report->move = seconds_since(&clock);
    if (status == RIFFLE_OK) status = write_outputs(m);
    report->write = seconds_since(&clock);
    return status;
}

/* Files take their names, OUT the last: whatever fails before leaves it as it was. */
static riffle_status commit(files_job *m) {
    const char *placed = NULL;
    for (unsigned k = FILES_OUTPUTS; k-- > 0;) {
        riffle_npy_output *const file = m->output[k];
        if (file == NULL) continue;
        m->output[k] = NULL;
        const riffle_status status = riffle_npy_output_commit(file);
        if (status != RIFFLE_OK && placed != NULL)
            return mpi_fail(status, "%s; %s is of this run already, and does not belong to it",
                            riffle_error_detail(), placed);
        if (status != RIFFLE_OK) return status;
        placed = m->target[k].path;
    }
    return RIFFLE_OK;
}

static void give_up(files_job *m) {
    for (unsigned k = 0; k < FILES_OUTPUTS; k++) {
        riffle_npy_output *const file = m->output[k];
        if (file == NULL) continue;
        riffle_npy_output_unlink(file);
        m->output[k] = NULL;
        riffle_npy_output_abort(file);
    }
}

static void tell_watcher(const files_job *m, riffle_mpi_files_phase phase) {
    if (m->watch != NULL) m->watch(phase, m->report->rank, &m->watched);
}

static riffle_status place(files_job *m, riffle_status status) {
    tell_watcher(m, RIFFLE_MPI_FILES_PHASE_PLACING);
    if (status == RIFFLE_OK) status = commit(m);
    give_up(m);
    tell_watcher(m, RIFFLE_MPI_FILES_PHASE_ENDED);
    return riffle_mpi_agree(MPI_COMM_WORLD, status);
}

static void release_part(const files_part *part) { riffle_buffer_free(part->data, part->count * part->bytes); }

static void release(files_job *m) {
    if (m->way->release != NULL) m->way->release(m);
    release_part(&m->src);
    for (unsigned k = 0; k < FILES_OUTPUTS; k++) release_part(&m->target[k].part);
    riffle_npy_input_close(m->input);
}

static riffle_status do_over_ranks(files_job *m) {
    int rank, ranks;
    riffle_status status = mpi_result(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    if (status == RIFFLE_OK) status = mpi_result(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    if (status != RIFFLE_OK) return status;
    *m->report = (riffle_mpi_files_report){.rank = (unsigned)rank, .ranks = (unsigned)ranks};
    m->watched = (riffle_mpi_files_hidden){m->target[0].path, FILES_OUTPUTS, m->output, m->told};
    tell_watcher(m, RIFFLE_MPI_FILES_PHASE_MAKING);
    status = place(m, do_all(m));
    m->report->n = m->n;
    m->report->elem_bytes = m->bytes;
    release(m);
    if (status != RIFFLE_OK) snprintf(m->report->detail, sizeof m->report->detail, "%s", riffle_error_detail());
    return status;
}

riffle_status files_do(files_job *m) {
    int was_begun = 0, has;
    *m->report = (riffle_mpi_files_report){.ranks = 1};
    if (MPI_Initialized(&was_begun) != MPI_SUCCESS ||
        (!was_begun && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &has) != MPI_SUCCESS)) {
        snprintf(m->report->detail, sizeof m->report->detail, "MPI cannot be started");
        return mpi_fail(RIFFLE_ERROR_IO, "%s", m->report->detail);
    }
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const riffle_status status = do_over_ranks(m);
    if (before != MPI_ERRHANDLER_NULL) { /* a caller's own */
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
        MPI_Errhandler_free(&before);
    }
    if (!was_begun) MPI_Finalize();
    return status;
}

riffle_status riffle_mpi_refuse_files(const char *words, riffle_mpi_files_report *report) {
    static const files_way way = {.name = "nothing"};
    if (words == NULL || report == NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "words or report is NULL");
    files_job m = {.way = &way, .refusal = words, .report = report};
    return files_do(&m);
}
