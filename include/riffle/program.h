/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Array programs: operations on the elements of an array of 2^n, described by parm and its kin, compiled by linear
 *  algebra into few passes (docs/programs.md; Bouverot-Dupuis, Sheeran 2023, section 7).
 */
#ifndef RIFFLE_PROGRAM_H
#define RIFFLE_PROGRAM_H

#include "riffle/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most bits of `group`: operations on 2^k neighbours. */
#define RIFFLE_PROGRAM_GROUP_BITS 4

/** An operation on elements. The first of two elements is a, the second b; i is the sub-index, the number of the pair in its
 *  (sub-)array. Integers wrap around. Where a sum of floats has a NaN the result is one; which of its bits are set depends on the
 *  processor and the engine, and of halves that are a's too: IEEE 754 leaves it open. */
typedef enum riffle_op_kind {
    RIFFLE_OP_MINMAX = 0, /**< if b < a they change places; no complex */
    RIFFLE_OP_BUTTERFLY,  /**< a+b, a-b */
    RIFFLE_OP_ADD,        /**< a, a+b */
    RIFFLE_OP_SUBTRACT,   /**< a, b-a */
    RIFFLE_OP_XOR,        /**< a, a^b; integers */
    RIFFLE_OP_ROTATE,     /**< a, b w^i, w = exp(-2 pi sqrt(-1) / 2^k), of -k the inverse; complex */
    RIFFLE_OP_TWIDDLE,    /**< a + b w^i, a - b w^i; complex */
    RIFFLE_OP_SWAP,       /**< b, a */
    RIFFLE_OP_SCALE,  /**< one element: a times the parameter, rounded to its (part's) type; floats, complex */
    RIFFLE_OP_NEGATE, /**< one element: -a */
    RIFFLE_OP_OWN,    /**< a user's C expressions */
} riffle_op_kind;

/** An operation; its source belongs to the caller. */
typedef struct riffle_op {
    riffle_op_kind kind; /**< which */
    double parameter;    /**< k, an integer, of ROTATE and TWIDDLE; the factor of SCALE */
    const char
        *source; /**< for OWN: 2^bits expressions with commas between, over a (map), a and b (pair), or a0, a1,
                             ... (group), and i; NULL for others */
} riffle_op;

/** A program for an array of 2^n elements, n <= RIFFLE_MAX_BITS: an immutable value. */
typedef struct riffle_program riffle_program;

/** @name Programs
 *  Programs say what is done to an array. Each function makes one, to be freed with riffle_program_free. A program holds at most 65536 operations
 *  and permutations, all parts counted; more is RIFFLE_ERROR_UNSUPPORTED.
 *  @{ */

/** Moves the elements along an affine permutation of 2^n indices: a[P(i)] = a[i]. Other permutations are
 *  RIFFLE_ERROR_UNSUPPORTED, lengths that are no power of two RIFFLE_ERROR_LENGTH. */
RIFFLE_API riffle_status riffle_program_move(const riffle_perm *perm, riffle_program **out);

/** The operation on each group of 2^bits neighbours of 2^n: `map` for bits = 0, `pair` for 1, `group` for up to
 *  RIFFLE_PROGRAM_GROUP_BITS. bits <= n; the sub-index is the number of the group. Built-in operations have bits of their
 *  own. A user's source is copied. */
RIFFLE_API riffle_status riffle_program_apply(unsigned n, unsigned bits, const riffle_op *op,
                                              riffle_program **out);

/** parm mask first second (Bouverot-Dupuis, Sheeran 2023, section 7): of an array of 2^(n+1) the elements whose index has an
 *  even number of ones in common with the mask are an array to which `first` is done, the others one to which
 *  `second` is done; each stays in its order. Both are of the same n; 0 < mask < 2^(n+1). `parm mask f` is f twice. */
RIFFLE_API riffle_status riffle_program_parm(uint64_t mask, const riffle_program *first,
                                             const riffle_program *second, riffle_program **out);

/** `first`, then `then`, of the same n. */
RIFFLE_API riffle_status riffle_program_then(const riffle_program *first, const riffle_program *then,
                                             riffle_program **out);

/** Reads a program for 2^n elements from its text (docs/programs.md), in which the name n is n. `definitions` is text
 *  too, or NULL: what it defines comes before the library (riffle_program_library). RIFFLE_ERROR_SYNTAX and others
 *  say in which text, in which line and at which character. */
RIFFLE_API riffle_status riffle_program_parse(const char *text, const char *definitions, unsigned n,
                                              riffle_program **out);

/** The definitions that every program can use: sort, hadamard, fft, ... Static storage. */
RIFFLE_API const char *riffle_program_library(void);

/** n. */
RIFFLE_API unsigned riffle_program_bits(const riffle_program *program);

/** Does the program to the 2^n elements at `data`, as its definition says, by plain recursion: to compare with, slow.
 *  Takes 2^(n+1) elements of memory. RIFFLE_ERROR_UNSUPPORTED for types that an operation lacks, and for users'
 *  operations. */
RIFFLE_API riffle_status riffle_program_evaluate(const riffle_program *program, riffle_type type, void *data);

/** Another handle on the same value; free both. Cannot fail. */
RIFFLE_API riffle_program *riffle_program_retain(const riffle_program *program);

