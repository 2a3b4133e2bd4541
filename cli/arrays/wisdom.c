/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* access */
#include "arrays/wisdom.h"

#include <errno.h>
#include <unistd.h>

#include "frame/message.h"

bool wisdom_is_meant(const riffle_plan_options *options, const char *file) {
    if (options->effort == RIFFLE_EFFORT_MEASURE || (file == NULL && options->effort_seconds == 0)) return true;
    complain("--%s says how plans are measured; give --effort measure too, or leave it out",
             file != NULL ? "wisdom" : "effort-seconds");
    return false;
}

riffle_status wisdom_take(const char *file) {
    if (file == NULL || (access(file, F_OK) != 0 && errno == ENOENT)) return RIFFLE_OK;
    return riffle_wisdom_load(file);
}

riffle_status wisdom_put(const char *file) { return file != NULL ? riffle_wisdom_save(file) : RIFFLE_OK; }
