/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The memory machine: kernels run without a GPU, with every access counted.
 *
 *  It is the Hierarchical Memory Machine of Kasagi, Nakano and Ito (2013, section II): d processors (DMMs),
 *  each with a shared memory of w banks and latency 1, over one global memory (UMM) of width w and latency L.
 *  Threads come in warps of w. docs/machine.md defines what is counted.
 *
 *  Any thread may call these functions, but a process runs one kernel at a time: a kernel finds its shared
 *  memory and its thread by name, so calls wait for each other. */
#ifndef RIFFLE_MACHINE_H
#define RIFFLE_MACHINE_H

#include "riffle.h"
#include "riffle/group.h"
#include "riffle/hull.h"
#include "riffle/program.h"
#include "riffle/rap.h"
#include "riffle/sort.h"
#include "riffle/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Zero every field for the defaults, an H200's limits with the papers' latencies. */
typedef struct riffle_machine_options {
    unsigned width;          /**< w: lanes of a warp, banks, cells of an address group; 1 to 32; default 32 */
    unsigned latency;        /**< L, of global memory, in time units; default 400 */
    unsigned shared_latency; /**< time units of shared memory; default 1, as the HMM has it */
    /** d: block b runs on DMM b mod d; shared rounds of different DMMs overlap; default 1, the papers'
     *  accounting, which adds all of them up */
    unsigned dmms;
    unsigned block_threads; /**< most threads of a block; default 1024 */
    size_t shared_bytes;    /**< most shared memory of a block; default 227 KiB */
    /** a report's row is called uncoalesced, or in conflict, if the hardware's requests are more than so many times the
     *  fewest; above 0; default 1.25 */
    double threshold;
    /** accesses of one kernel that are counted at most, over all its launches, to the end of a block: of a launch that makes more, those of
     *  blocks drawn evenly from all of it; default 0: all */
    uint64_t accesses;
    /** a layout of shared memory that is tried beside the arrays as they are, as though the hardware had it (Nakano, Matsumae, Ito 2014,
     *  section I): in each row of 32 words, counted from the start of an array, the banks change places. RAW, the default: none; RAS,
     *  RAP, of which each 32 rows have the same numbers, or XOR. Reports have the wavefronts under it. */
    riffle_layout_kind shared_layout;
    unsigned
        shared_seeds; /**< drawings of its random numbers that are tried, 1 to 4096; default 16; XOR has one */
    /** is filled with the accesses that are counted, launch after launch; the caller's, and of one machine at a time;
     *  default NULL: none */
    riffle_trace *trace;
    /** accesses of one kernel in which hazards are looked for at most, over all its launches, to the end of a block; its other blocks run
     *  unseen, those that are counted but for; default 0: all */
    uint64_t checks;
    /** units of work after which blocks of launches are left out, so that a program comes to its end, though not to its results: 16 a
     *  thread and each time that one goes on after it has waited, 1 an access, 8 one that is looked at; default 0: none is */
    uint64_t work;
} riffle_machine_options;

struct riffle_cuda_device; /* riffle/cuda.h */

/** How riffle_explain_as explains; zero every field for riffle_explain's own. */
typedef struct riffle_explanation {
    /** Memory machine whose time units are predicted: its width, a power of two, latencies and DMMs; zeros are 32, 400, 1 and 1 */
    riffle_machine_options model;
    /** with RIFFLE_ENGINE_CUDA: the GPU to plan for, which need not be there (riffle_cuda_device_named); NULL: the current one */
    const struct riffle_cuda_device *gpu;
    uint64_t
        bytes_per_second; /**< that memory carries at best, for a lower bound of the time; 0: there is none */
    bool json;            /**< one JSON document (docs/command.md) */
    /** executes the plan, and a copy of as many bytes, in turn on arrays of its own for about a second, on a GPU in its memory, and sets
     *  the medians beside each other and beside bounds at the copy's rate: the traffic of whole sectors, passes, exchanges of blocks.
     *  Programs have elements of any value, sorts random keys. `gpu` is to be NULL then */
    bool measure;
} riffle_explanation;

