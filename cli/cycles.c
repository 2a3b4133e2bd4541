/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle cycles: a minimum cycle basis of the graph whose edges are the rows of EDGES.npy, as rows of a cycle and an edge, or as bits.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arrays/program_text.h"
#include "arrays/transfer.h"
#include "frame/command.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle/cycles.h"

typedef struct request {
    const char *in, *out; /* the operands */
    const char *weights;
    uint64_t vertices;
    bool matrix, all, check, counts, wants_json, force, verbose;
    unsigned threads;
} request;

typedef struct job {
    transfer file;
    request ask;
    riffle_cycles_graph graph;
    uint64_t *ends; /* room for two of each edge */
    void *weights;  /* room for 8 bytes of each */
    riffle_cycles *found;
} job;

/* ------------------------------------------------------------------- numbers */

static bool is_signed(riffle_type type) { return type <= RIFFLE_TYPE_I64; }

/* An integer of any type, one below 0 as int64_t has it. */
static uint64_t integer_at(const void *from, riffle_type type, uint64_t k) {
    const size_t bytes = riffle_type_bytes(type);
    uint64_t value = 0;
    memcpy(&value, (const char *)from + k * bytes, bytes);
    const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return is_signed(type) && (value & sign) != 0 ? value | ~(sign | (sign - 1)) : value;
}

static int room_for(transfer *file, uint64_t count, void **out) {
    return transfer_result(file, "room for the graph", riffle_buffer_create(count * sizeof(uint64_t), out));
}

/* Vertices are counted up to the greatest, unless --vertices says how many there are. */
static int read_ends(job *work, const void *from, riffle_type type) {
    uint64_t most = 0;
    for (uint64_t k = 0; k < 2 * work->graph.edges; k++) {
        const uint64_t end = work->ends[k] = integer_at(from, type, k);
        if (is_signed(type) && (int64_t)end < 0)
            return transfer_refuse(&work->file,
                                   "%s: edge %" PRIu64 " has the vertex %" PRId64 "; vertices are 0 or more",
                                   work->file.in, k / 2, (int64_t)end);
        if (end >= most) most = end + (end < UINT64_MAX);
    }
    work->graph.vertices = work->ask.vertices > 0 ? work->ask.vertices : most;
    return EXIT_DONE;
}

/* Integers become 64 bits wide, floats double. */
static int read_weights(job *work, const riffle_npy_input *input) {
    const riffle_npy_header *const header = riffle_npy_input_header(input);
    const void *const from = riffle_npy_input_data(input);
    riffle_type type;
    if (!program_type_of(header->descr, &type) || type > RIFFLE_TYPE_F64 || type == RIFFLE_TYPE_F16)
        return transfer_refuse(&work->file,
                               "%s: dtype %s; weights are little-endian integers, float32 or float64",
                               work->ask.weights, header->descr);
    if (header->rank != 1 || header->shape[0] != work->graph.edges)
        return transfer_refuse(&work->file, "%s: has to be a list of %" PRIu64 " weights, one for each edge",
                               work->ask.weights, work->graph.edges);
    work->graph.weights = work->weights;
    work->graph.type = type >= RIFFLE_TYPE_F32 ? RIFFLE_TYPE_F64
                       : is_signed(type)       ? RIFFLE_TYPE_I64
                                               : RIFFLE_TYPE_U64;
    for (uint64_t k = 0; k < work->graph.edges; k++) {
        if (type == RIFFLE_TYPE_F64) {
            memcpy((double *)work->weights + k, (const double *)from + k, sizeof(double));
        } else if (type == RIFFLE_TYPE_F32) {
            float narrow;
            memcpy(&narrow, (const char *)from + k * sizeof narrow, sizeof narrow);
            ((double *)work->weights)[k] = (double)narrow;
        } else {
            ((uint64_t *)work->weights)[k] = integer_at(from, type, k);
        }
    }
    return transfer_result(&work->file, work->ask.weights, riffle_npy_input_check(input));
}

/* ------------------------------------------------------------------- phases */

static int open_graph(transfer *file) {
    job *const work = (job *)file;
    const int exit_status = transfer_open(file);
    if (exit_status != EXIT_DONE) return exit_status;
    const riffle_npy_header *const header = &file->part.header;
    riffle_type type;
    if (header->rank != 2 || header->shape[1] != 2)
        return transfer_refuse(
            file,
            "%s: edges are an array of shape (m, 2), a row of two vertices each, and this one has another",
            file->in);
    if (!program_type_of(header->descr, &type) || type >= RIFFLE_TYPE_F16)
        return transfer_refuse(file,
                               "%s: dtype %s; vertices are little-endian integers; convert them with astype",
                               file->in, header->descr);
    work->graph.edges = header->shape[0];
    return work->ask.weights == NULL ? EXIT_DONE : transfer_spare(file, work->ask.weights);
}

