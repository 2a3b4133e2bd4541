/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cuda/hull/stages.h"

#include "base/status.h"

riffle_status hull_stages_bytes(const hull_stages *stages, size_t *out) {
    (void)stages, (void)out;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine has no hulls yet; use the cpu engine");
}

riffle_status hull_stages_load(const hull_stages *stages) {
    (void)stages;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine has no hulls yet; use the cpu engine");
}

riffle_status hull_stages_queue(const hull_stages *stages, const hull_stages_arrays *arrays,
                                struct CUstream_st *stream) {
    (void)stages, (void)arrays, (void)stream;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine has no hulls yet; use the cpu engine");
}
