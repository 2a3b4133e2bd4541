/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of moves on the memory machine: every one moves what it should and makes the rounds that
 * its paper counts, on machines of several widths, with no hazard.
 */
#include "device_support.h"
#include "move/kernels/kernel.h"
#include "move/kernels/once/kernel.h"
#include "program/kernels/kernel.h"

static uint64_t seed;

/* Two arrays of the machine, a random one and one of the same size; the second for the kernel to write. */
typedef struct arrays {
    machine *m;
    unsigned char *from, *to;
    size_t bytes;
} arrays;

static arrays create_arrays(rng *r, unsigned width, size_t bytes) {
    arrays a = {.m = machine_or_fail((riffle_machine_options){.width = width, .latency = 7}), .bytes = bytes};
    void *from, *to;
    assert_int_equal(machine_buffer(a.m, "from", bytes, &from), RIFFLE_OK);
    assert_int_equal(machine_buffer(a.m, "to", bytes, &to), RIFFLE_OK);
    a.from = from;
    a.to = to;
    fill_random(r, from, bytes);
    machine_written(a.m, from, bytes);
    memset(to, POISON_VALUE, bytes);
    return a;
}

static void *upload(machine *m, const char *name, const void *data, size_t bytes) {
    void *copy;
    assert_int_equal(machine_buffer(m, name, bytes, &copy), RIFFLE_OK);
    memcpy(copy, data, bytes);
    machine_written(m, copy, bytes);
    return copy;
}

/* A launch in a list of its own. */
typedef struct kernel_case {
    launch_list list;
    unsigned grid, block_x, block_y;
    size_t shared_bytes;
} kernel_case;

static launch_list *begin(kernel_case *c) {
    launch_list_begin(&c->list);
    return &c->list;
}

static void run_case(const arrays *a, kernel_case *c) {
    launch *const work = c->list.last;
    work->grid = c->grid;
    work->block_x = c->block_x;
    work->block_y = c->block_y > 0 ? c->block_y : 1;
    work->shared_bytes = c->shared_bytes;
    launch_between(work, a->to, a->from);
    run_list_or_fail(a->m, &c->list);
    const riffle_report *report = machine_report(a->m);
    if (report->hazards > 0) fail_msg("seed %llu: %s", (unsigned long long)seed, report->hazard[0].text);
    for (size_t k = 0; k < report->lines; k++) {
        assert_non_null(strstr(report->line[k].file, ".cu"));
        assert_true(report->line[k].line > 0);
    }
}

static void assert_rounds(const machine *m, report_space space, report_op op, uint64_t rounds,
                          uint64_t casual) {
    const report_line sum = sum_of(machine_report(m), space, op);
    if (sum.rounds != rounds || sum.casual_rounds != casual)
        fail_msg("seed %llu: %s %s: %llu rounds, %llu casual", (unsigned long long)seed,
                 report_space_names[space], report_op_names[op], (unsigned long long)sum.rounds,
                 (unsigned long long)sum.casual_rounds);
}

static void assert_element(const arrays *a, size_t elem_bytes, uint64_t to, uint64_t from) {
    if (memcmp(a->to + to * elem_bytes, a->from + from * elem_bytes, elem_bytes) != 0)
        fail_msg("seed %llu: element %llu did not arrive at %llu", (unsigned long long)seed,
                 (unsigned long long)from, (unsigned long long)to);
}

