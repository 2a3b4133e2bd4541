/* SPDX-License-Identifier: Apache-2.0
 *
 * The closed forms of vat_costs.h, and below them riffle_vat_program_cost, a table of three costs for each
 * program.
 */
#include "machine/vat/costs.h"

#include <math.h>
#include <stdbool.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/programs/program.h"
#include "machine/vat/vat.h"

/* A logarithm in an upper bound or a running time is at least 1 (Figure 2.3); in a lower bound it is cut off at
 * 0. */
static double log_upper(double x) { return fmax(log2(x), 1); }
static double log_lower(double x) { return fmax(log2(x), 0); }

/* ------------------------------------------------------------------ scans */

double vat_scan_least(double n, vat_machine m) {
    double nodes = 0, span = m.page;
    for (double level = 0; level <= m.height; level++, span *= m.fanout) nodes += ceil(n / span);
    return nodes;
}

double vat_scan_most(double n, vat_machine m) { return m.height + vat_scan_least(n, m); }

double vat_scan_most_closed(double n, vat_machine m) {
    return 2 * m.height + n / m.page * m.fanout / (m.fanout - 1);
}

double vat_random_scan_most(double n, vat_machine m) {
    return n / log2(m.fanout) * (1 + log_upper(n / m.page));
}

double vat_random_scan_least(double n, vat_machine m) {
    return n / log2(m.fanout) * log_lower(n / (m.page * m.cache));
}

/* --------------------------------------------------------------- searches */

double vat_binary_search_most(double n, vat_machine m) {
    return n / log2(m.fanout) * log_upper(2 * n / m.page) * log_upper(2 * n * m.height / m.cache);
}

double vat_binary_search_order(double n, vat_machine m) {
    const double steps = log_lower(2 * n * m.height / (m.page * m.cache));
    return n / (2 * log2(m.fanout)) * steps * steps;
}

double vat_binary_search_least(double n, vat_machine m) {
    const double steps = log_lower(n / (4 * m.page * m.cache));
    return n / (4 * log2(m.fanout)) * steps * steps;
}

/* ------------------------------------------------------------------ heaps */

/* How many levels of a sift-down have a translation path of their own in the cache. */
static double heapify_paths(double n, vat_machine m) {
    const double path = fmax(floor(log2(n / m.page) / log2(m.fanout)), 1);
    return fmax(fmin(floor(log2(n)), floor((m.cache - 2 * m.height - 1) / path) - 1), 0);
}

double vat_heapify_most(double n, vat_machine m) {
    const double p = log2(m.page), k = log2(m.fanout), z = heapify_paths(n, m);
    double faults = 2 * m.height + 1 + fmin(p + 1, z) * 2 * n / m.page;
    for (double i = p + 1; i < z; i++) faults += n / exp2(i) * (ceil((i - p) / k) + 2);
    return faults + n * m.height * log_upper(n) / exp2(z);
}

double vat_heapify_least(double n, vat_machine m) {
    const double pages = n / (2 * m.page);
    return m.height + (m.cache < pages ? log2(m.page) * pages : 0);
}

double vat_heapsort_most(double n, vat_machine m) {
    const double steps = log_lower(4 * n / (m.page * m.cache));
    return vat_heapify_most(n, m) + n / log2(m.fanout) * log_upper(2 * n / m.page) * steps;
}

/* ---------------------------------------------- cache-oblivious algorithms */

double vat_cache_oblivious_most(vat_io *io, double n, vat_machine m) {
    const double blocks = floor(m.cache / m.height);
    double faults = 0, span = m.page;
    for (double level = 0; level <= m.height; level++, span *= m.fanout) faults += io(blocks * span, span, n);
    return faults;
}

double vat_io_scan(double cache, double block, double n) {
    (void)cache;
    return 2 + floor(n / block);
}

double vat_io_quicksort(double cache, double block, double n) {
    (void)cache;
    return (2 + n / block) * log_upper(n / block);
}

double vat_io_van_emde_boas(double cache, double block, double n) {
    (void)cache;
    return log_upper(n) / log_upper(block);
}

