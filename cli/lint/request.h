/* SPDX-License-Identifier: Apache-2.0
 *
 * All that riffle lint was asked.
 */
#ifndef RIFFLE_CLI_LINT_REQUEST_H
#define RIFFLE_CLI_LINT_REQUEST_H

#include <stdbool.h>

#include "frame/command.h"
#include "riffle/machine.h"
#include "trace/traces.h"

/** The words of --fail-on. The last two may have a threshold; 0 stands for the report's own. */
enum { FAIL_ON_HAZARD, FAIL_ON_OUT_OF_BOUNDS, FAIL_ON_UNCOALESCED = 9, FAIL_ON_CONFLICT, FAIL_ON_WORDS };

typedef struct fail_on {
    bool given;
    double threshold;
} fail_on;

enum { MAX_ARGUMENTS = 64, MAX_FLAGS = 128, COUNTED_ACCESSES = 1 << 24, CHECKED_ACCESSES = 1 << 28 };
static const uint64_t WORK = (uint64_t)1 << 32;

typedef struct request {
    riffle_lint_job job; /* its file is the operand */
    riffle_machine_options machine;
    const char *arguments[MAX_ARGUMENTS], *constants[MAX_ARGUMENTS], *flags[MAX_FLAGS], *lengths[MAX_ARGUMENTS];
    command_operands files; /* the job has them */
    fail_on fail_on[FAIL_ON_WORDS];
    bool json, for_all;
    const char *sarif, *html, *before; /* files */
    unsigned timeout;
    traces traces;
} request;

#endif
