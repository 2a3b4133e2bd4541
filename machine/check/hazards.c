/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/check/hazards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *hazards_count(hazard_log *log, const hazard *one, bool *out_of_memory) {
    *out_of_memory = false;
    for (size_t k = 0; k < log->count; k++) {
        const hazard *had = &log->hazard[k];
        if (had->kind != one->kind || had->pc != one->pc || had->other_pc != one->other_pc) continue;
        log->hazard[k].count++;
        return NULL;
    }
    if (log->count == log->capacity) {
        const size_t capacity = 2 * log->capacity + 8;
        hazard *grown = realloc(log->hazard, capacity * sizeof *grown);
        *out_of_memory = grown == NULL;
        if (grown == NULL) return NULL;
        log->hazard = grown;
        log->capacity = capacity;
    }
    log->hazard[log->count] = *one;
    log->hazard[log->count].count = 1;
    return log->hazard[log->count++].text;
}

void hazards_free(hazard_log *log) { free(log->hazard); }

/* "thread (3,0,0) of block (0,0,0)" */
static int say_thread(char text[HAZARD_TEXT_BYTES], hazard_thread who) {
    return snprintf(text, HAZARD_TEXT_BYTES, "thread (%u,%u,%u) of block (%u,%u,%u)", who.thread.x,
                    who.thread.y, who.thread.z, who.block.x, who.block.y, who.block.z);
}

static const char *verb(report_op op) {
    static const char *const verbs[OPS] = {"reads", "writes", "updates"};
    return verbs[op];
}

/* Rounds down, also before the array's start. */
static long long element_of(const hazard_access *a) {
    const long long offset = (long long)(a->address - a->array->start), bytes = (long long)a->bytes;
    return offset >= 0 ? offset / bytes : -((-offset + bytes - 1) / bytes);
}

/* "thread (3,0,0) of block (0,0,0) writes element 1024 of out" */
static size_t say_access(char text[HAZARD_TEXT_BYTES], const hazard_access *a) {
    const int said = say_thread(text, a->who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said), " %s element %lld of %.100s", verb(a->op),
             element_of(a), array_name(a->array));
    return strlen(text);
}

/* Why there is nothing at the element that an access was meant for. */
static void say_bounds(const hazard_access *a, char out[96]) {
    if (a->array->dynamic && a->address - a->array->start < a->array->room)
        snprintf(out, 96, "which has %zu bytes; ask for more with the launch", a->array->bytes);
    else if (a->array->freed)
        snprintf(out, 96, "which has been %s", a->array->heap ? "deleted" : "freed");
    else
        snprintf(out, 96, "which has %zu", a->array->bytes / a->bytes);
}

void hazards_say_out_of_bounds(char text[HAZARD_TEXT_BYTES], const hazard_access *a) {
    if (a->array != NULL) {
        char bounds[96];
        const size_t said = say_access(text, a);
        say_bounds(a, bounds);
        snprintf(text + said, HAZARD_TEXT_BYTES - said, ", %s", bounds);
        return;
    }
    const int said = say_thread(text, a->who);
    snprintf(
        text + said, (size_t)(HAZARD_TEXT_BYTES - said), " %s %zu bytes at 0x%llx, in no array of the launch%s",
        verb(a->op), a->bytes, (unsigned long long)a->address,
        a->is_hosts ? ": it is the host's own memory, and a kernel has that of cudaMalloc and its like" : "");
}

void hazards_say_misaligned(char text[HAZARD_TEXT_BYTES], const hazard_access *a) {
    const int said = say_thread(text, a->who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
             " %s %zu bytes at byte %llu of %.100s, which is no multiple of %zu", verb(a->op), a->bytes,
             (unsigned long long)(a->address - a->array->start), array_name(a->array), a->bytes);
}