/** riffle_explain beside another memory machine, for a GPU that need not be there, or as a document. `explanation` may be NULL.
 *  RIFFLE_ERROR_UNSUPPORTED for a width that is no power of two, RIFFLE_ERROR_INVALID_ARGUMENT for a GPU without the numbers that
 *  plans are made by, or with another engine than CUDA. With `measure` what riffle_plan_create and
 *  riffle_execute refuse is refused. */
RIFFLE_API riffle_status riffle_explain_as(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                           const riffle_plan_options *plan_options,
                                           const riffle_explanation *explanation, FILE *stream);

/** The counts of a machine. */
typedef struct riffle_report riffle_report;

/** Runs the kernels of one algorithm on a machine, moving elements along `perm`, checks that they arrived
 *  (RIFFLE_ERROR_INTERNAL if not), and reports every round.
 *
 *  `plan_options` (NULL for defaults) gives:
 *  - the algorithm: COPY, SCATTER, GATHER, BUCKET, TRANSPOSE, ROW_WISE, COLUMN_WISE, SCHEDULED, CONFLICT_FREE,
 *    AFFINE, REVERSE_ENDS, ONCE (of width 32), BMMC_... (riffle/papers.h) or AUTO;
 *  - row_length;
 *  - batch and stride; what stands between the arrays is not checked;
 *  - in_place, for which AFFINE, TRANSPOSE and REVERSE_ENDS have kernels;
 *  - check, whose launches are a GPU's, and want a width of 32 and blocks of 256 threads; what they find is an error, too.
 *
 *  elem_bytes is 4 or 8; with AFFINE any power of two; with BUCKET, ONCE and REVERSE_ENDS 1, 2, 4, 8 or 16; with
 *  SCATTER and GATHER any number. n is bounded by memory alone. RIFFLE_ERROR_UNSUPPORTED if the algorithm cannot do this
 *  permutation, length or element size on this machine. */
RIFFLE_API riffle_status riffle_simulate(const riffle_perm *perm, size_t elem_bytes,
                                         const riffle_plan_options *plan_options,
                                         const riffle_machine_options *machine_options, riffle_report **out);

/** A simulation's time before it runs. */
typedef struct riffle_prediction {
    bool is_known;       /**< else a kernel among the launches has no closed form, and time_units is 0 */
    bool is_exact;       /**< else some blocks of long launches stand for others, or are drawn at random */
    uint64_t time_units; /**< as patterns of launches have them, for arrays that begin on an address group */
    uint64_t
        bound; /**< n/w + L - 1 for the elements of all arrays: they are all read once (Kasagi, Nakano, Ito 2013, section VII) */
} riffle_prediction;

/** Predicts the time of one algorithm on a machine by the closed forms that riffle_explain_as lists, and runs nothing. Arguments and
 *  failures are riffle_simulate's; where its machine_options->trace and layout of shared memory are, nothing is asked. Long launches
 *  without a formula are estimated from 2^17 evaluations of the permutation. */
RIFFLE_API riffle_status riffle_predict(const riffle_perm *perm, size_t elem_bytes,
                                        const riffle_plan_options *plan_options,
                                        const riffle_machine_options *machine_options, riffle_prediction *out);

/** Runs the passes of a program on a machine, by the launches that do them on a GPU of 132 multiprocessors, checks that the arrays become what
 *  riffle_program_evaluate makes of them (RIFFLE_ERROR_INTERNAL if not; floats may differ by roundings), and reports every
 *  round, beside what riffle_explain_program predicts.
 *
 *  `options` (NULL for defaults) gives the batch and the algorithm. The machine's width is 32, for the kernels exchange elements
 *  within warps; other widths and types that an operation lacks are RIFFLE_ERROR_UNSUPPORTED. Users' operations are
 *  compiled by the host's C and C++ compilers. */
