/* SPDX-License-Identifier: Apache-2.0 */
#include "congestion/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"

enum { SLOT_COUNT = 4 * RIFFLE_LAYOUT_MAX_WIDTH };

/* The memory of one trial. A slot of the table of addresses is empty where its stamp is not this trial's. */
typedef struct workspace {
    warp_request request;
    uint32_t load[RIFFLE_LAYOUT_MAX_WIDTH]; /* different addresses in each bank */
    uint32_t slot_mask, stamp;
    uint32_t stamps[SLOT_COUNT];
    uint64_t addresses[SLOT_COUNT];
} workspace;

/* True the first time that this trial meets the address. */
static bool is_new(workspace *work, uint64_t address) {
    uint32_t slot = (uint32_t)((address * UINT64_C(0x9E3779B97F4A7C15)) >> 40) & work->slot_mask;
    while (work->stamps[slot] == work->stamp) {
        if (work->addresses[slot] == address) return false;
        slot = (slot + 1) & work->slot_mask;
    }
    work->stamps[slot] = work->stamp;
    work->addresses[slot] = address;
    return true;
}

static uint32_t count_congestion(const riffle_layout *layout, workspace *work) {
    const uint32_t w = layout->width;
    uint32_t most = 0;
    memset(work->load, 0, w * sizeof *work->load);
    for (uint32_t t = 0; t < work->request.count; ++t) {
        const uint64_t address = riffle_layout_address(layout, work->request.row[t], work->request.col[t]);
        const uint32_t bank = (uint32_t)((w & (w - 1)) == 0 ? address & (w - 1) : address % w);
        if (!is_new(work, address)) continue;
        if (++work->load[bank] > most) most = work->load[bank];
    }
    return most;
}

/* The numbers that the request's rows need, those of a plane once for neighbours in it. */
static void draw_numbers(const riffle_layout *layout, uint64_t seed, const warp_request *request) {
    riffle_layout_draw_shared(layout, seed);
    if (layout->kind == RIFFLE_LAYOUT_RAS) {
        for (uint32_t t = 0; t < request->count; ++t) riffle_layout_draw_row(layout, seed, request->row[t]);
        return;
    }
    if (layout->kind != RIFFLE_LAYOUT_W2P && layout->kind != RIFFLE_LAYOUT_1PW2R) return;
    uint64_t drawn = UINT64_MAX;
    for (uint32_t t = 0; t < request->count; ++t) {
        const uint64_t plane = request->row[t] / layout->width;
        if (plane != drawn) riffle_layout_draw_row(layout, seed, request->row[t]);
        drawn = plane;
    }
}

/* Mean and the interval in which it lies with 99% confidence, from the sample variance; trials are many enough
 * for the normal distribution. */
static void summarize(congestion_counts *counts) {
    const double normal_quantile = 2.5758293035489004;
    const double n = (double)counts->trials;
    double sum = 0, squares = 0;
    for (uint32_t c = 0; c <= counts->max; ++c) sum += (double)counts->histogram[c] * c;
    counts->mean = sum / n;
    for (uint32_t c = 0; c <= counts->max; ++c) {
        const double distance = c - counts->mean;
        squares += (double)counts->histogram[c] * distance * distance;
    }
    const double half = n > 1 ? normal_quantile * sqrt(squares / (n - 1) / n) : 0;
    counts->low = counts->mean - half;
    counts->high = counts->mean + half;
}

/* The trial as a round of a warp's reads, of a shared memory with latency 1. */
static bool trace_trial(riffle_trace *trace, const riffle_layout *layout, const pattern *asked, uint64_t trial,
                        const warp_request *request) {
    uint64_t address[RIFFLE_LAYOUT_MAX_WIDTH];
    if (trace == NULL || request->count == 0) return true;
    for (uint32_t t = 0; t < request->count; ++t)
        address[t] = layout->elem_bytes * riffle_layout_address(layout, request->row[t], request->col[t]);
    const riffle_trace_access access = {.kernel = pattern_name(asked->kind),
                                        .array = riffle_layout_string(layout->kind),
                                        .address = address,
                                        .round = trial,
                                        .lanes = request->count,
                                        .width = layout->width,
                                        .latency = 1,
                                        .bytes = layout->elem_bytes,
                                        .is_shared = true};
    const riffle_status status = riffle_trace_add(trace, &access);
    if (status != RIFFLE_OK) complain_status("congestion", status);
    return status == RIFFLE_OK;
}

static uint32_t slots_for(uint32_t width) {
    uint32_t slots = 4;
    while (slots < 4 * width) slots *= 2;
    return slots;
}

bool congestion_simulate(const riffle_layout *layout, const pattern *asked, uint64_t trials, uint64_t seed,
                         riffle_trace *trace, congestion_counts *out) {
    workspace *work = calloc(1, sizeof *work);
    if (work == NULL) {
        complain("congestion: no memory for %zu bytes; free memory", sizeof *work);
        return false;
    }
    work->slot_mask = slots_for(layout->width) - 1;
    *out = (congestion_counts){.trials = trials};
    bool done = true;
    for (uint64_t trial = 0; trial < trials && done; ++trial) {
        uint64_t state = riffle_draw_stream(seed, 2 * trial);
        pattern_request(asked, layout, trial, &state, &work->request);
        draw_numbers(layout, riffle_draw_stream(seed, 2 * trial + 1), &work->request);
        work->stamp = (uint32_t)trial + 1;
        const uint32_t congestion = count_congestion(layout, work);
        out->histogram[congestion]++;
        if (congestion > out->max) out->max = congestion;
        done = trace_trial(trace, layout, asked, trial, &work->request);
    }
    free(work);
    summarize(out);
    return done;
}
