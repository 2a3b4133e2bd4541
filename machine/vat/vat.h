/* SPDX-License-Identifier: Apache-2.0
 *
 * The replacement policies behind riffle_vat_*: LRU and ISLRU count while they are fed, the others know the
 * future and run over a stored trace.
 */
#ifndef RIFFLE_MACHINE_VAT_VAT_H
#define RIFFLE_MACHINE_VAT_VAT_H

#include "machine/vat/cells.h"
#include "machine/vat/tally.h"
#include "machine/vat/trace.h"
#include "riffle/vat.h"

/** The options with what riffle_vat_options promises for zeros; `options` may be NULL. */
riffle_vat_options vat_with_defaults(const riffle_vat_options *options);

/** Translates `count` addresses and tallies the insertions, O(1) a node. */
riffle_status vat_lru_access(vat_cells *cells, const vat_tree *tree, const uint64_t *addresses, size_t count,
                             vat_tally *tally);
/** The same; RIFFLE_ERROR_INTERNAL if W > d and the initial segment property breaks. */
riffle_status vat_islru_access(vat_cells *cells, const vat_tree *tree, const uint64_t *addresses, size_t count,
                               vat_tally *tally);

/** Tallies the insertions that the whole trace takes with a cache of `cache` nodes (MIN's, see riffle_vat_options),
 *  O(log W) a node; RRMIN and LIS O(d + log W). RIFFLE_ERROR_INTERNAL if a promise of the policy is broken: the
 *  initial segment property, its size, or that a node is stored when it is used. */
riffle_status vat_min_count(const vat_trace *trace, uint64_t cache, vat_tally *tally);
riffle_status vat_ismin_count(const vat_trace *trace, uint64_t cache, vat_tally *tally);
riffle_status vat_rrmin_count(const vat_trace *trace, uint64_t cache, vat_tally *tally);
riffle_status vat_lis_count(const vat_trace *trace, uint64_t cache, vat_tally *tally);

#endif