RIFFLE_API riffle_status riffle_simulate_program(const riffle_program *program, riffle_type type,
                                                 const riffle_program_options *options,
                                                 const riffle_machine_options *machine_options,
                                                 riffle_report **out);

/** Says in which passes a program is done; on a GPU also what each launch is predicted to access and to take on a memory machine, where
 *  riffle_simulate_program would count it: exactly (docs/machine.md). For a GPU it runs nothing, compiles nothing, and wants none there,
 *  unless it is to measure.
 *
 *  `options` give the batch and the algorithm. `explanation` (NULL for defaults) gives `json` and `measure`, and for a GPU the
 *  machine, whose width is 32, and the GPU as riffle_explain_sort has them. Users' operations have no prediction.
 *  Launches of which some arrays begin within an address group are told by 2^17 of their elements.
 *  RIFFLE_ERROR_UNSUPPORTED for other widths, and for what riffle_program_plan_create refuses. */
RIFFLE_API riffle_status riffle_explain_program(const riffle_program *program, riffle_type type,
                                                riffle_engine engine, const riffle_program_options *options,
                                                const riffle_explanation *explanation, FILE *stream);

/** The costs of a hull on a machine, beside its report. AUTO has only corners, reads and writes; the others are 0. */
typedef struct riffle_hull_counts {
    uint64_t corners;    /**< h, corners of the hull */
    uint64_t outside;    /**< points outside of the quadrilateral of the initialization */
    uint64_t iterations; /**< iterations of the splitting stage (Jurkiewicz 2013, Figure 3.6) */
    uint64_t problems;   /**< that it left to the independent stage */
    uint64_t pivots;     /**< that the independent stage found */
    uint64_t reads; /**< reads of global memory by warps, atomic ones counted here and as writes (Figure 3.5) */
    uint64_t writes; /**< the same */
} riffle_hull_counts;

/** Finds the hull of n points in host memory on a machine, or the hulls of `segments` sets of as many, by the launches that do it on a
 *  GPU of 132 multiprocessors, checks that they are what the definition says (RIFFLE_ERROR_INTERNAL if not), and reports every round;
 *  `counts` may be NULL. Beside it stands what riffle_explain_hull predicts, for points uniform in a square, whatever the points are.
 *
 *  `options` (NULL for defaults) gives the algorithm, the number of sets and `all`. PAPER has 30 blocks of 16 warps, the
 *  processors of the dissertation's GPU, or fewer warps where the machine's blocks have fewer; its `reads` and `writes` are those of its
 *  kernel. The machine's width is 32: RIFFLE_ERROR_UNSUPPORTED for others, and where riffle_hull_plan_create refuses.
 *  RIFFLE_ERROR_INVALID_ARGUMENT names the first point that is not finite. */
RIFFLE_API riffle_status riffle_simulate_hull(uint64_t n, riffle_type type, const void *points,
                                              const riffle_hull_options *options,
                                              const riffle_machine_options *machine_options,
                                              riffle_hull_counts *counts, riffle_report **out);

/** Groups n rows of row_bytes bytes, of the machine's own making, by keys of host memory, by the launches that do it on a GPU of 132
 *  multiprocessors, and checks that rows, offsets, counts, places and left_out are what the definition says (RIFFLE_ERROR_INTERNAL if not).
 *  `options` may be NULL. Beside the counts stands what was predicted of these keys (docs/machine.md). The machine's width is 32:
 *  RIFFLE_ERROR_UNSUPPORTED for others, and what riffle_group_plan_create refuses. */
RIFFLE_API riffle_status riffle_simulate_group(uint64_t n, size_t row_bytes, riffle_type key_type,
                                               uint64_t groups, const void *keys,
                                               const riffle_group_options *options,
                                               const riffle_machine_options *machine_options,
                                               riffle_report **out);