static const struct {
    unsigned width;
    size_t elem_bytes;
} variants[] = {{32, 4}, {32, 8}, {4, 4}, {16, 8}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void copy_is_coalesced(void **state) {
    (void)state;
    rng r = {seed};
    const uint64_t lengths[] = {1, 31, 64, 1000};
    for (size_t k = 0; k < 4 * VARIANTS; k++) {
        const uint64_t n = lengths[k / VARIANTS];
        const size_t elem_bytes = variants[k % VARIANTS].elem_bytes;
        arrays a = create_arrays(&r, variants[k % VARIANTS].width, n * elem_bytes);
        kernel_case c = {.grid = (unsigned)(n + 63) / 64, .block_x = 64};
        append_copy(begin(&c), &KERNEL_copy, elem_bytes, &(struct copy_arguments){.n = n});
        run_case(&a, &c);
        for (uint64_t i = 0; i < n; i++) assert_element(&a, elem_bytes, i, i);
        assert_rounds(a.m, SPACE_GLOBAL, OP_READ, 1, 0);
        assert_rounds(a.m, SPACE_GLOBAL, OP_WRITE, 1, 0);
        const uint64_t width = variants[k % VARIANTS].width, warps = (n + width - 1) / width;
        assert_int_equal(riffle_report_time_units(machine_report(a.m)), 2 * (warps + 7 - 1));
        machine_free(a.m);
    }
}

/* True if a warp's descending side lies in two address groups. */
static bool straddles(uint64_t n, uint64_t width) {
    for (uint64_t first = 0; first < n / 2; first += width) {
        const uint64_t last = (first + width < n / 2 ? first + width : n / 2) - 1;
        if ((n - 1 - first) / width != (n - 1 - last) / width) return true;
    }
    return false;
}

/* But for warps whose descending side lies in two groups. */
static void exchanges_of_ends_are_coalesced(void **state) {
    (void)state;
    rng r = {seed};
    const uint64_t lengths[] = {1, 2, 31, 64, 1000};
    const size_t sizes[] = {1, 2, 4, 8, 16};
    for (size_t k = 0; k < 5 * 5 * VARIANTS; k++) {
        const uint64_t n = lengths[k % 5], width = variants[k / 25].width, warps = (n / 2 + width - 1) / width;
        const size_t elem_bytes = sizes[k / 5 % 5];
        arrays a = create_arrays(&r, (unsigned)width, n * elem_bytes);
        unsigned char *const before = malloc(a.bytes);
        assert_non_null(before);
        memcpy(before, a.from, a.bytes);
        a.to = a.from;
        kernel_case c = {.grid = (unsigned)n / 128 + 1, .block_x = 64};
        append_reverse_ends(begin(&c), &KERNEL_reverse_ends, elem_bytes,
                            &(struct reverse_ends_arguments){n, n});
        run_case(&a, &c);
        a.from = before;
        for (uint64_t i = 0; i < n; i++) assert_element(&a, elem_bytes, n - 1 - i, i);
        assert_false(n % width == 0 && straddles(n, width));
        assert_rounds(a.m, SPACE_GLOBAL, OP_READ, n > 1 ? 2 : 0, straddles(n, width));
        assert_rounds(a.m, SPACE_GLOBAL, OP_WRITE, n > 1 ? 2 : 0, straddles(n, width));
        if (n > 1 && !straddles(n, width))
            assert_int_equal(riffle_report_time_units(machine_report(a.m)), 4 * (warps + 7 - 1));
        free(before);
        machine_free(a.m);
    }
}

static void two_runs_are_reversed_each_by_itself(void **state) {
    (void)state;
    rng r = {seed};
    for (uint64_t first = 0; first <= 101; first++) {
        arrays a = create_arrays(&r, 32, 101 * sizeof(uint32_t));
        uint32_t before[101];
        memcpy(before, a.from, a.bytes);
        a.to = a.from;
        kernel_case c = {.grid = 2, .block_x = 32};
        append_reverse_ends(begin(&c), &KERNEL_reverse_ends, sizeof(uint32_t),
                            &(struct reverse_ends_arguments){101, first});
        run_case(&a, &c);
        a.from = (unsigned char *)before;
        for (uint64_t i = 0; i < 101; i++)
            assert_element(&a, sizeof(uint32_t), (i < first ? first : 101 + first) - 1 - i, i);
        machine_free(a.m);
    }
}

static uint32_t *shuffled(rng *r, uint32_t n) {
    uint32_t *table = malloc(n * sizeof *table);
    assert_non_null(table);
    for (uint32_t i = 0; i < n; i++) table[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = (uint32_t)rng_below(r, i), held = table[i - 1];
        table[i - 1] = table[j];
        table[j] = held;
    }
    return table;
}

static void scatter_and_gather_are_casual_on_one_side(void **state) {
    (void)state;
    rng r = {seed};
    const uint32_t n = 1000;
    for (size_t k = 0; k < 4 * VARIANTS; k++) {
        const bool scatter = k / VARIANTS % 2 == 0;
        const unsigned moves = k / VARIANTS < 2 ? 1 : 3; /* moves of a thread */
        const size_t elem_bytes = variants[k % VARIANTS].elem_bytes;
        uint32_t *table = shuffled(&r, n);
        arrays a = create_arrays(&r, variants[k % VARIANTS].width, n * elem_bytes);
        const void *uploaded = upload(a.m, "map", table, n * sizeof *table);
        kernel_case c = {.grid = (n + 128 * moves - 1) / (128 * moves), .block_x = 128};
        append_map(begin(&c), scatter ? &KERNEL_scatter : &KERNEL_gather, elem_bytes,
                   &(struct map_arguments){uploaded, n, moves});
        run_case(&a, &c);
        for (uint32_t i = 0; i < n; i++) {
            assert_element(&a, elem_bytes, scatter ? table[i] : i, scatter ? i : table[i]);
        }
        assert_rounds(a.m, SPACE_GLOBAL, OP_READ, 2 * moves, moves * !scatter);
        assert_rounds(a.m, SPACE_GLOBAL, OP_WRITE, moves, moves * scatter);
        machine_free(a.m);
        free(table);
    }
}

static void transpose_is_coalesced_and_conflict_free(void **state) {
    (void)state;
    rng r = {seed};
    for (size_t k = 0; k < VARIANTS; k++) {
        const unsigned w = variants[k].width;
        const size_t elem_bytes = variants[k].elem_bytes;
        const uint64_t rows = 3 * w, cols = 2 * w;
        arrays a = create_arrays(&r, w, rows * cols * elem_bytes);
        kernel_case c = {.grid = 6, .block_x = w, .block_y = w, .shared_bytes = w * w * elem_bytes};
        append_transpose(begin(&c), &KERNEL_transpose, elem_bytes, &(struct transpose_arguments){rows, cols});
        run_case(&a, &c);
        for (uint64_t i = 0; i < rows * cols; i++)
            assert_element(&a, elem_bytes, i % cols * rows + i / cols, i);
        assert_rounds(a.m, SPACE_GLOBAL, OP_READ, 1, 0);
        assert_rounds(a.m, SPACE_GLOBAL, OP_WRITE, 1, 0);
        assert_rounds(a.m, SPACE_SHARED, OP_READ, 1, 0);
        assert_rounds(a.m, SPACE_SHARED, OP_WRITE, 1, 0);
        /* Table I: 2 n/w + 2 (l - 1) on global memory, 2 n/w on shared memory. */
        assert_int_equal(riffle_report_time_units(machine_report(a.m)), 4 * (rows * cols / w) + 2 * (7 - 1));
        machine_free(a.m);
    }
}

/* Moves every row of a matrix by (s, d), which are the identity with each side rotated by a number for each
   row: free of conflicts whatever the rotations. */
static void check_row_wise(rng *r, unsigned width, size_t elem_bytes, unsigned threads) {
    const uint32_t rows = 3, cols = 4 * width, n = rows * cols;
    uint16_t *s = malloc(n * sizeof *s), *d = malloc(n * sizeof *d);
    assert_non_null(s);
    assert_non_null(d);
    for (uint32_t row = 0; row < rows; row++) {
        const uint64_t turn_s = rng_below(r, cols), turn_d = rng_below(r, cols);
        for (uint32_t k = 0; k < cols; k++) {
            s[row * cols + k] = (uint16_t)((k + turn_s) % cols);
            d[row * cols + k] = (uint16_t)((k + turn_d) % cols);
        }
    }
    arrays a = create_arrays(r, width, n * elem_bytes);
    kernel_case c = {.grid = rows, .block_x = threads, .shared_bytes = 2 * cols * elem_bytes};
    append_row_wise(begin(&c), &KERNEL_row_wise, elem_bytes,
                    &(struct row_wise_arguments){upload(a.m, "s", s, n * sizeof *s),
                                                 upload(a.m, "d", d, n * sizeof *d), cols, n, n});
    run_case(&a, &c);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = i / cols * cols;
        assert_element(&a, elem_bytes, row + d[i], row + s[i]);
    }
    const uint64_t turns = cols / threads;
    assert_rounds(a.m, SPACE_GLOBAL, OP_READ, 3 * turns, 0);
    assert_rounds(a.m, SPACE_GLOBAL, OP_WRITE, turns, 0);
    assert_rounds(a.m, SPACE_SHARED, OP_READ, 2 * turns, 0);
    assert_rounds(a.m, SPACE_SHARED, OP_WRITE, 2 * turns, 0);
    machine_free(a.m);
    free(s);
    free(d);
}

