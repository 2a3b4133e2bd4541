/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `riffle vat replay`, and the translation caches that it asks for.
 */
#ifndef RIFFLE_CLI_VAT_REQUEST_H
#define RIFFLE_CLI_VAT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "frame/command.h"
#include "riffle/vat.h"

typedef struct vat_request {
    const char *path;
    bool wants_json, advise, instructions, has_preset;
    riffle_vat_policy policy;
    riffle_vat_options options; /* 0 is what was not given */
    riffle_vat_preset preset;
} vat_request;

extern const command_option vat_request_table[];

/** Checks what was read as a whole; false after a complaint. With --advise the native preset stands in where
 *  neither a preset nor a cache is given. */
bool vat_request_complete(vat_request *ask);

/** The options of the request, with defaults where it has none, and pages of `page` bytes if that is not 0. */
riffle_vat_options vat_request_options(const vat_request *ask, uint64_t page);

/** The last address of a tree whose options the library has accepted. */
uint64_t vat_last_address(const riffle_vat_options *tree);

#endif
