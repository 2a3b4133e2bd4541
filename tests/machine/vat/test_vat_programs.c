/* SPDX-License-Identifier: Apache-2.0
 *
 * The chapter's programs: what they compute, that a replay computes the same, and that what a replay reports
 * are the accesses that the program makes, by counts and faults worked out by hand.
 */
#include "support.h"

#include "machine/vat/programs/random.h"
#include "riffle/vat.h"

static uint64_t seed;

enum { ANY_N = 700 };

static const uint64_t SMALL[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 63, 64, 65, 255, 256, 257, 541};
enum { SMALLS = sizeof SMALL / sizeof SMALL[0] };

/* A prepared array between guards. */
typedef struct prepared {
    riffle_vat_program program;
    uint64_t n, elements, seed;
    guarded memory;
    uint64_t *array;
} prepared;

static prepared prepare(riffle_vat_program program, uint64_t n, uint64_t program_seed) {
    prepared p = {.program = program, .n = n, .seed = program_seed};
    p.elements = riffle_vat_program_elements(program, n);
    p.memory = guarded_create(p.elements * sizeof *p.array, 0);
    p.array = (uint64_t *)(void *)p.memory.data;
    assert_int_equal(riffle_vat_program_prepare(program, n, program_seed, p.array), RIFFLE_OK);
    return p;
}

static void release(prepared *p) {
    if (!guarded_intact(&p->memory)) {
        fail_msg("seed %llu: %s of %llu wrote outside", (unsigned long long)seed,
                 riffle_vat_program_string(p->program), (unsigned long long)p->n);
    }
    guarded_free(&p->memory);
}

/* Fails with the program and its length in the message. */
static void check(bool holds, const prepared *p, const char *what) {
    if (holds) return;
    fail_msg("seed %llu: %s of %llu: %s", (unsigned long long)seed, riffle_vat_program_string(p->program),
             (unsigned long long)p->n, what);
}

static uint64_t run(const prepared *p) {
    uint64_t checksum = 0;
    assert_int_equal(riffle_vat_program_run(p->program, p->n, p->seed, p->array, &checksum), RIFFLE_OK);
    return checksum;
}

static riffle_vat_counts replay(const prepared *p, const riffle_vat_options *options, uint64_t *checksum) {
    riffle_vat *vat;
    riffle_vat_counts counts;
    assert_int_equal(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, options, &vat), RIFFLE_OK);
    assert_int_equal(riffle_vat_program_replay(p->program, p->n, p->seed, p->array, vat, checksum), RIFFLE_OK);
    assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
    riffle_vat_free(vat);
    return counts;
}

static riffle_vat_counts counts_of(riffle_vat_program program, uint64_t n, const riffle_vat_options *options) {
    prepared p = prepare(program, n, seed);
    uint64_t checksum;
    const riffle_vat_counts counts = replay(&p, options, &checksum);
    release(&p);
    return counts;
}

static uint64_t *copy_of(const prepared *p) {
    uint64_t *copy = malloc((p->elements + 1) * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, p->array, p->elements * sizeof *copy);
    return copy;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t *sorted_copy_of(const prepared *p) {
    uint64_t *copy = copy_of(p);
    qsort(copy, p->elements, sizeof *copy, compare);
    return copy;
}

static bool same(const uint64_t *a, const uint64_t *b, uint64_t n) { return memcmp(a, b, n * sizeof *a) == 0; }

/* ------------------------------------------------------------ names, sizes */

static void names_are_parsed(void **state) {
    (void)state;
    riffle_vat_program program;
    for (unsigned k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; k++) {
        const char *name = riffle_vat_program_string((riffle_vat_program)k);
        assert_int_equal(riffle_vat_program_parse(name, &program), RIFFLE_OK);
        assert_int_equal(program, k);
    }
    assert_string_equal(riffle_vat_program_string(RIFFLE_VAT_PROGRAM_COUNT), "unknown");
    program = RIFFLE_VAT_PROGRAM_PERMUTE;
    assert_int_equal(riffle_vat_program_parse("bogosort", &program), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "unknown program 'bogosort'; there are sequential-scan"));
    assert_int_equal(program, RIFFLE_VAT_PROGRAM_PERMUTE);
}

