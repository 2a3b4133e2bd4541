/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `riffle vat replay`.
 */
#ifndef RIFFLE_CLI_VAT_REQUEST_H
#define RIFFLE_CLI_VAT_REQUEST_H

#include "frame/command.h"
#include "vat/model.h"

typedef struct vat_request {
    vat_model model;
    const char *path;
    bool wants_json, advise, instructions;
} vat_request;

extern const command_option vat_request_table[];

/** Checks what was read as a whole; false after a complaint. With --advise the native preset stands in where
 *  neither a preset nor a cache is given. */
bool vat_request_complete(vat_request *ask);

#endif
