/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The Virtual Address Translation model: what it costs a program to have its addresses translated (Jurkiewicz,
 *  Mehlhorn; dissertation, chapter 2). docs/vat.md has the model in words.
 *
 *  Pages are the leaves of a K-nary tree of height d. To translate an address is to walk from the root to its
 *  page's leaf, d + 1 nodes, all of which must be in a translation cache of W nodes. A node that is missing is
 *  inserted: a fault, which costs tau. Which node then leaves is the replacement policy's choice. */
#ifndef RIFFLE_VAT_H
#define RIFFLE_VAT_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which node leaves a full cache. */
typedef enum riffle_vat_policy {
    RIFFLE_VAT_POLICY_LRU,   /**< the least recently used one */
    RIFFLE_VAT_POLICY_ISLRU, /**< the lowest stored descendant of that one (Definition 2.9) */
    RIFFLE_VAT_POLICY_MIN, /**< Belady's: the one used again last, descendants first among equals (section 2.3.6) */
    RIFFLE_VAT_POLICY_ISMIN, /**< among those without stored descendants and off the current path, the one used again last
                           (Definition 2.12) */
    RIFFLE_VAT_POLICY_RRMIN, /**< MIN's moves with the initial segment property but for one cell (section 2.3.7): a cache
                           of W + 1 nodes that does what MIN does with W */
    RIFFLE_VAT_POLICY_LIS, /**< RRMIN's with that property throughout (section 2.3.8): W + d nodes */
} riffle_vat_policy;

/** "lru", "islru", "min", "ismin", "rrmin", "lis". */
RIFFLE_API const char *riffle_vat_policy_string(riffle_vat_policy policy);
/** The policy of that name. */
RIFFLE_API riffle_status riffle_vat_policy_parse(const char *name, riffle_vat_policy *out);
/** All policies. */
RIFFLE_API size_t riffle_vat_policy_list(riffle_vat_policy *out, size_t capacity);

/** Zero for the defaults, an x86-64 processor's with pages of 4 KiB. */
typedef struct riffle_vat_options {
    uint64_t fanout; /**< K, a power of two from 2 on; default 512 */
    uint64_t page;   /**< P in bytes, a power of two; default 4096 */
    unsigned height; /**< d, from 1 on; K^d P must not exceed 2^64; default 4 */
    uint64_t cache;  /**< W, the nodes that MIN's cache has (RRMIN has one more, LIS d more); default 1536 */
    double tau;      /**< the cost of a fault; default 1 */
} riffle_vat_options;

/** The cost of translating a trace. */
typedef struct riffle_vat_counts {
    uint64_t accesses; /**< addresses translated */
    uint64_t faults;   /**< insertions */
    double cost;       /**< tau times the faults */
} riffle_vat_counts;

/** A translation cache at work. */
typedef struct riffle_vat riffle_vat;

/** An empty cache. RIFFLE_ERROR_INVALID_ARGUMENT for options outside their limits, and if cache <= height for a
 *  policy that keeps an initial segment (Proposition 2.3: ISMIN, RRMIN, LIS; ISLRU works, but without the
 *  property). LRU and ISLRU count while they are fed and keep memory for W nodes (at most 2^31); the others
 *  need the whole trace: they keep 4 bytes an access and about 30 a node (up to twice while growing), and more
 *  while counting. */
RIFFLE_API riffle_status riffle_vat_create(riffle_vat_policy policy, const riffle_vat_options *options,
                                           riffle_vat **out);
/** Frees a cache. */
RIFFLE_API void riffle_vat_free(riffle_vat *vat);

/** Translates `count` addresses in order. RIFFLE_ERROR_INVALID_ARGUMENT names the first that lies beyond K^d P;
 *  those before it have been taken. RIFFLE_ERROR_LENGTH beyond 2^32 - 2 accesses or nodes for the offline
 *  policies. */
RIFFLE_API riffle_status riffle_vat_access(riffle_vat *vat, const uint64_t *addresses, size_t count);

