/* SPDX-License-Identifier: Apache-2.0
 *
 * What CPUID says of a processor's translation caches, apart from the processor that it is asked on.
 */
#ifndef RIFFLE_MODELS_VAT_PRESETS_H
#define RIFFLE_MODELS_VAT_PRESETS_H

#include <stdbool.h>

#include "riffle/vat.h"

/** The registers that CPUID returns. */
typedef struct cpuid_answer {
    uint32_t eax, ebx, ecx, edx;
} cpuid_answer;

/** CPUID for a leaf and subleaf; all 0 for leaves that the processor does not have. */
typedef cpuid_answer cpuid_source(uint32_t leaf, uint32_t subleaf);

/** Fills in the preset of the processor that `cpuid` describes. Its family and model choose a preset, whose
 *  figures stand where CPUID does not tell (hypervisors hide some); a processor without one is named "detected"
 *  and has 0 for what CPUID does not tell. False, and *out unchanged, if it tells nothing: no size of the TLB
 *  for 4 KiB pages. */
bool vat_preset_from_cpuid(cpuid_source *cpuid, riffle_vat_preset *out);

#endif