static int read_graph(transfer *file) {
    job *const work = (job *)file;
    riffle_type type;
    const void *from;
    void *room;
    program_type_of(file->part.header.descr, &type); /* open_graph has seen it */
    int exit_status = transfer_result(file, file->in, transfer_in_c_order(file, &from));
    if (exit_status == EXIT_DONE) exit_status = room_for(file, 2 * work->graph.edges, &room);
    if (exit_status != EXIT_DONE) return exit_status;
    work->graph.ends = work->ends = room;
    exit_status = read_ends(work, from, type);
    if (exit_status != EXIT_DONE || work->ask.weights == NULL) return exit_status;
    exit_status = room_for(file, work->graph.edges, &work->weights);
    if (exit_status != EXIT_DONE) return exit_status;
    riffle_npy_input *input = NULL;
    exit_status = transfer_result(file, work->ask.weights, riffle_npy_input_open(work->ask.weights, &input));
    if (exit_status == EXIT_DONE) exit_status = read_weights(work, input);
    riffle_npy_input_close(input);
    return exit_status;
}

static int find(transfer *file) {
    job *const work = (job *)file;
    const riffle_cycles_options options = {work->ask.threads, work->ask.all};
    return transfer_result(file, "cycles", riffle_cycles_find(&work->graph, &options, &work->found));
}

static int check(transfer *file) {
    const job *const work = (job *)file;
    const riffle_cycles_basis *const basis = riffle_cycles_get(work->found);
    if (!work->ask.check) return EXIT_DONE;
    return transfer_result(file, "cycles: the proof",
                           riffle_cycles_check(&work->graph, basis->cycles, basis->first, basis->edge,
                                               &(riffle_call_options){.threads = work->ask.threads}));
}

static int write_pairs(job *work) {
    const riffle_cycles_basis *const basis = riffle_cycles_get(work->found);
    riffle_npy_header header = work->file.part.header;
    header.descr = "'<i8'";
    header.elem_bytes = sizeof(int64_t);
    header.fortran_order = 0;
    header.shape[0] = basis->first[basis->cycles];
    const int exit_status = transfer_create(&work->file, &header);
    if (exit_status != EXIT_DONE || header.shape[0] == 0) return exit_status;
    uint64_t *to = riffle_npy_output_data(work->file.output);
    for (uint64_t k = 0; k < basis->cycles; k++)
        for (uint64_t e = basis->first[k]; e < basis->first[k + 1]; e++) {
            *to++ = k;
            *to++ = basis->edge[e];
        }
    return EXIT_DONE;
}

/* As NumPy's packbits makes rows, the lowest bit first. */
static int write_bits(job *work) {
    const riffle_cycles_basis *const basis = riffle_cycles_get(work->found);
    riffle_npy_header header = work->file.part.header;
    const uint64_t bytes = (work->graph.edges + 7) / 8;
    header.descr = "'|u1'";
    header.elem_bytes = 1;
    header.fortran_order = 0;
    header.shape[0] = basis->cycles;
    header.shape[1] = bytes;
    const int exit_status = transfer_create(&work->file, &header);
    if (exit_status != EXIT_DONE || basis->cycles == 0) return exit_status;
    unsigned char *const to = riffle_npy_output_data(work->file.output);
    memset(to, 0, basis->cycles * bytes);
    for (uint64_t k = 0; k < basis->cycles; k++)
        for (uint64_t e = basis->first[k]; e < basis->first[k + 1]; e++)
            to[k * bytes + basis->edge[e] / 8] |= (unsigned char)(1U << basis->edge[e] % 8);
    return EXIT_DONE;
}

static int write_basis(transfer *file) {
    job *const work = (job *)file;
    return work->ask.matrix ? write_bits(work) : write_pairs(work);
}

enum { OPEN, READ, FIND, CHECK, WRITE, SYNC, PHASE_COUNT };

static const transfer_phase phases[PHASE_COUNT] = {
    [OPEN] = {"opening", open_graph},   [READ] = {"reading the graph", read_graph},
    [FIND] = {"finding cycles", find},  [CHECK] = {"checking", check},
    [WRITE] = {"writing", write_basis}, [SYNC] = {"syncing", transfer_place},
};

/* ------------------------------------------------------------------ reports */

typedef struct line {
    const char *name, *text; /* in JSON, and for people */
    uint64_t value;
} line;

enum { LINES = 13 };

static void list_numbers(const job *work, line *lines) {
    const riffle_cycles_basis *const basis = riffle_cycles_get(work->found);
    const riffle_cycles_counts *const counts = &basis->counts;
    const line all[LINES] = {
        {"vertices", "vertices", work->graph.vertices},
        {"edges", "edges", work->graph.edges},
        {"components", "components", counts->components},
        {"cycles", "cycles of the basis", basis->cycles},
        {"basis_edges", "their edges", basis->first[basis->cycles]},
        {"rounds", "searches", counts->rounds},
        {"reached", "vertices in trees", counts->reached},
        {"looked_at", "cycles looked at", counts->looked_at},
        {"candidates", "isometric cycles", counts->candidates},
        {"candidate_edges", "their edges", counts->candidate_edges},
        {"bound", "bound: vertices * edges", counts->bound},
        {"tried", "tried until the basis", counts->tried},
        {"proved", "proved", work->ask.check},
    };
    memcpy(lines, all, sizeof all);
}