double vat_io_matrix_multiply(double cache, double block, double n) {
    return n * n * n / (sqrt(cache) * block);
}

double vat_io_multiply(double cache, double block, double n) {
    const double each = floor(cache / block / 3);
    if (each < 1) return 3 * n * sqrt(n);
    const double square = fmin(exp2(2 * floor(log2(each * block) / 2)), n);
    return 3 * pow(n / square, 1.5) * fmax(square / block, 1);
}

double vat_io_transpose(double cache, double block, double n) { return 2 * vat_io_scan(cache, block, n); }

double vat_van_emde_boas_most(double n, vat_machine m) {
    const double p = log_upper(m.page), k = log2(m.fanout);
    return log_upper(n) / p + log_upper(n) / k * log((p + m.height * k) / p);
}

double vat_matrix_multiply_most(double n, vat_machine m) {
    const double ratio = pow(m.fanout, 1.5);
    return n * n * n / (sqrt(floor(m.cache / m.height)) * pow(m.page, 1.5)) * ratio / (ratio - 1);
}

/* --------------------------------------------------- consecutive or random */

double vat_cat_most(double accesses, double per_page, vat_machine m) {
    return vat_scan_most_closed(accesses / per_page * m.page, m);
}

double vat_rat_most(double accesses, vat_machine m) { return accesses * m.height; }

double vat_rat_least(double accesses, double share, double part, vat_machine m) {
    return accesses * share * (log2(part / m.page) / log2(m.fanout) + 1);
}

double vat_permute_most(double n, vat_machine m) {
    return vat_cat_most(n, m.page, m) + vat_random_scan_most(n, m);
}

double vat_permute_least(double n, vat_machine m) {
    /* Rounding a part down to a node's K^j P cells costs less than the + 1 of the RAT's bound. */
    return n / 4 * log_lower(n / (4 * m.page * m.cache)) / log2(m.fanout);
}

double vat_transpose_rows_most(double n, vat_machine m) { return vat_rat_most(n, m) + vat_scan_most(n, m); }

double vat_transpose_rows_least(double n, vat_machine m) {
    const double side = sqrt(n);
    if (side < m.page || side <= m.cache) return vat_scan_least(2 * n, m);
    return n * (floor(log2(side / m.page) / log2(m.fanout)) + 1);
}

double vat_transpose_recursive_most(double n, vat_machine m) {
    return vat_cache_oblivious_most(vat_io_transpose, n, m);
}

double vat_multiply_rows_most(double n, vat_machine m) {
    const double side = sqrt(n);
    return vat_rat_most(n * side + n, m) + n * vat_scan_most(side, m);
}

double vat_multiply_rows_least(double n, vat_machine m) {
    const double side = sqrt(n);
    if (side < m.page || side <= m.cache) return vat_scan_least(3 * n, m);
    return n * side * (floor(log2(side / m.page) / log2(m.fanout)) + 1);
}

double vat_multiply_recursive_most(double n, vat_machine m) {
    return vat_cache_oblivious_most(vat_io_multiply, n, m);
}

/* ------------------------------------------------- RAM and external memory */

double em_random_scan_time(double n, size_t levels, const double *sizes, const double *times) {
    double time = 0, held = 0;
    size_t level = 0;
    for (; level < levels && sizes[level] < n; level++) {
        time += (sizes[level] - held) * times[level];
        held = sizes[level];
    }
    return time + (n - held) * times[level];
}

static double ram_linear(double n) { return n; }
static double ram_three_halves(double n) { return n * sqrt(n); }
static double ram_n_log_n(double n) { return n * log_upper(n); }

/* Each cell of the cache is filled once, a block at a time. */
static double em_fill(double n, double cache, double block) { return fmin(n, cache) / block; }

static double em_scan(double n, double cache, double block) {
    (void)cache;
    return n / block;
}

/* Section 2.1.1 for two levels: a read misses with probability (n - M)/n. */
static double em_random(double n, double cache, double block) {
    return em_fill(n, cache, block) + fmax(n - cache, 0);
}