/** Says how n rows of row_bytes bytes are grouped; on a GPU also what each launch is predicted to access and to take on a memory machine, where
 *  riffle_simulate_group would count it: in expectation over keys whose groups are drawn evenly, none of which is left out (docs/machine.md).
 *  For a GPU it runs nothing, and wants none there, unless it is to measure.
 *
 *  `options` (NULL for defaults) are riffle_group_plan_create's; offsets are wanted, counts and numbers of rows left out are not, and a GPU's
 *  workspace is the caller's. `explanation` (NULL for defaults) gives of a GPU what riffle_explain_sort takes, and `measure` and `json`. The
 *  launches of a check are among those that are predicted. RIFFLE_ERROR_INVALID_ARGUMENT for rows of no bytes, RIFFLE_ERROR_UNSUPPORTED for
 *  other widths than 32, and for what the engine's plan refuses. */
RIFFLE_API riffle_status riffle_explain_group(uint64_t n, size_t row_bytes, riffle_type key_type,
                                              uint64_t groups, riffle_engine engine,
                                              const riffle_group_options *options,
                                              const riffle_explanation *explanation, FILE *stream);

/** Brings rows back on a machine, by the launch that does it on a GPU, between arrays of its own making but for the places, of host memory: the task's
 *  n * keys_per_row, each a row's or RIFFLE_GROUP_NOWHERE. Sums have weights where `is_weighted`. Compares the rows with riffle_ungroup's
 *  (RIFFLE_ERROR_INTERNAL if they are others), and reports every round beside what was predicted of these places. The machine's width is 32:
 *  RIFFLE_ERROR_UNSUPPORTED for others; what riffle_ungroup refuses is refused. */
RIFFLE_API riffle_status riffle_simulate_ungroup(const riffle_ungroup_task *task, const void *places,
                                                 bool is_weighted,
                                                 const riffle_machine_options *machine_options,
                                                 riffle_report **out);

/** Says how rows are brought back (riffle_ungroup, and riffle_cuda_ungroup, which has one launch); on a GPU also what the launch is predicted to access
 *  and to take on a memory machine, where riffle_simulate_ungroup would count it: in expectation over places that are drawn evenly among the task's rows,
 *  none of which is nowhere (docs/machine.md). For a GPU it runs nothing, and wants none there, unless it is to measure.
 *
 *  Sums have weights where `is_weighted`. `explanation` (NULL for defaults) gives of a GPU what riffle_explain_sort takes, and `measure` and `json`.
 *  RIFFLE_ERROR_INVALID_ARGUMENT and RIFFLE_ERROR_LENGTH for what is no such task, RIFFLE_ERROR_UNSUPPORTED for other widths than 32. */
RIFFLE_API riffle_status riffle_explain_ungroup(const riffle_ungroup_task *task, bool is_weighted,
                                                riffle_engine engine, const riffle_explanation *explanation,
                                                FILE *stream);

/** Says how hulls of n points are found; on a GPU also what each launch is predicted to access and to take on a memory machine, where
 *  riffle_simulate_hull would count it: exactly, or in expectation over points uniform in a square (docs/machine.md). For a GPU it runs
 *  nothing, and wants none there, unless it is to measure.
 *
 *  `options` (NULL for defaults) are riffle_hull_plan_create's; sets have n / segments points each, and a GPU's workspace is the caller's.
 *  `explanation` (NULL for defaults) gives of a GPU what riffle_explain_sort takes, and `measure` and `json`. Launches of which one has no
 *  prediction have none. RIFFLE_ERROR_INVALID_ARGUMENT where n is no multiple of the sets, RIFFLE_ERROR_UNSUPPORTED for other widths than
 *  32, and for what the engine's plan refuses. */
RIFFLE_API riffle_status riffle_explain_hull(uint64_t n, riffle_type type, riffle_engine engine,
                                             const riffle_hull_options *options,
                                             const riffle_explanation *explanation, FILE *stream);

/** The keys that riffle_simulate_sort sorts or merges. */
typedef enum riffle_simulated_keys {
    RIFFLE_SIMULATED_KEYS_RANDOM = 0, /**< the same in each run */
    /** For merges: the published worst case of merging two at a time (Berney, Sitchinava 2020), for PAIRWISE and for others
     *  to be compared. `segments` is a power of two, and n a multiple of 1920 keys a segment. */
    RIFFLE_SIMULATED_KEYS_WORST,
} riffle_simulated_keys;