static void sizes_are_as_documented(void **state) {
    (void)state;
    for (unsigned k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; k++) {
        assert_int_equal(riffle_vat_program_elements((riffle_vat_program)k, 0), 0);
        assert_int_equal(riffle_vat_program_elements((riffle_vat_program)k, RIFFLE_MAX_LENGTH + 1), 0);
    }
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_HEAPSORT, 1000), 1000);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, 1022), 511);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, 1023), 1023);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, 1023), 2 * 31 * 31);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, 1024), 2 * 32 * 32);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, RIFFLE_MAX_LENGTH),
                     2 * RIFFLE_MAX_LENGTH);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE, 1023), 2 * 16 * 16);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE, 1024), 2 * 32 * 32);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS, 1023), 3 * 31 * 31);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE, 1023), 3 * 16 * 16);
    assert_int_equal(riffle_vat_program_elements(RIFFLE_VAT_PROGRAM_COUNT, 5), 0);
}

static void what_does_not_exist_is_refused(void **state) {
    (void)state;
    uint64_t array[1] = {7}, checksum = 99;
    riffle_vat *vat;
    assert_int_equal(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, NULL, &vat), RIFFLE_OK);
    assert_int_equal(riffle_vat_program_prepare(RIFFLE_VAT_PROGRAM_COUNT, 1, 1, array),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "there is no program 12; they are numbered 0 to 11");
    assert_int_equal(riffle_vat_program_run(RIFFLE_VAT_PROGRAM_COUNT, 1, 1, array, &checksum),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_vat_program_replay(RIFFLE_VAT_PROGRAM_COUNT, 1, 1, array, vat, &checksum),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    const uint64_t n = RIFFLE_MAX_LENGTH + 1;
    assert_int_equal(riffle_vat_program_prepare(RIFFLE_VAT_PROGRAM_PERMUTE, n, 1, array), RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_vat_program_run(RIFFLE_VAT_PROGRAM_PERMUTE, n, 1, array, &checksum),
                     RIFFLE_ERROR_LENGTH);
    assert_int_equal(riffle_vat_program_replay(RIFFLE_VAT_PROGRAM_PERMUTE, n, 1, array, vat, &checksum),
                     RIFFLE_ERROR_LENGTH);
    assert_string_equal(riffle_error_detail(), "permute: size 1099511627777 is above 2^40");
    assert_int_equal(array[0], 7);
    assert_int_equal(checksum, 99);
    riffle_vat_free(vat);
}

/* --------------------------------------------------------- what they compute */

/* Calls `verify` on every program size of SMALL and some random ones. */
static void for_sizes(riffle_vat_program program, void (*verify)(prepared *p)) {
    rng r = {seed};
    for (unsigned k = 0; k < SMALLS + test_rounds(30); k++) {
        prepared p = prepare(program, k < SMALLS ? SMALL[k] : rng_below(&r, ANY_N), rng_next(&r));
        verify(&p);
        release(&p);
    }
}

static void verify_replay_is_the_run(prepared *p) {
    prepared again = prepare(p->program, p->n, p->seed);
    check(same(again.array, p->array, p->elements), p, "prepared twice, differently");
    uint64_t checksum = 1;
    replay(&again, NULL, &checksum);
    check(run(p) == checksum, p, "checksums differ");
    check(same(again.array, p->array, p->elements), p, "arrays differ");
    release(&again);
}

static void a_replay_computes_what_the_run_does(void **state) {
    (void)state;
    for (unsigned k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; k++) {
        for_sizes((riffle_vat_program)k, verify_replay_is_the_run);
    }
}

static void checksums_depend_on_the_seed(void **state) {
    (void)state;
    for (unsigned k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; k++) {
        prepared p = prepare((riffle_vat_program)k, 1000, seed),
                 q = prepare((riffle_vat_program)k, 1000, ~seed);
        check(run(&p) != run(&q), &p, "the same checksum for another seed");
        release(&p);
        release(&q);
    }
}

