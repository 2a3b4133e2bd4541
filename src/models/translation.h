/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of address translation in a move, in the Virtual Address Translation model (riffle/vat.h; dissertation, section
 * 2.4): faults for accesses at random and for runs, as the planner needs them.
 */
#ifndef RIFFLE_MODELS_TRANSLATION_H
#define RIFFLE_MODELS_TRANSLATION_H

#include "riffle/vat.h"

/** A translation cache of `entries` nodes over a tree of pages. */
typedef struct translation_cache {
    double entries; /**< W */
    double page;    /**< P, bytes */
    double fanout;  /**< K */
} translation_cache;

/** A core's for pages of 4 KiB and a fan-out of 512: what arrays may come on is not for a plan to know, and
 *  small pages are the worse case. */
translation_cache translation_of(const riffle_vat_preset *core);

/** Bytes whose pages' nodes all fit the cache. */
double translation_reach(const translation_cache *cache);

/** Faults per access at random places of `bytes` bytes, the cache warm and LRU: each level of the tree adds the
 *  share of its nodes that is not cached (Lemma 2.27, before its sum is bounded). From 0 to the levels that a
 *  tree over so many bytes has. */
double translation_random(double bytes, const translation_cache *cache);

/** Faults per run where `runs` runs of run_bytes bytes are read one after the other and again and again, each a
 *  little further on in its own part of `bytes` bytes: as many pages are in use at a time. Includes the pages
 *  that a run goes on to. */
double translation_runs(double runs, double run_bytes, double bytes, const translation_cache *cache);

#endif
