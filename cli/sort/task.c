/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/task.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frame/exit.h"
#include "frame/message.h"
#include "frame/readers.h"

bool sort_read_count(const command_option *option, const char *text, void *field) {
    sort_place *const out = field;
    uint64_t number;
    if (read_number(text, &number) && number <= RIFFLE_MAX_LENGTH) {
        *out = (sort_place){true, (int64_t)number};
        return true;
    }
    complain("--%s '%s': is how many elements come first, 0 or more; write it in decimal or as 2^K",
             option->name, text);
    return false;
}

bool sort_read_place(const command_option *option, const char *text, void *field) {
    sort_place *const out = field;
    uint64_t number;
    const bool is_negative = *text == '-';
    if (read_number(text + is_negative, &number) && number <= RIFFLE_MAX_LENGTH) {
        *out = (sort_place){true, is_negative ? -(int64_t)number : (int64_t)number};
        return true;
    }
    complain("--%s '%s': is the number of an element, from the end if it is below zero", option->name, text);
    return false;
}

/* ------------------------------------------------------------ what goes together */

typedef struct asked_task {
    const char *name;
    riffle_sort_task task;
    bool is_given;
} asked_task;

/* Finds the task; false after a complaint if there is more than one. */
static bool find_task(const request *ask, riffle_sort_task *out) {
    const asked_task all[] = {{"merge", RIFFLE_SORT_TASK_MERGE, ask->merge},
                              {"top", RIFFLE_SORT_TASK_TOP, ask->top.is_given},
                              {"partition", RIFFLE_SORT_TASK_PARTITION, ask->partition.is_given},
                              {"unique", RIFFLE_SORT_TASK_UNIQUE, ask->unique}};
    const asked_task *found = NULL;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!all[k].is_given) continue;
        if (found != NULL) {
            complain("--%s and --%s: one of them is done at a time", found->name, all[k].name);
            return false;
        }
        found = &all[k];
    }
    *out = found != NULL ? found->task : RIFFLE_SORT_TASK_SORT;
    return true;
}

int sort_task_check(const request *ask) {
    riffle_sort_task task;
    if (!find_task(ask, &task)) return EXIT_USAGE;
    if (ask->unique && ask->segments != NULL)
        complain("--unique and --segments: of segments there would be as many results as they have different "
                 "elements; leave out --segments");
    else if (ask->unique && ask->axis.which == AXIS_GIVEN)
        complain("--unique and --axis: elements are looked for among all; leave out --axis");
    else if (ask->partition.number < 0 && ask->segments != NULL)
        complain("--partition and --segments: segments do not end at the same element; count from the front");
    else if (ask->memory > 0 && !ask->merge)
        complain("--memory: limits what a merge by blocks holds; give --merge as well");
    else if (ask->memory > 0 &&
             (ask->indices != NULL || ask->before != NULL || ask->engine != RIFFLE_ENGINE_CPU))
        complain("--memory: a merge by blocks is the cpu engine's, by fields; leave out --indices, --before "
                 "and --engine");
    else
        return EXIT_DONE;
    return EXIT_USAGE;
}

/* ------------------------------------------------------------------- how many */

/* The elements of the shortest segment, and which it is; of lines their length. Where there are no segments none is too short. */
static uint64_t shortest(const job *work, uint64_t *which) {
    const sort_segments *const segments = &work->segments;
    uint64_t least = UINT64_MAX;
    *which = 0;
    if (segments->first == NULL) return work->length;
    for (uint64_t s = 0; s < segments->count; s++) {
        const uint64_t length = segments->first[s + 1] - segments->first[s];
        if (length >= least) continue;
        least = length;
        *which = s;
    }
    return least;
}

/* Which places there are; of arrays that have none, nothing. */
static void write_range(char out[64], riffle_sort_task task, uint64_t least, bool is_segmented) {
    *out = '\0';
    if (task == RIFFLE_SORT_TASK_PARTITION && least > 0 && is_segmented)
        snprintf(out, 64, "; give 0 to %" PRIu64, least - 1);
    if (task == RIFFLE_SORT_TASK_PARTITION && least > 0 && !is_segmented)
        snprintf(out, 64, "; give -%" PRIu64 " to %" PRIu64, least, least - 1);
}

static int refuse_count(job *work, uint64_t least, uint64_t segment) {
    const bool is_top = work->task == RIFFLE_SORT_TASK_TOP, is_segmented = work->segments.first != NULL;
    const int64_t number = is_top ? work->ask.top.number : work->ask.partition.number;
    const char *const what = is_top ? "top" : "partition";
    char range[64];
    write_range(range, work->task, least, is_segmented);
    if (is_segmented)
        return transfer_refuse(&work->file, "--%s %" PRId64 ": segment %" PRIu64 " has %" PRIu64 " element%s%s",
                               what, number, segment, least, least == 1 ? "" : "s", range);
    return transfer_refuse(&work->file, "--%s %" PRId64 ": there %s %" PRIu64 " element%s to choose from%s",
                           what, number, least == 1 ? "is" : "are", least, least == 1 ? "" : "s", range);
}

/* Two blocks of each array or more, where memory has room for them, so that one sort of it writes many; and no more than
 * there are, each array's last one a part. No elements want no memory. */
static int settle_blocks(job *work) {
    const uint64_t longest = 1 << 16, bytes = work->key.elem_bytes, streams = work->segments.count;
    const uint64_t held = work->ask.memory / bytes, fair = held / 2 / (streams > 0 ? streams : 1);
    const uint64_t most = longest / bytes;
    work->block = fair < most ? fair : most;
    if (work->block == 0) work->block = 1;
    const uint64_t there_are = work->n / work->block + streams;
    work->memory_blocks = held / work->block < there_are ? held / work->block : there_are;
    if (work->memory_blocks > UINT32_MAX) work->memory_blocks = UINT32_MAX;
    if (work->memory_blocks >= streams || work->n == 0) return EXIT_DONE;
    return transfer_refuse(&work->file,
                           "--memory %" PRIu64 ": holds %" PRIu64 " elements of %" PRIu64
                           " byte%s, and a merge of %" PRIu64 " array%s wants one of each",
                           work->ask.memory, held, bytes, bytes == 1 ? "" : "s", streams,
                           streams == 1 ? "" : "s");
}

int sort_task_settle(job *work) {
    const int64_t place = work->ask.partition.number;
    uint64_t segment;
    const uint64_t least = shortest(work, &segment);
    work->results = work->n;
    if (!find_task(&work->ask, &work->task)) return EXIT_USAGE;
    if (work->ask.memory > 0) return settle_blocks(work);
    if (work->task == RIFFLE_SORT_TASK_TOP) {
        work->count = (uint64_t)work->ask.top.number;
        if (work->count > least) return refuse_count(work, least, segment);
        work->results = work->n == 0 ? 0 : work->segments.count * work->count;
    }
    if (work->task == RIFFLE_SORT_TASK_PARTITION) {
        work->count =
            place < 0 ? least - (uint64_t)-place : (uint64_t)place; /* wraps where there are too few */
        if (work->count >= least) return refuse_count(work, least, segment);
    }
    return EXIT_DONE;
}