/** Gives the cost of all accesses so far. With an offline policy this call does the work, O(log W) a node. */
RIFFLE_API riffle_status riffle_vat_count(riffle_vat *vat, riffle_vat_counts *out);

/** Writes the faults of each layer of the tree: layer 0 has the pages, the layer of number d is the root. Layers beyond it have
 *  none. RRMIN, which inserts a node before it is needed, counts it all the same. */
RIFFLE_API riffle_status riffle_vat_count_layers(riffle_vat *vat, uint64_t *faults, size_t layers);

/* -------------------------------------------------------- virtual machines */

/** An empty cache of a guest above one of its host: double translation (section 2.6.1). The guest's pages, and the
 *  tables of K entries of 8 bytes that its other nodes stand for, lie in the guest's memory, whose places are given away in the order in which
 *  nodes are first met. A node that comes into the guest's cache has its place translated by the host; one that is stored needs
 *  no host, for its entry holds what came of it. Where the host's pages are smaller than the guest's, each access asks the host.
 *  Both caches have the policy. RIFFLE_ERROR_INVALID_ARGUMENT for options outside their limits, and if the host's pages hold no
 *  table of the guest; RIFFLE_ERROR_UNSUPPORTED for a policy that needs the whole trace with host's pages smaller than the guest's.
 *  The guest's accesses fail once its memory outgrows the host's tree. */
RIFFLE_API riffle_status riffle_vat_create_nested(riffle_vat_policy policy, const riffle_vat_options *guest,
                                                  const riffle_vat_options *host, riffle_vat **out);

/** The same for the host: the accesses are addresses that it was asked for. `faults` may be NULL for 0 layers. */
RIFFLE_API riffle_status riffle_vat_count_host(riffle_vat *vat, riffle_vat_counts *out, uint64_t *faults,
                                               size_t layers);

/* ---------------------------------------------------------------- programs */

/** The chapter's programs (section 2.1; figures 2.1 and 2.7, section 2.5), on arrays of 8-byte elements. */
typedef enum riffle_vat_program {
    RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN,
    RIFFLE_VAT_PROGRAM_RANDOM_SCAN,   /**< n reads at random places */
    RIFFLE_VAT_PROGRAM_PERMUTE,       /**< Fisher and Yates */
    RIFFLE_VAT_PROGRAM_BINARY_SEARCH, /**< n searches for random keys */
    RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, /**< the same in a van Emde Boas layout */
    RIFFLE_VAT_PROGRAM_HEAPIFY,
    RIFFLE_VAT_PROGRAM_HEAPSORT,
    RIFFLE_VAT_PROGRAM_INTROSORT,
    RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS,      /**< a square matrix, row by row */
    RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE, /**< the same in a recursive layout */
    RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS,       /**< the product of two square matrices, row by column */
    RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE,  /**< the same in a recursive layout, quadrant by quadrant */
    RIFFLE_VAT_PROGRAM_COUNT,               /**< how many there are */
} riffle_vat_program;

/** "sequential-scan", "random-scan", ..., "heapsort", ... */
RIFFLE_API const char *riffle_vat_program_string(riffle_vat_program program);
/** The program of that name. */
RIFFLE_API riffle_status riffle_vat_program_parse(const char *name, riffle_vat_program *out);
/** All programs. */
RIFFLE_API size_t riffle_vat_program_list(riffle_vat_program *out, size_t capacity);

/** The elements of 8 bytes that a program works on for the size n: n, or 2n where it writes another array, 3n for products. n of
 *  the transposes and products is rounded down to a square, whose side is a power of two for the recursive layout. n of the
 *  van Emde Boas layout is rounded down to 2^h - 1 keys, which are still searched n times. 0 if there is no
 *  such program, if n > RIFFLE_MAX_LENGTH, or without libriffle-machine. */
RIFFLE_API uint64_t riffle_vat_program_elements(riffle_vat_program program, uint64_t n);

/** Fills `array` with what the program works on (sorted keys for searches, random ones for sorts, ...). */
RIFFLE_API riffle_status riffle_vat_program_prepare(riffle_vat_program program, uint64_t n, uint64_t seed,
                                                    uint64_t *array);

