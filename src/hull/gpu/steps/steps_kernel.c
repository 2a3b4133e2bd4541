/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of a hull's steps, and how they go from one step to the next where each is a launch.
 */
#include "hull/gpu/steps/steps_kernel.h"

#include <string.h>

static uint32_t candidates_of(const hull_source *from) {
    return from->count != NULL ? *from->count : from->most;
}

static uint64_t *no_hull(uint64_t *length) {
    *length = 0;
    return length;
}

#define CURSOR_FITS(type)                                                                                      \
    _Static_assert(sizeof(type) <= KERNEL_CURSOR_WORDS * sizeof(uint32_t), "a cursor has room for a " #type)
CURSOR_FITS(hull_cursor);
CURSOR_FITS(hull_paper_cursor);

static uint64_t *begin_sorted(const void *table, uint32_t *words) {
    const hull_sorted_table *const t = table;
    const hull_cursor cursor = hull_sorted_begin(candidates_of(&t->from));
    memcpy(words, &cursor, sizeof cursor);
    return cursor.step == HULL_STEP_DONE ? no_hull(t->length) : NULL;
}

static void next_sorted(const void *table, uint32_t *words) {
    hull_cursor cursor;
    memcpy(&cursor, words, sizeof cursor);
    hull_sorted_next(table, &cursor);
    memcpy(words, &cursor, sizeof cursor);
}

static uint64_t *begin_paper(const void *table, uint32_t *words) {
    const hull_paper_table *const t = table;
    const hull_paper_cursor cursor = hull_paper_begin(candidates_of(&t->from));
    memcpy(words, &cursor, sizeof cursor);
    return cursor.step == HULL_PAPER_DONE ? no_hull(t->length) : NULL;
}

static void next_paper(const void *table, uint32_t *words) {
    hull_paper_cursor cursor;
    memcpy(&cursor, words, sizeof cursor);
    hull_paper_next(table, &cursor);
    memcpy(words, &cursor, sizeof cursor);
}

static const kernel_steps sorted_steps = {begin_sorted, next_sorted, HULL_STEP_DONE},
                          paper_steps = {begin_paper, next_paper, HULL_PAPER_DONE};

#define ARGUMENT(type, name) {sizeof(type), _Alignof(type)},
static const kernel_argument sorted_takes[] = {TAKES_hull_sorted}, paper_takes[] = {TAKES_hull_paper};
#undef ARGUMENT

const hull_sorted_kernel KERNEL_hull_sorted = {{.name = "hull_sorted",
                                                .family = FAMILY_hull_steps,
                                                .number = HULL_STEPS_SORTED,
                                                .arguments = 1,
                                                .argument = sorted_takes,
                                                .steps = &sorted_steps}};

const hull_paper_kernel KERNEL_hull_paper = {{.name = "hull_paper",
                                              .family = FAMILY_hull_steps,
                                              .number = HULL_STEPS_PAPER,
                                              .arguments = 1,
                                              .argument = paper_takes,
                                              .steps = &paper_steps}};