static void verify_sum(prepared *p) {
    uint64_t sum = 0, state = p->seed;
    for (uint64_t i = 0; i < p->n; i++) {
        sum += p->array[p->program == RIFFLE_VAT_PROGRAM_RANDOM_SCAN ? random_below(&state, p->n) : i];
    }
    check(run(p) == sum, p, "another sum");
}

static void scans_read_what_they_should(void **state) {
    (void)state;
    for_sizes(RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, verify_sum);
    for_sizes(RIFFLE_VAT_PROGRAM_RANDOM_SCAN, verify_sum);
}

static void random_numbers_stay_below(void **state) {
    (void)state;
    uint64_t stream = seed, seen[5] = {0};
    for (unsigned k = 0; k < 1000; k++) seen[random_below(&stream, 5)]++;
    for (unsigned k = 0; k < 5; k++) assert_in_range(seen[k], 100, 300);
    assert_int_equal(random_below(&stream, 1), 0);
    assert_int_equal(random_below(&stream, 0), 0);
}

static void verify_permuted(prepared *p) {
    run(p);
    uint64_t *sorted = sorted_copy_of(p);
    for (uint64_t i = 0; i < p->n; i++) check(sorted[i] == i, p, "no permutation");
    free(sorted);
}

static void permute_gives_every_permutation(void **state) {
    (void)state;
    for_sizes(RIFFLE_VAT_PROGRAM_PERMUTE, verify_permuted);
    enum { ROUNDS = 6000, EACH = ROUNDS / 6 };
    unsigned seen[27] = {0};
    for (uint64_t k = 0; k < ROUNDS; k++) {
        prepared p = prepare(RIFFLE_VAT_PROGRAM_PERMUTE, 3, k);
        run(&p);
        seen[9 * p.array[0] + 3 * p.array[1] + p.array[2]]++;
        release(&p);
    }
    static const unsigned permutations[] = {5, 7, 11, 15, 19, 21}; /* 012, 021, 102, ... in base 3 */
    for (unsigned k = 0; k < 6; k++) assert_in_range(seen[permutations[k]], EACH * 12 / 13, EACH * 13 / 12);
}

static void verify_searches(prepared *p) {
    uint64_t *sorted = sorted_copy_of(p), sum = 0, state = p->seed;
    for (uint64_t k = 0; k < p->n; k++) {
        const uint64_t key = random_key(&state, p->elements);
        uint64_t below = 0;
        while (below < p->elements && sorted[below] < key) below++;
        sum += below * (2 * k + 1);
    }
    for (uint64_t i = 1; i < p->elements; i++) check(sorted[i - 1] < sorted[i], p, "a key twice");
    check(run(p) == sum, p, "found something else than a plain search");
    free(sorted);
}

static void searches_find_what_a_plain_search_finds(void **state) {
    (void)state;
    for_sizes(RIFFLE_VAT_PROGRAM_BINARY_SEARCH, verify_searches);
    for_sizes(RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, verify_searches);
}

static void the_van_emde_boas_layout_is_the_papers(void **state) {
    (void)state;
    /* Four levels: two of the top tree, then four bottom trees of two levels. Five: two above three, which are
     * one above two. */
    static const uint64_t four[] = {8, 4, 12, 2, 1, 3, 6, 5, 7, 10, 9, 11, 14, 13, 15};
    static const uint64_t five[] = {16, 8,  24, 4,  2,  1,  3,  6,  5,  7,  12, 10, 9,  11, 14, 13,
                                    15, 20, 18, 17, 19, 22, 21, 23, 28, 26, 25, 27, 30, 29, 31};
    prepared p = prepare(RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, 15, seed),
             q = prepare(RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, 31, seed);
    for (uint64_t i = 0; i < 15; i++) assert_int_equal(p.array[i], key_of_rank(four[i] - 1));
    for (uint64_t i = 0; i < 31; i++) assert_int_equal(q.array[i], key_of_rank(five[i] - 1));
    release(&p);
    release(&q);
}

