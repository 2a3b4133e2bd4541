/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/result.h"

#include <stdio.h>

riffle_plan_options bench_options(const bench_row *row, const bench_settings *settings) {
    return (riffle_plan_options){.algorithm = row->algorithm,
                                 .threads = row->threads > 0 ? row->threads : settings->threads,
                                 .batch = row->batch,
                                 .stride = row->stride,
                                 .in_place = row->in_place,
                                 .check = row->check};
}

riffle_status bench_fail(riffle_status status, bench_result *out) {
    const char *detail = riffle_error_detail();
    snprintf(out->problem, sizeof out->problem, "%s", *detail != '\0' ? detail : riffle_status_string(status));
    return status;
}
