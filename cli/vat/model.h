/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `riffle vat replay`, `riffle vat run` and `riffle vat curve` that choose a tree, a cache and a policy; and the tree of a host below.
 */
#ifndef RIFFLE_CLI_VAT_MODEL_H
#define RIFFLE_CLI_VAT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "frame/readers.h"
#include "riffle/vat.h"

/** The EM's cache and its blocks, in bytes, where nothing is known of a machine. */
enum { VAT_EM_CACHE = 32 << 20, VAT_EM_BLOCK = 64 };

typedef struct vat_model {
    bool has_preset, is_nested;
    riffle_vat_policy policy;
    riffle_vat_options options, host; /* 0 is what was not given */
    riffle_vat_preset preset;
} vat_model;

option_reader vat_read_policy, vat_read_tau, vat_read_preset;
int vat_show_presets(void);

#define VAT_MOST ((uint64_t)1 << 63)

/* clang-format off */
#define VAT_MODEL_OPTIONS(model)                                                                               \
    {.help = "The model:"},                                                                                    \
    {"policy", "NAME", vat_read_policy, FIELD(riffle_vat_policy, model.policy),                                \
     .help = "which node leaves a full cache: lru (the default), islru, min, ismin, rrmin or lis"},            \
    {"fanout", "K", NUMBER(model.options.fanout), .help = "children of a node of the tree; 512 by default",    \
     RANGE(2, VAT_MOST)},                                                                                      \
    {"page", "P", NUMBER(model.options.page), .help = "bytes of a page; 4096 by default",                      \
     RANGE(1, VAT_MOST)},                                                                                      \
    {"height", "D", UNSIGNED(model.options.height),                                                            \
     .help = "of the tree; by default the least for 2^48 bytes, which is 4 for pages of 4096 bytes",           \
     RANGE(1, 64)},                                                                                            \
    {"cache", "W", NUMBER(model.options.cache),                                                                \
     .help = "nodes that the cache holds; by default the preset's if one is given, else 1536",                 \
     RANGE(1, VAT_MOST)},                                                                                      \
    {"tau", "T", vat_read_tau, FIELD(double, model.options.tau), .help = "what a fault costs; 1 unless told"}, \
    {"preset", "NAME", vat_read_preset, FIELD(vat_model, model),                                               \
     .help = "the caches of a core: native (this machine's, as far as it tells) or one of those that riffle "  \
             "vat replay --presets lists"},                                                                    \
    {"presets", .show = vat_show_presets, .help = "list the presets and exit"},                                \
    {.help = "A virtual machine:"},                                                                            \
    {"nested", NULL, SWITCH(model.is_nested),                                                                  \
     .help = "translate twice: the tree above is the guest's, and what its nodes stand for lies at addresses " \
             "that a host's tree of the same fan-out and policy translates"},                                  \
    {"host-page", "P", NUMBER(model.host.page), .help = "bytes of a page of the host; 4096 by default",        \
     RANGE(1, VAT_MOST)},                                                                                      \
    {"host-height", "D", UNSIGNED(model.host.height),                                                          \
     .help = "of the host's tree; by default the least for 2^48 bytes", RANGE(1, 64)},                         \
    {"host-cache", "W", NUMBER(model.host.cache),                                                              \
     .help = "nodes that the host's cache holds; by default as many as the guest's", RANGE(1, VAT_MOST)}
/* clang-format on */

/** Checks the options as a whole; false after a complaint that begins with the command's name. */
bool vat_model_check(const vat_model *model, const char *command);

/** The tree and the cache with defaults where the request has none, and pages of `page` bytes if that is not 0. */
riffle_vat_options vat_model_options(const vat_model *model, uint64_t page);

/** The same of the host of a guest with the options `guest`. */
riffle_vat_options vat_model_host(const vat_model *model, const riffle_vat_options *guest);

/** The cache, or two with a host. */
riffle_status vat_model_create(const vat_model *model, const riffle_vat_options *options, riffle_vat **out);

/** Gives the cost of the program by the closed forms, with the host's translation where there is one. */
riffle_status vat_model_cost(const vat_model *model, const riffle_vat_options *options,
                             riffle_vat_program program, uint64_t n, riffle_vat_cost *out);

/** The last address of a tree whose options the library has accepted. */
uint64_t vat_last_address(const riffle_vat_options *tree);

#endif
