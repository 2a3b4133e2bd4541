/* SPDX-License-Identifier: Apache-2.0
 *
 * One file is moved to another by all ranks. Each looks at IN's header, and reads and writes its own part by MPI-IO:
 *
 *     rank 0: makes OUT's hidden file with its header        all: read, move, write, sync        rank 0: renames it
 *
 * All ranks come to one status after each step, so that rank 0 gives the hidden file up where any of them failed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "riffle/npy.h"
#include "words.h"

enum { PATH_MOST = 8192, PREAMBLE = 12 };
#define PIECE_BYTES ((uint64_t)1 << 30)

typedef struct move {
    const riffle_mpi_files *ask;
    riffle_mpi_files_report *report;
    riffle_npy_input *input;
    riffle_npy_output *output; /* rank 0's */
    riffle_npy_header header;  /* of OUT */
    riffle_perm *perm;
    riffle_mpi_plan *plan;
    uint64_t n, block; /* units; of each rank but the last ones */
    size_t bytes;      /* of a unit */
    void *src, *dst;
    uint64_t src_count, dst_count;
    char hidden[PATH_MOST];
} move;

static riffle_status open_input(move *m) {
    const riffle_status status = riffle_npy_input_open(m->ask->in, &m->input);
    if (status != RIFFLE_OK) return status;
    const riffle_npy_header *const header = riffle_npy_input_header(m->input);
    if (header->fortran_order && header->rank > 1)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                        "%s is in Fortran order, which ranks do not read; save it in C order", m->ask->in);
    if (m->ask->rows && header->rank == 0)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: a 0-dimensional array has no rows", m->ask->in);
    m->n = m->ask->rows ? header->shape[0] : riffle_npy_input_length(m->input);
    m->bytes = header->elem_bytes;
    for (unsigned k = 1; m->ask->rows && k < header->rank; k++) m->bytes *= (size_t)header->shape[k];
    return RIFFLE_OK;
}

/* The shape that the permutation gives, before the rest of a row's. */
static riffle_status make_header(move *m) {
    const riffle_npy_header *const from = riffle_npy_input_header(m->input);
    uint64_t shape[RIFFLE_MAX_RANK];
    const unsigned given = riffle_perm_output_shape(m->perm, shape);
    const unsigned kept = m->ask->rows ? from->rank - 1 : 0;
    m->header = *from;
    m->header.fortran_order = false;
    if (given == 0) return RIFFLE_OK;
    if (given + kept > RIFFLE_MAX_RANK)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, "%s would have more than %d dimensions", m->ask->out,
                        RIFFLE_MAX_RANK);
    memcpy(m->header.shape, shape, given * sizeof *shape);
    memcpy(m->header.shape + given, from->shape + 1, kept * sizeof *shape);
    m->header.rank = given + kept;
    return RIFFLE_OK;
}