/** Sorts n elements on a machine, or merges them, by the launches that do it on a GPU of 132 multiprocessors, compares the result with
 *  the host's (RIFFLE_ERROR_INTERNAL if it is another), and reports every round; of merges, and sorts by merging, also block exchanges
 *  beside the bounds of Jurkiewicz 2013 (section 4.1). Elements are random; their floats are finite.
 *
 *  `key` and `options` (NULL for defaults) give what they give to riffle_sort_plan_create for a GPU, which refuses what it has not;
 *  a machine whose width is not 32 is RIFFLE_ERROR_UNSUPPORTED. A comparison of the user's is
 *  compiled by the host's C++ compiler: RIFFLE_ERROR_SYNTAX if it does not compile; RIFFLE_ERROR_INVALID_ARGUMENT where it is no order,
 *  as riffle_sort_check finds it, and for worst keys that cannot be. */
RIFFLE_API riffle_status riffle_simulate_sort(uint64_t n, const riffle_sort_key *key,
                                              const riffle_sort_options *options, riffle_simulated_keys keys,
                                              const riffle_machine_options *machine_options,
                                              riffle_report **out);

/** Says how n elements are sorted, or merged; on a GPU also what each launch is predicted to access and to take on a memory machine, where
 *  riffle_simulate_sort would count it: exactly, or in expectation over random keys (docs/machine.md). For a GPU it runs nothing, and
 *  wants none there, unless it is to measure.
 *
 *  `key` and `options` are as riffle_sort_plan_create has them. `explanation` (NULL for defaults) gives `json` and `measure`, and for a GPU
 *  the machine, whose width is 32, and the GPU, whose multiprocessors, threads of a block and shared memory count (NULL and zeros: an
 *  H200's). Launches of which one has no
 *  prediction have none. RIFFLE_ERROR_UNSUPPORTED for other widths, and for what the engine's plan refuses; RIFFLE_ERROR_INVALID_ARGUMENT
 *  for segments that are not equally long. */
RIFFLE_API riffle_status riffle_explain_sort(uint64_t n, const riffle_sort_key *key, riffle_engine engine,
                                             const riffle_sort_options *options,
                                             const riffle_explanation *explanation, FILE *stream);

/** A user's kernel and how to run it; strings as the command `riffle lint` takes them (docs/lint.md). */
typedef struct riffle_lint_job {
    const char *file;        /**< CUDA C or C++ source; of a kernel alone the one that has it */
    size_t more_count;       /**< entries of `more` */
    const char *const *more; /**< further files that are compiled with it, and linked, as nvcc does */
    const char *kernel;      /**< its name, with template arguments if it has any: "transpose<float, 32>" */
    unsigned grid[3];        /**< blocks of the launch; zeros count as 1 */
    unsigned block[3];       /**< threads of a block; zeros count as 1 */
    size_t shared_bytes;     /**< dynamic shared memory */
    size_t argument_count;   /**< entries of `arguments`, one for each parameter */
    /** "float:1024:random", "int=5", "float:x.npy", "Params={n=5,data=float:8:zero}", ... */
    const char *const *arguments;
    uint64_t seed;         /**< the seed of random arguments */
    size_t constant_count; /**< entries of `constants` */
    /** For a kernel alone: values of __constant__ variables, "weights=1,2,3", "p={n=4}", "table=float:256:random" */
    const char *const *constants;
    /** Instead: the file's main is run, with its host code, and each launch that it makes is counted, those of one kernel
     *  together; `arguments` are main's, `kernel` (NULL: all) chooses by name, and grid, block and shared memory are the
     *  launches' own. */
    bool is_program;
    uint64_t launches;    /**< most launches of a program that are counted; 0: all */
    const char *compiler; /**< NULL: $CXX, else c++ */
    /** CUDA's compiler: it is asked how wide its accesses are, and the machine's are made one alike; NULL: nobody is asked, and
     *  counts are the same on every host. */
    const char *nvcc;
    size_t flag_count;        /**< entries of `flags` */
    const char *const *flags; /**< for the compiler and, of -L and -l, its linker: -Iinclude, -DTILE=32, -lz; and nvcc's -arch=sm_90a */
    /** After so many, compilation included, what has been counted is reported (riffle_report_is_partial); 0: never. The
     *  unfinished rest goes on, on a thread and memory that nobody takes back, and the process can run no other kernel: end it
     *  soon. The same is so of a program that has ended otherwise than by the return of its main. */
    unsigned seconds;
    /** The C++ standard: "c++17" (NULL), "c++20", or an earlier one, which is compiled as C++17; "gnu++20" is as good. nvcc has no later one. */
    const char *standard;
    size_t length_count; /**< entries of `lengths` */
    /** For riffle_lint_for_all: to how many elements a pointer points that is a kernel's parameter, "a=n*m", in C++ over its other
     *  parameters and gridDim and blockDim. */
    const char *const *lengths;
} riffle_lint_job;

