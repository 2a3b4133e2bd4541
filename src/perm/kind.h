/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations that every kind of permutation has, as a table, and the constructors that the kinds lend each other. A new
 * kind is one file with its perm_operations and one line in perm.c.
 */
#ifndef RIFFLE_PERM_KIND_H
#define RIFFLE_PERM_KIND_H

#include "base/threads/threads.h"
#include "perm/perm.h"

/** One kind. `map`, `compose`, `as_affine` and `destroy` may be NULL: the plain way, or nothing to do. */
typedef struct perm_operations {
    /** values[k] = P(values[k]), all below n. */
    void (*apply)(const riffle_perm *perm, size_t count, uint64_t *values);
    /** out[k] = P(first + k), faster than apply on counted indices. */
    void (*map)(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out);
    riffle_status (*invert)(const riffle_perm *perm, riffle_perm **out);
    /** `first`, then `then`, both of this kind, as one; *out = NULL where there is no single form. */
    riffle_status (*compose)(const riffle_perm *first, const riffle_perm *then, riffle_perm **out);
    bool (*as_affine)(const riffle_perm *perm, perm_affine *out);
    void (*destroy)(riffle_perm *perm);
} perm_operations;

extern const perm_operations rotation_operations;
extern const perm_operations affine_operations;
extern const perm_operations axes_operations;
extern const perm_operations random_operations;
extern const perm_operations table_operations;
extern const perm_operations sequence_operations;

/** Values that a batch works on at a time where it must keep some beside: 16 KiB of them. */
enum { PERM_BLOCK = 2048 };

/** A zeroed permutation of this kind with one reference. */
riffle_status perm_create(perm_kind kind, uint64_t n, riffle_perm **out);

/** RIFFLE_ERROR_LENGTH if n is above RIFFLE_MAX_LENGTH; `what` begins the detail. */
riffle_status perm_check_length(const char *what, uint64_t n);

/** How many permutations of other kinds one value goes through: the parts of a sequence, else 1. Code that looks at values and
 *  should be quick divides by it. */
static inline uint64_t perm_parts(const riffle_perm *perm) {
    return perm->kind == PERM_SEQUENCE ? perm->sequence.count : 1;
}

/** values[k] = P(values[k]), all below n. */
void perm_apply(const riffle_perm *perm, size_t count, uint64_t *values);

/** riffle_perm_map without its checks. */
void perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out);

/** True where the form alone says that P(i) = i for all i. */
bool perm_is_identity(const riffle_perm *perm);

/** `first`, then `then` in a single form; *out = NULL where only a sequence holds both. With up to one element
 *  every permutation is the same: then `then` stands for both, for the sake of its output shape. */
riffle_status perm_melt(const riffle_perm *first, const riffle_perm *then, riffle_perm **out);

/** True where a(i) = b(i) for all i < n, of equal n; reads all values in parallel, stops early. */
bool perm_same_values(const riffle_perm *a, const riffle_perm *b);

static inline bool perm_is_power_of_two(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

/** i -> offset + i, or offset - i where reflected; offset < n. */
riffle_status rotation_create(uint64_t n, bool reflected, uint64_t offset, riffle_perm **out);

/** i -> a i + c, a invertible: a rotation where it is one. */
riffle_status affine_create(const perm_affine *affine, riffle_perm **out);

/** The affine map of n = 2^m indices that agrees with P in 0 and the powers of two; P may be another. */
perm_affine affine_through(const riffle_perm *perm);

/** The axes permutation of these digits of 0..n-1, fastest first; `input` and `output` are the shapes it
 *  shows, or both NULL for its own. The identity becomes a rotation. *out = NULL where the digits give no
 *  permutation or more than RIFFLE_MAX_RANK axes. */
riffle_status axes_create(uint64_t n, unsigned count, const perm_digit *digits, const perm_shape *input,
                          const perm_shape *output, riffle_perm **out);

/** The shape that riffle_perm_output_shape tells; rank 0 for none. */
const perm_shape *perm_output(const riffle_perm *perm);

/** Where the entries of a new table come from: n integers of `bytes` bytes (1, 2, 4 or 8). */
typedef struct table_source {
    const char *name; /**< its name in messages */
    const void *data;
    size_t bytes;
    bool is_signed;
    bool swapped; /**< the other byte order than this machine's */
} table_source;

/** The table of these entries, checked. */
riffle_status table_create(uint64_t n, const table_source *source, riffle_perm **out);

/** Bytes of an entry of a table of n: 4 where they hold every index, else 8. */
static inline size_t table_entry_bytes(uint64_t n) {
    return n <= (uint64_t)1 << 32 ? sizeof(uint32_t) : sizeof(uint64_t);
}

/** Threads for work on all entries of a table, or on as many values of another kind. */
static inline unsigned perm_threads(uint64_t n) {
    return threads_for((size_t)n * table_entry_bytes(n), BYTES_A_THREAD, threads_most(0));
}

/** A table of zeros, for a caller that fills in a permutation of its own making: nothing is checked. */
riffle_status table_of_zeros(uint64_t n, riffle_perm **out);

static inline void table_store(perm_table *table, uint64_t i, uint64_t value) {
    if (table->entry_bytes == 4) {
        ((uint32_t *)table->entries)[i] = (uint32_t)value;
    } else {
        ((uint64_t *)table->entries)[i] = value;
    }
}

/** A table whose entries are somewhere else, on a device say: it has a length and entry_bytes, and entries are
 *  NULL. It stands for the permutation in a plan and cannot be evaluated. */
riffle_status table_elsewhere(uint64_t n, riffle_perm **out);

/** The table in a one-dimensional .npy file of n integers. */
riffle_status table_create_from_file(uint64_t n, const char *path, riffle_perm **out);

/** A sequence being made: each part pushed melts into the one before it where a single form holds both. */
typedef struct sequence_builder {
    uint64_t n;
    size_t count;
    size_t capacity;
    riffle_perm **parts;
    perm_shape output; /**< shape of the last part's output, identities aside */
} sequence_builder;

/** Adds `part` (of length n) at the end; the caller keeps its handle. */
riffle_status sequence_push(sequence_builder *builder, const riffle_perm *part);
/** The permutations that were pushed as one, the identity if none was; empties the builder in any case. */
riffle_status sequence_finish(sequence_builder *builder, riffle_perm **out);
/** Gives up what was pushed. */
void sequence_abandon(sequence_builder *builder);

#endif
