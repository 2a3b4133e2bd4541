/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/trace/stages.h"

enum { DEFAULT_LIMIT = 1 << 18, MOST_STRINGS = 1 << 16, MOST_WIDTH = 1 << 16 };

const char *const trace_op_names[] = {
    [RIFFLE_TRACE_OP_READ] = "read", [RIFFLE_TRACE_OP_WRITE] = "write", [RIFFLE_TRACE_OP_ATOMIC] = "atomic"};

/* ---- memory */

/* Room for `more` entries behind `count`; NULL without memory, and then the array is as it was. */
static void *reserve(void *array, size_t count, size_t more, size_t *capacity, size_t size) {
    if (count + more <= *capacity) return array;
    const size_t wanted = 2 * *capacity + more + 64;
    void *grown = realloc(array, wanted * size);
    if (grown != NULL) *capacity = wanted;
    return grown;
}

uint32_t trace_string(riffle_trace *trace, const char *text) {
    for (size_t k = trace->strings; k > 0; k--)
        if (strcmp(trace->string[k - 1], text) == 0) return (uint32_t)k - 1;
    char *copy = trace->strings < MOST_STRINGS ? strdup(text) : NULL;
    char **grown = reserve(trace->string, trace->strings, 1, &trace->string_capacity, sizeof(char *));
    if (grown != NULL) trace->string = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        trace->lacks_memory = true;
        return UINT32_MAX;
    }
    trace->string[trace->strings] = copy;
    return (uint32_t)trace->strings++;
}

/* Appends a round; NULL without memory. */
static traced_round *append_round(riffle_trace *trace) {
    traced_round *grown = reserve(trace->round, trace->rounds, 1, &trace->round_capacity, sizeof *trace->round);
    if (grown == NULL) {
        trace->lacks_memory = true;
        return NULL;
    }
    trace->round = grown;
    return &trace->round[trace->rounds++];
}

/* Appends an access, whose lanes the caller fills; NULL beyond the limit or without memory. */
static traced_access *append_access(riffle_trace *trace, unsigned lanes) {
    trace->made += lanes;
    if (trace->made > trace->options.limit || trace->lacks_memory) return NULL;
    traced_access *grown =
        reserve(trace->access, trace->accesses, 1, &trace->access_capacity, sizeof *trace->access);
    if (grown != NULL) trace->access = grown;
    traced_lane *more = reserve(trace->lane, trace->lanes, lanes, &trace->lane_capacity, sizeof *trace->lane);
    if (more != NULL) trace->lane = more;
    trace->lacks_memory = grown == NULL || more == NULL;
    if (trace->lacks_memory) return NULL;
    traced_access *access = &trace->access[trace->accesses++];
    *access = (traced_access){.lanes = lanes, .first = trace->lanes};
    trace->lanes += lanes;
    return access;
}

/* Its lanes are known. */
static void note_stages(riffle_trace *trace, traced_access *access) {
    traced_round *round = &trace->round[access->round];
    access->stages = stages_of(round, access->bytes, &trace->lane[access->first], access->lanes);
    round->stages += access->stages;
    round->accesses++;
}

/* ---- what the machine shows */

/* Where the number of a site's round is kept; NULL without memory. */
static uint32_t *round_of_site(riffle_trace *trace, uint32_t number, uint32_t turn) {
    if (number >= trace->sites) {
        const size_t sites = 2 * (size_t)number + 8;
        void *grown = realloc(trace->of_site, sites * sizeof *trace->of_site);
        if (grown == NULL) return NULL;
        trace->of_site = grown;
        memset(trace->of_site + trace->sites, 0, (sites - trace->sites) * sizeof *trace->of_site);
        trace->sites = sites;
    }
    if (turn >= trace->of_site[number].rounds) {
        const uint32_t wanted = 2 * turn + 4, had = trace->of_site[number].rounds;
        uint32_t *grown = realloc(trace->of_site[number].round, wanted * sizeof *grown);
        if (grown == NULL) return NULL;
        memset(grown + had, 0, (wanted - had) * sizeof *grown);
        trace->of_site[number].round = grown;
        trace->of_site[number].rounds = wanted;
    }
    return &trace->of_site[number].round[turn];
}

