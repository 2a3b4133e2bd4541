/* SPDX-License-Identifier: Apache-2.0 */
#include "models/traffic.h"

/* The lines that a lone element of elem_bytes lies in, in bytes; rows of several lines come at any phase. */
static double touched(size_t elem_bytes) {
    const size_t line = TRAFFIC_LINE_BYTES;
    return elem_bytes <= line ? (double)line : (double)((elem_bytes + line - 1) / line * line);
}

double traffic_copy(size_t elem_bytes) { return 2 * (double)elem_bytes; }

double traffic_scatter(size_t elem_bytes, size_t map_bytes) {
    if (elem_bytes % TRAFFIC_LINE_BYTES == 0) return (double)map_bytes + traffic_copy(elem_bytes);
    return (double)map_bytes + (double)elem_bytes + 2 * touched(elem_bytes);
}

double traffic_gather(size_t elem_bytes, size_t map_bytes) {
    return (double)map_bytes + touched(elem_bytes) + 2 * (double)elem_bytes;
}

double traffic_bucket(size_t elem_bytes, unsigned passes) {
    const double order_bytes = 2;
    return passes * (traffic_copy(elem_bytes) + order_bytes);
}

double traffic_row_wise(size_t elem_bytes) {
    const double index_bytes = 2 * 2;
    return traffic_copy(elem_bytes) + index_bytes;
}