static void row_wise_is_coalesced_and_conflict_free(void **state) {
    (void)state;
    rng r = {seed};
    for (size_t k = 0; k < VARIANTS; k++) {
        for (unsigned turns = 1; turns <= 4; turns *= 2)
            check_row_wise(&r, variants[k].width, variants[k].elem_bytes, 4 * variants[k].width / turns);
    }
}

/* The order that no schedule has made: reads in order, writes down the columns of a 32 x 32 matrix, one bank a
 * warp. */
static void an_unscheduled_order_conflicts(void **state) {
    (void)state;
    enum { WIDTH = 32, COLS = WIDTH * WIDTH };
    rng r = {seed};
    uint16_t s[COLS], d[COLS];
    for (unsigned k = 0; k < COLS; k++) {
        s[k] = (uint16_t)k;
        d[k] = (uint16_t)(k % WIDTH * WIDTH + k / WIDTH);
    }
    arrays a = create_arrays(&r, WIDTH, COLS * sizeof(uint32_t));
    kernel_case c = {.grid = 1, .block_x = COLS, .shared_bytes = 2 * COLS * sizeof(uint32_t)};
    append_row_wise(begin(&c), &KERNEL_row_wise, 4,
                    &(struct row_wise_arguments){upload(a.m, "s", s, sizeof s), upload(a.m, "d", d, sizeof d),
                                                 COLS, COLS, COLS});
    run_case(&a, &c);
    assert_rounds(a.m, SPACE_SHARED, OP_READ, 2, 0);
    assert_rounds(a.m, SPACE_SHARED, OP_WRITE, 2, 1);
    /* Table I's 8 n/w + 4 L - 4, and 31 stages more in each warp of that round. */
    assert_int_equal(riffle_report_time_units(machine_report(a.m)), 8 * WIDTH + 4 * (7 - 1) + 31 * WIDTH);
    machine_free(a.m);
}

