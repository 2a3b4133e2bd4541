/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of efforts.
 */
#include "base/names.h"

static const char *const names[] = {[RIFFLE_EFFORT_ESTIMATE] = "estimate", [RIFFLE_EFFORT_MEASURE] = "measure"};
static const name_table efforts = {"effort", names, RIFFLE_EFFORT_MEASURE + 1};

const char *riffle_effort_string(riffle_effort effort) { return name_of(&efforts, effort); }
riffle_status riffle_effort_parse(const char *name, riffle_effort *out) {
    return name_parse(&efforts, name, (unsigned *)out);
}
size_t riffle_effort_list(riffle_effort *out, size_t capacity) {
    return name_list(&efforts, (unsigned *)out, capacity);
}