static void verify_heap(prepared *p) {
    uint64_t *before = sorted_copy_of(p);
    run(p);
    for (uint64_t i = 1; i < p->n; i++) check(p->array[(i - 1) / 2] >= p->array[i], p, "no heap");
    uint64_t *after = sorted_copy_of(p);
    check(same(before, after, p->n), p, "other elements than before");
    free(before);
    free(after);
}

static void heapify_makes_heaps(void **state) {
    (void)state;
    for_sizes(RIFFLE_VAT_PROGRAM_HEAPIFY, verify_heap);
}

static void verify_sorted(prepared *p) {
    uint64_t *sorted = sorted_copy_of(p);
    run(p);
    check(same(sorted, p->array, p->n), p, "not sorted");
    free(sorted);
}

static void verify_sorted_with_duplicates(prepared *p) {
    for (uint64_t i = 0; i < p->n; i++) p->array[i] %= 3;
    verify_sorted(p);
}

static void verify_sorted_again(prepared *p) {
    verify_sorted(p); /* sorted */
    verify_sorted(p);
    for (uint64_t i = 0; i < p->n / 2; i++) { /* reversed */
        const uint64_t held = p->array[i];
        p->array[i] = p->array[p->n - 1 - i];
        p->array[p->n - 1 - i] = held;
    }
    verify_sorted(p);
}

static void sorts_sort(void **state) {
    (void)state;
    static const riffle_vat_program sorts[] = {RIFFLE_VAT_PROGRAM_HEAPSORT, RIFFLE_VAT_PROGRAM_INTROSORT};
    for (unsigned k = 0; k < 2; k++) {
        for_sizes(sorts[k], verify_sorted);
        for_sizes(sorts[k], verify_sorted_with_duplicates);
        for_sizes(sorts[k], verify_sorted_again);
    }
}

/* The place of an element in the recursive layout. */
static uint64_t morton(uint64_t row, uint64_t column) {
    uint64_t place = 0;
    for (unsigned k = 0; k < 16; k++) place |= (row >> k & 1) << (2 * k + 1) | (column >> k & 1) << 2 * k;
    return place;
}

static void verify_product(prepared *p) {
    const bool recursive = p->program == RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE;
    const uint64_t n = p->elements / 3;
    uint64_t side = 0, *before = copy_of(p);
    while ((side + 1) * (side + 1) <= n) side++;
    run(p);
    check(same(before, p->array, 2 * n), p, "the factors have changed");
    for (uint64_t row = 0; row < side; row++) {
        for (uint64_t column = 0; column < side; column++) {
            uint64_t product = 0;
            for (uint64_t k = 0; k < side; k++)
                product += before[recursive ? morton(row, k) : row * side + k] *
                           before[n + (recursive ? morton(k, column) : k * side + column)];
            check(p->array[2 * n + (recursive ? morton(row, column) : row * side + column)] == product, p,
                  "another product");
        }
    }
    free(before);
}

static void products_are_products(void **state) {
    (void)state;
    for_sizes(RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS, verify_product);
    for_sizes(RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE, verify_product);
    const uint64_t rows = counts_of(RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS, 256, NULL).accesses;
    const uint64_t recursive = counts_of(RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE, 256, NULL).accesses;
    assert_true(rows == 2 * 4096 + 256 && recursive == 4 * 4096);
}

/* An array of which every split around the median of three takes off two elements: undoes such splits, from the
 * last one back (after Musser). */
static void fill_killer(uint64_t *array, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) array[i] = i;
    for (uint64_t base = n - 4; base < n; base -= 2) {
        const uint64_t middle = base + (n - base) / 2;
        array[base + 1] = array[middle];
        array[middle] = base + 1;
    }
}