/* A swap of the first j elements misses with probability (j - M)/j; the other end is a scan. */
static double em_permute(double n, double cache, double block) {
    const double beyond = n > cache ? n - cache - cache * log(n / cache) : 0;
    return em_scan(n, cache, block) + beyond;
}

/* The cache holds the top log(M/B) layers of the search tree, and the last log B lie in one block. */
static double em_search(double n, double cache, double block) {
    return em_fill(n, cache, block) + n * log_lower(n / cache);
}

static double em_van_emde_boas(double n, double cache, double block) {
    return em_fill(n, cache, block) + n * log_lower(n / cache) / log_upper(block);
}

/* The levels of a sift-down sweep the array one after the other, as in section 2.4 with B for P. */
static double em_heapify(double n, double cache, double block) {
    return n / block * (n > cache ? 1 + log_lower(block) : 1);
}

static double em_heapsort(double n, double cache, double block) {
    return em_heapify(n, cache, block) + n * log_lower(n / cache);
}

static double em_introsort(double n, double cache, double block) { return n / block * log_upper(n / cache); }

/* Section 2.6.2: n writes to lines that are gone before they are full, unless a column of them fits. */
static double em_transpose_rows(double n, double cache, double block) {
    return n / block + (sqrt(n) * block > cache ? n : n / block);
}

static double em_transpose_recursive(double n, double cache, double block) {
    return vat_io_transpose(cache, block, n);
}

/* A column of blocks that does not fit is fetched again for each column; rows of A stay. */
static double em_multiply_rows(double n, double cache, double block) {
    if (3 * n <= cache) return 3 * n / block;
    return n * sqrt(n) / (sqrt(n) * block > cache ? 1 : block) + 2 * n / block;
}

static double em_multiply_recursive(double n, double cache, double block) {
    return 3 * n / block + vat_io_matrix_multiply(cache, block, sqrt(n));
}

/* --------------------------------------------------------------- programs */

static double no_bound(double n, vat_machine m) {
    (void)n, (void)m;
    return 0;
}

static double van_emde_boas_searches(double n, vat_machine m) {
    return n * vat_cache_oblivious_most(vat_io_van_emde_boas, n, m);
}

static double io_searches(double cache, double block, double n) {
    return n * vat_io_van_emde_boas(cache, block, n);
}

static double quicksort(double n, vat_machine m) { return vat_cache_oblivious_most(vat_io_quicksort, n, m); }

/* Each of two matrices of n cells. */
static double scan_twice(double n, vat_machine m) { return vat_scan_least(2 * n, m); }
static double scan_thrice(double n, vat_machine m) { return vat_scan_least(3 * n, m); }

typedef struct program_costs {
    double (*ram)(double n);
    double (*em)(double n, double cache, double block);
    double (*vat_least)(double n, vat_machine machine);
    double (*vat_most)(double n, vat_machine machine);
    vat_io *io; /* C(M, B, n) with constants that `em` has not; NULL: `em` */
} program_costs;

