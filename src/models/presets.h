/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation caches of a processor (riffle/vat.h has the presets).
 */
#ifndef RIFFLE_MODELS_PRESETS_H
#define RIFFLE_MODELS_PRESETS_H

#include <stdbool.h>

#include "base/processor/processor.h"
#include "riffle/vat.h"

/** The preset of a processor: its family and model's, else what its CPUID says ("detected", with 0 for what it
 *  does not say), else the first one's figures ("unknown"). entries_4k is never 0. */
riffle_vat_preset vat_preset_of(const processor *of);

/** The figures that its CPUID itself tells, 0 for what it does not tell; the model is not looked up. */
riffle_vat_preset vat_preset_told(const processor *of);

#endif
