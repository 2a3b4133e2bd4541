/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of launches of checks (device/predict/predict.h). Rows are read whatever they hold, and so are their places: nothing depends on data but
 * how many rows there are, where the device alone knows.
 */
#ifndef RIFFLE_CHECK_PREDICT_H
#define RIFFLE_CHECK_PREDICT_H

#include "check/kernels/table.h"
#include "device/predict/predict.h"

/** The patterns of check_run, check_affine and check_rows. No subject is asked; a side whose rows the device counts is not known. */
extern const kernel_pattern check_patterns[];

void pattern_of_check_run(const launch *work, const void *subject, pattern *out);
void pattern_of_check_affine(const launch *work, const void *subject, pattern *out);
void pattern_of_check_rows(const launch *work, const void *subject, pattern *out);

/** The pattern of check_run where the device will have counted so many rows. */
void check_pattern_of_rows(const launch *work, uint64_t rows, pattern *out);

/* ------------------------------------------------- for other kernels that read once more */

enum { CHECK_VECTOR_SITES = 2, CHECK_SUM_SITES = 2, CHECK_BLOCK_SITES = 4 + CHECK_SUM_SITES };

/** Sites of what device/kernels/vectors.h reads: whole vectors, and elements of others. */
void check_declare_vectors(pattern *p, unsigned site, size_t elem_bytes);

/** A warp's lanes read vectors k and its next ones of n elements from `from` on. */
void check_note_vectors(pattern *p, unsigned site, uint64_t from, size_t elem_bytes, uint64_t n, uint64_t k);

/** Sites of check_add_to, and one thread's additions to a record. */
void check_declare_sums(pattern *p, unsigned site);
void check_note_sums(pattern *p, unsigned site, const check_record *record);

/** Sites of check_put_warp and check_add_block, and what warp `number` of so many does there with a block's sums at `block` in shared memory. */
void check_declare_block(pattern *p, unsigned site);
void check_note_block(pattern *p, unsigned site, uint64_t block, uint64_t number, uint64_t warps,
                      const check_record *record);

#endif