static const program_costs costs_of[RIFFLE_VAT_PROGRAM_COUNT] = {
    /* Section 2.4, Sequential Access. */
    [RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN] = {ram_linear, em_scan, vat_scan_least, vat_scan_most, vat_io_scan},
    /* Section 2.4, Lemma 2.27. */
    [RIFFLE_VAT_PROGRAM_RANDOM_SCAN] = {ram_linear, em_random, vat_random_scan_least, vat_random_scan_most,
                                        NULL},
    /* Section 2.6.2, Lemmas 2.34 and 2.36. */
    [RIFFLE_VAT_PROGRAM_PERMUTE] = {ram_linear, em_permute, vat_permute_least, vat_permute_most, NULL},
    /* Section 2.4, Lemma 2.28. */
    [RIFFLE_VAT_PROGRAM_BINARY_SEARCH] = {ram_n_log_n, em_search, vat_binary_search_least,
                                          vat_binary_search_most, NULL},
    /* Section 2.5, an upper bound only. */
    [RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS] = {ram_n_log_n, em_van_emde_boas, no_bound, van_emde_boas_searches,
                                          io_searches},
    /* Section 2.4, Heapify. */
    [RIFFLE_VAT_PROGRAM_HEAPIFY] = {ram_linear, em_heapify, vat_heapify_least, vat_heapify_most, NULL},
    /* Section 2.4 for its heapify; the rest is not in the chapter (vat_heapsort_most). */
    [RIFFLE_VAT_PROGRAM_HEAPSORT] = {ram_n_log_n, em_heapsort, vat_heapify_least, vat_heapsort_most, NULL},
    /* Section 2.5; it must read every cell. */
    [RIFFLE_VAT_PROGRAM_INTROSORT] = {ram_n_log_n, em_introsort, vat_scan_least, quicksort, vat_io_quicksort},
    /* Section 2.6.2, Value of K. */
    [RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS] = {ram_linear, em_transpose_rows, vat_transpose_rows_least,
                                           vat_transpose_rows_most, NULL},
    /* Section 2.5; it must read and write every cell. */
    [RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE] = {ram_linear, em_transpose_recursive, scan_twice,
                                                vat_transpose_recursive_most, vat_io_transpose},
    /* Section 2.6.2, by the argument for the transpose. */
    [RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS] = {ram_three_halves, em_multiply_rows, vat_multiply_rows_least,
                                          vat_multiply_rows_most, NULL},
    /* Section 2.5; it must read two matrices and write the third. */
    [RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE] = {ram_three_halves, em_multiply_recursive, scan_thrice,
                                               vat_multiply_recursive_most, vat_io_multiply},
};

enum { ELEMENT_BYTES = 8 };

/* Matrices have sizes of their own. The bounds of searches in the van Emde Boas layout are for n, of which there are so many. */
static double size_of(riffle_vat_program program, uint64_t n) {
    return (double)(program == RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS ? n : program_size(program, n));
}

/* One element is in order: nothing is accessed. */
static bool is_idle(riffle_vat_program program, double size) {
    return size <= 1 && (program == RIFFLE_VAT_PROGRAM_HEAPIFY || program == RIFFLE_VAT_PROGRAM_HEAPSORT ||
                         program == RIFFLE_VAT_PROGRAM_INTROSORT);
}

static bool is_power_of_two(uint64_t x) { return x != 0 && (x & (x - 1)) == 0; }

static riffle_status check(const riffle_vat_options *o, double cells, double em_cache, double em_block) {
    const double bits = log2((double)o->fanout) * o->height + log2((double)o->page);
    if (!is_power_of_two(o->fanout) || o->fanout < 2 || !is_power_of_two(o->page) || bits > 64) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "vat: fanout %llu, page %llu, height %u; fanout and page must be powers of two with "
                    "fanout^height * page of 2^64 at most",
                    (unsigned long long)o->fanout, (unsigned long long)o->page, o->height);
    }
    if (o->page < ELEMENT_BYTES) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "vat: a page of %llu bytes holds no element of %d bytes",
                    (unsigned long long)o->page, ELEMENT_BYTES);
    }
    if (o->cache <= o->height) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "vat: a cache of %llu nodes holds no translation path; it needs more nodes than the height, %u",
            (unsigned long long)o->cache, o->height);
    }
    if (log2(fmax(cells, 1)) + log2(ELEMENT_BYTES) > bits) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "vat: the program's %.0f elements lie beyond fanout^height * page = 2^%.0f bytes", cells,
                    bits);
    }
    if (!(em_block >= (double)ELEMENT_BYTES && em_cache >= em_block && isfinite(em_cache))) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "vat: an EM cache of %g bytes in blocks of %g; blocks must hold an element of %d bytes, and the "
            "cache a block",
            em_cache, em_block, ELEMENT_BYTES);
    }
    return RIFFLE_OK;
}

/* The chapter's d is the height that the cells in use need (section 2.3). Nodes above, one a level, are
 * inserted once and stay. */
