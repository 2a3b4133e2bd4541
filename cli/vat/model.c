/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/exit.h"
#include "frame/message.h"
#include "vat/advise.h"

enum { DEFAULT_FANOUT = 512, DEFAULT_PAGE = 4096, DEFAULT_CACHE = 1536, DEFAULT_BITS = 48, MAX_PRESETS = 64 };

bool vat_read_policy(const command_option *option, const char *text, void *field) {
    const char *words[RIFFLE_VAT_POLICY_LIS + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_VAT_POLICY_LIS; ++k) words[k] = riffle_vat_policy_string((riffle_vat_policy)k);
    const int k = read_word(option, "policy", text, words);
    if (k >= 0) *(riffle_vat_policy *)field = (riffle_vat_policy)k;
    return k >= 0;
}

/* Beyond it a cost would not be a number. */
static const double MOST_TAU = 1e100;

bool vat_read_tau(const command_option *option, const char *text, void *field) {
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

bool vat_read_preset(const command_option *option, const char *text, void *field) {
    vat_model *model = field;
    const char *words[MAX_PRESETS + 2] = {"native"};
    for (size_t k = 0; k < MAX_PRESETS && riffle_vat_preset_at(k) != NULL; ++k)
        words[k + 1] = riffle_vat_preset_at(k)->name;
    const int k = read_word(option, "preset", text, words);
    if (k > 0) model->preset = *riffle_vat_preset_at((size_t)k - 1);
    model->has_preset = k > 0 || (k == 0 && riffle_vat_detect(&model->preset) == RIFFLE_OK);
    if (k == 0 && !model->has_preset) complain("option --%s: %s", option->name, riffle_error_detail());
    return model->has_preset;
}

int vat_show_presets(void) {
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

bool vat_model_check(const vat_model *model, const char *command) {
    const riffle_vat_options *given = &model->options, *host = &model->host;
    const uint64_t page = given->page != 0 ? given->page : DEFAULT_PAGE;
    if (model->has_preset && given->cache == 0 && vat_preset_cache(&model->preset, page) == 0) {
        complain("%s: --preset has caches for pages of 2^12, 2^21 and 2^30 bytes; give --cache as well",
                 command);
        return false;
    }
    if (!model->is_nested && (host->page != 0 || host->height != 0 || host->cache != 0)) {
        complain(
            "%s: --host-page, --host-height and --host-cache are of a virtual machine; give --nested as well",
            command);
        return false;
    }
    return true;
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

riffle_vat_options vat_model_options(const vat_model *model, uint64_t page) {
    riffle_vat_options complete = model->options;
    if (page != 0) complete.page = page;
    if (complete.page == 0) complete.page = DEFAULT_PAGE;
    if (complete.fanout == 0) complete.fanout = DEFAULT_FANOUT;
    if (complete.height == 0) complete.height = default_height(complete.fanout, complete.page);
    if (complete.cache == 0)
        complete.cache = model->has_preset ? vat_preset_cache(&model->preset, complete.page) : DEFAULT_CACHE;
    if (complete.tau == 0) complete.tau = 1;
    return complete;
}

riffle_vat_options vat_model_host(const vat_model *model, const riffle_vat_options *guest) {
    riffle_vat_options host = model->host;
    host.fanout = guest->fanout;
    host.tau = guest->tau;
    if (host.page == 0) host.page = DEFAULT_PAGE;
    if (host.height == 0) host.height = default_height(host.fanout, host.page);
    if (host.cache == 0) host.cache = guest->cache;
    return host;
}

riffle_status vat_model_create(const vat_model *model, const riffle_vat_options *options, riffle_vat **out) {
    if (!model->is_nested) return riffle_vat_create(model->policy, options, out);
    const riffle_vat_options host = vat_model_host(model, options);
    return riffle_vat_create_nested(model->policy, options, &host, out);
}

riffle_status vat_model_cost(const vat_model *model, const riffle_vat_options *options,
                             riffle_vat_program program, uint64_t n, riffle_vat_cost *out) {
    if (!model->is_nested) return riffle_vat_program_cost(program, n, options, VAT_EM_CACHE, VAT_EM_BLOCK, out);
    const riffle_vat_options host = vat_model_host(model, options);
    return riffle_vat_program_cost_nested(program, n, options, &host, VAT_EM_CACHE, VAT_EM_BLOCK, out);
}

uint64_t vat_last_address(const riffle_vat_options *tree) {
    const unsigned bits = tree->height * log2_of(tree->fanout) + log2_of(tree->page);
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}