/* The total is exact where it is an integer of 64 bits. */
static void print_total(const riffle_cycles_basis *basis) {
    if (basis->unit == 0 && basis->weight[1] == 0)
        printf("%" PRIu64, basis->weight[0]);
    else
        printf("%.17g", basis->total);
}

static void print_json(const job *work) {
    line lines[LINES];
    list_numbers(work, lines);
    printf("{\"total\": ");
    if (isfinite(riffle_cycles_get(work->found)->total))
        print_total(riffle_cycles_get(work->found));
    else
        printf("null"); /* JSON has no infinity */
    for (unsigned k = 0; k + 1 < LINES; k++) printf(", \"%s\": %" PRIu64, lines[k].name, lines[k].value);
    printf(", \"proved\": %s, \"seconds\": %.6f}\n", work->ask.check ? "true" : "false",
           work->file.seconds[FIND]);
}

static void print_counts(const job *work) {
    line lines[LINES];
    list_numbers(work, lines);
    printf("%-25s", "total weight:");
    print_total(riffle_cycles_get(work->found));
    for (unsigned k = 0; k + 1 < LINES; k++)
        printf("\n%s:%*s%" PRIu64, lines[k].text, (int)(24 - strlen(lines[k].text)), "", lines[k].value);
    printf("\n");
    if (work->ask.check) printf("proved:                  independent, and of least weight\n");
}

static void print_found(const transfer *file) {
    const job *const work = (const job *)file;
    if (work->ask.wants_json)
        print_json(work);
    else if (work->ask.counts)
        print_counts(work);
}

static void report(const transfer *file) {
    const job *const work = (const job *)file;
    complain("%s: %" PRIu64 " cycles of %" PRIu64 " edges found in %.3f s", work->ask.out,
             riffle_cycles_get(work->found)->cycles, work->graph.edges, work->file.seconds[FIND]);
}

static void clean_up(transfer *file) {
    job *const work = (job *)file;
    if (work->ends != NULL) riffle_buffer_free(work->ends, 2 * work->graph.edges * sizeof *work->ends);
    if (work->weights != NULL) riffle_buffer_free(work->weights, work->graph.edges * sizeof(uint64_t));
    riffle_cycles_free(work->found);
}

static const transfer_command way = {.name = "cycles",
                                     .phases = phases,
                                     .count = PHASE_COUNT,
                                     .print = print_found,
                                     .report = report,
                                     .clean_up = clean_up};

static int run(int argc, char **argv) {
    job work = {0};
    int exit_status;
    if (!options_read(&cycles_command, argc, argv, &work.ask, &exit_status)) return exit_status;
    return finish_stdout(transfer_do(
        &work.file, &way,
        &(transfer_asked){work.ask.in, work.ask.out, work.ask.force, work.ask.verbose, &work.ask.threads}));
}

static const command_option options[] = {
    {"weights", "W.npy", FILE_NAME(weights), .help = "a weight for each edge, 0 or more; by default all are 1"},
    {"vertices", "N", NUMBER(vertices),
     .help = "how many vertices there are; by default they end with the greatest",
     RANGE(1, RIFFLE_CYCLES_MAX_VERTICES)},
    {"matrix", NULL, SWITCH(matrix),
     .help = "write a row of bits for each cycle instead, eight edges a byte, the lowest bit first"},
    {"all", NULL, SWITCH(all), .help = "look for isometric cycles that are heavier than the basis needs, too"},
    {"check", NULL, SWITCH(check),
     .help = "prove by another way that the basis is one, and of least weight, before it is written"},
    {"counts", NULL, SWITCH(counts),
     .help = "print the total weight, and how many cycles were looked at, beside their bound"},
    {"json", NULL, SWITCH(wants_json), .help = "print the same as one JSON document"},
    FORCE_OPTION,
    THREADS_OPTION(threads),
    VERBOSE_OPTION,
    {0},
};

const command cycles_command = {
    .name = "cycles",
    .summary = "find a minimum cycle basis of a graph",
    .usage = "EDGES.npy BASIS.npy [OPTION]...",
    .about = "Finds cycles of an undirected graph of which all others are sums, and whose\n"
             "weights add up to least. EDGES.npy has a row of two vertices for each edge;\n"
             "parallel edges and loops may be among them. BASIS.npy becomes an array of int64\n"
             "with a row for each edge of each cycle: the cycle's number and the edge's. The\n"
             "lightest cycle is first, a cycle's edges go around it.\n"
             "BASIS.npy is synced to disk.\n",
    .options = options,
    .operands = 2,
    .operand_field = FIELD(const char *, in),
    .run = run,
};
