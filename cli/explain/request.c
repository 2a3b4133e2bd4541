/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/request.h"

#include <stddef.h>

const char *option_of_models(const request *ask) {
    const riffle_machine_options *const m = &ask->how.model;
    return m->width != 0            ? "width"
           : m->latency != 0        ? "global-latency"
           : m->shared_latency != 0 ? "shared-latency"
           : m->dmms != 0           ? "dmms"
                                    : NULL;
}