/** Gives a handle back. */
RIFFLE_API void riffle_program_free(riffle_program *program);

/** @} */

/** @name Program plans
 *  A program compiled for an engine, a type of elements and a number of arrays: compile once, execute often.
 *  @{ */

/** A program made ready. */
typedef struct riffle_program_plan riffle_program_plan;

/** Ways to do a program. */
typedef enum riffle_program_algorithm {
    RIFFLE_PROGRAM_ALGORITHM_AUTO = 0, /**< FUSED */
    RIFFLE_PROGRAM_ALGORITHM_FUSED, /**< as many operations in a pass as a tile takes, and what moves in the first one */
    RIFFLE_PROGRAM_ALGORITHM_PAPER, /**< Bouverot-Dupuis and Sheeran's (2023, section 7.2), to compare with: each operation is a
                                        pass, and so is a BMMC between two whose elements lie differently */
} riffle_program_algorithm;

/** "auto", "fused", "paper". */
RIFFLE_API const char *riffle_program_algorithm_string(riffle_program_algorithm algorithm);
/** The algorithm of that name. */
RIFFLE_API riffle_status riffle_program_algorithm_parse(const char *name, riffle_program_algorithm *out);
/** All algorithms of programs. */
RIFFLE_API size_t riffle_program_algorithm_list(riffle_program_algorithm *out, size_t capacity);

/** Zero every field for the defaults. */
typedef struct riffle_program_options {
    unsigned threads; /**< most threads of the CPU; 0: as many as OpenMP gives and as pay */
    uint64_t batch;   /**< arrays, one behind the other, to each of which the program is done; 0: one */
    riffle_program_algorithm algorithm; /**< which way */
    bool callers_workspace; /**< on GPUs alone: the plan allocates no workspace, each execution brings one */
} riffle_program_options;

/** Compiles `program` for arrays of elements of `type`. `options` may be NULL. RIFFLE_ERROR_UNSUPPORTED if an operation lacks the
 *  type, with the place in the text; RIFFLE_ERROR_LENGTH if the batch has more than RIFFLE_MAX_LENGTH elements
 *  in all. Allocates, on the CPU, a buffer of 256 KiB a thread, and on a GPU, for the paper's way, mostly a third array; on the CPU
 *  the first execution does that.
 *
 *  A user's operation is compiled here: by the host's C compiler, or for a GPU by NVRTC, once, for the result is kept in
 *  $XDG_CACHE_HOME/riffle. RIFFLE_ERROR_SYNTAX, with the place and the compiler's first error, if it does not compile;
 *  RIFFLE_ERROR_UNSUPPORTED where there is no compiler, and for more than 128 different ones. */
RIFFLE_API riffle_status riffle_program_plan_create(const riffle_program *program, riffle_type type,
                                                    riffle_engine engine, const riffle_program_options *options,
                                                    riffle_program_plan **out);

/** Does the program to each array of the batch: what it makes of src goes to dst. dst and src hold batch * 2^n
 *  elements and do not overlap; or, where riffle_program_plan_in_place says so, dst is src. RIFFLE_ERROR_OUT_OF_MEMORY where there is no room for a third array. */
RIFFLE_API riffle_status riffle_program_execute(const riffle_program_plan *plan, void *dst, const void *src);

/** True if dst may be src: if no pass moves elements, so that all stages are in place. */
RIFFLE_API bool riffle_program_plan_in_place(const riffle_program_plan *plan);

/** Bytes of the GPU's memory that an execution needs besides dst and src: a third array, or 0. It is 0 on the CPU, and where
 *  no pass after the first moves elements. */
RIFFLE_API size_t riffle_program_plan_workspace_bytes(const riffle_program_plan *plan);

/** How often the plan moves all elements from memory to memory. */
RIFFLE_API unsigned riffle_program_plan_passes(const riffle_program_plan *plan);

/** Stages: operations on all pairs in one direction, those that cancel left out (the paper's way does them). */
RIFFLE_API unsigned riffle_program_plan_stages(const riffle_program_plan *plan);

/** No grouping of these stages in tiles of this size has fewer passes; of the paper's way its passes. */
RIFFLE_API unsigned riffle_program_plan_bound(const riffle_program_plan *plan);

/** The algorithm that AUTO chose, or that was asked for, never AUTO; AUTO of no plan. */
RIFFLE_API riffle_program_algorithm riffle_program_plan_algorithm(const riffle_program_plan *plan);

/** Threads of the CPU that an execution takes; 0 on other engines. */
RIFFLE_API unsigned riffle_program_plan_threads(const riffle_program_plan *plan);

/** Prints the passes: what each spans, its stages, why no fewer. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_program_plan_explain(const riffle_program_plan *plan, FILE *stream);

/** The numbers of it as one JSON document: n (the elements of all arrays of the batch), type, engine, algorithm, stages, passes, bound;
 *  bit_by_bit and paper, the passes with one operation each and those of the paper's way; in_place. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_program_plan_explain_json(const riffle_program_plan *plan, FILE *stream);

/** Frees the plan. */
RIFFLE_API void riffle_program_plan_free(riffle_program_plan *plan);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
