/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"
#include "frame/readers.h"
#include "vat/advise.h"

typedef vat_request request; /* as FIELD has it */

enum { DEFAULT_FANOUT = 512, DEFAULT_PAGE = 4096, DEFAULT_CACHE = 1536, DEFAULT_BITS = 48, MAX_PRESETS = 64 };

static bool read_policy(const command_option *option, const char *text, void *field) {
    const char *words[RIFFLE_VAT_POLICY_LIS + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_VAT_POLICY_LIS; ++k) words[k] = riffle_vat_policy_string((riffle_vat_policy)k);
    const int k = read_word(option, "policy", text, words);
    if (k >= 0) *(riffle_vat_policy *)field = (riffle_vat_policy)k;
    return k >= 0;
}

/* Beyond it a cost would not be a number. */
static const double MOST_TAU = 1e100;

static bool read_tau(const command_option *option, const char *text, void *field) {
    char *end;
    const double value = strtod(text, &end);
    if (((text[0] >= '0' && text[0] <= '9') || text[0] == '.') && *end == '\0' && strpbrk(text, "xX") == NULL &&
        value > 0 && value <= MOST_TAU) {
        *(double *)field = value;
        return true;
    }
    complain(
        "option --%s: '%s' is no number above 0 and up to 1e100; write what a fault costs, such as 30 or 0.5",
        option->name, text);
    return false;
}

static bool read_preset(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    const char *words[MAX_PRESETS + 2] = {"native"};
    for (size_t k = 0; k < MAX_PRESETS && riffle_vat_preset_at(k) != NULL; ++k)
        words[k + 1] = riffle_vat_preset_at(k)->name;
    const int k = read_word(option, "preset", text, words);
    if (k > 0) ask->preset = *riffle_vat_preset_at((size_t)k - 1);
    ask->has_preset = k > 0 || (k == 0 && riffle_vat_detect(&ask->preset) == RIFFLE_OK);
    if (k == 0 && !ask->has_preset) complain("option --%s: %s", option->name, riffle_error_detail());
    return ask->has_preset;
}

/* --presets */
static int show_presets(void) {
    printf("name            4 KiB   2 MiB   1 GiB   upper  core\n");
    const riffle_vat_preset *preset;
    for (size_t k = 0; (preset = riffle_vat_preset_at(k)) != NULL; ++k) {
        printf("%-14s  %5llu   %5llu   %5llu   %5llu  %s\n", preset->name,
               (unsigned long long)preset->entries_4k, (unsigned long long)preset->entries_2m,
               (unsigned long long)preset->entries_1g, (unsigned long long)preset->entries_upper,
               preset->description);
    }
    printf("\nEntries of the last-level TLB for pages of each size and of the caches for upper\n"
           "levels; 0 where no source tells.\n");
    return finish_stdout(EXIT_DONE);
}

#define MOST ((uint64_t)1 << 63)

const command_option vat_request_table[] = {
    {.help = "The model:"},
    {"policy", "NAME", read_policy, FIELD(riffle_vat_policy, policy),
     .help = "which node leaves a full cache: lru (the default), islru, min, ismin, rrmin or lis"},
    {"fanout", "K", NUMBER(options.fanout), .help = "children of a node of the tree; 512 by default",
     RANGE(2, MOST)},
    {"page", "P", NUMBER(options.page), .help = "bytes of a page; 4096 by default", RANGE(1, MOST)},
    {"height", "D", UNSIGNED(options.height),
     .help = "of the tree; by default the least for 2^48 bytes, which is 4 for pages of 4096 bytes",
     RANGE(1, 64)},
    {"cache", "W", NUMBER(options.cache),
     .help = "nodes that the cache holds; by default the preset's if one is given, else 1536", RANGE(1, MOST)},
    {"tau", "T", read_tau, FIELD(double, options.tau), .help = "what a fault costs; 1 unless told"},
    {"preset", "NAME", WHOLE(read_preset),
     .help = "the caches of a core: native (this machine's, as far as it tells) or one of those that riffle "
             "vat replay --presets lists"},
    {"presets", .show = show_presets, .help = "list the presets and exit"},
    {.help = "The trace and the report:"},
    {"instructions", NULL, SWITCH(instructions),
     .help = "count lackey's instruction fetches as well as its loads and stores"},
    {"advise", NULL, SWITCH(advise),
     .help = "compare pages of 4 KiB, 2 MiB and 1 GiB, and say what they and another order of accesses would "
             "save; with the native preset unless told"},
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {0},
};

static bool check_together(const vat_request *ask) {
    const riffle_vat_options *given = &ask->options;
    if (ask->advise && (given->fanout != 0 || given->page != 0 || given->height != 0)) {
        complain("vat replay: --advise has the trees of x86-64; leave out --fanout, --page and --height");
        return false;
    }
    const uint64_t page = given->page != 0 ? given->page : DEFAULT_PAGE;
    if (ask->has_preset && given->cache == 0 && vat_preset_cache(&ask->preset, page) == 0) {
        complain(
            "vat replay: --preset has caches for pages of 2^12, 2^21 and 2^30 bytes; give --cache as well");
        return false;
    }
    return true;
}

bool vat_request_complete(vat_request *ask) {
    if (!check_together(ask)) return false;
    if (!ask->advise || ask->has_preset || ask->options.cache != 0) return true;
    ask->has_preset = riffle_vat_detect(&ask->preset) == RIFFLE_OK;
    if (!ask->has_preset) complain("vat replay: %s", riffle_error_detail());
    return ask->has_preset;
}

static unsigned log2_of(uint64_t value) { return 63 - (unsigned)__builtin_clzll(value); }

/* The least height that spans 2^48 bytes, as far as addresses have 64 bits. */
static unsigned default_height(uint64_t fanout, uint64_t page) {
    unsigned height = 1;
    while (height * log2_of(fanout) + log2_of(page) < DEFAULT_BITS &&
           (height + 1) * log2_of(fanout) + log2_of(page) <= 64)
        ++height;
    return height;
}

riffle_vat_options vat_request_options(const vat_request *ask, uint64_t page) {
    riffle_vat_options complete = ask->options;
    if (page != 0) complete.page = page;
    if (complete.page == 0) complete.page = DEFAULT_PAGE;
    if (complete.fanout == 0) complete.fanout = DEFAULT_FANOUT;
    if (complete.height == 0) complete.height = default_height(complete.fanout, complete.page);
    if (complete.cache == 0)
        complete.cache = ask->has_preset ? vat_preset_cache(&ask->preset, complete.page) : DEFAULT_CACHE;
    if (complete.tau == 0) complete.tau = 1;
    return complete;
}

uint64_t vat_last_address(const riffle_vat_options *tree) {
    const unsigned bits = tree->height * log2_of(tree->fanout) + log2_of(tree->page);
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}
