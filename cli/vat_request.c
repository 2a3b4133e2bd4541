/* SPDX-License-Identifier: Apache-2.0 */
#include "vat_request.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "vat_advise.h"

enum {
    OPTION_POLICY = OPTION_FIRST,
    OPTION_FANOUT,
    OPTION_PAGE,
    OPTION_HEIGHT,
    OPTION_CACHE,
    OPTION_TAU,
    OPTION_PRESET,
    OPTION_PRESETS,
    OPTION_INSTRUCTIONS,
    OPTION_ADVISE,
    OPTION_JSON,
};
static const struct option options[] = {
    {"policy", required_argument, NULL, OPTION_POLICY},
    {"fanout", required_argument, NULL, OPTION_FANOUT},
    {"page", required_argument, NULL, OPTION_PAGE},
    {"height", required_argument, NULL, OPTION_HEIGHT},
    {"cache", required_argument, NULL, OPTION_CACHE},
    {"tau", required_argument, NULL, OPTION_TAU},
    {"preset", required_argument, NULL, OPTION_PRESET},
    {"presets", no_argument, NULL, OPTION_PRESETS},
    {"instructions", no_argument, NULL, OPTION_INSTRUCTIONS},
    {"advise", no_argument, NULL, OPTION_ADVISE},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

enum { DEFAULT_FANOUT = 512, DEFAULT_PAGE = 4096, DEFAULT_CACHE = 1536, DEFAULT_BITS = 48, MAX_PRESETS = 64 };

static bool read_policy(const char *text, riffle_vat_policy *out) {
    if (riffle_vat_policy_parse(text, out) == RIFFLE_OK) return true;
    const char *words[RIFFLE_VAT_LIS + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_VAT_LIS; ++k) words[k] = riffle_vat_policy_string((riffle_vat_policy)k);
    complain_unknown("option --policy: policy", text, words);
    return false;
}

/* Beyond it a cost would not be a number. */
static const double MOST_TAU = 1e100;

static bool read_tau(const char *text, double *out) {
    char *end;
    const double value = strtod(text, &end);
    if (((text[0] >= '0' && text[0] <= '9') || text[0] == '.') && *end == '\0' && strpbrk(text, "xX") == NULL &&
        value > 0 && value <= MOST_TAU) {
        *out = value;
        return true;
    }
    complain(
        "option --tau: '%s' is no number above 0 and up to 1e100; write what a fault costs, such as 30 or 0.5",
        text);
    return false;
}

static bool read_preset(const char *text, riffle_vat_preset *out) {
    const char *words[MAX_PRESETS + 2] = {"native"};
    if (strcmp(text, words[0]) == 0) {
        const bool known = riffle_vat_detect(out) == RIFFLE_OK;
        if (!known) complain("option --preset: %s", riffle_error_detail());
        return known;
    }
    const riffle_vat_preset *preset;
    for (size_t k = 0; k < MAX_PRESETS && (preset = riffle_vat_preset_at(k)) != NULL; ++k) {
        words[k + 1] = preset->name;
        if (strcmp(text, preset->name) == 0) {
            *out = *preset;
            return true;
        }
    }
    complain_unknown("option --preset: preset", text, words);
    return false;
}

static bool read_option_value(int option, vat_request *ask) {
    riffle_vat_options *given = &ask->options;
    const uint64_t most = (uint64_t)1 << 63;
    switch (option) {
    case OPTION_POLICY: return read_policy(optarg, &ask->policy);
    case OPTION_FANOUT: return read_number("--fanout", optarg, 2, most, &given->fanout);
    case OPTION_PAGE: return read_number("--page", optarg, 1, most, &given->page);
    case OPTION_HEIGHT: return read_unsigned("--height", optarg, 1, 64, &given->height);
    case OPTION_CACHE: return read_number("--cache", optarg, 1, most, &given->cache);
    case OPTION_TAU: return read_tau(optarg, &given->tau);
    case OPTION_PRESET: return ask->has_preset = read_preset(optarg, &ask->preset);
    case OPTION_PRESETS: ask->wants_presets = true; return true;
    case OPTION_INSTRUCTIONS: ask->instructions = true; return true;
    case OPTION_ADVISE: ask->advise = true; return true;
    case OPTION_JSON: ask->wants_json = true; return true;
    default: return false;
    }
}

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

bool vat_request_read(int argc, char **argv, vat_request *ask) {
    for (;;) {
        const int option = next_option(argc, argv, options);
        switch (option) {
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_END:
            if (ask->wants_presets) return expect_operands(argc, argv, 0, " --presets");
            if (!expect_operands(argc, argv, 1, " TRACE [OPTION]...")) return false;
            ask->path = argv[optind];
            if (!check_together(ask)) return false;
            if (ask->advise && !ask->has_preset && ask->options.cache == 0)
                ask->has_preset = read_preset("native", &ask->preset);
            return true;
        default:
            if (!read_option_value(option, ask)) return false;
        }
    }
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
