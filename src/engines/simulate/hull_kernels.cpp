/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of hulls, compiled with a hook before every access.
 */
#include "engines/simulate/hull_kernels.h"
#include "machine/device/device_cuda.h"

#include "kernels/hull/steps.h" /* in the words of device_cuda.h */

machine_entry machine_hull_sorted(uint32_t kind) {
    switch (kind) {
    case HULL_RECORD_F32: return entry_of<hull_sorted<hull_record_f32>>::enter;
    case HULL_RECORD_F64: return entry_of<hull_sorted<hull_record_f64>>::enter;
    default: return entry_of<hull_sorted<hull_record_i64>>::enter;
    }
}

machine_entry machine_hull_paper(uint32_t kind) {
    switch (kind) {
    case HULL_RECORD_F32: return entry_of<hull_paper<hull_record_f32>>::enter;
    case HULL_RECORD_F64: return entry_of<hull_paper<hull_record_f64>>::enter;
    default: return entry_of<hull_paper<hull_record_i64>>::enter;
    }
}