static bool has_kernel(const kernel_record *kernel, size_t elem_bytes) {
    switch (kernel->family) {
    case FAMILY_once: return machine_once_kernel(kernel->number, elem_bytes) != NULL;
    case FAMILY_program: return machine_program_kernel(kernel->number, elem_bytes) != NULL;
    default: return machine_move_kernel(kernel->number, elem_bytes) != NULL;
    }
}

static const kernel_record *const all_kernels[] = {
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) &KERNEL_##id.record,
#include "move/kernels/list.h"
};

static void other_element_sizes_have_no_kernels(void **state) {
    (void)state;
    assert_false(has_kernel(&KERNEL_scatter.record, 2));
    assert_false(has_kernel(&KERNEL_scatter.record, 16));
    assert_true(has_kernel(&KERNEL_fused_f16.record, 2));
    assert_false(has_kernel(&KERNEL_fused_f16.record, 4));
    for (unsigned k = 0; k < sizeof all_kernels / sizeof *all_kernels; k++) {
        const kernel_record *const kernel = all_kernels[k];
        assert_int_equal(kernel->number, k);
        const bool of_vectors = strcmp(kernel->name, "affine_exchange") == 0;
        const bool is_packed = kernel == &KERNEL_axes_words.record || kernel == &KERNEL_strided_packed.record ||
                               kernel == &KERNEL_strided_words.record; /* several elements a word */
        for (size_t elem_bytes = 4; elem_bytes <= 8; elem_bytes += 4)
            assert_int_equal(!has_kernel(kernel, elem_bytes), of_vectors || is_packed);
        if (of_vectors) assert_true(has_kernel(kernel, 16));
        if (is_packed) assert_true(has_kernel(kernel, 1));
    }
    /* Kernels of numbers, whatever the array's elements. */
    assert_true(has_kernel(&KERNEL_once_requests_32.record, 2));
    assert_false(has_kernel(&KERNEL_once_requests_32.record, 4));
    assert_true(has_kernel(&KERNEL_once_tile_sums.record, 4));
    assert_false(has_kernel(&KERNEL_once_tile_sums.record, 8));
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy_is_coalesced),
        cmocka_unit_test(exchanges_of_ends_are_coalesced),
        cmocka_unit_test(two_runs_are_reversed_each_by_itself),
        cmocka_unit_test(scatter_and_gather_are_casual_on_one_side),
        cmocka_unit_test(transpose_is_coalesced_and_conflict_free),
        cmocka_unit_test(row_wise_is_coalesced_and_conflict_free),
        cmocka_unit_test(an_unscheduled_order_conflicts),
        cmocka_unit_test(other_element_sizes_have_no_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