static void meet_round(riffle_trace *trace, const observed_access *one, uint32_t *number) {
    static const riffle_trace_op ops[OPS] = {RIFFLE_TRACE_OP_READ, RIFFLE_TRACE_OP_WRITE,
                                             RIFFLE_TRACE_OP_ATOMIC};
    traced_round *round = append_round(trace);
    if (round == NULL) return;
    *round = (traced_round){.launch = trace->launch,
                            .is_shared = one->access->space == SPACE_SHARED,
                            .op = ops[one->access->op],
                            .width = one->access->width,
                            .site = one->site,
                            .turn = one->round};
    *number = (uint32_t)trace->rounds;
}

/* Arrays have the machine's numbers until the launch ends. */
static void see(access_observer *own, const observed_access *one) {
    riffle_trace *trace = (riffle_trace *)own;
    uint32_t *number = trace->lacks_memory ? NULL : round_of_site(trace, one->site, one->round);
    trace->lacks_memory = number == NULL;
    if (number != NULL && *number == 0) meet_round(trace, one, number);
    if (trace->lacks_memory) return;
    if (trace->options.block != 0 && trace->options.block - 1 != one->block) return;
    traced_access *access = append_access(trace, one->access->lanes);
    if (access == NULL) return;
    access->round = *number - 1;
    access->warp = one->warp;
    access->block = one->block;
    access->before = one->before;
    access->bytes = one->access->bytes;
    traced_lane *lane = &trace->lane[access->first];
    for (unsigned k = 0; k < access->lanes; k++)
        lane[k] = (traced_lane){.lane = one->access->lane[k],
                                .array = (uint16_t)place_array(one->access->at[k]),
                                .address = place_offset(one->access->at[k])};
    note_stages(trace, access);
}

static void forget_sites(riffle_trace *trace) {
    for (size_t k = 0; k < trace->sites; k++) free(trace->of_site[k].round);
    free(trace->of_site);
    trace->of_site = NULL;
    trace->sites = 0;
}

access_observer *trace_begin_launch(riffle_trace *trace, unsigned launch) {
    if (trace->options.launch != 0 && trace->options.launch - 1 != launch) return NULL;
    trace->launch = launch;
    trace->opened = trace->rounds;
    return &trace->observer;
}

void trace_end_launch(riffle_trace *trace) {
    for (size_t k = trace->opened; k < trace->rounds; k++) {
        trace->round[k].begin = trace->time;
        trace->time += trace->round[k].time;
    }
    trace->opened = trace->rounds;
    forget_sites(trace);
}

/* ---- the public functions */

riffle_status trace_create(const riffle_trace_options *options, riffle_trace **out) {
    RETURN_IF_NULL(out);
    riffle_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) return fail_memory("a trace", sizeof *trace);
    if (options != NULL) trace->options = *options;
    if (trace->options.limit == 0) trace->options.limit = DEFAULT_LIMIT;
    trace->observer.see = see;
    *out = trace;
    return RIFFLE_OK;
}

void trace_free(riffle_trace *trace) {
    if (trace == NULL) return;
    forget_sites(trace);
    for (size_t k = 0; k < trace->strings; k++) free(trace->string[k]);
    free(trace->string);
    free(trace->round);
    free(trace->access);
    free(trace->lane);
    free(trace);
}

static riffle_status check_access(const riffle_trace_access *a) {
    if (a->address == NULL || a->lanes == 0 || a->lanes > MOST_WIDTH)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "an access of a warp has addresses of 1 to %d lanes; give them", MOST_WIDTH);
    if (a->width == 0 || a->width > MOST_WIDTH || a->latency == 0 || a->bytes == 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "an access has a width of 1 to %d, a latency and bytes of at least 1, not %u, %u and %u",
                    MOST_WIDTH, a->width, a->latency, a->bytes);
    if ((unsigned)a->op > RIFFLE_TRACE_OP_ATOMIC)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "no operation has the number %d; use RIFFLE_TRACE_OP_...",
                    (int)a->op);
    return RIFFLE_OK;
}

