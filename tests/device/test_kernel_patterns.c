/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel of every family has a pattern, by which its launches are predicted; those that have none are named here with the reason. A new kernel is in its
 * family's list, and fails until it has one.
 */
#include "bits/gpu/predict.h"
#include "bits/kernels/kernel.h"
#include "check/kernels/kernel.h"
#include "check/predict.h"
#include "f2/gpu/launches.h"
#include "f2/kernels/kernel.h"
#include "group/kernels/kernel.h"
#include "group/predict/patterns.h"
#include "group/predict/ungroup.h"
#include "histogram/kernels/kernel.h"
#include "histogram/predict.h"
#include "hull/gpu/steps/steps_kernel.h"
#include "hull/kernels/kernel.h"
#include "hull/predict/patterns.h"
#include "move/kernels/kernel.h"
#include "move/kernels/once/kernel.h"
#include "move/predict/predict.h"
#include "program/gpu/predict.h"
#include "program/kernels/kernel.h"
#include "sort/kernels/kernel.h"
#include "sort/kernels/merge/kernel.h"
#include "sort/predict/patterns.h"
#include "support.h"

typedef struct listed_kernel {
    const char *name;
    const kernel_record *record;
} listed_kernel;

#define LISTED of_moves
#define KERNEL_LIST "move/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_once
#define KERNEL_LIST "move/kernels/once/list.h"
#include "predicted/listed.h"
#define LISTED of_programs
#define KERNEL_LIST "program/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_hulls
#define KERNEL_LIST "hull/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_steps
#define KERNEL_LIST "hull/gpu/steps/steps_list.h"
#include "predicted/listed.h"
#define LISTED of_sorts
#define KERNEL_LIST "sort/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_merges
#define KERNEL_LIST "sort/kernels/merge/list.h"
#include "predicted/listed.h"
#define LISTED of_histograms
#define KERNEL_LIST "histogram/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_groups
#define KERNEL_LIST "group/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_checks
#define KERNEL_LIST "check/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_bits
#define KERNEL_LIST "bits/kernels/list.h"
#include "predicted/listed.h"
#define LISTED of_matrices
#define KERNEL_LIST "f2/kernels/list.h"
#include "predicted/listed.h"

static const listed_kernel *const families[] = {of_moves,  of_once,   of_programs, of_hulls,
                                                of_steps,  of_sorts,  of_merges,   of_histograms,
                                                of_groups, of_checks, of_bits,     of_matrices};
static const kernel_pattern *const tables[] = {
    move_patterns,  program_patterns, hull_patterns,      sort_patterns,      group_patterns, ungroup_patterns,
    check_patterns, bits_patterns,    bits_move_patterns, histogram_patterns, f2_patterns};

/* Kernels that have none, and why. */
#define VIEWS "copies between views are calls, which no command explains"
#define ONCE "calls of indices used once are no plans: their plan's move has patterns"
#define IN_BLOCKS "moves within blocks have a formula of their own (docs/machine.md)"
#define PARTS "moves between the memories of several GPUs, of which a memory machine has one"
#define UNEVEN "where segments begin is an array of each execution, which explain and simulate have not"
static const struct {
    const char *name, *why;
} without[] = {
    {"strided_row", VIEWS},
    {"strided_parts_32", VIEWS},
    {"strided_parts_64", VIEWS},
    {"strided_packed", VIEWS},
    {"strided_words", VIEWS},
    {"affine_to_parts", PARTS},
    {"affine_units_to_parts", PARTS},
    {"affine_send", PARTS},
    {"affine_units_send", PARTS},
    {"copy_in_block", IN_BLOCKS},
    {"scatter_in_block", IN_BLOCKS},
    {"gather_in_block", IN_BLOCKS},
    {"conflict_free_in_block", IN_BLOCKS},
    {"once_requests_32", ONCE},
    {"once_requests_64", ONCE},
    {"once_indices_32", ONCE},
    {"once_indices_64", ONCE},
    {"once_span_sums", ONCE},
    {"once_tile_sums", ONCE},
    {"once_tile_begins", ONCE},
    {"once_run_begins", ONCE},
    {"once_answer", ONCE},
    {"once_look_up", ONCE},
    {"once_collect", ONCE},
    {"once_mark_32", ONCE},
    {"once_mark_64", ONCE},
    {"once_gather_32", ONCE},
    {"once_gather_64", ONCE},
    {"once_write_random", ONCE},
    {"sort_chunks", UNEVEN},
    {"sort_carry_chunks", UNEVEN},
    {"sort_runs", UNEVEN},
    {"sort_carry_runs", UNEVEN},
    {"sort_settle", UNEVEN},
};

static bool has_pattern(const kernel_record *record) {
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        for (const kernel_pattern *p = tables[k]; p->kernel != NULL; p++)
            if (p->kernel == record) return true;
    return false;
}

static bool has_reason(const char *name) {
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        if (strcmp(without[k].name, name) == 0) return strlen(without[k].why) > 0;
    return false;
}

static void every_kernel_has_a_pattern(void **state) {
    unsigned wrong = 0, all = 0, named = 0;
    (void)state;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const listed_kernel *k = families[f]; k->name != NULL; k++) {
            const bool has = has_pattern(k->record), is_named = has_reason(k->name);
            all++, named += is_named;
            if (has != is_named) continue;
            wrong++;
            print_error("%s %s\n", k->name,
                        has ? "has a pattern, and a reason to have none" : "has no pattern");
        }
    assert_true(all > 200);
    assert_int_equal(named, sizeof without / sizeof *without);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_has_a_pattern)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
