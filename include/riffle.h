/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  riffle: permutations of arrays, planned for the machine and then moved in few passes.
 *
 *  Describe WHAT moves as a riffle_perm. Make it ready for one engine and element size as a riffle_plan. Then
 *  execute the plan on as many arrays as you like:
 *
 *  @code{.c}
 *  riffle_perm *perm;
 *  riffle_plan *plan;
 *  riffle_perm_bit_reversal(1 << 20, &perm);
 *  riffle_plan_create(perm, sizeof(float), RIFFLE_ENGINE_CPU, NULL, &plan);
 *  riffle_execute(plan, dst, src);                      // dst[P(i)] = src[i]
 *  riffle_plan_free(plan);
 *  riffle_perm_free(perm);
 *  @endcode
 *
 *  The functions that most programs need come first. Advanced ones stand below.
 *
 *  Conventions that hold for every function here:
 *  - A permutation P of 0..n-1 sends index i to P(i). Moving src along P means dst[P(i)] = src[i].
 *  - A function that can fail returns a riffle_status. On failure it changes no output, and
 *    riffle_error_detail() says on the same thread what was wrong and where.
 *  - A pointer that is NULL is RIFFLE_ERROR_INVALID_ARGUMENT ("out is NULL") unless the contract allows it or it stands for no
 *    bytes. A question about a plan, permutation, file or report that is NULL is answered by 0, NULL or what its contract says, and
 *    a function whose name ends in _free does nothing then.
 *  - A length above RIFFLE_MAX_LENGTH is RIFFLE_ERROR_LENGTH. Arguments that contradict themselves (an axis or
 *    a bit named twice, 0 bytes an element) are RIFFLE_ERROR_INVALID_ARGUMENT.
 *  - Values are immutable once created: any number of threads may use one perm or plan at a time. Executions of one plan
 *    run at the same time, unless the plan keeps memory that they write (a workspace, or buffers of threads): then they wait for each
 *    other.
 *  - Structs that a caller fills in (options, keys, arrays, jobs) may grow in a minor version. Members that are zero are the
 *    defaults, so begin with `= {0}` or name the members that you set.
 *  - An enumeration riffle_X whose values have names has three functions. riffle_X_string gives a value's name, "unknown" for a number
 *    that is none, never NULL, in static storage. riffle_X_parse gives the value of a name, and lists the names there are where it is
 *    none (RIFFLE_ERROR_INVALID_ARGUMENT). riffle_X_list writes the first `capacity` values to out (NULL if capacity is 0), and
 *    returns how many there are.
 *  - The library never exits, and never prints except to a FILE* that it is given.
 *  - Calls share five things only. One is what the processor is: the first call that wants to know finds out.
 *    (The environment variable RIFFLE_PROCESSOR pretends another; see riffle_cpu_describe.) Another is a lock: the
 *    memory machine (riffle/machine.h) runs one kernel at a time in a process. The third is NVRTC, once it is
 *    loaded, and the last kernels that it has compiled (docs/programs.md). The fourth is Highway's sort, which the first
 *    sort on the CPU loads where it is installed (docs/sort.md). The fifth is wisdom: what RIFFLE_EFFORT_MEASURE found.
 *  - Threads are OpenMP's. Its runtime ends a process in which it cannot start a thread. GNU's does not survive
 *    fork(): a child must not call functions that use threads if its parent has.
 */