static const char *kept_text(riffle_trace *trace, const char *text) {
    const uint32_t number = trace_string(trace, text != NULL ? text : "");
    return number != UINT32_MAX ? trace->string[number] : "";
}

/* The round of an access that is added: the last one, or one behind it, which so far takes its latency less one. */
static uint32_t added_round(riffle_trace *trace, const riffle_trace_access *a) {
    if (trace->adds && trace->last_round == a->round && trace->rounds > 0) return (uint32_t)trace->rounds - 1;
    const char *kernel = kept_text(trace, a->kernel), *file = kept_text(trace, a->file);
    traced_round *round = append_round(trace);
    if (round == NULL) return 0;
    *round = (traced_round){.kernel = kernel,
                            .file = file,
                            .line = a->line,
                            .width = a->width,
                            .latency = a->latency,
                            .is_shared = a->is_shared,
                            .op = a->op,
                            .begin = trace->time,
                            .time = a->latency - 1};
    trace->time += round->time;
    trace->adds = true;
    trace->last_round = a->round;
    trace->opened = trace->rounds;
    return (uint32_t)trace->rounds - 1;
}

riffle_status trace_add(riffle_trace *trace, const riffle_trace_access *access) {
    RETURN_IF_NULL(trace, access);
    const riffle_status status = check_access(access);
    if (status != RIFFLE_OK) return status;
    const uint32_t array = trace_string(trace, access->array != NULL ? access->array : "");
    const uint32_t number = added_round(trace, access);
    traced_access *kept = trace->lacks_memory ? NULL : append_access(trace, access->lanes);
    if (trace->lacks_memory) return fail_memory("a trace", access->lanes * sizeof(traced_lane));
    if (kept == NULL) return RIFFLE_OK; /* beyond the limit */
    traced_round *round = &trace->round[number];
    kept->round = number;
    kept->warp = access->warp;
    kept->block = access->block;
    kept->bytes = access->bytes;
    kept->before = round->time - (round->latency - 1);
    traced_lane *lane = &trace->lane[kept->first];
    for (unsigned k = 0; k < access->lanes; k++)
        lane[k] = (traced_lane){.lane = (uint16_t)(access->lane != NULL ? access->lane[k] : k),
                                .array = (uint16_t)array,
                                .address = access->address[k]};
    note_stages(trace, kept);
    round->time += kept->stages;
    trace->time += kept->stages;
    return RIFFLE_OK;
}

uint64_t trace_events(const riffle_trace *trace) { return trace == NULL ? 0 : trace->lanes; }

uint64_t trace_time_units(const riffle_trace *trace) { return trace == NULL ? 0 : trace->time; }

riffle_trace_event trace_event(const riffle_trace *trace, const traced_access *a, unsigned at) {
    const traced_round *round = &trace->round[a->round];
    const traced_lane *lane = &trace->lane[a->first + at];
    return (riffle_trace_event){.time = trace_begin(trace, a) + lane->stage,
                                .block = a->block,
                                .group = stages_group(round->is_shared, lane->address, a->bytes, round->width),
                                .address = lane->address,
                                .kernel = round->kernel,
                                .array = trace->string[lane->array],
                                .file = round->file,
                                .launch = round->launch,
                                .round = a->round,
                                .warp = a->warp,
                                .lane = lane->lane,
                                .line = round->line,
                                .bytes = a->bytes,
                                .op = round->op,
                                .is_shared = round->is_shared};
}

riffle_status trace_event_at(const riffle_trace *trace, uint64_t k, riffle_trace_event *out) {
    RETURN_IF_NULL(trace, out);
    if (k >= trace->lanes)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a trace of %zu accesses has none of number %llu",
                    trace->lanes, (unsigned long long)k);
    size_t low = 0, high = trace->accesses;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (trace->access[middle].first <= k)
            low = middle;
        else
            high = middle;
    }
    *out = trace_event(trace, &trace->access[low], (unsigned)(k - trace->access[low].first));
    return RIFFLE_OK;
}