/** Compiles the job's file, runs the kernel on a machine, and reports its rounds and hazards.
 *  RIFFLE_ERROR_FORMAT if the file does not compile (the detail has the compiler's first error with file and
 *  line, or names what of CUDA the machine does not supply), RIFFLE_ERROR_SYNTAX for an argument that does not
 *  parse, RIFFLE_ERROR_UNSUPPORTED for a launch beyond the machine's limits. */
RIFFLE_API riffle_status riffle_lint(const riffle_lint_job *job, const riffle_machine_options *options,
                                     riffle_report **out);

/** Claims of riffle_lint_for_all, one for each access of each kernel. */
typedef struct riffle_claims riffle_claims;

/** Says without running them which accesses of the job's kernels are coalesced or free of bank conflicts in every warp, and which stay within
 *  arrays whose length is known, whatever the grid, the integer parameters and, where job->block is zeros, the block: proved from LLVM's
 *  text of the kernels, for addresses that are affine in the threads of a warp, or refuted by an example. docs/lint.md says what is assumed.
 *
 *  It takes of the job the files, flags, standard and compiler, which is `clang++` where the job's is no clang; the block, of which whose
 *  sides are known each warp is looked at; a kernel (NULL: all that are launched or are no templates); and lengths. `options`
 *  (NULL: defaults) give the threshold. RIFFLE_ERROR_UNSUPPORTED without clang, RIFFLE_ERROR_FORMAT for what does not compile,
 *  RIFFLE_ERROR_INVALID_ARGUMENT where the kernel is none. riffle_claims_free frees *out. */
RIFFLE_API riffle_status riffle_lint_for_all(const riffle_lint_job *job, const riffle_machine_options *options,
                                             riffle_claims **out);

/** The claims as a table for people. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_claims_print(const riffle_claims *claims, FILE *stream);

/** The same as one JSON document (docs/lint.md). */
RIFFLE_API riffle_status riffle_claims_print_json(const riffle_claims *claims, FILE *stream);

/** Refuted claims as one document of SARIF 2.1.0; `path` as riffle_report_print_sarif has it. */
RIFFLE_API riffle_status riffle_claims_print_sarif(const riffle_claims *claims, const char *path, FILE *stream);

/** How many claims of a kind are refuted: "uncoalesced", "conflict" or "out-of-bounds"; 0 of others. */
RIFFLE_API uint64_t riffle_claims_refuted(const riffle_claims *claims, const char *what);

/** Frees claims. */
RIFFLE_API void riffle_claims_free(riffle_claims *claims);

/** The time that the rounds took one after another. */
RIFFLE_API uint64_t riffle_report_time_units(const riffle_report *report);

/** The time units as the patterns of the launches have them, known before the kernels run (riffle_simulate only; 0 where nothing is
 *  known: ONCE). */
RIFFLE_API uint64_t riffle_report_predicted_time_units(const riffle_report *report);