double vat_used_height(double bytes, const riffle_vat_options *o) {
    const double pages = ceil(bytes / (double)o->page);
    double height = 1, reach = (double)o->fanout;
    for (; reach < pages && height < o->height; height++) reach *= (double)o->fanout;
    return height;
}

static riffle_status check_program(riffle_vat_program program, uint64_t n, const riffle_vat_options *o,
                                   double em_cache, double em_block) {
    if ((unsigned)program >= RIFFLE_VAT_PROGRAM_COUNT) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "vat: there is no program %d", (int)program);
    }
    if (n > RIFFLE_MAX_LENGTH) {
        return fail(RIFFLE_ERROR_LENGTH, "vat: size %llu is above 2^%d", (unsigned long long)n,
                    RIFFLE_MAX_BITS);
    }
    return check(o, program_arrays(program) * size_of(program, n), em_cache, em_block);
}

riffle_status vat_program_cost(riffle_vat_program program, uint64_t n, const riffle_vat_options *options,
                               double em_cache, double em_block, riffle_vat_cost *out) {
    RETURN_IF_NULL(out);
    const riffle_vat_options o = vat_with_defaults(options);
    const riffle_status status = check_program(program, n, &o, em_cache, em_block);
    if (status != RIFFLE_OK) return status;
    const double size = size_of(program, n), cells = program_arrays(program) * size;
    riffle_vat_cost cost = {0};
    if (n > 0) {
        const program_costs *of = &costs_of[program];
        const double height = vat_used_height(cells * (double)ELEMENT_BYTES, &o), above = o.height - height,
                     path = o.height + 1;
        const vat_machine roomy = {(double)o.fanout, (double)(o.page / ELEMENT_BYTES), height, (double)o.cache};
        vat_machine tight = roomy;
        tight.cache -= above;
        cost.ram = of->ram(size);
        cost.em = of->em(size, em_cache / (double)ELEMENT_BYTES, em_block / (double)ELEMENT_BYTES);
        cost.vat_most = fmax(of->vat_most(size, tight) + above + 1, path);
        const double least = of->vat_least(size, roomy);
        if (of->vat_least != no_bound && !is_idle(program, size))
            cost.vat_least = fmin(fmax(least + above, path), cost.vat_most);
    }
    *out = cost;
    return RIFFLE_OK;
}

riffle_status vat_program_transfers(riffle_vat_program program, uint64_t n, const riffle_vat_options *options,
                                    double *transfers, size_t layers) {
    RETURN_IF_NULL(transfers);
    const riffle_vat_options o = vat_with_defaults(options);
    const riffle_status status = check_program(program, n, &o, ELEMENT_BYTES, ELEMENT_BYTES);
    if (status != RIFFLE_OK) return status;
    const program_costs *of = &costs_of[program];
    const double parts = floor((double)o.cache / o.height), size = size_of(program, n);
    double block = (double)(o.page / ELEMENT_BYTES);
    for (size_t layer = 0; layer < layers; layer++, block *= (double)o.fanout) {
        const double cells = parts * block;
        transfers[layer] = 0;
        if (n == 0 || layer > o.height) continue;
        transfers[layer] = of->io != NULL ? of->io(cells, block, size) : of->em(size, cells, block);
    }
    return RIFFLE_OK;
}

riffle_status vat_em_time(double n, size_t levels, const double *sizes, const double *times, double *out) {
    RETURN_IF_NULL(times, out);
    if (levels > 0) RETURN_IF_NULL(sizes);
    for (size_t level = 0; level < levels; level++) {
        if (!(sizes[level] > (level > 0 ? sizes[level - 1] : 0)))
            return fail(
                RIFFLE_ERROR_INVALID_ARGUMENT,
                "vat: level %zu of the hierarchy has %g elements; each must hold more than the one before",
                level, sizes[level]);
    }
    if (!(n >= 0 && isfinite(n)))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "vat: %g elements are no number from 0 on", n);
    *out = em_random_scan_time(n, levels, sizes, times);
    return RIFFLE_OK;
}
