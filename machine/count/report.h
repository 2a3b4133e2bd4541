/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's counts: one row for each kernel, source line, memory space and operation, and the hazards.
 */
#ifndef RIFFLE_MACHINE_COUNT_REPORT_H
#define RIFFLE_MACHINE_COUNT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle/machine.h"

typedef enum report_space { SPACE_GLOBAL, SPACE_SHARED, SPACES } report_space;
typedef enum report_op { OP_READ, OP_WRITE, OP_ATOMIC, OPS } report_op;

/** In the place of an array's name: several. Rows of one place are told apart by so many arrays at most. */
extern const char report_several_arrays[];
enum { REPORT_MOST_ARRAYS = 8 };

/** The requests of some of the blocks that are counted, each as often as blocks that it stands for. By how far such parts are from each other
 *  tells how far their sum is from that of all blocks. */
enum { REPORT_PARTS = 16 };
typedef struct report_part {
    uint64_t warps, requests, ideal_requests;
} report_part;

static inline void report_part_add(report_part *to, const report_part *one) {
    to->warps += one->warps;
    to->requests += one->requests;
    to->ideal_requests += one->ideal_requests;
}

/** All rounds of one kind of access that a source line made in all launches of a kernel that stand together. */
typedef struct report_line {
    unsigned launch;    /**< which launch of the report, counted from 0 */
    const char *kernel; /**< strings live as long as the report */
    const char *file;   /**< base name; "?" without debug information */
    unsigned line;
    report_space space;
    report_op op;
    const char *array; /**< that it accessed; NULL in reports that do not tell rows apart by it */
    const char *
        called_from; /**< "a.cu:12 < a.cu:40": where its function was called, and that one; NULL: a kernel's own */
    const char *advice;              /**< remedy, as far as it has been tried; NULL: nothing is known */
    uint64_t advised;                /**< requests beyond the fewest of the part that the advice is for */
    const struct warp_access *worst; /**< the access of a warp that wasted the most; NULL if none did */
    unsigned cell_bytes;             /**< bytes of the widest access */
    uint64_t merged;                 /**< accesses of warps that were made one with others, as nvcc does */
    uint64_t mergeable; /**< accesses that nvcc, which has not been asked, might make one with the one before */
    uint64_t launches;  /**< where launches of one kernel are summed: how many; else 0 */
    uint64_t rounds;    /**< rounds by all threads */
    uint64_t casual_rounds;  /**< rounds among these in which some warp took more than one stage */
    uint64_t warps;          /**< accesses of warps */
    uint64_t lanes;          /**< that took part in them */
    uint64_t stages;         /**< pipeline stages that they took */
    uint64_t ideal_stages;   /**< had each been coalesced or conflict-free */
    uint64_t worst_stages;   /**< stages of one warp's access */
    uint64_t time_units;     /**< sum over rounds of (stages + latency - 1) */
    uint64_t requests;       /**< hardware: 32-byte sectors (global) or wavefronts (shared) */
    uint64_t ideal_requests; /**< the fewest sectors for the same bytes; wavefronts without a conflict */
    uint64_t
        laid_requests;   /**< wavefronts under the layout that the machine tries, of all its seeds together */
    uint64_t laid_worst; /**< wavefronts of one warp's access then */
    bool sampled;        /**< not all blocks of its launches were counted */
    report_part part[REPORT_PARTS];
} report_line;

/** Bytes that move beside the threads: no accesses of lanes. */
typedef enum report_move_kind {
    MOVE_LOAD,    /**< bulk copies from global into shared memory, for each block that gets them */
    MOVE_STORE,   /**< from shared into global memory */
    MOVE_PEER,    /**< from shared memory into that of a block of the cluster */
    MOVE_FACTORS, /**< matrices that products of a warpgroup read by descriptors */
    MOVE_KINDS,
} report_move_kind;

/** One kind of them at one source line, in all launches of a kernel that stand together. */
typedef struct report_move {
    unsigned launch; /**< as a line has it */
    const char *kernel, *file;
    unsigned line;
    report_move_kind kind;
    uint64_t times;    /**< copies, or products */
    uint64_t bytes;
    uint64_t requests; /**< sectors of 32 bytes; of factors, wavefronts of 128 */
} report_move;

typedef enum hazard_kind {
    HAZARD_OUT_OF_BOUNDS, /**< an access to no array of the launch */
    HAZARD_MISALIGNED,    /**< an address that is no multiple of the access's size */
    HAZARD_UNINITIALIZED, /**< a read of bytes that nothing has written */
    HAZARD_RACE,          /**< two threads, one place, one of them writing, and no barrier between */
    HAZARD_SAME_VALUE,    /**< the same, both writing what is there already: most often harmless */
    HAZARD_BARRIER,       /**< a barrier or warp-wide exchange that not all threads reach */
    HAZARD_DIVISION,      /**< an integer divided by zero */
    HAZARD_ENDLESS,       /**< a thread that does not come to an end */
    HAZARDS,
} hazard_kind;

/** One hazard of one source line, of a race two; later ones of the same kind there are only counted. */
typedef struct report_hazard {
    hazard_kind kind;
    const char *kernel;
    const char *file;
    unsigned line;
    report_op op;
    const char *other_file; /**< a race: where the other thread has accessed; NULL where that is not known */
    unsigned other_line;
    report_op other_op;
    const char *text; /**< one sentence: which thread, which array, which index, who else */
    uint64_t count;
} report_hazard;