void hazards_say_uninitialized(char text[HAZARD_TEXT_BYTES], const hazard_access *a) {
    const size_t said = say_access(text, a);
    const char *why = a->array->space == SPACE_SHARED ? "which nothing has written in this block"
                      : a->array->constant ? "a __constant__ that nothing has set, so that it is zero; give it "
                                             "a value in the file, or by --constant to one kernel"
                                           : "which nothing has written";
    snprintf(text + said, HAZARD_TEXT_BYTES - said, ", %s", why);
}

void hazards_say_race(char text[HAZARD_TEXT_BYTES], const hazard_access *a, const hazard_other *other,
                      bool same_value) {
    static const char *const did[OPS] = {"has read", "has written", "has updated"};
    const char at[] = {' ', 'a', 't', ' ', HAZARD_PLACE, '\0'};
    const char *where = other->has_place ? at : "";
    size_t said = say_access(text, a);
    const hazard_thread *who = other->who;
    size_t left = HAZARD_TEXT_BYTES - said;
    if (who == NULL) {
        snprintf(text + said, left, ", which another thread %s%s, and nothing orders the two", did[other->op],
                 where);
    } else if (memcmp(&who->block, &a->who.block, sizeof who->block) != 0) {
        snprintf(text + said, left, ", which block (%u,%u,%u) %s%s in the same launch", who->block.x,
                 who->block.y, who->block.z, did[other->op], where);
    } else {
        snprintf(text + said, left, ", which thread (%u,%u,%u) of the block %s%s with no barrier between",
                 who->thread.x, who->thread.y, who->thread.z, did[other->op], where);
    }
    said = strlen(text);
    left = HAZARD_TEXT_BYTES - said;
    if (same_value) snprintf(text + said, left, "; both write the same value");
}

void hazards_say_under_way(char text[HAZARD_TEXT_BYTES], const hazard_access *a, const hazard_thread *copier) {
    const size_t said = say_access(text, a);
    const size_t left = HAZARD_TEXT_BYTES - said;
    if (copier == NULL)
        snprintf(text + said, left, ", to which its own asynchronous copy at %c is still under way",
                 HAZARD_PLACE);
    else
        snprintf(text + said, left,
                 ", to which the asynchronous copy of thread (%u,%u,%u) of the block at %c is still under way, "
                 "since that "
                 "has not waited for it",
                 copier->thread.x, copier->thread.y, copier->thread.z, HAZARD_PLACE);
}

void hazards_say_division(char text[HAZARD_TEXT_BYTES], hazard_thread who) {
    const int said = say_thread(text, who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
             " divides an integer by zero, which gives no number that means anything");
}

void hazards_say_unfinished(char text[HAZARD_TEXT_BYTES], hazard_thread who, uint64_t accesses) {
    const int said = say_thread(text, who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said), " did not end within %llu accesses",
             (unsigned long long)accesses);
}

/* "; 3 have not begun"; the bytes that it takes. */
static size_t say_to_begin(char *text, size_t room, uint64_t to_begin) {
    if (to_begin == 0) return 0;
    const int said = snprintf(text, room, "; %llu %s not begun, since a GPU has no more at once",
                              (unsigned long long)to_begin, to_begin == 1 ? "has" : "have");
    return (size_t)said;
}

void hazards_say_spinning(char text[HAZARD_TEXT_BYTES], hazard_thread who, uint64_t blocks, uint64_t to_begin) {
    size_t said = (size_t)say_thread(text, who);
    const char *all = blocks == 1 ? "nothing else of the launch" : "none of the blocks under way";
    said += (size_t)snprintf(text + said, HAZARD_TEXT_BYTES - said,
                             " waits in vain: it finds the same here over and over, and %s can go on", all);
    if (blocks > 1)
        said += (size_t)snprintf(text + said, HAZARD_TEXT_BYTES - said, " (%llu)", (unsigned long long)blocks);
    say_to_begin(text + said, HAZARD_TEXT_BYTES - said, to_begin);
}

