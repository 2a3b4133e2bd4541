/* SPDX-License-Identifier: Apache-2.0
 *
 * The engines by their numbers.
 */
#ifndef RIFFLE_BASE_ENGINE_H
#define RIFFLE_BASE_ENGINE_H

#include "riffle.h"

/** RIFFLE_ERROR_INVALID_ARGUMENT where there is no such engine, RIFFLE_ERROR_UNSUPPORTED for a workspace that it would not take
 *  from its caller. */
riffle_status engine_check(riffle_engine engine, bool callers_workspace);

#endif