static riffle_status plan_move(move *m) {
    riffle_status status = riffle_perm_parse(m->ask->by, m->n, &m->perm);
    if (status == RIFFLE_OK) status = make_header(m);
    status = riffle_mpi_agree(MPI_COMM_WORLD, status);
    if (status != RIFFLE_OK || m->bytes == 0) return status;
    const riffle_mpi_options options = {.threads = m->ask->threads};
    status = riffle_mpi_plan_create(m->perm, m->bytes, MPI_COMM_WORLD, &options, &m->plan);
    if (status != RIFFLE_OK) return status;
    riffle_mpi_plan_elements(m->plan, &m->src_count, &m->dst_count);
    riffle_mpi_plan_volume(m->plan, &m->report->volume, &m->report->messages);
    m->block = m->n / m->report->ranks + (m->n % m->report->ranks > 0);
    status = riffle_buffer_create(m->src_count * m->bytes, &m->src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(m->dst_count * m->bytes, &m->dst);
    return status;
}

/* Rank 0 makes the hidden file, and all have its name. */
static riffle_status make_output(move *m) {
    riffle_status status = RIFFLE_OK;
    size_t length = 0;
    if (m->report->rank == 0) {
        status = riffle_npy_output_create(m->ask->out, &m->header, m->input, &m->output);
        if (status == RIFFLE_OK) status = riffle_npy_output_sync(m->output);
        if (status == RIFFLE_OK)
            status = riffle_npy_output_hidden(m->output, m->hidden, sizeof m->hidden, &length);
        if (status == RIFFLE_OK && length >= sizeof m->hidden)
            status = mpi_fail(RIFFLE_ERROR_IO, "%s: the name is too long", m->ask->out);
    }
    status = riffle_mpi_agree(MPI_COMM_WORLD, status);
    if (status != RIFFLE_OK) return status;
    return mpi_result(MPI_Bcast(m->hidden, (int)sizeof m->hidden, MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
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
static riffle_status transfer_part(const move *m, MPI_File file, const char *path, void *data, uint64_t count,
                                   transfer_piece *piece) {
    MPI_Offset elements;
    riffle_status status = riffle_mpi_agree(MPI_COMM_WORLD, find_elements(file, path, &elements));
    if (status != RIFFLE_OK) return status;
    const uint64_t own = count * m->bytes, most = m->block * m->bytes;
    const uint64_t begin = m->report->rank * m->block < m->n ? m->report->rank * m->block : m->n;
    int code = MPI_SUCCESS;
    for (uint64_t done = 0; done < most; done += PIECE_BYTES) {
        const uint64_t left = done < own ? own - done : 0;
        const int bytes = (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
        const int failed = piece(file, elements + (MPI_Offset)(begin * m->bytes + done),
                                 (char *)data + (done < own ? done : 0), bytes);
        if (code == MPI_SUCCESS) code = failed;
    }
    return mpi_result(code, path);
}

static riffle_status transfer_file(const move *m, const char *path, int mode, void *data, uint64_t count,
                                   transfer_piece *piece) {
    MPI_File file = MPI_FILE_NULL;
    riffle_status status = mpi_result(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file), path);
    status = riffle_mpi_agree(MPI_COMM_WORLD, status);
    if (status == RIFFLE_OK) status = transfer_part(m, file, path, data, count, piece);
    if (status == RIFFLE_OK && mode != MPI_MODE_RDONLY) status = mpi_result(MPI_File_sync(file), path);
    if (file != MPI_FILE_NULL) {
        const riffle_status closed = mpi_result(MPI_File_close(&file), path);
        if (status == RIFFLE_OK) status = closed;
    }
    return riffle_mpi_agree(MPI_COMM_WORLD, status);
}

static double seconds_since(double *last) {
    const double now = MPI_Wtime(), passed = now - *last;
    *last = now;
    return passed;
}

static riffle_status move_all(move *m) {
    riffle_mpi_files_report *const report = m->report;
    double clock = MPI_Wtime();
    riffle_status status = riffle_mpi_agree(MPI_COMM_WORLD, open_input(m));
    if (status == RIFFLE_OK) status = riffle_mpi_agree(MPI_COMM_WORLD, plan_move(m));
    if (status == RIFFLE_OK) status = make_output(m);
    report->plan = seconds_since(&clock);
    if (status != RIFFLE_OK || m->plan == NULL) return status;
    status = transfer_file(m, m->ask->in, MPI_MODE_RDONLY, m->src, m->src_count, read_piece);
    report->read = seconds_since(&clock);
    if (status == RIFFLE_OK)
        status = riffle_mpi_agree(MPI_COMM_WORLD, riffle_mpi_execute(m->plan, m->dst, m->src));
    report->move = seconds_since(&clock);
    if (status == RIFFLE_OK)
        status = transfer_file(m, m->hidden, MPI_MODE_RDWR, m->dst, m->dst_count, write_piece);
    report->write = seconds_since(&clock);
    return status;
}

/* OUT takes its name where all went well. */
static riffle_status place(move *m, riffle_status status) {
    if (status == RIFFLE_OK && m->output != NULL) {
        status = riffle_npy_output_commit(m->output);
    } else {
        riffle_npy_output_abort(m->output);
    }
    m->output = NULL;
    return riffle_mpi_agree(MPI_COMM_WORLD, status);
}

static void release(move *m) {
    riffle_mpi_plan_free(m->plan);
    riffle_buffer_free(m->src, m->src_count * m->bytes);
    riffle_buffer_free(m->dst, m->dst_count * m->bytes);
    riffle_perm_free(m->perm);
    riffle_npy_input_close(m->input);
    free(m);
}

static riffle_status move_files(const riffle_mpi_files *ask, riffle_mpi_files_report *report) {
    int rank, ranks;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    riffle_status status = mpi_result(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    if (status == RIFFLE_OK) status = mpi_result(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    if (status != RIFFLE_OK) return status;
    *report = (riffle_mpi_files_report){.rank = (unsigned)rank, .ranks = (unsigned)ranks};
    move *const m = calloc(1, sizeof *m);
    status = riffle_mpi_agree(MPI_COMM_WORLD, m != NULL ? RIFFLE_OK : mpi_fail_memory("a move", sizeof *m));
    if (status == RIFFLE_OK) {
        m->ask = ask;
        m->report = report;
        status = place(m, move_all(m));
        report->n = m->n;
        report->elem_bytes = m->bytes;
        release(m);
    }
    if (status != RIFFLE_OK) snprintf(report->detail, sizeof report->detail, "%s", riffle_error_detail());
    return status;
}

riffle_status riffle_mpi_permute_files(const riffle_mpi_files *ask, riffle_mpi_files_report *report) {
    int was_begun = 0, has;
    if (ask == NULL || report == NULL || ask->in == NULL || ask->out == NULL || ask->by == NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "ask, report, or a name in ask is NULL");
    *report = (riffle_mpi_files_report){.ranks = 1};
    if (MPI_Initialized(&was_begun) != MPI_SUCCESS ||
        (!was_begun && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &has) != MPI_SUCCESS)) {
        snprintf(report->detail, sizeof report->detail, "MPI cannot be started");
        return mpi_fail(RIFFLE_ERROR_IO, "%s", report->detail);
    }
    const riffle_status status = move_files(ask, report);
    if (!was_begun) MPI_Finalize();
    return status;
}