static void introsort_is_never_quadratic(void **state) {
    (void)state;
    const uint64_t n = 1 << 13, levels = 13;
    prepared p = prepare(RIFFLE_VAT_PROGRAM_INTROSORT, n, seed);
    fill_killer(p.array, n);
    uint64_t *sorted = sorted_copy_of(&p), checksum;
    const riffle_vat_counts counts = replay(&p, NULL, &checksum);
    check(same(sorted, p.array, n), &p, "the killer is not sorted");
    /* Heapsort after 2 * levels splits: three accesses a level and element, and no more for all the rest. By
     * splits alone there would be n^2 / 4. */
    assert_in_range(counts.accesses, n * levels, 6 * n * levels);
    free(sorted);
    release(&p);
}

/* Where an element lies in the recursive layout, by its definition. */
static uint64_t recursive_place(uint64_t side, uint64_t row, uint64_t column) {
    if (side <= 1) return 0;
    const uint64_t half = side / 2, quadrant = 2 * (row / half) + column / half;
    return quadrant * half * half + recursive_place(half, row % half, column % half);
}

static void verify_transposed(prepared *p) {
    uint64_t *before = copy_of(p);
    const uint64_t size = p->elements / 2;
    uint64_t side = 0;
    while (side * side < size) side++;
    const bool recursive = p->program == RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE;
    run(p);
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t row = i / side, column = i % side;
        const uint64_t from = recursive ? recursive_place(side, row, column) : row * side + column;
        const uint64_t to = recursive ? recursive_place(side, column, row) : column * side + row;
        check(p->array[size + to] == before[from], p, "not the transpose");
    }
    check(same(before, p->array, size), p, "the input was changed");
    free(before);
}

static void transposes_transpose(void **state) {
    (void)state;
    for_sizes(RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, verify_transposed);
    for_sizes(RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE, verify_transposed);
}

/* --------------------------------------------------------- what they report */

static void accesses_are_as_counted_by_hand(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 5000; n = 3 * n + 1) {
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, n, NULL).accesses, n);
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_RANDOM_SCAN, n, NULL).accesses, n);
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_PERMUTE, n, NULL).accesses, 4 * n);
    }
    for (uint64_t h = 0; h < 12; h++) {
        const uint64_t n = ((uint64_t)1 << h) - 1, inner = n / 2;
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_BINARY_SEARCH, n, NULL).accesses, n * h);
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS, n, NULL).accesses, n * h);
        assert_true(counts_of(RIFFLE_VAT_PROGRAM_HEAPIFY, n, NULL).accesses >= 4 * inner);
    }
    for (uint64_t side = 0; side < 40; side++) {
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, side * side, NULL).accesses,
                         2 * side * side);
    }
    for (uint64_t n = 1; n < 5000; n *= 4) {
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE, n, NULL).accesses, 2 * n);
    }
}

/* The depth at which the search for a key with `rank` smaller ones ends in the tree of n sorted keys. */
static uint64_t search_depth(uint64_t n, uint64_t rank) {
    if (n == 0) return 0;
    const uint64_t root = n / 2;
    return 1 + (rank > root ? search_depth(n - root - 1, rank - root - 1) : search_depth(root, rank));
}

static void a_binary_search_reads_its_path(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 300; n++) {
        uint64_t stream = seed, accesses = 0;
        for (uint64_t k = 0; k < n; k++) accesses += search_depth(n, random_key(&stream, n) / 2);
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_BINARY_SEARCH, n, NULL).accesses, accesses);
    }
}

/* A scan translates each node of its tree once (section 2.4, sequential access). */
static void a_scan_faults_once_a_node(void **state) {
    (void)state;
    const riffle_vat_options options = {.fanout = 4, .page = 32, .height = 6, .cache = 7};
    for (uint64_t n = 1; n < 10000; n = 3 * n + 2) {
        uint64_t nodes = 0;
        for (uint64_t level = 0, covers = 32; level <= 6; level++, covers *= 4) {
            nodes += (8 * n + covers - 1) / covers;
        }
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, n, &options).faults, nodes);
    }
}