#ifndef RIFFLE_H
#define RIFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Marks the functions that the shared library exports. */
#if defined(__GNUC__)
#define RIFFLE_API __attribute__((visibility("default")))
#else
#define RIFFLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** @name Versions
 *  While the major version is 0, a new minor version may change what programs are written or compiled against, and a new patch
 *  may not. docs/migrating.md says what changed. The shared library's name (libriffle.so.0.1) changes with it.
 *  @{ */

/** The version of this header. */
#define RIFFLE_VERSION "0.1.0"
#define RIFFLE_VERSION_MAJOR 0 /**< its first number */
#define RIFFLE_VERSION_MINOR 1 /**< its second */
#define RIFFLE_VERSION_PATCH 0 /**< its third */
/** The same as a number, for the preprocessor: 100 is 0.1.0, 10203 would be 1.2.3. */
#define RIFFLE_VERSION_NUMBER (10000 * RIFFLE_VERSION_MAJOR + 100 * RIFFLE_VERSION_MINOR + RIFFLE_VERSION_PATCH)

/** The version of the library that is loaded: RIFFLE_VERSION as it was when the library was built. */
RIFFLE_API const char *riffle_version(void);
/** The same as a number: RIFFLE_VERSION_NUMBER as it was then. */
RIFFLE_API unsigned riffle_version_number(void);

/** @} */

/** Most index bits: the longest array that a permutation may act on has 2^40 elements. */
#define RIFFLE_MAX_BITS 40
/** Most elements of an array. */
#define RIFFLE_MAX_LENGTH ((uint64_t)1 << RIFFLE_MAX_BITS)

/** Most dimensions of an axes permutation or of a .npy file. */
#define RIFFLE_MAX_RANK 32

/* ------------------------------------------------------------------ status */

/** @name Status
 *  How functions fail, and how they say why.
 *  @{ */

/** The result of a function. */
typedef enum riffle_status {
    RIFFLE_OK = 0,                  /**< done */
    RIFFLE_ERROR_INVALID_ARGUMENT,  /**< an argument is outside its contract */
    RIFFLE_ERROR_SYNTAX,            /**< a spec does not parse; the detail says at which character */
    RIFFLE_ERROR_LENGTH,            /**< n does not suit: too large, not a power of two, shape mismatch */
    RIFFLE_ERROR_NOT_A_PERMUTATION, /**< a table repeats an index or leaves the range */
    RIFFLE_ERROR_SINGULAR,          /**< a bit matrix has no inverse over GF(2) */
    RIFFLE_ERROR_FORMAT,            /**< a file is not the .npy file it should be */
    RIFFLE_ERROR_IO,                /**< the operating system refused to read or write */
    RIFFLE_ERROR_OUT_OF_MEMORY,     /**< memory could not be had; nothing was changed */
    RIFFLE_ERROR_UNSUPPORTED,       /**< this build, machine or algorithm cannot do it */
    RIFFLE_ERROR_DEVICE,            /**< the GPU or its driver refused; the detail has its own words */
    RIFFLE_ERROR_INTERNAL,          /**< riffle contradicts itself: please report it */
    RIFFLE_ERROR_STOPPED,           /**< the caller said so while it was done (riffle/sort.h) */
    RIFFLE_ERROR_DAMAGED,           /**< a check found that a result is not what it should be (riffle_check) */
} riffle_status;

/** A short English phrase for a status, "unknown" for a number that is none, never NULL. Static storage. */
RIFFLE_API const char *riffle_status_string(riffle_status status);

/** Says in one sentence, without a newline, what the last failing call on this thread found wrong
 *  ("table: index 41 and index 97 both map to 12"). It is empty when none has failed. Valid until the next
 *  riffle call on this thread. */
RIFFLE_API const char *riffle_error_detail(void);

/** The processor as the cpu engine uses it. */
typedef struct riffle_cpu {
    char vectors
        [32]; /**< the widest vector instructions that may run: "AVX-512 FP16", "AVX-512 VBMI", "AVX-512", "AVX2", "SSSE3", "SSE2",
                         "NEON" or "none known" */
    char loops[224]; /**< by which ones the loops run: "affine AVX2, axes portable, ..." */
} riffle_cpu;

/** Says which vector instructions there are and which loops run. The environment variable RIFFLE_PROCESSOR takes away those
 *  that the processor it names lacks; RIFFLE_ERROR_INVALID_ARGUMENT if there is no record of that one. */
RIFFLE_API riffle_status riffle_cpu_describe(riffle_cpu *out);

/** @} */
/* ------------------------------------------------------------ permutations */

/** @name Permutations
 *  Permutations say where elements go. Each function here makes one, to be freed with riffle_perm_free.
 *  @{ */

/** A permutation of 0..n-1, 0 <= n <= RIFFLE_MAX_LENGTH: an immutable value. */
typedef struct riffle_perm riffle_perm;

/** i -> i. */
RIFFLE_API riffle_status riffle_perm_identity(uint64_t n, riffle_perm **out);

/** i -> n-1-i. */
RIFFLE_API riffle_status riffle_perm_reverse(uint64_t n, riffle_perm **out);

/** i -> i + k mod n; k may be negative or beyond n. */
RIFFLE_API riffle_status riffle_perm_rotate(uint64_t n, int64_t k, riffle_perm **out);

/** The m index bits in opposite order, n = 2^m. RIFFLE_ERROR_LENGTH if n is no power of two. */
RIFFLE_API riffle_status riffle_perm_bit_reversal(uint64_t n, riffle_perm **out);

/** The index bits rotated left by one: i -> 2i mod (n-1) for i < n-1. n = 2^m, else RIFFLE_ERROR_LENGTH. (The
 *  HMM paper's shuffle: Kasagi, Nakano, Ito 2013, section IV.) */
RIFFLE_API riffle_status riffle_perm_shuffle(uint64_t n, riffle_perm **out);

/** The inverse of riffle_perm_shuffle. */
RIFFLE_API riffle_status riffle_perm_unshuffle(uint64_t n, riffle_perm **out);

/** Transposes a row-major rows x cols array: i = r*cols + c -> c*rows + r. n = rows*cols. */
RIFFLE_API riffle_status riffle_perm_transpose(uint64_t rows, uint64_t cols, riffle_perm **out);

/** NumPy's transpose: the row-major array of `shape` becomes the row-major array whose axis k is the
 *  input's axis order[k]. 1 <= rank <= RIFFLE_MAX_RANK; order is a permutation of 0..rank-1; dimensions
 *  may be 0 (then n is 0) or 1. */
RIFFLE_API riffle_status riffle_perm_axes(unsigned rank, const uint64_t *shape, const unsigned *order,
                                          riffle_perm **out);

/** The bit permutation (BPC without complement): bit k of i becomes bit to[k] of P(i). n = 2^m,
 *  m <= RIFFLE_MAX_BITS, `to` a permutation of 0..m-1. */
RIFFLE_API riffle_status riffle_perm_bits(unsigned m, const unsigned *to, riffle_perm **out);

/** The affine permutation y = A x + c over GF(2) of n = 2^m indices (BMMC: Bouverot-Dupuis, Sheeran 2023,
 *  section 3). Bit j of rows[k] is A's entry in row k and column j; row 0 gives bit 0 of y.
 *  RIFFLE_ERROR_SINGULAR if A is not invertible; the detail names rows that add up to zero. */
RIFFLE_API riffle_status riffle_perm_affine(unsigned m, const uint64_t *rows, uint64_t c, riffle_perm **out);

/** P(i) = table[i]. The table is copied. RIFFLE_ERROR_NOT_A_PERMUTATION names two clashing indices or
 *  the one out of range. Takes O(n) time; keeps 4 bytes an element for n <= 2^32, else 8. */
RIFFLE_API riffle_status riffle_perm_table_u32(uint64_t n, const uint32_t *table, riffle_perm **out);
/** The same of a table with entries of 8 bytes. */
RIFFLE_API riffle_status riffle_perm_table_u64(uint64_t n, const uint64_t *table, riffle_perm **out);

/** A pseudo-random permutation of any n, the same for the same seed on every machine and engine. It is
 *  computed, not stored: a keyed Feistel network on the index bits, walked until it lands below n. */
RIFFLE_API riffle_status riffle_perm_random(uint64_t n, uint64_t seed, riffle_perm **out);

/** A uniformly random invertible affine permutation of n = 2^m indices, reproducible from its seed. */
RIFFLE_API riffle_status riffle_perm_random_affine(uint64_t n, uint64_t seed, riffle_perm **out);

/** Reads a permutation of 0..n-1 from the spec language (docs/spec.md):
 *  identity, reverse, rotate:K, bit-reversal, shuffle, unshuffle, transpose:ROWSxCOLS,
 *  axes:D0xD1x...:a,b,..., bits:p0,p1,..., affine:r0,r1,...[^c], random:SEED, random-affine:SEED,
 *  table:FILE.npy, table:[t0,t1,...]; ~SPEC is the inverse, A|B is A then B.
 *  RIFFLE_ERROR_SYNTAX says where, and suggests the nearest word. */
RIFFLE_API riffle_status riffle_perm_parse(const char *spec, uint64_t n, riffle_perm **out);

/** n. */
RIFFLE_API uint64_t riffle_perm_length(const riffle_perm *perm);

/** P(i), for i < n; UINT64_MAX for i >= n, and of no permutation. */
RIFFLE_API uint64_t riffle_perm_at(const riffle_perm *perm, uint64_t i);

/** Gives a handle back. The permutation goes with its last handle. */
RIFFLE_API void riffle_perm_free(riffle_perm *perm);

/** @} */
/* ------------------------------------------------------------------- plans */

/** @name Plans
 *  How it moves: plan once, execute often.
 *  @{ */

/** Where a plan runs. */
typedef enum riffle_engine {
    RIFFLE_ENGINE_CPU = 0, /**< OpenMP threads on host memory */
    RIFFLE_ENGINE_CUDA,    /**< an NVIDIA GPU (riffle/cuda.h); RIFFLE_ERROR_UNSUPPORTED where there is none */
} riffle_engine;

/** "cpu", "cuda". */
RIFFLE_API const char *riffle_engine_string(riffle_engine engine);
/** The engine of that name. */
RIFFLE_API riffle_status riffle_engine_parse(const char *name, riffle_engine *out);
/** All engines, whether or not there is such a device. */
RIFFLE_API size_t riffle_engine_list(riffle_engine *out, size_t capacity);

/** How an execution checks its own result (docs/check.md). On the CPU, and between arrays of the host, it returns
 *  RIFFLE_ERROR_DAMAGED where the result is not what it should be; on a GPU's stream the plan's riffle_cuda_..._check says so
 *  afterwards. */
typedef enum riffle_check {
    RIFFLE_CHECK_NONE = 0, /**< not at all */
    RIFFLE_CHECK_FULL, /**< the result is read once more: a sum of 64 bits over each place and what belongs there is compared with that
                            of what was read, so that lost, changed, doubled and exchanged elements are missed with a probability of 2^-62 at worst */
    RIFFLE_CHECK_PASSES, /**< moves by buckets, in several passes: each adds up what it is about to write, and the next one what
                            it reads of that; sorts: the first and the last add up what they read. Changes in src or dst are not found. Anything else
                            is RIFFLE_ERROR_UNSUPPORTED */
} riffle_check;

/** "none", "full", "passes". */
RIFFLE_API const char *riffle_check_string(riffle_check check);
/** The check of that name. */
RIFFLE_API riffle_status riffle_check_parse(const char *name, riffle_check *out);
/** All checks. */
RIFFLE_API size_t riffle_check_list(riffle_check *out, size_t capacity);

/** A permutation made ready for one engine and element size. */
typedef struct riffle_plan riffle_plan;

/** A caller's wishes for a plan. NULL, or zero in every field, gives the defaults. The fields stand below. */
typedef struct riffle_plan_options riffle_plan_options;

/** Plans moving arrays of riffle_perm_length(perm) elements of elem_bytes bytes each (any size from 1 byte to a
 *  whole row). `options` may be NULL. RIFFLE_ERROR_UNSUPPORTED if the asked-for algorithm cannot do this
 *  permutation.
 *
 *  Tables, and sequences of up to 2^28 elements, are recognized first: a table that is a transpose is planned
 *  as one. riffle_explain says what would be chosen, or why it is refused, without building it; docs/library.md says what plans cost, and
 *  what is moved in place. RIFFLE_ERROR_OUT_OF_MEMORY comes before anything is launched on a GPU. */
RIFFLE_API riffle_status riffle_plan_create(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                            const riffle_plan_options *options, riffle_plan **out);

/** Moves an array: dst[P(i)] = src[i], or each array of a batch.
 *
 *  dst and src hold n * elem_bytes bytes each. The arrays of a batch hold ((batch - 1) * stride + n) * elem_bytes, of which the
 *  elements between arrays are left alone. NULL is allowed where that is 0 bytes. dst and src must not overlap
 *  (RIFFLE_ERROR_INVALID_ARGUMENT if they do), unless the plan is in place: then they must be the same. RIFFLE_ERROR_DAMAGED if the
 *  plan's check finds dst wrong. Host memory of any
 *  alignment will do; 64 bytes is fastest, and riffle_buffer_create gives it. (Device memory: riffle/cuda.h.)
 *
 *  Allocates nothing, and takes up to 128 KiB of stack on each thread. With one thread (riffle_plan_threads) it enters no OpenMP
 *  and calls no system. A plan that left options.threads 0 takes no more threads than OpenMP gives when it is executed
 *  (omp_set_num_threads, threadpoolctl). */
RIFFLE_API riffle_status riffle_execute(const riffle_plan *plan, void *dst, const void *src);

/** Prints what the plan does, why it was chosen and what it is expected to cost.
 *  RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_plan_explain(const riffle_plan *plan, FILE *stream);

/** Frees the plan with its schedule and workspace. */
RIFFLE_API void riffle_plan_free(riffle_plan *plan);

/** @} */
/* ------------------------------------------------------------------- views */

/** A caller's wishes for a call without a plan: riffle_copy_strided, riffle_take, riffle_put, calls of riffle/f2.h. NULL, or zero in every field, gives the
 *  defaults. */
typedef struct riffle_call_options {
    unsigned threads; /**< most threads; 0: as many as OpenMP gives and as pay */
} riffle_call_options;

/** @name Views
 *  Arrays with strides of their own, copied in one call: no permutation, no plan to keep.
 *  @{ */

/** Copies between two arrays of one shape, each with strides of its own (NumPy's and PyTorch's strided arrays, a box
 *  within a larger array, axes in another order, flipped, broadcast):
 *
 *      dst[i0 * dst_strides[0] + i1 * dst_strides[1] + ...] = src[i0 * src_strides[0] + i1 * src_strides[1] + ...]
 *
 *  for all 0 <= ik < shape[k]. `rank` is at most RIFFLE_MAX_RANK; 0 is one element. dst and src point to the element of
 *  index 0, 0, ... Strides are in elements of elem_bytes bytes (any number from 1 to a whole row), as DLPack has them;
 *  NULL is row-major order without gaps. (NumPy's strides are in bytes. Where they are no multiples of an element, have
 *  its bytes as one more axis, with elem_bytes 1.)
 *
 *  src_strides may be negative or 0, and its elements may overlap. dst_strides are at least 1 where the dimension is
 *  more than 1, and no two elements of dst may be one. Memory between elements of dst is left alone. The memory may be at any
 *  address.
 *
 *  `options` may be NULL. Plans anew each time, in microseconds. Allocates
 *  nothing, and takes up to 128 KiB of stack on each thread.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for a rank or stride that may not be, elements of dst that overlap (the detail names
 *  two), dst and src that share memory, NULL where there are elements. RIFFLE_ERROR_LENGTH for more than
 *  RIFFLE_MAX_LENGTH elements, or offsets beyond an address. RIFFLE_ERROR_UNSUPPORTED where strides are so entangled
 *  that a bounded search cannot tell whether elements overlap; strides that nest, each beyond what the shorter ones
 *  reach together, never are. */
RIFFLE_API riffle_status riffle_copy_strided(unsigned rank, const uint64_t *shape, size_t elem_bytes, void *dst,
                                             const int64_t *dst_strides, const void *src,
                                             const int64_t *src_strides, const riffle_call_options *options);

/** @} */
/* ----------------------------------------------------------------- buffers */

/** @name Buffers
 *  Memory as the engines like it best.
 *  @{ */

/** Allocates zeroed memory, 64-byte aligned and on huge pages where the system grants them. bytes may be 0.
 *  Free it with riffle_buffer_free and the same size. */
RIFFLE_API riffle_status riffle_buffer_create(size_t bytes, void **out);
/** Frees a buffer of that size. */
RIFFLE_API void riffle_buffer_free(void *buffer, size_t bytes);

/** @} */
/* ============================================================ advanced
 * ============================================
 *
 * Permutations as values, the choice of an algorithm, and what a plan says of itself. */

/** @name Permutations as values
 *  Composed, inverted, recognized, printed, looked at.
 *  @{ */

/** `first`, then `then`: i -> then(first(i)). Affine with affine stays affine, axes with axes stays axes
 *  where the shapes have a common refinement, rotations and reflections stay such. Other pairs are kept
 *  as a sequence and evaluated in turn. RIFFLE_ERROR_LENGTH if the lengths differ. */
RIFFLE_API riffle_status riffle_perm_compose(const riffle_perm *first, const riffle_perm *then,
                                             riffle_perm **out);

/** The permutation that undoes `perm`. O(n) time and memory for tables, else O(1). */
RIFFLE_API riffle_status riffle_perm_invert(const riffle_perm *perm, riffle_perm **out);

/** The same permutation in the most structured form that an O(n) look at it finds. A table (or a sequence)
 *  that is a rotation, a reflection, an axes permutation or affine becomes one; anything else comes back
 *  as it was. */
RIFFLE_API riffle_status riffle_perm_recognize(const riffle_perm *perm, riffle_perm **out);

/** Writes the spec of `perm` as snprintf does: NUL-terminated and cut to `capacity` into `buffer` (which may be
 *  NULL if capacity is 0), and its full length without the NUL into *length (which may be NULL).
 *  Parsing the whole text for the same n gives an equal permutation. */
RIFFLE_API riffle_status riffle_perm_print(const riffle_perm *perm, char *buffer, size_t capacity,
                                           size_t *length);

/** Another handle on the same value; free both. Cannot fail. */
RIFFLE_API riffle_perm *riffle_perm_retain(const riffle_perm *perm);

/** out[k] = P(first + k) for k < count; first + count <= n. Faster than as many calls of riffle_perm_at. */
RIFFLE_API riffle_status riffle_perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out);

