/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of cuTENSOR for the rows of the suite axes.
 */
#include <stdio.h>

#include "bench/data.h"
#include "cutensor.h"
#include "document.h"
#include "gpu/arrays.h"
#include "gpu/timing.h"
#include "late.h"
#include "peers.h"
#include "suites.h"
#include "system/clock.h"

enum { REPEAT = 20, PLANS = 5 };

static riffle_status plan(const bench_axes *axes, size_t elem_bytes, cutensor_move **move, bench_result *out) {
    double times[PLANS];
    for (unsigned k = 0; k < PLANS; ++k) {
        cutensor_free(*move);
        *move = NULL;
        const double began = seconds_now();
        const riffle_status status = cutensor_plan(axes, elem_bytes, move, out);
        if (status != RIFFLE_OK) return status;
        times[k] = seconds_now() - began;
    }
    out->plan_seconds = bench_median(times, PLANS);
    return RIFFLE_OK;
}

static riffle_status measure_by(const cutensor_move *planned, const bench_move *move, const bench_row *row,
                                bench_result *out) {
    const cuda_mover mover = {cutensor_queue, planned};
    cuda_arrays arrays;
    riffle_status status = cuda_arrays_create(row, &arrays, out);
    if (status == RIFFLE_OK) status = bench_cuda_check(&mover, move, &arrays, out);
    if (status == RIFFLE_OK && out->right) status = bench_cuda_time(&mover, REPEAT, &arrays, out);
    cuda_arrays_free(&arrays);
    return status;
}

static riffle_status measure(const bench_row *row, bench_result *out) {
    const bench_move move = bench_move_of(row, NULL);
    cutensor_move *planned = NULL;
    bench_axes axes;
    bench_axes_read(row->by, &axes);
    (void)cudaGetLastError(); /* an error of an earlier row must not be taken for this one's failure */
    riffle_status status = plan(&axes, row->elem_bytes, &planned, out);
    if (status == RIFFLE_OK) status = measure_by(planned, &move, row, out);
    cutensor_free(planned);
    return status;
}

static bool print_row(const bench_row *row, const peers_choice *choice) {
    static const char suite[] = "axes-peers", name[] = "cutensor", how[] = "cutensorPermute";
    bench_result result = {.right = false};
    if (peers_are_late(choice)) {
        document_skip(suite, row, name, how);
        return true;
    }
    const riffle_status status = measure(row, &result);
    return document_print(suite, row, name, how, status, &result);
}

bool peers_axes(const peers_choice *choice, const char **why) {
    const bench_variant variant = {.seed = choice->seed};
    char version[64];
    bool right = true;
    *why = cutensor_load();
    if (*why != NULL) return false;
    const size_t number = cutensor_version();
    snprintf(version, sizeof version, ", \"cutensor\": \"%zu.%zu.%zu\"", number / 10000, number / 100 % 100,
             number % 100);
    document_begin(version);
    for (size_t k = 0; k < bench_suite_rows(&bench_suite_axes); ++k) {
        const bench_row row = bench_suite_row(&bench_suite_axes, &variant, k);
        if (bench_row_is_named(&row, choice->only)) right &= print_row(&row, choice);
    }
    document_end();
    return right;
}
