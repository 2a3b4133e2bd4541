/* SPDX-License-Identifier: Apache-2.0 */
#include "base/engine.h"

#include "base/names.h"
#include "base/status.h"

static const char *const names[] = {[RIFFLE_ENGINE_CPU] = "cpu", [RIFFLE_ENGINE_CUDA] = "cuda"};
static const name_table engines = {"engine", names, RIFFLE_ENGINE_CUDA + 1};

const char *riffle_engine_string(riffle_engine engine) { return name_of(&engines, engine); }
riffle_status riffle_engine_parse(const char *name, riffle_engine *out) {
    return name_parse(&engines, name, (unsigned *)out);
}
size_t riffle_engine_list(riffle_engine *out, size_t capacity) {
    return name_list(&engines, (unsigned *)out, capacity);
}

riffle_status engine_check(riffle_engine engine, bool callers_workspace) {
    if ((unsigned)engine >= engines.count)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no engine with number %d", (int)engine);
    if (!callers_workspace || engine != RIFFLE_ENGINE_CPU) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "the cpu engine takes no workspace from its caller; leave callers_workspace 0");
}
