/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of hulls, compiled with a hook before every access.
 */
#include "device/families.h"
#include "machine/device/device_cuda.h"

#include "hull/gpu/steps/stages.h"
#include "hull/gpu/steps/steps.h" /* in the words of device_cuda.h */

template <class record> HOST_SIDE static machine_entry step_of(unsigned number) {
    if (number == HULL_STEPS_PAPER) return entry_of<hull_paper<record>>::enter;
    return entry_of<hull_sorted<record>>::enter;
}

machine_entry machine_hull_steps_kernel(unsigned number, size_t kind) {
    switch (kind) {
    case HULL_RECORD_F32: return step_of<hull_record_f32>(number);
    case HULL_RECORD_F64: return step_of<hull_record_f64>(number);
    default: return step_of<hull_record_i64>(number);
    }
}
