/* SPDX-License-Identifier: Apache-2.0 */
#include "models/translation.h"

#include <math.h>

translation_cache translation_of(const riffle_vat_preset *core) {
    return (translation_cache){.entries = (double)core->entries_4k, .page = 4096, .fanout = 512};
}

double translation_reach(const translation_cache *cache) { return cache->entries * cache->page; }

enum { MOST_LEVELS = 64 };

/* The nodes on each level of the tree over so many pages, the root's last; returns the levels. */
static unsigned count_nodes(double pages, double fanout, double nodes[MOST_LEVELS]) {
    unsigned levels = 0;
    for (double n = pages; levels < MOST_LEVELS; n /= fanout) {
        nodes[levels++] = n > 1 ? n : 1;
        if (n <= 1) break;
    }
    return levels;
}

/* Nodes that LRU holds if it holds what the last t accesses at random touched. */
static double nodes_held(const double *nodes, unsigned levels, double t) {
    double held = 0;
    for (unsigned k = 0; k < levels; k++) held += nodes[k] * -expm1(-t / nodes[k]);
    return held;
}

/* The t for which that fills the cache, by bisection of its logarithm. */
static double memory_of(const double *nodes, unsigned levels, double entries) {
    double low = -10, high = 100;
    for (unsigned step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        if (nodes_held(nodes, levels, exp2(middle)) < entries) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return exp2(low);
}

/* The faults of one access to one of `pages` pages, each as likely: a node is missing if none of the last t
 * accesses went through it. (Che's approximation of LRU, a node at a time.) */
static double faults_among(double pages, const translation_cache *cache) {
    double nodes[MOST_LEVELS], faults = 0, all = 0;
    const unsigned levels = count_nodes(pages, cache->fanout, nodes);
    for (unsigned k = 0; k < levels; k++) all += nodes[k];
    if (all <= cache->entries) return 0;
    const double t = memory_of(nodes, levels, cache->entries);
    for (unsigned k = 0; k < levels; k++) faults += exp(-t / nodes[k]);
    return faults;
}

double translation_random(double bytes, const translation_cache *cache) {
    return faults_among(bytes / cache->page, cache);
}

double translation_runs(double runs, double run_bytes, double bytes, const translation_cache *cache) {
    const double pages = bytes / cache->page;
    return faults_among(runs < pages ? runs : pages, cache) + run_bytes / cache->page;
}