/** A call of the program's that CUDA would refuse, by its place. */
typedef struct report_refusal {
    const char *file;
    unsigned line;
    const char *text; /**< which call, what it returns, and why */
    uint64_t count;
} report_refusal;

/** Block exchanges of a sort, beside the bounds (Jurkiewicz 2013, section 4.1). */
typedef struct report_exchanges {
    unsigned block;        /**< keys of a block; 0: nothing of the kind was counted */
    unsigned cache_blocks; /**< blocks that a warp holds */
    double counted;        /**< blocks read, or written if that is more; searches apart */
    double searches;       /**< blocks that searches for parts read */
    double sorting;        /**< at least, by comparisons (section 4.1.2); 0: of a merge */
    double permuting;      /**< at least (Theorem 4.1) */
} report_exchanges;

/** What was predicted of a launch: of each space reads and writes, atomic operations among these. */
typedef struct report_predicted {
    uint64_t rounds, casual_rounds, stages, time_units;
} report_predicted;

/** One move within shared memory (Kasagi, Nakano, Ito 2012), without the rounds that fill it and read the result. */
typedef struct report_in_block {
    unsigned blocks;               /**< 0: nothing of the kind was counted */
    uint64_t reads, writes;        /**< of elements and of table entries, as the paper's Table I has them */
    uint64_t warps;                /**< accesses of warps */
    uint64_t stages, worst_stages; /**< that they took, and one of them at most: the congestion */
    uint64_t time_units, predicted_time_units;
} report_in_block;

typedef struct report_prediction {
    const char *kernel;
    report_predicted of[SPACES][2];
} report_prediction;

struct riffle_report {
    riffle_machine_options options;
    size_t lines, line_capacity;
    report_line *line;
    size_t moves, move_capacity;
    report_move *move;
    size_t hazards, hazard_capacity;
    report_hazard *hazard;
    uint64_t n;            /**< for riffle_simulate, else 0 */
    const char *algorithm; /**< for riffle_simulate, else NULL */
    bool attributed;       /**< for riffle_lint: rows have arrays and callers */
    bool is_program;       /**< for a whole program, which ended with exit_status */
    int exit_status;
    uint64_t launched; /**< how many launches it made that are counted, those without an access among them */
    uint64_t refused;  /**< launches that CUDA would refuse */
    size_t refusals, refusal_capacity;
    report_refusal *refusal;
    const char *asked;         /**< the one kernel whose launches were to be counted; NULL: all */
    const char *others;        /**< names of kernels that it launched and that were not; NULL: none */
    const char *lines_unknown; /**< why places have no lines, where that is for want of libdw; else NULL */
    uint64_t blocks, run_blocks, checked_blocks,
        counted_blocks;   /**< blocks of all launches, and those that ran, that hazards were looked for in, and that are counted */
    uint64_t cut_counts;  /**< blocks of which as many accesses were counted as may be, and not the rest */
    uint64_t left_blocks; /**< that did not run since the machine's `work` was done; others had no time, or their launch ended */
    bool partial;       /**< a launch was ended before it was through */
    const char *unfinished; /**< the first thread that did not end before the machine's `work` was done, and where; NULL: none */
    const char
        *left_out; /**< the kernel whose launch had to be left, so that nothing of it is counted; or NULL */
    unsigned not_done_after; /**< seconds, after which a program or kernel was left; 0: it came to its end */
    bool is_predicted;       /**< for riffle_simulate, where the kernels' patterns are known */
    uint64_t predicted_time_units; /**< then; else 0 */
    const char *predicted_meaning; /**< then how they are to be taken: "exact", "expected", ... */
    const char *predicted_of; /**< of what, where numbers are expected: "points uniform in a square"; or NULL */
    size_t predictions;
    report_prediction *prediction; /**< of each launch, in order; the report's own */
    report_in_block in_block;      /**< for riffle_simulate_in_blocks */
    report_exchanges exchanges;    /**< for riffle_simulate_sort */
    riffle_hull_counts hull;       /**< for riffle_simulate_hull; in others it has no corners */
    size_t strings;
    char **string; /**< memory of the pointers above */
};

/** An empty report; report_free frees it. */
riffle_status report_create(const riffle_machine_options *options, riffle_report **out);

/** A copy of `text` that lives as long as the report, the same one for equal texts; NULL without memory. */
const char *report_string(riffle_report *report, const char *text);

/** Adds to the row with the same launch, kernel, file, line, space, op, array and caller, or appends one. Rows of one launch
 *  come one behind the other; of very many arrays at one place those beyond the first few share a row. */
riffle_status report_add_line(riffle_report *report, const report_line *line);

/** For launches that are summed: report_kernel_number gives the number of this kernel's first launch, or `next` if there was
 *  none; report_note_launch notes that one more launch has been added to it. */
unsigned report_kernel_number(const riffle_report *report, const char *kernel, unsigned next);
void report_note_launch(riffle_report *report, unsigned launch);

/** Counts a hazard; keeps the first text of each kind, kernel, file and line, or pair of them. */
riffle_status report_add_hazard(riffle_report *report, const report_hazard *hazard);

/** Adds to the row with the same launch, kernel, file, line and kind, or appends one. */
riffle_status report_add_move(riffle_report *report, const report_move *move);

/** Counts a refusal; keeps one of each place and text. */
riffle_status report_add_refusal(riffle_report *report, const report_refusal *refusal);

extern const char *const report_space_names[SPACES];
extern const char *const report_op_names[OPS];
extern const char *const hazard_names[HAZARDS];
extern const char *const report_move_names[MOVE_KINDS];

#endif