/** Runs a program at full speed on a prepared array; *checksum depends on all that it read, so that nothing is
 *  optimized away, and tests can compare it with the same program's reporting run. */
RIFFLE_API riffle_status riffle_vat_program_run(riffle_vat_program program, uint64_t n, uint64_t seed,
                                                uint64_t *array, uint64_t *checksum);

/** Runs about `operations` of a program's n operations at full speed, where all of them would take too long: of
 *  searches, or of removals from the heap in heapsort. The removals are made at sizes that divide n evenly, and
 *  the array must be a heap (prepare, then run RIFFLE_VAT_PROGRAM_HEAPIFY). Other programs run whole. *share is what
 *  part of all n operations ran: 1 if they are no more than `operations`, or if the program ran whole. */
RIFFLE_API riffle_status riffle_vat_program_sample(riffle_vat_program program, uint64_t n, uint64_t operations,
                                                   uint64_t seed, uint64_t *array, uint64_t *checksum,
                                                   double *share);

/** The same source again, reporting the address (8 times the index, array at address 0) of each access to
 *  `vat`. */
RIFFLE_API riffle_status riffle_vat_program_replay(riffle_vat_program program, uint64_t n, uint64_t seed,
                                                   uint64_t *array, riffle_vat *vat, uint64_t *checksum);

/** Takes accesses in order: their addresses, and whether each is a store. A status but RIFFLE_OK ends the reports. */
typedef riffle_status riffle_vat_sink(void *context, const uint64_t *addresses, const bool *stores,
                                      size_t count);

/** The same, reporting to `sink` instead. */
RIFFLE_API riffle_status riffle_vat_program_feed(riffle_vat_program program, uint64_t n, uint64_t seed,
                                                 uint64_t *array, riffle_vat_sink *sink, void *context,
                                                 uint64_t *checksum);

/* ------------------------------------------------------------ closed forms */

/** The cost of a program for a size on three machines, up to constants. */
typedef struct riffle_vat_cost {
    double ram;       /**< operations */
    double em;        /**< block transfers */
    double vat_least; /**< faults, the lower bound; 0 where there is none */
    double vat_most;  /**< and the upper bound */
} riffle_vat_cost;

/** Gives the cost of a program for the size n, up to constants: the RAM's operations, the EM's block transfers for a
 *  cache of `em_cache` and blocks of `em_block` bytes, and the VAT's faults between two bounds. Both bounds are
 *  0 where the chapter has none; heapsort's upper bound is not the chapter's. Logarithms are max(log, 1)
 *  (Figure 2.3), in lower bounds max(log, 0). docs/vat.md has the sections. RIFFLE_ERROR_INVALID_ARGUMENT for
 *  pages under 8 bytes or cache <= height. */
RIFFLE_API riffle_status riffle_vat_program_cost(riffle_vat_program program, uint64_t n,
                                                 const riffle_vat_options *options, double em_cache,
                                                 double em_block, riffle_vat_cost *out);

/** The same for double translation (section 2.6.1), the faults of a guest's cache and its host's together: each of the guest's asks the
 *  host once, and an ask costs as many levels as the guest's memory needs of the host's tree, under LRU, besides one path to there. The
 *  lower bound has one path of the host. RIFFLE_ERROR_UNSUPPORTED where the host's pages are smaller than the guest's, or than its tables. */
RIFFLE_API riffle_status riffle_vat_program_cost_nested(riffle_vat_program program, uint64_t n,
                                                        const riffle_vat_options *guest,
                                                        const riffle_vat_options *host, double em_cache,
                                                        double em_block, riffle_vat_cost *out);

/** Converts an algorithm of external memory (section 2.5, Theorem 2.32): a program that makes C(M, B, n) block transfers whatever the
 *  cache makes at most the sum of C(a K^i P, K^i P, n) faults over the layers i = 0 to d, a = floor(W/d). Writes these terms, up to the
 *  constants of C: 0 for layers beyond the root. The statuses are riffle_vat_program_cost's. */
