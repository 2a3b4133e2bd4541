/* SPDX-License-Identifier: Apache-2.0
 *
 * A gather: what it streams, and what it asks for beyond reading src once in order.
 */
#include "plan/choose/device_cost.h"

#include <math.h>

#include "models/traffic.h"
#include "plan/bucket/tile.h"

static const double PASS_PICOSECONDS = 1.5e6; /* time of a launch, however short */

/* Elements of 1 and 2 bytes go by the kernels for rows: a thread finds its row and its place in it, however near what it
 * reads lies. */
static const double ROW_PICOSECONDS = 4.3;

static const double COPY_PICOSECONDS = 0.238; /* a byte, as a copy streams them */

double device_cost_copy(uint64_t n, size_t elem_bytes) {
    return COPY_PICOSECONDS * traffic_copy(elem_bytes) + PASS_PICOSECONDS / (double)n;
}

double device_cost_gather(uint64_t n, size_t elem_bytes, size_t map_bytes, const line_reads *reads) {
    const double of_sector = 5.5, of_line = 22.5; /* out of order: of the second-level cache, of memory */
    const double sectors_in_order = (double)elem_bytes / (double)LINE_READS_SECTOR_BYTES;
    const double lines_in_order = (double)elem_bytes / (double)LINE_READS_LINE_BYTES;
    const double moved = COPY_PICOSECONDS * ((double)map_bytes + traffic_copy(elem_bytes)) +
                         of_sector * (reads->sectors - sectors_in_order) +
                         of_line * (reads->lines - lines_in_order);
    return fmax(moved, elem_bytes < 4 ? ROW_PICOSECONDS : 0) + PASS_PICOSECONDS / (double)n;
}

double device_cost_bucket(uint64_t n, size_t elem_bytes, unsigned passes) {
    const double of_byte = 0.27;
    return of_byte * (traffic_bucket(elem_bytes, passes) + bucket_tile_chunk_share(elem_bytes, passes)) +
           passes * PASS_PICOSECONDS / (double)n;
}
