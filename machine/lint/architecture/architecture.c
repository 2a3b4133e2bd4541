/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/architecture/architecture.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/source/text.h"

enum { FIRST_BEYOND = 100 };

/* GPUs by what follows sm_, with their macros. */
static const struct {
    const char *name, *macro[ARCHITECTURE_MACROS];
} architectures[] = {
    {"50", {"-D__CUDA_ARCH__=500"}},
    {"52", {"-D__CUDA_ARCH__=520"}},
    {"53", {"-D__CUDA_ARCH__=530"}},
    {"60", {"-D__CUDA_ARCH__=600"}},
    {"61", {"-D__CUDA_ARCH__=610"}},
    {"62", {"-D__CUDA_ARCH__=620"}},
    {"70", {"-D__CUDA_ARCH__=700"}},
    {"72", {"-D__CUDA_ARCH__=720"}},
    {"75", {"-D__CUDA_ARCH__=750"}},
    {"80", {"-D__CUDA_ARCH__=800"}},
    {"86", {"-D__CUDA_ARCH__=860"}},
    {"87", {"-D__CUDA_ARCH__=870"}},
    {"89", {"-D__CUDA_ARCH__=890"}},
    {"90", {"-D__CUDA_ARCH__=900"}},
    {"90a", {"-D__CUDA_ARCH__=900", "-D__CUDA_ARCH_FEAT_SM90_ALL", "-D__CUDA_ARCH_SPECIFIC__=900"}},
};
enum { ARCHITECTURES = sizeof architectures / sizeof architectures[0] };

/* "90a" of "sm_90a" and "compute_90a"; NULL of others. */
static const char *number_of(const char *name) {
    static const char *const starts[] = {"sm_", "compute_"};
    for (size_t k = 0; k < 2; k++)
        if (begins_with(name, starts[k])) return name + strlen(starts[k]);
    return NULL;
}

/* ARCHITECTURES if there is none. */
static unsigned find(const char *name) {
    const char *number = number_of(name);
    unsigned k = 0;
    while (k < ARCHITECTURES && (number == NULL || strcmp(number, architectures[k].name) != 0)) k++;
    return k;
}

riffle_status architecture_check(const char *name) {
    if (find(name) < ARCHITECTURES) return RIFFLE_OK;
    const char *number = number_of(name);
    const bool is_beyond = number != NULL && strtoul(number, NULL, 10) >= FIRST_BEYOND;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "-arch=%s is %s; write -arch=sm_90a, say", name,
                is_beyond ? ARCHITECTURE_BEYOND : "no GPU that the machine knows");
}

riffle_status architecture_check_macro(const char *definition) {
    static const char arch[] = "__CUDA_ARCH__=", feature[] = "__CUDA_ARCH_FEAT_SM";
    unsigned long number = 0;
    if (begins_with(definition, arch)) number = strtoul(definition + sizeof arch - 1, NULL, 10) / 10;
    if (begins_with(definition, feature)) number = strtoul(definition + sizeof feature - 1, NULL, 10);
    if (number < FIRST_BEYOND) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "-D %s is " ARCHITECTURE_BEYOND, definition);
}

const char *const *architecture_macros(const char *name) { return architectures[find(name)].macro; }