RIFFLE_API riffle_status riffle_vat_program_transfers(riffle_vat_program program, uint64_t n,
                                                      const riffle_vat_options *options, double *transfers,
                                                      size_t layers);

/** T_EM (section 2.1.1): the expected time of n reads at random places of n elements in a memory hierarchy whose level i, 0 <= i <
 *  levels, holds sizes[i] elements, increasing, and takes times[i] an access; times[levels] is that of the memory behind them. */
RIFFLE_API riffle_status riffle_vat_em_time(double n, size_t levels, const double *sizes, const double *times,
                                            double *out);

/* ---------------------------------------------------------------- patterns */

/** A sequence of accesses, watched for consecutive and random translations (section 2.6.2). */
typedef struct riffle_vat_pattern riffle_vat_pattern;

/** The sizes that Definitions 2.33 and 2.35 ask for, and the bounds of Lemmas 2.34 and 2.36. */
typedef struct riffle_vat_pattern_counts {
    uint64_t accesses;   /**< in the sequence */
    uint64_t faults;     /**< by LRU */
    uint64_t ascending;  /**< accesses to a higher page than the one before */
    uint64_t descending; /**< accesses to a lower one */
    uint64_t first_page; /**< the least page */
    uint64_t last_page;  /**< the greatest page */
    uint64_t pages;      /**< pages of that range */
    bool is_cat;         /**< pages in one direction, tau accesses a page of the range or more, tau d in all */
    double cat_most;     /**< a CAT's faults at most: 2d + 1 + pages K/(K - 1) */
    unsigned rat_layer;  /**< layer for whose parts, of K^layer pages, the next is greatest */
    uint64_t rat_least;  /**< faults at least: each access to a part that rested misses layer + 1 nodes */
    uint64_t rested[65]; /**< by layer: accesses to a part of K^layer pages that was not used since W faults */
} riffle_vat_pattern_counts;

/** An empty sequence on a machine with LRU. The statuses are riffle_vat_create's. */
RIFFLE_API riffle_status riffle_vat_pattern_create(const riffle_vat_options *options, riffle_vat_pattern **out);
/** Frees it. */
RIFFLE_API void riffle_vat_pattern_free(riffle_vat_pattern *pattern);
/** Adds accesses, O(d) each. The statuses are riffle_vat_access's. */
RIFFLE_API riffle_status riffle_vat_pattern_access(riffle_vat_pattern *pattern, const uint64_t *addresses,
                                                   size_t count);
/** Tells what they were. */
RIFFLE_API riffle_status riffle_vat_pattern_count(const riffle_vat_pattern *pattern,
                                                  riffle_vat_pattern_counts *out);

/* ----------------------------------------------------------------- presets */

/** The translation cache of a core, from its vendor's manual (docs/vat.md has the sources). */
typedef struct riffle_vat_preset {
    const char *name;        /**< "skylake", "zen3", "neoverse-n1", ... */
    const char *description; /**< the core in words */
    /** Entries of the last-level TLB for pages of 4 KiB. */
    uint64_t entries_4k;
    /** The same for pages of 2 MiB. A "detected" core has 0 where CPUID says nothing of these pages. */
    uint64_t entries_2m;
    /** The same for pages of 1 GiB, likewise. */
    uint64_t entries_1g;
    /** Entries of the caches for upper levels of the page table; 0 where not known. */
    uint64_t entries_upper;
} riffle_vat_preset;

/** Preset k, or NULL for k beyond the last. The first is a typical core. */
RIFFLE_API const riffle_vat_preset *riffle_vat_preset_at(size_t k);

/** The translation cache of the processor that runs this: the preset of its family and model; else what it
 *  tells by CPUID ("detected"); else the first preset's figures ("unknown"; so for all but x86-64). Found out
 *  once a process. The environment variable RIFFLE_PROCESSOR pretends another processor: then its figures, and
 *  the description says so. RIFFLE_ERROR_INVALID_ARGUMENT for a name of which there is no record. */
RIFFLE_API riffle_status riffle_vat_detect(riffle_vat_preset *out);

#ifdef __cplusplus
}
#endif
#endif