/** Rounds that were not coalesced or conflict-free, all spaces together. */
RIFFLE_API uint64_t riffle_report_casual_rounds(const riffle_report *report);

/** Rows of global memory that ask for more than `threshold` times the fewest sectors. 0: the default of the options. */
RIFFLE_API uint64_t riffle_report_uncoalesced(const riffle_report *report, double threshold);

/** Rows of shared memory that take more than `threshold` times the wavefronts of an access without bank conflicts. 0: the
 *  default of the options. */
RIFFLE_API uint64_t riffle_report_conflicts(const riffle_report *report, double threshold);

/** Hazards found: out-of-bounds and uninitialized accesses, races, barriers that not all threads reach. Writes of the
 *  same value by several threads are none of them. */
RIFFLE_API uint64_t riffle_report_hazards(const riffle_report *report);

/** The number of hazards of one kind, as JSON names it: "race", "same-value"... */
RIFFLE_API uint64_t riffle_report_hazards_of(const riffle_report *report, const char *kind);

/** True if a kernel was ended before it was through, or the time was over. The rows then lack what was left to do. */
RIFFLE_API bool riffle_report_is_partial(const riffle_report *report);

/** The seconds after which a kernel or program of riffle_lint was not done; 0 if it came to an end. */
RIFFLE_API unsigned riffle_report_not_done_after(const riffle_report *report);

/** The kernel whose launch then ran and had to be left, since it came to no access, so that nothing of it is in the rows; else NULL. */
RIFFLE_API const char *riffle_report_left_out(const riffle_report *report);

/** Blocks that did not run since `work` of riffle_machine_options was done. That no hazard was found says nothing of them. */
RIFFLE_API uint64_t riffle_report_not_run(const riffle_report *report);

/** Blocks that ran and in which no hazard was looked for, since `checks` of riffle_machine_options was reached. */
RIFFLE_API uint64_t riffle_report_not_checked(const riffle_report *report);

/** True if a program of riffle_lint came to its end and none of its launches was counted: it made none, not one of the kernel that was
 *  asked for, or CUDA would refuse all. That no hazard was found says nothing then. */
RIFFLE_API bool riffle_report_is_idle(const riffle_report *report);

/** True if nothing was counted and nothing found. */
RIFFLE_API bool riffle_report_is_empty(const riffle_report *report);

/** The per-line table and the hazards, for people. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_report_print(const riffle_report *report, FILE *stream);

/** The same as one JSON document (docs/machine.md). */
RIFFLE_API riffle_status riffle_report_print_json(const riffle_report *report, FILE *stream);

/** Hazards and wasteful rows as one document of SARIF 2.1.0 (OASIS, 2020). `path` is the file that was linted, as results are to
 *  name it; files that it includes are known by their base names. */
RIFFLE_API riffle_status riffle_report_print_sarif(const riffle_report *report, const char *path, FILE *stream);

/** One page of HTML that needs no other file: the rows, what would mend them, the worst access of each wasteful row as a
 *  drawing of lanes and banks or sectors, the hazards, and the source with what was counted beside its lines. `source` is the text
 *  of the file at `path`; NULL leaves it out. */
RIFFLE_API riffle_status riffle_report_print_html(const riffle_report *report, const char *path,
                                                  const char *source, FILE *stream);

/** Compares with an earlier report, the text of what riffle_report_print_json printed; `name` is for messages. Says on the stream
 *  which kernel's accesses to which array waste more requests or fewer, and where hazards have become more or fewer; lines are
 *  not compared, for they move. *out is a report of what became worse, to be asked and freed as any.
 *  RIFFLE_ERROR_FORMAT if the text is no such document. */
RIFFLE_API riffle_status riffle_report_compare(const riffle_report *report, const char *name, const char *json,
                                               FILE *stream, riffle_report **out);

/** Frees a report. */
RIFFLE_API void riffle_report_free(riffle_report *report);

#ifdef __cplusplus
}
#endif
#endif
