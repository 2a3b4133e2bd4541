/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/advise.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SIZE_4K, SIZE_2M, SIZE_1G, PAGE_BITS = 12 };

const uint64_t vat_page_sizes[VAT_SIZES] = {1 << 12, 1 << 21, 1 << 30};
static const char *const size_names[VAT_SIZES] = {"4 KiB", "2 MiB", "1 GiB"};

/* No page: addresses have 48 bits. */
static const uint64_t NO_PAGE = (uint64_t)1 << 63;

/* Below so many faults in 1000 accesses nobody would notice their loss: at 40 cycles each that is a fifth of a
 * cycle an access, where a load that hits the first-level cache takes 4 or 5. */
static const double FEW_FAULTS = 5;

/* Shares of sequential steps: in between a program does both. */
static const double FEW_STEPS = 0.25, MANY_STEPS = 0.75;

uint64_t vat_preset_cache(const riffle_vat_preset *preset, uint64_t page) {
    const uint64_t told[VAT_SIZES] = {preset->entries_4k, preset->entries_2m, preset->entries_1g};
    uint64_t entries = 1;
    for (int k = 0; k < VAT_SIZES; ++k) {
        if (told[k] != 0) entries = told[k];
        if (page == vat_page_sizes[k]) return entries + preset->entries_upper;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- order of accesses */

void vat_steps_begin(vat_steps *steps) {
    *steps = (vat_steps){.count = 0};
    for (int k = 0; k < VAT_RECENT; ++k) steps->recent[k] = NO_PAGE;
}

/* A page, and the nodes above it, whose first touch no order of accesses saves. */
static bool add_page(vat_steps *steps, uint64_t page) {
    enum { LEVELS = 4, FANOUT_BITS = 9, LEVEL_AT = 60 };
    const uint64_t before = steps->touched.count;
    if (!vat_pages_add(&steps->touched, page)) return false;
    for (uint64_t level = 1; steps->touched.count > before && level <= LEVELS; ++level) {
        const uint64_t node = page >> (level * FANOUT_BITS);
        if (!vat_pages_add(&steps->above, node | level << LEVEL_AT)) return false;
    }
    return true;
}

static bool touch(vat_steps *steps, uint64_t page) {
    uint64_t *recent = steps->recent;
    bool neighbour = false;
    size_t place = 0;
    for (; place < VAT_RECENT && recent[place] != page; ++place)
        neighbour |= recent[place] - 1 == page || recent[place] + 1 == page;
    if (place == VAT_RECENT) {
        steps->count++;
        steps->sequential += neighbour;
        if (!add_page(steps, page)) return false;
        place = VAT_RECENT - 1;
    }
    memmove(recent + 1, recent, place * sizeof *recent);
    recent[0] = page;
    return true;
}

bool vat_steps_take(vat_steps *steps, const vat_accesses *accesses) {
    for (size_t k = 0; k < accesses->count; ++k) {
        const uint64_t last = accesses->last[k] >> PAGE_BITS;
        for (uint64_t page = accesses->first[k] >> PAGE_BITS; page <= last; ++page) {
            if (page != steps->recent[0] && !touch(steps, page)) return false;
        }
    }
    return true;
}

void vat_steps_end(vat_steps *steps) {
    vat_pages_free(&steps->touched);
    vat_pages_free(&steps->above);
}

/* --------------------------------------------------------------------------------------- the report */

static double in_thousand(const vat_advice *advice, int size) {
    const riffle_vat_counts *counts = &advice->counts[size];
    return 1000 * (double)counts->faults / (double)counts->accesses;
}

/* The share of the faults with 4 KiB pages that this size does without; negative if it has more. */
static double saved(const vat_advice *advice, int size) {
    const double small = (double)advice->counts[SIZE_4K].faults; /* at least the first access's */
    return (small - (double)advice->counts[size].faults) / small;
}

static void print_table(const vat_advice *advice) {
    printf("page    height     cache         faults   in 1000    saved           cost\n");
    for (int k = 0; k < VAT_SIZES; ++k) {
        const riffle_vat_counts *counts = &advice->counts[k];
        printf("%-6s  %6u  %8llu  %13llu  %8.3f  %6.1f%%  %13.6g\n", size_names[k], advice->options[k].height,
               (unsigned long long)advice->options[k].cache, (unsigned long long)counts->faults,
               in_thousand(advice, k), 100 * saved(advice, k), counts->cost);
    }
}

/* Prints what larger pages do: "save 97.3% of the faults" */
static void print_effect(const vat_advice *advice, int size) {
    const double share = saved(advice, size);
    printf("%s pages would %s %.1f%% %s the faults", size_names[size], share < 0 ? "add" : "save",
           100 * (share < 0 ? -share : share), share < 0 ? "to" : "of");
}

static void print_pages(const vat_advice *advice) {
    printf("Pages: with 4 KiB pages there are %.3f faults in 1000 accesses.\n", in_thousand(advice, SIZE_4K));
    print_effect(advice, SIZE_2M);
    printf(",\n");
    print_effect(advice, SIZE_1G);
    printf(".\n");
    if (in_thousand(advice, SIZE_4K) < FEW_FAULTS) {
        printf("That is little: larger pages would hardly be noticed.\n");
    } else if (saved(advice, SIZE_2M) >= 0.5) {
        printf("Larger pages are worth trying: madvise(MADV_HUGEPAGE) asks Linux for 2 MiB pages.\n");
        if (in_thousand(advice, SIZE_2M) >= FEW_FAULTS && saved(advice, SIZE_1G) > saved(advice, SIZE_2M))
            printf("1 GiB pages, from hugetlbfs, are worth it where much is left with 2 MiB pages, as here.\n");
    } else {
        printf("2 MiB pages alone do not help much.\n");
    }
}

static void print_order(const vat_advice *advice) {
    const vat_steps *steps = &advice->steps;
    const double share = (double)steps->sequential / (double)steps->count;
    const uint64_t first_touches = steps->touched.count + steps->above.count;
    printf("Order: %llu pages of 4 KiB are touched, %.1f MiB in all. %.3f of 1000 accesses step to a\n"
           "page that is none of the last %d; %.1f%% of the steps lead to a neighbour of one of these.\n",
           (unsigned long long)steps->touched.count, (double)steps->touched.count / 256,
           1000 * (double)steps->count / (double)advice->counts[SIZE_4K].accesses, VAT_RECENT, 100 * share);
    if (in_thousand(advice, SIZE_4K) < FEW_FAULTS) {
        printf("Whatever the steps are, the cache holds what they need: another order would save little.\n");
    } else if (2 * first_touches >= advice->counts[SIZE_4K].faults) {
        printf(
            "%.0f%% of the faults are first touches of pages and of nodes above them, which no order saves.\n",
            100 * (double)first_touches / (double)advice->counts[SIZE_4K].faults);
    } else if (share >= MANY_STEPS) {
        printf("Pages are gone through in order: what would save faults is fewer passes over the data, not\n"
               "another order.\n");
    } else if (share <= FEW_STEPS) {
        printf("The program jumps between pages: an order that finishes with a page before it goes on (sorted\n"
               "or bucketed accesses, tiles, a recursive layout) would save most faults, at any page size.\n");
    } else {
        printf(
            "Some steps are jumps: an order that finishes with a page before it goes on (sorted or bucketed\n"
            "accesses, tiles, a recursive layout) would save part of the faults.\n");
    }
}

void vat_advice_print(const vat_advice *advice) {
    print_table(advice);
    printf("\n");
    print_pages(advice);
    printf("\n");
    print_order(advice);
}