/* With room for the root and one page of one element, each change of place is a fault. */
static void a_random_scan_faults_where_its_place_changes(void **state) {
    (void)state;
    const riffle_vat_options options = {.fanout = 8192, .page = 8, .height = 1, .cache = 2};
    for (uint64_t n = 1; n < 8192; n = 3 * n + 2) {
        uint64_t stream = seed, last = n, faults = 1;
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t place = random_below(&stream, n);
            faults += place != last;
            last = place;
        }
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_RANDOM_SCAN, n, &options).faults, faults);
    }
}

/* A row a page, and room for the root, the page read and the page written: every write faults, and every first
 * read of a row. In the recursive layout a page is a square, and each is brought in once. */
static void a_transpose_faults_at_every_write_or_once_a_page(void **state) {
    (void)state;
    for (uint64_t side = 2; side <= 64; side *= 2) {
        const riffle_vat_options rows = {.fanout = 2 * side, .page = 8 * side, .height = 1, .cache = 3};
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS, side * side, &rows).faults,
                         1 + side + side * side);
        const uint64_t square = 16, pages = 2 * side * side / square;
        if (pages < 2) continue;
        const riffle_vat_options squares = {.fanout = pages, .page = 8 * square, .height = 1, .cache = 3};
        assert_int_equal(counts_of(RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE, side * side, &squares).faults,
                         1 + pages);
    }
}

/* With room for all, each page of the array is brought in once, whatever the program. */
static void with_room_for_all_each_node_faults_once(void **state) {
    (void)state;
    const riffle_vat_options options = {.fanout = 64, .page = 256, .height = 1, .cache = 65};
    static const riffle_vat_program all[] = {RIFFLE_VAT_PROGRAM_PERMUTE, RIFFLE_VAT_PROGRAM_HEAPSORT,
                                             RIFFLE_VAT_PROGRAM_INTROSORT};
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t faults = counts_of(all[k], 1500, &options).faults;
        assert_int_equal(faults, 1 + (1500 * 8 + 255) / 256);
    }
}

static void a_replay_that_leaves_the_tree_says_so(void **state) {
    (void)state;
    const riffle_vat_options options = {.fanout = 2, .page = 4096, .height = 1, .cache = 8};
    riffle_vat *vat;
    assert_int_equal(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, &options, &vat), RIFFLE_OK);
    prepared p = prepare(RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN, 100000, seed);
    uint64_t checksum = 99;
    riffle_vat_counts counts;
    assert_int_equal(riffle_vat_program_replay(p.program, p.n, p.seed, p.array, vat, &checksum),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "address 0x2000")); /* the first address beyond */
    assert_int_equal(checksum, 99);
    assert_int_equal(riffle_vat_count(vat, &counts), RIFFLE_OK);
    assert_int_equal(counts.accesses, 1024);
    riffle_vat_free(vat);
    release(&p);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_parsed),
        cmocka_unit_test(sizes_are_as_documented),
        cmocka_unit_test(what_does_not_exist_is_refused),
        cmocka_unit_test(a_replay_computes_what_the_run_does),
        cmocka_unit_test(checksums_depend_on_the_seed),
        cmocka_unit_test(scans_read_what_they_should),
        cmocka_unit_test(random_numbers_stay_below),
        cmocka_unit_test(permute_gives_every_permutation),
        cmocka_unit_test(searches_find_what_a_plain_search_finds),
        cmocka_unit_test(the_van_emde_boas_layout_is_the_papers),
        cmocka_unit_test(heapify_makes_heaps),
        cmocka_unit_test(sorts_sort),
        cmocka_unit_test(products_are_products),
        cmocka_unit_test(introsort_is_never_quadratic),
        cmocka_unit_test(transposes_transpose),
        cmocka_unit_test(accesses_are_as_counted_by_hand),
        cmocka_unit_test(a_binary_search_reads_its_path),
        cmocka_unit_test(a_scan_faults_once_a_node),
        cmocka_unit_test(a_random_scan_faults_where_its_place_changes),
        cmocka_unit_test(a_transpose_faults_at_every_write_or_once_a_page),
        cmocka_unit_test(with_room_for_all_each_node_faults_once),
        cmocka_unit_test(a_replay_that_leaves_the_tree_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
