/* SPDX-License-Identifier: Apache-2.0
 *
 * A row's moves are the edges of a graph of banks; each colour is a group of `width` moves, one from every bank
 * and one into every bank. The graph wants its edges by left node, so edge (u, k) is the move from column
 * k * width + u. A group is then halved like the graph: residues modulo h/2 are nodes, each with two moves on
 * either side, and following the pairs deals one of each to either half.
 */
#include "papers/schedules/row_wise.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "papers/schedules/edge_colouring.h"

enum { MAX_WIDTH = 32 };

/* The memory that one thread needs beside the schedule, for a row. */
typedef struct row_scratch {
    uint16_t *bank, *colour; /* cols entries each */
    void *workspace;
} row_scratch;

static size_t align_line(size_t bytes) { return (bytes + 63) / 64 * 64; }

static size_t scratch_bytes(uint32_t cols, unsigned width) {
    return 2 * align_line(cols * sizeof(uint16_t)) +
           align_line(edge_colouring_workspace_bytes(width, cols / width));
}

static row_scratch scratch_at(char *at, uint32_t cols) {
    const size_t bytes = align_line(cols * sizeof(uint16_t));
    return (row_scratch){(uint16_t *)(void *)at, (uint16_t *)(void *)(at + bytes), at + 2 * bytes};
}

/* Colours the row's moves and lists each colour's columns together: the one in bank u as the u-th. */
static void group_moves(const uint16_t *to, uint32_t cols, unsigned width, const row_scratch *scratch,
                        uint16_t *s) {
    const uint32_t degree = cols / width;
    for (uint32_t u = 0, e = 0; u < width; u++) {
        for (uint32_t k = 0; k < degree; k++) scratch->bank[e++] = (uint16_t)(to[k * width + u] & (width - 1));
    }
    const edge_graph banks = {width, degree, scratch->bank};
    edge_colour(&banks, 1, scratch->workspace, scratch->colour);
    for (uint32_t u = 0, e = 0; u < width; u++) {
        for (uint32_t k = 0; k < degree; k++) s[scratch->colour[e++] * width + u] = (uint16_t)(k * width + u);
    }
}

/* Reorders h moves, conflict-free modulo h on both sides, so that each half is so modulo h/2. A move goes by
 * the bank b that it reads from, and writes to bank[b]. h is 4 or more. */
static void halve_group(const uint8_t *bank, unsigned h, uint8_t *moves) {
    const unsigned mask = h - 1, half = h / 2;
    uint8_t reader[MAX_WIDTH], writer[MAX_WIDTH]; /* the move that reads from or writes to each bank modulo h */
    for (unsigned k = 0; k < h; k++) {
        reader[moves[k] & mask] = moves[k];
        writer[bank[moves[k]] & mask] = moves[k];
    }
    uint32_t placed = 0; /* one bit for each bank that is read from, modulo h */
    unsigned count = 0;
    while (count < half) {
        unsigned b = reader[__builtin_ctz(~placed)];
        while ((placed >> (b & mask) & 1) == 0) {
            const unsigned other = writer[(bank[b] & mask) ^ half];
            placed |= UINT32_C(1) << (b & mask) | UINT32_C(1) << (other & mask);
            moves[count] = (uint8_t)b;
            moves[half + count++] = (uint8_t)other;
            b = reader[(other & mask) ^ half];
        }
    }
}

/* Orders a group whose u-th move reads from bank u. */
static void order_group(const uint16_t *to, unsigned width, uint16_t *s) {
    uint8_t bank[MAX_WIDTH], moves[MAX_WIDTH];
    uint16_t column[MAX_WIDTH];
    for (unsigned u = 0; u < width; u++) {
        moves[u] = (uint8_t)u;
        column[u] = s[u];
        bank[u] = (uint8_t)(to[s[u]] & (width - 1));
    }
    for (unsigned h = width; h >= 4; h /= 2) {
        for (unsigned k = 0; k < width; k += h) halve_group(bank, h, moves + k);
    }
    for (unsigned k = 0; k < width; k++) s[k] = column[moves[k]];
}

static void plan_row(const uint16_t *to, uint32_t cols, unsigned width, const row_scratch *scratch, uint16_t *s,
                     uint16_t *d) {
    group_moves(to, cols, width, scratch, s);
    for (uint32_t k = 0; k < cols; k += width) order_group(to, width, s + k);
    for (uint32_t k = 0; k < cols; k++) d[k] = to[s[k]];
}

static size_t list_bytes(const row_wise_schedule *schedule) {
    return (size_t)(schedule->rows * schedule->cols) * sizeof(uint16_t);
}

static riffle_status allocate_lists(row_wise_schedule *schedule) {
    void *s = NULL, *d = NULL;
    size_t bytes;
    if (!multiply_sizes(schedule->rows, schedule->cols, sizeof(uint16_t), &bytes)) {
        return fail_memory("a row-wise schedule", UINT64_MAX);
    }
    riffle_status status = buffer_create("a row-wise schedule", bytes, &s);
    if (status == RIFFLE_OK) status = buffer_create("a row-wise schedule", bytes, &d);
    if (status != RIFFLE_OK) riffle_buffer_free(s, bytes);
    if (status == RIFFLE_OK) schedule->s = s, schedule->d = d;
    return status;
}

typedef struct planning {
    const row_wise_schedule *schedule;
    const uint16_t *to;
    unsigned width;
    char *scratch; /* `bytes` for each thread */
    size_t bytes;
} planning;

static void plan_share(const void *context, team_member me) {
    const planning *const p = context;
    const uint64_t cols = p->schedule->cols;
    const row_scratch own = scratch_at(p->scratch + me.number * p->bytes, (uint32_t)cols);
    const team_share mine = team_share_of(p->schedule->rows, me);
    for (uint64_t row = mine.first * cols; row < mine.end * cols; row += cols)
        plan_row(p->to + row, (uint32_t)cols, p->width, &own, p->schedule->s + row, p->schedule->d + row);
}

riffle_status row_wise_plan(uint64_t rows, uint64_t cols, const uint16_t *to, unsigned width, unsigned threads,
                            row_wise_schedule *out) {
    const uint32_t row_cols = (uint32_t)cols;
    const size_t bytes = scratch_bytes(row_cols, width);
    row_wise_schedule schedule = {.rows = rows, .cols = cols};
    *out = (row_wise_schedule){0};
    if (threads > rows) threads = rows > 0 ? (unsigned)rows : 1;
    void *scratch;
    riffle_status status = buffer_create("planning rows", threads * bytes, &scratch);
    if (status != RIFFLE_OK) return status;
    status = allocate_lists(&schedule);
    if (status == RIFFLE_OK) {
        team_run(threads, plan_share, &(planning){&schedule, to, width, scratch, bytes});
        *out = schedule;
    }
    riffle_buffer_free(scratch, threads * bytes);
    return status;
}

size_t row_wise_bytes(const row_wise_schedule *schedule) { return 2 * list_bytes(schedule); }

void row_wise_free(row_wise_schedule *schedule) {
    riffle_buffer_free(schedule->s, list_bytes(schedule));
    riffle_buffer_free(schedule->d, list_bytes(schedule));
    *schedule = (row_wise_schedule){0};
}