/** The shape of the output where the permutation gives one: transpose, axes, and a composition whose last part
 *  does, identities aside. Writes up to RIFFLE_MAX_RANK dimensions and returns their number, else 0. */
RIFFLE_API unsigned riffle_perm_output_shape(const riffle_perm *perm, uint64_t shape[RIFFLE_MAX_RANK]);

/** The distribution D_w(P) of a permutation (Kasagi, Nakano, Ito 2013, section IV): what a scatter pays in
 *  whole memory transactions. For each w neighbours of the input, count the groups of w neighbours in the
 *  output that they go to; D_w(P) is the sum, from n/w to n. 1 <= width <= 32. Closed form for affine
 *  permutations and rotations, else O(n). */
RIFFLE_API riffle_status riffle_perm_distribution(const riffle_perm *perm, unsigned width, uint64_t *out);

/** @} */
/* -------------------------------------------------------------- algorithms */

/** @name Algorithms and options
 *  A caller's wishes for the planner.
 *  @{ */

/** How a plan moves the data. AUTO lets the planner choose. riffle/papers.h has those that exist to reproduce a
 *  paper's figures. */
typedef enum riffle_algorithm {
    RIFFLE_ALGORITHM_AUTO = 0, /**< the planner chooses */
    RIFFLE_ALGORITHM_COPY,     /**< long runs copied: identity, rotation, reversal */
    RIFFLE_ALGORITHM_SCATTER,  /**< dst[P(i)] = src[i] in order of i (destination-designated) */
    RIFFLE_ALGORITHM_GATHER,   /**< dst[i] = src[Q(i)] in order of i, Q the inverse (source-designated) */
    RIFFLE_ALGORITHM_AFFINE,   /**< one pass over cosets: affine permutations */
    RIFFLE_ALGORITHM_AXES,     /**< one pass of boxes, any shape: axes permutations */
    RIFFLE_ALGORITHM_BUCKET,   /**< passes over pieces of a cache's or shared memory's size: any permutation */
    /* The HMM paper's (Kasagi, Nakano, Ito 2013), for memories that like whole rows and fear bank conflicts: */
    RIFFLE_ALGORITHM_TRANSPOSE,     /**< matrices transposed, by tiles in diagonal arrangement (section V) */
    RIFFLE_ALGORITHM_ROW_WISE,      /**< each row of a matrix by itself, free of bank conflicts (section VI) */
    RIFFLE_ALGORITHM_COLUMN_WISE,   /**< each column by itself: transpose, row-wise, transpose (section VI) */
    RIFFLE_ALGORITHM_SCHEDULED,     /**< any permutation: row-wise, column-wise, row-wise (section VII) */
    RIFFLE_ALGORITHM_CONFLICT_FREE, /**< any permutation of what fits one block's shared memory (DMM) */
    RIFFLE_ALGORITHM_REVERSE_ENDS,  /**< in place: elements as far from the ends change places: reversals */
    RIFFLE_ALGORITHM_ONCE, /**< any permutation, used once: sorted as it goes, nothing planned (docs/once.md) */
} riffle_algorithm;

