/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "check/loops.h"

void check_loop_portable(check_sums *sums, const check_words *of) {
    check_sums here = {0, 0};
    for (size_t k = 0; k < of->count; k++) {
        const uint32_t place = of->places != NULL ? of->places[k] : of->place + (uint32_t)k;
        uint32_t word;
        memcpy(&word, of->words + k * sizeof word, sizeof word);
        check_add_word(&here, check_mix(place, of->upper), word);
    }
    check_add_sums(sums, here);
}