void hazards_say_grid_barrier(char text[HAZARD_TEXT_BYTES], uint64_t arrived, uint64_t blocks, uint64_t left,
                              uint64_t to_begin) {
    size_t said =
        (size_t)snprintf(text, HAZARD_TEXT_BYTES, "%llu of %llu blocks have come to this barrier of the grid",
                         (unsigned long long)arrived, (unsigned long long)blocks);
    if (left > 0)
        said += (size_t)snprintf(text + said, HAZARD_TEXT_BYTES - said, "; %llu %s left the kernel before",
                                 (unsigned long long)left, left == 1 ? "has" : "have");
    say_to_begin(text + said, HAZARD_TEXT_BYTES - said, to_begin);
}

void hazards_say_not_cooperative(char text[HAZARD_TEXT_BYTES], hazard_thread who) {
    const int said = say_thread(text, who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
             " comes to a barrier of the grid, which wants a cooperative launch (cudaLaunchCooperativeKernel)");
}

void hazards_say_absent(char text[HAZARD_TEXT_BYTES], const hazard_access *a, bool gone) {
    const size_t said = say_access(text, a);
    snprintf(text + said, HAZARD_TEXT_BYTES - said, ", %s: a barrier of the cluster is missing %s",
             gone ? "which has left the kernel" : "which may not have begun",
             gone ? "before its end" : "before the first access to another block");
}

void hazards_say_no_block(char text[HAZARD_TEXT_BYTES], hazard_thread who, unsigned rank, unsigned blocks) {
    const int said = say_thread(text, who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
             " asks for shared memory of the block of rank %d in a cluster of %u, whose last rank is %u",
             (int)rank, blocks, blocks - 1);
}

void hazards_say_late(char text[HAZARD_TEXT_BYTES], hazard_thread who, machine_index block) {
    const int said = say_thread(text, who);
    snprintf(
        text + said, (size_t)(HAZARD_TEXT_BYTES - said),
        " accesses shared memory of block (%u,%u,%u), which may have left the kernel by then: a barrier of the "
        "cluster is missing before its end",
        block.x, block.y, block.z);
}

void hazards_say_cluster_barrier(char text[HAZARD_TEXT_BYTES], unsigned arrived, unsigned threads) {
    snprintf(text, HAZARD_TEXT_BYTES,
             "%u of %u threads of a cluster have arrived at its barrier, and none of the others can", arrived,
             threads);
}

void hazards_say_thread(char text[HAZARD_TEXT_BYTES], hazard_thread who, const char *what) {
    const int said = say_thread(text, who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said), " %s", what);
}

void hazards_say_bulk(char text[HAZARD_TEXT_BYTES], const hazard_access *a, const char *copy, bool reads) {
    const size_t said = say_access(text, a);
    snprintf(text + said, HAZARD_TEXT_BYTES - said,
             reads ? ", which the %s copy at %c still reads: its thread has not waited for the group"
                   : ", to which the %s copy at %c is still under way: no phase of its mbarrier has ended "
                     "with its bytes",
             copy, HAZARD_PLACE);
}

void hazards_say_product(char text[HAZARD_TEXT_BYTES], const hazard_access *a) {
    const size_t said = say_access(text, a);
    snprintf(text + said, HAZARD_TEXT_BYTES - said,
             ", which the product at %c still reads: its thread has not waited for the group", HAZARD_PLACE);
}

void hazards_say_sum(char text[HAZARD_TEXT_BYTES], hazard_thread who, report_op op) {
    const int said = say_thread(text, who);
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
             " %s a register of the product at %c, for whose group it has not waited", verb(op), HAZARD_PLACE);
}

void hazards_say_phase(char text[HAZARD_TEXT_BYTES], hazard_thread who, phase_missing missing) {
    const int said = say_thread(text, who);
    if (missing.is_named) {
        snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
                 " waits in vain at barrier %u: %u of its %u threads are missing", missing.number, missing.arrivals,
                 missing.of);
        return;
    }
    snprintf(text + said, (size_t)(HAZARD_TEXT_BYTES - said),
             " waits in vain for a phase of an mbarrier: %u of its %u arrivals are missing, and %lld bytes are "
             "expected that have not come",
             missing.arrivals, missing.of, missing.bytes);
}