/** "auto", "copy", ..., "row-wise", ... */
RIFFLE_API const char *riffle_algorithm_string(riffle_algorithm algorithm);
/** The algorithm of that name. */
RIFFLE_API riffle_status riffle_algorithm_parse(const char *name, riffle_algorithm *out);
/** All algorithms, AUTO first. */
RIFFLE_API size_t riffle_algorithm_list(riffle_algorithm *out, size_t capacity);

/** How long planning may take. */
typedef enum riffle_effort {
    RIFFLE_EFFORT_ESTIMATE = 0, /**< the planner estimates what is fastest: microseconds, but for tables */
    RIFFLE_EFFORT_MEASURE,      /**< candidates are executed, and the fastest is taken; on the CPU only */
} riffle_effort;

/** "estimate" or "measure". */
RIFFLE_API const char *riffle_effort_string(riffle_effort effort);
/** The effort of that name. */
RIFFLE_API riffle_status riffle_effort_parse(const char *name, riffle_effort *out);
/** All efforts. */
RIFFLE_API size_t riffle_effort_list(riffle_effort *out, size_t capacity);

/** Zero every field for the defaults, as in `riffle_plan_options options = {0};`. */
struct riffle_plan_options {
    riffle_algorithm algorithm; /**< RIFFLE_ALGORITHM_AUTO: the planner chooses */
    /** Threads at most; 0: as many as OpenMP gives. There are never more than that, than processors, or than
     *  pay for arrays of that length (riffle_plan_threads). */
    unsigned threads;
    /** How often the plan will be executed; 0: many times. For 1 the planner picks what is done soonest, its
     *  own time included: on a GPU ONCE for a long table or shuffle. (riffle_cuda_take and riffle_cuda_put do it
     *  without a plan, which checks and copies the table before: riffle/cuda.h.) */
    unsigned executions;
    /** Elements in a row of the matrix of ROW_WISE, COLUMN_WISE and SCHEDULED, which is an error for another algorithm; 0: about the
     *  square root of n. */
    uint64_t row_length;
    /** Arrays that one execution moves, each along the permutation; 0: one. */
    uint64_t batch;
    /** Elements from the start of an array of the batch to the start of the next, in dst as in src; 0: n, so
     *  that the arrays lie side by side; else at least n. */
    uint64_t stride;
    /** The array is moved within itself, without a second one; dst must be src. */
    bool in_place;
    /** On GPUs alone: the plan allocates no workspace, and each execution brings one. riffle_execute allocates it. */
    bool callers_workspace;
    /** FULL sums up what was read, each element with the place that the permutation gives it, and what was written. The plan keeps the
     *  permutation for it, on a GPU as a table of 4 or 8 bytes an element if it is not affine. Arrays are aligned there to the largest
     *  power of two that divides elem_bytes, 16 at most. */
    riffle_check check;
    /** MEASURE plans the candidates (algorithms that ESTIMATE does not have far behind, stores into the caches or past them, of short
     *  arrays one thread or several), executes each a few times, and takes the fastest. With an algorithm that is asked for, only its variants are candidates. The winner
     *  is kept in the process, where later plans of the same move with MEASURE find it untried: riffle_wisdom_save. */
    riffle_effort effort;
    /** MEASURE begins no candidate and no execution after so many seconds; 0: after one. The choice of ESTIMATE is the first
     *  candidate, and is tried whatever the time. */
    double effort_seconds;
    /** Arrays for MEASURE to execute on, as riffle_execute wants them; both NULL: its own, which it allocates and frees. dst holds
     *  anything afterwards, and in place that is src, too. */
    void *effort_dst;
    const void *effort_src; /**< see effort_dst */
};

