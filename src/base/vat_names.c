/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of riffle/vat.h's policies and programs, for libriffle and the library that has what they name.
 */
#include "base/names.h"
#include "riffle/vat.h"

static const char *const policy_names[] = {
    [RIFFLE_VAT_POLICY_LRU] = "lru",     [RIFFLE_VAT_POLICY_ISLRU] = "islru", [RIFFLE_VAT_POLICY_MIN] = "min",
    [RIFFLE_VAT_POLICY_ISMIN] = "ismin", [RIFFLE_VAT_POLICY_RRMIN] = "rrmin", [RIFFLE_VAT_POLICY_LIS] = "lis"};
static const name_table policies = {"policy", policy_names, sizeof policy_names / sizeof policy_names[0]};

const char *riffle_vat_policy_string(riffle_vat_policy policy) { return name_of(&policies, policy); }
riffle_status riffle_vat_policy_parse(const char *name, riffle_vat_policy *out) {
    return name_parse(&policies, name, (unsigned *)out);
}
size_t riffle_vat_policy_list(riffle_vat_policy *out, size_t capacity) {
    return name_list(&policies, (unsigned *)out, capacity);
}

static const char *const program_names[] = {
    [RIFFLE_VAT_PROGRAM_SEQUENTIAL_SCAN] = "sequential-scan",
    [RIFFLE_VAT_PROGRAM_RANDOM_SCAN] = "random-scan",
    [RIFFLE_VAT_PROGRAM_PERMUTE] = "permute",
    [RIFFLE_VAT_PROGRAM_BINARY_SEARCH] = "binary-search",
    [RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS] = "van-emde-boas",
    [RIFFLE_VAT_PROGRAM_HEAPIFY] = "heapify",
    [RIFFLE_VAT_PROGRAM_HEAPSORT] = "heapsort",
    [RIFFLE_VAT_PROGRAM_INTROSORT] = "introsort",
    [RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS] = "transpose-rows",
    [RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE] = "transpose-recursive",
    [RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS] = "multiply-rows",
    [RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE] = "multiply-recursive",
};

static const name_table programs = {"program", program_names, RIFFLE_VAT_PROGRAM_COUNT};

const char *riffle_vat_program_string(riffle_vat_program program) { return name_of(&programs, program); }
riffle_status riffle_vat_program_parse(const char *name, riffle_vat_program *out) {
    return name_parse(&programs, name, (unsigned *)out);
}
size_t riffle_vat_program_list(riffle_vat_program *out, size_t capacity) {
    return name_list(&programs, (unsigned *)out, capacity);
}
