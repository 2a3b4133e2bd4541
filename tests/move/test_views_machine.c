/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between views by the kernels that a GPU runs, on the memory machine: as the definition says, nothing read
 * outside of src or written outside of dst's elements, whatever the strides and wherever the arrays begin.
 */
#include "device_support.h"
#include "machine/count/report.h"
#include "move/gpu/box.h"
#include "move/gpu/direct.h"
#include "view_support.h"

enum { MARGIN = 512, KERNEL_NAMES = 5 };

static uint64_t seed;

/* A random pair of views in the machine's memory, at addresses that suit elements and no more, or perhaps 16. */
typedef struct view_run {
    view_pair v;
    machine *m;
    unsigned char *src, *dst, *whole_dst, *expected;
    size_t dst_bytes, whole_bytes;
} view_run;

static size_t random_shift(rng *r, size_t elem_bytes) {
    const size_t low = elem_bytes & (~elem_bytes + 1), unit = low < 16 ? low : 16;
    return rng_below(r, 2) == 0 ? 0 : (size_t)rng_below(r, 16) * unit % 256;
}

static view_run create_run(rng *r) {
    view_run run = {.v = random_view_pair(r, 1 << 12),
                    .m = machine_or_fail((riffle_machine_options){.width = 32})};
    const view_pair *const v = &run.v;
    const size_t src_bytes = (size_t)v->src_elements * v->elem_bytes;
    void *src, *dst;
    run.dst_bytes = (size_t)v->dst_elements * v->elem_bytes;
    run.whole_bytes = run.dst_bytes + 2 * MARGIN + 256;
    assert_int_equal(machine_buffer(run.m, "src", src_bytes + 2 * MARGIN + 256, &src), RIFFLE_OK);
    assert_int_equal(machine_buffer(run.m, "dst", run.whole_bytes, &dst), RIFFLE_OK);
    run.src = (unsigned char *)src + MARGIN + random_shift(r, v->elem_bytes);
    run.dst = (unsigned char *)dst + MARGIN + random_shift(r, v->elem_bytes);
    run.whole_dst = dst;
    run.expected = malloc(run.whole_bytes);
    assert_non_null(run.expected);
    fill_random(r, run.src, src_bytes);
    machine_written(run.m, run.src, src_bytes);
    memset(dst, POISON_VALUE, run.whole_bytes);
    memset(run.expected, POISON_VALUE, run.whole_bytes);
    copy_plainly(v, run.expected + (run.dst - run.whole_dst), run.src);
    return run;
}

static void free_run(view_run *run) {
    machine_free(run->m);
    free(run->expected);
}

static strided_move move_of(const view_pair *v, const void *dst, const void *src) {
    const uintptr_t bits = (uintptr_t)dst | (uintptr_t)src | STRIDED_LONGEST_UNIT;
    strided_move move = {.elem_bytes = v->elem_bytes, .rank = v->rank};
    for (unsigned k = 0; k < v->rank; k++)
        move.axis[k] = (strided_axis){v->shape[k], v->src_strides[k], v->dst_strides[k]};
    strided_normalize(&move);
    strided_choose_unit(&move, (size_t)(bits & (~bits + 1)));
    return move;
}

/* Directly where that is planned and `directly`, else by boxes. */
static launch *launch_of(const strided_move *move, bool directly, launch_list *out) {
    enum { THREADS = 256 };
    box_schedule boxes;
    direct_schedule direct;
    if (directly && direct_plan(move, THREADS, &direct)) return launch_direct(&direct, out);
    box_plan(move, &(box_device){(size_t)227 << 10, THREADS, 1}, &boxes);
    return launch_boxes(&boxes, out);
}

static const char *launch_run(const view_run *run, bool directly) {
    const view_pair *const v = &run->v;
    unsigned char *const dst = run->dst + (size_t)v->dst_at * v->elem_bytes;
    const unsigned char *const src = run->src + (size_t)v->src_at * v->elem_bytes;
    const strided_move move = move_of(v, dst, src);
    if (strided_elements(&move) == 0) return "nothing";
    launch_list list;
    launch_list_begin(&list);
    launch *const work = launch_of(&move, directly, &list);
    const char *const name = work->kernel->name;
    launch_between(work, dst, src);
    run_list_or_fail(run->m, &list);
    return name;
}

/* Every kernel has its share. */
static void count_kernel(const char *name, unsigned counts[KERNEL_NAMES]) {
    static const char *const names[KERNEL_NAMES] = {"strided_row", "strided_parts", "strided_packed",
                                                    "strided_words", "axes_box"};
    for (unsigned k = 0; k < KERNEL_NAMES; k++)
        if (strncmp(name, names[k], strlen(names[k])) == 0) counts[k]++;
}

static void random_views(void **state) {
    (void)state;
    rng r = {seed};
    unsigned counts[KERNEL_NAMES] = {0};
    const unsigned rounds = is_sanitized() || test_is_long() ? test_rounds(1000) : 1000; /* shares are judged */
    for (unsigned round = 0; round < rounds; round++) {
        view_run run = create_run(&r);
        const char *const kernel = launch_run(&run, rng_below(&r, 4) > 0);
        const riffle_report *report = machine_report(run.m);
        const bool is_right = memcmp(run.whole_dst, run.expected, run.whole_bytes) == 0;
        if (report->hazards > 0 || !is_right) {
            print_view_pair(&run.v, seed);
            fail_msg("%s: %s", kernel,
                     report->hazards > 0 ? report->hazard[0].text : "not as the definition says");
        }
        count_kernel(kernel, counts);
        free_run(&run);
    }
    /* A sanitizer's few rounds may leave a rare one out. */
    for (unsigned k = 0; k < KERNEL_NAMES; k++) assert_true(is_sanitized() || counts[k] > rounds / 100);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_views)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
