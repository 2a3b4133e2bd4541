/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"

const pass_kind PASS_AXES_TILE = {.name = "axes_tile", .run = cpu_axes_tile};