/** @} */
/* ------------------------------------------------------------------ wisdom */

/** @name Wisdom
 *  The findings of RIFFLE_EFFORT_MEASURE, in a table that the process has, and in files. An entry says how a move (a permutation
 *  of one length and element size, with options) went fastest on a processor. Entries of other processors do no harm. Any
 *  thread may call these at any time.
 *  @{ */

/** Takes in the entries of a file that riffle_wisdom_save wrote; of two for the same move the file's stays. The table has 2^14
 *  entries at most, and then new ones take the place of the oldest. Failing, it takes none: RIFFLE_ERROR_IO if the file
 *  cannot be read, RIFFLE_ERROR_FORMAT if it is of another kind, cut short or changed (the detail has the line). */
RIFFLE_API riffle_status riffle_wisdom_load(const char *path);

/** Writes the table to a file, which takes the place of one that is there: aside, and renamed when it is whole on the disk.
 *  RIFFLE_ERROR_IO if that fails; then the old file stands. */
RIFFLE_API riffle_status riffle_wisdom_save(const char *path);

/** Empties the table. */
RIFFLE_API void riffle_wisdom_forget(void);

/** How many entries it has. */
RIFFLE_API size_t riffle_wisdom_count(void);

/** @} */
/* ------------------------------------------------------- what a plan says */

/** @name Answers of a plan
 *  Its algorithm, passes, threads and memory.
 *  @{ */

/** The algorithm that the plan uses, never AUTO; AUTO of no plan. */
RIFFLE_API riffle_algorithm riffle_plan_algorithm(const riffle_plan *plan);

/** How often the plan moves the whole array from memory to memory; 0 if nothing is to be moved. */
RIFFLE_API unsigned riffle_plan_passes(const riffle_plan *plan);

/** Threads that an execution on the CPU takes: one below 1 MiB, where a second would seldom be worth waking,
 *  and then one for each 512 KiB (of scattered elements shorter than 64 bytes one for each 2 MiB). A batch of
 *  shorter arrays takes as many as all of them together are worth. 0 on other engines. */
RIFFLE_API unsigned riffle_plan_threads(const riffle_plan *plan);

/** Bytes that the plan keeps for its schedule, its workspace not counted. */
RIFFLE_API size_t riffle_plan_bytes(const riffle_plan *plan);

/** Bytes of the plan's workspace; 0 for most. */
RIFFLE_API size_t riffle_plan_workspace_bytes(const riffle_plan *plan);

/** Prints what riffle_plan_create would choose, without building it: cheap for any n. */
RIFFLE_API riffle_status riffle_explain(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                        const riffle_plan_options *options, FILE *stream);

/** @} */
/* -------------------------------------------------------------- messages */

/** @name Messages
 *  For programs that print names as riffle does.
 *  @{ */

/** `text` as one line that a terminal only shows, for messages with file names in them. Bytes that are part of
 *  no printable ASCII or UTF-8 character, control characters first of all, become an escape of a backslash, x
 *  and two hexadecimal digits. Names in riffle_error_detail() stand in this form. Text beyond `room` bytes (at least 1) is left
 *  out. Returns `out`. Safe in a signal handler. */
RIFFLE_API char *riffle_printable(const char *text, char *out, size_t room);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
